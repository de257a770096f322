"""Machine integers as mathematical ones: every operation of C on integer types, with explicit wrap-around.

Arithmetic may leave its result *unsettled*: equal to the C value only modulo 2^bits of its type. Addition, subtraction,
negation, complement, constant factors, masks by powers of two and narrowing conversions work on unsettled values, so
`a + b + c` wraps once; `settle` wraps. Bounds are syntactic: they come from constants, the ranges of variables, and
interval arithmetic.

Arithmetic is that of gcc with -fwrapv; the right shift of a negative number is arithmetic. What bit operations become
is the choice of an implementation: sums and remainders (`linear_bits`), or operators of their own (`bit_operators`).
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable

from core.dataclass import dataclass
from core.terms import BOOL, Arena, Term
from frontend.lowering.ordinals import ordinals
from frontend.source import Unsupported
from frontend.typed.ctype import CType, Float, Integer, IntegerKind, Pointer
from frontend.typed.tree import BinaryOperator

SIGNED_WRAP = "signed overflow wraps around (as with -fwrapv)"


ADDRESS = Integer(IntegerKind.INT128, 256, signed=True)
"""Stands for the type of pointers: an address is a number that never wraps around, and has no range."""
WIDE = Integer(IntegerKind.INT128, 124, signed=False)
"""The type of addresses where solvers read all numbers as bits, which have bounds."""
BLOCK_NUMBER = Integer(IntegerKind.INT128, 43, signed=False)
"""The numbers of objects, in that case."""


def number_type(type_: CType) -> Integer | None:
    """The type of the numbers that stand for a scalar; None where a program has none for it."""
    if isinstance(type_, Float):
        return ordinals(type_)
    return ADDRESS if isinstance(type_, Pointer) else type_ if isinstance(type_, Integer) else None


class BitsNeeded(Unsupported):
    """A bit operation that linear integer arithmetic does not express."""


class Undecided(Exception):
    """An operation that this arithmetic does not express exactly; the message says which."""


@dataclass(frozen=True, slots=True)
class BoundedTerm:
    """An Int term, or a Bool term that stands for 1 or 0, whose number lies between `low` and `high`."""

    term: Term
    low: int
    high: int

    @property
    def is_truth(self) -> bool:
        return self.term.sort is BOOL

    @property
    def is_bit(self) -> bool:
        """Whether the number is 0 or 1."""
        return self.low >= 0 and self.high <= 1

    @property
    def constant(self) -> int | None:
        if not self.term.is_constant:
            return None
        return int(self.term.payload) if isinstance(self.term.payload, bool | int) else None


def address_value(term: Term, low: int, high: int) -> BoundedTerm:
    """An address, maybe unsettled, with bounds as far as addresses have some."""
    return BoundedTerm(term, max(low, ADDRESS.minimum), min(high, ADDRESS.maximum))


class Arithmetic(ABC):
    """Operations on values over one arena. `assume` receives each assumption that an operation rests on.

    `address` is the type of addresses where these have bounds; ADDRESS stands for it.
    """

    def __init__(self, arena: Arena, assume: Callable[[str], None], address: Integer = ADDRESS) -> None:
        self._arena = arena
        self._assume = assume
        self._address = address

    # Making and reading values

    def constant(self, value: int) -> BoundedTerm:
        return BoundedTerm(self._arena.integer(value), value, value)

    @property
    def arena(self) -> Arena:
        return self._arena

    def unsigned(self, value: BoundedTerm, bits: int) -> Term:
        """The two's complement number of that many bits, seen as one without sign."""
        return self.number(self.settle(value, Integer(IntegerKind.UINT128, bits, signed=False)))

    def of_type(self, term: Term, type_: Integer) -> BoundedTerm:
        """The value of a term within the range of its type."""
        type_ = self._address if type_ == ADDRESS else type_
        return BoundedTerm(term, type_.minimum, type_.maximum)

    def truth(self, condition: Term) -> BoundedTerm:
        """1 where the Bool term holds, else 0."""
        return BoundedTerm(condition, int(condition.is_true), int(not condition.is_false))

    def number(self, value: BoundedTerm) -> Term:
        """The value as an Int term."""
        if value.is_truth:
            return self._arena.ite(value.term, self._arena.one, self._arena.zero)
        return value.term

    def holds(self, value: BoundedTerm) -> Term:
        """The Bool term that says that a settled value is not 0."""
        if value.is_truth:
            return value.term
        if value.low > 0 or value.high < 0:
            return self._arena.true
        return self._arena.not_(self._arena.equals(value.term, self._arena.zero))

    def choice(self, condition: Term, then: BoundedTerm, otherwise: BoundedTerm) -> BoundedTerm:
        """`then` where the Bool term holds, else `otherwise`."""
        if condition.is_true or condition.is_false:
            return then if condition.is_true else otherwise
        low, high = min(then.low, otherwise.low), max(then.high, otherwise.high)
        if then.is_truth and otherwise.is_truth:
            return BoundedTerm(self._arena.ite(condition, then.term, otherwise.term), low, high)
        return BoundedTerm(self._arena.ite(condition, self.number(then), self.number(otherwise)), low, high)

    # Wrap-around and conversions

    def settle(self, value: BoundedTerm, type_: Integer) -> BoundedTerm:
        """The value within the range of its type, to which it is equal modulo 2^bits."""
        if type_ == ADDRESS:
            type_ = self._address
        low, high = type_.minimum, type_.maximum
        if low <= value.low and value.high <= high:
            return value
        span, t, arena = 1 << type_.bits, self.number(value), self._arena
        shift = (value.low - low) // span
        if shift == (value.high - low) // span:  # both bounds wrap alike
            return BoundedTerm(
                arena.add(t, arena.integer(-shift * span)), value.low - shift * span, value.high - shift * span
            )
        if value.low < low - span or value.high > high + span:
            rest = arena.modulo(arena.subtract(t, arena.integer(low)), arena.integer(span))
            return BoundedTerm(arena.add(rest, arena.integer(low)), low, high)
        result = t
        if value.low < low:
            result = arena.ite(arena.lt(t, arena.integer(low)), arena.add(t, arena.integer(span)), result)
        if value.high > high:
            result = arena.ite(arena.gt(t, arena.integer(high)), arena.subtract(t, arena.integer(span)), result)
        return BoundedTerm(result, low, high)

    def convert(self, value: BoundedTerm, source: Integer, target: Integer) -> BoundedTerm:
        """The value, unsettled in `source`, converted to `target`, where it may be unsettled again."""
        source, target = (self._address if one == ADDRESS else one for one in (source, target))
        if target.kind is IntegerKind.BOOL:
            return self.truth(self.holds(self.settle(value, source)))
        return value if target.bits <= source.bits else self.settle(value, source)

    def _computed(self, term: Term, low: int, high: int, type_: Integer) -> BoundedTerm:
        """A result of signed or unsigned arithmetic; where a signed one can leave its type, that is assumed to wrap."""
        if type_.signed and not (type_.minimum <= low and high <= type_.maximum):
            self._assume(SIGNED_WRAP)
        return BoundedTerm(term, low, high)

    # Operators

    def negate(self, value: BoundedTerm, type_: Integer) -> BoundedTerm:
        return self._computed(self._arena.negate(self.number(value)), -value.high, -value.low, type_)

    def complement(self, value: BoundedTerm) -> BoundedTerm:
        term = self._arena.subtract(self._arena.integer(-1), self.number(value))
        return BoundedTerm(term, -1 - value.high, -1 - value.low)

    def binary(self, operator: BinaryOperator, left: BoundedTerm, right: BoundedTerm, type_: Integer) -> BoundedTerm:
        """`left operator right`, of operands unsettled in `type_`; maybe unsettled.

        A divisor is not 0 and a shift distance (settled in its own type) fits the type wherever the term is used.
        Raises Undecided.
        """
        match operator:
            case BinaryOperator.ADD | BinaryOperator.SUBTRACT:
                return self._sum(operator, left, right, type_)
            case BinaryOperator.MULTIPLY:
                return self._product(left, right, type_)
            case BinaryOperator.SHIFT_LEFT | BinaryOperator.SHIFT_RIGHT:
                return self._shift(operator, left, right, type_)
            case _:
                return self._settled(operator, left, right, type_)

    def _settled(self, operator: BinaryOperator, left: BoundedTerm, right: BoundedTerm, type_: Integer) -> BoundedTerm:
        """The operators that need the values themselves."""
        left, right = self.settle(left, type_), self.settle(right, type_)
        match operator:
            case BinaryOperator.DIVIDE:
                return self._quotient(left, right, type_)
            case BinaryOperator.REMAINDER:
                return self._remainder(left, right)
            case BinaryOperator.AND | BinaryOperator.OR | BinaryOperator.XOR:
                return self._bitwise(operator, left, right)
            case _:
                return self.compare(operator, left, right)

    def _sum(self, operator: BinaryOperator, left: BoundedTerm, right: BoundedTerm, type_: Integer) -> BoundedTerm:
        result = self._plain_sum(operator, left, right)
        span = 1 << type_.bits
        if result.low < type_.minimum - span or result.high > type_.maximum + span:
            # One choice per side would no longer do: wrap the operands first.
            result = self._plain_sum(operator, self.settle(left, type_), self.settle(right, type_))
        return self._computed(result.term, result.low, result.high, type_)

    def _plain_sum(self, operator: BinaryOperator, left: BoundedTerm, right: BoundedTerm) -> BoundedTerm:
        a, b = self.number(left), self.number(right)
        if operator is BinaryOperator.ADD:
            return BoundedTerm(self._arena.add(a, b), left.low + right.low, left.high + right.high)
        return BoundedTerm(self._arena.subtract(a, b), left.low - right.high, left.high - right.low)

    def _product(self, left: BoundedTerm, right: BoundedTerm, type_: Integer) -> BoundedTerm:
        if left.constant is None or right.constant is None:
            left, right = self.settle(left, type_), self.settle(right, type_)
        corners = [x * y for x in (left.low, left.high) for y in (right.low, right.high)]
        term = self._arena.multiply(self.number(left), self.number(right))
        return self._computed(term, min(corners), max(corners), type_)

    def _quotient(self, left: BoundedTerm, right: BoundedTerm, type_: Integer) -> BoundedTerm:
        a, b = self.number(left), self.number(right)
        quotient = self._toward_zero(left, self._arena.divide, a, b)
        least, most = max(right.low, 1), right.high  # of a positive divisor
        if right.low >= 0 and most >= least:
            # Monotone in the dividend; the divisor of least size gives the extremes of each sign.
            low = _truncated(left.low, least if left.low < 0 else most)
            high = _truncated(left.high, most if left.high < 0 else least)
        else:
            high = max(abs(left.low), abs(left.high))
            low = -high
        return self._computed(quotient, low, high, type_)

    def _remainder(self, left: BoundedTerm, right: BoundedTerm) -> BoundedTerm:
        a, b = self.number(left), self.number(right)
        size = max(abs(right.low), abs(right.high)) - 1
        if left.low >= 0 and left.high < right.low:
            return left
        low = 0 if left.low >= 0 else max(-size, left.low)
        high = 0 if left.high <= 0 else min(size, left.high)
        return BoundedTerm(self._toward_zero(left, self._arena.modulo, a, b), low, high)

    def _toward_zero(self, left: BoundedTerm, operation: Callable[[Term, Term], Term], a: Term, b: Term) -> Term:
        """SMT-LIB's `div` and `mod` agree with C for a dividend that is not negative, whatever the divisor's sign."""
        arena = self._arena
        if left.low >= 0:
            return operation(a, b)
        mirrored = arena.negate(operation(arena.negate(a), b))
        if left.high <= 0:
            return mirrored
        return arena.ite(arena.ge(a, arena.zero), operation(a, b), mirrored)

    # What the two arithmetics do in their own way

    @abstractmethod
    def _bitwise(self, operator: BinaryOperator, left: BoundedTerm, right: BoundedTerm) -> BoundedTerm:
        """`&`, `|` or `^` of settled values of one type, seen as two's complement numbers of any length."""

    def _shift(self, operator: BinaryOperator, left: BoundedTerm, right: BoundedTerm, type_: Integer) -> BoundedTerm:
        """A shift of a value that may be unsettled; the distance lies within 0 and `bits - 1` where it matters."""
        first, last = max(right.low, 0), min(right.high, type_.bits - 1)
        if first > last:
            return self.constant(0)  # the path has ended
        if operator is BinaryOperator.SHIFT_RIGHT or first != last:
            left = self.settle(left, type_)
        if first == last:
            return self._shift_by(operator, left, first, type_)
        return self._shift_between(operator, left, right, (first, last), type_)

    @abstractmethod
    def _shift_between(
        self, operator: BinaryOperator, left: BoundedTerm, right: BoundedTerm, ends: tuple[int, int], type_: Integer
    ) -> BoundedTerm:
        """A shift of a settled value by a distance that is not known, between the ends."""

    def _shift_by(self, operator: BinaryOperator, left: BoundedTerm, distance: int, type_: Integer) -> BoundedTerm:
        """A shift by a constant; to the right only of a settled value."""
        factor, t = 1 << distance, self.number(left)
        if operator is BinaryOperator.SHIFT_RIGHT:
            return BoundedTerm(
                self._arena.divide(t, self._arena.integer(factor)), left.low // factor, left.high // factor
            )
        term = self._arena.multiply(t, self._arena.integer(factor))
        return self._computed(term, left.low * factor, left.high * factor, type_)

    # Comparisons

    def compare(self, operator: BinaryOperator, left: BoundedTerm, right: BoundedTerm) -> BoundedTerm:
        """A comparison of settled values of one type."""
        arena = self._arena
        match operator:
            case BinaryOperator.LESS:
                return self._less(left, right)
            case BinaryOperator.GREATER:
                return self._less(right, left)
            case BinaryOperator.LESS_EQUAL:
                return self.truth(arena.not_(self._less(right, left).term))
            case BinaryOperator.GREATER_EQUAL:
                return self.truth(arena.not_(self._less(left, right).term))
            case BinaryOperator.EQUAL:
                return self.truth(self._equal(left, right))
            case BinaryOperator.UNEQUAL:
                return self.truth(arena.not_(self._equal(left, right)))
            case _:
                raise AssertionError(f"{operator} is no comparison")

    def _less(self, left: BoundedTerm, right: BoundedTerm) -> BoundedTerm:
        if left.high < right.low or left.low >= right.high:
            return self.truth(self._arena.boolean(left.high < right.low))
        return self.truth(self._arena.lt(self.number(left), self.number(right)))

    def _equal(self, left: BoundedTerm, right: BoundedTerm) -> Term:
        if left.high < right.low or left.low > right.high:
            return self._arena.false
        if left.is_truth and right.is_truth:
            return self._arena.iff(left.term, right.term)
        return self._arena.equals(self.number(left), self.number(right))


def _truncated(a: int, b: int) -> int:
    """The quotient as C has it."""
    return a // b if (a < 0) == (b < 0) else -(-a // b)


MakeArithmetic = Callable[[Arena, Callable[[str], None], Integer], Arithmetic]
"""The constructor of an implementation."""

__all__ = [
    "ADDRESS",
    "BLOCK_NUMBER",
    "SIGNED_WRAP",
    "WIDE",
    "Arithmetic",
    "BitsNeeded",
    "BoundedTerm",
    "MakeArithmetic",
    "Undecided",
    "address_value",
    "number_type",
]
