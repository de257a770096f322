"""Results of calls that one of several functions answers: each branch of the choice sets one, the join reads it."""

from __future__ import annotations

from typing import Protocol

from core.program import Assign, InputKind
from frontend.lowering.arithmetic import BoundedTerm, number_type
from frontend.lowering.context import Cursor
from frontend.lowering.contracts import CallValue
from frontend.lowering.edge_text import show
from frontend.lowering.records import Records, RecordValue
from frontend.typed import tree
from frontend.typed.ctype import Integer, Record


class JoinedResult(Protocol):
    """A place for the result of a call."""

    def set(self, value: CallValue, type_: Integer | None, function: str) -> None:
        """Store what `function` returns at the end of its branch; `type_` is that of a number."""

    def get(self) -> CallValue:
        """The result, behind the join of all branches."""


def joined_result(cursor: Cursor, records: Records, call: tree.Call) -> JoinedResult:
    """A place for the result of `call`, by its type."""
    if (type_ := number_type(call.type)) is not None:
        return _Number(cursor, call, type_)
    return _Record(records, call) if isinstance(call.type, Record) else _Nothing()


class _Number:
    def __init__(self, cursor: Cursor, call: tree.Call, type_: Integer) -> None:
        self._cursor, self._call, self._type = cursor, call, type_
        self._variable = cursor.temporary(type_)

    def set(self, value: CallValue, type_: Integer | None, function: str) -> None:
        """A function without a result leaves any value."""
        cursor, span = self._cursor, self._call.span
        if not isinstance(value, BoundedTerm) or type_ is None:
            value, type_ = cursor.input(InputKind.EXTERN, function, span, self._type), self._type
        arithmetic = cursor.arithmetic
        value = arithmetic.settle(arithmetic.convert(value, type_, self._type), self._type)
        cursor.step(Assign(((self._variable, arithmetic.number(value)),)), span, show(self._call))

    def get(self) -> BoundedTerm:
        return self._cursor.variable(self._variable, self._type)


class _Record:
    def __init__(self, records: Records, call: tree.Call) -> None:
        self._records, self._call = records, call
        self._place = records.new(call.type)

    def set(self, value: CallValue, type_: Integer | None, function: str) -> None:
        if isinstance(value, RecordValue):
            self._records.store(self._place, value, self._call.span, show(self._call))

    def get(self) -> RecordValue:
        return self._records.load(self._place, self._call.span)


class _Nothing:
    def set(self, value: CallValue, type_: Integer | None, function: str) -> None:
        pass

    def get(self) -> None:
        return None
