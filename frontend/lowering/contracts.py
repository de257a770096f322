"""The interfaces of the lowerings of calls and of statements, for that of expressions."""

from __future__ import annotations

from typing import Protocol

from frontend.lowering.arithmetic import BoundedTerm
from frontend.lowering.records import RecordValue
from frontend.typed import tree

CallValue = BoundedTerm | RecordValue | None
"""The result of a call; None where its type is void or has no values here."""


class Calls(Protocol):
    """Lowers calls."""

    def call(self, call: tree.Call, is_used: bool = True) -> CallValue: ...


class BlockLowering(Protocol):
    """Lowers the body of a statement expression, and the object of a compound literal."""

    def block(self, block: tree.Compound) -> None: ...

    def literal(self, literal: tree.CompoundLiteral) -> None: ...
