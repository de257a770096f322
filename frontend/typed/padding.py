"""The bits of objects that lie in none of their scalars."""

from __future__ import annotations

from collections.abc import Iterator

from frontend.typed.ctype import Array, CType, DataModel, Record, RecordKind


def padding(type_: CType, model: DataModel, start: int = 0) -> Iterator[tuple[int, int]]:
    """Ends of the pieces of padding, in bits from the start; the bytes of a union are none."""
    match type_:
        case Array(element=element, length=int(length)):
            size = 8 * model.size_of(element)
            if next(padding(element, model), None) is not None:
                for k in range(length):
                    yield from padding(element, model, start + k * size)
        case Record(kind=RecordKind.STRUCT) if type_.is_complete:
            end = start
            for member in type_.layout.fields:
                begin = start + 8 * member.offset + member.bit_offset
                if end < begin:
                    yield end, begin
                if member.width is None:
                    yield from padding(member.type, model, begin)
                end = begin + (_bits(member.type, model) if member.width is None else member.width)
            if end < start + 8 * type_.layout.size:
                yield end, start + 8 * type_.layout.size
        case _:
            pass


def _bits(type_: CType, model: DataModel) -> int:
    """The size of a member in bits; 0 of an array of any length."""
    return 0 if isinstance(type_, Array) and type_.length is None else 8 * model.size_of(type_)
