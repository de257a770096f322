"""Lowering of pointers: their values are numbers, the addresses."""

from __future__ import annotations

from typing import Protocol

from core.program import InputKind
from core.program.properties import CheckKind
from core.terms import Term
from frontend.lowering.arithmetic import ADDRESS, BoundedTerm, address_value
from frontend.lowering.checks.edges import Checks, Use
from frontend.lowering.context import AS_MADE, MEMORY_SAFE, NUMBERS, Cursor
from frontend.lowering.edge_text import show
from frontend.lowering.memory.regions import AnyPlace, MemoryPlace
from frontend.lowering.pointsto.classes import find
from frontend.source import Unsupported
from frontend.typed import tree
from frontend.typed.alignment import needed_alignment
from frontend.typed.casts import LAYOUT
from frontend.typed.changes import may_change
from frontend.typed.ctype import CType, Integer, IntegerKind, Pointer
from frontend.typed.tree import BinaryOperator


class Operands(Protocol):
    """The lowering of operands."""

    def value(self, e: tree.Expression) -> BoundedTerm: ...

    def raw(self, e: tree.Expression) -> BoundedTerm: ...

    def condition(self, e: tree.Expression) -> Term: ...

    def integer(self, e: tree.Expression | tree.Lvalue) -> Integer: ...

    def operands(self, first: tree.Expression, second: tree.Expression) -> tuple[BoundedTerm, BoundedTerm]: ...

    def safe(self, value: BoundedTerm, e: tree.Expression) -> BoundedTerm: ...

    def place(self, lvalue: tree.Lvalue, use: Use = ...) -> AnyPlace: ...


