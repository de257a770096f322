"""Affine hulls of points with integer coordinates, exactly (M. Karr, "Affine relationships among variables of a
program", 1976).
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import gcd, lcm
from typing import NamedTuple


class Equation(NamedTuple):
    """The sum of coordinates with integer coefficients, and a constant: it is 0 on a hull."""

    coefficients: tuple[int, ...]
    constant: int

    def at(self, point: Sequence[int]) -> int:
        return sum(c * x for c, x in zip(self.coefficients, point, strict=True)) + self.constant


class AffineHull:
    """The smallest affine space that has some points: one of them, and directions in reduced row echelon form."""

    def __init__(self, point: Sequence[int]) -> None:
        self._base = tuple(point)
        self._rows: dict[int, list[Fraction]] = {}  # by the first coordinate that is not 0

    def add(self, point: Sequence[int]) -> None:
        row = [Fraction(x - y) for x, y in zip(point, self._base, strict=True)]
        for pivot, other in self._rows.items():
            row = _without(row, other, pivot)
        first = next((i for i, x in enumerate(row) if x), None)
        if first is not None:
            row = [x / row[first] for x in row]
            self._rows = {i: _without(other, row, first) for i, other in self._rows.items()}
            self._rows[first] = row

    def is_constant(self, coefficients: Sequence[int]) -> bool:
        """Whether the sum of coordinates with these coefficients is the same at all points: equations imply it."""
        used = [(i, c) for i, c in enumerate(coefficients) if c]
        return all(sum(c * row[i] for i, c in used) == 0 for row in self._rows.values())

    def equations(self) -> list[Equation]:
        """Independent equations that hold of the hull and of nothing else."""
        rows: list[Equation] = []
        for free in range(len(self._base)):
            if free not in self._rows:
                normal = [Fraction(0)] * len(self._base)
                normal[free] = Fraction(1)
                for pivot, row in self._rows.items():
                    normal[pivot] = -row[free]
                rows.append(self._through_base(normal))
        return rows

    def _through_base(self, normal: Sequence[Fraction]) -> Equation:
        scale = lcm(*(x.denominator for x in normal))
        whole = [int(x * scale) for x in normal]
        divisor = gcd(*whole)
        coefficients = tuple(x // divisor for x in whole)
        return Equation(coefficients, -sum(c * x for c, x in zip(coefficients, self._base, strict=True)))


def _without(row: list[Fraction], other: Sequence[Fraction], pivot: int) -> list[Fraction]:
    """A row less the multiple of another that makes its coordinate `pivot` 0."""
    factor = row[pivot]
    return [x - factor * y for x, y in zip(row, other, strict=True)] if factor else list(row)
