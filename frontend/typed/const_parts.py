"""Parts of objects that are declared `const`: members, and elements of arrays of them.

A constant bit-field, and a constant member of a union, have no bytes to themselves: they are left out (`hides_parts`).
"""

from __future__ import annotations

from collections.abc import Iterator

from core.dataclass import dataclass
from frontend.typed import tree
from frontend.typed.ctype import Array, CType, DataModel, Record, RecordKind
from frontend.typed.qualifiers import is_const


@dataclass(frozen=True, slots=True)
class ConstantParts:
    """The constant bytes of each element of an object, as offsets with sizes; `stride` is the size of an element."""

    stride: int
    parts: tuple[tuple[int, int], ...]


def constant_parts(type_: CType, model: DataModel) -> ConstantParts | None:
    """The constant parts of an object of the type; None where it has none."""
    while isinstance(type_, Array):
        type_ = type_.element
    parts = tuple(_parts(type_, 0, model))
    return ConstantParts(model.size_of(type_), parts) if parts else None


def _parts(type_: CType, offset: int, model: DataModel) -> Iterator[tuple[int, int]]:
    match type_:
        case Record(kind=RecordKind.STRUCT) if type_.is_complete:
            for member in type_.layout.fields:
                is_open = isinstance(member.type, Array) and not isinstance(member.type.length, int)
                if is_const(member.type) and member.width is None and not is_open:
                    yield offset + member.offset, model.size_of(member.type)
                else:
                    yield from _parts(member.type, offset + member.offset, model)
        case Array(element=element, length=int(length)):
            for place, size in _parts(element, offset, model):
                yield from ((place + k * model.size_of(element), size) for k in range(length))
        case _:
            pass


def hides_parts(type_: CType) -> bool:
    """Whether an object of the type has constant parts that are left out."""
    while isinstance(type_, Array):
        type_ = type_.element
    if not isinstance(type_, Record) or not type_.is_complete:
        return False
    is_union = type_.kind is RecordKind.UNION
    return any(
        (is_const(one.type) and (one.width is not None or is_union)) or hides_parts(one.type)
        for one in type_.layout.fields
    )


def is_constant(lvalue: tree.Lvalue, model: DataModel) -> bool:
    """Whether the lvalue has a part that is a constant member, or lies in one."""
    has_part = constant_parts(lvalue.type, model) is not None
    while isinstance(lvalue, tree.Index | tree.Member):
        has_part |= isinstance(lvalue, tree.Member) and is_const(lvalue.field.type)
        lvalue = lvalue.array if isinstance(lvalue, tree.Index) else lvalue.base
    return has_part
