"""Tables of sampled values, and the simple formulas that hold in all their rows. Nothing here is trusted."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import cast

from core.parameters import parameter
from core.terms import Arena, Term
from methods.discovery.candidates import Columns, equations, quadratic_equations
from methods.engines.acsar.compiled import NotCompiled, SampleRow, compiled

FEWEST_ROWS = parameter("acsar.sample-tables.fewest-rows")
_PRIME = 1_000_003
_ATTEMPTS = parameter("acsar.sample-tables.attempts")


class Table:
    """Rows and the values of some terms in them."""

    def __init__(self, rows: Sequence[SampleRow]) -> None:
        self.rows = rows
        self._columns: dict[Term, list[int] | None] = {}

    def __len__(self) -> int:
        return len(self.rows)

    def column(self, term: Term) -> list[int] | None:
        """The values of a term; None where it has none in some row."""
        if term not in self._columns:
            self._compute([term])
        return self._columns[term]

    def prepare(self, terms: Iterable[Term]) -> None:
        """Compute columns together."""
        self._compute([t for t in dict.fromkeys(terms) if t not in self._columns])

    def _compute(self, terms: Sequence[Term]) -> None:
        if not terms:
            return
        try:
            function = compiled(terms)
            column = [function(row) for row in self.rows]
        except (NotCompiled, KeyError):
            column = [None]
        if None in column:
            for t in terms:
                if len(terms) == 1:
                    self._columns[t] = None
                else:
                    self._compute([t])
            return
        for i, t in enumerate(terms):
            self._columns[t] = [cast(int, values[i]) for values in column if values is not None]

    def holds(self, formula: Term, rows: Sequence[int]) -> bool:
        """Whether a formula is true in all these rows."""
        column = self.column(formula)
        return column is not None and all(column[i] for i in rows)

    def fails(self, formula: Term, rows: Sequence[int]) -> bool:
        """Whether a formula is false in all these rows."""
        column = self.column(formula)
        return column is not None and not any(column[i] for i in rows)

    def part(self, terms: Iterable[Term], rows: Sequence[int]) -> dict[Term, list[int]]:
        """The columns of those of `terms` that have values, in these rows."""
        found = ((t, self.column(t)) for t in terms)
        return {t: [column[i] for i in rows] for t, column in found if column is not None}


def linear_equations(arena: Arena, columns: Columns) -> list[Term]:
    """A basis of the linear equations that hold in all rows, if there are any: found in few rows, tried in all."""
    return _found(equations, arena, columns) if columns and _is_deficient(columns) else []


def quadratic(arena: Arena, columns: Columns) -> list[Term]:
    """Equations between variables and their products that hold in all rows."""
    return _found(quadratic_equations, arena, columns, 40)


def _found(
    make: Callable[[Arena, Columns], Iterator[Term]], arena: Arena, columns: Columns, sample: int = 10
) -> list[Term]:
    count = len(next(iter(columns.values()), ()))
    chosen = dict.fromkeys(range(0, count, max(1, count // sample)))
    candidates: list[Term] = []
    for _ in range(_ATTEMPTS):
        candidates = []
        wrong: dict[int, None] = {}
        for equation in make(arena, {x: [values[i] for i in chosen] for x, values in columns.items()}):
            bad = next((i for i in range(count) if not _satisfied(equation, columns, i)), None)
            if bad is None:
                candidates.append(equation)
            else:
                wrong[bad] = None
        if not wrong:
            break
        chosen.update(wrong)
    return candidates


def _satisfied(equation: Term, columns: Columns, row: int) -> bool:
    """Whether an equation between monomials holds in a row; `columns` has the factors."""
    if not equation.is_equation:
        return False
    body = equation.args[0]
    parts = zip(body.coefficients, body.args, strict=True) if body.is_sum else [(1, body)]
    total = 0
    for c, m in parts:
        product = 1
        for factor in (m,) if m in columns else m.args:
            if factor not in columns:
                return False
            product *= columns[factor][row]
        total += c * product
    return total == equation.value


def _is_deficient(columns: Columns) -> bool:
    """Whether columns and a constant one depend on each other in a sample of rows, modulo a prime."""
    lists = list(columns.values())
    count, width = len(lists[0]), len(lists) + 1
    pivots: list[tuple[int, list[int]]] = []
    for i in range(0, count, max(1, count // (width + 6))):
        row = [column[i] % _PRIME for column in lists] + [1]
        for j, pivot in pivots:
            factor = row[j]
            if factor:
                row = [(x - factor * y) % _PRIME for x, y in zip(row, pivot, strict=True)]
        lead = next((j for j, x in enumerate(row) if x), None)
        if lead is not None:
            inverse = pow(row[lead], _PRIME - 2, _PRIME)
            pivots.append((lead, [x * inverse % _PRIME for x in row]))
            if len(pivots) == width:
                return False
    return True
