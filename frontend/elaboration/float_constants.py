"""The values of constant expressions of floating type, which integer constant expressions may convert (C11 6.6)."""

from __future__ import annotations

from collections.abc import Callable

from core.terms import floats
from core.terms.float_functions import float_function
from core.terms.floats import FloatFormat, of_text
from frontend.typed import tree
from frontend.typed.ctype import CType, Float, FloatKind, Integer, IntegerKind
from frontend.typed.float_formats import OPERATIONS, format_of
from frontend.typed.tree import BinaryOperator, UnaryOperator

FoldInteger = Callable[[tree.Expression], int | None]


def _format(type_: CType) -> FloatFormat | None:
    """The format of a floating type; None for `long double`, which has several."""
    return format_of(type_) if isinstance(type_, Float) and type_.kind is not FloatKind.LONG_DOUBLE else None


def converted(e: tree.Convert, fold: FoldInteger) -> int | None:
    """The integer that a constant becomes; None where its type does not hold it, or it is none."""
    format_, number = _format(e.operand.type), _number(e.operand, fold)
    if format_ is None or number is None or not isinstance(e.type, Integer):
        return None
    if e.type.kind is IntegerKind.BOOL:
        return int(not floats.is_zero(number))
    low, high = e.type.minimum, e.type.maximum
    value = floats.to_integer(format_, number, low - 1, high + 1)
    return value if low <= value <= high else None


def compared(e: tree.Binary, fold: FoldInteger) -> int | None:
    """The truth of a comparison of constants."""
    format_, left, right = _format(e.left.type), _number(e.left, fold), _number(e.right, fold)
    if format_ is None or left is None or right is None:
        return None
    match e.operator:
        case BinaryOperator.LESS:
            return int(floats.less(format_, left, right))
        case BinaryOperator.GREATER:
            return int(floats.less(format_, right, left))
        case BinaryOperator.LESS_EQUAL:
            return int(floats.less_equal(format_, left, right))
        case BinaryOperator.GREATER_EQUAL:
            return int(floats.less_equal(format_, right, left))
        case BinaryOperator.EQUAL:
            return int(floats.equal(format_, left, right))
        case _:
            return int(not floats.equal(format_, left, right))


def is_zero(e: tree.Expression, fold: FoldInteger) -> bool | None:
    """Whether a constant is zero; None for what is no constant."""
    number = _number(e, fold)
    return None if number is None else floats.is_zero(number)


def _number(e: tree.Expression, fold: FoldInteger) -> int | None:
    """The ordinal of a constant of type `float` or `double`."""
    format_ = _format(e.type)
    if format_ is None:
        return None
    match e:
        case tree.FloatConstant(text=text):
            try:
                return of_text(format_, text)
            except ValueError:
                return None
        case tree.Convert(operand=operand) if isinstance(operand.type, Float):
            source, number = _format(operand.type), _number(operand, fold)
            return None if source is None or number is None else floats.convert(format_, source, number)
        case tree.Convert(operand=operand):
            value = fold(operand)
            return None if value is None else floats.of_integer(format_, value)
        case tree.Unary(operator=UnaryOperator.NEGATE, operand=operand):
            number = _number(operand, fold)
            return None if number is None else floats.opposite(format_, number)
        case tree.Binary(operator=operator, left=left, right=right) if operator in OPERATIONS:
            first, second = _number(left, fold), _number(right, fold)
            function = float_function(OPERATIONS[operator], format_)
            return None if first is None or second is None else function.value(first, second)
        case tree.Conditional(condition=condition, then=then, otherwise=otherwise):
            chosen = fold(condition)
            return None if chosen is None else _number(then if chosen else otherwise, fold)
        case _:
            return None
