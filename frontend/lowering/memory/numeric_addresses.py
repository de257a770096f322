"""Addresses as numbers, where each living object has a block of pointers to itself: where it lies is an input.

An object whose address may become a number lies anywhere: aligned, not near null or a constant address, and in a piece
of the address space in which no other such object lives. Pieces begin anywhere, too. A number leads to the object in
whose piece it is, living or dead, whatever made the number (the rule PNVI of the proposals for C): outside of its bytes
it leads to no byte, as a pointer that was moved out. A number in no piece is a pointer to nothing.

`bases` maps blocks to the numbers of their first bytes, `origins` pieces to the distance from numbers to pointers.

Limitation: objects that share a piece, of 2^40 bytes or 2^20 where pointers have 32 bits, are not considered. So no
object ends where another one begins, but where no number becomes a pointer, so that nobody asks in whose piece the
number between them is.
"""

from __future__ import annotations

from collections.abc import Iterator

from core.program import Range
from core.program.span import Span
from core.terms import Arena, Term
from frontend.lowering.arithmetic import ADDRESS, BLOCK_NUMBER, Arithmetic, BoundedTerm, address_value
from frontend.lowering.checks.object_states import BLOCK, Lives
from frontend.lowering.storage import Variables
from frontend.source import Unsupported
from frontend.typed.ctype import Integer, IntegerKind

_PIECES = {32: 20, 64: 40}
"""Bits of the size of a piece, by the bits of a pointer."""
_NEAR = 1 << 12
"""No object lies so near to the ends of the address space."""


