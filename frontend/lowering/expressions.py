"""Lowering of expressions: terms where they have no effect, edges where they have one.

`value` lowers an expression of integer type to a term over the state at the cursor, after adding the edges of its
effects. `branch` lowers a condition to control flow, `discard` an expression whose value is not used (which may then
have any type), `record` one of struct type.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property
from typing import TYPE_CHECKING

from core.program import Assign, Range
from core.terms import Term
from frontend.lowering.arithmetic import ADDRESS, BitsNeeded, BoundedTerm, Undecided, number_type
from frontend.lowering.checks.edges import Checks, Use
from frontend.lowering.context import OUTSIDE, Cursor
from frontend.lowering.contracts import BlockLowering, Calls
from frontend.lowering.edge_text import show, show_condition, show_negated
from frontend.lowering.effects import is_partial
from frontend.lowering.memory.pointers import Pointers
from frontend.lowering.memory.regions import AnyPlace, MemoryPlace
from frontend.lowering.pointsto.classes import find
from frontend.lowering.records import Records, RecordValue
from frontend.lowering.refusals import not_decided
from frontend.lowering.storage import Slot, VariablePlace
from frontend.source import Span, Unsupported
from frontend.typed import tree
from frontend.typed.casts import as_pointers, one
from frontend.typed.changes import kept_type
from frontend.typed.ctype import Array, CType, Float, Integer, Pointer, Record
from frontend.typed.floats import computes, learns
from frontend.typed.lvalues import is_union
from frontend.typed.tree import BinaryOperator, LogicalOperator, Position, UnaryOperator

if TYPE_CHECKING:
    from frontend.lowering.floats import Floats

_Update = tuple[Term, Term]
_SHIFTS = (BinaryOperator.SHIFT_LEFT, BinaryOperator.SHIFT_RIGHT)


class ExpressionLowering:
    """Lowers expressions at a cursor. Calls need expressions, too, so `make_calls` is given those that it serves."""

    def __init__(
        self, cursor: Cursor, blocks: BlockLowering, make_calls: Callable[[Cursor, ExpressionLowering], Calls]
    ) -> None:
        self._cursor = cursor
        self._context = cursor.context
        self._arithmetic = cursor.arithmetic
        self._checks = Checks(cursor)
        self._order = cursor.context.order
        self._blocks = blocks
        self._records = Records(cursor)
        self._pointers = Pointers(cursor, self)
        self._calls = make_calls(cursor, self)

    # Values

    def value(self, e: tree.Expression) -> BoundedTerm:
        """The value, within the range of its type."""
        return self._arithmetic.settle(self.raw(e), self.integer(e))

    def condition(self, e: tree.Expression) -> Term:
        """The Bool term that says that an expression is not 0."""
        return self._holds(self.value(e), e)

    def _holds(self, value: BoundedTerm, e: tree.Expression) -> Term:
        """The Bool term that says that the value of an expression is not 0."""
        if isinstance(e.type, Float):
            return self.floats.holds(value, e.type, e.span)
        return self._arithmetic.holds(value)

    @cached_property
    def floats(self) -> Floats:
        """The lowering of floating-point numbers, which few programs need."""
        from frontend.lowering.floats import Floats

        return Floats(self._cursor, self)

    def integer(self, e: tree.Expression | tree.Lvalue) -> Integer:
        if isinstance(e.type, Integer):
            return e.type
        type_ = number_type(e.type)
        if type_ is None:
            raise Unsupported(e.span, not_decided(e))
        return type_

    def raw(self, e: tree.Expression) -> BoundedTerm:
        """The value, maybe unsettled in its type."""
        type_ = self.integer(e)
        match e:
            case tree.IntegerConstant():
                return self._cursor.constant(e.value)
            case tree.FloatConstant() | tree.Convert() | tree.Unary() | tree.Binary() if computes(e):
                return self.floats.value(e)
            case tree.Convert() | tree.Binary() if learns(e):
                return self._learnt(e)
            case tree.Load():
                return self._used(e)
            case tree.Convert():
                return self._pointers.convert(e, type_)
            case tree.AddressOf() | tree.Decay():
                return self._pointers.address(e)
            case tree.FunctionAddress():
                return self._context.memory.function(e.function)
            case tree.PointerOffset():
                return self._pointers.offset(e)
            case tree.PointerDifference():
                return self._pointers.difference(e)
            case tree.Unary():
                return self._unary(e, type_)
            case tree.Binary():
                return self._binary(e)
            case tree.Logical() | tree.Conditional():
                return self._chosen(e, type_) if self._order.steps_inside(e) else self._choice(e)
            case tree.Assign():
                return self._load(self._assign(e, keep=True), e.span)
            case tree.CompoundAssign():
                return self._load(self._update(e, e.computation, e.value, keep=True), e.span)
            case tree.Increment():
                return self._incremented(e)
            case tree.Call():
                return self._called(e)
            case tree.Comma():
                self.discard(e.left)
                return self.raw(e.right)
            case tree.StatementExpression(value=value) if value is not None:
                self._blocks.block(e.body)
                return self.raw(value)
            case _:
                raise Unsupported(e.span, not_decided(e))

    def _learnt(self, e: tree.Convert | tree.Binary) -> BoundedTerm:
        """A value that depends on a floating-point number at once."""
        if isinstance(e, tree.Binary):
            return self.floats.compared(e)
        return self.floats.converted(self.value(e.operand), e.operand.type, e.type, e)

    def _unary(self, e: tree.Unary, type_: Integer) -> BoundedTerm:
        match e.operator:
            case UnaryOperator.NOT:
                return self._arithmetic.truth(self._context.arena.not_(self.condition(e.operand)))
            case UnaryOperator.NEGATE:
                value = self.value(e.operand)
                if self._checks.covers(BinaryOperator.SUBTRACT, type_):
                    return self._checks.negated(value, type_, e)
                return self._arithmetic.negate(value, type_)
            case UnaryOperator.COMPLEMENT:
                return self._arithmetic.complement(self.raw(e.operand))

    def _binary(self, e: tree.Binary) -> BoundedTerm:
        pointers = as_pointers(e)
        if pointers is not None:
            if e.operator in (BinaryOperator.EQUAL, BinaryOperator.UNEQUAL):
                return self._pointers.equality(*pointers, e)
            return self._arithmetic.binary(e.operator, *self._pointers.compared(*pointers, e), ADDRESS)
        left, right = self.operands(e.left, e.right)
        return self._operation(e.operator, left, right, (e.left, e.right), e)

    def operands(self, first: tree.Expression, second: tree.Expression) -> tuple[BoundedTerm, BoundedTerm]:
        """Both raw values, the first one safe from the effects of the second."""
        left = self.raw(first)
        if self._order.steps(second):
            left = self.safe(left, first)
        return left, self.raw(second)

    def safe(self, value: BoundedTerm, e: tree.Expression) -> BoundedTerm:
        """A value that the evaluation of other expressions does not change."""
        if not self._cursor.is_volatile(value.term):
            return value
        type_ = self.integer(e)
        return self._cursor.save(self._arithmetic.settle(value, type_), type_, e.span, show(e))

    def _operation(
        self,
        operator: BinaryOperator,
        left: BoundedTerm,
        right: BoundedTerm,
        operands: tuple[tree.Expression, tree.Expression],
        e: tree.Expression,
        type_: Integer | None = None,
    ) -> BoundedTerm:
        """The operation of `e` on raw values, after the path has ended where it has no value."""
        type_ = type_ or self.integer(operands[0])
        if operator in _SHIFTS or is_partial(operator, operands[1], type_):
            right = self._arithmetic.settle(right, self.integer(operands[1]))
            right = self._checks.defined(operator, right, operands[1], type_, e)
        try:
            if self._checks.covers(operator, type_):
                return self._checks.binary(operator, left, right, type_, e)
            return self._arithmetic.binary(operator, left, right, type_)
        except Undecided as undecided:
            raise BitsNeeded(e.span, f"{undecided} is not decided on integers: {operator.value}") from None

    # Choices

    def _choice(self, e: tree.Logical | tree.Conditional) -> BoundedTerm:
        if isinstance(e, tree.Conditional):
            condition = self.condition(e.condition)
            return self._arithmetic.choice(condition, self.value(e.then), self.value(e.otherwise))
        arena = self._context.arena
        junction = arena.and_ if e.operator is LogicalOperator.AND else arena.or_
        return self._arithmetic.truth(junction(self.condition(e.left), self.condition(e.right)))

    def _chosen(self, e: tree.Logical | tree.Conditional, type_: Integer) -> BoundedTerm:
        """A choice with effects: each branch sets a temporary."""
        cursor = self._cursor
        is_truth = isinstance(e, tree.Logical)
        result = cursor.temporary(type_, Range(0, 1) if is_truth else None)
        then, otherwise, join = cursor.location(), cursor.location(), cursor.location()
        self.branch(e.condition if isinstance(e, tree.Conditional) else e, then, otherwise)
        for location, truth, part in ((then, 1, "then"), (otherwise, 0, "otherwise")):
            cursor.at = location
            value = cursor.constant(truth)
            if isinstance(e, tree.Conditional):
                value = self.value(e.then if part == "then" else e.otherwise)
            cursor.step(Assign(((result, self._arithmetic.number(value)),)), e.span, show(e))
            cursor.jump(join)
        cursor.at = join
        return BoundedTerm(result, 0, 1) if is_truth else BoundedTerm(result, type_.minimum, type_.maximum)

    def branch(self, e: tree.Expression, then: int, otherwise: int) -> None:
        """Go to `then` where the expression is not 0, else to `otherwise`; nothing falls through."""
        cursor = self._cursor
        match e:
            case tree.Logical() if self._order.steps_inside(e):
                middle = cursor.location()
                targets = (middle, otherwise) if e.operator is LogicalOperator.AND else (then, middle)
                self.branch(e.left, *targets)
                cursor.at = middle
                self.branch(e.right, then, otherwise)
            case tree.Unary(operator=UnaryOperator.NOT):
                self.branch(e.operand, otherwise, then)
            case tree.Comma():
                self.discard(e.left)
                self.branch(e.right, then, otherwise)
            case tree.StatementExpression(value=last) if last is not None:
                self._blocks.block(e.body)
                self.branch(last, then, otherwise)
            case _:
                value = self.value(e)
                if cursor.mentions_input(value.term):
                    value = cursor.save(value, self.integer(e), e.span, show(e))
                texts = (show_condition(e), show_negated(e))
                cursor.split(self._holds(value, e), e.span, texts, (then, otherwise))

    # Objects

    def accessed(self, lvalue: tree.Lvalue) -> AnyPlace:
        """The object that an lvalue denotes, to be read at once."""
        return self._checks.access(lvalue, self.place(lvalue), Use.READ, lvalue.span)

    def place(self, lvalue: tree.Lvalue, use: Use = Use.READ) -> AnyPlace:
        """The object that an lvalue denotes, after the effects of its indices."""
        match lvalue:
            case tree.Variable(object=object_):
                if not self._context.memory.holds(object_):
                    self._context.variables.declare(object_)
                return self._context.memory.object(object_)
            case tree.Index():
                return self._element(lvalue, use)
            case tree.Member():
                base = self.place(lvalue.base)
                if isinstance(base, VariablePlace) and is_union(base.type):
                    raise Unsupported(lvalue.span, "a member of a union that is no object is not decided")
                return base.member(lvalue.field)
            case tree.CompoundLiteral(object=object_):
                self._blocks.literal(lvalue)
                return self._context.memory.object(object_)
            case tree.Temporary():
                return self._records.temporary(self.record(lvalue.value), lvalue)
            case tree.Dereference():
                owner = find(self._context.points.place(lvalue))
                if owner.opaque:
                    self._context.assume(OUTSIDE)
                return self._context.memory.at(owner, self.value(lvalue.pointer), lvalue.type)
            case tree.StringLiteral():
                return self._context.memory.literal(lvalue)

    def _element(self, lvalue: tree.Index, use: Use) -> AnyPlace:
        array = self.place(lvalue.array)
        if self._order.steps(lvalue.index):
            array = self._cursor.saved_place(array, lvalue.span, show(lvalue.array))
        return array.element(self._checks.index(lvalue, self.value(lvalue.index), use))

    def slot(self, place: AnyPlace, span: Span) -> Slot | None:
        """The variable of a scalar place; None where it has none."""
        if isinstance(place.type, Record | Array):
            raise Unsupported(span, f"a value of type {place.type} is not decided")
        ((_, slot),) = self._context.memory.slots(place, span)
        return slot

    def _used(self, e: tree.Load) -> BoundedTerm:
        """The value of an object, which must have one."""
        place = self.accessed(e.lvalue)
        if self._context.memory.string_arrays:
            place = self._without_inputs(place, e)
        if self._checks.covers_value(e.lvalue):
            place = self._checks.stable(place, e.span, show(e))
        slot = self._scalar(place, e.span)
        self._checks.has_value(slot, e.lvalue, e.lvalue.span)
        self._checks.read_outside(slot, e.span, show(e))
        return self._checks.named(self._cursor.read(slot), slot.type, e.lvalue.type, e.lvalue.span, show(e))

    def _load(self, place: AnyPlace, span: Span) -> BoundedTerm:
        return self._cursor.read(self._scalar(place, span))

    def _scalar(self, place: AnyPlace, span: Span) -> Slot:
        slot = self.slot(place, span)
        assert slot is not None, "the expression has an integer type"
        return slot

    # Assignments: each returns the place that was written

    # With `keep`, its indices are still the same after the store.

    def _assign(self, e: tree.Assign, keep: bool = False) -> AnyPlace:
        place = self._target(e, e.value, keep)
        if isinstance(e.type, Record | Array):
            place, value = self._copied(e, place)
            place = self._checks.access(e.target, place, Use.WRITE, e.span)
            is_whole = e.is_whole or self._checks.is_library  # whose functions copy all bytes
            if is_whole and _is_cleared(e.value):
                value = self._records.cleared(place)
            self._records.store(place, value, e.span, show(e), is_whole)
            return place
        if self.slot(place, e.span) is None:
            self.discard(e.value)
            return self._checks.access(e.target, place, Use.WRITE, e.span)
        copied = None if keep else self._checks.copied(e)
        if copied is None:
            number, given, mark = self.raw(e.value), self.integer(e.value), None
        else:
            source = self._scalar(self._checks.stable(self.accessed(copied.lvalue), e.span, show(copied)), e.span)
            number, given, mark = self._cursor.read(source), self.integer(copied), self._checks.mark(source)
        number = self._kept(number, given, e)
        place = self._checks.access(e.target, place, Use.WRITE, e.span)
        slot = self._scalar(place, e.span)
        self._write(slot, number, given, e, *self._cursor.marked(slot, mark))
        return place

    def _copied(self, e: tree.Assign, place: AnyPlace) -> tuple[AnyPlace, RecordValue]:
        """The place and the value of a struct that is assigned; those that overlap in part are none."""
        if not isinstance(e.value, tree.Load) or not self._context.memory.regions.may_overlap(e):
            return place, self.record(e.value, keeps_bytes=True)
        source = self._without_inputs(self.accessed(e.value.lvalue), e.value)
        value = self._records.load(source, e.value.span, keeps_bytes=True)
        place = self._without_inputs(place, e)
        self._checks.exact(place, source, e)
        return place, value

    def _without_inputs(self, place: AnyPlace, e: tree.Expression) -> AnyPlace:
        is_input = isinstance(place, MemoryPlace) and self._cursor.mentions_input(place.address.term)
        return self._cursor.saved_place(place, e.span, show(e)) if is_input else place

    def _update(
        self, e: tree.CompoundAssign | tree.Increment, computation: CType, operand: tree.Expression, keep: bool = False
    ) -> AnyPlace:
        place = self._target(e, operand, keep)
        if self.slot(place, e.span) is None:
            self.discard(operand)
            return self._checks.access(e.target, place, Use.WRITE, e.span)
        given = self.value(operand) if isinstance(computation, Pointer) else self.raw(operand)
        place = self._checks.access(e.target, place, Use.WRITE, e.span)
        slot = self._scalar(place, e.span)
        new = self._updated(e, slot, computation, operand, given)
        self._write(slot, new, self._updated_type(e, computation), e)
        return place

    def _computation(self, e: tree.Expression, computation: CType) -> Integer:
        if isinstance(computation, Integer):
            return computation
        if isinstance(computation, Pointer):
            return ADDRESS
        type_ = number_type(computation)
        assert type_ is not None, "a computation has numbers"
        return type_

    def _updated_type(self, e: tree.CompoundAssign | tree.Increment, computation: CType) -> Integer:
        """The type in which the new value of an update is; one that was computed as a float is converted already."""
        return self.integer(e.target) if isinstance(computation, Float) else self._computation(e, computation)

    def _updated(
        self,
        e: tree.CompoundAssign | tree.Increment,
        slot: Slot,
        computation: CType,
        operand: tree.Expression,
        given: BoundedTerm,
    ) -> BoundedTerm:
        """The new value, unsettled in the computation type; `given` is that of the operand."""
        type_ = self._computation(e, computation)
        if type_ == ADDRESS:
            self._checks.has_value(slot, e.target, e.span)
            pointer = tree.Load(e.span, e.target.type, e.target)
            return self._pointers.moved(e.operator, pointer, self._cursor.read(slot), given, e)
        self._checks.has_value(slot, e.target, e.span)
        old = self._cursor.read(slot)
        held = slot.held(e.target.type)
        old = self._arithmetic.settle(old, held)
        if isinstance(computation, Float):
            return self._updated_float(e, old, computation, operand, given)
        old = self._checks.named(old, held, e.target.type, e.span, show(e))
        old = self._checks.converted(old, held, type_, e.span, show(e))
        left = self._arithmetic.convert(old, held, type_)
        new = self._operation(e.operator, left, given, (operand, operand), e, type_)
        return self._kept(new, type_, e)

    def _updated_float(
        self,
        e: tree.CompoundAssign | tree.Increment,
        old: BoundedTerm,
        computation: Float,
        operand: tree.Expression,
        given: BoundedTerm,
    ) -> BoundedTerm:
        """The new value in the type of the target, computed as a floating-point number."""
        if not isinstance(operand.type, Float):
            given = self.floats.converted(given, operand.type, computation, e)
        if e.target.type != computation:
            old = self.floats.converted(old, e.target.type, computation, e)
        new = self.floats.operation(e.operator, old, given, computation, e)
        if e.target.type == computation:
            return new
        new = self.floats.converted(new, computation, e.target.type, e)
        return self._kept(new, self.integer(e.target), e) if isinstance(e.target.type, Integer) else new

    def _kept(
        self, value: BoundedTerm, type_: Integer, e: tree.Assign | tree.CompoundAssign | tree.Increment
    ) -> BoundedTerm:
        """A value, unsettled in `type_`, that an object keeps: one that it holds, and has a name for."""
        value = self._checks.converted(value, type_, kept_type(e.target), e.span, show(e))
        return self._checks.named(value, type_, e.target.type, e.span, show(e))

    def _write(self, slot: Slot, value: BoundedTerm, type_: Integer, e: tree.Expression, *marks: _Update) -> None:
        new = self.stored(slot, value, type_)
        self._cursor.step(Assign(((slot.variable, self._cursor.updated(slot, new)), *marks)), e.span, show(e))

    def stored(self, slot: Slot, value: BoundedTerm, type_: Integer) -> Term:
        """The value, unsettled in `type_`, as the slot keeps it."""
        arithmetic = self._arithmetic
        return arithmetic.number(arithmetic.settle(arithmetic.convert(value, type_, slot.type), slot.type))

    def _target(
        self, e: tree.Assign | tree.CompoundAssign | tree.Increment, value: tree.Expression, keep: bool
    ) -> AnyPlace:
        place = self.place(e.target)
        if keep or self._order.steps(value):
            return self._cursor.saved_place(place, e.span, show(e.target))
        return self._checks.stable(place, e.span, show(e.target))

    def _incremented(self, e: tree.Increment) -> BoundedTerm:
        if e.position is Position.PREFIX:
            return self._load(self._update(e, e.computation, one(e), keep=True), e.span)
        place = self._checks.stable(self.place(e.target), e.span, show(e.target))
        slot = self._scalar(self._checks.access(e.target, place, Use.WRITE, e.span), e.span)
        old = self._arithmetic.number(self._cursor.read(slot))
        saved = self._cursor.temporary(slot.type)
        updated = self._updated(e, slot, e.computation, one(e), self.raw(one(e)))
        new = self.stored(slot, updated, self._updated_type(e, e.computation))
        updates = ((saved, old), (slot.variable, self._cursor.updated(slot, new)))
        self._cursor.step(Assign(updates), e.span, show(e))
        return self._cursor.variable(saved, slot.type)

    # Calls and records

    def _called(self, e: tree.Call) -> BoundedTerm:
        result = self._calls.call(e)
        if isinstance(result, BoundedTerm):
            return result
        raise Unsupported(e.span, not_decided(e))

    def record(self, e: tree.Expression, keeps_bytes: bool = False) -> RecordValue:
        """The parts of a value of struct type, or of array type where a library call copies it.

        What is only stored `keeps_bytes` that are no values.
        """
        match e:
            case tree.Load() if _is_cleared(e):
                return self._records.zero(e.type)
            case tree.Load():
                place = self.accessed(e.lvalue)
                if self._checks.covers_value(e.lvalue):
                    place = self._checks.stable(place, e.span, show(e))
                return self._records.load(place, e.span, keeps_bytes)
            case tree.Assign():
                return self._records.load(self._assign(e, keep=True), e.span)
            case tree.Comma():
                self.discard(e.left)
                return self.record(e.right)
            case tree.Conditional():
                return self._records.chosen(e, self.branch, self.record)
            case tree.StatementExpression(value=value) if value is not None:
                self._blocks.block(e.body)
                return self.record(value)
            case tree.Call():
                result = self._calls.call(e)
                if isinstance(result, RecordValue):
                    return result
            case _:
                pass
        raise Unsupported(e.span, not_decided(e))

    # Values that are not used

    def discard(self, e: tree.Expression) -> None:
        """The effects of an expression of any type."""
        if self._order.steps(e):
            self._discard(e)

    def _discard(self, e: tree.Expression) -> None:
        match e:
            case tree.Convert() if self._order.may_fail(e):
                self.raw(e)
            case tree.Convert():
                self.discard(e.operand)
            case tree.Assign():
                self._assign(e)
            case tree.CompoundAssign():
                self._update(e, e.computation, e.value)
            case tree.Increment():
                self._update(e, e.computation, one(e))
            case tree.Call():
                self._calls.call(e, is_used=False)
            case tree.Comma():
                self.discard(e.left)
                self.discard(e.right)
            case tree.Logical() | tree.Conditional():
                self._discard_choice(e)
            case tree.StatementExpression():
                self._blocks.block(e.body)
                if e.value is not None:
                    self.discard(e.value)
            case _:
                self._discard_operands(e)

    def _discard_choice(self, e: tree.Logical | tree.Conditional) -> None:
        cursor = self._cursor
        then, otherwise, join = cursor.location(), cursor.location(), cursor.location()
        parts: Sequence[tuple[int, tree.Expression]]
        if isinstance(e, tree.Conditional):
            self.branch(e.condition, then, otherwise)
            parts = ((then, e.then), (otherwise, e.otherwise))
        elif e.operator is LogicalOperator.AND:
            self.branch(e.left, then, join)
            parts = ((then, e.right),)
        else:
            self.branch(e.left, join, then)
            parts = ((then, e.right),)
        for location, part in parts:
            cursor.at = location
            self.discard(part)
            cursor.jump(join)
        cursor.at = join

    def _discard_operands(self, e: tree.Expression) -> None:
        match e:
            case tree.Binary() if isinstance(e.left.type, Integer | Pointer):
                self._binary(e)
            case tree.FloatConstant():
                pass
            case tree.PointerOffset():
                self._pointers.offset(e)
            case tree.PointerDifference():
                self._pointers.difference(e)
            case tree.Unary(operator=UnaryOperator.NEGATE) if isinstance(e.type, Integer):
                self._unary(e, e.type)
            case tree.Unary(operand=operand):
                self.discard(operand)
            case tree.Binary(left=left, right=right):
                self.discard(left)
                self.discard(right)
            case tree.Load(lvalue=lvalue):
                self.accessed(lvalue)
            case tree.AddressOf() | tree.Decay() if self._order.may_fail(e):
                self._pointers.address(e)
            case tree.AddressOf(lvalue=lvalue) | tree.Decay(lvalue=lvalue):
                self.place(lvalue, Use.ADDRESS)
            case _:
                raise Unsupported(e.span, not_decided(e))


def _is_cleared(e: tree.Expression) -> bool:
    """Whether a value is zero in all its parts."""
    return (
        isinstance(e, tree.Load)
        and isinstance(e.lvalue, tree.CompoundLiteral)
        and e.lvalue.initialiser.zero_fill
        and not e.lvalue.initialiser.entries
    )
