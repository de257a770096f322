"""Tables: large arrays of constants that reachable code only reads, each of which is one function of its index."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from core.terms.tables import ConstantTable
from frontend.lowering.pointsto.analysis import PointsTo
from frontend.typed import tree
from frontend.typed.ctype import Integer, IntegerKind
from frontend.typed.leaves import leaves
from frontend.typed.traversal import nodes
from frontend.typed.tree import Storage

_LEAST = 128
"""Elements of a table: what has fewer is an array of the program, about which solvers know everything."""


def constant_tables(unit: tree.TranslationUnit, points: PointsTo, reachable: Iterable[str]) -> dict[str, ConstantTable]:
    """The tables of a program, by the names of their objects.

    Nothing has the address of such an object, and all that names it is a read of an element.
    """
    large = {one.object.name: one for one in unit.globals if _is_large(one) and one.object.name not in points.escaped}
    if not large:
        return {}
    bodies = [body for name in reachable if (body := unit.functions[name].body) is not None]
    named, read = Counter[str](), Counter[str]()
    for node in nodes(*unit.globals, *bodies):
        if isinstance(node, tree.Variable) and node.object.name in large:
            named[node.object.name] += 1
        elif isinstance(node, tree.Load) and isinstance(node.type, Integer):
            read[_array(node.lvalue)] += 1
    found = {name: _table(one) for name, one in large.items() if named[name] == read[name]}
    return {name: table for name, table in found.items() if table is not None}


def _is_large(declaration: tree.Declaration) -> bool:
    """Whether it is a static array of integers with an initialiser and many elements."""
    object_, initialiser = declaration.object, declaration.initialiser
    if initialiser is None or object_.storage is not Storage.STATIC or len(initialiser.entries) < _LEAST:
        return False
    parts = list(leaves(object_.type))
    return len(parts) == 1 and bool(parts[0].lengths) and not parts[0].suffix and _is_number(parts[0].type)


def _is_number(type_: object) -> bool:
    return isinstance(type_, Integer) and type_.kind is not IntegerKind.BOOL


def _array(lvalue: tree.Lvalue) -> str:
    """The name of the object of which an element is read; none where it is another lvalue."""
    while isinstance(lvalue, tree.Index):
        lvalue = lvalue.array
    return lvalue.object.name if isinstance(lvalue, tree.Variable) else ""


def _table(declaration: tree.Declaration) -> ConstantTable | None:
    """The table of an initialiser; None where a value is no constant, or is changed by its conversion."""
    (leaf,) = leaves(declaration.object.type)
    assert declaration.initialiser is not None
    values: dict[int, int] = {}
    for entry in declaration.initialiser.entries:
        value = _number(entry.value)
        position = 0
        for step, length in zip(entry.path, leaf.lengths, strict=True):
            if not isinstance(step, int) or not isinstance(length, int):
                return None
            position = position * length + step
        if value is None:
            return None
        values[position] = value
    return ConstantTable(tuple(values.get(i, 0) for i in range(max(values) + 1)))


def _number(value: tree.Expression) -> int | None:
    """The value of a constant that its conversions keep."""
    match value:
        case tree.IntegerConstant():
            return value.value
        case tree.Convert(type=Integer() as type_, operand=operand):
            number = _number(operand)
        case tree.Unary(type=Integer() as type_, operator=tree.UnaryOperator.NEGATE, operand=operand):
            number = _number(operand)
            number = None if number is None else -number
        case _:
            return None
    return number if number is not None and type_.minimum <= number <= type_.maximum else None
