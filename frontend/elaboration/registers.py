"""Objects at constant addresses, such as registers of devices: `*(volatile uint32_t *)0x40011004`.

That there are such objects is assumed of a program that accesses them. Where they are memory, one that is accessed in
several ways is refused: regions of memory would take it for several objects.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import cast

from frontend.elaboration.constants import fold
from frontend.typed import tree
from frontend.typed.casts import NEVER
from frontend.typed.ctype import Array, CType, DataModel, Integer, Pointer, Record, element_type
from frontend.typed.lvalues import root
from frontend.typed.qualifiers import is_const, is_volatile
from frontend.typed.rebuilding import with_parts
from frontend.typed.traversal import has_effects, unit_nodes
from frontend.typed.tree import BinaryOperator

REGISTER = "register "
"""What the names of the objects begin with that stand for those at constant addresses."""
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
    return isinstance(e, tree.Convert) and address_of(e) is not None and _has_volatile(element_type(e.type))


def _has_volatile(type_: CType) -> bool:
    while isinstance(type_, Array):
        type_ = type_.element
    if is_volatile(type_):
        return True
    return isinstance(type_, Record) and type_.is_complete and any(_has_volatile(f.type) for f in type_.layout.fields)


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


def has_registers(nodes: list[tree.Node]) -> bool:
    """Whether there are volatile objects at constant addresses, or pointers to such."""
    return any(
        is_register(one.object) if isinstance(one, tree.Variable) else is_made_for_registers(one)
        for one in nodes
        if isinstance(one, tree.Variable) or (isinstance(one, tree.Convert) and isinstance(one.type, Pointer))
    )


def with_one_access(unit: tree.TranslationUnit) -> Callable[[tree.Node], tree.Node]:
    """A change of trees that refuses accesses to a register which others access with other types, or as other members.

    It recurses as deep as the tree.
    """
    model, known, accesses = unit.data_model, constant_pointers(unit), dict[tuple[int, int], set[str]]()

    def extent(lvalue: tree.Lvalue) -> tuple[int, int] | None:
        """The first byte of a volatile integer at a constant address, and the one behind it."""
        if not isinstance(lvalue.type, Integer) or not is_volatile(lvalue.type):
            return None
        start, part = 0, lvalue
        while isinstance(part, tree.Member):
            start, part = start + part.field.offset, part.base
        found = place_of(part.pointer, known, model) if isinstance(part, tree.Dereference) else None
        return None if found is None else (found[0] + start, found[0] + start + model.size_of(lvalue.type))

    for node in unit_nodes(unit):
        if isinstance(node, tree.Lvalue) and (found := extent(node)) is not None:
            accesses.setdefault(found, set()).add(f"{node.type} in {root(node).type}")

    def changed(node: tree.Node) -> tree.Node:
        own: tuple[int, int] | None = None
        match node:
            case tree.Load(lvalue=lvalue):
                own = extent(lvalue)
            case tree.Assign(target=lvalue) | tree.CompoundAssign(target=lvalue) | tree.Increment(target=lvalue):
                own = extent(lvalue)
            case _:
                pass
        if own is not None and isinstance(node, tree.TypedNode):
            meeting = [one for one in accesses if one[0] < own[1] and own[0] < one[1]]
            if len(meeting) > 1 or len(accesses[own]) > 1:
                reason = f"the object at {own[0]:#x} is accessed in several ways, which is not decided for memory"
                return tree.UnsupportedExpression(node.span, node.type, reason)
        return with_parts(node, changed)

    return changed
