"""Candidate invariants: what holds of scalars, and of the cells at an index k in a region, in all sampled states.

C. Flanagan, S. Qadeer, "Predicate abstraction for software verification", POPL 2002: quantified invariants are found as
formulas over constants k that nothing else mentions. A candidate is `region ⇒ literal`. Regions bound k by scalars;
literals are equations between elements, k and scalars, orders, remainders, and templates (`templates`). With *pairs*, a
second index l > k and literals that compare the elements at both: sortedness, absence of duplicates.

Heuristic throughout. Where executions never came (`table` has no rows), regions and templates alone are tried.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations, permutations, product
from random import Random

from core.parameters import parameter
from core.terms import Arena, Term, substitute, subterms
from methods.engines.acsar.cell_sums import CellSum, CellSumGuesses
from methods.engines.acsar.cells import Layout
from methods.engines.acsar.grids import GridGuesses
from methods.engines.acsar.sample_tables import FEWEST_ROWS, Table, linear_equations, quadratic
from methods.engines.acsar.samples import Sample, Samples, SmallSystem
from methods.engines.acsar.syntax_hints import Forms

MAX_ROWS = parameter("acsar.candidates.max-rows")
MAX_BOUNDS = parameter("acsar.candidates.max-bounds")
MAX_FLAGS = parameter("acsar.candidates.max-flags")
MAX_STRIDES = parameter("acsar.candidates.max-strides")
MAX_SCALARS = parameter("acsar.candidates.max-scalars")
INDICES = parameter("acsar.candidates.indices")
PLACES = parameter("acsar.candidates.places")
_FAR = parameter("acsar.candidates.far")
_WINDOW = parameter("acsar.candidates.window")


class Guesses:
    """The candidates at one relation, as formulas over its arguments and the indices k and l."""

    def __init__(
        self,
        arena: Arena,
        arguments: Sequence[Term],
        layout: Layout,
        samples: Samples,
        small: SmallSystem,
        relation: int,
        forms: Forms,
        indices: tuple[Term, Term],
    ) -> None:
        self._arena = a = arena
        self._layout = layout
        self._forms = forms
        self._k, self._l = indices
        self._sizes = tuple(small.parameters)
        self._states = samples.states[relation]
        self._visible = frozenset((*arguments, *self._sizes))
        self._scalars = Table(self._states)
        self._scalars.prepare([*layout.scalars, *self._sizes])
        self._original = small.original(arena)
        self._small = small.small
        self._changing = [x for x in layout.scalars if self._changes(x)]
        self._arguments = frozenset(arguments)
        constants = (c for c in forms.constants if small.small(a.integer(c)).is_constant)  # others are sizes
        self._known = sorted({0, 1, *constants} | {v for x in layout.scalars for v in self._few(x)})
        self._zero_one = (a.zero, a.one)
        self._near = frozenset(map(a.integer, range(8)))

    def _changes(self, x: Term) -> bool:
        column = self._scalars.column(x)
        if not column:
            return x.is_symbol
        return len(set(column)) > 1 and not any(abs(v) > _FAR for v in column)

    def _few(self, x: Term) -> set[int]:
        column = set(self._scalars.column(x) or ())
        return {v for v in column if abs(v) < _FAR} if len(column) <= 3 else set()

    def scalars(self) -> Iterator[Term]:
        """The candidates about scalars."""
        yield from self._forms.claims.at(self._visible, ())
        yield from map(self._original, self._of_scalars())

    def cells(self) -> Iterator[Term]:
        """The candidates about cells at one index."""
        if self._layout.cells:
            yield from self._forms.claims.at(self._visible, (self._k,))
            yield from map(self._original, self._of_passed())
            table = Table(self._rows([(k,) for k in self._window()]))
            yield from map(self._original, self._of_cells(table))

    def pairs(self) -> Iterator[Term]:
        """The candidates about cells at two indices, the first of them smaller."""
        if self._layout.cells:
            yield from self._forms.claims.at(self._visible, (self._k, self._l))
            pairs = [(k, j) for k in self._window() for j in self._window() if k < j]
            yield from map(self._original, self._of_pairs(Table(self._rows(pairs))))

    def sums(self, arguments: Sequence[Term], relation: int, sums: Sequence[CellSum]) -> Iterator[Term]:
        """The candidates about sums of cells, and about what is added to these."""
        guesses = CellSumGuesses(self._arena, arguments, relation, sums, self._bounds())
        rows = Table(self._rows([(k,) for k in self._window()]))
        yield from map(self._original, guesses.candidates(self._scalars, rows, self._k))

    def grids(self) -> Iterator[Term]:
        """The candidates about rows and columns."""
        if self._layout.grids:
            yield from self._forms.claims.at(self._visible, (self._k, self._l))
            places = list(product(self._window(), repeat=2))
            bounds = [x for x in (*self._changing, *self._sizes) if x in self._forms.sizes or x in self._sizes]
            grids = GridGuesses(
                self._arena,
                self._layout,
                self._forms,
                self._visible,
                bounds[:MAX_BOUNDS],
                self._changing,
                (self._k, self._l),
            )
            yield from map(self._original, grids.candidates(Table(self._rows(places, PLACES))))

    # Rows

    def _window(self) -> range:
        sizes = [v for x in (*self._changing, *self._sizes) for v in self._scalars.column(x) or () if abs(v) < 40]
        return range(-1, min(max(sizes, default=1), _WINDOW) + 2)

    def _rows(self, choices: Sequence[tuple[int, ...]], most: int = INDICES) -> list[Sample]:
        random = Random(len(self._states))
        rows: list[Sample] = []
        for state in self._states:
            chosen = random.sample(choices, most) if len(choices) > most else choices
            rows += [{**state, **dict(zip((self._k, self._l), one, strict=False))} for one in chosen]
        limit = MAX_ROWS * most // INDICES
        return rows if len(rows) <= limit else random.sample(rows, limit)

    # Scalars

    def _of_scalars(self) -> Iterator[Term]:
        a, table = self._arena, self._scalars
        every = range(len(table))
        names = [*self._changing, *self._sizes]
        for x in self._layout.scalars if len(table) else ():
            column = table.column(x)
            if column and len(set(column)) == 1:
                yield a.equals(x, a.integer(column[0]))
        yield from self._copies()
        yield from self._kept_elements()
        cases: list[tuple[Term, Sequence[int]]] = [(a.true, every)]
        cases += [(c, self._satisfying(table, c)) for x in self._changing for c in (a.ge(x, a.one),)]
        for case, rows in cases:
            if len(rows) >= FEWEST_ROWS - 1:
                columns = table.part(names[:MAX_SCALARS], rows)
                yield from (a.implies(case, e) for e in linear_equations(a, columns))
                yield from (a.implies(case, e) for e in quadratic(a, columns))
        if len(table):
            yield from self._orders(table, names, every)
            yield from self._by_guards(table, names)
        for atom in self._forms.guards:
            if atom.symbols() and atom.symbols() <= self._visible:
                if table.holds(atom, every):
                    yield atom
                if table.fails(atom, every):
                    yield a.not_(atom)

    def _copies(self) -> Iterator[Term]:
        """Equations of addresses and other large numbers, of which no others are looked for."""
        first: dict[tuple[int, ...], Term] = {}
        for x in self._layout.scalars:
            column = self._scalars.column(x)
            if column and any(abs(v) > _FAR for v in column):
                known = first.setdefault(tuple(column), x)
                if known is not x:
                    yield self._arena.equals(known, x)

    def _kept_elements(self) -> Iterator[Term]:
        """Equations of a scalar that is an element and the element at a variable: `m == a[p]`, where p is its place."""
        single = self._scalars.part(self._layout.single, range(len(self._scalars)))
        for x in self._layout.scalars:
            column = self._scalars.column(x)
            if column and x not in self._forms.sizes:
                yield from (self._arena.equals(x, e) for e, values in single.items() if column == values)

    def _by_guards(self, table: Table, names: Sequence[Term]) -> Iterator[Term]:
        """The orders that hold where an equation of the guards does not."""
        a = self._arena
        varying = [g for g in self._forms.guards if g.is_equation and g.symbols() and g.symbols() <= self._visible]
        for guard in varying[:MAX_FLAGS]:
            for case in (guard, a.not_(guard)):
                rows = self._satisfying(table, case)
                if FEWEST_ROWS <= len(rows) < len(table):
                    found = (f for f in self._orders(table, names, rows) if not table.holds(f, range(len(table))))
                    yield from (a.implies(case, f) for f in found)

    def _satisfying(self, table: Table, condition: Term) -> list[int]:
        column = table.column(condition)
        return [i for i, v in enumerate(column) if v] if column is not None else []

    def _orders(self, table: Table, names: Sequence[Term], rows: Sequence[int]) -> Iterator[Term]:
        a = self._arena
        columns = table.part(names, rows)
        for x, y in permutations(columns, 2):
            slack = max(v - w for v, w in zip(columns[x], columns[y], strict=True))
            if slack <= 1:
                yield a.le(x, a.add(y, a.integer(max(slack, 0))))
        yield from self._multiples(columns)
        for x, values in columns.items():
            for v in self._known:
                if min(values) >= v:
                    yield a.ge(x, a.integer(v))
            for modulus in self._forms.moduli:
                if len(set(values)) > 1 and len({v % modulus for v in values}) == 1:
                    yield a.equals(a.modulo(x, a.integer(modulus)), a.integer(values[0] % modulus))

    def _multiples(self, columns: Mapping[Term, Sequence[int]]) -> Iterator[Term]:
        """Bounds of what adds up by multiples of what counts."""
        a = self._arena
        factors = [c for c in self._forms.constants if abs(c) > 1 or c == -1]
        sums = [x for x in columns if x not in self._forms.sizes and x not in self._sizes]
        for x, y, c in product(sums, [y for y in columns if y in self._forms.sizes], factors):
            pairs = list(zip(columns[x], columns[y], strict=True))
            if all(v <= c * w for v, w in pairs):
                yield a.le(x, a.linear([(c, y)]))
            if all(v >= c * w for v, w in pairs):
                yield a.ge(x, a.linear([(c, y)]))

    # Cells at one index

    def _of_passed(self) -> Iterator[Term]:
        """The conditions about elements that were passed, where they hold in all states."""
        table = Table(self._states)
        passed = [self._small(f) for f in self._forms.passed if f.symbols() <= self._visible]
        table.prepare(passed)
        yield from (f for f in passed if table.holds(f, range(len(table))))

    def _bounds(self) -> list[Term]:
        """The terms that bound regions: changing scalars, their multiples that indices have, sizes."""
        a = self._arena
        own = [x for x in self._changing if x in self._forms.sizes]
        multiples = [a.linear([(m, x)]) for x in own for m in self._forms.strides.get(x, ())]
        return [*multiples, *own, *self._sizes][: MAX_BOUNDS + len(multiples)]

    def _mirrored(self) -> Iterator[Term]:
        """The regions up to the place of what counts from the other end, and beyond it: `n - 1 - i`, if indexed."""
        a, k = self._arena, self._k
        counting = [x for x in self._changing if x in self._forms.counting]
        rests = dict.fromkeys(self._small(cell.rest) for cell in self._layout.cells if cell.scale == -1)
        for rest, x in product(rests, counting):
            if x not in rest.symbols():
                place = a.subtract(rest, x)
                yield from (a.and_(a.ge(k, x), a.le(k, place)), a.and_(a.gt(k, place), a.le(k, rest)))

    def _regions(self) -> list[Term]:
        a, k = self._arena, self._k
        lowers = [a.true, a.ge(k, a.zero), a.ge(k, a.one)]
        uppers = [a.true, a.le(k, a.zero)]
        for t in self._bounds():
            lowers += [a.ge(k, t), *([a.gt(k, t)] if t in self._forms.falling else [])]
            uppers += [a.lt(k, t), a.le(k, t)]
        strict = [a.lt(k, t) for t in self._bounds()]
        uppers += [a.and_(s, t) for s, t in combinations(strict, 2)]
        sparse = [cell for cell in self._layout.cells if cell.scale > 1 and cell.rest in self._near]
        uppers += [inside for cell in sparse[:MAX_STRIDES] for inside in self._inside(cell.index(a, k))]
        regions = [a.and_(low, high) for low, high in product(lowers, uppers)]
        holes = [a.not_(a.equals(k, t)) for t in self._bounds() if t in self._forms.skipped]
        regions += [a.and_(a.ge(k, a.zero), high, hole) for high in uppers for hole in holes]
        even = [a.equals(a.modulo(k, a.integer(2)), rest) for rest in self._zero_one if self._forms.parity]
        regions += [a.and_(a.ge(k, a.zero), high, rest) for high in uppers for rest in even]
        regions += self._mirrored()
        return [r for r in dict.fromkeys(regions) if not r.is_false]

    def _inside(self, index: Term) -> Iterator[Term]:
        """The guards of what counts, said of an index such as `4 k + 1`."""
        for guard in self._forms.guards:
            counting = [x for x in guard.symbols() if x in self._forms.counting]
            if guard.is_bound and len(counting) == 1 and guard.symbols() <= self._visible:
                yield substitute(self._arena, self._small(guard), {counting[0]: index})

    def _of_cells(self, table: Table) -> Iterator[Term]:
        a = self._arena
        regions = self._regions()
        candidates = list(self._forms.templates.at(self._layout, self._visible, self._k))
        elements = [cell.element(a, self._k) for cell in self._layout.cells]
        table.prepare([*regions, *candidates, *elements])
        literals: dict[tuple[int, ...], list[Term]] = {}  # many regions have the same rows
        for region in regions:
            rows = self._satisfying(table, region)
            if not rows and len(table):
                continue
            for f in self._true_of(table, rows, candidates):
                yield a.implies(region, f)
            yield from self._by_flags(table, region, rows, candidates)
            if len(rows) >= FEWEST_ROWS:
                if tuple(rows) not in literals:
                    literals[tuple(rows)] = list(self._literals(table, rows, elements))
                yield from (a.implies(region, f) for f in literals[tuple(rows)])

    def _true_of(self, table: Table, rows: Sequence[int], formulas: Sequence[Term]) -> Iterator[Term]:
        for f in formulas:
            if table.holds(f, rows):
                yield f
            if table.fails(f, rows):
                yield self._arena.not_(f)

    def _by_flags(self, table: Table, region: Term, rows: Sequence[int], candidates: Sequence[Term]) -> Iterator[Term]:
        """Templates that hold where a flag has one truth value."""
        if region.is_true or not candidates:
            return
        for case in self._flags():
            column = table.column(case)
            inside = [i for i in rows if column[i]] if column is not None else []
            if inside or not len(table):
                for f in self._true_of(table, inside, candidates):
                    yield self._arena.implies(self._arena.and_(case, region), f)

    def _flags(self) -> list[Term]:
        """The guards about scalars that are no sizes, and their negations."""
        scalars = frozenset(self._layout.scalars) - self._forms.counting
        flags = [g for g in self._forms.guards if g.symbols() and g.symbols() <= scalars and self._varies(g)]
        return [case for atom in flags[:MAX_FLAGS] for case in (atom, self._arena.not_(atom))]

    def _varies(self, guard: Term) -> bool:
        """Whether a guard is true in some states and false in others, or there are no states."""
        column = self._scalars.column(guard)
        return not self._states or (column is not None and len(set(map(bool, column))) > 1)

    def _literals(self, table: Table, rows: Sequence[int], elements: Sequence[Term]) -> Iterator[Term]:
        a = self._arena
        columns = table.part(elements, rows)
        others = table.part(self._bounds(), rows)
        index = table.part([self._k], rows)
        single = table.part(self._layout.single, rows)
        stored = table.part([x for x in self._layout.scalars if x in self._forms.stored and x not in others], rows)
        for v, values in columns.items():
            if len(set(values)) == 1:
                yield a.equals(v, a.integer(values[0]))
                continue
            yield from (a.equals(v, x) for x, column in stored.items() if values == column)
            yield from self._equations(v, columns, index, others)
            yield from self._comparisons(v, values, {**others, **index, **single})
        for v, w in combinations(columns, 2):
            pairs = list(zip(columns[v], columns[w], strict=True))
            if all(x == y for x, y in pairs):
                yield a.equals(v, w)
            elif self._meet(v, w):
                yield from (
                    a.le(p, q) for p, q, s in ((v, w, 1), (w, v, -1)) if all(s * (x - y) <= 0 for x, y in pairs)
                )
                yield from (a.lt(p, q) for p, q, s in ((v, w, 1), (w, v, -1)) if all(s * (x - y) < 0 for x, y in pairs))

    def _meet(self, v: Term, w: Term) -> bool:
        return v.args[0] is w.args[0] or (v.args[0], w.args[0]) in self._forms.together

    def _equations(
        self, v: Term, columns: dict[Term, list[int]], index: dict[Term, list[int]], others: dict[Term, list[int]]
    ) -> Iterator[Term]:
        """Equations of an element with k, and a scalar or another element; if there are none, with k squared."""
        a, k = self._arena, self._k
        base = {v: columns[v], **index}
        choices = [base, *({**base, t: c} for t, c in others.items())]
        choices += [{**base, w: c} for w, c in columns.items() if w is not v and self._meet(v, w)]
        found = {e: None for choice in choices for e in linear_equations(a, choice) if v in subterms(e)}
        yield from found
        if not found:
            square = {a.multiply(k, k): [x * x for x in index[k]]}
            for choice in choices[: 1 + len(others)]:
                yield from (e for e in linear_equations(a, {**choice, **square}) if v in subterms(e))

    def _comparisons(self, v: Term, values: Sequence[int], others: dict[Term, list[int]]) -> Iterator[Term]:
        a = self._arena
        two = a.integer(2)
        if self._forms.parity and len({x % 2 for x in values}) == 1:
            yield a.equals(a.modulo(v, two), a.integer(values[0] % 2))
        for t, column in others.items():
            pairs = list(zip(values, column, strict=True))
            if all(x <= y for x, y in pairs):
                yield a.le(v, t)
            if all(x >= y for x, y in pairs):
                yield a.ge(v, t)
            rest = {(x - y) % 2 for x, y in pairs}
            if self._forms.parity and len(rest) == 1:
                yield a.equals(a.modulo(a.subtract(v, t), two), a.integer(rest.pop()))
        for z in self._known:
            if min(values) >= z:
                yield a.ge(v, a.integer(z))
            if max(values) <= z:
                yield a.le(v, a.integer(z))
            if z not in values:
                yield a.not_(a.equals(v, a.integer(z)))

    # Cells at two indices

    def _of_pairs(self, table: Table) -> Iterator[Term]:
        a, k, l = self._arena, self._k, self._l  # noqa: E741 (the name in the paper)
        sizes = [x for x in self._layout.scalars if x in self._forms.sizes and x not in self._forms.counting]
        whole = self._pair_regions([*sizes, *self._sizes][:MAX_BOUNDS])
        regions = dict.fromkeys([*self._pair_regions(self._bounds()), *whole])
        compared = [cell for cell in self._layout.cells if cell.array in self._forms.compared]
        elements = [(cell, cell.element(a, k), cell.element(a, l)) for cell in compared]
        table.prepare([*regions, *(e for _, x, y in elements for e in (x, y))])
        for region in regions:
            rows = self._satisfying(table, region)
            if not rows and region not in whole:
                continue  # no execution tells; where a whole array was found to be in order, few come
            for _, x, y in elements:
                found = [a.le(x, y), a.ge(x, y), a.not_(a.equals(x, y))]
                held = [f for f in found if table.holds(f, rows)]
                yield from (a.implies(region, f) for f in held)
                others = [f for f in found if f not in held]
                yield from self._by_flags(table, region, rows, others)

    def _pair_regions(self, bounds: Sequence[Term]) -> list[Term]:
        a, k, l = self._arena, self._k, self._l  # noqa: E741
        lowers, uppers, middle = [a.ge(k, a.zero)], [a.true], [a.true]
        for t in bounds:
            lowers.append(a.ge(k, t))
            uppers += [a.lt(l, t), a.le(l, t)]
            middle += [a.lt(k, t), a.le(k, t)]
        regions = [a.and_(*parts, a.lt(k, l)) for parts in product(lowers, uppers, middle)]
        return [r for r in dict.fromkeys(regions) if not r.is_false]
