"""Whether two lvalues denote one object, as a condition on their indices and pointers."""

from __future__ import annotations

from frontend.typed import tree
from frontend.typed.ctype import DataModel, IntegerKind, Pointer, Record
from frontend.typed.lvalues import is_union
from frontend.typed.tree import BinaryOperator, LogicalOperator


def same_object(lvalue: tree.Lvalue, other: tree.Lvalue, model: DataModel) -> tree.Expression | None:
    """The condition under which two lvalues denote one object; None where that is not decided.

    Their indices and pointers are values that stay as they are.
    """
    if isinstance(lvalue.type, Record) or model.size_of(lvalue.type) != model.size_of(other.type):
        return None
    found = _same(lvalue, other, model)
    if found is None:
        left, right = _address(lvalue), _address(other)
        if left is not None and right is not None:
            return tree.Binary(lvalue.span, model.integer(IntegerKind.INT), BinaryOperator.EQUAL, left, right)
    return found


def _same(lvalue: tree.Lvalue, other: tree.Lvalue, model: DataModel) -> tree.Expression | None:
    """The same for two lvalues of one form."""
    int_ = model.integer(IntegerKind.INT)
    match lvalue, other:
        case tree.Variable(), tree.Variable():
            return tree.IntegerConstant(lvalue.span, int_, int(lvalue.object is other.object))
        case tree.Member(), tree.Member() if lvalue.base.type == other.base.type and not is_union(lvalue.base.type):
            if lvalue.field.name != other.field.name:
                return tree.IntegerConstant(lvalue.span, int_, 0)
            return _same(lvalue.base, other.base, model)
        case tree.Index(), tree.Index() if lvalue.array.type == other.array.type:
            arrays = _same(lvalue.array, other.array, model)
            if arrays is None:
                return None
            long = model.integer(IntegerKind.LLONG)
            indices = [tree.Convert(e.span, long, e, explicit=False) for e in (lvalue.index, other.index)]
            equal = tree.Binary(lvalue.span, int_, BinaryOperator.EQUAL, indices[0], indices[1])
            return tree.Logical(lvalue.span, int_, LogicalOperator.AND, arrays, equal)
        case tree.Dereference(), tree.Dereference() if lvalue.type == other.type:
            return tree.Binary(lvalue.span, int_, BinaryOperator.EQUAL, lvalue.pointer, other.pointer)
        case _:
            return None


def _address(lvalue: tree.Lvalue) -> tree.Expression | None:
    """The address of an object; None for a bit-field, and for what is no object."""
    match lvalue:
        case tree.Dereference(pointer=pointer):
            return pointer
        case tree.Member(field=field) if field.width is not None:
            return None
        case tree.Variable() | tree.Index() | tree.Member():
            return tree.AddressOf(lvalue.span, Pointer(lvalue.type), lvalue)
        case _:
            return None
