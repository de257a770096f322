"""Marks of scalars that may be without a value, which say what something was written to, for the checks of reads.

Only what may be unset (`unset.py`) has marks: a variable beside each such variable, and an array beside each region of
memory that has such an object in it. A mark has the place of its scalar. Marks of fresh memory are 0, and no address is
given out twice; static objects and literals, which have the lowest addresses, have marks only where copies may make
them unset. A mark is 0, or `Assigned.full`; where bit-fields share bytes, the bits of a mark are those of its byte.
"""

from __future__ import annotations

from core.terms import Arena, Term
from frontend.lowering.checks.uninitialised_reads import UnsetObjects
from frontend.lowering.memory import scalars
from frontend.lowering.memory.regions import Regions
from frontend.lowering.pointsto.analysis import PointsTo
from frontend.lowering.pointsto.classes import Class, find
from frontend.lowering.storage import Slot, Variables
from frontend.typed import tree
from frontend.typed.ctype import CType, Integer, IntegerKind
from frontend.typed.leaves import Length, leaves
from frontend.typed.traversal import nodes
from frontend.typed.tree import Storage

MARK = Integer(IntegerKind.BOOL, 1, signed=False)
_BITS = Integer(IntegerKind.UCHAR, 8, signed=False)
GIVEN = "undefined functions write to all that they are given pointers to"
"""The assumption about what other code leaves without a value."""


class Assigned:
    """The marks of one program."""

    def __init__(
        self,
        arena: Arena,
        unit: tree.TranslationUnit,
        points: PointsTo,
        regions: Regions,
        variables: Variables,
        unset: UnsetObjects,
    ) -> None:
        self._arena, self._variables, self.unset = arena, variables, unset
        self._scopes: dict[str, str | None] = {}
        """The variables that have marks, by name, with the functions that they belong to."""
        self._lengths: dict[str, tuple[Length, ...]] = {}
        calls = [
            node
            for name in points.reachable
            if (body := unit.functions[name].body) is not None
            for node in nodes(body)
            if isinstance(node, tree.Call) and points.may_be_undefined(node)
        ]
        self._escaping = {find(one) for call in calls for one in points.escaping(call)}
        self._regions = {region.name: owner for region, owner in regions.every() if find(owner) in unset.classes}
        has_bits = any(region.has_bits for region, _ in regions.every() if region.name in self._regions)
        self._type = _BITS if has_bits else MARK
        self.full = arena.integer(self._type.maximum)
        """The mark of what has a value."""
        for one in unset.variables.values():
            self.declare(one)
        self.limits = arena.zero, arena.zero
        """The addresses behind all literals, and behind all static objects."""

    # Variables

    def add(self, name: str, type_: CType, function: str | None) -> tuple[Term, ...]:
        """Give marks to the variables of an object with this name, of a function or of none."""
        found: list[Term] = []
        for leaf in leaves(type_):
            self._scopes[name + leaf.suffix] = function
            self._lengths[name + leaf.suffix] = leaf.lengths
            if self._variables.has(name + leaf.suffix):
                found.append(self._marks(name + leaf.suffix))
        return tuple(found)

    def declare(self, object_: tree.Object) -> tuple[Term, ...]:
        """The marks of an object whose variables are declared."""
        if object_.name in self.unset.variables or self.unset.is_passed(object_):
            is_local = object_.storage in (Storage.AUTOMATIC, Storage.PARAMETER)
            return self.add(object_.name, object_.type, object_.function if is_local else None)
        return ()

    def _marks(self, name: str) -> Term:
        return self._variables.hidden(f"{name}!set", self._scopes[name], self._type, self._lengths[name])

    def region(self, name: str) -> Term | None:
        """The marks of a region of memory; None where it needs none."""
        return self._variables.hidden(f"{name}!set", None, self._type, (None,)) if name in self._regions else None

    @property
    def regions(self) -> tuple[Term, ...]:
        return tuple(found for name in self._regions if (found := self.region(name)) is not None)

    def is_escaping(self, node: Class) -> bool:
        """Whether an undefined function may write to the class: its fresh memory needs marks that are 0 then."""
        return find(node) in self._escaping

    def is_overwritten(self, node: Class) -> bool:
        """Whether static objects of the class need marks."""
        return find(node) in self.unset.overwritten

    # Slots

    def of(self, slot: Slot) -> Term | None:
        """The variable of the marks beside that of a slot."""
        name = self._variables.variables[slot.variable].name
        return self._marks(name) if name in self._scopes else self.region(name)

    def has_value(self, slot: Slot, position: int = 0) -> Term:
        """The condition that something was written to a scalar of the slot."""
        arena, marks = self._arena, self.of(slot)
        if marks is None:
            return arena.true
        if slot.index is None and not slot.is_array:
            return arena.equals(marks, self.full)
        places = [self._place(slot, position, k) for k in range(max(slot.bytes, 1))]
        written = arena.and_(*(self._is_set(slot, arena.select(marks, one), k) for k, one in enumerate(places)))
        owner = self._regions.get(self._variables.variables[slot.variable].name)
        if owner is None:
            return written
        literals, static = self.limits
        return arena.or_(arena.lt(places[0], literals if self.is_overwritten(owner) else static), written)

    def mark(self, slot: Slot, position: int = 0) -> Term:
        """The mark of a scalar; that of a byte may say it of some bits only."""
        marks, has_value = self.of(slot), self.has_value(slot, position)
        none = self._arena.zero
        if marks is not None and slot.bytes == 1 and slot.first_bit is None and self._type is _BITS:
            none = self._arena.select(marks, self._place(slot, position, 0))
        return self._arena.ite(has_value, self.full, none)

    def _is_set(self, slot: Slot, mark: Term, byte: int) -> Term:
        """Whether all bits of a scalar in one of its bytes, which has the mark, have values."""
        if slot.first_bit is None:
            return self._arena.equals(mark, self.full)
        first, end = slot.bits(byte)
        part = scalars.part(self._arena, mark, first, end)
        return self._arena.equals(part, self._arena.integer((1 << (end - first)) - 1))

    def marked(self, slot: Slot, old: Term, mark: Term, position: int = 0) -> Term:
        """The new value of the marks, which are `old`, after a scalar of the slot got the mark."""
        if slot.index is None and not slot.is_array:
            return mark
        for k in range(max(slot.bytes, 1)):
            at, new = self._place(slot, position, k), mark
            if slot.first_bit is not None:
                first, end = slot.bits(k)
                part = scalars.part(self._arena, mark, first, end)  # all its bits are alike
                new = scalars.replaced(self._arena, self._arena.select(old, at), part, first, end)
            old = self._arena.store(old, at, new)
        return old

    def _place(self, slot: Slot, position: int, byte: int) -> Term:
        start = self._arena.zero if slot.index is None else slot.index
        return self._arena.add(start, self._arena.integer((slot.offset(position) if slot.is_array else 0) + byte))
