"""Candidates about arrays of two dimensions: what holds of the elements at row k and column l, within bounds of both.

Loops over rows and columns preserve two things: what holds of all rows before the present one, and what holds of the
columns of this one before the present one. So a bound says `k < i` or `k = i`, and the same of l, as the loops may go
through columns first. Bounds that leave out the first row or column, or compare both (triangles, diagonals), are tried
where nothing holds without them.

Heuristic throughout. Limitation: two dimensions.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations, product

from core.dataclass import dataclass
from core.decision.strides import monomials
from core.terms import Arena, Term
from methods.engines.acsar.cells import Layout
from methods.engines.acsar.sample_tables import FEWEST_ROWS, Table, linear_equations
from methods.engines.acsar.syntax_hints import Forms


@dataclass(frozen=True)
class GridGuesses:
    """The candidates at one relation: `bounds` are the scalars that may bound rows and columns."""

    arena: Arena
    layout: Layout
    forms: Forms
    visible: frozenset[Term]
    bounds: Sequence[Term]
    changing: Sequence[Term]
    indices: tuple[Term, Term]

    def candidates(self, table: Table) -> Iterator[Term]:
        """The candidates that hold in the rows of a table."""
        a = self.arena
        templates = list(self.forms.templates.at_grids(self.layout, self.visible, self.indices))
        elements = [grid.element(a, *p) for grid in self.layout.grids for p in (self.indices, self.indices[::-1])]
        regions, narrower = self._regions(), self._narrower()
        table.prepare([*regions, *narrower, *templates, *elements])
        within = {case: frozenset(self._satisfying(table, case)) for case in narrower}
        known: dict[tuple[int, ...], dict[Term, None]] = {}  # many regions have the same rows

        def literals(rows: Sequence[int]) -> dict[Term, None]:
            key = tuple(rows)
            if key not in known:
                found = [*self._of_text(table, rows, templates), *self._of_data(table, rows, elements)]
                known[key] = dict.fromkeys(found)
            return known[key]

        for region in regions:
            rows = self._satisfying(table, region)
            if not rows and len(table):
                continue
            held = literals(rows)
            yield from (a.implies(region, literal) for literal in held)
            for case, of_case in within.items():
                inside = [i for i in rows if i in of_case]
                if inside:
                    found = (literal for literal in literals(inside) if literal not in held)
                    yield from (a.implies(a.and_(region, case), literal) for literal in found)

    def _regions(self) -> list[Term]:
        a = self.arena
        before = {x: self._before(x) for x in self.indices}
        present = {x: [a.equals(x, t) for t in self.changing if t in self.forms.counting] for x in self.indices}
        k, l = self.indices  # noqa: E741 (the name in the paper)
        pairs = [*product(before[k], before[l]), *product(present[k], before[l]), *product(before[k], present[l])]
        return [a.and_(a.ge(k, a.zero), a.ge(l, a.zero), *pair) for pair in pairs]

    def _before(self, x: Term) -> list[Term]:
        a = self.arena
        found = [a.lt(x, t) for t in self.bounds]
        sizes = [t for t in self.bounds if t not in self.forms.falling]
        return [*found, *(a.and_(a.gt(x, t), a.lt(x, n)) for t in self.bounds if t not in sizes for n in sizes)]

    def _narrower(self) -> list[Term]:
        a, (k, l) = self.arena, self.indices  # noqa: E741
        later = [a.ge(k, a.one), a.ge(l, a.one)]
        found = [*later, a.and_(*later)]
        counting = self.forms.counting
        if any(len(g.symbols()) == 2 and g.symbols() <= counting for g in self.forms.guards):
            found += [a.le(l, k), a.lt(l, k), a.ge(l, k), a.gt(l, k), a.equals(l, k), a.not_(a.equals(l, k))]
        return found

    def _satisfying(self, table: Table, condition: Term) -> list[int]:
        column = table.column(condition)
        return [i for i, v in enumerate(column) if v] if column is not None else []

    def _of_text(self, table: Table, rows: Sequence[int], templates: Sequence[Term]) -> Iterator[Term]:
        for f in templates:
            if table.holds(f, rows):
                yield f
            if table.fails(f, rows):
                yield self.arena.not_(f)

    def _of_data(self, table: Table, rows: Sequence[int], elements: Sequence[Term]) -> Iterator[Term]:
        a = self.arena
        if len(rows) < FEWEST_ROWS:
            return
        columns = table.part(elements, rows)
        places = table.part(self.indices, rows)
        for v, values in columns.items():
            if len(set(values)) == 1:
                yield a.equals(v, a.integer(values[0]))
            else:
                equations = linear_equations(a, {v: values, **places})
                yield from (e for e in equations if any(m is v for m, _ in monomials(e.args[0])))
        for v, w in combinations(columns, 2):
            if columns[v] == columns[w]:
                yield a.equals(v, w)
