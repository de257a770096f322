"""Choices that wrap around: their sides are equal modulo 2^w, and w bits hold their values."""

from __future__ import annotations

from math import gcd

from core.dataclass import dataclass
from core.terms import Term
from core.terms.interval import Interval

_MAX_LEAVES = 4  # beyond both ends of a type, and within it


@dataclass(frozen=True, slots=True)
class Wrapped:
    """A choice whose value is that of the lowest `bits` of `value`, read with a sign or without."""

    value: Term
    bits: int
    signed: bool


def wrapped(t: Term, interval: Interval) -> Wrapped | None:
    """The number that a choice between integers wraps around, with all values in `interval`; None if it does not."""
    leaves, waiting = list[Term](), [t]
    while waiting:
        u = waiting.pop()
        if u.is_choice:
            waiting += u.args[1:]
        else:
            leaves.append(u)
        if len(leaves) + len(waiting) > _MAX_LEAVES:
            return None
    (first, constant), *others = map(_parts, leaves)
    if any(parts != first for parts, _ in others):
        return None
    turn = gcd(*(other - constant for _, other in others))
    bits = (turn & -turn).bit_length() - 1
    if bits <= 0 or interval.low is None or interval.high is None:
        return None
    value = min(leaves, key=lambda leaf: leaf.size)
    if interval.low >= 0 and interval.high < 1 << bits:
        return Wrapped(value, bits, signed=False)
    if -(1 << (bits - 1)) <= interval.low and interval.high < 1 << (bits - 1):
        return Wrapped(value, bits, signed=True)
    return None


def _parts(t: Term) -> tuple[tuple[tuple[int, Term], ...], int]:
    """The summands of a term, and its constant."""
    if t.is_constant:
        return (), t.value
    return (tuple(zip(t.coefficients, t.args, strict=True)), t.constant) if t.is_sum else (((1, t),), 0)
