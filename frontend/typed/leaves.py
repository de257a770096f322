"""The scalar parts of C types."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from core.dataclass import dataclass
from frontend.typed.ctype import Array, CType, Field, Integer, IntegerKind, Record, RecordKind, VariableLength

Length = int | VariableLength | None


@dataclass(frozen=True, slots=True)
class TypeLeaf:
    """A scalar part of a type, or the bytes of a union: `suffix` names it within an object.

    `lengths` are those of the arrays around it, outermost first; `type` is that of one element.
    """

    suffix: str
    lengths: tuple[Length, ...]
    type: CType
    is_union: bool = False


def leaves(type_: CType) -> Iterator[TypeLeaf]:
    """The leaves of a type in the order of their declaration."""
    match type_:
        case Array(element, length):
            for leaf in leaves(element):
                yield replace(leaf, lengths=(length, *leaf.lengths))
        case Record(kind=RecordKind.STRUCT) if type_.is_complete:
            for member in type_.layout.fields:
                for leaf in leaves(field_type(member)):
                    yield replace(leaf, suffix=f".{member.name}{leaf.suffix}")
        case Record(kind=RecordKind.UNION) if type_.is_complete:
            yield TypeLeaf("", (type_.layout.size,), Integer(IntegerKind.UCHAR, 8, signed=False), is_union=True)
        case _:
            yield TypeLeaf("", (), type_)


def field_type(member: Field) -> CType:
    """The type of a member; that of a bit-field is an integer of its width."""
    if member.width is not None and isinstance(member.type, Integer):
        return replace(member.type, bits=member.width)
    return member.type
