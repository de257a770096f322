"""Objects at constant addresses, such as registers of devices: `*(volatile uint32_t *)0x40011004`.

That there are such objects is assumed of a program that accesses them. One that is memory and accessed in several ways
is refused: regions of memory would take it for several objects.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from enum import Enum
from typing import cast

from core.dataclass import dataclass
from frontend.elaboration.constants import fold
from frontend.options import Volatile
from frontend.typed import tree
from frontend.typed.casts import NEVER
from frontend.typed.ctype import Array, CType, DataModel, Integer, Pointer, Record, Signature, element_type
from frontend.typed.lvalues import in_union, root
from frontend.typed.qualifiers import has_volatile, is_const, is_volatile, unqualified
from frontend.typed.rebuilding import with_parts
from frontend.typed.traversal import has_effects, nodes, unit_nodes
from frontend.typed.tree import BinaryOperator

REGISTER = "register "
"""Prefix of the names of objects at constant addresses."""
PAGE = 1 << 12
"""Bytes around a constant address that may be accessed where that of a register is."""
Addresses = Mapping[str, int]
"""The constant pointers by name, with the addresses that they have."""


def is_register(object_: tree.Object) -> bool:
    """Whether the object stands for one at a constant address."""
    return object_.name.startswith(REGISTER)


def address_of(e: tree.Node) -> int | None:
    """The address that a number in the text becomes, if the expression is a cast of one; None for null pointers."""
    inner = e
    while isinstance(inner, tree.Convert) and isinstance(inner.type, Pointer):
        inner = inner.operand
    is_cast = inner is not e and isinstance(inner, tree.Expression) and isinstance(inner.type, Integer)
    number = fold(cast(tree.Expression, inner)) if is_cast else None
    return None if number is None or -NEVER <= number < NEVER else number


def is_made_for_registers(e: tree.Node) -> bool:
    """Whether the expression makes a pointer to a volatile object, or to a struct or union of such, of a constant."""
    return isinstance(e, tree.Convert) and address_of(e) is not None and has_volatile(element_type(e.type))


def constant_pointers(unit: tree.TranslationUnit) -> Addresses:
    """The pointers that are declared `const` and begin as a constant address."""
    found: dict[str, int] = {}
    for node in unit_nodes(unit):
        if isinstance(node, tree.Declaration) and node.initialiser is not None and is_const(node.object.type):
            entries = node.initialiser.entries
            address = address_of(entries[0].value) if len(entries) == 1 and not entries[0].path else None
            if address is not None:
                found[node.object.name] = address
    return found


def place_of(pointer: tree.Expression, addresses: Addresses, model: DataModel) -> tuple[int, bool] | None:
    """The address that a pointer has, and whether it is that of an element at an index which is not constant."""
    match pointer:
        case tree.Load(lvalue=tree.Variable(object=object_)) if object_.name in addresses:
            return addresses[object_.name], False
        case tree.PointerOffset(operator=operator, pointer=base, offset=offset, type=Pointer(target)):
            found, number = place_of(base, addresses, model), fold(offset)
            if found is None or has_effects(offset):
                return None
            if number is None:
                return found[0], True
            steps = number if operator is BinaryOperator.ADD else -number
            return found[0] + steps * model.size_of(target), found[1]
        case tree.Convert(operand=operand) if isinstance(operand.type, Pointer):
            return place_of(operand, addresses, model)
        case _:
            address = address_of(pointer)
            return None if address is None else (address, False)


def has_registers(every: list[tree.Node]) -> bool:
    """Whether there are volatile objects at constant addresses, or pointers to such."""
    return any(
        is_register(one.object) if isinstance(one, tree.Variable) else is_made_for_registers(one)
        for one in every
        if isinstance(one, tree.Variable) or (isinstance(one, tree.Convert) and isinstance(one.type, Pointer))
    )


def is_separate(lvalue: tree.Lvalue, model: DataModel) -> bool:
    """Whether only accesses that are volatile have a part in the object, or in the union around it, by its type."""
    whole = in_union(lvalue) or lvalue
    return not any(_plain_parts(whole.type, 0, model))


def _plain_parts(type_: CType, start: int, model: DataModel) -> Iterator[tuple[int, int]]:
    """The bytes of an object that begins at `start` which are not volatile, as first ones and those behind the last."""
    if is_volatile(type_):
        return
    match type_:
        case Array(element=element) if has_volatile(element) and not any(_plain_parts(element, 0, model)):
            pass
        case Record() if type_.is_complete:
            for member in type_.layout.fields:
                yield from _plain_parts(member.type, start + member.offset, model)
        case _:
            yield start, start + model.size_of(type_)


class _Use(Enum):
    """Values that a read through a constant address can give."""

    ANY = "any value"
    MEMORY = "what was written"
    UNKNOWN = "not known: the pointer is passed on"


@dataclass(frozen=True)
class _Access:
    """Bytes that are accessed through a constant address: the first one, the one behind the last, and as what.

    `type` is that of the whole object, and `part` that of the scalar; None where any part may be accessed.
    """

    start: int
    end: int
    base: int
    size: int
    type: CType
    part: CType | None
    use: _Use

    def contradicts(self, other: _Access) -> bool:
        """Whether a byte of both is memory, and accessed as different things."""
        uses = {self.use, other.use}
        if self.end <= other.start or other.end <= self.start or _Use.MEMORY not in uses:
            return False
        parts = {self.part, other.part} - {None}
        is_other = self.type != other.type or len(parts) > 1 or (self.base - other.base) % self.size != 0
        return is_other or _Use.ANY in uses


class RegisterAccesses:
    """The accesses of a unit through constant addresses, also those that pointers which are passed on may make.

    Where volatile objects are not memory, only those parts of objects are accessed as memory that are not volatile.
    """

    def __init__(self, unit: tree.TranslationUnit, known: Addresses) -> None:
        self._model, self._known = unit.data_model, known
        self._is_memory = unit.volatile is Volatile.MEMORY
        every = list(unit_nodes(unit))
        with_registers = [(one, self._of(one)) for one in every if isinstance(one, tree.Lvalue)]
        self._every: frozenset[_Access] = frozenset()
        self.is_empty = not any(accesses for _, accesses in with_registers)
        """Whether there are none but through pointers that are passed on."""
        if self.is_empty:
            return
        seen = {id(one) for lvalue, accesses in with_registers if accesses for one in _pointer(lvalue)}
        for node in every:
            if isinstance(node, tree.Declaration) and node.object.name in self._known:
                seen.update(id(one) for one in nodes(node))
        passed: list[_Access] = []
        for node in every:
            if id(node) not in seen and isinstance(node, tree.Convert | tree.Load):
                passed += self._passed(node)
                seen.update(id(one) for one in nodes(node))
        self._every = frozenset((*(one for _, accesses in with_registers for one in accesses), *passed))

    def _of(self, lvalue: tree.Lvalue) -> Sequence[_Access]:
        """The accesses to the parts of an object at a constant address."""
        start, part = 0, lvalue
        while isinstance(part, tree.Member):
            start, part = start + part.field.offset, part.base
        found = place_of(part.pointer, self._known, self._model) if isinstance(part, tree.Dereference) else None
        if found is None or isinstance(lvalue.type, Array | Signature):
            return ()
        scalar = None if isinstance(lvalue.type, Record) else unqualified(lvalue.type)
        first = _Access(found[0] + start, 0, found[0], self._model.size_of(part.type), part.type, scalar, _Use.MEMORY)
        return self._parts(first, lvalue.type, is_separate(lvalue, self._model))

    def _passed(self, pointer: tree.Convert | tree.Load) -> Sequence[_Access]:
        """The accesses that a pointer allows which is not dereferenced where it stands, but passed on."""
        if not isinstance(pointer.type, Pointer) or isinstance(pointer.type.target, Signature):
            return ()
        register, target = place_of(pointer, self._known, self._model), unqualified(pointer.type.target)
        if register is None:
            return ()
        if isinstance(target, Record) and target.is_complete:
            whole = pointer.type.target
            first = _Access(register[0], 0, register[0], self._model.size_of(whole), whole, None, _Use.MEMORY)
            return self._parts(first, whole, not any(_plain_parts(whole, 0, self._model)))
        size = self._model.size_of(target) if isinstance(target, Integer) else 1
        return (_Access(register[0], (register[0] // PAGE + 1) * PAGE, register[0], size, target, None, _Use.UNKNOWN),)

    def _parts(self, first: _Access, accessed: CType, is_separate: bool) -> Sequence[_Access]:
        """The accesses to the parts that are memory of what lies at a place, or to all of it."""
        end = first.start + self._model.size_of(accessed)
        one = replace(first, end=end, type=unqualified(first.type))
        if self._is_memory:
            return (one,)
        if is_separate:
            return (replace(one, use=_Use.ANY),)
        plain = [replace(one, start=start, end=end) for start, end in _plain_parts(accessed, one.start, self._model)]
        return plain or (one,)

    def refused(self, node: tree.Node) -> tree.UnsupportedExpression | None:
        """The refusal of an access to memory that others access with other types, or as other members."""
        match node:
            case tree.Load(lvalue=lvalue):
                pass
            case tree.Assign(target=lvalue) | tree.CompoundAssign(target=lvalue) | tree.Increment(target=lvalue):
                pass
            case _:
                return None
        for own in self._of(lvalue):
            if any(own.contradicts(one) or one.contradicts(own) for one in self._every):
                reason = f"the object at {own.start:#x} is accessed in several ways, which is not decided for memory"
                return tree.UnsupportedExpression(node.span, node.type, reason)
        return None


def _pointer(lvalue: tree.Lvalue) -> Iterator[tree.Node]:
    base = root(lvalue)
    return nodes(base.pointer) if isinstance(base, tree.Dereference) else iter(())


def with_one_access(unit: tree.TranslationUnit) -> tree.TranslationUnit:
    """The unit without accesses in several ways to memory at a constant address. It recurses as deep as the tree."""
    accesses = RegisterAccesses(unit, constant_pointers(unit))
    if accesses.is_empty:
        return unit

    def changed(node: tree.Node) -> tree.Node:
        return accesses.refused(node) or with_parts(node, changed)

    return replace(unit, functions={name: with_parts(one, changed) for name, one in unit.functions.items()})
