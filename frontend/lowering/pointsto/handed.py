"""Effects of undefined functions on the memory that they are given pointers to.

The contents of all regions that the arguments lead to are arbitrary afterwards. Refused are pointers there, where the
program uses them, and functions that could be called back.
"""

from __future__ import annotations

from core.program import Assign, InputKind
from core.terms import INT_ARRAY, Term
from frontend.lowering.checks.assigned import GIVEN
from frontend.lowering.context import Cursor
from frontend.lowering.pointsto.classes import find
from frontend.lowering.text import show
from frontend.source import Unsupported
from frontend.typed import tree

_ONLY_THEN = "undefined functions change what they are given pointers to only when they are called"


def hand_over(cursor: Cursor, call: tree.Call, name: str) -> bool:
    """Give arbitrary contents to what the arguments of a call lead to, and return whether there is any.

    Raises Unsupported.
    """
    context = cursor.context
    classes = context.points.handed(call)
    if any(one.functions for one in classes):
        raise Unsupported(call.span, f"{name} is not defined, and may call a function that its arguments lead to")
    memory = context.memory
    regions = [found for one in classes for found in memory.regions.of(one)]
    numbers = memory.regions.is_numeric  # then integers may be addresses, too
    if any(region.addresses for region, _ in regions) or (
        numbers and any(find(below).known for one in classes for below in one.targets.values())
    ):
        raise Unsupported(call.span, f"{name} is not defined, and may change pointers that its arguments lead to")
    updates: list[tuple[Term, Term]] = []
    for region, _ in regions:
        held = memory.region(region)
        new = context.variables.input(InputKind.INDETERMINATE, region.name, call.span, region.type, like=held)
        updates.append((held, new))
        marks = None if context.assigned is None else context.assigned.region(region.name)
        if marks is not None:
            context.assume(GIVEN)
            updates.append((marks, context.arena.const_array(INT_ARRAY, context.arena.one)))
    if updates:
        context.assume(_ONLY_THEN)
        cursor.step(Assign(tuple(updates)), call.span, show(call))
    return bool(classes)
