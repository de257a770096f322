"""The locations behind which nothing is asked: an endless loop without checks, for instance, or what leads to one."""

from __future__ import annotations

from core.program.automaton import Call, Program


def endings(program: Program) -> frozenset[int]:
    """The locations from which edges lead to no error and to no return: no execution that goes there can fail.

    That a call returns is taken for possible wherever an edge leads on from it.
    """
    entries = {one.entry: one.name for one in program.functions.values()}
    calls: dict[str, list[int]] = {}
    for edge in program.edges:
        if isinstance(edge.operation, Call):
            calls.setdefault(edge.operation.function, []).append(edge.source)
    waiting = [*program.checks_at, *(one.exit for one in program.functions.values())]
    going = set(waiting)
    while waiting:
        location = waiting.pop()
        before = [edge.source for edge in program.in_edges[location]]
        before += calls.get(entries.get(location, ""), [])
        for source in before:
            if source not in going:
                going.add(source)
                waiting.append(source)
    return frozenset(one.id for one in program.locations if one.id not in going)
