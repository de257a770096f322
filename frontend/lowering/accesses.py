"""Accesses of a part of an expression to variables, told apart by the types and members that they name.

Objects with addresses that one pointer may lead to share a variable, also where an access cannot be to all of them: in
`b->text[b->length++] = c`, the character is not the length. That two accesses without an order are to different objects
is known where their types differ, or the members of structs that they name; it rests on an assumption, `UNORDERED`:
one object that is accessed both ways has no value there (C11 6.5, paragraphs 2 and 7).
"""

from __future__ import annotations

from collections.abc import Iterable

from core.dataclass import dataclass
from frontend.typed import tree
from frontend.typed.ctype import CType, Integer, Pointer
from frontend.typed.lvalues import in_union

UNORDERED = "what an expression changes is not read or changed again, without an order, as another type or member"

_CHARACTER = "integer of 8 bits"


@dataclass(frozen=True, slots=True)
class TypedAccess:
    """An access to a variable of the program, by the type of the scalar and the member of a struct, where known."""

    variable: str
    type: str = ""
    member: str = ""

    def is_apart_from(self, other: TypedAccess) -> bool:
        """Whether two accesses to one variable are to different objects."""
        if not self.type or not other.type:
            return False
        return self.type != other.type or bool(self.member and other.member and self.member != other.member)

    def in_call(self) -> TypedAccess:
        """The access as one of a call, whose order may be open yet not undefined: characters are of any object."""
        return TypedAccess(self.variable) if self.type == _CHARACTER else self


Accesses = frozenset[TypedAccess]


def anywhere(variables: Iterable[str]) -> Accesses:
    """Accesses to any part of variables."""
    return frozenset(TypedAccess(one) for one in variables)


def accesses(variables: frozenset[str], lvalue: tree.Lvalue) -> Accesses:
    """The access of an lvalue that may touch these variables."""
    type_ = _scalar(lvalue.type)
    if not type_ or in_union(lvalue) is not None:
        return anywhere(variables)
    if not isinstance(lvalue, tree.Member):
        return frozenset(TypedAccess(one, type_) for one in variables)
    if lvalue.field.width is not None:
        return anywhere(variables)
    member = f"{lvalue.base.type}.{lvalue.field.name}"
    return frozenset(TypedAccess(one, type_, member) for one in variables)


def _scalar(type_: CType) -> str:
    """The name of a scalar type, the same for those through which one object may be accessed; empty for others."""
    match type_:
        case Integer(bits=bits):
            return f"integer of {bits} bits"
        case Pointer():
            return "pointer"
        case _:
            return ""


def common(left: Accesses, right: Accesses) -> tuple[frozenset[str], bool]:
    """The variables to which both have accesses that may meet, and whether others are apart, as `UNORDERED` says."""
    meeting, is_apart = set[str](), False
    for one in left:
        for other in right:
            if one.variable == other.variable:
                apart = one.is_apart_from(other)
                is_apart |= apart
                if not apart:
                    meeting.add(one.variable)
    return frozenset(meeting), is_apart
