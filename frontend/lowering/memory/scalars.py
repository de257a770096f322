"""Scalars in what holds them: elements of arrays, or numbers composed of elements that are bytes."""

from __future__ import annotations

from core.terms import Arena, Term
from frontend.lowering.arithmetic import Arithmetic, BoundedTerm
from frontend.lowering.memory.groups import BYTE
from frontend.lowering.storage import Slot


def read(arithmetic: Arithmetic, slot: Slot, held: Term, position: int = 0) -> BoundedTerm:
    """The scalar of the slot at a position, in the type of the slot; `held` is the value of the slot's variable."""
    if slot.index is None and not slot.is_array:
        return arithmetic.of_type(held, slot.type)
    arena, index = arithmetic.arena, place(arithmetic.arena, slot, position)
    if not slot.bytes:
        element = arithmetic.of_type(arena.select(held, index), slot.type)
        return element if slot.numbers is None else slot.numbers.pointer(arithmetic, element)
    terms = (arena.select(held, arena.add(index, arena.integer(k))) for k in range(slot.bytes))
    total = arena.add(*(arena.multiply(arena.integer(1 << (8 * k)), term) for k, term in enumerate(terms)))
    whole = BoundedTerm(total, 0, (1 << (8 * slot.bytes)) - 1)
    if slot.numbers is not None:
        return slot.numbers.pointer(arithmetic, whole)
    if slot.type.bits == 1:
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
    whole = arithmetic.unsigned(scalar, 8 * slot.bytes)
    for k in range(slot.bytes):
        part = arena.divide(whole, arena.integer(1 << (8 * k)))
        if k < slot.bytes - 1:
            part = arena.modulo(part, arena.integer(BYTE.maximum + 1))
        held = arena.store(held, arena.add(index, arena.integer(k)), part)
    return held


def place(arena: Arena, slot: Slot, position: int) -> Term:
    """The index of the scalar at a position, or of its first byte."""
    start = arena.zero if slot.index is None else slot.index
    return arena.add(start, arena.integer(slot.offset(position) if slot.is_array else 0))
