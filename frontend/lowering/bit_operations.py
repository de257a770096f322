"""Bit operations as operators of the term language, for programs in which linear arithmetic does not express them all.

Numbers stay mathematical, with explicit wrap-around; `&` and its like are those of two's complement numbers without a
last bit, so settled operands give a settled result. Solvers read such programs as bit-vectors.
"""

from __future__ import annotations

from core.terms import Term
from frontend.lowering.arithmetic import Arithmetic, BoundedTerm
from frontend.typed.ctype import Integer
from frontend.typed.tree import BinaryOperator


class BitOperations(Arithmetic):
    """Implements `Arithmetic`; every operation is expressed."""

    def _bitwise(self, operator: BinaryOperator, left: BoundedTerm, right: BoundedTerm) -> BoundedTerm:
        if left.is_bit and right.is_bit:
            return self.truth(self._of_bits(operator, self.holds(left), self.holds(right)))
        a, b = self.number(left), self.number(right)
        bits = max((end if end >= 0 else ~end).bit_length() for v in (left, right) for end in (v.low, v.high))
        low = 0 if left.low >= 0 and right.low >= 0 else -(1 << bits)
        match operator:
            case BinaryOperator.AND:
                return self._and(left, right, low)
            case BinaryOperator.OR:
                return self._folded(self._arena.bit_or(a, b), max(low, min(left.low, right.low)), (1 << bits) - 1)
            case _:
                return self._folded(self._arena.bit_xor(a, b), low, (1 << bits) - 1)

    def _and(self, left: BoundedTerm, right: BoundedTerm, low: int) -> BoundedTerm:
        for value, other in ((left, right), (right, left)):
            mask = other.constant  # its bounds may be wider than the constant is
            if mask is not None and mask & (mask + 1) == 0 and value.low >= 0 and value.high <= mask:
                return value
        highs = [value.high for value in (left, right) if value.low >= 0]
        term = self._arena.bit_and(self.number(left), self.number(right))
        return self._folded(term, 0 if highs else low, min(highs) if highs else max(left.high, right.high))

    def _of_bits(self, operator: BinaryOperator, a: Term, b: Term) -> Term:
        match operator:
            case BinaryOperator.AND:
                return self._arena.and_(a, b)
            case BinaryOperator.OR:
                return self._arena.or_(a, b)
            case _:
                return self._arena.not_(self._arena.iff(a, b))

    def _folded(self, term: Term, low: int, high: int) -> BoundedTerm:
        value = BoundedTerm(term, low, high)
        return value if value.constant is None else self.constant(value.constant)

    def _shift_between(
        self, operator: BinaryOperator, left: BoundedTerm, right: BoundedTerm, ends: tuple[int, int], type_: Integer
    ) -> BoundedTerm:
        """The distance is taken modulo the width of the type: so the term has a value everywhere."""
        arena, t = self._arena, self.number(left)
        distance = arena.modulo(self.number(right), arena.integer(type_.bits))
        if operator is BinaryOperator.SHIFT_LEFT:
            corners = [bound << d for bound in (left.low, left.high) for d in ends]
            return self._computed(arena.shift_left(t, distance), min(corners), max(corners), type_)
        corners = [bound >> d for bound in (left.low, left.high) for d in ends]
        return BoundedTerm(arena.shift_right(t, distance), min(corners), max(corners))
