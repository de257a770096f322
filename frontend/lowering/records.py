"""Structs by value: a tuple of parts, parallel to the leaves of the type."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import field, replace
from math import prod

from core.dataclass import dataclass
from core.program import Assign, InputKind
from core.terms import INT_ARRAY, Term
from frontend.lowering.arithmetic import BoundedTerm, number_type
from frontend.lowering.checks.edges import Checks
from frontend.lowering.context import Cursor
from frontend.lowering.edge_text import show
from frontend.lowering.memory import scalars
from frontend.lowering.memory.regions import AnyPlace
from frontend.lowering.storage import Slot, VariablePlace
from frontend.source import Span, Unsupported
from frontend.typed import tree
from frontend.typed.ctype import CType, Integer
from frontend.typed.leaves import TypeLeaf, leaves

_LARGEST_COPY = 256
"""Elements of an array inside an array of structs that one copy writes out."""


@dataclass(frozen=True, slots=True)
class RecordValue:
    """Terms for the leaves of `type`, Int or arrays of Int; None for parts without a variable.

    `marks` say which scalars have a value, where that is checked; None for parts of which all have. `bytes` are those
    of `_Bool`s in memory that may hold other numbers than 0 and 1, where a copy is to keep them; `padding` is what lies
    between the scalars, by its bits, with its marks, where that is known.
    """

    type: CType
    parts: tuple[Term | None, ...]
    marks: tuple[Term | None, ...] = ()
    bytes: tuple[Term | None, ...] = ()
    padding: Mapping[tuple[int, int], tuple[Term, Term | None]] = field(default_factory=dict)

    def marked(self) -> Iterator[tuple[Term | None, Term | None, Term | None]]:
        """The parts with their marks and bytes."""
        none = (None,) * len(self.parts)
        return zip(self.parts, self.marks or none, self.bytes or none, strict=True)


class Records:
    """Loads, stores and copies structs at a cursor."""

    def __init__(self, cursor: Cursor) -> None:
        self._cursor = cursor
        self._context = cursor.context
        self._checks = Checks(cursor)
        self._assigned = cursor.context.assigned

    def load(self, place: AnyPlace, span: Span, keeps_bytes: bool = False) -> RecordValue:
        """The value of a place; one that is only stored `keeps_bytes`, and its truth values are not read before."""
        slots = self._context.memory.slots(place, span)
        truths = tuple(None if slot is None else self._bytes(slot, leaf, span) for leaf, slot in slots)
        for (leaf, _), one in zip(slots, truths, strict=True):
            if one is not None and not keeps_bytes:
                self._are_truths(one, leaf, span)
        parts = tuple(None if slot is None else self._read(slot, leaf, span) for leaf, slot in slots)
        between = self._context.memory.padding(place) if keeps_bytes else {}
        number, read, mark = self._cursor.arithmetic.number, self._cursor.read, self._checks.mark
        padding = {piece: (number(read(slot)), mark(slot)) for piece, slot in between.items()}
        kept = truths if keeps_bytes else ()
        if self._assigned is None:
            return RecordValue(place.type, parts, (), kept, padding)
        marks = tuple(None if slot is None else self._marks(slot, leaf, span) for leaf, slot in slots)
        return RecordValue(place.type, parts, marks, kept, padding)

    def store(self, place: AnyPlace, value: RecordValue, span: Span, text: str, is_whole: bool = False) -> None:
        """One simultaneous assignment of all parts; `is_whole`: also of the padding."""
        slots = self._context.memory.slots(place, span)
        updates: dict[Term, Term] = {}
        for (leaf, slot), (part, mark, truths) in zip(slots, value.marked(), strict=True):
            if slot is not None and None not in leaf.lengths:
                old = updates.get(slot.variable, slot.variable)
                if part is None:
                    updates[slot.variable] = self.lost(slot, old, leaf.suffix, span)
                else:
                    updates[slot.variable] = self.updated(slot, leaf, part, old, span, truths)
                self.mark(slot, mark, updates)
        for piece, slot in self._context.memory.padding(place).items():
            known = value.padding.get(piece) if is_whole else None
            if known is not None:
                self.mark(slot, known[1], updates)
                new = known[0]
            else:  # no certain value (C11 6.2.6.1p6)
                new = self._cursor.input(InputKind.INDETERMINATE, f"{text}, padding", span, slot.type).term
            old = updates.get(slot.variable, slot.variable)
            updates[slot.variable] = scalars.written(self._cursor.arithmetic, slot, old, new)
        if updates:
            self._cursor.step(Assign(tuple(updates.items())), span, text)

    def cleared(self, place: AnyPlace) -> RecordValue:
        """Zeros for all bytes of a place."""
        padding = dict.fromkeys(self._context.memory.padding(place), (self._context.arena.zero, None))
        return replace(self.zero(place.type), padding=padding)

    def mark(self, slot: Slot, mark: Term | None, updates: dict[Term, Term]) -> None:
        """Add to the updates that the scalars of a slot have these marks, by default values."""
        variable = None if self._assigned is None else self._assigned.of(slot)
        if self._assigned is None or variable is None:
            return
        arena, full, new = self._context.arena, self._assigned.full, updates.get(variable, variable)
        if not slot.is_array:
            new = self._assigned.marked(slot, new, full if mark is None else mark)
        elif slot.index is None:
            new = arena.const_array(INT_ARRAY, full) if mark is None else mark
        else:
            for k in range(slot.count or 0):
                one = full if mark is None else arena.select(mark, arena.integer(k))
                new = self._assigned.marked(slot, new, one, k)
        updates[variable] = new

    def _marks(self, slot: Slot, leaf: TypeLeaf, span: Span) -> Term | None:
        """The marks of a part, as it is read; None where all have values."""
        variable = None if self._assigned is None else self._assigned.of(slot)
        if self._assigned is None or variable is None:
            return None
        if not slot.is_array:
            return self._assigned.mark(slot)
        if slot.index is None:
            return variable
        result = self._context.arena.const_array(INT_ARRAY, self._context.arena.zero)
        for k in range(self._count(slot, leaf, span)):
            place = self._context.arena.integer(k)
            result = self._context.arena.store(result, place, self._assigned.mark(slot, k))
        return result

    def zero(self, type_: CType) -> RecordValue:
        """A value of zeros."""
        zero, zeros = self._context.arena.zero, self._context.memory.zeros()
        found = leaves(type_)
        return RecordValue(
            type_, tuple(None if number_type(one.type) is None else zeros if one.lengths else zero for one in found)
        )

    def new(self, type_: CType) -> VariablePlace:
        """A hidden object of the function."""
        name = f"{self._cursor.function}::tmp!{len(self._cursor.temporaries)}"
        for leaf in leaves(type_):
            if (type_of_leaf := number_type(leaf.type)) is not None:
                hidden = self._context.variables.hidden
                symbol = hidden(name + leaf.suffix, self._cursor.function, type_of_leaf, leaf.lengths)
                self._cursor.temporaries.append(symbol)
        if self._assigned is not None and self._assigned.unset:
            self._cursor.temporaries.extend(self._assigned.add(name, type_, self._cursor.function))
        return VariablePlace(name, type_)

    def temporary(self, value: RecordValue, node: tree.Node) -> VariablePlace:
        """A hidden object that holds the value."""
        place = self.new(value.type)
        self.store(place, value, node.span, "…")
        return place

    def safe(self, value: RecordValue, span: Span, text: str) -> RecordValue:
        """The value in parts that the evaluation of other expressions does not change."""
        terms = (*value.parts, *value.marks, *value.bytes)
        if not any(part is not None and self._cursor.is_volatile(part) for part in terms):
            return value
        place = self.new(value.type)
        self.store(place, value, span, text)
        return self.load(place, span)

    def chosen(
        self,
        e: tree.Conditional,
        branch: Callable[[tree.Expression, int, int], None],
        value: Callable[[tree.Expression], RecordValue],
    ) -> RecordValue:
        """One of two values, by the lowerings of conditions and of values."""
        cursor = self._cursor
        then, otherwise, join = cursor.location(), cursor.location(), cursor.location()
        branch(e.condition, then, otherwise)
        result = self.new(e.type)
        for location, part in ((then, e.then), (otherwise, e.otherwise)):
            cursor.at = location
            self.store(result, value(part), e.span, show(e))
            cursor.jump(join)
        cursor.at = join
        return self.load(result, e.span)

    def _read(self, slot: Slot, leaf: TypeLeaf, span: Span) -> Term | None:
        type_ = number_type(leaf.type)
        if type_ is None:
            return None
        arithmetic, arena = self._cursor.arithmetic, self._context.arena
        if not slot.is_array:
            return self._converted(self._cursor.read(slot), type_)
        if slot.index is None:
            return slot.variable
        result = arena.const_array(INT_ARRAY, arena.zero)
        for k in range(self._count(slot, leaf, span)):
            element = scalars.read(arithmetic, slot, slot.variable, k)
            result = arena.store(result, arena.integer(k), self._converted(element, type_))
        return result

    def _bytes(self, slot: Slot, leaf: TypeLeaf, span: Span) -> Term | None:
        """The bytes of a part that consists of `_Bool`s, where they may be other numbers than 0 and 1."""
        if not slot.is_boolean:
            return None
        arena = self._context.arena
        if not slot.is_array:
            return arena.select(slot.variable, scalars.place(arena, slot, 0))
        result = arena.const_array(INT_ARRAY, arena.zero)
        for k in range(self._count(slot, leaf, span)):
            result = arena.store(result, arena.integer(k), arena.select(slot.variable, scalars.place(arena, slot, k)))
        return result

    def _are_truths(self, truths: Term, leaf: TypeLeaf, span: Span) -> None:
        """Check that the bytes are values, since what is made of them does not keep others."""
        arena = self._context.arena
        counts = [one for one in leaf.lengths if isinstance(one, int)]
        for k in range(prod(counts)):
            self._checks.is_truth(arena.select(truths, arena.integer(k)) if leaf.lengths else truths, span, leaf.suffix)

    def updated(
        self, slot: Slot, leaf: TypeLeaf, value: Term, old: Term, span: Span, truths: Term | None = None
    ) -> Term:
        """The new value of the slot's variable, where `old` is what it holds; `truths` are the bytes of the value."""
        if truths is not None and slot.is_boolean:
            arena = self._context.arena
            for k in range(self._count(slot, leaf, span) if slot.is_array else 1):
                byte = arena.select(truths, arena.integer(k)) if slot.is_array else truths
                old = arena.store(old, scalars.place(arena, slot, k), byte)
            return old
        if truths is not None:
            self._are_truths(truths, leaf, span)
        if slot.index is None:
            return value
        arena, arithmetic, given = self._context.arena, self._cursor.arithmetic, number_type(leaf.type)
        assert given is not None
        if not slot.is_array:
            new = self._converted(arithmetic.of_type(value, given), slot.type)
            return scalars.written(arithmetic, slot, old, new)
        for k in range(self._count(slot, leaf, span)):
            element = self._converted(arithmetic.of_type(arena.select(value, arena.integer(k)), given), slot.type)
            old = scalars.written(arithmetic, slot, old, element, k)
        return old

    def lost(self, slot: Slot, old: Term, name: str, span: Span) -> Term:
        """The new value of the slot's variable, where scalars without a value here are stored in the slot."""
        for k in range(slot.count or 0) if slot.is_array else (0,):
            new = self._cursor.input(InputKind.INDETERMINATE, name, span, slot.type).term
            old = scalars.written(self._cursor.arithmetic, slot, old, new, k)
        return old

    def _converted(self, value: BoundedTerm, target: Integer) -> Term:
        """Regions may hold a scalar in another type of its size."""
        arithmetic = self._cursor.arithmetic
        return arithmetic.number(arithmetic.settle(value, target))

    def _count(self, slot: Slot, leaf: TypeLeaf, span: Span) -> int:
        if leaf.is_union and slot.type.bits != 8:
            raise Unsupported(span, "a copy of this union is not decided")
        if slot.count is None or slot.count > _LARGEST_COPY:
            raise Unsupported(span, "a copy of so large a part of an array is not decided")
        return slot.count
