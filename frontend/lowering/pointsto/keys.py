"""Keys of fields, by which the scalars of a class are told apart."""

from __future__ import annotations

from collections.abc import Iterator

from frontend.lowering.pointsto.classes import FieldKey
from frontend.typed import tree
from frontend.typed.ctype import Array, CType, Integer, Pointer, Record
from frontend.typed.lvalues import in_union, is_union, strip
from frontend.typed.tree import Object


class Keys:
    """The keys of lvalues, as far as they are known while the analysis of pointers goes on."""

    def __init__(self) -> None:
        self.exposed: set[tuple[Record, str]] = set()
        """Fields whose address is taken."""
        self.tracks = False
        """Whether numbers carry addresses: then they have classes like pointers."""

    def field(self, record: Record, name: str) -> FieldKey:
        return None if (record, name) in self.exposed else (record, name)

    def key(self, lvalue: tree.Lvalue) -> FieldKey:
        """The field that a scalar lvalue belongs to."""
        union = in_union(lvalue)
        if union is not None:
            return self.key(union)
        inner = strip(lvalue)
        if isinstance(inner, tree.Member) and isinstance(inner.base.type, Record):
            return self.field(inner.base.type, inner.field.name)
        return None

    def pointer_keys(self, type_: CType, key: FieldKey = None) -> Iterator[FieldKey]:
        """The keys of the pointers in a type."""
        while isinstance(type_, Array):
            type_ = type_.element
        if self.holds(type_) or is_union(type_):
            yield key
        elif isinstance(type_, Record) and type_.is_complete:
            for member in type_.layout.fields:
                yield from self.pointer_keys(member.type, self.field(type_, member.name))

    def entry_key(self, object_: Object, entry: tree.InitialiserEntry) -> tuple[FieldKey, bool]:
        """The key of an initialised part, and whether it is in a union."""
        key: FieldKey = None
        type_, fixed = object_.type, False
        for step in entry.path:
            if isinstance(step, int):
                type_ = tree.element_type(type_)
            elif isinstance(type_, Record):
                fixed |= is_union(type_)
                key, type_ = key if fixed else self.field(type_, step.name), step.type
        return key, fixed

    def holds(self, type_: CType) -> bool:
        """Whether scalars of the type may be addresses."""
        return isinstance(type_, Pointer) or (self.tracks and isinstance(type_, Integer))


def is_joint(lvalue: tree.Lvalue) -> bool:
    """Whether all pointers in the record have one key, that of a union."""
    return isinstance(lvalue.type, Record) and (is_union(lvalue.type) or in_union(lvalue) is not None)
