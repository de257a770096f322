"""What the text of an lvalue says."""

from __future__ import annotations

from frontend import tree
from frontend.tree import BinaryOperator

COMPARISONS = frozenset(
    {
        BinaryOperator.EQUAL,
        BinaryOperator.UNEQUAL,
        BinaryOperator.LESS,
        BinaryOperator.LESS_EQUAL,
        BinaryOperator.GREATER,
        BinaryOperator.GREATER_EQUAL,
    }
)


def strip(lvalue: tree.Lvalue) -> tree.Lvalue:
    """The lvalue without its innermost indices."""
    while isinstance(lvalue, tree.Index):
        lvalue = lvalue.array
    return lvalue


def root(lvalue: tree.Lvalue) -> tree.Lvalue:
    """The object that the lvalue is a part of."""
    while isinstance(lvalue, tree.Index | tree.Member):
        lvalue = lvalue.array if isinstance(lvalue, tree.Index) else lvalue.base
    return lvalue
