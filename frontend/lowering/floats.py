"""Floating-point numbers: no variable holds one, so what a program learns of one is any value.

That is sound for proofs. Nothing computes the number for a violation, so none may rest on it
(`frontend/replay/determined.py`).
"""

from __future__ import annotations

from typing import Protocol

from core.program import Assign, InputKind
from core.terms import Term
from frontend.lowering.arithmetic import BoundedTerm
from frontend.lowering.checks.edges import Checks, Use
from frontend.lowering.context import FITTING, Cursor
from frontend.lowering.edge_text import show
from frontend.lowering.memory.regions import AnyPlace
from frontend.lowering.records import Records
from frontend.lowering.storage import Slot
from frontend.source import Span
from frontend.typed import tree
from frontend.typed.ctype import Integer, IntegerKind
from frontend.typed.floats import converted_number

FLOATING = "a floating-point number"
"""The name of the inputs that stand for what is learnt of one."""


class Expressions(Protocol):
    """The part of the lowering of expressions that is needed."""

    def discard(self, e: tree.Expression) -> None: ...

    def slot(self, place: AnyPlace, span: Span) -> Slot | None: ...

    def stored(self, slot: Slot, value: BoundedTerm, type_: Integer) -> Term: ...


class Floats:
    """Reads and writes of floating-point numbers at a cursor."""

    def __init__(self, cursor: Cursor, expressions: Expressions) -> None:
        self._cursor = cursor
        self._expressions = expressions
        self._checks = Checks(cursor)
        self._records = Records(cursor)

    def learnt(self, e: tree.Convert | tree.Binary, type_: Integer) -> BoundedTerm:
        """The value of an expression for which `learns` holds."""
        if isinstance(e, tree.Convert):
            number = converted_number(e)
            if number is not None and type_.holds(number):
                return self._cursor.constant(number)
            self._expressions.discard(e.operand)
            if number is not None:
                self._checks.unfit(e)
                return self._cursor.constant(0)  # the path has ended
            return self.any(e, type_)
        self._expressions.discard(e.left)
        self._expressions.discard(e.right)
        return self.any(e, self._cursor.context.unit.data_model.integer(IntegerKind.BOOL))

    def any(self, e: tree.Expression, type_: Integer) -> BoundedTerm:
        """Any value of the type, which is that of `e` or holds all of its values."""
        if type_.kind is not IntegerKind.BOOL:
            self._cursor.context.assume(FITTING)
        value = self._cursor.input(InputKind.EXTERN, FLOATING, e.span, type_)
        return self._cursor.save(value, type_, e.span, show(e))

    def assigned(
        self, e: tree.Assign | tree.CompoundAssign | tree.Increment, place: AnyPlace, operand: tree.Expression
    ) -> AnyPlace:
        """Assign a number, or update with one, where the place has a variable."""
        cursor = self._cursor
        self._expressions.discard(operand)
        place = self._checks.access(e.target, place, Use.WRITE, e.span)
        slot = self._expressions.slot(place, e.span)
        assert slot is not None, "others have nothing to be stored"
        if isinstance(e.target.type, Integer):
            self._checks.has_value(slot, e.target, e.span)
            held = slot.held(e.target.type)
            new = cursor.updated(slot, self._expressions.stored(slot, self.any(e, held), held))
        else:
            new = self._records.lost(slot, slot.variable, show(e.target), e.span)
        cursor.step(Assign(((slot.variable, new),)), e.span, show(e))
        return place
