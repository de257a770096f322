"""Tables of constants: functions from positions to numbers, each one object however many numbers it has."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from core.terms.interval import Interval

_SLICE = 4096  # positions of which the least and the greatest number are looked for


class NamedFunction(Protocol):
    """A function of integers to an integer that is the payload of a term; equal ones have one name."""

    @property
    def name(self) -> str: ...

    @property
    def arity(self) -> int: ...

    @property
    def is_commutative(self) -> bool: ...

    def value(self, *args: int) -> int: ...

    def interval(self, *args: Interval) -> Interval: ...

    def together(self, *args: Interval) -> Sequence[Interval]:
        """Intervals of arguments that give all values for arguments in intervals that are equal."""

    def simpler(
        self, constants: Sequence[int | None], *, are_equal: bool
    ) -> int | tuple[NamedFunction, tuple[int | None, ...]] | None:
        """The simpler form where some arguments are constants, or all are equal: an argument, by its position, or
        another function of its constants and the one argument that is none.
        """

    def doubles(self, constants: Sequence[int | None]) -> NamedFunction | None:
        """The sum, where the value is that of one argument, which is no constant, with itself."""

    def undoes(self, inner: NamedFunction) -> bool:
        """Whether the value is the argument of `inner`, whose value is the argument here."""

    def preimage(self, constants: Sequence[int | None], values: Interval) -> Interval | None:
        """The interval of the one argument that is no constant for which the value lies in an interval.

        None where that is no interval, or not found.
        """


class ConstantTable:
    """The numbers at the positions from 0; 0 elsewhere. Equal tables are equal, and have equal names."""

    __slots__ = ("_hash", "_range", "name", "values")

    def __init__(self, values: tuple[int, ...]) -> None:
        from hashlib import sha256  # a library that few programs need

        self.values = values
        text = ",".join(map(str, values))
        self.name = f"table_{sha256(text.encode()).hexdigest()}"
        self._hash = hash(self.name)
        self._range = Interval(min(values, default=0), max(values, default=0))

    def __hash__(self) -> int:
        return self._hash

    def __eq__(self, other: object) -> bool:
        return self is other or (isinstance(other, ConstantTable) and self.values == other.values)

    def value(self, position: int) -> int:
        return self.values[position] if 0 <= position < len(self.values) else 0

    def interval(self, positions: Interval) -> Interval:
        """All values for positions of an interval."""
        last = len(self.values) - 1
        low, high = positions.low, positions.high
        inside = low is not None and high is not None and 0 <= low <= high <= last
        if low is not None and high is not None and inside and high - low < _SLICE:
            part = self.values[low : high + 1]
            return Interval(min(part), max(part))
        return self._range if inside else self._range.join(Interval(0, 0))
