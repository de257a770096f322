"""Conversions and stores that may change the value of an integer."""

from __future__ import annotations

from frontend.typed import tree
from frontend.typed.ctype import CType, Integer, IntegerKind
from frontend.typed.leaves import field_type


def may_change(e: tree.Convert) -> bool:
    """Whether the conversion may change an integer without being meant to."""
    return not e.is_modular and loses(e.operand.type, e.type)


def loses(source: CType, target: CType) -> bool:
    """Whether some integer of one type is not held by the other; `_Bool` only says whether a number is zero."""
    if not isinstance(source, Integer) or not isinstance(target, Integer) or target.kind is IntegerKind.BOOL:
        return False
    return not (target.holds(source.minimum) and target.holds(source.maximum))


def kept_type(target: tree.Lvalue) -> CType:
    """The type whose values an object keeps: that of a bit-field has its width."""
    return field_type(target.field) if isinstance(target, tree.Member) else target.type


def entered_type(entry: tree.InitialiserEntry) -> CType:
    """The type whose values the part of an object keeps that is initialised."""
    last = entry.path[-1] if entry.path else None
    return entry.value.type if last is None or isinstance(last, int) else field_type(last)
