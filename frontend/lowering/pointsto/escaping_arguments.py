"""Effects of undefined functions on the memory that they are given pointers to.

The contents of all regions that the arguments lead to are arbitrary afterwards. Where the program uses pointers there,
these may then lead to all that the function reaches, and to memory from outside (`Undefined.exchange`). Refused are
functions that could be called back, and pointers to functions that could be others.
"""

from __future__ import annotations

from core.program import Assign, InputKind
from core.program.source import EscapingArgument
from core.terms import INT_ARRAY, Term
from frontend.lowering.checks.written_marks import GIVEN
from frontend.lowering.context import Cursor
from frontend.lowering.edge_text import show
from frontend.lowering.pointsto.classes import Class, find
from frontend.source import Unsupported
from frontend.typed import tree
from frontend.typed.ctype import Array, CType, Pointer, Record, Signature

_ONLY_THEN = "undefined functions change what they are given pointers to only when they are called"
_NOT_CONSTANT = "undefined functions do not write through parameters that lead to what is const"


class PointersChange(Exception):
    """An undefined function may change pointers that the program uses, which the points-to analysis must know."""


def escape(cursor: Cursor, call: tree.Call, name: str, arguments: tuple[EscapingArgument | None, ...]) -> bool:
    """Give arbitrary contents to what the arguments of a call lead to, and return whether there is any.

    A replay makes them up where the arguments are known. Raises Unsupported.
    """
    context = cursor.context
    classes = context.points.escaping(call)
    if any(one.functions for one in classes):
        raise Unsupported(call.span, f"{name} is not defined, and may call a function that its arguments lead to")
    memory, written = context.memory, context.points.written(call)
    if len(written) < len(classes):
        context.assume(_NOT_CONSTANT)
    regions = [found for one in written for found in memory.regions.of(one)]
    numbers = memory.regions.uses_numbers  # then integers may be addresses, too
    if any(region.addresses for region, _ in regions) or (
        numbers and any(find(below).defined for one in written for below in one.targets.values())
    ):
        if not context.points.changes_pointers:
            raise PointersChange
        if any(map(_holds_function, written)):
            raise Unsupported(call.span, f"{name} is not defined, and may change pointers to functions")
    updates: list[tuple[Term, Term]] = []
    for region, _ in regions:
        held = memory.region(region)
        new = context.variables.input(InputKind.INDETERMINATE, region.name, call.span, region.type, like=held)
        updates.append((held, new))
        if arguments:
            context.escaping[new] = arguments
        marks = None if context.assigned is None else context.assigned.region(region.name)
        if context.assigned is not None and marks is not None:
            context.assume(GIVEN)
            updates.append((marks, context.arena.const_array(INT_ARRAY, context.assigned.full)))
    if updates:
        context.assume(_ONLY_THEN)
        cursor.step(Assign(tuple(updates)), call.span, show(call))
    return bool(written)


def _holds_function(node: Class) -> bool:
    """Whether objects of the class may hold pointers to functions."""
    types: list[CType] = [*node.views, *(one.type for one in node.objects.values())]
    for key in node.targets:
        types += [] if key is None else [field.type for field in key[0].layout.fields if field.name == key[1]]
    seen: set[Record] = set()
    while types:
        type_ = types.pop()
        while isinstance(type_, Array):
            type_ = type_.element
        if isinstance(type_, Pointer) and isinstance(type_.target, Signature):
            return True
        if isinstance(type_, Record) and type_.is_complete and type_ not in seen:
            seen.add(type_)
            types += [field.type for field in type_.layout.fields]
    return False
