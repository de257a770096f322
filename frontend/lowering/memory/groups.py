"""The layout of a region in its array: one element for each scalar, or one for each byte.

Scalars of one size and its alignment are elements of their own, found at the address of their first byte. Where scalars
of several sizes, or bit-fields, may overlap others, the elements are bytes, the least significant first: scalars are
composed of them, bit-fields of their bits.
"""

from __future__ import annotations

from dataclasses import replace

from core.dataclass import dataclass
from frontend.lowering.arithmetic import ADDRESS, number_type
from frontend.lowering.ordinals import Ordinals, ordinals
from frontend.typed.ctype import CType, DataModel, Float, Integer, IntegerKind

BYTE = Integer(IntegerKind.UCHAR, 8, signed=False)
_UNSIGNED = {
    8: IntegerKind.UCHAR,
    16: IntegerKind.USHORT,
    32: IntegerKind.UINT,
    64: IntegerKind.ULLONG,
    128: IntegerKind.UINT128,
}


@dataclass(frozen=True, slots=True)
class Region:
    """An array of memory.

    `size` is that of an element in bytes; `overlaps` says whether scalars of several types may lie in one place.
    """

    name: str
    type: Integer
    size: int
    overlaps: bool
    split: bool
    """Whether scalars are composed of the elements, which are bytes."""
    addresses: bool
    """Whether some scalars are pointers."""
    has_bits: bool = False
    """Whether bit-fields share bytes with others."""


class Group:
    """The types of the scalars that are accessed in one region."""

    def __init__(self, model: DataModel, overlaps: bool, aligned: bool = True) -> None:
        self._model, self.overlaps, self._aligned = model, overlaps, aligned
        self._types: dict[Integer, None] = {}
        self._kinds: dict[str, int] = {}
        self._names: set[str] = set()
        self._bits = False
        self.is_accessed = False
        """By more than initialisers and copies of parameters: otherwise only what escapes needs a region."""
        self.is_escaping = False
        """Whether undefined functions find pointers here, which tell a replay where these write."""

    def add(self, type_: CType, is_shared: bool) -> None:
        """Add the type of a scalar that is there; a bit-field has the type of its width, and may share its bytes."""
        stored = stored_type(type_, self._model)
        if stored is None:
            return
        if isinstance(type_, Integer):
            self._bits |= is_shared or self._model.integer(type_.kind).bits != type_.bits
        if not isinstance(type_, Integer) or type_.bits != BYTE.bits:
            self._names.add(str(replace(type_, enum="") if isinstance(type_, Integer) else type_))
        self._aligned &= self._model.align_of(type_) == self._model.size_of(type_)
        self._kinds[kind_of(stored)] = self._size(stored)
        self._types.setdefault(stored)

    @property
    def has_types(self) -> bool:
        return bool(self._types)

    @property
    def is_empty(self) -> bool:
        return not self._types or not self.is_accessed

    @property
    def is_punned(self) -> bool:
        """Whether the scalars, other than characters, are of more types than one and its signed or unsigned twin.

        What lies in one place through a union, or because memory is used again, cannot be told from that.
        """
        return len({name.removeprefix("unsigned ") for name in self._names}) > (0 if self.overlaps else 1)

    @property
    def is_numeric(self) -> bool:
        """Whether pointers share places with other scalars."""
        return self.is_accessed and ADDRESS in self._types and (len(self._kinds) > 1 or self._is_split(packed=False))

    def _size(self, type_: Integer) -> int:
        return self._model.pointer_size if type_ == ADDRESS else (type_.bits + 7) // 8

    def _is_split(self, packed: bool) -> bool:
        if not self.overlaps or self._bits:
            return self.overlaps
        sizes = set(self._kinds.values())
        has_bool = any(one.kind is IntegerKind.BOOL for one in self._types)
        unlike = len(self._kinds) > 1 and (len(sizes) > 1 or has_bool)
        return unlike or (sizes != {1} and (packed or not self._aligned))

    def region(self, name: str, packed: bool) -> Region:
        """The region; `packed` says whether types of the program are less aligned than their scalars."""
        addresses = ADDRESS in self._types
        if self._is_split(packed):
            return Region(name, BYTE, 1, overlaps=True, split=True, addresses=addresses, has_bits=self._bits)
        types = list(self._types)
        size = self._size(types[0])
        if len(self._kinds) > 1:
            type_ = Integer(_UNSIGNED[8 * size], 8 * size, signed=False)
            return Region(name, type_, size, self.overlaps, split=False, addresses=addresses)
        alike = all(one.signed == types[0].signed for one in types)
        type_ = types[0] if alike else next(one for one in types if not one.signed)
        return Region(name, type_, size, self.overlaps, split=False, addresses=addresses)


def stored_type(type_: CType, model: DataModel) -> Integer | None:
    """The type of the numbers that stand for a scalar in memory that holds no others."""
    if isinstance(type_, Float):
        return ordinals(type_, model)
    return number_type(type_)


def kind_of(type_: Integer) -> str:
    """The class of scalars that share a region, by their width."""
    if type_ == ADDRESS:
        return "pointer"
    if isinstance(type_, Ordinals):
        return f"float{type_.bits}"
    return "bool" if type_.kind is IntegerKind.BOOL else f"int{type_.bits}"
