"""Widths of bit-vectors that hold every value that formulas can compute, so that reading them as such is exact.

Every subterm has an interval, from the ranges of symbols. A width is taken in which neither a subterm nor any partial
result of an operation can overflow: then a statement about integers and the same statement about bit-vectors are one.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from core.analysis.bounds import Intervals
from core.terms import BIT_OPERATORS, BOOL, INT, Arena, Op, Substitution, Term, Treatment, subterms
from core.terms.traversal import replace_subterms

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


def bounded_part(arena: Arena, formulas: Sequence[Term], intervals: Intervals) -> tuple[list[Term], int | None]:
    """Formulas that follow from `formulas` and have a width, and this width: if they are refuted, so are `formulas`.

    Addresses often have no bounds, and index arrays. One that can be a single number becomes it. Elements at other such
    indices become symbols, which forgets that equal indices have equal elements. Comparisons of what still has no
    bounds become propositions.
    """
    known = intervals.assuming(formulas)
    single = {s: low for s in _integers(formulas) if (low := known(s).low) is not None and low == known(s).high}
    numbers = Substitution(arena, {s: arena.integer(low) for s, low in single.items()})
    weaker = [numbers(formula) for formula in formulas]
    known = intervals.assuming(weaker)
    reads = (t for t in subterms(*weaker) if t.op is Op.SELECT and t.sort is INT)
    elements = {t: arena.fresh("element", INT) for t in reads if known(t.args[1]).magnitude is None}
    weaker = [replace_subterms(arena, formula, elements) for formula in weaker]
    known = intervals.assuming(weaker)
    comparisons = (t for t in subterms(*weaker) if t.op in (Op.LE, Op.EQ))
    unbounded = {t: arena.fresh("comparison", BOOL) for t in comparisons if width([t], known) is None}
    bounded = [replace_subterms(arena, formula, unbounded) for formula in weaker]
    return bounded, width(bounded, known)


def _integers(formulas: Sequence[Term]) -> Iterator[Term]:
    return (t for t in subterms(*formulas) if t.op is Op.SYMBOL and t.sort is INT)


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
