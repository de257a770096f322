"""Random statements about objects of their own, which are written through one path and read through another.

In the rest of a program pointers are set again and again, until each may point to every object. Here a pointer gets its
value in one way only, so that it matters whether a tool understands that way.
"""

from __future__ import annotations

from collections.abc import Callable

from tests.random_programs.memory_scope import Feature, Scope
from tests.random_programs.memory_statements import OPERATORS, Statements

SITES = 7
"""How many values are observed, at most."""

_NUMBERS = ("int", "unsigned", "short", "unsigned short", "signed char", "unsigned char")

Weighted = list[tuple[float, Callable[[Scope], None]]]


class Routes(Statements):
    """Writes such statements, and before `main` what they need."""

    _place = 0
    """Where the next declaration of the file goes."""

    def _declare(self, name: str, text: str) -> str:
        """Declare something in the file, once, and give its name."""
        if all(name not in line for line in self._lines[: self._place]):
            self._lines.insert(self._place, text)
            self._place += 1
        return name

    def _route(self, scope: Scope) -> None:
        self._draws.weighted(self._routes())(scope)

    def _routes(self) -> Weighted:
        """The statements that may be written, with their weights."""
        choices: Weighted = [(2, self._rows)]
        choices += [(6, self._pointed_route), (1, self._backwards)] if self._has(Feature.POINTERS) else []
        choices += [(2, self._copied_struct)] if self._e.members else []
        choices += [(4, self._overlaid)] if self._e.overlays else []
        choices += [(3, self._nested_copies)] if self._e.members or self._e.overlays else []
        choices += [(3, self._neighbours)] if self._has(Feature.BIT_FIELDS) else []
        choices += [(2, self._seen_otherwise)] if self._has(Feature.CASTS) else []
        choices += [(2, self._frames)] if self._has(Feature.RECURSION) else []
        if self._e.risk > 0:
            choices += [(2, self._past_the_end), (3, self._two_that_end), (2, self._returned)]
        return choices

    def _observe(self, scope: Scope, *lvalues: str) -> None:
        """Use the values of some lvalues."""
        if len(lvalues) > 1 and self._draws.chance(0.3):
            lvalues = (self._draws.one(lvalues),)
        value = " + ".join(
            f"{weight} * {lvalue}" if weight > 1 else lvalue
            for weight, lvalue in zip((1, 3, 10, 30), lvalues, strict=False)
        )
        if len(self._sites) < SITES - 1 and self._draws.chance(0.8):
            self._put(f"@{len(self._sites)}@")
            self._sites.append(f"(long long)({value})")
        else:
            self._put(f"{self._e.leaf(self._writable(scope))} += {value};")

    def _input(self, scope: Scope) -> str:
        return self._draws.one(scope.inputs) if scope.inputs else "1"

    def _number(self, scope: Scope) -> str:
        """A small value, with an input in it or not."""
        form = self._draws.one(("{0}", "{0} + 5", "7 - {0}", "-1 - {0}", "4", "9", "{1}"))
        return form.format(self._input(scope), self._e.leaf(scope))

    def _question(self, scope: Scope) -> str:
        """A condition on an input, which is true of some."""
        return f"{self._input(scope)} {self._draws.one(('> 0', '== 1', '!= 0', '< 1', '<= 0'))}"

    def _operator(self) -> str:
        return self._draws.one(OPERATORS)

    # Pointers that get their value in one way

    def _pointed_route(self, scope: Scope) -> None:
        draws = self._draws
        (first, one), (second, other) = self._pair(scope)
        pointer = self._carried(scope, first, second)
        if draws.chance(0.25):
            pointer = self._carried(scope, *draws.random.sample((pointer, first), 2))
        if draws.chance(0.7):
            self._write(scope, pointer)
            self._observe(scope, one, other, *((f"*{pointer}",) if draws.chance(0.3) else ()))
        else:
            self._put(f"{draws.one((one, other))} {self._operator()} {self._number(scope)};")
            self._observe(scope, f"*{pointer}", *((other,) if draws.chance(0.3) else ()))

    def _pair(self, scope: Scope) -> tuple[tuple[str, str], tuple[str, str]]:
        """Two fresh integers: their addresses, and the lvalues."""
        draws = self._draws
        a, b = self._fresh("y"), self._fresh("y")
        forms: list[tuple[float, str]] = [(4, "locals"), (1, "row"), (1, "file")]
        forms += [(1, "members")] if self._has(Feature.STRUCTS) else []
        forms += [(3, "heap"), (3, "zeros")] if self._has(Feature.HEAP) else []
        match draws.weighted(forms):
            case "row":
                self._put(f"int {a}[3] = {{{self._number(scope)}, {self._number(scope)}}};")
                return (f"&{a}[0]", f"{a}[0]"), (f"{a} + 2", f"{a}[2]")
            case "file":
                self._declare(a, f"static int {a} = {draws.between(0, 4)};")
                self._declare(b, f"static int {b};")
            case "members":
                self._box()
                self._put(f"struct Box {a} = {{.n = {self._number(scope)}, .m = {self._number(scope)}}};")
                return (f"&{a}.n", f"{a}.n"), (f"&{a}.m", f"{a}.m")
            case "heap":
                is_looked_at = self._has(Feature.FAILING_ALLOCATION) and not self._e.is_risky()
                look = " if (!r) abort();" if is_looked_at else ""
                make = self._declare(
                    "fresh(", f"static int *fresh(int v) {{ int *r = malloc(sizeof(int));{look} *r = v; return r; }}"
                )
                for name in (a, b):
                    self._put(f"int *{name} = {make}{self._number(scope)});")
                return (a, f"*{a}"), (b, f"*{b}")
            case "zeros":
                self._put(f"int {a} = {self._number(scope)};")
                self._put(f"int *{b} = calloc(2, sizeof(int));")
                self._guard(b)
                return (f"&{a}", a), (f"{b} + 1", f"{b}[1]")
            case _:
                for name in (a, b):
                    self._put(f"int {name} = {self._number(scope)};")
        return (f"&{a}", a), (f"&{b}", b)

    def _write(self, scope: Scope, pointer: str) -> None:
        """Write what the pointer points to."""
        forms: list[tuple[float, str]] = [(3, "here"), (1, "called")]
        forms += [(3, "behind")] if self._has(Feature.FUNCTION_POINTERS) else []
        match self._draws.weighted(forms):
            case "called":
                put = self._declare("store(", "static void store(int *p, int v) { *p = v; }")
                self._put(f"{put}{pointer}, {self._number(scope)});")
            case "behind":
                names = self._fresh("set"), self._fresh("set")
                for name in names:
                    self._declare(name, f"static void {name}(int *p, int v) {{ *p {self._operator()} v; }}")
                call = self._fresh("via")
                self._put(f"void (*{call})(int *, int) = {self._question(scope)} ? {names[0]} : {names[1]};")
                self._put(f"{call}({pointer}, {self._number(scope)});")
            case _:
                self._put(f"*{pointer} {self._operator()} {self._number(scope)};")

    def _box(self) -> None:
        self._declare("struct Box {", "struct Box { int n; int *at; int m; };")

    def _carried(self, scope: Scope, first: str, second: str) -> str:
        """A fresh pointer to one of two objects."""
        p = self._fresh("r")
        choices: list[tuple[float, Callable[[Scope, str, str, str], None]]] = [(4, self._by_choice), (1, self._by_jump)]
        choices += [(1, self._by_result), (1, self._by_argument), (1, self._by_pointer), (1, self._by_row)]
        choices += [(6, self._by_struct)] if self._has(Feature.STRUCTS) else []
        choices += [(2, self._by_call)] if self._has(Feature.FUNCTION_POINTERS) else []
        choices += [(1, self._by_heap)] if self._has(Feature.HEAP) else []
        self._draws.weighted(choices)(scope, p, first, second)
        return p

    def _by_choice(self, scope: Scope, p: str, first: str, second: str) -> None:
        self._put(f"int *{p} = {self._question(scope)} ? {first} : {second};")

    def _by_jump(self, scope: Scope, p: str, first: str, second: str) -> None:
        self._put(f"int *{p} = {first};")
        self._put(f"if ({self._question(scope)}) {p} = {second};")

    def _by_result(self, scope: Scope, p: str, first: str, second: str) -> None:
        name = self._fresh("either")
        self._declare(name, f"static int *{name}(int *p, int *q, int v) {{ if (v > 0) return p; return q; }}")
        self._put(f"int *{p} = {name}({first}, {second}, {self._input(scope)});")

    def _by_argument(self, scope: Scope, p: str, first: str, second: str) -> None:
        name = self._fresh("aim")
        self._declare(name, f"static void {name}(int **to, int *p) {{ *to = p; }}")
        self._put(f"int *{p} = {first};")
        self._put(f"if ({self._question(scope)}) {name}(&{p}, {second});")

    def _by_pointer(self, scope: Scope, p: str, first: str, second: str) -> None:
        between = self._fresh("rr")
        self._put(f"int *{p} = {first};")
        self._put(f"int **{between} = &{p};")
        self._put(f"if ({self._question(scope)}) *{between} = {second};")

    def _by_row(self, scope: Scope, p: str, first: str, second: str) -> None:
        row = self._fresh("rs")
        self._put(f"int *{row}[2] = {{{first}, {second}}};")
        self._put(f"int *{p} = {row}[{self._input(scope)} & 1];")

    def _by_heap(self, scope: Scope, p: str, first: str, second: str) -> None:
        cell = self._fresh("rh")
        self._put(f"int **{cell} = malloc(sizeof(int *));")
        self._guard(cell)
        self._put(f"*{cell} = {first};")
        self._put(f"if ({self._question(scope)}) *{cell} = {second};")
        self._put(f"int *{p} = *{cell};")

    def _by_call(self, scope: Scope, p: str, first: str, second: str) -> None:
        names, call = (self._fresh("one"), self._fresh("one")), self._fresh("via")
        for name, result in zip(names, "pq", strict=True):
            self._declare(name, f"static int *{name}(int *p, int *q) {{ return {result}; }}")
        self._put(f"int *(*{call})(int *, int *) = {self._question(scope)} ? {names[0]} : {names[1]};")
        self._put(f"int *{p} = {call}({first}, {second});")

    def _by_struct(self, scope: Scope, p: str, first: str, second: str) -> None:
        self._box()
        a, b = self._fresh("box"), self._fresh("box")
        self._put(f"struct Box {a} = {{.n = {self._number(scope)}, .at = {first}}};")
        match self._draws.between(0, 4):
            case 0:
                self._put(f"struct Box {b};")
                self._put(f"{b} = {a};")
            case 1:
                self._put(f"struct Box {b} = {{.at = {second}}};")
                self._put(f"if ({self._question(scope)}) {b} = {a};")
            case 2:
                self._put(f"struct Box *{b}q = &{a};")
                self._put(f"struct Box {b} = *{b}q;")
            case 3:
                name = self._declare(
                    "boxed(", "static struct Box boxed(int *p) { struct Box r = {.at = p}; return r; }"
                )
                self._put(f"struct Box {b} = {name}{second});")
                self._put(f"if ({self._question(scope)}) {b} = {a};")
            case _:
                self._put(f"struct Box {b}s[2] = {{{{.at = {second}}}, {{.at = {second}}}}};")
                self._put(f"{b}s[{self._input(scope)} & 1] = {a};")
                self._put(f"struct Box {b} = {b}s[{self._draws.between(0, 1)}];")
        self._put(f"int *{p} = {b}.at;")

    # Arrays

    def _rows(self, scope: Scope) -> None:
        """Some elements of an array are written, others are read."""
        draws, name, type_ = self._draws, self._fresh("t"), self._e.scalar()
        if draws.chance(0.6):
            height, width = draws.between(2, 3), draws.between(2, 3)
            row = f"{{{self._number(scope)}, {draws.between(0, 9)}}}"
            self._put(f"{type_} {name}[{height}][{width}] = {{{row}, {{{draws.between(0, 9)}}}}};")
            extents: tuple[int, ...] = (height, width)
        else:
            extents = (draws.between(2, 4),)
            self._put(f"{type_} {name}[{extents[0]}] = {{{draws.between(0, 9)}, {draws.between(0, 9)}}};")
        for _ in range(draws.between(1, 3)):
            indices = "".join(f"[{self._e.index(scope, extent)}]" for extent in extents)
            self._put(f"{name}{indices} {self._operator()} {self._number(scope)};")
        corners = ["".join(f"[{draws.between(0, extent - 1)}]" for extent in extents) for _ in range(3)]
        self._observe(scope, *(f"{name}{one}" for one in dict.fromkeys(corners)))

    def _backwards(self, scope: Scope) -> None:
        """A pointer goes back from the end of an array."""
        draws, type_ = self._draws, self._e.scalar()
        row, p, extent = self._fresh("t"), self._fresh("r"), draws.between(3, 4)
        values = ", ".join(str(k + 1) for k in range(extent))
        self._put(f"{type_} {row}[{extent}] = {{{values}}};")
        self._put(f"{type_} *{p} = {row} + {extent};")
        back = draws.between(1, extent)
        match draws.between(0, 3):
            case 0:
                self._put(f"{p} = {p} - {back};")
            case 1:
                self._put(f"{p} -= {self._input(scope)} > 0 ? {back} : 1;")
            case 2:
                self._put(f"--{p};")
            case _:
                self._put(f"for (int k = 0; k < {back}; k++) {p}--;")
        if draws.chance(0.5):
            self._put(f"*{p} {self._operator()} {self._number(scope)};")
        self._observe(scope, f"*{p}", f"{row}[{draws.between(0, extent - 1)}]", f"({row} + {extent} - {p})")

    # Structs, unions and casts

    def _copied_struct(self, scope: Scope) -> None:
        """A struct is copied, and its members are read."""
        draws, e = self._draws, self._e
        a, b = self._fresh("s"), self._fresh("s")
        linked = f"&{b}" if e.linked else ""
        for name in (b, a):
            self._put(f"struct S {name} = {{.a = {self._number(scope)}{self._rest(linked)}}};")
        scalars = [name for name, _ in e.members] + [f"{name}[{extent - 1}]" for name, _, extent in e.rows_of_struct]
        for name in draws.random.sample(scalars, min(len(scalars), 2)):
            self._put(f"{a}.{name} = {self._number(scope)};")
        condition = self._question(scope)
        copies = [f"{b} = {a};", f"if ({condition}) {b} = {a};", f"{b} = {condition} ? {a} : {b};"]
        self._put(draws.one(copies))
        self._put(f"{a}.{draws.one(scalars)} = {self._number(scope)};")
        read = [f"{b}.{name}" for name in draws.random.sample(scalars, min(len(scalars), 2))]
        if e.holds_call and draws.chance(0.5):
            result = self._fresh("d")
            self._put(f"int {result} = {b}.call({self._number(scope)});")
            read.append(result)
        read += [f"*{b}.ip"] if e.holds_pointer else []
        self._observe(scope, *read)

    def _overlaid(self, scope: Scope) -> None:
        """One member of a union is written, others are read."""
        draws, e, u, d = self._draws, self._e, self._fresh("u"), self._fresh("d")
        members = [name for name, _ in e.overlays]
        members += [f"{name}[{extent - 1}]" for name, _, extent in e.rows_of_union]
        first = draws.one(("0x80017fffu", "0xffff0102u", "0xfffffff0u", self._input(scope)))
        self._put(f"union U {u} = {{.w = {first}}};")
        for _ in range(draws.between(1, 2)):
            self._put(f"{u}.{draws.one(members)} {self._operator()} {self._number(scope)};")
        access = f"{u}.{draws.one(members)}"
        if draws.chance(0.6):
            access += draws.one(("++", "--"))
        self._put(f"long long {d} = {access};")
        self._observe(scope, d, *(f"{u}.{one}" for one in draws.random.sample(members, min(2, len(members)))))

    def _nested_copies(self, scope: Scope) -> None:
        """Structs within structs and unions are copied whole, from one to another and behind pointers."""
        draws = self._draws
        self._declare("struct Pair {", "struct Pair { short x, y; };")
        places = self._nest(scope) + (self._overlay_of_pairs(scope) if self._e.overlays else [])
        members = [f"{place}.{member}" for place in places for member in "xy"]
        for _ in range(draws.between(1, 3)):
            target, source = draws.random.sample(places, 2)
            question = f"if ({self._question(scope)}) " if draws.chance(0.3) else ""
            self._put(f"{question}{target} = {source};")
            if draws.chance(0.5):
                self._put(f"{draws.one(members)} {self._operator()} {self._number(scope)};")
        self._observe(scope, *draws.random.sample(members, 3))

    def _nest(self, scope: Scope) -> list[str]:
        """The pairs in one of two fresh structs, as lvalues."""
        self._declare("struct Nest {", "struct Nest { struct Pair in; char c; struct Pair row[2]; };")
        return self._pairs(scope, "struct Nest", f"{{.in = {{{self._number(scope)}, 3}}, .row = {{{{4, 5}}, {{6}}}}}}")

    def _overlay_of_pairs(self, scope: Scope) -> list[str]:
        """Likewise of unions, by themselves or in a struct."""
        self._declare("union Over {", "union Over { struct Pair row[2]; struct Pair in; unsigned w; };")
        first = f"{{.row = {{{{{self._number(scope)}, 2}}, {{-1, 300}}}}}}"
        if self._draws.chance(0.4):
            return self._pairs(scope, "union Over", first)
        self._declare("struct Hold {", "struct Hold { struct Pair in; union Over u; };")
        return self._pairs(scope, "struct Hold", f"{{{{7, 8}}, {first}}}", "u.")

    def _pairs(self, scope: Scope, type_: str, first: str, inner: str = "") -> list[str]:
        draws, name, other, pointer = self._draws, self._fresh("n"), self._fresh("n"), self._fresh("r")
        self._put(f"{type_} {name} = {first}, {other} = {name};")
        target = f"{self._question(scope)} ? &{name} : &{other}" if draws.chance(0.6) else f"&{name}"
        self._put(f"{type_} *{pointer} = {target};")
        members = "in", f"{inner}in", f"{inner}row[{draws.between(0, 1)}]", f"{inner}row[{self._e.index(scope, 2)}]"
        bases = f"{name}.", f"{pointer}->", f"{pointer}->"
        return [f"{draws.one(bases)}{member}" for member in dict.fromkeys(members)]

    def _neighbours(self, scope: Scope) -> None:
        """Bit-fields are written with more than fits, and those beside them are read."""
        draws, b = self._draws, self._fresh("b")
        widths = [draws.between(2, 6) for _ in range(3)]
        type_ = f"Bits{widths[0]}{widths[1]}{widths[2]} "
        self._declare(
            f"struct {type_}{{",
            f"struct {type_}{{ unsigned f : {widths[0]}; int g : {widths[1]}; unsigned h : {widths[2]}; char c; }};",
        )
        self._put(f"struct {type_}{b} = {{.f = 1, .h = {self._number(scope)}}};")
        for _ in range(draws.between(1, 3)):
            wide = draws.one(("{0}", "{0} + 3", "{0} * 21", "{0} - 9")).format(self._input(scope))
            self._put(f"{b}.{draws.one('fghc')} {self._operator()} {wide};")
        if draws.chance(0.3):
            self._put(f"{b}.{draws.one('fgh')}{draws.one(('++', '--'))};")
        self._observe(scope, *(f"{b}.{one}" for one in draws.random.sample("fghc", 3)))

    def _seen_otherwise(self, scope: Scope) -> None:
        """An object is seen through a pointer to another type."""
        draws, y, p = self._draws, self._fresh("y"), self._fresh("c")
        own, seen = draws.random.sample(
            ("int", "unsigned", "short", "unsigned short", "signed char", "unsigned char"), 2
        )
        sizes = {"short": 2, "char": 1}
        own_size, seen_size = (sizes.get(one.split()[-1], 4) for one in (own, seen))
        if own_size < seen_size:
            own, seen, own_size, seen_size = seen, own, seen_size, own_size
        place = f"{p}[{draws.between(0, own_size // seen_size - 1)}]"
        self._put(f"{own} {y} = {self._number(scope)};")
        self._put(f"{seen} *{p} = ({seen} *)&{y};")
        for target in draws.random.sample((y, place), draws.between(1, 2)):
            self._put(f"{target} {self._operator()} {draws.one((self._number(scope), '-2', '300'))};")
        if draws.chance(0.4):
            d = self._fresh("d")
            self._put(f"int {d} = {draws.one((y, place))}++;")
            self._observe(scope, d, y, place)
        else:
            self._observe(scope, y, place)

    # Objects that begin often, or end

    def _frames(self, scope: Scope) -> None:
        """Each call of a function has objects of its own, to which the next call has a pointer."""
        draws, name, y = self._draws, self._fresh("deep"), self._fresh("y")
        passed = draws.one(("&loc", "&loc", "v > 1 ? &loc : p"))
        last = draws.one(("*p += loc;", "*p = loc + 2;", "*p -= v;"))
        self._declare(
            name,
            f"static int {name}(int v, int *p) {{ int loc = v {draws.one('+-*')} {draws.between(1, 3)}; "
            f"if (v > 0) loc {self._operator()} {name}(v - 1, {passed}); {last} return loc; }}",
        )
        self._put(f"int {y} = {self._number(scope)};")
        result = self._fresh("d")
        self._put(f"int {result} = {name}({draws.one(('1', '2', self._input(scope)))}, &{y});")
        self._observe(scope, y, result)

    def _past_the_end(self, scope: Scope) -> None:
        """An array is accessed at an index that may be its length."""
        draws, row, p, type_ = (
            self._draws,
            self._fresh("t"),
            self._fresh("r"),
            self._draws.one(("char", "char", "short")),
        )
        extent = draws.between(1, 3)
        if self._has(Feature.HEAP) and draws.chance(0.4):
            self._put(f"{type_} *{row} = calloc({extent}, sizeof({type_}));")
            self._guard(row)
        else:
            self._put(f"{type_} {row}[{extent}] = {{1}};")
        self._put(f"{type_} *{p} = {row} + {self._input(scope)};")
        self._put(draws.one((f"*{p} = {self._number(scope)};", f"{self._e.leaf(self._writable(scope))} = *{p};")))

    def _two_that_end(self, scope: Scope) -> None:
        """Two objects in a block, and a pointer to one of them that outlives it."""
        draws, names = self._draws, (self._fresh("loc"), self._fresh("loc"))
        y, p, q = self._fresh("y"), self._fresh("r"), self._fresh("r")
        self._put(f"int {y} = {self._number(scope)};")
        for pointer in (p, q):
            self._put(f"int *{pointer} = &{y};")
        self._open("")
        for name in names:
            self._put(f"int {name} = {self._number(scope)};")
        first, second = draws.random.sample(names, 2)
        self._put(f"{p} = &{first};")
        self._put(f"*{p} += 1;")
        self._put(f"if ({self._question(scope)}) {q} = &{second};")
        label = self._fresh("L") if self._has(Feature.GOTO) and draws.chance(0.5) else ""
        if label:
            self._put(f"if ({self._question(scope)}) goto {label};")
            if draws.chance(0.5):
                self._put(f"{p} = &{y};")
                self._put(f"{q} = &{y};")
        self._close()
        if label:
            self._put(f"{label}: ;")
        self._put(f"{y} += *{draws.one((q, q, p))};")
        self._observe(scope, y)

    def _returned(self, scope: Scope) -> None:
        """A function returns a pointer, on some inputs to an object of its own."""
        name, y, p = self._fresh("gone"), self._fresh("y"), self._fresh("r")
        body = f"int loc = v, *r = &loc; if (v {self._compared()}) r = p; return r;"
        self._declare(name, f"static int *{name}(int v, int *p) {{ {body} }}")
        self._put(f"int {y} = {self._number(scope)};")
        self._put(f"int *{p} = {name}({self._input(scope)}, &{y});")
        self._put(self._draws.one((f"{y} += *{p};", f"*{p} = {self._number(scope)};")))
        self._observe(scope, y)
