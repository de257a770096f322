"""Regions: memory cut into pieces that never overlap, each an array from addresses to scalars.

A region belongs to a class of objects and to a field of a struct (for a union, with all that is in it), or to a type of
scalars; a mixed class is one region. The index of a scalar is the address of its first byte.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Protocol

from core.dataclass import dataclass
from core.terms import Arena, Term
from frontend.elaboration.registers import PAGE, address_of, is_made_for_registers
from frontend.lowering.arithmetic import ADDRESS, WIDE, BoundedTerm, address_value
from frontend.lowering.memory.groups import BYTE, Group, Region, kind_of, stored_type
from frontend.lowering.pointsto.analysis import PointsTo
from frontend.lowering.pointsto.classes import Class, FieldKey, find
from frontend.lowering.storage import VariablePlace
from frontend.typed import tree
from frontend.typed.casts import constant, uses_numbers
from frontend.typed.ctype import (
    Array,
    CType,
    DataModel,
    Field,
    Integer,
    IntegerKind,
    Pointer,
    Record,
    RecordKind,
)
from frontend.typed.leaves import Length, field_type
from frontend.typed.library_table import library_function
from frontend.typed.lvalues import in_union, is_union, root
from frontend.typed.traversal import callee, nodes

RegionKey = tuple[Class, FieldKey, str]


@dataclass(frozen=True, slots=True)
class MemoryCell:
    """A scalar part of a type in memory, parallel to the leaves of the type: `strides` belong to `lengths`."""

    key: FieldKey
    type: CType
    offset: int
    lengths: tuple[Length, ...] = ()
    strides: tuple[int, ...] = ()
    first_bit: int | None = None
    """Of a bit-field that may share its bytes: the lowest of its bits in the first one."""

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


@dataclass(frozen=True, slots=True)
class ObjectPart:
    """A part of an object: its type, and the key of its scalars; all of them have it where it is `fixed`."""

    type: CType
    key: FieldKey = None
    fixed: bool = False
    first_bit: int | None = None

    def element(self) -> ObjectPart:
        assert isinstance(self.type, Array)
        return replace(self, type=self.type.element)

    def member(self, member: Field, points: PointsTo) -> ObjectPart:
        assert isinstance(self.type, Record)
        if self.fixed or is_union(self.type):
            return ObjectPart(field_type(member), self.key, True, member.first_bit)
        return ObjectPart(field_type(member), points.field(self.type, member.name), False, member.first_bit)


class TypeSizes(Protocol):
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
    address: BoundedTerm
    type: CType
    sizes: TypeSizes
    fixed: bool = False
    """Whether all parts have the key: in a union they have that of the union."""
    first_bit: int | None = None
    """As of a `MemoryCell`."""

    def element(self, index: BoundedTerm) -> MemoryPlace:
        assert isinstance(self.type, Array)
        arena = self.sizes.arena
        number = arena.ite(index.term, arena.one, arena.zero) if index.is_truth else index.term
        offset = arena.multiply(number, self.sizes.size_term(self.type.element))
        size = self.sizes.size(self.type.element)
        extent = (ADDRESS.minimum, ADDRESS.maximum) if size is None else (size * index.low, size * index.high)
        return replace(self, address=self._moved(offset, *extent), type=self.type.element)

    def member(self, member: Field) -> MemoryPlace:
        inner = ObjectPart(self.type, self.key, self.fixed).member(member, self.sizes.regions.points)
        address = self._moved(self.sizes.arena.integer(member.offset), member.offset, member.offset)
        return MemoryPlace(self.owner, inner.key, address, inner.type, self.sizes, inner.fixed, inner.first_bit)

    def _moved(self, offset: Term, low: int, high: int) -> BoundedTerm:
        address = self.sizes.arena.add(self.address.term, offset)
        return address_value(address, self.address.low + low, self.address.high + high)


AnyPlace = VariablePlace | MemoryPlace


class Regions:
    """The regions that the reachable code accesses.

    `bounded` says whether all numbers must have bounds, `blocks` whether addresses are numbers in blocks of objects.
    """

    def __init__(
        self, unit: tree.TranslationUnit, points: PointsTo, bounded: bool = False, blocks: bool = False
    ) -> None:
        self.points = points
        self._bounded, self._blocks = bounded, blocks
        self.model: DataModel = unit.data_model
        self._groups: dict[RegionKey, Group] = {}
        self._names: dict[RegionKey, str] = {}
        self._numbers: dict[Class, int] = {}
        self._literals: dict[int, tree.StringLiteral] = {}
        self._packed = False
        """Whether a struct or union has members that are less aligned than their types."""
        self._seen: set[CType] = set()
        self._numeric = False
        self.names_addresses = False
        """Whether constants near 0, other than 0 itself, become pointers."""
        self.constants: set[int] = set()
        """The constants that become pointers, but those near 0."""
        self.registers: set[int] = set()
        """The first addresses of the pages with registers of devices."""
        escaping: set[Class] = set()
        for declaration in unit.globals:
            if points.mentions(declaration.object) and declaration.initialiser is not None:
                self._numeric |= uses_numbers(declaration.initialiser)
                self._note_object(declaration.object, declaration.initialiser)
                for node in nodes(declaration.initialiser):
                    self._node(node)
        for name in points.reachable:
            body = unit.functions[name].body
            assert body is not None
            self._numeric |= uses_numbers(body)
            for parameter in unit.functions[name].parameters:
                self._note_object(parameter, None)
            for node in nodes(body):
                self._node(node)
                if isinstance(node, tree.Call) and points.may_be_undefined(node):
                    escaping.update(map(find, points.escaping(node)))
        for kind, group in self._groups.items():
            group.is_escaping = find(kind[0]) in escaping and group.is_empty and self._holds_pointers(group)
        numeric = [kind[0] for kind, one in self._groups.items() if one.is_numeric or (blocks and self._splits(one))]
        self.shares_addresses = bool(numeric)
        """Whether the bytes of some pointers may be read as numbers, without a conversion."""
        self._numeric |= self.shares_addresses
        for owner in numeric:
            for below in find(owner).targets.values():
                find(below).exposed = True

    def _splits(self, group: Group) -> bool:
        """Whether pointers are composed of bytes."""
        found = None if group.is_empty else group.region("", self._packed)
        return found is not None and found.split and found.addresses

    def _holds_pointers(self, group: Group) -> bool:
        """Whether all that a group holds is pointers, each a number."""
        return group.has_types and group.region("", self._packed).type == ADDRESS

    def _node(self, node: tree.Node) -> None:
        if isinstance(node, tree.TypedNode):
            self._see(node.type)
        match node:
            case tree.Convert() if isinstance(node.type, Pointer):
                self.names_addresses |= constant(node) not in (None, 0)
                number = address_of(node)
                if number is not None:
                    self.constants.add(number)
                    if is_made_for_registers(node):
                        self.registers.add(number % (1 << 8 * self.model.pointer_size) // PAGE * PAGE)
            case tree.StringLiteral():
                self._literals[id(node)] = node
                self._note(find(self.points.place(node)), self.cells(node.type))
            case tree.Load(lvalue=lvalue):
                self._access(lvalue)
            case tree.Assign(target=lvalue) | tree.CompoundAssign(target=lvalue) | tree.Increment(target=lvalue):
                self._access(lvalue)
            case tree.Declaration() | tree.CompoundLiteral() if node.initialiser is not None:
                self._note_object(node.object, node.initialiser)
            case _:
                pass

    @property
    def address(self) -> Integer:
        """The type of addresses: that of the machine where they are its numbers."""
        if not self.is_numeric:
            return WIDE if self._bounded else ADDRESS
        return Integer(IntegerKind.INT128, 8 * self.model.pointer_size, signed=False)

    @property
    def is_numeric(self) -> bool:
        """Whether addresses are the numbers of a machine, as which the program uses them."""
        return self._numeric and not self._blocks

    @property
    def uses_numbers(self) -> bool:
        """Whether the program uses addresses as numbers, or numbers as addresses."""
        return self._numeric

    @property
    def is_punned(self) -> bool:
        """Whether some memory is accessed as scalars of several types, which C may forbid (C11 6.5)."""
        return any(group.is_accessed and group.is_punned for group in self._groups.values())

    def _see(self, type_: CType) -> None:
        """Note the packed types below this one."""
        stack = [type_]
        while stack:
            node = stack.pop()
            while isinstance(node, Pointer | Array):
                node = node.target if isinstance(node, Pointer) else node.element
            if not isinstance(node, Record) or not node.is_complete or node in self._seen:
                continue
            self._seen.add(node)
            for member in node.layout.fields:
                align = self.model.align_of(member.type) if member.width is None else 1
                self._packed |= member.offset % align != 0 or node.layout.align < align
                stack.append(member.type)

    def literals(self) -> Iterator[tree.StringLiteral]:
        """The string literals that may be accessed."""
        yield from self._literals.values()

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

    def _note_object(self, object_: tree.Object, initialiser: tree.Initialiser | None) -> None:
        """Note the writes of an initialiser, or of a parameter, as a whole."""
        if object_.name not in self.points.escaped:
            return
        node = find(self.points.content(object_))
        if initialiser is None:
            self._note(node, self.cells(object_.type))
            return
        for entry in initialiser.entries:
            part = ObjectPart(object_.type)
            for step in entry.path:
                part = part.element() if isinstance(step, int) else part.member(step, self.points)
            self._note(node, self.cells(part.type, part.key, part.fixed, first_bit=part.first_bit))

    def _access(self, lvalue: tree.Lvalue) -> None:
        if self.in_memory(lvalue):
            field = lvalue.field if isinstance(lvalue, tree.Member) else None
            declared = lvalue.type if field is None else field_type(field)
            first_bit = None if field is None else field.first_bit
            cells = self.cells(declared, self.points.key(lvalue), in_union(lvalue) is not None, first_bit=first_bit)
            for group in self._note(find(self.points.place(lvalue)), cells):
                group.is_accessed = True

    def _note(self, node: Class, cells: Iterator[MemoryCell]) -> list[Group]:
        """The groups of the cells, which know their types from then on."""
        groups: list[Group] = []
        for cell in cells:
            if stored_type(cell.type, self.model) is not None:
                kind = self._kind(node, cell)
                if kind not in self._groups:
                    self._groups[kind] = Group(
                        self.model, overlaps=node.mixed or _holds_union(cell.key), aligned=not node.is_crossed
                    )
                self._groups[kind].add(cell.type, is_shared=cell.first_bit is not None)
                groups.append(self._groups[kind])
        return groups

    def cells(
        self, type_: CType, key: FieldKey = None, fixed: bool = False, offset: int = 0, first_bit: int | None = None
    ) -> Iterator[MemoryCell]:
        """The cells of a type, parallel to its leaves; `key` is that of a scalar itself, or, `fixed`, of all."""
        match type_:
            case Array(element, length):
                stride = self.size(element) if _has_size(element) else 0
                for cell in self.cells(element, key, fixed, offset):
                    yield replace(cell, lengths=(length, *cell.lengths), strides=(stride, *cell.strides))
            case Record(kind=RecordKind.STRUCT) if type_.is_complete:
                for member in type_.layout.fields:
                    inner = key if fixed else self.points.field(type_, member.name)
                    yield from self.cells(field_type(member), inner, fixed, offset + member.offset, member.first_bit)
            case Record(kind=RecordKind.UNION) if type_.is_complete:
                yield MemoryCell(key, BYTE, offset, (type_.layout.size,), (1,))
            case _:
                yield MemoryCell(key, type_, offset, first_bit=first_bit)

    def _kind(self, node: Class, cell: MemoryCell) -> RegionKey:
        if node.mixed:
            return node, None, "mixed"
        type_ = stored_type(cell.type, self.model)
        assert type_ is not None
        return node, cell.key, kind_of(type_) if cell.key is None else "field"

    def region(self, node: Class, cell: MemoryCell) -> Region | None:
        """The region of a cell; None where nothing accesses it."""
        if stored_type(cell.type, self.model) is None:
            return None
        kind = self._kind(find(node), cell)
        group = self._groups.get(kind)
        if group is None or (group.is_empty and not group.is_escaping):
            return None
        return group.region(self._name(kind), self._packed)

    def find(self, node: Class, cell: MemoryCell) -> Region | None:
        """The region of a cell, if there is one."""
        if stored_type(cell.type, self.model) is None:
            return None
        kind = self._kind(find(node), cell)
        group = self._groups.get(kind)
        return None if group is None or group.is_empty else group.region(self._name(kind), self._packed)

    def may_hold_no_boolean(self, lvalue: tree.Lvalue) -> bool:
        """Whether the lvalue has a `_Bool` in memory that may also be written to as another type."""
        if not self.in_memory(lvalue):
            return False
        cells = self.cells(lvalue.type, self.points.key(lvalue), in_union(lvalue) is not None)
        booleans = (cell for cell in cells if isinstance(cell.type, Integer) and cell.type.kind is IntegerKind.BOOL)
        regions = (self.find(self.points.place(lvalue), cell) for cell in booleans)
        return any(region is not None and region.split for region in regions)

    def may_overlap(self, e: tree.Assign) -> bool:
        """Whether an assignment may copy between objects that overlap in part, which C does not define."""
        source = e.value.lvalue if isinstance(e.value, tree.Load) else None
        if source is None or e.moves or not self.in_memory(e.target) or not self.in_memory(source):
            return False
        one, other = find(self.points.place(e.target)), find(self.points.place(source))
        is_mixed = one.mixed or in_union(e.target) is not None or in_union(source) is not None
        return one is other and is_mixed

    def every(self) -> Iterator[tuple[Region, Class]]:
        """The regions that are accessed and can be."""
        for kind, group in self._groups.items():
            if not group.is_empty:
                yield group.region(self._name(kind), self._packed), kind[0]

    def unread(self) -> Iterator[Region]:
        """The regions that nothing but undefined functions may read."""
        for kind, group in self._groups.items():
            if group.is_escaping:
                yield group.region(self._name(kind), self._packed)

    def keyed(self) -> Iterator[tuple[Region, FieldKey]]:
        """The regions as `every` gives them, with the field that each one holds."""
        for kind, group in self._groups.items():
            if not group.is_empty:
                yield group.region(self._name(kind), self._packed), kind[1]

    def of(self, node: Class) -> Iterator[tuple[Region, int]]:
        """The regions of a class, and bytes: objects have their scalars at multiples of these."""
        for region, owner in self.every():
            if owner is find(node):
                yield region, 1 if self._packed else self._alignment(region.size)

    def _alignment(self, size: int) -> int:
        """The least alignment of scalars of a size in either data model; 1 for odd bit-fields."""
        return min(size, 4) if size in (1, 2, 4, 8, 16) else 1

    def _name(self, kind: RegionKey) -> str:
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
        cells = self.cells(lvalue.type, self.points.key(lvalue), in_union(lvalue) is not None)
        return self._touched(self.points.place(lvalue), cells)

    def escaping(self, call: tree.Call) -> frozenset[str]:
        """The regions that a call hands over, where it calls an undefined function."""
        if not self.points.may_be_undefined(call):
            return frozenset()
        return frozenset(region.name for one in self.points.escaping(call) for region, _ in self.of(one))

    def released(self, call: tree.Call) -> frozenset[str]:
        """The regions of the objects whose lives a call of the library ends."""
        is_release = library_function(callee(call)).ends_object and call.arguments
        found = self.points.value(call.arguments[0]) if is_release else None
        return frozenset() if found is None else frozenset(region.name for region, _ in self.of(found))

    def touched_object(self, object_: tree.Object) -> frozenset[str] | None:
        if object_.name not in self.points.escaped:
            return None
        return self._touched(self.points.content(object_), self.cells(object_.type))

    def _touched(self, node: Class, cells: Iterator[MemoryCell]) -> frozenset[str]:
        kinds = (self._kind(find(node), cell) for cell in cells if stored_type(cell.type, self.model) is not None)
        return frozenset(self._name(kind) for kind in kinds if kind in self._groups and not self._groups[kind].is_empty)


def _holds_union(key: FieldKey) -> bool:
    if key is None:
        return False
    type_ = next(one.type for one in key[0].layout.fields if one.name == key[1])
    while isinstance(type_, Array):
        type_ = type_.element
    return is_union(type_)


def _has_size(type_: CType) -> bool:
    while isinstance(type_, Array):
        if not isinstance(type_.length, int):
            return False
        type_ = type_.element
    return True


__all__ = ["AnyPlace", "MemoryCell", "MemoryPlace", "Regions"]
