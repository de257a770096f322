"""Lowering of objects as they begin: declarations, initialisers, values that are not determined."""

from __future__ import annotations

from collections.abc import Iterator

from core.program import Assign, InputKind
from core.program.properties import CheckKind
from core.terms import INT_ARRAY, Term
from frontend.lowering.arithmetic import ADDRESS, number_type
from frontend.lowering.checks.edges import Checks
from frontend.lowering.checks.scopes import Lifetimes
from frontend.lowering.context import BOOLEANS, Cursor
from frontend.lowering.edge_text import show, show_declaration
from frontend.lowering.expressions import ExpressionLowering
from frontend.lowering.memory import scalars
from frontend.lowering.memory.object_memory import MemoryObjects, spell_object
from frontend.lowering.memory.regions import AnyPlace
from frontend.lowering.records import Records
from frontend.lowering.storage import Slot, VariablePlace
from frontend.source import Span, Unsupported
from frontend.typed import tree
from frontend.typed.changes import entered_type
from frontend.typed.ctype import CType, Integer, IntegerKind, Pointer, Record, spell
from frontend.typed.leaves import leaves
from frontend.typed.traversal import nodes
from frontend.typed.tree import Storage

MAX_VALUES = 200_000
"""Values that an initialiser may have."""


class ObjectLowering:
    """Adds the edges at which the objects of one function begin; `locals_` gets their variables."""

    def __init__(
        self, cursor: Cursor, expressions: ExpressionLowering, lifetimes: Lifetimes, locals_: dict[Term, None]
    ) -> None:
        self._cursor, self._context, self._expressions = cursor, cursor.context, expressions
        self._lifetimes, self._locals = lifetimes, locals_
        self._records, self._checks = Records(cursor), Checks(cursor)
        self.memory = MemoryObjects(cursor, locals_)

    def begin(self, object_: tree.Object, initialiser: tree.Initialiser | None, span: Span) -> None:
        """An automatic object begins: it is initialised, or indeterminate."""
        if self._context.memory.holds(object_):
            self.memory.allocate(object_, span)
            self._lifetimes.begin(object_)
        else:
            for symbol in self.declared(object_):
                self._locals[symbol] = None
        if initialiser is None:
            self.indeterminate(object_, span)
            return
        touches = self._context.order.touches
        own = self._context.memory.regions.touched_object(object_)
        if own is None:
            own = frozenset(object_.name + leaf.suffix for leaf in leaves(object_.type))
        if any(read.variable in own for node in nodes(initialiser) for read in touches.read(node)):
            self.indeterminate(object_, span)
        if object_.source_name == tree.LENGTH and CheckKind.LENGTH in self._context.policy.kinds:
            self._length(object_, initialiser)
        else:
            self.initialise(object_, initialiser, span)

    def _length(self, object_: tree.Object, initialiser: tree.Initialiser) -> None:
        """The length of an array, after the path has ended where it is not positive."""
        cursor, given = self._cursor, initialiser.entries[0].value
        assert isinstance(given, tree.Convert)
        source, target = self._expressions.integer(given.operand), self._expressions.integer(given)
        length = cursor.stable(self._expressions.value(given.operand), source, initialiser.span, show(given))
        positive = self._context.arena.lt(self._context.arena.zero, cursor.arithmetic.number(length))
        cursor.require(CheckKind.LENGTH, positive, initialiser.span, show(given))
        stored = cursor.arithmetic.settle(cursor.arithmetic.convert(length, source, target), target)
        variable = self._context.variables.named(object_.name)
        self.set({variable: cursor.arithmetic.number(stored)}, initialiser.span, show(given))

    def declared(self, object_: tree.Object) -> tuple[Term, ...]:
        """The variables of an object, and the marks beside them."""
        assigned = self._context.assigned
        return (*self._context.variables.declare(object_), *(assigned.declare(object_) if assigned else ()))

    def indeterminate(self, object_: tree.Object, span: Span) -> None:
        """An automatic object begins without a value."""
        if self._context.memory.holds(object_):
            self.memory.indeterminate(object_, span)
            return
        for symbol in self.declared(object_):
            self._locals[symbol] = None
        if self._context.assigned is None and _holds_boolean(object_.type):
            self._may_be_no_boolean(object_)
        text = spell(object_.type, object_.source_name)
        self.havoc(VariablePlace(object_.name, object_.type), InputKind.INDETERMINATE, span, text, is_unset=True)

    def _may_be_no_boolean(self, object_: tree.Object) -> None:
        """Name the assumption about a `_Bool` that may be read before something was written to it."""
        if self._context.may_be_unassigned(object_, self._cursor.function):
            self._context.assume(BOOLEANS)

    def havoc(self, place: VariablePlace, kind: InputKind, span: Span, text: str, is_unset: bool = False) -> None:
        """Every part of a whole object gets an arbitrary value, which counts as none where it is unset."""
        variables = self._context.variables
        updates: list[tuple[Term, Term]] = []
        for leaf, slot in self._context.memory.slots(place, span):
            if slot is not None:
                name = place.name + leaf.suffix
                symbol = variables.input(kind, name, span, slot.type, like=slot.variable)
                updates.append((slot.variable, symbol))
                updates.extend(self._marked(slot, is_unset))
        if updates:
            self._cursor.step(Assign(tuple(updates)), span, text)

    def _marked(self, slot: Slot, is_unset: bool) -> Iterator[tuple[Term, Term]]:
        """A whole variable has no value, or has one, where reads are checked."""
        arena, assigned = self._context.arena, self._context.assigned
        marks = None if assigned is None else assigned.of(slot)
        if assigned is not None and marks is not None:
            mark = arena.zero if is_unset else assigned.full
            yield marks, arena.const_array(INT_ARRAY, mark) if slot.is_array else mark

    def havoc_object(self, object_: tree.Object, span: Span) -> bool:
        """A static object whose value is not known; whether it has variables at all."""
        if self._context.memory.holds(object_):
            return True
        found = self._context.variables.declare(object_)
        self.havoc(VariablePlace(object_.name, object_.type), InputKind.INDETERMINATE, span, spell_object(object_))
        if isinstance(object_.type, Pointer):
            for variable in found:
                self._checks.from_outside(self._cursor.variable(variable, ADDRESS), span, object_.source_name)
        return bool(found)

    def zero(self, object_: tree.Object, span: Span) -> None:
        """A static object without initialiser."""
        if self._context.memory.holds(object_):
            if self._context.points.content(object_).volatile:
                self.memory.clear(object_, span)
            return
        self._context.variables.declare(object_)
        self.set(self._zeros(object_, span), span, spell_object(object_))

    def _zeros(self, object_: tree.Object, span: Span) -> dict[Term, Term]:
        arena, memory = self._context.arena, self._context.memory
        array = arena.const_array(INT_ARRAY, arena.zero)
        slots = memory.slots(memory.object(object_), span)
        if memory.holds(object_):
            return self.memory.zeros(slots)
        return {slot.variable: array if slot.is_array else arena.zero for _, slot in slots if slot is not None}

    def set(self, values: dict[Term, Term], span: Span, text: str) -> None:
        """One assignment of values to variables, if there are any."""
        if values:
            self._cursor.step(Assign(tuple(values.items())), span, text)

    def initialise(self, object_: tree.Object, initialiser: tree.Initialiser, span: Span) -> None:
        """One assignment of all parts, after the effects of the values."""
        memory = self._context.memory
        is_zero = False
        if memory.holds(object_):
            is_zero = object_.storage is Storage.STATIC and not self._context.points.content(object_).volatile
        else:
            self._context.variables.declare(object_)
        if memory.holds(object_) and initialiser.zero_fill and not is_zero and memory.is_large(object_.type):
            self.memory.clear(object_, span)
            is_zero = True
        new = {} if is_zero or (memory.holds(object_) and not initialiser.zero_fill) else self._zeros(object_, span)
        self._mark(object_, new, span)
        entries = initialiser.entries
        if len(entries) > MAX_VALUES:
            raise Unsupported(initialiser.span, f"initialisers of more than {MAX_VALUES} values are not supported")
        last = max((i for i, entry in enumerate(entries) if self._context.order.steps(entry.value)), default=-1)
        for i, entry in enumerate(entries):
            self._enter(object_, entry, new, later=i < last)
        self.set(new, span, show_declaration(spell_object(object_), initialiser))

    def _mark(self, object_: tree.Object, new: dict[Term, Term], span: Span) -> None:
        """Every part of an object that is initialised has a value."""
        memory = self._context.memory
        if self._context.assigned is None or object_.storage not in (Storage.AUTOMATIC, Storage.PARAMETER):
            return
        if memory.holds(object_) and memory.is_large(object_.type):
            self.memory.mark(object_, span, is_set=True)
            return
        for _, slot in memory.slots(memory.object(object_), span):
            if slot is not None:
                self._records.mark(slot, None, new)

    def mark_static(self, object_: tree.Object, span: Span) -> None:
        """A static object that copies may make unset has a value from the start."""
        assigned, memory = self._context.assigned, self._context.memory
        if assigned is None:
            return
        if memory.holds(object_):
            self.memory.mark(object_, span, is_set=True)
            return
        assigned.declare(object_)
        new: dict[Term, Term] = {}
        for _, slot in memory.slots(memory.object(object_), span):
            if slot is not None:
                self._records.mark(slot, None, new)
        self.set(new, span, spell_object(object_))

    def _enter(self, object_: tree.Object, entry: tree.InitialiserEntry, new: dict[Term, Term], later: bool) -> None:
        """Add an entry to the new values of the object's variables."""
        place = self._context.memory.object(object_)
        for step in entry.path:
            place = place.element(self._cursor.constant(step)) if isinstance(step, int) else place.member(step)
        if isinstance(entry.value.type, Record):
            self._enter_record(object_, place, entry.value, new, later)
            return
        slot = self._expressions.slot(place, entry.value.span)
        if slot is None:
            self._expressions.discard(entry.value)
            return
        value = self._expressions.value(entry.value)
        if later:
            value = self._expressions.safe(value, entry.value)
        given = number_type(entry.value.type)
        assert given is not None
        value = self._checks.converted(value, given, entered_type(entry), entry.value.span, show(entry.value))
        value = self._checks.named(value, given, entered_type(entry), entry.value.span, show(entry.value))
        stored = self._expressions.stored(slot, value, given)
        old = new.get(slot.variable, slot.variable)
        new[slot.variable] = scalars.written(self._cursor.arithmetic, slot, old, stored)

    def _enter_record(
        self, object_: tree.Object, place: AnyPlace, e: tree.Expression, new: dict[Term, Term], later: bool
    ) -> None:
        value = self._expressions.record(e, keeps_bytes=True)
        if later:
            value = self._records.safe(value, e.span, show(e))
        slots = self._context.memory.slots(place, e.span)
        for (leaf, slot), (part, mark, truths) in zip(slots, value.marked(), strict=True):
            if slot is None:
                continue
            self._records.mark(slot, mark, new)
            old = new.get(slot.variable, slot.variable)
            if part is None:
                new[slot.variable] = self._records.lost(slot, old, object_.source_name, e.span)
            else:
                new[slot.variable] = self._records.updated(slot, leaf, part, old, e.span, truths)


def _holds_boolean(type_: CType) -> bool:
    kinds = (leaf.type.kind for leaf in leaves(type_) if isinstance(leaf.type, Integer))
    return IntegerKind.BOOL in kinds
