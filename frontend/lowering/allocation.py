"""Objects on the heap: each takes the next free address, so that no two ever overlap."""

from __future__ import annotations

from frontend import tree
from frontend.lowering.arithmetic import ADDRESS, Value
from frontend.lowering.classes import find
from frontend.lowering.clearing import clear
from frontend.lowering.context import ALLOCATES, Cursor
from frontend.lowering.expressions import Expressions
from frontend.lowering.objects import take
from frontend.lowering.pointsto import ZEROED
from frontend.lowering.text import show
from frontend.source import Unsupported


class Allocation:
    def __init__(self, cursor: Cursor, expressions: Expressions) -> None:
        self._cursor, self._context, self._expressions = cursor, cursor.context, expressions

    def call(self, call: tree.Call, name: str) -> Value:
        """`malloc`, `alloca` or `calloc`: arbitrary contents, or zeros."""
        cursor, arena = self._cursor, self._context.arena
        is_zeroed = name in ZEROED
        if len(call.arguments) != 1 + is_zeroed:
            raise Unsupported(call.span, f"{name} is called with {len(call.arguments)} arguments")
        self._context.assume(ALLOCATES)
        sizes = self._sizes(call)
        size = cursor.arithmetic.number(sizes[0])
        if is_zeroed:
            size = arena.multiply(size, cursor.arithmetic.number(sizes[1]))
        result = cursor.temporary(ADDRESS)
        take(cursor, result, size, call.span, show(call))
        owner = self._context.points.value(call)
        if is_zeroed and owner is not None and find(owner).volatile:
            clear(cursor, owner, result, size, call.span)
        return cursor.variable(result, ADDRESS)

    def _sizes(self, call: tree.Call) -> list[Value]:
        """The arguments as numbers of bytes: never negative."""
        cursor, type_ = self._cursor, self._context.unit.data_model.size_type
        found: list[Value] = []
        for i, one in enumerate(call.arguments):
            value = self._expressions.value(one)
            if any(self._context.order.steps(later) for later in call.arguments[i + 1 :]):
                value = self._expressions.safe(value, one)
            given = self._expressions.integer(one)
            value = cursor.arithmetic.settle(cursor.arithmetic.convert(value, given, type_), type_)
            if cursor.mentions_input(value.term):  # several edges use the size
                value = cursor.save(value, type_, one.span, show(one))
            found.append(value)
        return found
