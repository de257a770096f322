"""Intervals as pairs of bounds, and their arithmetic.

Nothing here is trusted; `core.analysis.bounds` has the arithmetic on which the check of certificates rests.
"""

from __future__ import annotations

Bound = int | None  # None: unbounded on that side
BoundPair = tuple[Bound, Bound]

TOP: BoundPair = (None, None)


def meet(a: BoundPair, b: BoundPair) -> BoundPair | None:
    """The numbers of both; None where there are none."""
    low = b[0] if a[0] is None else a[0] if b[0] is None else max(a[0], b[0])
    high = b[1] if a[1] is None else a[1] if b[1] is None else min(a[1], b[1])
    return None if low is not None and high is not None and low > high else (low, high)


def hull(a: BoundPair, b: BoundPair) -> BoundPair:
    """The least interval with the numbers of both."""
    low = None if a[0] is None or b[0] is None else min(a[0], b[0])
    high = None if a[1] is None or b[1] is None else max(a[1], b[1])
    return low, high


def plus(a: BoundPair, b: BoundPair) -> BoundPair:
    """The interval of a sum."""
    return (
        None if a[0] is None or b[0] is None else a[0] + b[0],
        None if a[1] is None or b[1] is None else a[1] + b[1],
    )


def minus(total: BoundPair, part: BoundPair) -> BoundPair:
    """The interval of the other summands of a sum: undoes `_plus` where both are bounded."""
    return (
        None if total[0] is None or part[0] is None else total[0] - part[0],
        None if total[1] is None or part[1] is None else total[1] - part[1],
    )


def scale(c: int, a: BoundPair) -> BoundPair:
    """The interval of the products with `c`, which is not 0."""
    low, high = (None if x is None else c * x for x in a)
    return (low, high) if c > 0 else (high, low)


def unscale(c: int, a: BoundPair) -> BoundPair:
    """The integers x with c·x in `a`."""
    low, high = a if c > 0 else (None if a[1] is None else -a[1], None if a[0] is None else -a[0])
    c = abs(c)
    return None if low is None else -(-low // c), None if high is None else high // c


def times(a: BoundPair, b: BoundPair) -> BoundPair:
    """The interval of a product."""
    if None in a or None in b:
        return TOP
    products = [x * y for x in a for y in b if x is not None and y is not None]
    return min(products), max(products)


def common_bits(a: BoundPair, b: BoundPair) -> BoundPair:
    """The interval of `a & b`, where an operand is not negative."""
    highs = [high for low, high in (a, b) if low is not None and low >= 0]
    return (0, min((h for h in highs if h is not None), default=None)) if highs else TOP


def all_bits(a: BoundPair, b: BoundPair) -> BoundPair:
    """The interval of `a | b` and `a ^ b`, where no operand is negative."""
    if a[0] is None or b[0] is None or a[0] < 0 or b[0] < 0 or a[1] is None or b[1] is None:
        return TOP
    return 0, (1 << max(a[1], b[1]).bit_length()) - 1


def without(a: BoundPair, value: int) -> BoundPair:
    """`a` without `value`, where that is one of its ends."""
    low, high = a
    return (
        low + 1 if low is not None and low == value else low,
        high - 1 if high is not None and high == value else high,
    )
