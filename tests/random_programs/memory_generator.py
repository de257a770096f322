"""Random C programs with memory: pointers, structs, unions, functions behind pointers, heap and lifetimes.

Everything follows from the given generator of random numbers. A program draws a few `Feature`s. Its inputs come from
small ranges, so that all can be tried. Without risk no execution has undefined behaviour, by construction: a pointer
always points to a living object, every object is initialised, indices are reduced, loops and recursion are bounded, no
object is written and otherwise used in one expression. With risk this is left to chance, for programs that are asked
whether they have undefined behaviour. Signed overflow occurs in both.
"""

from __future__ import annotations

from dataclasses import dataclass
from random import Random

from tests.random_programs.memory_booleans import Booleans
from tests.random_programs.memory_scope import MAY_FAIL, NAMED, Draws, Feature, Part, Row, Scope
from tests.random_programs.memory_statements import OPERATORS

PRELUDE = """extern void reach_error(void);
extern void __VERIFIER_assume(int);
extern int __VERIFIER_nondet_int(void);
extern _Bool __VERIFIER_nondet_bool(void);
extern void *malloc(unsigned long);
extern void *calloc(unsigned long, unsigned long);
extern void *realloc(void *, unsigned long);
extern void abort(void);
extern void free(void *);
extern void *memcpy(void *, const void *, unsigned long);
extern void *memset(void *, int, unsigned long);
"""
RISKY = 0.35
"""The part of the programs that may have undefined behaviour."""
SHORT = 0.5
"""The part of the programs that are short: little but objects with one path to them (`memory_routes`)."""


@dataclass(frozen=True)
class MemoryDraft:
    """`lines` has `@n@` where a check may be put on the value of `sites[n]`."""

    lines: tuple[str, ...]
    sites: tuple[str, ...]
    features: frozenset[Feature]
    is_risky: bool


