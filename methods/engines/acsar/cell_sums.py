"""Candidates about sums of arrays whose elements have bounds: where each is at most b, so many are at most the sum.

A round adds `e(i)` to a variable y, a sum of elements at the counter i. Candidates are bounds of `e(k)` at every index
k, a constant or k itself, for even and for odd k of their own, and with these the bounds of y: after i rounds
`4 y <= i * i - 1` where i is odd, if `e(k) <= k` for even k and `e(k) <= 0` for odd k.

Heuristic throughout: only what holds in all samples is tried. Limitations: counters that count up by one; remainders of
two; bounds that are no multiples of an index.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product

from core.dataclass import dataclass
from core.terms import INT, Arena, ArraySort, Substitution, Term
from methods.discovery.horn import HornSystem
from methods.engines.acsar.prefix_ghosts import counters_of, loop_rules
from methods.engines.acsar.sample_tables import Table
from methods.engines.acsar.sums import difference, reads_elements

LinearBound = tuple[int, int]  # α and β of the bound α k + β


def _lines() -> tuple[LinearBound, ...]:
    """The bounds of one element that are tried: a constant, the index, and its negation."""
    return (0, 0), (0, 1), (0, -1), (1, 0), (-1, 0)


@dataclass(frozen=True)
class CellSum:
    """A variable to which each round of a loop adds `element`, which it reads at its counter."""

    relation: int
    total: Term
    counter: Term
    begin: int
    start: int
    element: Term

    def at(self, arena: Arena, k: Term) -> Term:
        """The element that is added after k others."""
        return Substitution(arena, {self.counter: arena.add(k, arena.integer(self.begin))})(self.element)


def cell_sums(arena: Arena, system: HornSystem) -> list[CellSum]:
    """The sums of elements that the loops of a system compute, in loops of one path."""
    return [one for relation in range(len(system.arguments)) for one in _sums_at(arena, system, relation)]


def _sums_at(arena: Arena, system: HornSystem, relation: int) -> Iterator[CellSum]:
    entering, inside = loop_rules(system, relation)
    step = system.rules[inside[0]].head if len(inside) == 1 else None
    if step is None:
        return
    arguments = system.arguments[relation]
    kept = {x for x, value in zip(arguments, step.values, strict=True) if value is x}
    for (counter, begin), (i, y) in product(counters_of(arena, system, relation), enumerate(arguments)):
        added = difference(arena, step.values[i], y) if y.sort is INT and y is not counter else None
        if added is not None and reads_elements(added) and added.symbols() <= kept | {counter}:
            heads = [system.rules[n].head for n in entering]
            starts = {head.values[i].value for head in heads if head is not None and head.values[i].is_constant}
            yield CellSum(relation, y, counter, begin, starts.pop() if len(starts) == 1 else 0, added)


class CellSumGuesses:
    """The candidates at one relation; `bounds` are terms up to which indices may run."""

    def __init__(
        self, arena: Arena, arguments: Sequence[Term], relation: int, sums: Sequence[CellSum], bounds: Sequence[Term]
    ) -> None:
        self._arena = arena
        self._arguments = frozenset(arguments)
        self._relation = relation
        self._sums = sums
        self._bounds = bounds

    def candidates(self, table: Table, rows: Table, k: Term) -> Iterator[Term]:
        """The candidates that hold in a table of states, and in one of these at values of the index k."""
        for one in self._sums:
            arrays = {s for s in one.element.symbols() if isinstance(s.sort, ArraySort)}
            if arrays <= self._arguments:
                yield from self._of_cells(one, rows, k)
            if self._relation == one.relation:
                found = [f for pair in product(_lines(), repeat=2) for f in self._of_total(one, *pair)]
                table.prepare(found)
                yield from (f for f in dict.fromkeys(found) if table.holds(f, range(len(table))))

    def _of_cells(self, one: CellSum, rows: Table, k: Term) -> Iterator[Term]:
        a, element = self._arena, one.at(self._arena, k)
        found: list[Term] = []
        for end, rest, line in product((None, *self._bounds), (None, 0, 1), _lines()):
            region = [a.ge(k, a.zero)] if end is None else [a.ge(k, a.zero), a.lt(k, end)]
            region += [] if rest is None else [self._leaves(k, rest)]
            limit = a.linear([(line[0], k)], line[1])
            found += [a.implies(a.and_(*region), f) for f in (a.le(element, limit), a.ge(element, limit))]
        rows.prepare(found)
        yield from (f for f in dict.fromkeys(found) if rows.holds(f, range(len(rows))))

    def _of_total(self, one: CellSum, even: LinearBound, odd: LinearBound) -> Iterator[Term]:
        """The bounds of a total if `even` and `odd` bound what is added after so many others."""
        a = self._arena
        count = a.subtract(one.counter, a.integer(one.begin))
        square, total = a.multiply(count, count), a.linear([(4, one.total)], -4 * one.start)
        for rest in (0, 1):
            (slope, constant), (other_slope, other_constant) = even, odd
            # Four times the sum of even indices below the count is its square without twice it (even) or one (odd); of
            # odd ones its square (even), or that of one less (odd). Half of all are even, one more if it is odd.
            linear = 2 * (constant + other_constant - (other_slope if rest else slope))
            rests = rest * (other_slope - slope + 2 * (constant - other_constant))
            limit = a.linear([(slope + other_slope, square), (linear, count)], rests)
            yield from (a.implies(self._leaves(count, rest), f) for f in (a.le(total, limit), a.ge(total, limit)))

    def _leaves(self, t: Term, rest: int) -> Term:
        return self._arena.equals(self._arena.modulo(t, self._arena.integer(2)), self._arena.integer(rest))
