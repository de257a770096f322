"""Branches of a program: where their ways meet again, and what each of them may change until then.

Meeting points are postdominators within a function. Locations that lead to an error whatever happens are not there: a
check that is passed is no branch.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from core.dataclass import dataclass
from core.program import Assign, Assume, Call, Edge, Program
from core.terms import Term


@dataclass(frozen=True)
class WayEffects:
    """The effects that a part of a program may have: what it changes, and whether the program may end there."""

    written: frozenset[Term]
    ends: bool


class Branches:
    """The branches of one program. `failing` are the locations from which every way leads to an error."""

    def __init__(self, program: Program) -> None:
        self.failing = _failing(program)
        self._program = program
        self._analysed: set[str] = set()
        self._meetings: dict[int, int] = {}
        self._functions: dict[str, WayEffects] = {}
        self._others: dict[tuple[int, int | None], WayEffects] = {}

    def ways(self, location: int) -> Sequence[Edge]:
        """The edges that leave a location, without those to errors alone."""
        return [edge for edge in self._program.out_edges[location] if edge.target not in self.failing]

    def meeting(self, location: int) -> int | None:
        """The nearest location that every way from here to an end passes; None where there is none."""
        name = self._program.locations[location].function
        if name not in self._analysed:
            self._analysed.add(name)
            self._meetings.update(self._meeting_points([p.id for p in self._program.locations if p.function == name]))
        return self._meetings.get(location)

    def other_ways(self, taken: Edge, meeting: int | None) -> WayEffects:
        """The effects of the ways that an execution did not take, up to the point where they meet."""
        key = taken.id, meeting
        if key not in self._others:
            starts = [edge for edge in self.ways(taken.source) if edge is not taken]
            self._others[key] = self._effects(self._region(starts, {taken.source, meeting}))
        return self._others[key]

    def _region(self, starts: Sequence[Edge], around: set[int | None]) -> Iterator[Edge | int]:
        """The edges of a region, and the locations in it that nothing leaves."""
        seen, pending = set(around), list(starts)
        while pending:
            edge = pending.pop()
            yield edge
            if edge.target not in seen:
                seen.add(edge.target)
                following = self.ways(edge.target)
                pending += following
                if not following:
                    yield edge.target

    def _effects(self, region: Iterator[Edge | int]) -> WayEffects:
        written, ends = set[Term](), False
        for node in region:
            if isinstance(node, int):
                ends = ends or node != self._program.functions[self._program.locations[node].function].exit
            elif isinstance(node.operation, Assign):
                written.update(x for x, _ in node.operation.updates)
            elif isinstance(node.operation, Assume):
                ends = ends or node.operation.condition.is_false
            else:
                called = self._of_function(node.operation)
                written |= called.written
                ends = ends or called.ends
        return WayEffects(frozenset(written), ends)

    def _of_function(self, call: Call) -> WayEffects:
        """The effects of a call on what the caller sees; of one that is under way, nothing is added."""
        name = call.function
        if name not in self._functions:
            self._functions[name] = WayEffects(frozenset(), False)
            function = self._program.functions[name]
            found = self._effects(self._region(self.ways(function.entry), set()))
            inner = frozenset((*function.parameters, *function.locals))
            self._functions[name] = WayEffects(found.written - inner, found.ends)
        return self._functions[name]

    def _meeting_points(self, places: Sequence[int]) -> Iterator[tuple[int, int]]:
        """The nearest strict postdominator of each location of a function that has one."""
        bit = {one: 1 << number for number, one in enumerate(places)}
        behind = self._postdominators(places, bit)
        by_set = {behind[one]: one for one in places}
        for one in places:
            nearest = by_set.get(behind[one] & ~bit[one])
            if nearest is not None:
                yield one, nearest

    def _postdominators(self, places: Sequence[int], bit: dict[int, int]) -> dict[int, int]:
        """For each location the locations that every way from it to an end passes, as bits."""
        everything = (1 << len(places)) - 1
        behind = dict.fromkeys(places, everything)
        changed = True
        while changed:
            changed = False
            for location in reversed(places):
                ways = self.ways(location)
                found = everything if ways else 0
                for edge in ways:
                    found &= behind[edge.target]
                found |= bit[location]
                changed = changed or found != behind[location]
                behind[location] = found
        return behind


def _failing(program: Program) -> frozenset[int]:
    failing = set(program.checks_at)
    pending = list(failing)
    while pending:
        for edge in program.in_edges[pending.pop()]:
            source = edge.source
            if source not in failing and all(one.target in failing for one in program.out_edges[source]):
                failing.add(source)
                pending.append(source)
    return frozenset(failing)
