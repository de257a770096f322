"""Scalars in what holds them: elements of arrays, or numbers composed of bytes, or of bits, of elements."""

from __future__ import annotations

from core.terms import Arena, Term
from frontend.lowering.arithmetic import Arithmetic, BoundedTerm
from frontend.lowering.storage import Slot
from frontend.typed.ctype import IntegerKind


def read(arithmetic: Arithmetic, slot: Slot, held: Term, position: int = 0) -> BoundedTerm:
    """The scalar of the slot at a position, in the type of the slot; `held` is the value of the slot's variable."""
    if slot.index is None and not slot.is_array:
        return arithmetic.of_type(held, slot.type)
    arena, index = arithmetic.arena, place(arithmetic.arena, slot, position)
    if not slot.bytes:
        element = arithmetic.of_type(arena.select(held, index), slot.type)
        return element if slot.numbers is None else slot.numbers.pointer(arithmetic, element)
    terms: list[Term] = []
    bits = 0
    for k in range(slot.bytes):
        first, end = slot.bits(k)
        byte = arena.select(held, arena.add(index, arena.integer(k)))
        terms.append(arena.multiply(arena.integer(1 << bits), part(arena, byte, first, end)))
        bits += end - first
    whole = BoundedTerm(arena.add(*terms), 0, (1 << bits) - 1)
    if slot.numbers is not None:
        return slot.numbers.pointer(arithmetic, whole)
    if slot.type.kind is IntegerKind.BOOL:
        return arithmetic.truth(arithmetic.holds(whole))
    return arithmetic.settle(whole, slot.type)


def written(arithmetic: Arithmetic, slot: Slot, held: Term, value: Term, position: int = 0) -> Term:
    """The new value of the slot's variable, when a scalar in the type of the slot is stored there."""
    if slot.index is None and not slot.is_array:
        return value
    arena, index = arithmetic.arena, place(arithmetic.arena, slot, position)
    scalar = arithmetic.of_type(value, slot.type)
    if slot.numbers is not None:
        scalar = slot.numbers.number(arithmetic, scalar)
    if not slot.bytes:
        return arena.store(held, index, scalar.term)
    size = slot.type.bits if slot.first_bit is not None else 8 * slot.bytes
    whole, bits = arithmetic.unsigned(scalar, size), 0
    for k in range(slot.bytes):
        first, end = slot.bits(k)
        at = arena.add(index, arena.integer(k))
        bits_of_byte = part(arena, whole, bits, bits + end - first, size)
        held = arena.store(held, at, replaced(arena, arena.select(held, at), bits_of_byte, first, end))
        bits += end - first
    return held


def replaced(arena: Arena, byte: Term, new: Term, first: int, end: int) -> Term:
    """The byte with other bits from `first` to before `end`."""
    below, above = part(arena, byte, 0, first), part(arena, byte, end, 8)
    return arena.add(
        below, arena.multiply(arena.integer(1 << first), new), arena.multiply(arena.integer(1 << end), above)
    )


def part(arena: Arena, number: Term, first: int, end: int, bits: int = 8) -> Term:
    """The number that the bits from `first` to before `end` make, of a number of `bits` bits."""
    if first == end:
        return arena.zero
    above = arena.divide(number, arena.integer(1 << first)) if first else number
    return above if end == bits else arena.modulo(above, arena.integer(1 << (end - first)))


def place(arena: Arena, slot: Slot, position: int) -> Term:
    """The index of the scalar at a position, or of its first byte."""
    start = arena.zero if slot.index is None else slot.index
    return arena.add(start, arena.integer(slot.offset(position) if slot.is_array else 0))
