"""Objects at constant addresses, such as registers of devices: `*(volatile uint32_t *)0x40011004`.

That there are such objects is assumed of a program that accesses them. Where they are memory, one that is accessed in
several ways is refused: regions of memory would take it for several objects.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import cast

from core.dataclass import dataclass
from frontend.elaboration.constants import fold
from frontend.typed import tree
from frontend.typed.casts import NEVER
from frontend.typed.ctype import Array, CType, DataModel, Integer, Pointer, Record, Signature, element_type
from frontend.typed.lvalues import root
from frontend.typed.qualifiers import has_volatile, is_const, unqualified
from frontend.typed.rebuilding import with_parts
from frontend.typed.traversal import has_effects, nodes, unit_nodes
from frontend.typed.tree import BinaryOperator

REGISTER = "register "
"""What the names of the objects begin with that stand for those at constant addresses."""
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


def place_of(pointer: tree.Expression, known: Addresses, model: DataModel) -> tuple[int, bool] | None:
    """The address that a pointer has, and whether it is that of an element at an index which is not constant."""
    match pointer:
        case tree.Load(lvalue=tree.Variable(object=object_)) if object_.name in known:
            return known[object_.name], False
        case tree.PointerOffset(operator=operator, pointer=base, offset=offset, type=Pointer(target)):
            found, number = place_of(base, known, model), fold(offset)
            if found is None or has_effects(offset):
                return None
            if number is None:
                return found[0], True
            steps = number if operator is BinaryOperator.ADD else -number
            return found[0] + steps * model.size_of(target), found[1]
        case tree.Convert(operand=operand) if isinstance(operand.type, Pointer):
            return place_of(operand, known, model)
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

    def contradicts(self, other: _Access) -> bool:
        """Whether a byte of both is accessed as different things."""
        if self.end <= other.start or other.end <= self.start:
            return False
        parts = {self.part, other.part} - {None}
        return self.type != other.type or len(parts) > 1 or (self.base - other.base) % self.size != 0


class _Accesses:
    """The accesses of a unit through constant addresses, also those that pointers which are passed on may make."""

    def __init__(self, unit: tree.TranslationUnit) -> None:
        self._model, self._known = unit.data_model, constant_pointers(unit)
        every = list(unit_nodes(unit))
        found = [(one, self.of(one)) for one in every if isinstance(one, tree.Lvalue)]
        seen = {id(one) for lvalue, access in found if access is not None for one in _pointer(lvalue)}
        for node in every:
            if isinstance(node, tree.Declaration) and node.object.name in self._known:
                seen.update(id(one) for one in nodes(node))
        passed: list[_Access | None] = []
        for node in every:
            if id(node) not in seen and isinstance(node, tree.Convert | tree.Load):
                passed.append(self._passed(node))
                seen.update(id(one) for one in nodes(node))
        self._every = frozenset(one for one in (*(access for _, access in found), *passed) if one is not None)

    def of(self, lvalue: tree.Lvalue) -> _Access | None:
        """The access to a volatile object at a constant address."""
        if not has_volatile(lvalue.type):
            return None
        start, part = 0, lvalue
        while isinstance(part, tree.Member):
            start, part = start + part.field.offset, part.base
        found = place_of(part.pointer, self._known, self._model) if isinstance(part, tree.Dereference) else None
        if found is None or isinstance(lvalue.type, Array):
            return None
        whole, base = unqualified(part.type), found[0]
        scalar = None if isinstance(lvalue.type, Record) else unqualified(lvalue.type)
        end = base + start + self._model.size_of(lvalue.type)
        return _Access(base + start, end, base, self._model.size_of(whole), whole, scalar)

    def _passed(self, pointer: tree.Convert | tree.Load) -> _Access | None:
        """The access that a pointer allows which is not dereferenced where it stands, but passed on."""
        if not isinstance(pointer.type, Pointer) or isinstance(pointer.type.target, Signature):
            return None
        found, target = place_of(pointer, self._known, self._model), pointer.type.target
        if found is None:
            return None
        is_whole = isinstance(target, Record) and target.is_complete
        size = self._model.size_of(target) if is_whole or isinstance(target, Integer) else 1
        end = found[0] + size if is_whole else (found[0] // PAGE + 1) * PAGE
        return _Access(found[0], end, found[0], size, unqualified(target), None)

    def is_contradicted(self, access: _Access) -> bool:
        return any(access.contradicts(one) or one.contradicts(access) for one in self._every)


def _pointer(lvalue: tree.Lvalue) -> Iterator[tree.Node]:
    base = root(lvalue)
    return nodes(base.pointer) if isinstance(base, tree.Dereference) else iter(())


def with_one_access(unit: tree.TranslationUnit) -> Callable[[tree.Node], tree.Node]:
    """A change of trees that refuses accesses to a register which others access with other types, or as other members.

    It recurses as deep as the tree.
    """
    accesses = _Accesses(unit)

    def changed(node: tree.Node) -> tree.Node:
        own: _Access | None = None
        match node:
            case tree.Load(lvalue=lvalue):
                own = accesses.of(lvalue)
            case tree.Assign(target=lvalue) | tree.CompoundAssign(target=lvalue) | tree.Increment(target=lvalue):
                own = accesses.of(lvalue)
            case _:
                pass
        if own is not None and isinstance(node, tree.TypedNode) and accesses.is_contradicted(own):
            reason = f"the object at {own.start:#x} is accessed in several ways, which is not decided for memory"
            return tree.UnsupportedExpression(node.span, node.type, reason)
        return with_parts(node, changed)

    return changed
