"""Addresses in generated code: sums of their texts, and where they meet numbers."""

from __future__ import annotations

from frontend.interpreter.integers import is_constant
from frontend.typed import tree
from frontend.typed.ctype import CType, Integer, IntegerKind, Pointer


def product(left: str, right: str) -> str:
    """The text of a product; constants are multiplied at once."""
    if is_constant(left) and is_constant(right):
        return str(int(left) * int(right))
    return left if right == "1" else f"{left} * {right}"


def total(address: str, offset: int | str) -> str:
    """The text of a sum of an address and `offset` bytes; constants are added at once."""
    offset = str(offset)
    if is_constant(address) and is_constant(offset):
        return str(int(address) + int(offset))
    return address if offset == "0" else f"({address} + {offset})"


def changes_kind(source: CType, target: CType) -> bool:
    """Whether a conversion makes a number of an address or an address of a number; a truth value is neither."""
    if isinstance(target, Integer) and target.kind is IntegerKind.BOOL:
        return False
    return isinstance(source, Pointer) != isinstance(target, Pointer)


def call_kinds(e: tree.Call) -> tuple[bool, ...]:
    """Whether what a call expects, then what it passes, are addresses."""
    return (isinstance(e.type, Pointer), *(isinstance(one.type, Pointer) for one in e.arguments))


def takes(function: tree.FunctionDeclaration, kinds: tuple[bool, ...]) -> bool:
    """Whether the function returns and takes what `call_kinds` says; further arguments are ignored."""
    own = (function.type.result, *(one.type for one in function.parameters))
    return all(isinstance(one, Pointer) == kind for one, kind in zip(own, kinds, strict=False))
