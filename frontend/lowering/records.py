"""Structs by value: a tuple of parts, parallel to the leaves of the type."""

from __future__ import annotations

from dataclasses import dataclass

from core.program import Assign
from core.terms import INT_ARRAY, Term
from frontend import tree
from frontend.ctype import CType, Integer
from frontend.lowering.context import Cursor
from frontend.lowering.regions import AnyPlace
from frontend.lowering.storage import Leaf, Place, Slot, leaves
from frontend.source import Span, Unsupported

_LARGEST_COPY = 256
"""Elements of an array inside an array of structs that one copy writes out."""


@dataclass(frozen=True, slots=True)
class RecordValue:
    """Terms for the leaves of `type`, Int or arrays of Int; None for parts without a variable."""

    type: CType
    parts: tuple[Term | None, ...]


class Records:
    def __init__(self, cursor: Cursor) -> None:
        self._cursor = cursor
        self._context = cursor.context

    def load(self, place: AnyPlace, span: Span) -> RecordValue:
        slots = self._context.memory.slots(place, span)
        parts = tuple(None if slot is None else self._read(slot, leaf, span) for leaf, slot in slots)
        return RecordValue(place.type, parts)

    def store(self, place: AnyPlace, value: RecordValue, span: Span, text: str) -> None:
        """One simultaneous assignment of all parts."""
        slots = self._context.memory.slots(place, span)
        updates: dict[Term, Term] = {}
        for (leaf, slot), part in zip(slots, value.parts, strict=True):
            if slot is not None and part is not None:
                old = updates.get(slot.variable, slot.variable)
                updates[slot.variable] = self.updated(slot, leaf, part, old, span)
        if updates:
            self._cursor.step(Assign(tuple(updates.items())), span, text)

    def zero(self, type_: CType) -> RecordValue:
        """A value of zeros."""
        zero, zeros = self._context.arena.zero, self._context.memory.zeros()
        found = leaves(type_)
        return RecordValue(
            type_, tuple(None if one.integer is None else zeros if one.lengths else zero for one in found)
        )

    def new(self, type_: CType) -> Place:
        """A hidden object of the function."""
        name = f"{self._cursor.function}::tmp!{len(self._cursor.temporaries)}"
        for leaf in leaves(type_):
            if leaf.integer is not None:
                hidden = self._context.variables.hidden
                symbol = hidden(name + leaf.suffix, self._cursor.function, leaf.integer, leaf.lengths)
                self._cursor.temporaries.append(symbol)
        return Place(name, type_)

    def temporary(self, value: RecordValue, node: tree.Node) -> Place:
        """A hidden object that holds the value."""
        place = self.new(value.type)
        self.store(place, value, node.span, "…")
        return place

    def safe(self, value: RecordValue, span: Span, text: str) -> RecordValue:
        """The value in parts that the evaluation of other expressions does not change."""
        if not any(part is not None and self._cursor.is_volatile(part) for part in value.parts):
            return value
        place = self.new(value.type)
        self.store(place, value, span, text)
        return self.load(place, span)

    def _read(self, slot: Slot, leaf: Leaf, span: Span) -> Term:
        if not slot.is_array:
            return self._converted(self._cursor.read(slot), slot.type, leaf.integer)
        if slot.index is None:
            return self._cursor.read(slot)
        arena = self._context.arena
        result = arena.const_array(INT_ARRAY, arena.zero)
        for k in range(self._count(slot, span)):
            element = arena.select(slot.variable, arena.add(slot.index, arena.integer(slot.offset(k))))
            result = arena.store(result, arena.integer(k), self._converted(element, slot.type, leaf.integer))
        return result

    def updated(self, slot: Slot, leaf: Leaf, value: Term, old: Term, span: Span) -> Term:
        """The new value of the slot's variable, where `old` is what it holds."""
        if slot.index is None:
            return value
        arena, result = self._context.arena, old
        if not slot.is_array:
            return arena.store(old, slot.index, self._converted(value, leaf.integer, slot.type))
        for k in range(self._count(slot, span)):
            position = arena.add(slot.index, arena.integer(slot.offset(k)))
            element = self._converted(arena.select(value, arena.integer(k)), leaf.integer, slot.type)
            result = arena.store(result, position, element)
        return result

    def _converted(self, term: Term, source: Integer | None, target: Integer | None) -> Term:
        """Regions may hold a scalar in another type of its size."""
        assert source is not None
        assert target is not None
        arithmetic = self._cursor.arithmetic
        return arithmetic.number(arithmetic.settle(self._cursor.variable(term, source), target))

    def _count(self, slot: Slot, span: Span) -> int:
        if slot.count is None or slot.count > _LARGEST_COPY:
            raise Unsupported(span, "a copy of so large a part of an array is not decided")
        return slot.count
