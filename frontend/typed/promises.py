"""Promises about calls that attributes of GNU C make: of a function, or of what a pointer to functions leads to."""

from __future__ import annotations

from dataclasses import replace

from frontend.typed.ctype import CType, Pointer, Signature

PROMISES = frozenset(("noreturn", "nonnull", "returns_nonnull"))
"""The attributes that say what calls do not do."""


def promised(type_: CType, attribute: str, argument: str) -> CType:
    """A function type, or that of a pointer to functions, of which an attribute promises something."""
    match type_:
        case Pointer(target=Signature() as target):
            return replace(type_, target=promised(target, attribute, argument))
        case Signature() if attribute == "noreturn":
            return replace(type_, never_returns=True)
        case Signature() if attribute == "nonnull":
            return replace(type_, nonnull=(*type_.nonnull, *positions(argument)))
        case _:
            return type_


def positions(argument: str) -> tuple[int, ...]:
    """The parameters that the argument of `nonnull` names; 0 stands for all that are pointers."""
    return tuple(int(one) for one in argument.split() if one.isdigit()) or (0,)


def promises(pointer: CType) -> Signature | None:
    """The type of the functions that a pointer leads to, with what was promised of them."""
    return pointer.target if isinstance(pointer, Pointer) and isinstance(pointer.target, Signature) else None


def never_returns(pointer: CType) -> bool:
    """Whether a call through a pointer of the type never returns, as an attribute says."""
    found = promises(pointer)
    return found is not None and found.never_returns
