"""Explicit values: integers, truth values, and arrays of which some cells are known. None: a value is not known."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import field

from core.dataclass import dataclass


@dataclass(frozen=True, slots=True)
class Cells:
    """An array: `entries` give cells (None: not known), `default` gives all others (None: not known).

    Normal form: no entry equals the default. Updates copy, so an array of n cells is filled in O(n²).
    """

    default: int | None = None
    entries: Mapping[int, int | None] = field(default_factory=dict)

    @property
    def says_nothing(self) -> bool:
        return self.default is None and not self.entries

    def at(self, index: int) -> int | None:
        return self.entries.get(index, self.default)

    def includes(self, other: Cells) -> bool:
        """Whether every array that `other` stands for is one of these."""
        if self.default is not None and self.default != other.default:
            return False
        known = all(value is None or other.at(index) == value for index, value in self.entries.items())
        return known and (
            self.default is None
            or all(index in self.entries or v == self.default for index, v in other.entries.items())
        )

    def updated(self, index: int, value: int | None) -> Cells:
        entries = dict(self.entries)
        if value == self.default:
            entries.pop(index, None)
        else:
            entries[index] = value
        return Cells(self.default, entries)

    def only(self, indices: Iterable[int]) -> Cells | None:
        """The array with these cells alone; None if none of them is known."""
        known = {index: value for index in indices if (value := self.at(index)) is not None}
        return Cells(None, known) if known else None

    def known_entries(self) -> list[tuple[int, int]]:
        """The entries that are known, by index."""
        return sorted((index, value) for index, value in self.entries.items() if value is not None)


Explicit = int | bool | Cells


# What compiled terms call; an array that is not known at all is None.


def store(array: Cells | None, index: int | None, value: int | None) -> Cells | None:
    """`array` after a write; where the index is not known, no cell is."""
    if index is None:
        return None
    result = (array or Cells()).updated(index, value)
    return None if result.says_nothing else result


def common(a: Explicit | None, b: Explicit | None) -> Explicit | None:
    """The join: what is known of a value that is `a` or `b`."""
    if isinstance(a, Cells) and isinstance(b, Cells):
        default = a.default if a.default == b.default else None
        result = Cells(default)
        for index in sorted({*a.entries, *b.entries}):
            value = a.at(index)
            result = result.updated(index, value if value == b.at(index) else None)
        return None if result.says_nothing else result
    return a if a == b else None


def meet(a: Explicit, b: Explicit) -> Explicit | None:
    """The meet: what is known of a value that is both `a` and `b`; None if there is none."""
    if isinstance(a, Cells) and isinstance(b, Cells):
        if a.default is not None and b.default is not None and a.default != b.default:
            return None
        result = Cells(a.default if a.default is not None else b.default)
        for index in sorted({*a.entries, *b.entries}):
            x, y = a.at(index), b.at(index)
            if x is not None and y is not None and x != y:
                return None
            result = result.updated(index, y if x is None else x)
        return result
    return a if a == b else None


def divide(a: int, b: int) -> int | None:
    """The quotient of SMT-LIB `div`; None where there is no value."""
    return None if b == 0 else (a - a % abs(b)) // b


def modulo(a: int, b: int) -> int | None:
    """The remainder of SMT-LIB `mod`; None where there is no value."""
    return None if b == 0 else a % abs(b)


_WIDEST_SHIFT = 1 << 12


def shift_left(a: int, distance: int) -> int | None:
    """The value of `a << distance`; None where there is none, or for a huge distance."""
    return a << distance if 0 <= distance <= _WIDEST_SHIFT else None


def shift_right(a: int, distance: int) -> int | None:
    """The value of `a >> distance`; None where there is none, or for a huge distance."""
    return a >> distance if 0 <= distance <= _WIDEST_SHIFT else None
