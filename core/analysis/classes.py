"""Classes of equivalent elements, which grow together (union-find)."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Generic, TypeVar

_T = TypeVar("_T", bound=Hashable)


class Classes(Generic[_T]):
    """A partition of elements; one of each class stands for all. At first, every element is alone in its class."""

    def __init__(self) -> None:
        self._above: dict[_T, _T] = {}

    def find(self, element: _T) -> _T:
        """The element that stands for the class of another."""
        above = self._above
        while (parent := above.get(element)) is not None:
            if (grandparent := above.get(parent)) is None:
                return parent
            above[element] = element = grandparent
        return element

    def join(self, element: _T, other: _T) -> None:
        """Unite the classes of two elements; what stands for that of `other` stands for both."""
        below, top = self.find(element), self.find(other)
        if below != top:
            self._above[below] = top
