"""Bit operations in linear integer arithmetic: masks are differences of remainders, shifts are factors and quotients.

Limitations: `&`, `|` and `^` need an operand within two bits, or a constant with at most two runs of ones; a shift by a
variable distance is a choice between all distances. More is better read as bit-vectors: solvers find nothing about
sums of many quotients and remainders, as in checksums, ciphers, and codes whose parts are packed into words.
"""

from __future__ import annotations

from collections.abc import Iterator

from core.terms import BOOL, Op, Term, Treatment
from frontend.lowering.arithmetic import Arithmetic, BoundedTerm, Undecided
from frontend.typed.ctype import Integer
from frontend.typed.tree import BinaryOperator

OTHER_OPERATORS = Treatment.OPAQUE

_EXPANDED_BITS = 2  # bitwise operators on wider operands are not expanded
_MAX_RUNS = 2  # of ones in a mask
_MAX_PACKED = 4  # words of a program that are put together of parts
_NESTING = 6  # choices that the search for trailing zeros looks through
_ALL_ZEROS = 128


class LinearBits(Arithmetic):
    """Implements `Arithmetic` with linear terms. Operations raise `Undecided` where that is not possible."""

    _packed = 0

    def _bitwise(self, operator: BinaryOperator, left: BoundedTerm, right: BoundedTerm) -> BoundedTerm:
        return self._and(left, right) if operator is BinaryOperator.AND else self._or(operator, left, right)

    def _and(self, left: BoundedTerm, right: BoundedTerm) -> BoundedTerm:
        for value, mask in ((left, right), (right, left)):
            if mask.constant is not None:
                return self._masked(value, mask.constant)
        if left.term is right.term:
            return left
        if _is_below(left, right) or _is_below(right, left):
            return self.constant(0)
        bits = min((v.high.bit_length() for v in (left, right) if v.low >= 0), default=_EXPANDED_BITS + 1)
        if bits > _EXPANDED_BITS:
            raise Undecided("this bit operation")
        if bits <= 1:
            return self.truth(self._arena.and_(self._bit(left, 0), self._bit(right, 0)))
        both = [
            (1 << k, self.number(self.truth(self._arena.and_(self._bit(left, k), self._bit(right, k)))))
            for k in range(bits)
        ]
        return BoundedTerm(self._arena.linear(both), 0, (1 << bits) - 1)

    def _or(self, operator: BinaryOperator, left: BoundedTerm, right: BoundedTerm) -> BoundedTerm:
        """`a | b = a + b - (a & b)` and `a ^ b = a + b - 2·(a & b)`."""
        if left.is_bit and right.is_bit:
            a, b = self.holds(left), self.holds(right)
            if operator is BinaryOperator.OR:
                return self.truth(self._arena.or_(a, b))
            return self.truth(self._arena.not_(self._arena.iff(a, b)))
        if left.term is right.term:
            return left if operator is BinaryOperator.OR else self.constant(0)
        if left.constant is None and right.constant is None:
            self._packed += 1
            if self._packed > _MAX_PACKED:
                raise Undecided("this bit operation")
        both = self.number(self._and(left, right))
        factor = -1 if operator is BinaryOperator.OR else -2
        term = self._arena.linear([(1, self.number(left)), (1, self.number(right)), (factor, both)])
        bits = max(v.bit_length() for v in (left.low, left.high, right.low, right.high))
        return BoundedTerm(term, 0 if left.low >= 0 and right.low >= 0 else -(1 << bits), (1 << bits) - 1)

    def _bit(self, value: BoundedTerm, k: int) -> Term:
        """Whether bit k is set."""
        if k == 0 and value.is_bit:
            return self.holds(value)
        shifted = self._arena.divide(self.number(value), self._arena.integer(1 << k))
        return self._arena.equals(self._arena.modulo(shifted, self._arena.integer(2)), self._arena.one)

    def _masked(self, value: BoundedTerm, mask: int) -> BoundedTerm:
        """`value & mask`: a difference of remainders for each run of ones in the mask."""
        if mask < 0:  # all but the bits of ~mask
            without = self._masked(value, ~mask)
            term = self._arena.subtract(self.number(value), self.number(without))
            low = value.low - without.high if value.low < 0 else 0
            return BoundedTerm(term, low, value.high)
        if value.low >= 0:
            mask &= (1 << value.high.bit_length()) - 1
            if value.high <= mask and mask & (mask + 1) == 0:
                return value
        parts: list[tuple[int, Term]] = []
        runs = list(_runs(mask))
        if len(runs) > _MAX_RUNS:
            raise Undecided("this bit operation")
        for first, end in runs:
            parts.append((1, self._remainder_of_power(value, end)))
            parts.append((-1, self._remainder_of_power(value, first)))
        return BoundedTerm(self._arena.linear(parts), 0, mask)

    def _remainder_of_power(self, value: BoundedTerm, exponent: int) -> Term:
        """The lowest bits; SMT-LIB's remainder is never negative."""
        if value.low >= 0 and value.high < 1 << exponent:
            return self.number(value)
        return self._arena.modulo(self.number(value), self._arena.integer(1 << exponent))

    def _shift_between(
        self, operator: BinaryOperator, left: BoundedTerm, right: BoundedTerm, ends: tuple[int, int], type_: Integer
    ) -> BoundedTerm:
        """A choice between the distances that are possible."""
        first, last = ends
        result = self._shift_by(operator, left, last, type_)
        for distance in range(last - 1, first - 1, -1):
            here = self._arena.equals(self.number(right), self._arena.integer(distance))
            one = self.settle(self._shift_by(operator, left, distance, type_), type_)
            result = self.choice(here, one, self.settle(result, type_))
        return result


def _is_below(low: BoundedTerm, high: BoundedTerm) -> bool:
    """Whether all ones of `low` are below the lowest that `high` can have."""
    return low.low >= 0 and low.high < 1 << _trailing_zeros(high.term, _NESTING)


def _trailing_zeros(t: Term, nesting: int) -> int:
    """A number of lowest bits that are 0 in every value of the term."""
    match t.op:
        case Op.CONSTANT if t.sort is not BOOL:
            return (t.value & -t.value).bit_length() - 1 if t.value else _ALL_ZEROS
        case Op.LINEAR:
            numbers = [c for c in (*t.coefficients, t.constant) if c]
            return min((c & -c).bit_length() - 1 for c in numbers)
        case Op.ITE | Op.MODULO if nesting:
            return min(_trailing_zeros(part, nesting - 1) for part in t.args[-2:])
        case _:
            return 0


def _runs(mask: int) -> Iterator[tuple[int, int]]:
    """The runs of ones in a number that is not negative: the first bit, and the bit after the last."""
    position = 0
    while mask >> position:
        if mask >> position & 1:
            first = position
            while mask >> position & 1:
                position += 1
            yield first, position
        else:
            position += 1
