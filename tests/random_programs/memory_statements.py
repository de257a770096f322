"""Random statements over memory, as lines of C."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from tests.random_programs.memory_expressions import Expressions
from tests.random_programs.memory_scope import Draws, Feature, Part, Row, Scope

OPERATORS = ("=", "=", "=", "+=", "-=")


class Statements:
    """Writes lines. `sites` are the expressions of the holes so far; `helpers` write calls of what was declared."""

    def __init__(self, draws: Draws, features: frozenset[Feature], risk: float, lines: Sequence[str]) -> None:
        self._draws, self._features = draws, features
        self._e = Expressions(draws, features, risk)
        self._lines = list(lines)
        self._sites: list[str] = []
        self._names = self._depth = 0
        self._compound = draws.between(1, 4)
        self._helpers: list[Callable[[Scope], None]] = []
        self._owned: list[str] = []
        self._globals = Scope()

    def _has(self, feature: Feature) -> bool:
        return feature in self._features

    def _put(self, text: str) -> None:
        self._lines.append("    " * self._depth + text)

    def _open(self, text: str) -> None:
        self._put(f"{text} {{")
        self._depth += 1

    def _close(self, text: str = "}") -> None:
        self._depth -= 1
        self._put(text)

    def _fresh(self, prefix: str) -> str:
        self._names += 1
        return f"{prefix}{self._names}"

    @staticmethod
    def _writable(s: Scope) -> Scope:
        return Scope(parts=s.parts)

    def _compared(self) -> str:
        return f"{self._draws.one(('<', '>', '==', '!='))} {self._draws.between(0, 3)}"

    # Statements

    def _statement(self, scope: Scope) -> None:
        choices: list[tuple[float, Callable[[Scope], None]]] = [(6, lambda s: self._put(self._update(s)))]
        choices += [(1, self._site)] if len(self._sites) < 3 else []
        choices += [(3, self._draws.one(self._helpers))] if self._helpers else []
        choices += [(4, self._move)] if scope.pointers or scope.walkers or scope.links else []
        choices += [(2, self._copy)] if scope.structs or len(scope.unions) > 1 else []
        choices += [(4, self._call)] if scope.calls else []
        choices += [(2, self._route)] if scope.inputs else []
        choices += [(2, self._harm)] if self._e.risk > 0 else []
        if self._compound > 0:
            choices += [(2, self._if), (2, self._loop), (2, self._block)]
            choices += [(3, self._switch)] if self._has(Feature.SWITCH) else []
            choices += [(3, self._goto)] if self._has(Feature.GOTO) else []
            choices += [(3, self._vla)] if self._has(Feature.VLAS) else []
            choices += [(3, self._heap)] if self._has(Feature.HEAP) and self._depth == 1 else []
        self._draws.weighted(choices)(scope)

    def _plain_statement(self, scope: Scope) -> None:
        """A statement that declares nothing that is seen behind it, since jumps may pass it."""
        heap, self._depth = self._depth, self._depth + 1
        self._statement(scope)
        self._depth = heap

    def _update(self, scope: Scope) -> str:
        part, draws = self._e.part(scope), self._draws
        if draws.chance(0.15):
            return f"{self._e.leaf(self._writable(scope)) if scope.parts else part.text}{draws.one(('++', '--'))};"
        return f"{part.text} {draws.one(OPERATORS)} {self._e.value(scope)};"

    def _move(self, scope: Scope) -> None:
        """A pointer is set."""
        e, draws = self._e, self._draws
        choices: list[tuple[float, str]] = []
        for p in scope.pointers:
            choices += [(3, f"{p} = {e.address(scope)};")]
            choices += [(1, f"{p} = {e.condition(scope)} ? {e.address(scope)} : {e.address(scope)};")]
        if self._has(Feature.POINTERS) and scope.pointers:
            p, q = draws.one(scope.pointers), draws.one(scope.pointers)
            choices += [(2, f"{p} = pick({e.address(scope)}, {e.address(scope)}, {e.leaf(scope)});")]
            choices += [(1, f"swap(&{p}, &{q});")]
            choices += (
                [(2, f"{p} = keep({e.address(scope)});")] if "kept" in scope.pointers and self._depth == 1 else []
            )
        for pp in scope.double:
            targets = [one for one in scope.pointers if one != "kept"] or scope.pointers
            choices += [(2, f"{pp} = &{draws.one(targets)};"), (2, f"*{pp} = {e.address(scope)};")]
        for walker, row in scope.walkers:
            start, step = row.name, draws.one((1, 1, 2))
            choices += [(2, f"{walker} = {start} + ({e.index(scope, row.extent)});")]
            last = row.extent - step
            if last >= 0:
                choices += [(2, f"if ({walker} - {start} < {last}) {walker} += {step};")]
                choices += [(2, f"if ({walker} >= {start} + {step}) {walker} -= {step};")]
        for q in scope.links:
            choices += [(3, f"{q} = {e.link(scope)};")]
            choices += [(2, f"{q}->link = {e.link(scope)};")] if e.linked else []
        self._put(draws.weighted(choices))

    def _rest(self, link: str) -> str:
        """Initialisers of the pointers in a struct, after that of a number."""
        e = self._e
        found = [f".link = {link}"] if e.linked else []
        found += [f".ip = &{self._draws.one(self._globals.parts).text}"] if e.holds_pointer else []
        found += [f".call = {self._draws.one(e.targets)}"] if e.holds_call else []
        return "".join(f", {one}" for one in found)

    def _reach(self, scope: Scope, base: str) -> None:
        """The pointers in a struct can be used."""
        scope.pointers += [f"{base}ip"] if self._e.holds_pointer else []
        scope.calls += [f"{base}call"] if self._e.holds_call else []

    def _copy(self, scope: Scope) -> None:
        """A whole struct or union is assigned."""
        draws, e = self._draws, self._e
        if len(scope.unions) > 1 and (not scope.structs or draws.chance(0.5)):
            one, other = draws.random.sample(scope.unions, 2)
            whole = [f"*{text[:-2]}" if text.endswith("->") else text[:-1] for text in (one, other)]
            self._put(f"{whole[0]} = {whole[1]};")
        elif scope.structs:
            self._put(f"{e.struct(scope)} = {e.struct(scope)};")

    def _call(self, scope: Scope) -> None:
        """A pointer to a function is set or called."""
        draws, e = self._draws, self._e
        pointer, argument = draws.one(scope.calls), e.value(scope, 1)
        target = e.leaf(self._writable(scope))
        self._put(
            draws.one(
                (
                    f"{pointer} = {draws.one(e.targets)};",
                    f"{pointer} = {e.condition(scope)} ? {e.targets[0]} : {e.targets[1]};",
                    f"{pointer} = choose({e.leaf(scope)});",
                    f"{target} = {pointer}({argument});",
                    f"{target} = (*{pointer})({argument});",
                    f"{target} = apply({pointer}, {argument});",
                    f"{target} = choose({e.leaf(scope)})({argument});",
                )
            )
        )

    def _harm(self, scope: Scope) -> None:
        """Write a statement that makes a pointer bad, on some inputs."""
        draws, e = self._draws, self._e
        condition = f"{draws.one(scope.inputs)} {self._compared()}"
        choices = [f"{e.leaf(self._writable(scope))} = 2147483647 - {draws.between(0, 2)};"]
        if scope.pointers:
            p = draws.one(scope.pointers)
            choices += [f"if ({condition}) {p} = 0;", f"{p} = gone({draws.one(scope.inputs)});", f"{p} = {p} + 1;"]
        choices += [f"if ({condition}) {q} = 0;" for q in scope.links]
        choices += [f"if ({condition}) free({name});" for name in self._owned]
        choices += [f"{walker} += {draws.one(scope.inputs)};" for walker, _ in scope.walkers]
        self._put(draws.one(choices))
        if scope.pointers and draws.chance(0.4):
            self._put(f"{e.leaf(self._writable(scope))} = *{draws.one(scope.pointers)};")

    def _route(self, scope: Scope) -> None:
        """Write statements about objects of their own."""
        raise NotImplementedError

    # Compound statements

    def _body(self, scope: Scope, most: int = 2) -> None:
        for _ in range(self._draws.between(1, most)):
            self._statement(scope)

    def _if(self, scope: Scope) -> None:
        self._compound -= 1
        self._open(f"if ({self._e.condition(scope)})")
        self._body(scope.inner())
        if self._draws.chance(0.4):
            self._depth -= 1
            self._put("} else {")
            self._depth += 1
            self._body(scope.inner())
        self._close()

    def _loop(self, scope: Scope) -> None:
        self._compound -= 1
        draws, i = self._draws, self._fresh("i")
        bound = draws.one(("2", "3", draws.one(scope.inputs)))
        inner = scope.inner()
        inner.counters.append(i)
        kind = draws.one(("for", "for", "while", "do"))
        if kind == "for":
            self._open(f"for (int {i} = 0; {i} < {bound}; {i}++)")
        else:
            self._put(f"int {i} = 0;")
            self._open("do" if kind == "do" else f"while ({i} < {bound})")
            self._put(f"{i}++;")
        self._body(inner)
        if draws.chance(0.3):
            self._put(f"if ({self._e.condition(inner)}) {draws.one(('break', 'continue'))};")
            self._put(self._update(inner))
        self._close(f"}} while ({i} < {bound});" if kind == "do" else "}")

    def _block(self, scope: Scope) -> None:
        """Objects with a short life; what points to them is set again before their end, unless there is risk."""
        self._compound -= 1
        e, names = self._e, (self._fresh("loc"), self._fresh("loc"))
        inner = scope.inner()
        self._open("")
        for name in names:
            self._put(f"int {name} = {e.value(scope, 1)};")
        if scope.pointers and (e.risk > 0 or not (scope.double or "kept" in scope.pointers)):
            self._pointed_block(scope, inner, names)
        else:
            self._put(f"{e.leaf(self._writable(scope))} = {names[0]} + {names[1]} + {e.leaf(scope)};")
            self._close()

    def _pointed_block(self, scope: Scope, inner: Scope, names: tuple[str, str]) -> None:
        draws, e, p = self._draws, self._e, self._draws.one(scope.pointers)
        inner.parts += [Part(name, "int") for name in names]
        inner.pointers = [p]
        self._put(f"{p} = &{draws.one(names)};")
        label = self._fresh("L") if self._has(Feature.GOTO) and draws.chance(0.6) else ""
        for _ in range(draws.between(1, 2)):
            self._put(self._update(inner))
        if label and e.risk > 0:
            self._put(f"if ({e.condition(scope)}) goto {label};")
        if e.risk == 0 or draws.chance(0.4):
            self._put(f"{p} = {e.address(scope)};")
        if label and e.risk == 0:
            self._put(f"if ({e.condition(scope)}) goto {label};")
            self._put(self._update(scope))
        self._close()
        if label:
            self._put(f"{label}: ;")
        if e.risk > 0 and draws.chance(0.7):
            self._put(f"{e.leaf(self._writable(scope))} = *{p};")

    def _switch(self, scope: Scope) -> None:
        self._compound -= 1
        draws = self._draws
        value = draws.one((draws.one(scope.inputs), self._e.value(scope, 1)))
        self._open(f"switch ({value})")
        for number in draws.random.sample(range(-1, 4), draws.between(1, 3)):
            self._put(f"case {number}:")
            self._put(self._update(scope))
            if draws.chance(0.6):
                self._put("break;")
        if draws.chance(0.6):
            self._put("default:")
            self._put(self._update(scope))
        self._close()

    def _goto(self, scope: Scope) -> None:
        self._compound -= 1
        label, draws = self._fresh("L"), self._draws
        if draws.chance(0.5):
            self._put(f"if ({self._e.condition(scope)}) goto {label};")
            self._plain_statement(scope)
            self._put(f"{label}: ;")
            return
        count = self._fresh("k")
        self._put(f"int {count} = 0;")
        self._put(f"{label}: ;")
        self._plain_statement(scope)
        self._put(f"if (++{count} < {draws.between(1, 3)}) goto {label};")

    def _vla(self, scope: Scope) -> None:
        self._compound -= 1
        draws, e, inner = self._draws, self._e, scope.inner()
        length, name, k, type_ = self._fresh("n"), self._fresh("va"), self._fresh("k"), e.scalar()
        self._open("")
        self._put(f"int {length} = (unsigned)({e.leaf(scope)}) % {draws.between(2, 3)}u + 1;")
        self._put(f"{type_} {name}[{length}];")
        inner.counters.append(k)
        self._put(f"for (int {k} = 0; {k} < {length}; {k}++) {name}[{k}] = {e.value(inner, 1)};")
        index = f"{length} - 1" if not e.is_risky() else f"{length} - {draws.one(scope.inputs)}"
        self._put(f"{e.leaf(self._writable(scope))} = {name}[{index}] + (int)sizeof {name};")
        if self._has(Feature.POINTERS) and draws.chance(0.5):
            self._put(f"{type_} *v{name} = {name} + {length};")
            self._put(f"{e.leaf(self._writable(scope))} += *(v{name} - 1);")
        self._close()

    def _heap(self, scope: Scope) -> None:
        """An object on the heap, which is seen from here on."""
        draws, e = self._draws, self._e
        if e.members and draws.chance(0.5):
            name = self._fresh("hs")
            self._put(f"struct S *{name} = malloc(sizeof(struct S));")
            self._guard(name)
            rest = self._rest(e.link(scope) if scope.links or scope.structs or scope.tables else name)
            self._put(f"*{name} = (struct S){{.a = {e.value(scope, 1)}{rest}}};")
            scope.links.append(name)
            self._reach(scope, f"{name}->")
            name, moved = self._fresh("own"), name
            self._put(f"struct S *{name} = {moved};")
            is_owned = True
        else:
            row = Row(self._fresh("hr"), draws.one(("int", "int", e.scalar())), draws.between(1, 3))
            extent = str(row.extent)
            if draws.chance(0.5):
                self._put(f"{row.type} *{row.name} = calloc({extent}, sizeof({row.type}));")
                is_owned = self._guard(row.name, row)
            else:
                self._put(f"{row.type} *{row.name} = malloc({extent} * sizeof({row.type}));")
                is_owned = self._guard(row.name, row)
                k = self._fresh("k")
                self._put(f"for (int {k} = 0; {k} < {extent}; {k}++) {row.name}[{k}] = {e.leaf(scope)} + {k};")
            if is_owned and self._has(Feature.FAILING_ALLOCATION) and draws.chance(0.5):
                self._grow(row, scope)
            scope.rows.append(row)
            name = row.name
        if is_owned and draws.chance(0.6):
            self._owned.append(name)

    def _guard(self, name: str, row: Row | None = None) -> bool:
        """Write what happens where an allocation failed, unless there is risk; whether the object is from the heap."""
        draws, is_in_main = self._draws, self._depth == 1
        if not self._has(Feature.FAILING_ALLOCATION) or self._e.is_risky():
            return True
        if row is not None and is_in_main and draws.chance(0.4):
            other = self._fresh("fb")
            self._put(f"static {row.type} {other}[{row.extent}] = {{{draws.between(0, 9)}}};")
            self._put(f"if (!{name}) {name} = {other};")
            return False
        self._put(f"if (!{name}) {'return 0' if is_in_main and draws.chance(0.5) else 'abort()'};")
        return True

    def _grow(self, row: Row, scope: Scope) -> None:
        """A block gets room for one more element, if there is memory for it."""
        moved, size = self._fresh("gr"), f"{row.extent + 1} * sizeof({row.type})"
        if self._e.is_risky():
            self._put(f"{row.name} = realloc({row.name}, {size});")
            return
        self._put(f"{row.type} *{moved} = realloc({row.name}, {size});")
        more = f"{self._e.leaf(self._writable(scope))} += {moved}[{row.extent}];"
        filled = f"{moved}[{row.extent}] = {self._draws.between(0, 9)};"
        self._put(f"if ({moved}) {{ {row.name} = {moved}; {filled} {more} }}")

    def _site(self, scope: Scope) -> None:
        e, draws = self._e, self._draws
        first, second = e.part(scope).text, e.part(scope).text
        self._put(f"@{len(self._sites)}@")
        forms = (first, first, f"{first} - {second}", f"{first} + {second}")
        self._sites.append(f"(long long)({draws.one(forms)})")
