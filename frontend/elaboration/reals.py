"""Floating-point numbers in annotations, where reals and numbers of C agree: comparisons, and what a number is.

An operand that is NaN makes a comparison false, but for `!=`; infinities are greater and less than all numbers.
Limitations: arithmetic, and constants that are no numbers of the type `double`, are refused.
"""

from __future__ import annotations

from collections.abc import Sequence

from frontend.acsl import syntax
from frontend.elaboration.conversions import Conversions
from frontend.elaboration.memory_predicates import BoundedValue
from frontend.source import ParseError, Span, Unsupported
from frontend.typed import tree
from frontend.typed.ctype import Float, FloatKind, Integer
from frontend.typed.tree import BinaryOperator, Expression, UnaryOperator

_EXACT = 1 << 53
"""The integers up to it are numbers of the type `double`."""
_LONGEST = 1500
"""Characters of a constant, of which the exact value is computed."""
_SUFFIXES = {"f": FloatKind.FLOAT, "l": FloatKind.LONG_DOUBLE}
_OPERATORS = {
    "eq": BinaryOperator.EQUAL,
    "ne": BinaryOperator.UNEQUAL,
    "lt": BinaryOperator.LESS,
    "le": BinaryOperator.LESS_EQUAL,
    "gt": BinaryOperator.GREATER,
    "ge": BinaryOperator.GREATER_EQUAL,
}


class Reals:
    """Reads such terms in the scope of `unit`."""

    def __init__(self, unit: Conversions) -> None:
        self._unit = unit

    def constant(self, f: syntax.Real) -> BoundedValue:
        """A constant: with a suffix as C rounds it, else the real number, which a `double` must hold."""
        kind = _SUFFIXES.get(f.text[-1].lower())
        if kind is not None:
            return _number(f.span, f.text[:-1], Float(kind))
        if not _is_double(f.text):
            raise Unsupported(f.span, f"{f.text} is a real that is no number of type double")
        return _number(f.span, f.text, Float(FloatKind.DOUBLE))

    def opposite(self, value: BoundedValue, span: Span) -> BoundedValue:
        """The number with the other sign."""
        e = value.expression
        return BoundedValue(tree.Unary(span, e.type, UnaryOperator.NEGATE, e), (0, 0))

    def compare(self, operator: BinaryOperator, left: BoundedValue, right: BoundedValue, span: Span) -> Expression:
        """A comparison of numbers, one of them a floating-point number."""
        return self._unit.binary(operator, self._operand(left, span), self._operand(right, span), span)

    def _operand(self, value: BoundedValue, span: Span) -> Expression:
        e, (low, high) = value.expression, value.bounds
        if isinstance(e.type, Float):
            return e
        if not isinstance(e.type, Integer):
            raise ParseError(span, f"a floating-point number is compared with a value of type {e.type}")
        if not -_EXACT <= low <= high <= _EXACT:
            raise Unsupported(span, "an integer of more than 53 bits is compared with a floating-point number")
        return self._unit.converted(e, Float(FloatKind.DOUBLE))

    def predicate(self, f: syntax.FloatPredicate, values: Sequence[BoundedValue]) -> Expression:
        """A comparison as C has it, by a word of ACSL, or the answer whether a number is NaN, or infinite."""
        name, _, _ = f.word.removeprefix("\\").partition("_")
        if name in _OPERATORS:
            left, right = values
            return self.compare(_OPERATORS[name], left, right, f.span)
        (value,) = values
        if not isinstance(value.expression.type, Float):
            raise ParseError(f.span, f"{f.word} is about floating-point numbers, not {value.expression.type}")
        above = _number(f.span, "1e99999", value.expression.type)
        below = self.opposite(above, f.span)
        match f.word.removeprefix("\\is_"):
            case "NaN":
                return self.compare(BinaryOperator.UNEQUAL, value, value, f.span)
            case "plus_infinity":
                return self.compare(BinaryOperator.EQUAL, value, above, f.span)
            case "minus_infinity":
                return self.compare(BinaryOperator.EQUAL, value, below, f.span)
            case "infinite":
                ends = [self.compare(BinaryOperator.EQUAL, value, one, f.span) for one in (below, above)]
                return tree.Logical(f.span, self._unit.int_, tree.LogicalOperator.OR, *ends)
            case _:
                inside = [
                    self.compare(BinaryOperator.LESS, below, value, f.span),
                    self.compare(BinaryOperator.LESS, value, above, f.span),
                ]
                return tree.Logical(f.span, self._unit.int_, tree.LogicalOperator.AND, *inside)


def _number(span: Span, text: str, type_: Float) -> BoundedValue:
    return BoundedValue(tree.FloatConstant(span, type_, text), (0, 0))


def _is_double(text: str) -> bool:
    """Whether a constant without suffix is exactly a number of type `double`."""
    from fractions import Fraction  # what only texts with such numbers need

    from core.terms.floats import DOUBLE, of_text

    if len(text) > _LONGEST or not DOUBLE.is_finite(number := of_text(DOUBLE, text)):
        return False
    integer, exponent = DOUBLE.exact(number)
    if text[:2].lower() != "0x":
        _, _, power = text.lower().partition("e")
        if abs(int(power or 0)) > _LONGEST:
            return False
        return Fraction(integer) * Fraction(2) ** exponent == Fraction(text)
    digits, _, power = text[2:].lower().partition("p")
    whole, _, fraction = digits.partition(".")
    given = int(power) - 4 * len(fraction)
    return abs(given) < 8 * _LONGEST and Fraction(integer, 1) * Fraction(2) ** exponent == Fraction(2) ** given * int(
        whole + fraction, 16
    )
