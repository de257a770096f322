"""Inputs by formula: the results of undefined functions, the same in all three ways of running a program.

A value depends on the vector, the place of the call and how often that place was asked before; the same formula stands
here and in C. Indeterminate storage holds the byte that gcc's `-ftrivial-auto-var-init=pattern` gives it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from core.program import Input, InputKind
from core.program.span import Span
from core.terms import ArraySort, ArrayValue, Value
from frontend.interpreter import Inputs
from frontend.typed import tree
from frontend.typed.ctype import Array, CType, Integer, IntegerKind, Pointer, Record
from frontend.typed.traversal import unit_nodes

FILL = 0xFE
FREE = {"__VERIFIER_nondet_order": 1, "__VERIFIER_nondet_truth": 1, "__VERIFIER_nondet_failure": 0}
"""Inputs of the library functions that the front end brings along, with what they are here: how far apart unequal
strings are, which number says that a character is in a class, whether a function fails.
"""
_WORD = (1 << 32) - 1
_BOUNDARIES = (
    *(0, 1, -1, 2, 127, 128, 255, 256, -128, 32767, 32768, 65535, 65536, -32768),
    *(2**31 - 1, 2**31, 2**32 - 1, 2**32, -(2**31), 2**63 - 1, -(2**63)),
)


@dataclass(frozen=True, slots=True)
class Vector:
    """One choice of all inputs: the kind of values (an index of KINDS) and a seed."""

    kind: int
    seed: int

    def value(self, line: int, column: int, occurrence: int) -> int:
        """Any integer; who uses it converts it to the type of the call."""
        h = self._mixed(line, column, occurrence)
        match self.kind:
            case 0:
                return 0
            case 1:
                return h % 3
            case 2:
                return h % 41 - 20
            case 3:
                return _BOUNDARIES[h % len(_BOUNDARIES)]
            case _:
                return h << 32 | self._mixed(column, line, occurrence)

    def _mixed(self, a: int, b: int, c: int) -> int:
        h = (self.seed * 2654435761 + a * 40503 + b * 1566083941 + c * 2246822519) & _WORD
        h = (h ^ h >> 15) * 2654435761 & _WORD
        h = (h ^ h >> 13) * 3266489917 & _WORD
        return h ^ h >> 16


VECTORS = (Vector(0, 0), Vector(1, 1), Vector(2, 3), Vector(3, 4))

FORMULA = """
static unsigned interplay_kind, interplay_seed;
static unsigned interplay_mixed(unsigned a, unsigned b, unsigned c)
{
    unsigned h = interplay_seed * 2654435761u + a * 40503u + b * 1566083941u + c * 2246822519u;
    h = (h ^ h >> 15) * 2654435761u;
    h = (h ^ h >> 13) * 3266489917u;
    return h ^ h >> 16;
}
long long interplay_given(unsigned line, unsigned column, unsigned occurrence)
{
    static const long long boundaries[] = {BOUNDARIES};
    unsigned h = interplay_mixed(line, column, occurrence);
    switch (interplay_kind) {
    case 0: return 0;
    case 1: return h % 3;
    case 2: return (int)(h % 41) - 20;
    case 3: return boundaries[h % (sizeof boundaries / sizeof *boundaries)];
    default: return (long long)((unsigned long long)h << 32 | interplay_mixed(column, line, occurrence));
    }
}
""".replace("BOUNDARIES", ", ".join(f"{n}LL" if n > -(2**63) else f"({n + 1}LL - 1)" for n in _BOUNDARIES))


class _Drawn(Mapping[int, Value]):
    """The values at one place by occurrence."""

    def __init__(self, vector: Vector, line: int, column: int) -> None:
        self._vector, self._line, self._column = vector, line, column

    def __getitem__(self, occurrence: int) -> Value:
        return self._vector.value(self._line, self._column, occurrence)

    def __iter__(self) -> Iterator[int]:
        return iter(())

    def __len__(self) -> int:
        return 1


def formula_inputs(unit: tree.TranslationUnit, vector: Vector) -> Inputs:
    """The inputs as the interpreter asks for them."""
    values: dict[tuple[InputKind, int, int], Mapping[str, Mapping[int, Value]]] = {}
    for span in _integers(unit):
        for kind in (InputKind.NONDET, InputKind.EXTERN):
            values[kind, span.line, span.column] = {"": _Drawn(vector, span.line, span.column)}
    return Inputs(values, FILL)


def _integers(unit: tree.TranslationUnit) -> list[Span]:
    """The places of calls that return integers; pointers are null, and parts of records zero."""
    return [node.span for node in unit_nodes(unit) if isinstance(node, tree.Call) and isinstance(node.type, Integer)]


class FormulaSupply:
    """The inputs as the simulation of a Program asks for them, for one run."""

    def __init__(self, unit: tree.TranslationUnit, vector: Vector) -> None:
        self.drawn = False
        self._vector = vector
        self._integers = {(span.line, span.column) for span in _integers(unit)}
        main = unit.functions["main"].parameters
        self._arguments = {one.name: number for number, one in enumerate(main)}
        self._external = {one.object.name for one in unit.globals if one.object.storage is tree.Storage.EXTERNAL}
        self._bits = 8 * unit.data_model.pointer_size
        self._fields = dict(_bit_fields(unit))
        self._asked: Counter[tuple[InputKind, Span, str]] = Counter()

    def __call__(self, asked: Input) -> Value:
        if asked.kind is InputKind.INDETERMINATE:
            return self._storage(asked)
        if asked.name in FREE:
            return FREE[asked.name]
        self.drawn = True
        place = (asked.kind, asked.span, asked.name)
        occurrence = self._asked[place]
        self._asked[place] += 1
        if (asked.span.line, asked.span.column) not in self._integers or asked.range is None:
            return 0
        value = self._vector.value(asked.span.line, asked.span.column, occurrence)
        return within(value, asked.range.low, asked.range.high)

    def _storage(self, asked: Input) -> Value:
        if asked.name in self._arguments:
            return 1 if self._arguments[asked.name] == 0 else 1 << 30
        is_array = isinstance(asked.symbol.sort, ArraySort)
        number = 0 if asked.name.split(".")[0] in self._external else self._pattern(asked)
        return ArrayValue(number) if is_array else number

    def _pattern(self, asked: Input) -> int:
        if asked.range is None:
            return int.from_bytes(bytes([FILL]) * (self._bits // 8), "little")
        low, high = asked.range.low, asked.range.high
        width = (high - low + 1).bit_length() - 1
        shift = self._fields.get((asked.name.rpartition(".")[2], width), 0)
        wide = int.from_bytes(bytes([FILL]) * 32, "little") >> shift % 8
        return within(wide & (1 << width) - 1, low, high)


def within(value: int, low: int, high: int) -> int:
    if (low, high) == (0, 1):
        return int(value != 0)
    return (value - low) % (high - low + 1) + low


def _bit_fields(unit: tree.TranslationUnit) -> Iterator[tuple[tuple[str, int], int]]:
    """The first bit of each bit-field, by its name and width."""
    seen: set[int] = set()
    pending: list[CType] = [one.object.type for one in unit.globals]
    for node in unit_nodes(unit):
        if isinstance(node, tree.Member):
            pending.append(node.base.type)
    while pending:
        type_ = pending.pop()
        if isinstance(type_, Array):
            pending.append(type_.element)
        elif isinstance(type_, Record) and type_.is_complete and id(type_) not in seen:
            seen.add(id(type_))
            for one in type_.layout.fields:
                pending.append(one.type)
                if one.width is not None:
                    yield (one.name, one.width), one.bit_offset


def drawing(name: str, call: tree.Call) -> str:
    """The C text of the function that stands for an undefined one at the call."""
    type_ = call.type
    if isinstance(type_, Pointer):
        return f"void *{name}() {{ return 0; }}"
    if not isinstance(type_, Integer):
        return f"void {name}() {{ }}"
    spelled = type_.kind.value if type_.kind is not IntegerKind.INT128 else "long long"
    place = f"{call.span.line}u, {call.span.column}u"
    return (
        f"{spelled} {name}() {{ static unsigned k; extern long long interplay_given(unsigned, unsigned, unsigned);"
        f" return ({spelled})interplay_given({place}, k++); }}"
    )
