"""The bytes of living objects, as terms over hidden arrays, for the checks of accesses through pointers.

Each object has a block of the address space to itself: addresses are numbers without end, and a block is larger than
any object. `sizes` maps the numbers of blocks to bytes, 0 for a block whose object is dead or was never there, so that
an access is valid where it begins and ends within the bytes of its block. Block 0 has null and the functions. Blocks
are never used twice: a pointer to a dead object does not come to life again.

Limitation: without the kind `pointer`, a pointer that goes around by 2^80 bytes is not noticed.
"""

from __future__ import annotations

from collections.abc import Mapping

from core.program.properties import CheckKind, Kinds
from core.terms import INT_ARRAY, Arena, Term
from frontend.lowering.arithmetic import ADDRESS
from frontend.lowering.storage import Variables
from frontend.typed.const_parts import ConstantParts

BLOCK = 1 << 80
"""Bytes of a block: more than two sizes or offsets of 64 bits can make, times the size of any element in practice."""
Qualities = tuple[int, ConstantParts | bool]
"""The alignment of an object, and whether it is constant, or parts of it are."""
SIZES = "memory.sizes"
"""The name of the variable with the sizes of blocks."""
FIRST_HEAP = 1 << 20
"""The number of the first block that is no constant."""
STRING_SIZES = "strings.sizes"
"""The name of the variable with the sizes of strings from outside, by their blocks."""


