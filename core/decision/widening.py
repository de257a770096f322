"""Widths of bit-vectors that hold every value that formulas can compute, so that reading them as such is exact.

Every subterm has an interval, from the ranges of symbols. A width is taken in which neither a subterm nor any partial
result of an operation can overflow: then a statement about integers and the same statement about bit-vectors are one.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from core.analysis.bounds import Intervals
from core.terms import BIT_OPERATORS, INT, Op, Term, Treatment, subterms

OTHER_OPERATORS = Treatment.EXACT

_STEP = 8  # widths are multiples of it, so that few of them are in use
_WIDEST = 192


def has_bits(formulas: Iterable[Term]) -> bool:
    """Whether formulas have bit operators, which solvers know over bit-vectors alone."""
    return any(t.op in BIT_OPERATORS for t in subterms(*formulas))


def width(formulas: Sequence[Term], intervals: Intervals) -> int | None:
    """The number of bits that `formulas` need, sign included; None where no (reasonable) number does."""
    largest = 1
    for t in subterms(*formulas):
        size = _magnitude(t, intervals)
        if size is None:
            return None
        largest = max(largest, size)
    bits = largest.bit_length() + 2  # the sign, and room to correct a quotient or a remainder
    bits += -bits % _STEP
    return bits if bits <= _WIDEST else None


def _magnitude(t: Term, intervals: Intervals) -> int | None:
    """A bound on the absolute values of `t` and of the partial results of computing it; 0 for formulas and arrays."""
    if t.op is Op.FORALL:
        return None
    if t.op in (Op.LE, Op.EQ):
        return abs(t.value)
    if t.sort is not INT:
        return 0
    own = intervals(t).magnitude
    if own is None:
        return None
    if t.op is Op.LINEAR:
        partial = abs(t.constant)
        for c, a in zip(t.coefficients, t.args, strict=True):
            size = intervals(a).magnitude
            if size is None:
                return None
            partial += abs(c) * size + abs(c)
        return max(own, partial)
    if t.op is Op.MULTIPLY:
        product = 1
        for a in t.args:
            size = intervals(a).magnitude
            if size is None:
                return None
            product *= max(size, 1)
        return max(own, product)
    return own
