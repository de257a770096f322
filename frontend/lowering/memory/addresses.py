"""Objects whose address is taken, and the heap: their addresses, and the slots of their parts.

Objects have constant addresses, apart from those of recursive functions and those of variable length, which take a new
address when they begin. The heap is an address that grows; addresses are never given out twice.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from core.program.properties import NO_KINDS, Kinds
from core.program.span import Span
from core.terms import INT_ARRAY, Arena, Term
from frontend.lowering.arithmetic import ADDRESS, BLOCK_NUMBER, BoundedTerm
from frontend.lowering.checks.object_states import BLOCK, FIRST_HEAP, Lives
from frontend.lowering.memory.float_bits import FloatBits
from frontend.lowering.memory.groups import BYTE, Region, stored_type
from frontend.lowering.memory.numeric_addresses import AddressNumbers
from frontend.lowering.memory.regions import AnyPlace, MemoryCell, MemoryPlace, Regions
from frontend.lowering.memory.strings import MAX, StringArray, Strings
from frontend.lowering.ordinals import Ordinals
from frontend.lowering.pointsto.classes import Class, FieldKey, find
from frontend.lowering.storage import PointerNumbers, Slot, VariablePlace, Variables
from frontend.source import Unsupported
from frontend.typed import tree
from frontend.typed.const_parts import constant_parts
from frontend.typed.ctype import Array, CType, FloatKind, Integer, Record, VariableLength
from frontend.typed.leaves import TypeLeaf, leaves
from frontend.typed.padding import padding
from frontend.typed.tree import Storage

_FUNCTIONS, OBJECTS, _HEAP = 1 << 12, 1 << 20, 1 << 40
"""The lowest addresses of functions, of named objects and of the heap."""
_NUMERIC_HEAP = {32: 1 << 30, 64: _HEAP}
"""Start of the heap in the address space of a machine."""
GAP = 16
"""Bytes between two objects."""
HEAP = "heap"
"""The variable that holds the next free address."""
_OPEN = 1 << 24
"""Bytes kept for an object whose size is not known."""
LARGEST_STORE = 1024
"""Scalars that one assignment writes one by one."""


class MemoryModel:
    """Addresses and slots of the objects in memory.

    `once` are the automatic objects that begin once at most; `tracks` says whether anyone asks which objects are alive.
    """

    def __init__(
        self,
        arena: Arena,
        variables: Variables,
        regions: Regions,
        recursive: frozenset[str],
        once: frozenset[str],
        tracks: bool,
        kinds: Kinds = NO_KINDS,
    ) -> None:
        self.arena, self._variables, self.regions = arena, variables, regions
        self._recursive, self.once = recursive, once
        numbers: dict[str | int, int] = {id(one): number for number, one in enumerate(regions.literals())}
        self._numbers = numbers
        objects = regions.points.escaped.values()
        layouts = dict.fromkeys(parts for one in objects if (parts := constant_parts(one.type, regions.model)))
        self.lives = Lives(arena, variables, len(numbers), kinds, tuple(layouts)) if tracks else None
        self.type = regions.address
        """Of addresses."""
        self.numbers: AddressNumbers | None = None
        """The numbers of addresses, where these are not the numbers themselves."""
        if self.lives is not None and regions.uses_numbers:
            bits = 8 * regions.model.pointer_size
            may_touch = not regions.points.tracks and not regions.shares_addresses
            constants = frozenset(regions.constants)
            self.numbers = AddressNumbers(arena, variables, self.lives, bits, constants, may_touch=may_touch)
        self._addresses: dict[str | int, int] = {}
        self._functions: dict[str, int] = {}
        self._next = OBJECTS
        self.firsts: dict[Term, Term] = {}
        """Of regions with pointers from outside: variables that keep what was there at first."""
        self.string_arrays: tuple[StringArray, ...] = ()
        """The arguments and the environment of the program, as far as it reads them."""
        self._strings = 0
        """The arrays of strings that have addresses."""

    # Addresses

    @property
    def heap(self) -> Term:
        """The variable that holds the next free address, or the number of the next free block."""
        return self._variables.hidden(HEAP, None, self._counted)

    @property
    def _counted(self) -> Integer:
        """The type of what says where an object lies: of addresses, or of numbers of blocks."""
        return ADDRESS if self.lives is None or self.type == ADDRESS else BLOCK_NUMBER

    @property
    def fresh(self) -> Term:
        """The address of the next object."""
        return self.heap if self.lives is None else self.lives.address(self.heap)

    @property
    def first_heap(self) -> Term:
        behind = self._strings * MAX  # all strings lie before
        if self.lives is not None:
            return self.arena.integer(FIRST_HEAP + behind)
        return self.arena.integer(self._heap + behind * self._stride)

    @property
    def _stride(self) -> int:
        """The distance between two strings, where no block is kept for each: no string is larger."""
        return 1 << 8 * self.regions.model.pointer_size

    def new_strings(self, characters: Term | None) -> Strings:
        """Addresses for as many strings as there may be in an array."""
        number = self._strings * MAX
        self._strings += 1
        if self.lives is None:
            return Strings(self._heap + number * self._stride, self._stride, characters)
        return Strings(BLOCK * (FIRST_HEAP + number), BLOCK, characters)

    def new_array(self) -> int:
        """The constant address of an array of pointers to strings."""
        if self.lives is not None:
            return self.lives.new_constant()
        found = self._next
        self._next += (MAX + GAP) * self.regions.model.pointer_size
        return found

    @property
    def _heap(self) -> int:
        return _NUMERIC_HEAP[self.type.bits] if self.regions.is_numeric else _HEAP

    def after(self, size: Term) -> Term:
        """The value of `heap` once an object of `size` bytes is there; aligned where that could be seen."""
        if self.lives is not None:
            return self.arena.add(self.heap, self.arena.one)
        arena, size = self.arena, self.arena.add(size, self.arena.integer(GAP))
        if self.regions.is_numeric or size.is_constant:
            gap = arena.integer(GAP)
            size = arena.multiply(gap, arena.divide(arena.add(size, arena.integer(GAP - 1)), gap))
        return arena.add(self.heap, size)

    def fits(self, after: Term) -> Term | None:
        """The condition that what is allocated lies in the address space; None where that has no end."""
        if self.type == ADDRESS:
            return None
        most = self.type.maximum if self.lives is None else BLOCK_NUMBER.maximum
        return self.arena.le(after, self.arena.integer(most - GAP))

    def moves(self, object_: tree.Object) -> bool:
        """Whether the object takes a new address each time it begins: also where that is how its contents get new."""
        if object_.storage is not Storage.AUTOMATIC and object_.storage is not Storage.PARAMETER:
            return False
        if object_.name not in self.once and (self.lives is not None or self._shows_padding(object_)):
            return True
        return object_.function in self._recursive or self.is_large(object_.type)

    def _shows_padding(self, object_: tree.Object) -> bool:
        """Whether there is padding in the object that accesses of other types may reach."""
        node = self.regions.points.content(object_)
        return node.mixed and next(padding(object_.type, self.regions.model), None) is not None

    def is_large(self, type_: CType) -> bool:
        """Whether one assignment cannot write all parts of an object."""
        counts = [cell.count for cell in self.regions.cells(type_)]
        return any(count is None or count > LARGEST_STORE for count in counts)

    def moving(self, object_: tree.Object) -> Term:
        """The variable that holds the address, or the block, of an object that moves."""
        return self._variables.hidden(f"{object_.name}.address", object_.function, self._counted)

    def size_term(self, type_: CType) -> Term:
        if isinstance(type_, Array) and isinstance(type_.length, int | VariableLength):
            return self.arena.multiply(self._variables.length(type_.length), self.size_term(type_.element))
        return self.arena.integer(self.regions.size(type_))

    def size(self, type_: CType) -> int | None:
        try:
            return self.regions.size(type_)
        except ValueError:
            return None

    def address(self, object_: tree.Object) -> BoundedTerm:
        if self.moves(object_):
            moving = self.moving(object_)
            address = moving if self.lives is None else self.lives.address(moving)
            return BoundedTerm(address, self.type.minimum, self.type.maximum)
        return self._constant(object_.name, object_.type, object_.span)

    def known_address(self, object_: tree.Object) -> Term | None:
        """The address of an object that the code has mentioned; None for others."""
        if self.moves(object_):
            is_set = self._variables.has(f"{object_.name}.address")
            return self.address(object_).term if is_set else None
        return self.arena.integer(self._addresses[object_.name]) if object_.name in self._addresses else None

    def extent(self, owner: Class) -> tuple[int, int] | None:
        """The addresses between which all objects of a class lie; None where one of them has no constant address."""
        objects = tuple(owner.objects.values())
        is_open = owner.anonymous or owner.opaque or owner.numbers or owner.functions or not objects
        if is_open or self.lives is not None or any(self.moves(one) for one in objects):
            return None
        sizes = [self.size(one.type) for one in objects]
        starts = [self.address(one).low for one in objects]
        if any(one.storage is Storage.EXTERNAL for one in objects) or None in sizes:
            return None
        return min(starts), max(at + (size or 0) for at, size in zip(starts, sizes, strict=True))

    def function(self, name: str) -> BoundedTerm:
        if name not in self._functions:
            near = _FUNCTIONS + GAP * len(self._functions)
            self._functions[name] = near if self.lives is None or self.numbers is None else self.lives.new_constant()
        number = self._functions[name]
        return BoundedTerm(self.arena.integer(number), number, number)

    def functions(self) -> Iterator[tuple[str, Term]]:
        """The functions that have addresses."""
        return ((name, self.arena.integer(number)) for name, number in self._functions.items())

    def literals(self) -> Iterator[tuple[tree.StringLiteral, Term]]:
        """The string literals that have addresses."""
        for one in self.regions.literals():
            if id(one) in self._addresses:
                yield one, self.arena.integer(self._addresses[id(one)])

    def _constant(self, name: str | int, type_: CType, span: Span) -> BoundedTerm:
        if name not in self._addresses:
            self._addresses[name] = self._next
            if self.lives is not None:
                address = self._numbers.get(name)
                self._addresses[name] = self.lives.new_constant() if address is None else self.lives.literal(address)
            size = self.size(type_)
            size = _OPEN if size is None else size
            self._next += (size + 2 * GAP - 1) // GAP * GAP
            if self._next > self._heap:
                raise Unsupported(span, "objects of so many bytes are not decided")
        address = self._addresses[name]
        return BoundedTerm(self.arena.integer(address), address, address)

    def behind(self, static: list[tree.Object]) -> Term:
        """The address behind all literals, and then these static objects: all others come later."""
        for one in self.regions.literals():
            self.literal(one)
        for object_ in static:
            self.address(object_)
        return self.arena.integer(self._next if self.lives is None else self.lives.next_constant)

    # Places

    def holds(self, object_: tree.Object) -> bool:
        return object_.name in self.regions.points.escaped

    def object(self, object_: tree.Object) -> AnyPlace:
        if not self.holds(object_):
            return VariablePlace(object_.name, object_.type)
        return self.at(self.regions.points.content(object_), self.address(object_), object_.type)

    def literal(self, literal: tree.StringLiteral) -> MemoryPlace:
        return self.at(
            self.regions.points.place(literal), self._constant(id(literal), literal.type, literal.span), literal.type
        )

    def at(self, owner: Class, address: BoundedTerm, type_: CType, key: FieldKey = None) -> MemoryPlace:
        return MemoryPlace(owner, key, address, type_, self)

    def slots(self, place: AnyPlace, span: Span) -> tuple[tuple[TypeLeaf, Slot | None], ...]:
        """The leaves of a place with what holds them. Raises Unsupported."""
        if isinstance(place, VariablePlace):
            return self._variables.slots(place)
        cells = self.regions.cells(place.type, place.key, place.fixed, first_bit=place.first_bit)
        return tuple(
            (leaf, self._slot(place, cell, span)) for leaf, cell in zip(leaves(place.type), cells, strict=True)
        )

    def _slot(self, place: MemoryPlace, cell: MemoryCell, span: Span) -> Slot | None:
        region = self.regions.region(place.owner, cell)
        type_ = stored_type(cell.type, self.regions.model)
        if region is None or type_ is None or self._is_behind(place.type, cell):
            return None
        variable, start = self.region(region), place.address.term
        first_bit = cell.first_bit if region.split else None
        size = self.regions.model.pointer_size if type_ == ADDRESS else ((first_bit or 0) + type_.bits + 7) // 8
        if region.overlaps and not region.split and size != region.size and cell.lengths:
            return self._block(variable, region, start, self._offsets(cell, span), size)
        held, bytes_ = (type_, size) if region.split else (region.type, 0)
        numbers: PointerNumbers | None = None
        if type_ == ADDRESS and (region.split or region.type != ADDRESS):
            numbers = self.numbers
        elif isinstance(type_, Ordinals) and (
            region.split
            or (region.type != type_ and region.type.bits == type_.bits)  # else nobody reads a number there
        ):
            numbers = self._float_bits(type_, span)
        held = held if numbers is None else type_
        if not cell.lengths:
            index = self._plus(start, cell.offset)
            return Slot(variable, held, index, None, False, None, bytes_, first_bit, numbers)
        offsets = self._offsets(cell, span)
        return Slot(variable, held, start, len(offsets), True, offsets, bytes_, first_bit, numbers)

    def padding(self, place: AnyPlace) -> dict[tuple[int, int], Slot]:
        """The padding in a place that accesses of other types may reach, in pieces of an element, by their bits."""
        if isinstance(place, VariablePlace) or not (place.fixed or find(place.owner).mixed):
            return {}
        region = self.regions.region(place.owner, MemoryCell(place.key, BYTE, 0))
        found: dict[tuple[int, int], Slot] = {}
        for begin, end in padding(place.type, self.regions.model) if region is not None else ():
            assert region is not None
            step = 8 * region.size
            for at in range(begin // step * step, end, step):
                first, last = max(begin - at, 0), min(end - at, step)
                type_ = replace(region.type, bits=last - first) if region.split else region.type
                index = self._plus(place.address.term, at // 8)
                bytes_, bit = (1, first) if region.split else (0, None)
                found[at + first, last - first] = Slot(
                    self.region(region), type_, index, None, False, None, bytes_, bit
                )
        return found

    def _float_bits(self, type_: Ordinals, span: Span) -> FloatBits:
        """The conversion of numbers to bits, and back, at a place."""
        if type_.float is FloatKind.LONG_DOUBLE:
            raise Unsupported(span, "the bytes of a long double are not decided")
        return FloatBits(type_, self._variables, span)

    def _is_behind(self, type_: CType, cell: MemoryCell) -> bool:
        """Whether the cell is an array of any length behind the struct, which no copy has (C11 6.7.2.1)."""
        return isinstance(type_, Record) and None in cell.lengths and cell.offset >= self.regions.size(type_)

    def _offsets(self, cell: MemoryCell, span: Span) -> tuple[int, ...]:
        if cell.count is None or cell.count > LARGEST_STORE:
            raise Unsupported(span, "an array in memory of so many elements is not decided as a whole")
        return tuple(cell.offsets())

    def _block(self, variable: Term, region: Region, start: Term, offsets: tuple[int, ...], size: int) -> Slot:
        """The elements of a region in a piece of memory that nobody reads or writes as what it is declared."""
        places = {one + k for one in offsets for k in range(size) if (one + k) % region.size == 0}
        return Slot(variable, region.type, start, len(places), True, tuple(sorted(places)))

    def _plus(self, address: Term, offset: int) -> Term:
        return self.arena.add(address, self.arena.integer(offset))

    def region(self, region: Region) -> Term:
        """The variable of a region."""
        return self._variables.hidden(region.name, None, region.type, (None,))

    def keep_first(self, region: Region) -> Term:
        """A variable that keeps the first contents of a region."""
        kept = self._variables.hidden(f"{region.name}!first", None, region.type, (None,))
        self.firsts[self.region(region)] = kept
        return kept

    def zeros(self) -> Term:
        return self.arena.const_array(INT_ARRAY, self.arena.zero)


__all__ = ["LARGEST_STORE", "OBJECTS", "MemoryModel"]
