"""Operands that read what calls in other operands may change: C leaves the order of the two open (C11 6.5.2.2).

In `list->rows[list->used] = row(list)` the call may come before or after the reads of `list->rows` and `list->used`, of
each by itself. So each such read has any of two values: that before the calls, and that after them. A violation that
rests on this choice is confirmed, or not, by an execution, in which one order is taken.

What is read before the calls is also evaluated in full before them, since they need not return.

Limitation: where the values depend on each other, as those of two members of one object do, more of them are combined
than any order gives.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Protocol, TypeVar

from core.program import Assign, InputKind
from frontend.lowering.arithmetic import BoundedTerm
from frontend.lowering.context import Cursor
from frontend.lowering.effects import OpenOrder
from frontend.lowering.memory.regions import AnyPlace
from frontend.lowering.text import show
from frontend.typed import tree
from frontend.typed.ctype import Float, Integer, IntegerKind

_Node = TypeVar("_Node", bound=tree.Node)
_Result = TypeVar("_Result")

ORDER = "the order of evaluation"
"""The name of the inputs that choose an order."""


class OperandLowering(Protocol):
    """The part of the lowering of expressions that is needed."""

    def value(self, e: tree.Expression) -> BoundedTerm: ...

    def integer(self, e: tree.Expression | tree.Lvalue) -> Integer: ...

    def discard(self, e: tree.Expression) -> None: ...

    def place(self, lvalue: tree.Lvalue) -> AnyPlace: ...


class OpenOrders:
    """The operands that are evaluated before the expression that they are of."""

    def __init__(self, cursor: Cursor, expressions: OperandLowering) -> None:
        self._cursor = cursor
        self._expressions = expressions
        self._open = cursor.context.order.open
        self._held: dict[int, BoundedTerm | None] = {}  # by identity of the operand
        self._begun: set[int] = set()

    def is_held(self, e: tree.Expression) -> bool:
        """Whether the operand was evaluated."""
        return id(e) in self._held

    def held(self, e: tree.Expression) -> BoundedTerm | None:
        """The value of an operand that was evaluated, if it has one."""
        return self._held.get(id(e))

    def around(self, node: _Node, lower: Callable[[_Node], _Result]) -> _Result:
        """Lower a node, after those of its operands whose order is open."""
        if id(node) not in self._open or id(node) in self._begun:
            return lower(node)
        with self._evaluated(node, self._open[id(node)]):
            return lower(node)

    @contextmanager
    def _evaluated(self, node: tree.Node, order: OpenOrder) -> Iterator[None]:
        before = dict(self._held)
        for other in order.others:
            if isinstance(other, tree.Lvalue):
                self._expressions.place(other)
            else:
                self._expressions.discard(other)
        for read in order.reads:
            self._held[id(read)] = self._kept(read)
        for call in order.calls:
            self._held[id(call)] = self._result(call)
        for read in order.reads:
            self._reread(read)
        self._begun.add(id(node))
        yield
        self._begun.remove(id(node))
        self._held = before

    def _kept(self, read: tree.Load) -> BoundedTerm:
        """The value before the calls, in a variable that can hold any value."""
        type_ = self._expressions.integer(read)
        value, symbol = self._expressions.value(read), self._cursor.temporary(type_)
        self._cursor.step(Assign(((symbol, self._cursor.arithmetic.number(value)),)), read.span, show(read))
        return self._cursor.variable(symbol, type_)

    def _result(self, call: tree.Expression) -> BoundedTerm | None:
        if isinstance(call.type, Float):
            self._expressions.discard(call)
            return None
        return self._cursor.save(self._expressions.value(call), self._expressions.integer(call), call.span, show(call))

    def _reread(self, read: tree.Load) -> None:
        """Choose between the value before the calls and that after them."""
        cursor, arithmetic = self._cursor, self._cursor.arithmetic
        held = self._held.pop(id(read))
        assert held is not None, "reads have values"
        after = self._expressions.value(read)
        model = cursor.context.unit.data_model
        choice = cursor.input(InputKind.EXTERN, ORDER, read.span, model.integer(IntegerKind.BOOL))
        value = arithmetic.choice(arithmetic.holds(choice), held, after)
        text = f"[{show(read)} as before or after the call]"
        cursor.step(Assign(((held.term, arithmetic.number(value)),)), read.span, text)
        self._held[id(read)] = held
