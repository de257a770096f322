"""Steps of pointers within an object: the greatest number of bytes of which each move is a multiple.

Functions such as memcpy copy from and to any byte (C11 7.24.2.1). A copy is one of elements where each pointer into the
object lies a multiple of their size away from its start; else two copies may overlap in part.
"""

from __future__ import annotations

from math import gcd

from frontend.libc.blocks import constant, is_multiple
from frontend.typed import tree
from frontend.typed.alignment import alignment_of
from frontend.typed.ctype import Array, CType, DataModel, Pointer, Record, Signature, Void

_FACTORS = (16, 8, 4, 2)


def step_to(lvalue: tree.Lvalue, model: DataModel) -> int:
    """The step of the moves from the start of an object, or from a pointer, to a part of it; 0 where there is none."""
    step = 0
    while isinstance(lvalue, tree.Index | tree.Member):
        if isinstance(lvalue, tree.Member):
            step, lvalue = gcd(step, lvalue.field.offset), lvalue.base
        else:
            step, lvalue = gcd(step, _distance(lvalue.type, lvalue.index, model)), lvalue.array
    return step


def step_of(type_: CType, offset: tree.Expression | None, model: DataModel) -> int:
    """The step of a move of a pointer of this type by `offset` elements, or by one; 0 for what is no pointer."""
    return _distance(type_.target, offset, model) if isinstance(type_, Pointer) else 0


def copied_unit(e: tree.Convert, model: DataModel) -> int:
    """The step that a conversion for a copy of elements needs; 1 where it makes no pointer to elements."""
    if not e.is_modular or not isinstance(e.type, Pointer):
        return 1
    element = e.type.target
    if isinstance(element, Array):
        return 1  # of elements, to which a conversion was made before
    if isinstance(element, Record):
        return _size(element, model)  # or a field would land where another one lies
    return max(_size(element, model), alignment_of(element, model))


def _distance(element: CType, count: tree.Expression | None, model: DataModel) -> int:
    size = _size(element, model)
    if count is None:
        return size
    value = constant(count)
    if value is not None:
        return abs(value) * size
    return size * next((factor for factor in _FACTORS if is_multiple(count, factor, model)), 1)


def _size(type_: CType, model: DataModel) -> int:
    """Bytes; 1 where the size is not constant, and of what is no object."""
    if isinstance(type_, Void | Signature) or (isinstance(type_, Record) and not type_.is_complete):
        return 1
    try:
        return max(1, model.size_of(type_))
    except ValueError:
        return 1
