"""Sorts of terms: Bool, Int, Real, fixed-width bit-vectors, arrays, and uninterpreted sorts."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class BoolSort:
    """Truth values; constants carry a Python `bool`."""

    def __str__(self) -> str:
        return "Bool"


@dataclass(frozen=True, slots=True)
class IntSort:
    """Mathematical integers; constants carry a Python `int`."""

    def __str__(self) -> str:
        return "Int"


@dataclass(frozen=True, slots=True)
class ArraySort:
    """Total maps from `index` to `element`."""

    index: Sort
    element: Sort

    def __str__(self) -> str:
        return f"(Array {self.index} {self.element})"


Sort = BoolSort | IntSort | ArraySort

BOOL = BoolSort()
INT = IntSort()
INT_ARRAY = ArraySort(INT, INT)
