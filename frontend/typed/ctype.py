"""C types and their layout in memory under a data model, as gcc has them on i386, x86-64 and ARM.

Types are values, compared by structure; a struct or union is compared by its declaration, since it may contain pointers
to itself and is completed after it is named. A type carries its qualifiers, those of an array are its elements'; types
that differ in nothing else are equal, since they have one representation. Values of expressions have none.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import field, replace
from enum import Enum, Flag
from typing import ClassVar

from core.dataclass import dataclass

STREAM = "interplay_file"
"""The tag of the type that the headers here call `FILE`."""


class IntegerKind(Enum):
    """The integer types in the order of their conversion ranks."""

    BOOL = "_Bool"
    CHAR = "char"
    SCHAR = "signed char"
    UCHAR = "unsigned char"
    SHORT = "short"
    USHORT = "unsigned short"
    INT = "int"
    UINT = "unsigned int"
    LONG = "long"
    ULONG = "unsigned long"
    LLONG = "long long"
    ULLONG = "unsigned long long"
    INT128 = "__int128"
    UINT128 = "unsigned __int128"


class FloatKind(Enum):
    """The floating types in the order of their conversion ranks."""

    FLOAT = "float"
    DOUBLE = "double"
    LONG_DOUBLE = "long double"


class RecordKind(Enum):
    """The two kinds of record types."""

    STRUCT = "struct"
    UNION = "union"


class Qualifiers(Flag):
    """The qualifiers of a type; `restrict` and `_Atomic` are none here."""

    NONE = 0
    CONST = 1
    VOLATILE = 2


@dataclass(frozen=True, slots=True)
class Void:
    """The type `void`."""

    qualifiers: Qualifiers = field(default=Qualifiers.NONE, compare=False)

    def __str__(self) -> str:
        return spell(self)


@dataclass(frozen=True, slots=True)
class Integer:
    """An integer type of `bits` value and sign bits: 1 for `_Bool`, which occupies a byte.

    It has fewer bits than its kind where it is that of a computation with a wide bit-field.

    An enumeration is the integer type that gcc chooses for it; `enum` keeps its tag for display, and `enumerators` are
    the values that have names.
    """

    kind: IntegerKind
    bits: int
    signed: bool
    enum: str = field(default="", compare=False)
    enumerators: tuple[int, ...] = field(default=(), compare=False)
    qualifiers: Qualifiers = field(default=Qualifiers.NONE, compare=False)

    @property
    def minimum(self) -> int:
        return -(1 << (self.bits - 1)) if self.signed else 0

    @property
    def maximum(self) -> int:
        return (1 << (self.bits - 1)) - 1 if self.signed else (1 << self.bits) - 1

    def holds(self, value: int) -> bool:
        return self.minimum <= value <= self.maximum

    def convert(self, value: int) -> int:
        """The result of a conversion of `value` to this type: modulo 2^bits; for `_Bool`, whether it is not zero."""
        if self.kind is IntegerKind.BOOL:
            return int(value != 0)
        rest = value & ((1 << self.bits) - 1)
        return rest - (1 << self.bits) if self.signed and rest > self.maximum else rest

    def __str__(self) -> str:
        return spell(self)


@dataclass(frozen=True, slots=True)
class Float:
    """A floating type."""

    kind: FloatKind
    qualifiers: Qualifiers = field(default=Qualifiers.NONE, compare=False)

    def __str__(self) -> str:
        return spell(self)


@dataclass(frozen=True, slots=True)
class Pointer:
    """A pointer type."""

    target: CType
    qualifiers: Qualifiers = field(default=Qualifiers.NONE, compare=False)

    def __str__(self) -> str:
        return spell(self)


@dataclass(frozen=True, slots=True)
class VariableLength:
    """The length of a variable-length array: the value of the hidden variable that was set where it was declared."""

    variable: str


@dataclass(frozen=True, slots=True)
class Array:
    """An array; length None is that of an incomplete type (a flexible member, or an extern array)."""

    element: CType
    length: int | VariableLength | None

    def __str__(self) -> str:
        return spell(self)


@dataclass(frozen=True, slots=True)
class Signature:
    """A function type; without a prototype (`int f()`), `parameters` is empty and any arguments are passed promoted.

    What attributes of GNU C promise of calls makes no other type: that they never return, and which arguments are never
    null (from 1; 0 for all that are pointers).
    """

    result: CType
    parameters: tuple[CType, ...]
    variadic: bool
    prototype: bool
    never_returns: bool = field(default=False, compare=False)
    nonnull: tuple[int, ...] = field(default=(), compare=False)

    def __str__(self) -> str:
        return spell(self)


@dataclass(frozen=True, slots=True)
class Field:
    """A member of a struct or union.

    `offset` is in bytes. A bit-field has a `width`; its lowest bit is bit `bit_offset` (0 to 7) of the byte at
    `offset`, counting on through the next bytes. Anonymous struct and union members are named `#0`, `#1`, …
    """

    name: str
    type: CType
    offset: int
    bit_offset: int = 0
    width: int | None = None

    @property
    def first_bit(self) -> int | None:
        """The lowest bit, in the byte at `offset`, of a bit-field that others may lie beside; None for others."""
        is_shared = self.width is not None and (self.bit_offset != 0 or self.width % 8 != 0)
        return self.bit_offset if is_shared else None


@dataclass(frozen=True, slots=True)
class RecordLayout:
    """The members of a complete struct or union; `size` and `align` in bytes."""

    fields: tuple[Field, ...]
    size: int
    align: int


class Record:
    """A struct or union type: one object for each declaration of the tag, and one for each way to qualify it.

    It is born incomplete and is completed at most once; `tag` is unique in the translation unit (`node`, `node#2` for
    a tag in an inner scope, `#1` for an unnamed type).
    """

    __slots__ = ("_layouts", "kind", "qualifiers", "tag")

    def __init__(self, kind: RecordKind, tag: str) -> None:
        self.kind = kind
        self.tag = tag
        self.qualifiers = Qualifiers.NONE
        self._layouts: list[RecordLayout] = []
        """At most one; the list is that of the type with other qualifiers, too."""

    def with_qualifiers(self, qualifiers: Qualifiers) -> Record:
        """The type with exactly these qualifiers."""
        found = Record(self.kind, self.tag)
        found.qualifiers, found._layouts = qualifiers, self._layouts
        return found

    def complete(self, layout: RecordLayout) -> None:
        if self._layouts:
            raise ValueError(f"{self} is already complete")
        self._layouts.append(layout)

    @property
    def is_complete(self) -> bool:
        return bool(self._layouts)

    @property
    def layout(self) -> RecordLayout:
        """The layout; ValueError for an incomplete type, whose layout no elaborated expression needs."""
        if not self._layouts:
            raise ValueError(f"{self} is incomplete")
        return self._layouts[0]

    def __hash__(self) -> int:
        return hash(self.tag)  # deterministic, unlike the address of the object

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Record) and self._layouts is other._layouts

    def __str__(self) -> str:
        return spell(self)

    __repr__ = __str__


CType = Void | Integer | Float | Pointer | Array | Record | Signature


def element_type(type_: CType) -> CType:
    """The type that a pointer points to, or of the elements of an array; TypeError for other types."""
    match type_:
        case Pointer(target):
            return target
        case Array(element, _):
            return element
        case _:
            raise TypeError(f"{type_} has no elements")


def is_scalar(type_: CType) -> bool:
    """Whether values of the type can be compared with zero."""
    return isinstance(type_, Integer | Float | Pointer)


def is_arithmetic(type_: CType) -> bool:
    return isinstance(type_, Integer | Float)


_DEEPEST_SPELLING = 3
"""Parameter lists within parameter lists that are written out: the text can be exponential in the text of the unit."""


def spell(type_: CType, name: str = "", level: int = 0) -> str:
    """The declaration of `name` with this type, as C writes it; without a name, the type name.

    `level` says how many parameter lists this stands in.
    """
    declarator, after_pointer = name, False
    while True:
        match type_:
            case Pointer(target):
                declarator, after_pointer, type_ = f"*{declarator}", True, target
            case Array(element, length):
                extent = length.variable if isinstance(length, VariableLength) else "" if length is None else length
                inner = f"({declarator})" if after_pointer else declarator
                declarator, after_pointer, type_ = f"{inner}[{extent}]", False, element
            case Signature(result, parameters, variadic, prototype):
                shown = parameters if level < _DEEPEST_SPELLING else ()
                listed = [spell(parameter, level=level + 1) for parameter in shown]
                listed += ["..."] * (variadic or len(shown) < len(parameters))
                inner = f"({declarator})" if after_pointer else declarator
                words = ", ".join(listed) or ("void" if prototype else "")
                declarator, after_pointer, type_ = f"{inner}({words})", False, result
            case Void() | Integer() | Float() | Record():
                return f"{_specifier(type_)} {declarator}" if declarator else _specifier(type_)


def _specifier(type_: Void | Integer | Float | Record) -> str:
    match type_:
        case Void():
            return "void"
        case Integer(kind, _, _, tag):
            return f"enum {tag}" if tag else kind.value
        case Float(kind):
            return kind.value
        case Record(tag=tag):
            return "FILE" if tag == STREAM else f"{type_.kind.value} {tag}"


class Target(Enum):
    """The machines whose types are known, by the name of their data model."""

    ILP32 = "ILP32"  # i386
    LP64 = "LP64"  # x86-64
    ARM = "ARM"  # 32 bits, by the AAPCS


@dataclass(frozen=True, slots=True)
class DataModel:
    """Sizes, alignments, signs and conversions of C types on a target, as flags of gcc change them.

    `pack` is the largest alignment of members, in bytes (`-fpack-struct=`).
    """

    target: Target
    unsigned_char: bool = False
    short_enums: bool = False
    short_wchar: bool = False
    pack: int | None = None

    ILP32: ClassVar[DataModel]
    LP64: ClassVar[DataModel]
    ARM: ClassVar[DataModel]

    @property
    def name(self) -> str:
        """The name of the data model, without flags."""
        return self.target.value

    @property
    def flags(self) -> tuple[str, ...]:
        """The flags of gcc that make this model of what its target has by default."""
        usual = DATA_MODELS[self.name]
        found = ("-funsigned-char" if self.unsigned_char else "-fsigned-char",)
        return (
            *(found if self.unsigned_char != usual.unsigned_char else ()),
            *(("-fshort-enums",) if self.short_enums else ()),
            *(("-fshort-wchar",) if self.short_wchar else ()),
            *((f"-fpack-struct={self.pack}",) if self.pack else ()),
        )

    def __str__(self) -> str:
        return " ".join((self.name, *self.flags))

    @property
    def is_64(self) -> bool:
        """Whether pointers have 64 bits."""
        return self.target is Target.LP64

    @property
    def pointer_size(self) -> int:
        """The size of a pointer, in bytes."""
        return 8 if self.is_64 else 4

    @property
    def heap_alignment(self) -> int:
        """The alignment of what `malloc` returns, in bytes."""
        return 2 * self.pointer_size

    @property
    def wide(self) -> IntegerKind:
        """The type `wchar_t`."""
        if self.short_wchar:
            return IntegerKind.USHORT
        if self.target is Target.ARM:
            return IntegerKind.UINT
        return IntegerKind.INT if self.is_64 else IntegerKind.LONG

    def integer(self, kind: IntegerKind, enum: str = "") -> Integer:
        is_unsigned = self.unsigned_char if kind is IntegerKind.CHAR else kind in _UNSIGNED
        return Integer(kind, self._bits(kind), not is_unsigned, enum)

    def _bits(self, kind: IntegerKind) -> int:
        if kind in (IntegerKind.LONG, IntegerKind.ULONG):
            return 8 * self.pointer_size
        return _FIXED_BITS[kind]

    @property
    def size_type(self) -> Integer:
        return self.integer(IntegerKind.ULONG if self.is_64 else IntegerKind.UINT)

    @property
    def difference_type(self) -> Integer:
        """The type of a difference of pointers, and of addresses in pointer arithmetic."""
        return self.integer(IntegerKind.LONG if self.is_64 else IntegerKind.INT)

    def enumeration(self, tag: str, values: Sequence[int], packed: bool = False) -> Integer:
        """The type of an enumeration with these enumerators: the first of these that holds them all, as in gcc."""
        low, high = min(values, default=0), max(values, default=0)
        kinds: Sequence[IntegerKind] = _SIGNED_ENUMS if low < 0 else _UNSIGNED_ENUMS
        if packed or self.short_enums:
            kinds = (*(_SMALL_SIGNED_ENUMS if low < 0 else _SMALL_UNSIGNED_ENUMS), *kinds)
        candidates = [self.integer(kind, tag) for kind in kinds]
        found = next((type_ for type_ in candidates if type_.holds(low) and type_.holds(high)), candidates[-1])
        return replace(found, enumerators=tuple(sorted(set(values))))

    def promote(self, type_: Integer, width: int | None = None) -> Integer:
        """Integer promotion, of a bit-field of `width` bits where that is given: to int where int holds all values.

        A bit-field that is too wide for int and does not fill its type computes in a type of its width, as gcc has it.
        """
        int_ = self.integer(IntegerKind.INT)
        bits = type_.bits if width is None else width
        if bits < int_.bits or (bits == int_.bits and type_.signed and _rank(type_.kind) <= _rank(int_.kind)):
            return int_
        if bits < type_.bits:
            return replace(type_, bits=bits)
        return type_ if _rank(type_.kind) >= _rank(int_.kind) else self.integer(IntegerKind.UINT)

    def common(self, left: Integer | Float, right: Integer | Float) -> Integer | Float:
        """The usual arithmetic conversions (C11 6.3.1.8), of operands that are promoted already."""
        if isinstance(left, Float) or isinstance(right, Float):
            floats = [type_ for type_ in (left, right) if isinstance(type_, Float)]
            return max(floats, key=lambda type_: list(FloatKind).index(type_.kind))
        if any(type_.bits != self._bits(type_.kind) for type_ in (left, right)):  # a bit-field
            return max(left, right, key=lambda type_: (type_.bits, not type_.signed))
        wide, narrow = (left, right) if _rank(left.kind) >= _rank(right.kind) else (right, left)
        if wide.signed == narrow.signed or not wide.signed or wide.bits > narrow.bits:
            return self.integer(wide.kind)
        return self.integer(_TWIN[wide.kind])

    def size_of(self, type_: CType) -> int:
        """The size in bytes; 1 for `void` and functions, as in gcc. ValueError for types without a constant size."""
        match type_:
            case Void() | Signature():
                return 1
            case Integer():
                return (self._bits(type_.kind) + 7) // 8
            case Float(kind):
                return self._long_double if kind is FloatKind.LONG_DOUBLE else 4 if kind is FloatKind.FLOAT else 8
            case Pointer():
                return self.pointer_size
            case Array(element, int(length)):
                return length * self.size_of(element)
            case Array():
                raise ValueError(f"{type_} has no constant size")
            case Record():
                return type_.layout.size

    @property
    def _long_double(self) -> int:
        return {Target.ILP32: 12, Target.ARM: 8}.get(self.target, 16)

    def align_of(self, type_: CType) -> int:
        """The alignment of a member of this type, in bytes.

        The ABI of i386 aligns members by 4 at most, also `double` and `long long`, which that of ARM aligns by 8.
        """
        match type_:
            case Array(element):
                return self.align_of(element)
            case Record():
                return type_.layout.align
            case Integer() | Float() | Pointer() | Void() | Signature():
                return min(self.size_of(type_), 4 if self.target is Target.ILP32 else 16)


DataModel.ILP32 = DataModel(Target.ILP32)
DataModel.LP64 = DataModel(Target.LP64)
DataModel.ARM = DataModel(Target.ARM, unsigned_char=True)

DATA_MODELS: Mapping[str, DataModel] = {one.name: one for one in (DataModel.ILP32, DataModel.LP64, DataModel.ARM)}
"""The models of all targets without flags, by name."""


_FIXED_BITS = {
    IntegerKind.BOOL: 1,
    IntegerKind.CHAR: 8,
    IntegerKind.SCHAR: 8,
    IntegerKind.UCHAR: 8,
    IntegerKind.SHORT: 16,
    IntegerKind.USHORT: 16,
    IntegerKind.INT: 32,
    IntegerKind.UINT: 32,
    IntegerKind.LLONG: 64,
    IntegerKind.ULLONG: 64,
    IntegerKind.INT128: 128,
    IntegerKind.UINT128: 128,
}

_TWIN = {
    IntegerKind.SCHAR: IntegerKind.UCHAR,
    IntegerKind.SHORT: IntegerKind.USHORT,
    IntegerKind.INT: IntegerKind.UINT,
    IntegerKind.LONG: IntegerKind.ULONG,
    IntegerKind.LLONG: IntegerKind.ULLONG,
    IntegerKind.INT128: IntegerKind.UINT128,
}

_UNSIGNED = frozenset((IntegerKind.BOOL, *_TWIN.values()))
_SMALL_SIGNED_ENUMS = (IntegerKind.SCHAR, IntegerKind.SHORT)
_SMALL_UNSIGNED_ENUMS = (IntegerKind.UCHAR, IntegerKind.USHORT)
_SIGNED_ENUMS = (IntegerKind.INT, IntegerKind.LONG, IntegerKind.LLONG)
_UNSIGNED_ENUMS = (IntegerKind.UINT, IntegerKind.ULONG, IntegerKind.ULLONG)
_RANKS = {kind: rank for rank, kind in enumerate(IntegerKind)}


def _rank(kind: IntegerKind) -> int:
    """The conversion rank; signed and unsigned twins share one, and so do the three char types."""
    if kind in (IntegerKind.CHAR, IntegerKind.SCHAR, IntegerKind.UCHAR):
        return 1
    return _RANKS[kind] // 2


def same_representation(a: CType, b: CType) -> bool:
    """Whether values of the types may lie in one place: equal up to signs and lengths of arrays."""
    while True:
        while isinstance(a, Array):
            a = a.element
        while isinstance(b, Array):
            b = b.element
        if isinstance(a, Pointer) and isinstance(b, Pointer):
            a, b = a.target, b.target
            continue
        if isinstance(a, Integer) and isinstance(b, Integer):
            return a.bits == b.bits and (a.kind is IntegerKind.BOOL) == (b.kind is IntegerKind.BOOL)
        if isinstance(a, Signature) and isinstance(b, Signature):
            return len(a.parameters) == len(b.parameters)
        return a == b
