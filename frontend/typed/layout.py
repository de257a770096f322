"""The places of the members of structs and unions, as gcc gives them under the System V ABI and that of ARM."""

from __future__ import annotations

from collections.abc import Sequence

from core.dataclass import dataclass
from frontend.typed.ctype import Array, CType, DataModel, Field, RecordKind, RecordLayout, Target


@dataclass(frozen=True, slots=True)
class MemberDeclaration:
    """A member as declared, before it has a place; `width` is that of a bit-field, 0 closes the storage unit.

    `align` is the least alignment that an attribute asks for, in bytes; None where there is none. A packed member has
    alignment 1.
    """

    name: str | None
    type: CType
    width: int | None = None
    align: int | None = None
    packed: bool = False


@dataclass(frozen=True, slots=True)
class Packing:
    """Attributes of a struct or union: packed members have alignment 1; `align` is the least alignment, in bytes."""

    packed: bool = False
    align: int | None = None


def record_layout(
    model: DataModel, kind: RecordKind, members: Sequence[MemberDeclaration], packing: Packing
) -> RecordLayout:
    """The layout of a struct or union with these members; ValueError for an incomplete member."""
    return _Layout(model, packing).of(kind, members)


@dataclass(frozen=True, slots=True)
class _Layout:
    """Places members one after another; positions are in bits."""

    model: DataModel
    packing: Packing

    def of(self, kind: RecordKind, members: Sequence[MemberDeclaration]) -> RecordLayout:
        position = end = 0
        align = self.packing.align or 1
        fields: list[Field] = []
        unnamed = 0
        for member in members:
            start = self._place(member, 0 if kind is RecordKind.UNION else position)
            bits = self._member_bits(member)
            position = start + bits
            end = max(end, position)
            if member.width is not None and member.name is None:
                if self.model.target is Target.ARM:
                    align = max(align, self._member_alignment(member) if member.width else self._natural(member))
                continue  # padding, which raises the alignment of the whole on ARM alone
            align = max(align, self._member_alignment(member))
            name = member.name
            if name is None:
                name, unnamed = f"#{unnamed}", unnamed + 1
            if member.width is None:
                fields.append(Field(name, member.type, start // 8))
            else:
                fields.append(Field(name, member.type, start // 8, start % 8, member.width))
        size = _round_up((end + 7) // 8, align)
        return RecordLayout(tuple(fields), size, align)

    def _member_bits(self, member: MemberDeclaration) -> int:
        if member.width is not None:
            return member.width
        if isinstance(member.type, Array) and member.type.length is None:
            return 0  # a flexible array member
        return 8 * self.model.size_of(member.type)

    def _member_alignment(self, member: MemberDeclaration) -> int:
        is_packed = self._is_packed(member) and (member.width is None or self.model.pack is None)  # as gcc has it
        return self._capped(max(1 if is_packed else self._natural(member), member.align or 1))

    def _is_packed(self, member: MemberDeclaration) -> bool:
        return self.packing.packed or member.packed

    def _natural(self, member: MemberDeclaration) -> int:
        return self._capped(self.model.align_of(member.type))

    def _capped(self, alignment: int) -> int:
        return alignment if self.model.pack is None else min(alignment, self.model.pack)

    def _place(self, member: MemberDeclaration, position: int) -> int:
        """The bit at which the member starts, when the first free bit is `position`."""
        align = 8 * self._member_alignment(member)
        if member.width is None:
            return _round_up(position, align)
        if member.width == 0:
            return _round_up(position, 8 * self._natural(member))
        if member.align is not None:
            return _round_up(position, align)
        if self._is_packed(member) or self.model.pack is not None:
            return position
        unit = 8 * self.model.size_of(member.type)
        crosses = (position % align + member.width + align - 1) // align > unit // align
        return _round_up(position, align) if crosses else position


def _round_up(value: int, step: int) -> int:
    return -(-value // step) * step
