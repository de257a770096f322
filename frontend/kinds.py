"""The kinds of undefined behaviour that can be checked, and what people call them."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from types import MappingProxyType


class CheckKind(StrEnum):
    """A kind of undefined behaviour; CLEANUP is a fault of another sort."""

    BOUNDS = "bounds"
    """An index outside of the declared array, also of an array within a struct."""
    OVERFLOW = "overflow"
    """A result of signed arithmetic outside of its type; for `<<` also a negative left operand."""
    DIVISION = "division"
    """A zero divisor."""
    SHIFT = "shift"
    """A distance that is negative or not below the width."""
    NULL = "null"
    """An access through a pointer below 4096."""
    DANGLING = "dangling"
    """An access, through a pointer, of bytes that are not all in one living object; also a write to a literal."""
    FREE = "free"
    """A release of what no allocation returned, or a second release."""
    CLEANUP = "cleanup"
    """The program returns from main, or calls exit, while memory from the heap is not released."""


Kinds = Mapping[CheckKind, str]
"""The kinds that are errors, each with the property that it violates."""

NO_KINDS: Kinds = MappingProxyType({})

TRACKED = frozenset({CheckKind.DANGLING, CheckKind.FREE, CheckKind.CLEANUP})
"""The kinds for which the lowering keeps the sizes of living objects."""

SELECTABLE = (
    CheckKind.BOUNDS,
    CheckKind.OVERFLOW,
    CheckKind.DIVISION,
    CheckKind.SHIFT,
    CheckKind.NULL,
    CheckKind.DANGLING,
)
"""The kinds that a user names; DANGLING brings FREE."""

FAULTS: Mapping[CheckKind, str] = {
    CheckKind.BOUNDS: "index out of bounds",
    CheckKind.OVERFLOW: "signed overflow",
    CheckKind.DIVISION: "division by zero",
    CheckKind.SHIFT: "shift out of range",
    CheckKind.NULL: "null pointer",
    CheckKind.DANGLING: "invalid access",
    CheckKind.FREE: "invalid release",
    CheckKind.CLEANUP: "memory not released",
}


def selected(names: tuple[str, ...]) -> Kinds:
    """The kinds that the names stand for, each a property of its own."""
    kinds = {kind: kind.value for kind in SELECTABLE if kind.value in names}
    if CheckKind.DANGLING in kinds:
        kinds[CheckKind.FREE] = CheckKind.DANGLING.value
    return MappingProxyType(kinds)