class AddressNumbers:
    """Makes numbers of pointers and pointers of numbers; `constants` are the numbers in the text that are pointers.

    Objects may touch where no other number becomes a pointer.
    """

    def __init__(
        self,
        arena: Arena,
        variables: Variables,
        lives: Lives,
        bits: int,
        constants: frozenset[int],
        *,
        may_touch: bool,
    ) -> None:
        self._arena, self._variables, self._lives, self._may_touch = arena, variables, lives, may_touch
        self.type = Integer(IntegerKind.UINT128, bits, signed=False)
        """Of the numbers."""
        self._piece = 1 << _PIECES[bits]
        taken = {number % (1 << bits) // self._piece for number in constants}
        self._taken = taken | {piece + 1 for piece in taken}
        self.functions = 1, 1
        """The first block of functions, which have no bytes but live, and the one behind the last one."""
        self._made: dict[Term, BoundedTerm] = {}
        """The numbers of pointers, and the pointers of numbers, which were made one of the other."""

    @property
    def assumption(self) -> str:
        """The assumption about the places of objects."""
        own = f"2^{_PIECES[self.type.bits]} bytes of its own"
        return f"addresses as numbers: each object lies in {own}, not near null or constant addresses"

    @property
    def bases(self) -> Term:
        return self._variables.hidden("memory.bases", None, self.type, (None,), self.bounds)

    @property
    def origins(self) -> Term:
        return self._variables.hidden("memory.origins", None, ADDRESS, (None,))

    @property
    def lead(self) -> Term:
        """The distance from the begin of the first piece to 0."""
        return self._variables.hidden("memory.lead", None, self.type, bounds=self.leads)

    @property
    def leads(self) -> Range:
        return Range(0, self._piece - 1)

    @property
    def bounds(self) -> Range:
        """The numbers at which objects begin."""
        return Range(0, self.type.maximum - self._piece)

    # Conversions

    def converted(self, arithmetic: Arithmetic, value: BoundedTerm, source: Integer, target: Integer) -> BoundedTerm:
        """A pointer made of a settled number, or a number, maybe unsettled in its type, made of a pointer."""
        if target == ADDRESS:
            return self.pointer(arithmetic, arithmetic.convert(value, source, self.type))
        return arithmetic.convert(self.number(arithmetic, value), self.type, target)

    def number(self, arithmetic: Arithmetic, pointer: BoundedTerm) -> BoundedTerm:
        """The number of a pointer."""
        if pointer.term in self._made:
            return self._made[pointer.term]
        arena, half = self._arena, BLOCK // 2
        if pointer.constant is not None:
            pointer = arithmetic.constant(pointer.constant)
        first, last = ((bound + half) // BLOCK for bound in (pointer.low, pointer.high))
        block = arena.integer(first) if first == last else self._block(pointer.term)
        low, high = -half, half - 1
        if first == last:
            low, high = pointer.low - first * BLOCK, pointer.high - first * BLOCK
        offset = arena.subtract(pointer.term, self._lives.address(block))
        base = BoundedTerm(arena.select(self.bases, block), self.bounds.low, self.bounds.high)
        if first == last == 0:
            base = arithmetic.constant(0)  # of null, and of pointers to nothing
        total = BoundedTerm(arena.add(base.term, offset), base.low + low, base.high + high)
        number = arithmetic.settle(total, self.type)
        if number.constant is None:
            self._made[number.term] = arithmetic.of_type(pointer.term, ADDRESS)
        return number

    def pointer(self, arithmetic: Arithmetic, address: BoundedTerm) -> BoundedTerm:
        """The pointer that a number leads to."""
        address = arithmetic.settle(address, self.type)
        if address.constant is not None:
            return address  # no object lies near constants
        if address.term in self._made:
            return self._made[address.term]
        origin = arithmetic.of_type(self._arena.select(self.origins, self._at(address.term)), ADDRESS)
        term = self._arena.add(address.term, origin.term)
        moved = address_value(term, address.low + origin.low, address.high + origin.high)
        pointer = arithmetic.settle(moved, ADDRESS)
        self._made[pointer.term] = address
        return pointer

    def _block(self, pointer: Term) -> Term:
        """The block from which a pointer was moved, maybe to before its object."""
        half = self._arena.integer(BLOCK // 2)
        return self._arena.divide(self._arena.add(pointer, half), self._arena.integer(BLOCK))

    def _at(self, number: Term) -> Term:
        """The piece in which a number lies."""
        return self._arena.divide(self._arena.add(number, self.lead), self._arena.integer(self._piece))

    # Objects

    def fits(self, base: Term, size: Term, alignment: int) -> Term:
        """The condition that an object of a size may lie where its first byte has the number `base`."""
        arena = self._arena
        piece, room = self._at(base), arena.integer(self._piece)
        last = (1 << self.type.bits) // self._piece - 2
        offset = arena.subtract(arena.add(base, self.lead), arena.multiply(room, piece))
        within = arena.le if self._may_touch else arena.lt
        held, (first, end) = self._block(arena.select(self.origins, piece)), self.functions
        return arena.and_(
            arena.le(arena.integer(_NEAR), base),
            arena.equals(arena.modulo(base, arena.integer(alignment)), arena.zero),
            arena.le(arena.one, piece),
            arena.le(piece, arena.integer(last)),
            within(arena.add(offset, size), room),
            *(arena.not_(arena.equals(piece, arena.integer(one))) for one in sorted(self._taken)),
            arena.equals(arena.select(self._lives.sizes, held), arena.zero),
            arena.or_(arena.lt(held, arena.integer(first)), arena.le(arena.integer(end), held)),
        )

    def placed(self, arithmetic: Arithmetic, block: Term, base: BoundedTerm) -> Iterator[tuple[Term, Term]]:
        """The updates when the object of a block begins there."""
        arena = self._arena
        yield self.bases, arena.store(self.bases, block, base.term)
        distance = arena.subtract(self._lives.address(block), base.term)
        origin = arithmetic.settle(address_value(distance, -self.type.maximum, BLOCK_NUMBER.maximum * BLOCK), ADDRESS)
        yield self.origins, arena.store(self.origins, self._at(base.term), origin.term)

    def check_size(self, size: int | None, span: Span) -> None:
        """Raise Unsupported for an object that no piece has room for."""
        if size is not None and size >= self._piece:
            raise Unsupported(span, "the address of so large an object as a number is not decided")
