"""The assumption that accesses stay in their objects, given to engines where loops end by what they read.

A loop such as `while (s[n] != 0)` that leaves its object goes on through arbitrary memory, as long as it likes, on
executions that the verdict assumes away. So where nobody asks about accesses, what its condition always reads is
assumed to lie where an object is that the pointer may point to, or within the declared array. Only objects with
constant addresses count: where others may be meant, nothing is assumed.

An address that leaves the address space of the machine may stand for the one that the machine computes: such a sum is
undefined behaviour as well, but programs rely on it.
"""

from __future__ import annotations

from collections.abc import Iterator

from core.program.properties import CheckKind
from core.terms import Term
from frontend.lowering.context import MEMORY_SAFE, WITHIN_BOUNDS, Cursor
from frontend.lowering.edge_text import show
from frontend.lowering.expressions import ExpressionLowering
from frontend.lowering.memory.regions import MemoryPlace
from frontend.typed import tree
from frontend.typed.ctype import Array
from frontend.typed.lvalues import root
from frontend.typed.traversal import children, nodes

_EFFECTS = (
    tree.Assign,
    tree.CompoundAssign,
    tree.Increment,
    tree.Call,
    tree.StatementExpression,
    tree.CompoundLiteral,
    tree.Temporary,
    tree.UnsupportedExpression,
)
_ASKED = (CheckKind.BOUNDS, CheckKind.NULL, CheckKind.DANGLING, CheckKind.POINTER)


def assume_inside(cursor: Cursor, expressions: ExpressionLowering, condition: tree.Expression) -> None:
    """Assume, before the condition of a loop, that what it reads first of all lies in an object."""
    asked = cursor.context.policy.kinds
    if any(kind in asked for kind in _ASKED) or any(isinstance(one, _EFFECTS) for one in nodes(condition)):
        return
    for load in _always_read(condition):
        base = root(load.lvalue)
        if isinstance(base, tree.Dereference):
            place = expressions.place(load.lvalue)
            if isinstance(place, MemoryPlace):
                _assume(cursor, _in_object(cursor, place), load, MEMORY_SAFE)
        elif isinstance(load.lvalue, tree.Index) and isinstance(load.lvalue.array, tree.Variable):
            _assume(cursor, _in_array(cursor, expressions, load.lvalue), load, WITHIN_BOUNDS)


def _always_read(condition: tree.Expression) -> Iterator[tree.Load]:
    """The objects that are read whenever the condition is evaluated."""
    stack: list[tree.Node] = [condition]
    while stack:
        node = stack.pop()
        match node:
            case tree.Logical(left=left):
                stack.append(left)
            case tree.Conditional(condition=first):
                stack.append(first)
            case _:
                if isinstance(node, tree.Load):
                    yield node
                stack += reversed(list(children(node)))


def _assume(cursor: Cursor, inside: Term | None, load: tree.Load, assumption: str) -> None:
    if inside is not None and not inside.is_true and not cursor.mentions_input(inside):
        cursor.context.assume(assumption)
        cursor.assume(inside, load.span, f"[{show(load)} is read]")


def _in_object(cursor: Cursor, place: MemoryPlace) -> Term | None:
    """The condition that a place lies in one of its objects, as far as between the first and the last of them."""
    memory, arena = cursor.context.memory, cursor.context.arena
    size, extent = memory.size(place.type), memory.extent(place.owner)
    if size is None or extent is None or place.address.term.is_constant:
        return None
    address, (first, end) = place.address.term, extent

    def within(offset: int) -> Term:
        low, high = arena.integer(first + offset), arena.integer(end + offset - size)
        return arena.and_(arena.le(low, address), arena.le(address, high))

    around = 1 << 8 * cursor.context.unit.data_model.pointer_size
    wrapped = within(around) if place.address.high >= around else arena.false
    return arena.or_(within(0), wrapped)


def _in_array(cursor: Cursor, expressions: ExpressionLowering, lvalue: tree.Index) -> Term | None:
    """The condition that an index lies within the declared array."""
    type_, arena = lvalue.array.type, cursor.context.arena
    if not isinstance(type_, Array) or not isinstance(type_.length, int) or not type_.length:
        return None
    index = expressions.value(lvalue.index)
    if index.is_truth:
        return None
    first = arena.true if index.low >= 0 else arena.le(arena.zero, index.term)
    last = arena.true if index.high < type_.length else arena.lt(index.term, arena.integer(type_.length))
    return arena.and_(first, last)
