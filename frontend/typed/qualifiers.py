"""Qualifiers of C types, `const` and `volatile`: those of a type, and the type with others (C11 6.7.3)."""

from __future__ import annotations

from dataclasses import replace

from frontend.typed import tree
from frontend.typed.ctype import Array, CType, Pointer, Qualifiers, Record, Signature


def qualifiers_of(type_: CType) -> Qualifiers:
    """The qualifiers of a type, of an array those of its elements."""
    while isinstance(type_, Array):
        type_ = type_.element
    return Qualifiers.NONE if isinstance(type_, Signature) else type_.qualifiers


def qualified(type_: CType, qualifiers: Qualifiers) -> CType:
    """The type with these qualifiers beside its own."""
    return _with_qualifiers(type_, qualifiers_of(type_) | qualifiers)


def unqualified(type_: CType) -> CType:
    """The type without qualifiers of its own."""
    return _with_qualifiers(type_, Qualifiers.NONE)


def _with_qualifiers(type_: CType, qualifiers: Qualifiers) -> CType:
    if qualifiers_of(type_) == qualifiers:
        return type_
    match type_:
        case Array(element):
            return replace(type_, element=_with_qualifiers(element, qualifiers))
        case Record():
            return type_.with_qualifiers(qualifiers)
        case Signature():
            return type_  # gcc ignores them
        case _:
            return replace(type_, qualifiers=qualifiers)


def all_qualifiers(type_: CType) -> tuple[Qualifiers, ...]:
    """The qualifiers of a type and of what it points to, from outside to inside."""
    found: list[Qualifiers] = []
    while True:
        found.append(qualifiers_of(type_))
        while isinstance(type_, Array):
            type_ = type_.element
        if not isinstance(type_, Pointer):
            return tuple(found)
        type_ = type_.target


def is_volatile(type_: CType) -> bool:
    return Qualifiers.VOLATILE in qualifiers_of(type_)


def has_volatile(type_: CType) -> bool:
    """Whether the type, or that of a part, is volatile."""
    while isinstance(type_, Array):
        type_ = type_.element
    if is_volatile(type_):
        return True
    return isinstance(type_, Record) and type_.is_complete and any(has_volatile(f.type) for f in type_.layout.fields)


def may_share(object_: tree.Object) -> bool:
    """Whether the object is a compound literal of constant type: these need not be distinct (C11 6.5.2.5p7)."""
    return object_.source_name == tree.COMPOUND_LITERAL and is_const(object_.type)


def is_const(type_: CType) -> bool:
    return Qualifiers.CONST in qualifiers_of(type_)


def reads_only(type_: CType, position: int) -> bool:
    """Whether what a function (or a pointer to one) of this type is given at a position leads to what is `const`."""
    signature = type_.target if isinstance(type_, Pointer) else type_
    given = signature.parameters if isinstance(signature, Signature) else ()
    one = given[position] if position < len(given) else None
    return isinstance(one, Pointer) and is_const(one.target)