class Lives:
    """The living objects of a program.

    `literals` is the number of string literals: they have the blocks from 1 on, and cannot be written. `layouts` are
    those of objects with constant parts.
    """

    def __init__(
        self,
        arena: Arena,
        variables: Variables,
        literals: int,
        kinds: Kinds,
        layouts: tuple[ConstantParts, ...],
    ) -> None:
        self._arena, self._variables, self._kinds = arena, variables, kinds
        self._literals = literals
        self._constants = literals
        self._layouts = layouts
        self.strings: dict[int, Term] = {}
        """The blocks of strings from outside: how many follow from a first one."""
        self.string_sizes: Term | None = None
        """The array with their sizes, by the numbers of blocks."""

    @property
    def sizes(self) -> Term:
        return self._variables.hidden(SIZES, None, ADDRESS, (None,))

    @property
    def releasable(self) -> Term:
        """1 for each block that `free` may release."""
        return self._variables.hidden("memory.releasable", None, ADDRESS, (None,))

    @property
    def alignments(self) -> Term:
        """The alignment of each block, in bytes."""
        return self._variables.hidden("memory.alignments", None, ADDRESS, (None,))

    @property
    def constants(self) -> Term:
        """1 for each block that must not be written to, and above the numbers of layouts of constant parts.

        Literals are known by their addresses.
        """
        return self._variables.hidden("memory.constants", None, ADDRESS, (None,))

    @property
    def count(self) -> Term:
        """The number of blocks that may be released."""
        return self._variables.hidden("memory.count", None, ADDRESS)

    def literal(self, state: int) -> int:
        """The address of a string literal, which are counted from 0."""
        return (state + 1) * BLOCK

    @property
    def next_constant(self) -> int:
        """The address of the next object that never moves."""
        return (self._constants + 1) * BLOCK

    def new_constant(self) -> int:
        """The address of one more object that never moves."""
        self._constants += 1
        assert self._constants < FIRST_HEAP
        return self._constants * BLOCK

    def address(self, block: Term) -> Term:
        return self._arena.multiply(self._arena.integer(BLOCK), block)

    # Parts of addresses

    def block(self, address: Term) -> Term:
        return self._parts(address)[0]

    def offset(self, address: Term) -> Term:
        return self._parts(address)[1]

    def size(self, address: Term) -> Term:
        """The bytes of the object that an address lies in, 0 for one that is not alive."""
        return self._bytes(self.block(address))

    def _bytes(self, block: Term) -> Term:
        """The bytes of the object in a block. Strings from outside never die: their sizes are kept apart."""
        arena, found = self._arena, self._arena.select(self.sizes, block)
        for first, count in self.strings.items():
            assert self.string_sizes is not None
            within = self._is_among(block, first, count)
            found = found if within.is_false else arena.ite(within, arena.select(self.string_sizes, block), found)
        return found

    def _is_among(self, block: Term, first: int, count: Term) -> Term:
        arena, start = self._arena, self._arena.integer(first)
        return arena.and_(arena.le(start, block), arena.lt(block, arena.add(start, count)))

    def ends(self, address: Term, character: Term) -> Term:
        """The character at an address, if it is one of a string from outside as it was at first, is the last one
        exactly if it is 0.
        """
        arena, (block, offset) = self._arena, self._parts(address)
        assert self.string_sizes is not None
        is_last = arena.equals(arena.add(offset, arena.one), arena.select(self.string_sizes, block))
        is_zero = arena.equals(character, arena.zero)
        told = arena.and_(arena.implies(is_last, is_zero), arena.implies(is_zero, is_last))
        return arena.and_(
            *(arena.implies(self._is_among(block, first, count), told) for first, count in self.strings.items())
        )

    def _parts(self, address: Term) -> tuple[Term, Term]:
        """The number of the block, and the offset in it."""
        arena, size = self._arena, self._arena.integer(BLOCK)
        if address.is_sum and all(factor % BLOCK == 0 for factor in address.coefficients):
            scaled = [(factor // BLOCK, x) for factor, x in zip(address.coefficients, address.args, strict=True)]
            whole = arena.add(arena.linear(scaled), arena.integer(address.constant // BLOCK))
            return whole, arena.integer(address.constant % BLOCK)
        return arena.divide(address, size), arena.modulo(address, size)

    # Conditions

    def readable(self, address: Term, size: Term) -> Term:
        """All bytes from the address on are in one living object."""
        block, offset = self._parts(address)
        return self._arena.le(self._arena.add(offset, size), self._bytes(block))

    def writable(self, address: Term, size: Term) -> Term:
        arena = self._arena
        first = arena.integer((self._literals + 1) * BLOCK)
        valid = self.readable(address, size)
        return arena.and_(arena.le(first, address), valid) if self._literals else valid

    def is_constant(self, address: Term, size: Term) -> Term:
        """Some of so many bytes from the address on lie in a constant object or part of one, or in a literal."""
        arena, (block, offset) = self._arena, self._parts(address)
        literal = arena.and_(arena.le(arena.one, block), arena.le(block, arena.integer(self._literals)))
        number = arena.select(self.constants, block)
        parts = (
            arena.and_(arena.equals(number, self._number(one)), self._meets(one, offset, size)) for one in self._layouts
        )
        return arena.or_(literal, arena.equals(number, arena.one), *parts)

    def _number(self, constant: ConstantParts | bool) -> Term:
        """The number of an object in `constants`."""
        return self._arena.integer(int(constant) if isinstance(constant, bool) else 2 + self._layouts.index(constant))

    def _meets(self, constant: ConstantParts, offset: Term, size: Term) -> Term:
        """Bytes of an object meet a constant part, of the element where they begin or of one behind it."""
        arena, stride = self._arena, self._arena.integer(constant.stride)
        start = arena.modulo(offset, stride)
        end, found = arena.add(start, size), list[Term]()
        for place, extent in constant.parts:
            first, last = arena.integer(place), arena.integer(place + extent)
            found.append(arena.and_(arena.lt(start, last), arena.lt(first, end)))
            found.append(arena.lt(arena.add(stride, first), end))
        return arena.or_(*found)

    def is_aligned(self, address: Term, alignment: int) -> Term:
        """The address is that of no object, or aligned wherever its object may lie."""
        arena, (block, offset) = self._arena, self._parts(address)
        wanted = arena.integer(alignment)
        multiple = arena.equals(arena.modulo(offset, wanted), arena.zero)
        fits = arena.le(wanted, arena.select(self.alignments, block))
        return arena.or_(arena.equals(block, arena.zero), arena.and_(multiple, fits))

    def in_one_object(self, address: Term, other: Term) -> Term:
        """Both addresses belong to one object, living or dead."""
        return self._arena.equals(self.block(address), self.block(other))

    def ends_apart(self, address: Term, other: Term) -> Term:
        """The first address is the end of an object, and the second one belongs to another object."""
        arena, (block, offset), found = self._arena, self._parts(address), self.block(other)
        at_end = arena.equals(offset, self._bytes(block))
        both = (arena.le(arena.one, one) for one in (block, found))
        return arena.and_(*both, arena.not_(arena.equals(block, found)), at_end)

    def reaches(self, address: Term, moved: Term) -> Term:
        """The second address is one of a byte of the living object of the first, or of the place behind it."""
        block, offset = self._parts(moved)
        within = self._arena.le(offset, self._bytes(block))
        return self._arena.and_(self._arena.equals(self.block(address), block), within)

    def can_release(self, address: Term) -> Term:
        """Null, or the start of what an allocation returned and nobody has released."""
        arena = self._arena
        block, offset = self._parts(address)
        is_whole = arena.equals(offset, arena.zero)
        held = arena.equals(arena.select(self.releasable, block), arena.one)
        return arena.or_(arena.equals(address, arena.zero), arena.and_(is_whole, held))

    # Updates, for one assignment

    def begin(self, qualities: Mapping[int, Qualities]) -> list[tuple[Term, Term]]:
        """The alignments of the objects at these addresses, and which are constant, where that is checked."""
        updates: list[tuple[Term, Term]] = []
        aligned = constant = self._arena.const_array(INT_ARRAY, self._arena.zero)
        for address, (alignment, quality) in qualities.items():
            block = self._arena.integer(address // BLOCK)
            aligned = self._arena.store(aligned, block, self._arena.integer(alignment))
            constant = self._arena.store(constant, block, self._number(quality)) if quality else constant
        if CheckKind.ALIGNMENT in self._kinds:
            updates.append((self.alignments, aligned))
        if CheckKind.CONST in self._kinds:
            updates.append((self.constants, constant))
        return updates

    def qualified(
        self, block: Term, alignment: Term | int, constant: ConstantParts | bool = False
    ) -> list[tuple[Term, Term]]:
        """The same for one more object."""
        arena, found = self._arena, list[tuple[Term, Term]]()
        alignment = arena.integer(alignment) if isinstance(alignment, int) else alignment
        if CheckKind.ALIGNMENT in self._kinds:
            found.append((self.alignments, arena.store(self.alignments, block, alignment)))
        if CheckKind.CONST in self._kinds and constant:
            found.append((self.constants, arena.store(self.constants, block, self._number(constant))))
        return found

    def start(self, sizes: dict[int, Term]) -> list[tuple[Term, Term]]:
        """Only the objects at these addresses are alive."""
        arena = self._arena
        found = zeros = arena.const_array(INT_ARRAY, arena.zero)
        for address, size in sizes.items():
            found = arena.store(found, arena.integer(address // BLOCK), size)
        return [(self.sizes, found), (self.releasable, zeros), (self.count, arena.zero)]

    def sized(self, block: Term, size: Term) -> tuple[Term, Term]:
        return self.sizes, self._arena.store(self.sizes, block, size)

    def allocated(self, block: Term, size: Term) -> list[tuple[Term, Term]]:
        """A new object that may be released."""
        arena = self._arena
        return [
            self.sized(block, size),
            (self.releasable, arena.store(self.releasable, block, arena.one)),
            (self.count, arena.add(self.count, arena.one)),
        ]

    def released(self, address: Term) -> list[tuple[Term, Term]]:
        """The effect of `free` where it can release."""
        arena, block = self._arena, self.block(address)
        fewer = arena.subtract(self.count, arena.one)
        return [
            self.sized(block, arena.zero),
            (self.releasable, arena.store(self.releasable, block, arena.zero)),
            (self.count, arena.ite(arena.equals(address, arena.zero), self.count, fewer)),
        ]

    def dead(self, blocks: list[Term]) -> tuple[Term, Term]:
        """The objects in the blocks come to their end."""
        found = self.sizes
        for block in blocks:
            found = self._arena.store(found, block, self._arena.zero)
        return self.sizes, found
