"""Answers to questions about memory, by the objects that are alive; anything where that is not kept.

What has no bytes may be a dead object or an empty one: whether none of its bytes can be read, is not known.
"""

from __future__ import annotations

from collections.abc import Iterator

from core.program import InputKind
from core.terms import Term
from frontend.lowering.arithmetic import ADDRESS, BoundedTerm, number_type
from frontend.lowering.checks.object_states import Lives
from frontend.lowering.context import Cursor
from frontend.lowering.expressions import ExpressionLowering
from frontend.typed import tree
from frontend.typed.ctype import Integer
from frontend.typed.library_table import HarnessQuestion
from frontend.typed.traversal import callee


class MemoryQuestions:
    """Answers them at a cursor."""

    def __init__(self, cursor: Cursor, expressions: ExpressionLowering) -> None:
        self._cursor, self._expressions = cursor, expressions
        self._arena = cursor.context.arena

    def answer(self, call: tree.Call, name: str, question: HarnessQuestion) -> BoundedTerm:
        """The value of the call."""
        arithmetic, lives, type_ = self._cursor.arithmetic, self._cursor.context.memory.lives, number_type(call.type)
        assert type_ is not None
        values = list(self._values(call))
        if lives is None:
            return self._cursor.input(InputKind.EXTERN, name, call.span, type_)
        match question:
            case HarnessQuestion.READABLE | HarnessQuestion.WRITABLE:
                return arithmetic.truth(self._accessible(lives, call, question, values, type_))
            case HarnessQuestion.SAME_OBJECT:
                return arithmetic.truth(lives.in_one_object(*values))
            case HarnessQuestion.OFFSET:
                return arithmetic.settle(arithmetic.of_type(lives.offset(values[0]), ADDRESS), type_)
            case HarnessQuestion.OBJECT:
                return arithmetic.settle(arithmetic.of_type(lives.block(values[0]), ADDRESS), type_)
            case HarnessQuestion.SIZE:
                size = arithmetic.settle(arithmetic.of_type(lives.size(values[0]), ADDRESS), type_).term
                unknown = self._cursor.input(InputKind.EXTERN, name, call.span, type_)
                is_known = self._arena.lt(self._arena.zero, size)
                return arithmetic.of_type(self._arena.ite(is_known, size, unknown.term), type_)

    def _values(self, call: tree.Call) -> Iterator[Term]:
        for k, argument in enumerate(call.arguments):
            value = self._expressions.value(argument)
            if any(self._cursor.context.order.steps(later) for later in call.arguments[k + 1 :]):
                value = self._expressions.safe(value, argument)
            yield self._cursor.arithmetic.number(value)

    def _accessible(
        self, lives: Lives, call: tree.Call, question: HarnessQuestion, values: list[Term], type_: Integer
    ) -> Term:
        """Whether a living object has so many bytes behind the pointer."""
        arena, (address, count) = self._arena, values
        fits = (lives.readable if question is HarnessQuestion.READABLE else lives.writable)(address, count)
        is_living = arena.lt(arena.zero, lives.size(address))
        nothing = arena.and_(arena.equals(count, arena.zero), arena.lt(arena.zero, address))
        if nothing.is_false:
            return arena.and_(is_living, fits)
        unknown = self._cursor.input(InputKind.EXTERN, callee(call) or "", call.span, type_)
        of_empty = arena.and_(nothing, arena.equals(unknown.term, arena.one))
        return arena.or_(arena.and_(is_living, fits), arena.and_(arena.not_(is_living), of_empty))
