"""Zeros over a piece of memory: at once where it is small, else in a loop."""

from __future__ import annotations

from core.program import Assign
from core.program.span import Span
from core.terms import Op, Term
from frontend.lowering.arithmetic import ADDRESS
from frontend.lowering.context import Cursor
from frontend.lowering.memory.addresses import LARGEST_STORE
from frontend.lowering.pointsto.classes import Class


def clear(cursor: Cursor, owner: Class, address: Term, size: Term, span: Span) -> None:
    """Zeros in all regions of a class, `size` bytes from `address` on; neither term mentions an input.

    A region has scalars at some of these addresses; what it holds at others is read by nobody.
    """
    memory, arena = cursor.context.memory, cursor.context.arena
    regions = [(memory.region(region), step) for region, step in memory.regions.of(owner)]
    if not regions:
        return
    count = int(size.payload) if size.op is Op.CONSTANT and isinstance(size.payload, int) else None
    if count is not None and sum(count // step for _, step in regions) <= LARGEST_STORE:
        updates: list[tuple[Term, Term]] = []
        for region, step in regions:
            new = region
            for offset in range(0, count, step):
                new = arena.store(new, arena.add(address, arena.integer(offset)), arena.zero)
            updates.append((region, new))
        cursor.step(Assign(tuple(updates)), span, "zeros")
        return
    _loop(cursor, regions, address, size, span)


def _loop(cursor: Cursor, regions: list[tuple[Term, int]], address: Term, size: Term, span: Span) -> None:
    arena, graph = cursor.context.arena, cursor.context.graph
    position, limit = cursor.temporary(ADDRESS), cursor.temporary(ADDRESS)
    cursor.step(Assign(((position, address), (limit, arena.add(address, size)))), span, "zeros")
    head, body, end = (cursor.location() for _ in range(3))
    graph.loop_head(head, span)
    cursor.enter(head)
    cursor.split(arena.lt(position, limit), span, ("[more zeros]", "[no more zeros]"), (body, end))
    cursor.at = body
    step = min(step for _, step in regions)
    updates = [(region, arena.store(region, position, arena.zero)) for region, _ in regions]
    updates.append((position, arena.add(position, arena.integer(step))))
    cursor.step(Assign(tuple(updates)), span, "zeros")
    cursor.jump(head)
    cursor.at = end
