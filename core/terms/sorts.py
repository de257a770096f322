"""Sorts of terms: Bool, Int, and arrays over them."""

from __future__ import annotations

from core.dataclass import dataclass


@dataclass(frozen=True, slots=True)
class BoolSort:
    """The sort of truth values; constants carry a Python `bool`."""

    def __str__(self) -> str:
        return "Bool"


@dataclass(frozen=True, slots=True)
class IntSort:
    """The sort of mathematical integers; constants carry a Python `int`."""

    def __str__(self) -> str:
        return "Int"


@dataclass(frozen=True, slots=True)
class ArraySort:
    """The sort of total maps from `index` to `element`."""

    index: Sort
    element: Sort

    def __str__(self) -> str:
        return f"(Array {self.index} {self.element})"


Sort = BoolSort | IntSort | ArraySort

BOOL = BoolSort()
INT = IntSort()
INT_ARRAY = ArraySort(INT, INT)
