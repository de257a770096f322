"""Floating-point constants as the bytes that a program stores; the interpreter knows no other floats."""

from __future__ import annotations

import struct

from frontend.typed import tree
from frontend.typed.ctype import CType, Float, FloatKind, Integer
from frontend.typed.tree import UnaryOperator

_FORMATS = {FloatKind.FLOAT: "<f", FloatKind.DOUBLE: "<d"}


def constant_bytes(e: tree.Expression, type_: CType) -> bytes | None:
    """The bytes of a constant of the Float type; None where the expression is not seen to be one, or is rounded."""
    sign, narrow = 1.0, False
    while True:
        match e:
            case tree.FloatConstant(type=Float(kind=kind), text=text) if kind in _FORMATS:
                number = float.fromhex(text) if text[:2] in ("0x", "0X") else float(text)
                return _bytes(sign * number, narrow or kind is FloatKind.FLOAT, type_)
            case tree.IntegerConstant(value=value, type=Integer(bits=bits)) if bits <= 32:
                return _bytes(sign * value, narrow, type_)
            case tree.Convert(type=Float(kind=kind), operand=operand) if kind in _FORMATS:
                e, narrow = operand, narrow or kind is FloatKind.FLOAT
            case tree.Unary(operator=UnaryOperator.NEGATE, type=Float(), operand=operand):
                sign, e = -sign, operand
            case _:
                return None


def _bytes(number: float, narrow: bool, type_: CType) -> bytes | None:
    """The bytes of the number, which must fit a float where it was one on the way."""
    format_ = _FORMATS.get(type_.kind) if isinstance(type_, Float) else None
    if format_ is None:
        return None
    try:
        (rounded,) = struct.unpack("<f", struct.pack("<f", number))
        exact = rounded == number
    except OverflowError:
        exact = False
    return None if (narrow or format_ == "<f") and not exact else struct.pack(format_, number)
