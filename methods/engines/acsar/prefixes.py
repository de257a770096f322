"""Candidates about ghost arrays: what loops compute as elements of them, and arrays as what leads from one to the next.

`prefix_ghosts` makes the ghost arrays and says which of their elements count (`Marks`). Candidates are

1. variables that are elements of ghosts, and linear equations with these, in the cases of a counter;
2. ghosts that are one step away from a variable: `s[i + 1] = f(y, t)` for an element t that was put aside;
3. the first two steps: `s[2] = f(f(first, a[1]), a[0])` where elements were exchanged;
4. the step at every index of a region, also where elements have moved: `s[k + 2] = f(s[k + 1], a[k])`;
5. values that exits compute of a result, `(int)s[n] / n`;
6. what loops add up that also add their counters: `2 · y = 2 · s[i] + i · i - i`.

Heuristic throughout: only what holds in all samples is tried.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import permutations, product

from core.dataclass import dataclass
from core.decision.instances import quotient
from core.limits import Limits
from core.parameters import parameter
from core.program import Range
from core.terms import INT, Arena, Op, Substitution, Term, Treatment, replace_subterms, subterms
from methods.discovery.horn import HornSystem
from methods.engines.acsar.cells import ArrayCell, Layout
from methods.engines.acsar.prefix_ghosts import FoldedSystem, LoopFold, Marks, ends_of, ghost_values, marks_of
from methods.engines.acsar.sample_tables import FEWEST_ROWS, Table, linear_equations
from methods.engines.acsar.samples import LARGEST_SIZE, Samples, small_system

OTHER_OPERATORS = Treatment.EXACT

SHIFTS = (0, 1, -1)
MAX_SAMPLES = parameter("acsar.prefixes.max-samples")
MAX_INDEXED = parameter("acsar.prefixes.max-indexed")
WINDOW = parameter("acsar.prefixes.window")
_LARGEST = parameter("acsar.prefixes.largest")
_WRAPPING = 1 << 33  # values in types of a smaller size may wrap around


class PrefixGuesses:
    """The candidates at all relations of a system with ghost arrays; `plain` is the one that executions sample."""

    def __init__(
        self,
        arena: Arena,
        system: HornSystem,
        plain: FoldedSystem,
        folds: Sequence[LoopFold],
        layouts: Sequence[Layout],
        range_of: Callable[[Term], Range | None],
        seed: int,
        limits: Limits,
    ) -> None:
        self._arena = arena
        self._small = small = small_system(arena, plain.system.rules, range_of)
        completed = ghost_values(plain, small.small)
        self._samples = Samples(plain.system.arguments, range_of, small, seed, limits, MAX_SAMPLES, completed)
        ends = ends_of(arena, plain.system, range_of, LARGEST_SIZE)  # without what was found of scalars
        values = computed_values(system)
        self.layouts: list[Layout] = []
        self._guesses: list[_Guesses] = []
        for relation, layout in enumerate(layouts):
            marks = marks_of(arena, system, folds, ends, relation, layout.cells)
            self._guesses.append(_Guesses(arena, layout, folds, marks, values, range_of, small.small))
            cells = [ArrayCell(one.fold.symbol, 1, v) for one in folds for v in (arena.zero, arena.one)]
            self.layouts.append(replace(layout, ghosts=tuple(cells), marked=(*marks.ghosts, *marks.elements)))

    def at(self, relation: int, k: Term) -> Iterator[Term]:
        """The candidates at a relation; `k` stands for every index."""
        guesses, states = self._guesses[relation], self._samples.states[relation]
        original = self._small.original(self._arena)
        yield from (halved(self._arena, original(c)) for c in guesses.scalars(Table(states)))
        rows = [{**state, k: v} for state in states[:: max(1, len(states) // MAX_INDEXED)] for v in range(-1, WINDOW)]
        yield from map(original, guesses.cells(Table(rows), k))


@dataclass(frozen=True)
class _Guesses:
    """The candidates at one relation. `small` makes sizes small, as they are in the tables."""

    arena: Arena
    layout: Layout
    folds: Sequence[LoopFold]
    marks: Marks
    values: Sequence[tuple[Term, Term, Term]]  # x gets a value that is computed of y
    range_of: Callable[[Term], Range | None]
    small: Callable[[Term], Term]

    def scalars(self, table: Table) -> Iterator[Term]:
        """The candidates about variables, in all cases."""
        a = self.arena
        ghosts = [self.small(t) for t in self.marks.ghosts]
        elements = [self.small(t) for t in self.marks.elements]
        names = [x for x in self.layout.scalars if x.is_symbol and self._is_near(table.column(x))]
        pairs = [
            *self._totals(names, ghosts),
            *self._computed(ghosts),
            *self._stepped(names, ghosts, elements),
            *self._first(ghosts, elements),
        ]
        table.prepare(t for pair in pairs for t in pair)
        known: dict[Term, None] = {}  # what holds in all cases
        for case in self._cases():
            rows = satisfying(table, case)
            found = dict.fromkeys(a.equals(x, y) for x, y in pairs if rows and same(table, rows, x, y))
            if len(rows) >= FEWEST_ROWS:
                found.update(dict.fromkeys(self._equations(table, rows, names, elements, ghosts)))
            yield from (a.implies(case, f) for f in found if f not in known)
            known = found if case.is_true else known

    def _is_near(self, column: Sequence[int] | None) -> bool:
        return bool(column) and column is not None and all(abs(v) < 1 << 18 for v in column)

    def _cases(self) -> list[Term]:
        a = self.arena
        cases = [a.true]
        for x, begin in self.marks.counters:
            first, second = a.integer(begin + 1), a.integer(begin + 2)
            cases += [a.le(x, a.integer(begin)), a.equals(x, first), a.ge(x, first), a.ge(x, second)]
            for end in map(self.small, self.marks.ends):
                cases += [a.and_(a.ge(x, first), a.lt(x, end)), a.ge(x, end)]
        return [c for c in dict.fromkeys(cases) if not c.is_false]

    def _equations(
        self,
        table: Table,
        rows: Sequence[int],
        names: Iterable[Term],
        elements: Sequence[Term],
        ghosts: Sequence[Term],
    ) -> Iterator[Term]:
        a = self.arena
        for group in self._groups(ghosts):
            known = table.part([*group, *self._progress()], rows)
            for x in dict.fromkeys((*names, *elements)):
                column = table.part([x], rows)
                for f in linear_equations(a, {**known, **column}) if column else ():
                    if x in subterms(f):
                        yield f
                        yield from self._wrapped(x, f) if x not in elements else ()

    def _progress(self) -> Iterator[Term]:
        """Counters, and their squares where loops add up counters."""
        for x, _ in self.marks.counters:
            yield x
            if any(one.total is not None for one in self.folds):
                yield self.arena.multiply(x, x)

    def _groups(self, ghosts: Sequence[Term]) -> Iterator[Sequence[Term]]:
        """The elements among which equations are looked for: of few, one that is inductive is met sooner."""
        yield ghosts
        if len(self.folds) > 1:
            yield from ([s for s in ghosts if s.args[0] is one.fold.symbol] for one in self.folds)
            counters = [x for x, _ in self.marks.counters]
            yield [s for s in ghosts if not any(_is_negative(s.args[1], x) for x in counters)]

    def _wrapped(self, x: Term, equation: Term) -> Iterator[Term]:
        """The equation of a number that wraps around."""
        a, bounds = self.arena, self.range_of(x)
        body = equation.args[0]
        if bounds is None or bounds.high - bounds.low >= _WRAPPING or not body.is_sum or x not in body.args:
            return
        factor = body.coefficients[body.args.index(x)]
        if abs(factor) == 1:
            whole = a.linear([(-factor, body), (1, x)], factor * equation.value)
            shifted = a.subtract(whole, a.integer(bounds.low))
            rest = a.modulo(shifted, a.integer(bounds.high - bounds.low + 1))
            yield a.equals(x, a.add(rest, a.integer(bounds.low)))

    def _stepped(
        self, names: Sequence[Term], ghosts: Sequence[Term], elements: Sequence[Term]
    ) -> Iterator[tuple[Term, Term]]:
        """Variables beside ghosts, and one step before them."""
        for y, s in product(names, ghosts):
            yield y, s
        for one, y, t in product(self.folds, names, elements):
            result = one.step(self.arena, y, t) if t is not y else None
            if result is not None:
                result = self.small(result)
                yield from ((s, result) for s in ghosts if s.args[0] is one.fold.symbol)
        for one, y, t in product(self.folds, names, elements):
            result = one.step(self.arena, one.fold.first, t)
            if result is not None and t is not y:
                yield y, self.small(result)

    def _first(self, ghosts: Sequence[Term], elements: Sequence[Term]) -> Iterator[tuple[Term, Term]]:
        """The second elements of ghosts, and two steps."""
        a = self.arena
        for one in self.folds:
            second = a.select(one.fold.symbol, a.integer(2))
            for t, u in permutations(elements, 2):
                first = one.step(a, one.fold.first, t)
                result = None if first is None else one.step(a, first, u)
                if result is not None:
                    yield second, self.small(result)

    def _totals(self, names: Sequence[Term], ghosts: Sequence[Term]) -> Iterator[tuple[Term, Term]]:
        """Variables beside what loops add up that also add their counters."""
        a = self.arena
        for doubled in self._doubled(ghosts):
            yield from ((a.linear([(2, y)]), doubled) for y in names)

    def _doubled(self, ghosts: Sequence[Term]) -> Iterator[Term]:
        """Twice what loops add up that also add their counters."""
        totals = {one.fold.symbol: one.total for one in self.folds if one.total is not None}
        for s in ghosts:
            total = totals.get(s.args[0])
            if total is not None:
                yield total.doubled(self.arena, s.args[0], s.args[1])

    def _computed(self, ghosts: Sequence[Term]) -> Iterator[tuple[Term, Term]]:
        """Variables and what exits compute of a result that is an element of a ghost, or is added up beside one."""
        here = frozenset(self.layout.scalars)
        two = self.arena.integer(2)
        results = [*ghosts, *(self.arena.divide(doubled, two) for doubled in self._doubled(ghosts))]
        for x, y, value in self.values:
            if x in here:
                for result in results:
                    yield x, Substitution(self.arena, {y: result})(self.small(value))

    def cells(self, table: Table, k: Term) -> Iterator[Term]:
        """The steps of ghosts at the elements of arrays at k, in regions."""
        a = self.arena
        candidates = [
            self.small(one.step_at(a, k, cell.element(a, k), shift))
            for one in self.folds
            for cell in one.alike(self.layout.cells)
            for shift in SHIFTS
        ]
        for fold in (one.fold for one in self.folds):
            values = {fold.result: a.select(fold.symbol, k), fold.index: k}
            yield a.implies(a.ge(k, a.zero), Substitution(a, values)(fold.bound))
        regions = self._regions(k)
        table.prepare([*candidates, *regions])
        for region in regions:
            rows = satisfying(table, region)
            yield from (a.implies(region, f) for f in candidates if rows and table.holds(f, rows))

    def _regions(self, k: Term) -> list[Term]:
        a = self.arena
        counters = [x for x, _ in self.marks.counters]
        ends = [self.small(e) for e in self.marks.ends]
        lowest = [a.integer(v) for v in range(3)]
        lowers = [*(a.ge(k, v) for v in lowest), *(a.and_(a.ge(k, v), a.ge(k, x)) for v in lowest for x in counters)]
        uppers = [a.true, *(a.lt(k, x) for x in (*counters, *ends))]
        regions = [a.and_(low, high) for low, high in product(lowers, uppers)]
        return [r for r in dict.fromkeys(regions) if not r.is_false]


def halved(arena: Arena, formula: Term) -> Term:
    """The formula without divisions by two of what is even by its coefficients."""
    two = arena.integer(2)
    halves = {t: quotient(arena, t.args[0], 2) for t in subterms(formula) if t.op is Op.DIVIDE and t.args[1] is two}
    return replace_subterms(arena, formula, halves) if halves else formula


def _is_negative(index: Term, x: Term) -> bool:
    """Whether an index becomes smaller with a variable."""
    return index.is_sum and any(m is x and c < 0 for m, c in zip(index.args, index.coefficients, strict=True))


def satisfying(table: Table, condition: Term) -> list[int]:
    """The rows in which a condition is true."""
    column = table.column(condition)
    return [i for i, v in enumerate(column) if v] if column is not None else []


def same(table: Table, rows: Sequence[int], x: Term, y: Term) -> bool:
    """Whether two terms have equal values in these rows."""
    first, second = table.column(x), table.column(y)
    return first is not None and second is not None and all(first[i] == second[i] for i in rows)


def computed_values(system: HornSystem) -> list[tuple[Term, Term, Term]]:
    """The variables that get a value that is computed of another one alone, not linear in it: x, y, the value."""
    triples: dict[tuple[Term, Term, Term], None] = {}
    for rule in system.rules:
        if rule.head is None:
            continue
        for x, value in zip(system.arguments[rule.head.relation], rule.head.values, strict=True):
            changed = value is not x and x.sort is INT and value.op not in (Op.SYMBOL, Op.CONSTANT, Op.SELECT)
            if changed and x not in value.symbols() and value.size <= _LARGEST:
                triples.update(((x, y, value), None) for y in value.symbols() if y.sort is INT)
    return list(triples)
