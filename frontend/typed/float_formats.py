"""Formats of floating types, and operations of C's operators on them; loaded where a program has such numbers."""

from __future__ import annotations

from collections.abc import Mapping

from core.terms.float_functions import FloatOperation
from core.terms.floats import DOUBLE, EXTENDED, FLOAT, FloatFormat
from frontend.typed.ctype import Float, FloatKind
from frontend.typed.tree import BinaryOperator

_FORMATS = {FloatKind.FLOAT: FLOAT, FloatKind.DOUBLE: DOUBLE, FloatKind.LONG_DOUBLE: EXTENDED}
OPERATIONS: Mapping[BinaryOperator, FloatOperation] = {
    BinaryOperator.ADD: FloatOperation.ADD,
    BinaryOperator.SUBTRACT: FloatOperation.SUBTRACT,
    BinaryOperator.MULTIPLY: FloatOperation.MULTIPLY,
    BinaryOperator.DIVIDE: FloatOperation.DIVIDE,
}


def format_of(type_: Float) -> FloatFormat:
    """The format of a type, which is no `long double` of ARM."""
    return _FORMATS[type_.kind]


def type_of(format_: FloatFormat) -> Float:
    """The type that has a format."""
    return next(Float(kind) for kind, one in _FORMATS.items() if one == format_)
