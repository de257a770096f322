"""Zeros over a piece of memory, or one mark: at once where it is small, else in a loop."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from core.program import Assign
from core.program.span import Span
from core.terms import Term
from frontend.lowering.arithmetic import ADDRESS
from frontend.lowering.context import Cursor
from frontend.lowering.memory.addresses import LARGEST_STORE
from frontend.lowering.pointsto.classes import Class


def clear(cursor: Cursor, owner: Class, address: Term, size: Term, span: Span) -> None:
    """Zeros in all regions of a class, `size` bytes from `address` on; neither term mentions an input.

    A region has scalars at some of these addresses; what it holds at others is read by nobody.
    """
    memory, zero = cursor.context.memory, cursor.context.arena.zero
    regions = [(memory.region(region), zero, step) for region, step in memory.regions.of(owner)]
    _fill(cursor, [*regions, *_marks(cursor, owner, is_set=True)], address, size, span)


def mark(cursor: Cursor, owner: Class, address: Term, size: Term, span: Span, is_set: bool) -> None:
    """The marks of all scalars in a piece of memory of a class."""
    _fill(cursor, list(_marks(cursor, owner, is_set)), address, size, span)


def _marks(cursor: Cursor, owner: Class, is_set: bool) -> Iterator[tuple[Term, Term, int]]:
    assigned = cursor.context.assigned
    for region, step in cursor.context.memory.regions.of(owner):
        marks = None if assigned is None else assigned.region(region.name)
        if assigned is not None and marks is not None:
            yield marks, assigned.full if is_set else cursor.context.arena.zero, step


def _fill(cursor: Cursor, regions: Sequence[tuple[Term, Term, int]], address: Term, size: Term, span: Span) -> None:
    """Values in arrays, at multiples of a number of bytes each."""
    arena = cursor.context.arena
    if not regions:
        return
    count = int(size.payload) if size.is_constant and isinstance(size.payload, int) else None
    if count is not None and sum(count // step for _, _, step in regions) <= LARGEST_STORE:
        updates: list[tuple[Term, Term]] = []
        for region, value, step in regions:
            new = region
            for offset in range(0, count, step):
                new = arena.store(new, arena.add(address, arena.integer(offset)), value)
            updates.append((region, new))
        cursor.step(Assign(tuple(updates)), span, "zeros")
        return
    _loop(cursor, regions, address, size, span)


def _loop(cursor: Cursor, regions: Sequence[tuple[Term, Term, int]], address: Term, size: Term, span: Span) -> None:
    arena, graph = cursor.context.arena, cursor.context.graph
    position, limit = cursor.temporary(ADDRESS), cursor.temporary(ADDRESS)
    cursor.step(Assign(((position, address), (limit, arena.add(address, size)))), span, "zeros")
    head, body, end = (cursor.location() for _ in range(3))
    graph.loop_head(head, span)
    cursor.enter(head)
    cursor.split(arena.lt(position, limit), span, ("[more zeros]", "[no more zeros]"), (body, end))
    cursor.at = body
    step = min(step for _, _, step in regions)
    updates = [(region, arena.store(region, position, value)) for region, value, _ in regions]
    updates.append((position, arena.add(position, arena.integer(step))))
    cursor.step(Assign(tuple(updates)), span, "zeros")
    cursor.jump(head)
    cursor.at = end
