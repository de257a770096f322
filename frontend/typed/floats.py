"""Expressions whose values depend on floating-point numbers."""

from __future__ import annotations

from frontend.typed import tree
from frontend.typed.ctype import DataModel, Float, FloatKind, Integer, IntegerKind, Target

NAN_BITS = "the bits of a NaN"
"""The name of the inputs that choose sign and payload of a NaN, which C leaves open."""


def learns(e: tree.Node) -> bool:
    """Whether the value of the expression, which is none itself, depends on a floating-point number at once."""
    match e:
        case tree.Convert(operand=operand):
            return isinstance(operand.type, Float) and not isinstance(e.type, Float)
        case tree.Binary(left=operand) | tree.Unary(operand=operand):
            return isinstance(operand.type, Float) and not isinstance(e.type, Float)
        case _:
            return False


def truncates(e: tree.Node) -> bool:
    """Whether a floating-point number becomes an integer of a type that may not hold it."""
    match e:
        case tree.Convert(type=Integer(kind=kind), operand=operand):
            return isinstance(operand.type, Float) and kind is not IntegerKind.BOOL
        case tree.CompoundAssign(computation=computation, target=target):
            return isinstance(computation, Float) and isinstance(target.type, Integer)
        case _:
            return False


def computes(e: tree.Expression) -> bool:
    """Whether the value of the expression is a floating-point number that it makes itself, of its operands."""
    return isinstance(e.type, Float) and isinstance(e, tree.FloatConstant | tree.Convert | tree.Unary | tree.Binary)


def is_decided(type_: Float, model: DataModel) -> bool:
    """Whether the numbers of the type are those that its kind has elsewhere: `long double` is a double on ARM."""
    return type_.kind is not FloatKind.LONG_DOUBLE or model.target is not Target.ARM
