"""Congruences: linear equations of places modulo a power of two, which wrapping around does not disturb.

M. Karr, "Affine relationships among variables of a program", 1976; M. Müller-Olm, H. Seidl, "Analysis of modular
arithmetic", TOPLAS 2007. A *sum* maps places to coefficients, and None to
a constant. The equations are solved: each *pivot* is congruent to a sum of places that are no pivots.

Deviations: an equation without an odd coefficient cannot be solved for a place, and is dropped; what two systems have
in common is found by elimination (H. Zassenhaus) instead of generators. Since only what can be solved is kept, every
join that loses something has fewer pivots, and there is no need to widen.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import field

from core.dataclass import dataclass
from core.terms import Term

Coefficients = Mapping[Term | None, int]


@dataclass(frozen=True, eq=False, slots=True)
class Congruences:
    """The valuations in which each pivot is congruent to its sum in `rows`, modulo `modulus`."""

    modulus: int
    rows: Mapping[Term, Coefficients] = field(default_factory=dict)

    def places(self) -> Iterator[Term]:
        """The places of which something is known."""
        yield from dict.fromkeys(x for pivot, row in self.rows.items() for x in (pivot, *row) if x is not None)

    def equations(self) -> Iterator[Coefficients]:
        """The sums that are congruent to 0, with the smallest coefficients."""
        for pivot, row in self.rows.items():
            sum_ = self._added(row, -1, {pivot: 1})
            factors = (1, *(_denominator(c, self.modulus) for c in row.values()))
            multiples = ({x: self._small(f * c) for x, c in sum_.items()} for f in factors if f % 2)
            yield min(multiples, key=lambda one: max(abs(c) for x, c in one.items() if x is not None))

    def solved(self, sum_: Coefficients) -> Coefficients:
        """A congruent sum without pivots."""
        result: Coefficients = {}
        for x, c in sum_.items():
            row = None if x is None else self.rows.get(x)
            result = self._added(result, c, {x: 1} if row is None else row)
        return result

    def implies(self, other: Congruences) -> bool:
        """Whether every valuation of this one is one of `other`."""
        return all(row is self.rows.get(x) or self.solved({**row, x: -1}) == {} for x, row in other.rows.items())

    def constrained(self, sum_: Coefficients) -> Congruences | None:
        """The valuations in which `sum_` is congruent to 0; None if there are none."""
        rest = self.solved(sum_)
        pivot = min((x for x, c in rest.items() if x is not None and c % 2), key=lambda x: x.id, default=None)
        if pivot is None:
            return None if rest.keys() == {None} else self
        row = self._solution(rest, pivot)
        return Congruences(self.modulus, {**self._replaced(pivot, row), pivot: row})

    def without(self, places: Iterable[Term]) -> Congruences:
        """These congruences with nothing known about `places`."""
        result = self
        for x in places:
            result = result._without(x)
        return result

    def renamed(self, names: Mapping[Term, Term]) -> Congruences:
        """These congruences about other places: `names` maps some to new ones, of which nothing is known."""
        rows = {names.get(x, x): _renamed(row, names) for x, row in self.rows.items()}
        return Congruences(self.modulus, rows)

    def join(self, other: Congruences) -> Congruences:
        """The equations that hold in both."""
        if self is other or (self.implies(other) and other.implies(self)):
            return self
        joined = Congruences(self.modulus)
        work = [(sum_, sum_) for sum_ in self.equations()] + [(sum_, {}) for sum_ in other.equations()]
        while work:
            first, common = work.pop()
            if not first:
                joined = joined.constrained(common) or joined
                continue
            column = next(iter(first))
            rows = [(first, common), *((a, b) for a, b in work if column in a)]
            work = [(a, b) for a, b in work if column not in a]
            work += self._eliminated(column, rows)
        return joined

    def _eliminated(
        self, column: Term | None, rows: list[tuple[Coefficients, Coefficients]]
    ) -> list[tuple[Coefficients, Coefficients]]:
        """The rows without a column, of pairs whose first sums have it; the same combination is made of both sums."""
        lead, rest = min(rows, key=lambda pair: _power(pair[0][column]))
        power = _power(lead[column])
        inverse = pow(lead[column] // power, -1, self.modulus)
        made = []
        for first, common in rows:
            # The leading row itself is multiplied by what makes its coefficient 0.
            if first is lead and common is rest:
                factor = self.modulus // power
                pair = self._added({}, factor, lead), self._added({}, factor, rest)
            else:
                factor = -first[column] // power * inverse
                pair = self._added(first, factor, lead), self._added(common, factor, rest)
            if pair != ({}, {}):
                made.append(pair)
        return made

    def _without(self, x: Term) -> Congruences:
        if x in self.rows:
            return Congruences(self.modulus, {y: row for y, row in self.rows.items() if y is not x})
        pivot = next((y for y, row in self.rows.items() if row.get(x, 0) % 2), None)
        rows: Mapping[Term, Coefficients] = self.rows
        if pivot is not None:
            solution = self._solution(self._added(rows[pivot], -1, {pivot: 1}), x)
            rows = {y: row for y, row in self._replaced(x, solution).items() if y is not pivot}
        return Congruences(self.modulus, {y: row for y, row in rows.items() if x not in row})

    def _solution(self, sum_: Coefficients, x: Term) -> Coefficients:
        """The sum that `x`, whose coefficient is odd, is congruent to where `sum_` is congruent to 0."""
        return self._added({}, -pow(sum_[x], -1, self.modulus), {y: c for y, c in sum_.items() if y is not x})

    def _replaced(self, x: Term, value: Coefficients) -> dict[Term, Coefficients]:
        """The rows with a sum in place of `x`."""
        rows = self.rows.items()
        return {y: self._added({**row, x: 0}, row[x], value) if x in row else row for y, row in rows}

    def _added(self, sum_: Coefficients, factor: int, other: Coefficients) -> Coefficients:
        result = dict(sum_)
        for x, c in other.items():
            result[x] = result.get(x, 0) + factor * c
        return {x: c % self.modulus for x, c in result.items() if c % self.modulus}

    def _small(self, c: int) -> int:
        c %= self.modulus
        return c - self.modulus if c > self.modulus // 2 else c


def _renamed(sum_: Coefficients, names: Mapping[Term, Term]) -> Coefficients:
    return {x if x is None else names.get(x, x): c for x, c in sum_.items()}


def _denominator(c: int, modulus: int) -> int:
    """A small number whose product with `c` is congruent to a small one (P. Wang, "A p-adic algorithm", 1981)."""
    r, s, before, after = modulus, c, 0, 1
    while s * s > modulus:
        r, s, before, after = s, r % s, after, before - r // s * after
    return after


def _power(c: int) -> int:
    """The greatest power of two that divides a number."""
    return c & -c
