"""Questions about the form of an lvalue: unions and arrays around it, and its object."""

from __future__ import annotations

from collections.abc import Iterator

from frontend.typed import tree
from frontend.typed.ctype import CType, Record, RecordKind
from frontend.typed.tree import BinaryOperator

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


def in_union(lvalue: tree.Lvalue) -> tree.Lvalue | None:
    """The outermost union that the lvalue is a member of, or a part of a member; None where there is none."""
    found: tree.Lvalue | None = None
    while isinstance(lvalue, tree.Index | tree.Member):
        if isinstance(lvalue, tree.Member) and is_union(lvalue.base.type):
            found = lvalue.base
        lvalue = lvalue.array if isinstance(lvalue, tree.Index) else lvalue.base
    return found


def is_union(type_: CType) -> bool:
    return isinstance(type_, Record) and type_.kind is RecordKind.UNION


def strip(lvalue: tree.Lvalue) -> tree.Lvalue:
    """The lvalue without its innermost indices."""
    while isinstance(lvalue, tree.Index):
        lvalue = lvalue.array
    return lvalue


def containers(lvalue: tree.Lvalue) -> Iterator[tree.Lvalue]:
    """The lvalue and those that it is a part of, up to its object."""
    yield lvalue
    while isinstance(lvalue, tree.Index | tree.Member):
        lvalue = lvalue.array if isinstance(lvalue, tree.Index) else lvalue.base
        yield lvalue


def root(lvalue: tree.Lvalue) -> tree.Lvalue:
    """The object that the lvalue is a part of."""
    while isinstance(lvalue, tree.Index | tree.Member):
        lvalue = lvalue.array if isinstance(lvalue, tree.Index) else lvalue.base
    return lvalue
