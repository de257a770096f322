"""Regions: memory cut into pieces that never overlap, each an array from addresses to scalars.

A region belongs to a class of objects and to a field of a struct, or to a type of scalars; in a mixed class all
scalars have one size and form one region. The index of a scalar is the address of its first byte.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Protocol

from core.terms import Arena, Term
from frontend import tree
from frontend.ctype import Array, CType, DataModel, Field, Integer, IntegerKind, Pointer, Record, RecordKind
from frontend.lowering.arithmetic import ADDRESS, Value, address_value
from frontend.lowering.casts import uses_numbers
from frontend.lowering.classes import Class, FieldKey, find
from frontend.lowering.lvalues import root
from frontend.lowering.pointsto import PointsTo
from frontend.lowering.storage import Length, Place, field_type, leaves
from frontend.lowering.walk import nodes
from frontend.source import Span, Unsupported

_SIZES = (1, 8, 16, 32, 64, 128)

Kind = tuple[Class, FieldKey, str]


@dataclass(frozen=True, slots=True)
class Cell:
    """A scalar part of a type in memory, parallel to the leaves of the type: `strides` belong to `lengths`."""

    key: FieldKey
    type: CType
    offset: int
    lengths: tuple[Length, ...] = ()
    strides: tuple[int, ...] = ()

    def offsets(self) -> Iterator[int]:
        """The offsets of all scalars of the part, row-major; none where a length varies."""
        if not all(isinstance(length, int) for length in self.lengths):
            return
        found = [self.offset]
        for length, stride in zip(self.lengths, self.strides, strict=True):
            assert isinstance(length, int)
            found = [one + k * stride for one in found for k in range(length)]
        yield from found

    @property
    def count(self) -> int | None:
        """The number of scalars."""
        result = 1
        for length in self.lengths:
            if not isinstance(length, int):
                return None
            result *= length
        return result


class Sizes(Protocol):
    """Sizes of types as terms; those of arrays of variable length are not constant."""

    @property
    def arena(self) -> Arena: ...

    @property
    def regions(self) -> Regions: ...

    def size_term(self, type_: CType) -> Term: ...

    def size(self, type_: CType) -> int | None: ...


@dataclass(frozen=True, slots=True)
class MemoryPlace:
    """An object, or a part of one, at an address."""

    owner: Class
    key: FieldKey
    address: Value
    type: CType
    sizes: Sizes

    def element(self, index: Value) -> MemoryPlace:
        assert isinstance(self.type, Array)
        arena = self.sizes.arena
        number = arena.ite(index.term, arena.one, arena.zero) if index.is_truth else index.term
        offset = arena.multiply(number, self.sizes.size_term(self.type.element))
        size = self.sizes.size(self.type.element)
        extent = (ADDRESS.minimum, ADDRESS.maximum) if size is None else (size * index.low, size * index.high)
        return replace(self, address=self._moved(offset, *extent), type=self.type.element)

    def member(self, member: Field) -> MemoryPlace:
        assert isinstance(self.type, Record)
        key = self.sizes.regions.points.field(self.type, member.name)
        address = self._moved(self.sizes.arena.integer(member.offset), member.offset, member.offset)
        return replace(self, key=key, address=address, type=field_type(member))

    def _moved(self, offset: Term, low: int, high: int) -> Value:
        address = self.sizes.arena.add(self.address.term, offset)
        return address_value(address, self.address.low + low, self.address.high + high)


AnyPlace = Place | MemoryPlace


class Regions:
    """Which regions the reachable code accesses."""

    def __init__(self, unit: tree.TranslationUnit, points: PointsTo) -> None:
        self.points = points
        self.model: DataModel = unit.data_model
        self._types: dict[Kind, dict[str, Integer]] = {}
        self._kinds: dict[Class, dict[str, None]] = {}
        self._names: dict[Kind, str] = {}
        self._numbers: dict[Class, int] = {}
        self._literals: list[tree.StringLiteral] = []
        self._packed = False
        """Whether a struct or union has members that are less aligned than their types."""
        self._seen: set[CType] = set()
        self._numeric = False
        for declaration in unit.globals:
            if declaration.object.name in points.objects and declaration.initialiser is not None:
                self._numeric |= uses_numbers(declaration.initialiser)
                found = nodes(declaration.initialiser)
                self._literals.extend(node for node in found if isinstance(node, tree.StringLiteral))
        for name in points.reachable:
            body = unit.functions[name].body
            assert body is not None
            self._numeric |= uses_numbers(body)
            for node in nodes(body):
                if isinstance(node, tree.TypedNode):
                    self._see(node.type)
                match node:
                    case tree.StringLiteral():
                        self._literals.append(node)
                    case tree.Load(lvalue=lvalue):
                        self._access(lvalue)
                    case (
                        tree.Assign(target=lvalue) | tree.CompoundAssign(target=lvalue) | tree.Increment(target=lvalue)
                    ):
                        self._access(lvalue)
                    case _:
                        pass

    @property
    def address(self) -> Integer:
        """The type of addresses: that of the machine where the program uses them as numbers, else ADDRESS."""
        if not self._numeric:
            return ADDRESS
        return Integer(IntegerKind.INT128, 8 * self.model.pointer_size, signed=False)

    def _see(self, type_: CType) -> None:
        """Find out about packed types below this one."""
        stack = [type_]
        while stack:
            one = stack.pop()
            while isinstance(one, Pointer | Array):
                one = one.target if isinstance(one, Pointer) else one.element
            if not isinstance(one, Record) or not one.is_complete or one in self._seen:
                continue
            self._seen.add(one)
            for member in one.layout.fields:
                align = self.model.align_of(member.type) if member.width is None else 1
                self._packed |= member.offset % align != 0 or one.layout.align < align
                stack.append(member.type)

    def literals(self) -> Iterator[tree.StringLiteral]:
        """The string literals that may be accessed."""
        yield from self._literals

    def size(self, type_: CType) -> int:
        """Bytes; 1 for void and functions, as gcc has it."""
        if isinstance(type_, Record) and not type_.is_complete:
            return 1
        return max(0, self.model.size_of(type_))

    def in_memory(self, lvalue: tree.Lvalue) -> bool:
        base = root(lvalue)
        if isinstance(base, tree.Variable | tree.CompoundLiteral):
            return base.object.name in self.points.escaped
        return isinstance(base, tree.Dereference | tree.StringLiteral)

    def _access(self, lvalue: tree.Lvalue) -> None:
        if not self.in_memory(lvalue):
            return
        node, key = find(self.points.place(lvalue)), self.points.key(lvalue)
        declared = field_type(lvalue.field) if isinstance(lvalue, tree.Member) else lvalue.type
        for cell in self.cells(declared, key):
            type_ = scalar(cell.type)
            if type_ is not None:
                if type_.bits not in _SIZES and type_ != ADDRESS:
                    self._kinds.setdefault(node, {})["bits"] = None  # several may share an address
                self._kinds.setdefault(node, {})[_kind(type_)] = None
                self._types.setdefault(self._region(node, cell.key, type_), {})[repr(type_)] = type_

    def cells(self, type_: CType, key: FieldKey = None, offset: int = 0) -> Iterator[Cell]:
        """The cells of a type, parallel to its leaves; `key` is that of a scalar itself."""
        match type_:
            case Array(element, length):
                stride = self.size(element) if _has_size(element) else 0
                for cell in self.cells(element, key, offset):
                    yield replace(cell, lengths=(length, *cell.lengths), strides=(stride, *cell.strides))
            case Record(kind=RecordKind.STRUCT) if type_.is_complete:
                for member in type_.layout.fields:
                    inner = self.points.field(type_, member.name)
                    yield from self.cells(field_type(member), inner, offset + member.offset)
            case _:
                yield Cell(key, type_, offset)

    def _region(self, node: Class, key: FieldKey, type_: Integer) -> Kind:
        return (node, None, "mixed") if node.mixed else (node, key, _kind(type_) if key is None else "field")

    def region(self, node: Class, key: FieldKey, type_: Integer, span: Span) -> tuple[str, Integer] | None:
        """The name of a region and the type of its elements; None where nothing accesses it. Raises Unsupported."""
        node = find(node)
        if node.mixed and len(self._kinds.get(node, ())) > 1:
            raise Unsupported(span, "memory that is accessed as scalars of different types is not decided")
        kind = self._region(node, key, type_)
        types = list(self._types.get(kind, {}).values())
        if not types:
            return None
        return self._name(kind), types[0] if len(types) == 1 else _unsigned(types)

    def every(self) -> Iterator[tuple[str, Integer, Class]]:
        """The regions that are accessed and can be."""
        for kind, types in self._types.items():
            if not (kind[0].mixed and len(self._kinds[kind[0]]) > 1):
                found = list(types.values())
                yield self._name(kind), found[0] if len(found) == 1 else _unsigned(found), kind[0]

    def of(self, node: Class) -> Iterator[tuple[str, Integer, int]]:
        """The regions of a class, and bytes: objects have their scalars at multiples of these."""
        for name, type_, owner in self.every():
            if owner is find(node):
                bytes_ = self.model.pointer_size if type_ == ADDRESS else (type_.bits + 7) // 8
                yield name, type_, 1 if self._packed else self._alignment(bytes_)

    def _alignment(self, size: int) -> int:
        """The least alignment of scalars of a size in either data model; 1 for odd bit-fields."""
        return min(size, 4) if size in (1, 2, 4, 8, 16) else 1

    def _name(self, kind: Kind) -> str:
        if kind not in self._names:
            node, key, what = kind
            number = self._numbers.setdefault(node, len(self._numbers) + 1)
            part = what if key is None else f"{key[0].tag}.{key[1]}"
            self._names[kind] = f"memory{number}.{part}"
        return self._names[kind]

    def touched(self, lvalue: tree.Lvalue) -> frozenset[str] | None:
        """The regions that an access of the lvalue may touch; None where it is not in memory."""
        if not self.in_memory(lvalue):
            return None
        node, key = self.points.place(lvalue), self.points.key(lvalue)
        return self._touched(node, key, lvalue.type)

    def handed(self, call: tree.Call) -> frozenset[str]:
        """The regions that a call hands over, where it calls an undefined function."""
        if not self.points.may_be_undefined(call):
            return frozenset()
        return frozenset(name for one in self.points.handed(call) for name, _, _ in self.of(one))

    def touched_object(self, object_: tree.Object) -> frozenset[str] | None:
        if object_.name not in self.points.escaped:
            return None
        return self._touched(self.points.content(object_), None, object_.type)

    def _touched(self, node: Class, key: FieldKey, type_: CType) -> frozenset[str]:
        node, found = find(node), set[str]()
        for cell in self.cells(type_, key):
            integer = scalar(cell.type)
            if integer is not None:
                kind = self._region(node, cell.key, integer)
                if kind in self._types:
                    found.add(self._name(kind))
        return frozenset(found)


def scalar(type_: CType) -> Integer | None:
    """The type of the numbers that stand for a scalar."""
    return ADDRESS if isinstance(type_, Pointer) else type_ if isinstance(type_, Integer) else None


def _kind(type_: Integer) -> str:
    if type_ == ADDRESS:
        return "pointer"
    return "bool" if type_.kind is IntegerKind.BOOL else f"int{type_.bits}"


def _unsigned(types: list[Integer]) -> Integer:
    """One type of that size."""
    if all(one.signed == types[0].signed for one in types):
        return types[0]
    return next(one for one in types if not one.signed)


def _has_size(type_: CType) -> bool:
    while isinstance(type_, Array):
        if not isinstance(type_.length, int):
            return False
        type_ = type_.element
    return True


__all__ = ["AnyPlace", "Cell", "MemoryPlace", "Regions", "leaves", "scalar"]
