"""Pointers that may not be aligned for what they point to, by the form of the expressions that make them.

These are conversions to pointers to what is more aligned (C11 6.3.2.3), and addresses of packed members. All others are
aligned where the pointers that they come from are.
"""

from __future__ import annotations

from frontend.typed import tree
from frontend.typed.ctype import CType, DataModel, Pointer, Record, Signature, Void
from frontend.typed.library_table import Allocated, library_function
from frontend.typed.traversal import callee

_ALIGNED = (Allocated.MEMORY, Allocated.ZEROS, Allocated.STACK)
"""New objects that are aligned for every type."""


def alignment_of(type_: CType, model: DataModel) -> int:
    """The alignment of objects of a type; 1 for what is no object."""
    if isinstance(type_, Void | Signature) or (isinstance(type_, Record) and not type_.is_complete):
        return 1
    return model.align_of(type_)


def needed_alignment(e: tree.Node, model: DataModel) -> int:
    """The alignment that the pointer needs, and may not have; 1 where it has what it needs."""
    if isinstance(e, tree.Convert) and isinstance(e.type, Pointer) and isinstance(e.operand.type, Pointer):
        wanted = alignment_of(e.type.target, model)
        known = alignment_of(e.operand.type.target, model)
        return wanted if known < wanted and not _is_aligned(e.operand) else 1
    if isinstance(e, tree.AddressOf | tree.Decay):
        return _packed(e, model)
    return 1


def _packed(e: tree.AddressOf | tree.Decay, model: DataModel) -> int:
    wanted, lvalue = alignment_of(tree.element_type(e.type), model), e.lvalue
    while isinstance(lvalue, tree.Index | tree.Member):
        record = lvalue.base.type if isinstance(lvalue, tree.Member) else None
        if isinstance(lvalue, tree.Member) and isinstance(record, Record):
            is_aligned = lvalue.field.offset % wanted == 0 and record.layout.align >= wanted
            if not is_aligned:
                return wanted
        lvalue = lvalue.array if isinstance(lvalue, tree.Index) else lvalue.base
    return 1


def _is_aligned(e: tree.Expression) -> bool:
    """Whether a pointer is null, or aligned for every type."""
    while isinstance(e, tree.Convert):
        e = e.operand
    if isinstance(e, tree.IntegerConstant):
        return e.value == 0
    name = callee(e) if isinstance(e, tree.Call) else None
    return name is not None and library_function(name.partition("!")[0]).allocates in _ALIGNED