class Pointers:
    """Lowers operations on pointers at a cursor."""

    def __init__(self, cursor: Cursor, expressions: Operands) -> None:
        self._cursor, self._context = cursor, cursor.context
        self._checks = Checks(cursor)
        self._arithmetic = cursor.arithmetic
        self._expressions = expressions

    def convert(self, e: tree.Convert, type_: Integer) -> BoundedTerm:
        source = self._expressions.integer(e.operand)
        if source != ADDRESS and type_ != ADDRESS:
            value = self._expressions.raw(e.operand)
            if may_change(e):
                value = self._checks.converted(value, source, type_, e.span, show(e))
            return self._arithmetic.convert(value, source, type_)
        if source == ADDRESS and type_ == ADDRESS:
            wanted = 1 if e.is_modular else needed_alignment(e, self._context.unit.data_model)  # of a copy: any byte
            return self._checks.aligned(self._expressions.raw(e.operand), wanted, e)
        if type_.kind is IntegerKind.BOOL:
            return self._arithmetic.truth(self._expressions.condition(e.operand))
        value, numbers = self._expressions.value(e.operand), self._context.memory.numbers
        if numbers is not None:
            self._context.assume(numbers.assumption)
            return numbers.converted(self._arithmetic, value, source, type_)
        if not self._context.memory.regions.is_numeric:
            assert value.constant is not None, "other programs have addresses of the machine"
            return self._arithmetic.settle(value, ADDRESS)
        self._context.assume(NUMBERS)
        return self._arithmetic.convert(value, source, type_)

    def address(self, e: tree.AddressOf | tree.Decay) -> BoundedTerm:
        place = self._expressions.place(e.lvalue, Use.ADDRESS)
        if isinstance(place, MemoryPlace):
            wanted = needed_alignment(e, self._context.unit.data_model)
            return self._checks.aligned(place.address, wanted, e)
        raise Unsupported(e.span, "the address of this object is not decided")

    def _size(self, pointer: tree.Expression) -> Term:
        return self._context.memory.size_term(target_type(pointer))

    def moved(
        self,
        operator: BinaryOperator,
        pointer: tree.Expression,
        address: BoundedTerm,
        offset: BoundedTerm,
        e: tree.Expression,
    ) -> BoundedTerm:
        """The address that many elements further; `e` moves it."""
        if CheckKind.POINTER in self._context.policy.kinds:
            address = self._cursor.stable(address, ADDRESS, e.span, show(e))
        return self._checks.moved(address, self._sum(operator, pointer, address, offset), e.span, show(e))

    def _sum(
        self, operator: BinaryOperator, pointer: tree.Expression, address: BoundedTerm, offset: BoundedTerm
    ) -> BoundedTerm:
        arena = self._context.arena
        self._trust(pointer)
        distance = arena.multiply(self._arithmetic.number(offset), self._size(pointer))
        combine = arena.add if operator is BinaryOperator.ADD else arena.subtract
        term = combine(address.term, distance)
        size = self._context.memory.size(target_type(pointer))
        if size is None:
            return self._arithmetic.of_type(term, ADDRESS)
        low, high = size * offset.low, size * offset.high
        if operator is BinaryOperator.SUBTRACT:
            low, high = -high, -low
        return address_value(term, address.low + low, address.high + high)

    def _trust(self, pointer: tree.Expression) -> None:
        """Assume what a moving address rests on: with accesses checked, only that it finds scalars as they are kept."""
        if self._context.memory.lives is None:
            self._context.assume(MEMORY_SAFE)
            return
        owner, size = self._context.points.value(pointer), self._size(pointer)
        regions = [] if owner is None else [one for one, _ in self._context.memory.regions.of(find(owner))]
        step = size.value if size.is_constant else 0
        if len(regions) > 1 or not step or any(step % max(one.size, 1) for one in regions):
            self._context.assume(AS_MADE)

    def offset(self, e: tree.PointerOffset) -> BoundedTerm:
        address = self._expressions.value(e.pointer)
        if self._context.order.steps(e.offset):
            address = self._expressions.safe(address, e.pointer)
        return self.moved(e.operator, e.pointer, address, self._expressions.value(e.offset), e)

    def compared(
        self, first: tree.Expression, second: tree.Expression, e: tree.Expression
    ) -> tuple[BoundedTerm, BoundedTerm]:
        """The values of two pointers into one object."""
        left, right = self._expressions.operands(first, second)
        if CheckKind.POINTER in self._context.policy.kinds:
            left, right = (self._cursor.stable(one, ADDRESS, e.span, show(e)) for one in (left, right))
        self._checks.one_object(left, right, e)
        return left, right

    def equality(self, first: tree.Expression, second: tree.Expression, e: tree.Binary) -> BoundedTerm:
        """Whether two pointers are equal, or unequal: any answer where that depends on where objects lie."""
        left, right = self._expressions.operands(first, second)
        comparisons, arena = self._context.comparisons, self._context.arena
        if not comparisons.depends(e):
            return self._arithmetic.binary(e.operator, left, right, ADDRESS)
        left, right = (self._cursor.stable(one, ADDRESS, e.span, show(e)) for one in (left, right))
        equal = self._arithmetic.binary(BinaryOperator.EQUAL, left, right, ADDRESS).term
        is_open = comparisons.condition(e, *(self._arithmetic.number(one) for one in (left, right)))
        if not is_open.is_false:
            boolean = self._context.unit.data_model.integer(IntegerKind.BOOL)
            choice = self._cursor.input(InputKind.EXTERN, LAYOUT, e.span, boolean)
            either = self._arithmetic.truth(arena.ite(is_open, self._arithmetic.holds(choice), equal))
            text = f"[whether {show(first)} == {show(second)}, as objects lie]"
            equal = self._arithmetic.holds(self._cursor.save(either, boolean, e.span, text))
        return self._arithmetic.truth(equal if e.operator is BinaryOperator.EQUAL else arena.not_(equal))

    def difference(self, e: tree.PointerDifference) -> BoundedTerm:
        left, right = self.compared(e.left, e.right, e)
        arena, type_ = self._context.arena, self._expressions.integer(e)
        distance = arena.subtract(self._arithmetic.number(left), self._arithmetic.number(right))
        size = self._context.memory.size(target_type(e.left)) or 1
        term = arena.divide(distance, self._size(e.left))
        return self._arithmetic.settle(
            address_value(term, (left.low - right.high) // size, (left.high - right.low) // size), type_
        )


def target_type(pointer: tree.Expression) -> CType:
    """The type that the pointer points to."""
    assert isinstance(pointer.type, Pointer)
    return pointer.type.target
