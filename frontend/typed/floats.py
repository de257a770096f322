"""Expressions whose values depend on floating-point numbers."""

from __future__ import annotations

from frontend.typed import tree
from frontend.typed.ctype import Float


def learns(e: tree.Node) -> bool:
    """Whether the value of the expression, which is none itself, depends on a floating-point number at once."""
    match e:
        case tree.Convert(operand=operand):
            return isinstance(operand.type, Float) and not isinstance(e.type, Float)
        case tree.Binary(left=left):
            return isinstance(left.type, Float) and not isinstance(e.type, Float)
        case _:
            return False
