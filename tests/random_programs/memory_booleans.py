"""Random statements about `_Bool`s whose bytes are written as bytes: through characters, by memset and by memcpy.

Without risk the bytes are 0 and 1. With risk some are not: then reads as `_Bool` are undefined, of bytes not.
"""

from __future__ import annotations

from dataclasses import dataclass

from tests.random_programs.memory_routes import Routes, Weighted
from tests.random_programs.memory_scope import Feature, Scope

_FLAGS = "struct Flags { signed char n; _Bool on; short m; _Bool row[2]; };"
_EITHER = "union Either { _Bool on; unsigned char c; _Bool row[2]; unsigned char b[2]; };"


@dataclass(frozen=True)
class _Block:
    """An object with `_Bool`s in it: how its address is written, and its bytes; the lvalues of its members.

    `whole` is its lvalue, where it can be assigned.
    """

    type: str
    address: str
    size: int
    truths: tuple[str, ...]
    others: tuple[str, ...] = ()
    whole: str = ""


class Booleans(Routes):
    """Writes such statements, too."""

    def _routes(self) -> Weighted:
        return super()._routes() + ([(12, self._truths)] if self._has(Feature.BOOL_BYTES) else [])

    def _truths(self, scope: Scope) -> None:
        """Bytes of one or two objects are written and read."""
        draws = self._draws
        make = draws.one((self._one_truth, self._row_of_truths, self._flags, self._flags, self._either, self._on_heap))
        first, second = make(scope), make(scope)
        for _ in range(draws.between(1, 3)):
            self._write_truths(scope, *draws.random.sample((first, second), 2))
        block = draws.one((first, first, second))
        self._observe(scope, *(self._read_truth(scope, block) for _ in range(draws.between(1, 3))))

    # Objects

    def _one_truth(self, scope: Scope) -> _Block:
        name = self._fresh("b")
        if self._draws.chance(0.3):
            self._declare(name, f"static _Bool {name} = {self._draws.between(0, 1)};")
        else:
            self._put(f"_Bool {name} = {self._number(scope)};")
        return _Block("_Bool", f"&{name}", 1, (name,))

    def _row_of_truths(self, scope: Scope) -> _Block:
        name = self._fresh("b")
        self._put(f"_Bool {name}[3] = {{{self._number(scope)}, {self._question(scope)}}};")
        return _Block("_Bool [3]", name, 3, self._elements(scope, name, 3))

    def _elements(self, scope: Scope, name: str, extent: int) -> tuple[str, ...]:
        return f"{name}[{self._draws.between(0, extent - 1)}]", f"{name}[{self._e.index(scope, extent)}]"

    def _flags(self, scope: Scope) -> _Block:
        self._declare("struct Flags {", _FLAGS)
        name = self._fresh("b")
        self._put(f"struct Flags {name} = {{.n = 1, .on = {self._number(scope)}, .row = {{1}}}};")
        return self._block_of_flags(scope, name, f"{name}.", f"&{name}", name)

    def _block_of_flags(self, scope: Scope, name: str, base: str, address: str, whole: str) -> _Block:
        if not base.endswith("->") and self._draws.chance(0.3):
            self._put(f"struct Flags *{name}p = {address};")
            base = f"{name}p->"
        truths = f"{base}on", f"{base}on", *self._elements(scope, f"{base}row", 2)
        return _Block("struct Flags", address, 6, truths, (f"{base}n", f"{base}m"), whole)

    def _either(self, scope: Scope) -> _Block:
        self._declare("union Either {", _EITHER)
        name = self._fresh("b")
        self._put(f"union Either {name} = {{.b = {{{self._byte_of_truth(scope)}, 1}}}};")
        truths = f"{name}.on", *self._elements(scope, f"{name}.row", 2)
        return _Block("union Either", f"&{name}", 2, truths, (f"{name}.c", f"{name}.b[1]"), name)

    def _on_heap(self, scope: Scope) -> _Block:
        name = self._fresh("b")
        if self._draws.chance(0.5):
            self._declare("struct Flags {", _FLAGS)
            self._put(f"struct Flags *{name} = calloc(1, sizeof(struct Flags));")
            self._guard(name)
            return self._block_of_flags(scope, name, f"{name}->", name, f"*{name}")
        self._put(f"_Bool *{name} = malloc(2);")
        self._guard(name)
        self._put(f"{name}[0] = {self._number(scope)};")
        self._put(f"{name}[1] = {self._question(scope)};")
        return _Block("_Bool [2]", name, 2, self._elements(scope, name, 2))

    # Writes and reads

    def _byte_of_truth(self, scope: Scope) -> str:
        """The value of a byte: 0 or 1, but for risk."""
        if self._e.risk > 0 and self._draws.chance(0.7):
            return self._draws.one(("{0}", "{0}", "{0} + 1", "2", "255", "3 * {0}")).format(self._input(scope))
        return self._draws.one(("0", "1", "{0} & 1", "{0} > 0", "!{0}", "{0} != 1")).format(self._input(scope))

    def _write_truths(self, scope: Scope, block: _Block, other: _Block) -> None:
        draws = self._draws
        question = f"if ({self._question(scope)}) " if draws.chance(0.3) else ""
        forms: list[tuple[float, str]] = [(3, "byte"), (2, "set"), (2, "bytes"), (2, "copy"), (2, "plain")]
        forms += [(2, "whole")] if block.whole and other.whole else []
        match draws.weighted(forms):
            case "byte":
                self._put(f"{question}{self._byte_in(scope, block)} = {self._byte_of_truth(scope)};")
            case "set":
                size = draws.one((block.size, draws.between(1, block.size)))
                self._put(f"{question}memset({block.address}, {self._byte_of_truth(scope)}, {size});")
            case "bytes":
                name, values = self._fresh("d"), ", ".join(self._byte_of_truth(scope) for _ in range(block.size))
                self._put(f"unsigned char {name}[{block.size}] = {{{values}}};")
                self._put(f"{question}memcpy({block.address}, {name}, {draws.between(1, block.size)});")
            case "copy":
                self._put(f"{question}memcpy({block.address}, {other.address}, {min(block.size, other.size)});")
            case "whole":
                self._put(f"{question}{block.whole} = {other.whole};")
            case _:
                form = draws.one(("{0} = {1};", "{0} |= {1};", "{0} ^= 1;", "{0} += {1};", "{0} = !{0};"))
                self._put(question + form.format(draws.one(block.truths), self._number(scope)))

    def _byte_in(self, scope: Scope, block: _Block) -> str:
        """A byte of the object, through a pointer to characters."""
        index = self._e.index(scope, block.size) if self._e.risk == 0 else self._draws.between(0, block.size - 1)
        if self._draws.chance(0.4):
            return f"((unsigned char *){block.address})[{index}]"
        name = self._fresh("c")
        self._put(f"unsigned char *{name} = (unsigned char *){block.address};")
        return f"{name}[{index}]"

    def _read_truth(self, scope: Scope, block: _Block) -> str:
        """A value that the bytes decide."""
        draws, truth = self._draws, self._draws.one(block.truths)
        forms: list[tuple[float, str]] = [(4, "itself"), (1, "choice"), (2, "byte"), (2, "out"), (1, "called")]
        forms += [(2, "other")] if block.others else []
        forms += [(1, "passed")] if block.type == "struct Flags" else []
        match draws.weighted(forms):
            case "choice":
                return draws.one(("({0} ? 3 : 5)", "!{0}", "({0} == 1)", "({0} && {1})", "({0} + {1})")).format(
                    truth, draws.one(block.truths)
                )
            case "byte":
                return self._byte_in(scope, block)
            case "out":
                name = self._fresh("d")
                self._put(f"unsigned char {name}[{block.size}] = {{7}};")
                self._put(f"memcpy({name}, {block.address}, {draws.between(1, block.size)});")
                return f"{name}[{draws.between(0, block.size - 1)}]"
            case "called":
                told = self._declare("told(", "static int told(_Bool v) { return v ? 3 : 5; }")
                return f"{told}{truth})"
            case "other":
                return draws.one(block.others)
            case "passed":
                held = self._declare("held(", "static int held(struct Flags v) { return v.on + 2 * v.row[1]; }")
                return f"{held}{block.whole})"
            case _:
                return truth