class MemoryGenerator(Booleans):
    """Draws one draft, of these features, or of some that are drawn and those in `more`."""

    def __init__(
        self, random: Random, features: frozenset[Feature] | None = None, more: frozenset[Feature] = frozenset()
    ) -> None:
        draws = Draws(random)
        if features is None:
            wanted = draws.one((0.2, 0.35, 0.5))
            often = (Feature.POINTERS, Feature.STRUCTS)
            drawn = (one for one in Feature if one not in NAMED)
            features = more.union(one for one in drawn if draws.chance(0.6 if one in often else wanted))
        risk = draws.one((0.2, 0.4, 0.7)) if draws.chance(RISKY) else 0
        super().__init__(draws, features, risk, PRELUDE.splitlines())
        if self._has(Feature.FAILING_ALLOCATION):
            self._put(f"enum {{ {MAY_FAIL} }};")

    def draft(self) -> MemoryDraft:
        """The whole program."""
        is_short = self._draws.chance(SHORT)
        if self._has(Feature.FUNCTION_POINTERS):
            self._e.targets = tuple(self._fresh("f") for _ in range(self._draws.between(2, 3)))
        self._types()
        self._file_scope(is_short)
        self._functions(is_short)
        self._place = len(self._lines)
        self._short_main() if is_short else self._main()
        return MemoryDraft(tuple(self._lines), tuple(self._sites), self._features, self._e.risk > 0)

    # Types

    def _types(self) -> None:
        if self._has(Feature.UNIONS):
            self._union()
        if self._has(Feature.STRUCTS) or self._has(Feature.BIT_FIELDS):
            self._struct()

    def _union(self) -> None:
        draws, e = self._draws, self._e
        e.overlays = [("w", "unsigned")]
        members = ["unsigned w;"]
        for text, name, type_, extent in (
            ("int i;", "i", "int", 0),
            ("unsigned short h[2];", "h", "unsigned short", 2),
            ("unsigned char b[4];", "b", "unsigned char", 4),
            ("signed char c;", "c", "signed char", 0),
            ("struct { short lo, hi; } p;", "p.lo", "short", 0),
        ):
            if draws.chance(0.5):
                members.append(text)
                e.overlays += [] if extent else [(name, type_)]
                e.overlays += [("p.hi", "short")] if name == "p.lo" else []
                e.rows_of_union += [(name, type_, extent)] if extent else []
        self._put(f"union U {{ {' '.join(members)} }};")

    def _struct(self) -> None:
        draws, e = self._draws, self._e
        members, e.members = ["int a;"], [("a", "int")]
        if draws.chance(0.3):
            members.insert(0, "char pad;")
        if draws.chance(0.6):
            type_ = e.scalar()
            members.append(f"{type_} b;")
            e.members.append(("b", type_))
        if self._has(Feature.BIT_FIELDS):
            for name, type_ in (("f", "unsigned"), ("g", "int"), ("h", "unsigned char")):
                if draws.chance(0.7):
                    members.append(f"{type_} {name} : {draws.between(2, 7)};")
                    e.members.append((name, "bit-field"))
        if draws.chance(0.4):
            type_, extent = e.scalar(), draws.between(2, 3)
            members.append(f"{type_} e[{extent}];")
            e.rows_of_struct.append(("e", type_, extent))
        if self._has(Feature.UNIONS) and draws.chance(0.4):
            members.append("union U u;")
            e.members.append(("u.w", "unsigned"))
            e.rows_of_struct += [(f"u.{name}", type_, extent) for name, type_, extent in e.rows_of_union]
        e.linked = self._has(Feature.POINTERS) and draws.chance(0.6)
        e.holds_pointer = self._has(Feature.POINTERS) and draws.chance(0.4)
        e.holds_call = self._has(Feature.FUNCTION_POINTERS) and draws.chance(0.4)
        members += ["struct S *link;"] if e.linked else []
        members += ["int *ip;"] if e.holds_pointer else []
        members += ["int (*call)(int);"] if e.holds_call else []
        self._put(f"struct S {{ {' '.join(members)} }};")

    @property
    def _has_struct(self) -> bool:
        return bool(self._e.members)

    # Objects and functions of the file

    def _file_scope(self, is_short: bool) -> None:
        draws, scope = self._draws, self._globals
        for name in self._e.targets:
            self._put(f"static int {name}(int n);")
        for _ in range(draws.between(1, 2)):
            name = self._fresh("g")
            self._put(f"static int {name} = {draws.between(-1, 5)};")
            scope.parts.append(Part(name, "int"))
        if is_short:
            return
        if draws.chance(0.4):
            row = Row(self._fresh("t"), self._e.scalar(), draws.between(2, 4))
            self._put(f"static {row.type} {row.name}[{row.extent}] = {{1, 2}};")
            scope.rows.append(row)
        if self._has_struct and draws.chance(0.6):
            table = Row(self._fresh("m"), "struct S", 2)
            rest, back = (self._rest(f"&{table.name}[{k}]") for k in (1, 0))
            self._put(f"static struct S {table.name}[2] = {{{{.a = 1{rest}}}, {{.a = 2{back}}}}};")
            scope.tables.append(table)
            self._reach(scope, f"{table.name}[1].")

    def _functions(self, is_short: bool) -> None:
        if is_short:
            if self._has(Feature.FUNCTION_POINTERS):
                self._targets()
            return
        if self._draws.chance(0.4) or self._has(Feature.FUNCTION_POINTERS):
            self._pure()
        if self._has(Feature.FUNCTION_POINTERS):
            self._targets()
        if self._has(Feature.STATICS):
            self._counting()
        if self._has(Feature.RECURSION):
            self._recursive()
        if self._has(Feature.POINTERS):
            self._through_pointers()
        if self._has_struct:
            self._with_structs()

    def _pure(self) -> None:
        name = self._fresh("pure")
        scope = Scope(parts=[Part("n", "int")])
        self._put(f"static {self._e.scalar()} {name}(int n) {{ return {self._e.value(scope)}; }}")
        self._e.functions.append(name)

    def _targets(self) -> None:
        """Functions from int to int with effects, for pointers."""
        names = self._e.targets
        for name in names:
            scope = Scope(parts=[Part("n", "int"), *self._globals.parts])
            target = self._draws.one(self._globals.parts).text
            body = f"{target} {self._draws.one(OPERATORS)} {self._e.value(scope, 1)};"
            self._put(f"static int {name}(int n) {{ {body} return {self._e.value(scope, 1)}; }}")
        self._put(f"static int apply(int (*h)(int), int n) {{ return h(n) + {self._draws.between(0, 2)}; }}")
        self._put(f"static int (*choose(int n))(int) {{ return n {self._compared()} ? {names[0]} : {names[1]}; }}")

    def _counting(self) -> None:
        name, type_ = self._fresh("count"), self._draws.one(("int", "unsigned char", "short"))
        step = self._draws.one(("st += n;", "st++;", "st = st * 2 + n;", "if (n > 1) st = n; else st--;"))
        self._put(
            f"static int {name}(int n) {{ static {type_} st = {self._draws.between(0, 250)}; {step} return st; }}"
        )
        self._helpers.append(lambda s: self._put(f"{self._e.part(s).text} = {name}({self._e.leaf(s)});"))

    def _recursive(self) -> None:
        name, pointers = self._fresh("rec"), self._has(Feature.POINTERS)
        given = ", int *p" if pointers else ""
        self._open(f"static int {name}(int n{given})")
        self._put(f"int loc = n + {self._draws.between(0, 3)};")
        scope = Scope(parts=[Part("loc", "int"), *self._globals.parts], inputs=["n"])
        first = self._e.value(Scope(parts=[*self._globals.parts], inputs=["n"]), 1)
        self._put(f"if (n <= 0) {'{ *p += loc; return *p; }' if pointers else f'return {first};'}")
        passed = f", {self._draws.one(('p', '&loc', f'n {self._compared()} ? p : &loc'))}" if pointers else ""
        self._put(f"int r = {name}(n - 1{passed});")
        if pointers:
            self._put(f"*p {self._draws.one(OPERATORS)} {self._e.value(scope, 1)};")
        self._put(f"return r {self._draws.one('+-')} loc;")
        self._close()
        depth = self._draws.between(1, 3)

        def call(s: Scope) -> None:
            second = f", {self._e.address(s)}" if pointers else ""
            argument = self._draws.one((str(depth), f"(unsigned)({self._e.leaf(s)}) % {depth + 1}u"))
            self._put(f"{self._e.leaf(self._writable(s))} = {name}({argument}{second});")

        self._helpers.append(call)

    def _through_pointers(self) -> None:
        e, draws = self._e, self._draws
        scope = Scope(parts=[Part("*p", "int"), *self._globals.parts], inputs=["v"])
        self._put(f"static void put(int *p, int v) {{ *p {draws.one(OPERATORS)} {e.value(scope, 1)}; }}")
        self._helpers.append(lambda s: self._put(f"put({e.address(s)}, {e.value(s, 1)});"))
        self._put("static void swap(int **p, int **q) { int *r = *p; *p = *q; *q = r; }")
        self._put("static int *pick(int *p, int *q, int v) { if (v > 0) return p; return q; }")
        if draws.chance(0.5):
            self._put(f"static int *kept = &{self._globals.parts[0].text};")
            self._put("static int *keep(int *p) { int *old = kept; kept = p; return old; }")
            self._globals.pointers.append("kept")
        if e.risk > 0:
            target = self._globals.parts[0].text
            kept = f"if (v {self._compared()}) r = &{target};"
            self._put(f"static int *gone(int v) {{ int loc = v, *r = &loc; {kept} return r; }}")

    def _with_structs(self) -> None:
        e, draws = self._e, self._draws
        scope = Scope(parts=list(self._globals.parts), links=["q"], inputs=["v"])
        self._put(f"static void change(struct S *q, int v) {{ {self._update(scope)} {self._update(scope)} }}")
        self._helpers.append(lambda s: self._put(f"change({e.link(s)}, {e.value(s, 1)});"))
        self._put(
            f"static int read(struct S r) {{ r.a {draws.one(OPERATORS)} 1; return r.{draws.one(e.members)[0]}; }}"
        )
        self._helpers.append(lambda s: self._put(f"{e.part(s).text} = read({e.struct(s)});"))
        if self._globals.tables or not e.linked:
            rest = self._rest(f"&{self._globals.tables[0].name}[0]" if e.linked else "")
            first = e.value(Scope(parts=[Part("v", "int")]), 1)
            self._put(f"static struct S make(int v) {{ struct S r = {{.a = {first}{rest}}}; return r; }}")
            self._helpers.append(lambda s: self._put(f"{e.struct(s)} = make({e.value(s, 1)});"))

    # main

    def _main(self) -> None:
        self._open("int main(void)")
        scope = self._globals.inner()
        self._inputs(scope)
        self._locals(scope)
        self._pointers(scope)
        self._failing(scope)
        for _ in range(self._draws.between(3, 9)):
            self._statement(scope)
            if self._e.risk > 0 and self._draws.chance(0.3):
                self._harm(scope)
        self._site(scope)
        for name in self._owned:
            self._put(f"free({name});")
        self._put("return 0;")
        self._close()

    def _short_main(self) -> None:
        self._open("int main(void)")
        scope = self._globals.inner()
        self._inputs(scope)
        scope.parts.append(Part(self._fresh("x"), "int"))
        self._put(f"int {scope.parts[-1].text} = {self._draws.one(scope.inputs)};")
        self._failing(scope)
        for _ in range(self._draws.between(1, 3)):
            self._route(scope)
            if self._draws.chance(0.2):
                self._statement(scope)
        self._site(scope)
        self._put("return 0;")
        self._close()

    def _failing(self, scope: Scope) -> None:
        for _ in range(self._draws.between(1, 2) if self._has(Feature.FAILING_ALLOCATION) else 0):
            self._heap(scope)

    def _inputs(self, scope: Scope) -> None:
        for _ in range(self._draws.between(1, 3)):
            name = self._fresh("in")
            scope.inputs.append(name)
            if self._draws.chance(0.25):
                self._put(f"_Bool {name} = __VERIFIER_nondet_bool();")
                continue
            low = self._draws.one((0, 0, 0, 1, -1))
            high = low + self._draws.one((1, 2, 2, 3))
            bounds = f"{name} >= {low} && {name} <= {high}"
            self._put(f"int {name} = __VERIFIER_nondet_int(); __VERIFIER_assume({bounds});")

    def _locals(self, scope: Scope) -> None:
        draws, e = self._draws, self._e
        for _ in range(draws.between(2, 3)):
            part = Part(self._fresh("x"), e.scalar() if scope.parts[1:] else "int")
            first = draws.one(scope.inputs) if draws.chance(0.4) else draws.between(-1, 5)
            self._put(f"{part.type} {part.text} = {first};")
            scope.parts.append(part)
        if draws.chance(0.5):
            row = Row(self._fresh("a"), draws.one(("int", e.scalar())), draws.between(2, 4))
            self._put(f"{row.type} {row.name}[{row.extent}] = {{{draws.between(0, 9)}, {draws.one(scope.inputs)}}};")
            scope.rows.append(row)
        if self._has_struct:
            self._local_structs(scope)
        if e.overlays:
            for _ in range(draws.between(1, 2)):
                name = self._fresh("u")
                self._put(
                    f"union U {name} = {{.w = {draws.one(('1', '256', '0x80017fffu', draws.one(scope.inputs)))}}};"
                )
                scope.unions.append(f"{name}.")
            if self._has(Feature.POINTERS) and draws.chance(0.6):
                name = self._fresh("pu")
                self._put(f"union U *{name} = &{scope.unions[0][:-1]};")
                scope.unions.append(f"{name}->")

    def _local_structs(self, scope: Scope) -> None:
        draws = self._draws
        for _ in range(draws.between(1, 2)):
            name = self._fresh("s")
            rest = self._rest(f"&{draws.one((*scope.structs, name))}")
            self._put(f"struct S {name} = {{.a = {draws.one((*scope.inputs, '3'))}{rest}}};")
            scope.structs.append(name)
            self._reach(scope, f"{name}.")
        if self._has(Feature.POINTERS) or draws.chance(0.5):
            name = self._fresh("q")
            self._put(f"struct S *{name} = {self._e.link(scope)};")
            scope.links.append(name)
            self._reach(scope, f"{name}->")

    def _pointers(self, scope: Scope) -> None:
        draws, e = self._draws, self._e
        if self._has(Feature.POINTERS):
            for _ in range(draws.between(1, 2)):
                name = self._fresh("p")
                self._put(f"int *{name} = {e.address(scope)};")
                scope.pointers.append(name)
            if draws.chance(0.5):
                name = self._fresh("pp")
                self._put(f"int **{name} = &{draws.one(scope.pointers)};")
                scope.double.append(name)
            if scope.rows and draws.chance(0.8):
                row, name = draws.one(scope.rows), self._fresh("w")
                self._put(f"{row.type} *{name} = {row.name};")
                scope.walkers.append((name, row))
        if self._has(Feature.CASTS) and draws.chance(0.35):
            name = self._fresh("c")
            ints = [one.text for one in scope.parts if one.type == "int"]
            self._put(f"unsigned char *{name} = (unsigned char *)&{draws.one(ints)};")
            scope.bytes.append(name)
        if e.targets:
            name = self._fresh("fp")
            self._put(f"int (*{name})(int) = {draws.one(e.targets)};")
            scope.calls.append(name)
            if draws.chance(0.5):
                name = self._fresh("ft")
                self._put(f"int (*{name}[2])(int) = {{{e.targets[0]}, {e.targets[1]}}};")
                scope.calls.append(f"{name}[{e.index(scope, 2)}]")


def with_checks(draft: MemoryDraft, checks: tuple[str, ...]) -> str:
    """The text of the draft with something in each hole."""
    lines = list(draft.lines)
    for k, line in enumerate(lines):
        if line.strip().startswith("@"):
            number = int(line.strip().strip("@"))
            lines[k] = line.replace(f"@{number}@", checks[number])
    return "\n".join(lines) + "\n"
