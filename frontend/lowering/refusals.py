"""Reasons for which expressions are refused."""

from __future__ import annotations

from frontend.typed import tree
from frontend.typed.ctype import Array, Float, Integer, Pointer, Record, Signature, Void


def not_decided(e: tree.Expression | tree.Lvalue) -> str:
    """The message for an expression or lvalue that is refused."""
    if isinstance(e, tree.UnsupportedExpression):
        return e.reason
    match e.type:
        case Pointer() | Array():
            return "pointers are not decided"
        case Signature():
            return "functions as values are not decided"
        case Float():
            return "floating-point numbers are not decided"
        case Void():
            return "an expression without a value is used"
        case Record():
            return f"a value of type {e.type} is not decided here"
        case Integer():
            return "this expression is not decided"
