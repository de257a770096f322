"""Expressions whose values depend on floating-point numbers."""

from __future__ import annotations

import math
import struct

from frontend.typed import tree
from frontend.typed.ctype import Float, FloatKind, Integer, IntegerKind
from frontend.typed.tree import UnaryOperator

_LARGEST_EXACT = 1 << 53


def learns(e: tree.Node) -> bool:
    """Whether the value of the expression, which is none itself, depends on a floating-point number at once."""
    match e:
        case tree.Convert(operand=operand):
            return isinstance(operand.type, Float) and not isinstance(e.type, Float)
        case tree.Binary(left=left):
            return isinstance(left.type, Float) and not isinstance(e.type, Float)
        case _:
            return False


def constant_number(e: tree.Expression) -> float | None:
    """The value of a constant of type `float` or `double`; None where the expression is not seen to be one."""
    match e:
        case tree.FloatConstant(type=Float(kind=FloatKind.FLOAT | FloatKind.DOUBLE), text=text):
            number = float.fromhex(text) if text[:2] in ("0x", "0X") else float(text)
            return _rounded(number, e.type)
        case tree.IntegerConstant(value=value):
            return float(value) if abs(value) <= _LARGEST_EXACT else None
        case tree.Convert(type=Float(kind=FloatKind.FLOAT | FloatKind.DOUBLE), operand=operand):
            inner = constant_number(operand)
            return None if inner is None else _rounded(inner, e.type)
        case tree.Unary(operator=UnaryOperator.NEGATE, type=Float(), operand=operand):
            inner = constant_number(operand)
            return None if inner is None else -inner
        case _:
            return None


def _rounded(number: float, type_: object) -> float | None:
    """The number in the type; None where a `float` does not hold it."""
    if type_ == Float(FloatKind.DOUBLE):
        return number
    try:
        (rounded,) = struct.unpack("<f", struct.pack("<f", number))
    except OverflowError:
        return None
    return float(rounded)


def converted_number(e: tree.Convert) -> int | None:
    """The integer that a constant floating-point number becomes, which its type may not hold; None for others."""
    number = constant_number(e.operand) if isinstance(e.operand.type, Float) else None
    if number is None or not math.isfinite(number) or not isinstance(e.type, Integer):
        return None
    return int(number != 0) if e.type.kind is IntegerKind.BOOL else math.trunc(number)
