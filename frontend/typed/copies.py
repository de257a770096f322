"""Reads that need no value: characters that are copied as they are, and unsigned ones in memory (C11 6.2.6.1).

An object that could have been declared with `register` has no such exceptions (C11 6.3.2.1).
"""

from __future__ import annotations

from collections.abc import Container

from frontend.typed import tree
from frontend.typed.ctype import CType, Integer, IntegerKind
from frontend.typed.lvalues import root

_CHARACTERS = (IntegerKind.CHAR, IntegerKind.SCHAR, IntegerKind.UCHAR)


def copied_character(e: tree.Assign, taken: Container[str]) -> tree.Load | None:
    """The character that an assignment copies from one place in memory to another; `taken` are objects with addresses.

    Its value is that of the assignment only where nobody uses that.
    """
    value = e.value
    while isinstance(value, tree.Convert) and _is_character(value.type):
        value = value.operand
    if not isinstance(value, tree.Load) or not _is_character(value.type) or not _is_character(e.target.type):
        return None
    return value if has_address(value.lvalue, taken) and has_address(e.target, taken) else None


def needs_no_value(lvalue: tree.Lvalue, taken: Container[str]) -> bool:
    """Whether any use may be made of what lies there, though nothing was written: it is an unsigned character."""
    is_byte = isinstance(lvalue.type, Integer) and lvalue.type.kind is IntegerKind.UCHAR
    is_field = isinstance(lvalue, tree.Member) and lvalue.field.width is not None
    return is_byte and not is_field and has_address(lvalue, taken)


def has_address(lvalue: tree.Lvalue, taken: Container[str]) -> bool:
    """Whether the object could not have been declared with `register`."""
    base = root(lvalue)
    while isinstance(lvalue, tree.Member):
        lvalue = lvalue.base
    return not isinstance(base, tree.Variable) or isinstance(lvalue, tree.Index) or base.object.name in taken


def _is_character(type_: CType) -> bool:
    return isinstance(type_, Integer) and type_.kind in _CHARACTERS
