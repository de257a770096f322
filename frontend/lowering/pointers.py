"""Values of pointer type: numbers that are addresses."""

from __future__ import annotations

from typing import Protocol

from core.terms import Term
from frontend import tree
from frontend.ctype import Integer, IntegerKind, Pointer
from frontend.lowering.arithmetic import Value
from frontend.lowering.context import MEMORY_SAFE, Cursor
from frontend.lowering.regions import AnyPlace, MemoryPlace
from frontend.lowering.storage import ADDRESS
from frontend.source import Unsupported
from frontend.tree import BinaryOperator

_WIDE = (IntegerKind.LONG, IntegerKind.ULONG, IntegerKind.LLONG, IntegerKind.ULLONG)
"""Types that hold every pointer, in both data models."""
_NEVER = 1 << 12
"""No object has an address below this, nor as far below the end of the address space."""


class Operands(Protocol):
    """What lowers the operands."""

    def value(self, e: tree.Expression) -> Value: ...

    def raw(self, e: tree.Expression) -> Value: ...

    def condition(self, e: tree.Expression) -> Term: ...

    def integer(self, e: tree.Expression | tree.Lvalue) -> Integer: ...

    def operands(self, first: tree.Expression, second: tree.Expression) -> tuple[Value, Value]: ...

    def safe(self, value: Value, e: tree.Expression) -> Value: ...

    def place(self, lvalue: tree.Lvalue) -> AnyPlace: ...


class Pointers:
    def __init__(self, cursor: Cursor, expressions: Operands) -> None:
        self._context = cursor.context
        self._arithmetic = cursor.arithmetic
        self._expressions = expressions

    def convert(self, e: tree.Convert, type_: Integer) -> Value:
        source = self._expressions.integer(e.operand)
        if source != ADDRESS and type_ != ADDRESS:
            return self._arithmetic.convert(self._expressions.raw(e.operand), source, type_)
        if source == ADDRESS and type_ == ADDRESS:
            return self._expressions.raw(e.operand)
        if type_.kind is IntegerKind.BOOL:
            return self._arithmetic.truth(self._expressions.condition(e.operand))
        if source == ADDRESS:
            raise Unsupported(e.span, "a pointer as a number is not decided")
        value = self._expressions.value(e.operand)
        if value.constant is not None and -_NEVER <= value.constant < _NEVER:
            return value
        raise Unsupported(e.span, "a number as a pointer is not decided")

    def address(self, e: tree.AddressOf | tree.Decay) -> Value:
        place = self._expressions.place(e.lvalue)
        if isinstance(place, MemoryPlace):
            return place.address
        raise Unsupported(e.span, "the address of this object is not decided")

    def _size(self, pointer: tree.Expression) -> Term:
        assert isinstance(pointer.type, Pointer)
        return self._context.memory.size_term(pointer.type.target)

    def moved(self, operator: BinaryOperator, pointer: tree.Expression, address: Term, offset: Value) -> Value:
        """The address that many elements further."""
        arena = self._context.arena
        self._context.assume(MEMORY_SAFE)
        distance = arena.multiply(self._arithmetic.number(offset), self._size(pointer))
        combine = arena.add if operator is BinaryOperator.ADD else arena.subtract
        return Value(combine(address, distance), ADDRESS.minimum, ADDRESS.maximum)

    def offset(self, e: tree.PointerOffset) -> Value:
        address = self._expressions.value(e.pointer)
        if self._context.order.steps(e.offset):
            address = self._expressions.safe(address, e.pointer)
        return self.moved(e.operator, e.pointer, self._arithmetic.number(address), self._expressions.value(e.offset))

    def difference(self, e: tree.PointerDifference) -> Value:
        self._context.assume(MEMORY_SAFE)
        left, right = self._expressions.operands(e.left, e.right)
        arena, type_ = self._context.arena, self._expressions.integer(e)
        distance = arena.subtract(self._arithmetic.number(left), self._arithmetic.number(right))
        term = arena.divide(distance, self._size(e.left))
        return self._arithmetic.settle(Value(term, ADDRESS.minimum, ADDRESS.maximum), type_)


def as_pointers(e: tree.Binary) -> tuple[tree.Expression, tree.Expression] | None:
    """The operands of a comparison of pointers, also where both are compared as numbers of their size."""
    if isinstance(e.left.type, Pointer) and isinstance(e.right.type, Pointer):
        return e.left, e.right
    if e.operator not in (BinaryOperator.EQUAL, BinaryOperator.UNEQUAL):
        return None
    left, right = _below_cast(e.left), _below_cast(e.right)
    if left is None and right is None:
        return None
    left, right = left or _null(e.left), right or _null(e.right)
    return None if left is None or right is None else (left, right)


def _below_cast(e: tree.Expression) -> tree.Expression | None:
    """The pointer that is cast to a number without loss."""
    while isinstance(e, tree.Convert) and isinstance(e.type, Integer):
        if isinstance(e.operand.type, Pointer):
            return e.operand if e.type.kind in _WIDE else None
        if not isinstance(e.operand.type, Integer) or e.operand.type.bits > e.type.bits:
            return None
        e = e.operand
    return None


def _null(e: tree.Expression) -> tree.Expression | None:
    one = e
    while isinstance(one, tree.Convert):
        one = one.operand
    return one if isinstance(one, tree.IntegerConstant) and one.value == 0 else None
