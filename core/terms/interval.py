"""Intervals of integers, and what the operators of terms make of them.

No term is evaluated where it divides by 0, so what it gives there is a convention: that of bit-vectors of any width
(the remainder is the dividend, the quotient -1, of a negative dividend 0). Proofs over integers hold for every
convention.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol

from core.dataclass import dataclass

_WIDEST_SHIFT = 1024  # results of wider shifts are not bounded


class _Ends(Protocol):
    """Two numbers between which values lie."""

    @property
    def low(self) -> int: ...

    @property
    def high(self) -> int: ...


@dataclass(frozen=True, slots=True)
class Interval:
    """The integers from `low` to `high`; None: no bound on that side."""

    low: int | None
    high: int | None

    def within(self, bounds: _Ends) -> bool:
        return self.low is not None and self.high is not None and bounds.low <= self.low and self.high <= bounds.high

    def meet(self, other: Interval) -> Interval:
        lows = [b for b in (self.low, other.low) if b is not None]
        highs = [b for b in (self.high, other.high) if b is not None]
        return Interval(max(lows, default=None), min(highs, default=None))

    def join(self, other: Interval) -> Interval:
        low = None if self.low is None or other.low is None else min(self.low, other.low)
        high = None if self.high is None or other.high is None else max(self.high, other.high)
        return Interval(low, high)

    def scaled(self, factor: int, summand: int) -> Interval:
        """The interval of `factor · value + summand`, for `factor ≠ 0`."""
        low, high = (self.low, self.high) if factor > 0 else (self.high, self.low)
        return Interval(
            None if low is None else factor * low + summand, None if high is None else factor * high + summand
        )

    @property
    def magnitude(self) -> int | None:
        """The largest absolute value."""
        return None if self.low is None or self.high is None else max(abs(self.low), abs(self.high))

    @property
    def is_empty(self) -> bool:
        return self.low is not None and self.high is not None and self.low > self.high


ALL = Interval(None, None)


def sum_of(parts: Sequence[Interval], constant: int) -> Interval:
    """The interval of a sum."""
    low: int | None = constant
    high: int | None = constant
    for part in parts:
        low = None if low is None or part.low is None else low + part.low
        high = None if high is None or part.high is None else high + part.high
    return Interval(low, high)


def product(*factors: Interval) -> Interval:
    """The interval of a product: from the least to the greatest product of ends."""
    low = high = 1
    for factor in factors:
        if factor.low is None or factor.high is None:
            return ALL
        corners = [a * b for a in (low, high) for b in (factor.low, factor.high)]
        low, high = min(corners), max(corners)
    return Interval(low, high)


def quotient(a: Interval, b: Interval) -> Interval:
    """The interval of a Euclidean quotient: never larger than the dividend, but dividing by 0 gives -1 or 0."""
    if b.low is not None and b.low == b.high and b.low > 0:
        return Interval(None if a.low is None else a.low // b.low, None if a.high is None else a.high // b.low)
    size = a.magnitude
    return ALL if size is None else Interval(min(-size, -1), size)


def remainder(a: Interval, b: Interval) -> Interval:
    """The interval of a Euclidean remainder; the remainder of dividing by 0 is the dividend."""
    size = b.magnitude
    if size is None or b.low is None or b.high is None:
        return ALL
    if b.low <= 0 <= b.high:
        return a.join(Interval(0, max(size - 1, 0)))
    least = min(abs(b.low), abs(b.high))
    if a.low is not None and a.high is not None:
        if a.low >= 0 and a.high < least:
            return a
        if b.low == b.high and a.low // size == a.high // size:  # there is one quotient
            return Interval(a.low % size, a.high % size)
    return Interval(0, size - 1)


def common_bits(a: Interval, b: Interval) -> Interval:
    """The interval of `a & b`: below each operand that is not negative, and negative only where both are."""
    highs = [i.high for i in (a, b) if i.low is not None and i.low >= 0]
    if highs:
        return Interval(0, min((h for h in highs if h is not None), default=None))
    return _within_bits(a, b)


def all_bits(a: Interval, b: Interval) -> Interval:
    """The interval of `a | b` and `a ^ b`: no longer than the longest operand, and not negative where none is."""
    result = _within_bits(a, b)
    if a.low is not None and b.low is not None and a.low >= 0 and b.low >= 0:
        return Interval(0, result.high)
    return result


def _within_bits(a: Interval, b: Interval) -> Interval:
    """The signed numbers with as many bits as the longest of both intervals has."""
    ends = (a.low, a.high, b.low, b.high)
    bits = 0
    for end in ends:
        if end is None:
            return ALL
        bits = max(bits, (end if end >= 0 else ~end).bit_length())
    return Interval(-(1 << bits), (1 << bits) - 1)


def shifted(shift: Callable[[int, int], int], a: Interval, distance: Interval) -> Interval:
    """The interval of a shift, in the direction of `shift`."""
    if distance.low is None or distance.high is None or distance.low < 0 or distance.high > _WIDEST_SHIFT:
        return ALL
    if a.low is None or a.high is None:
        return ALL
    ends = [shift(end, d) for end in (a.low, a.high) for d in (distance.low, distance.high)]
    return Interval(min(ends), max(ends))


def signed_bits(value: int) -> int:
    """The bits of a signed vector that holds a number."""
    return 1 + (value if value >= 0 else ~value).bit_length()
