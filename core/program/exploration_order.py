"""The order in which locations are explored: a weak topological order of each function.

F. Bourdoncle, "Efficient chaotic iteration strategies with widenings", 1993: components nest like loops, and a loop is
stable before anything behind it is explored. Callees come between their call and what follows it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from enum import Enum, auto

from core.program.automaton import Program
from core.program.expansion import At
from core.program.loops import Successors, loop_nesting

OrderPosition = tuple[int, ...]
_Ordering = Callable[[int, Successors], Iterable[int]]


class ExplorationStrategy(Enum):
    """The choice of the state that is expanded next."""

    STABLE_FIRST = auto()  # what comes first in the weak topological order: for domains that merge states
    NEWEST_FIRST = auto()  # what was reached last, at one depth of recursion: for domains that keep states apart


class ExplorationOrder:
    """Comparable positions of the locations of an expansion; within a function they are those of `order`."""

    def __init__(self, program: Program, order: _Ordering | None = None) -> None:
        self._program = program
        self._positions: dict[At, OrderPosition] = {}
        self._rank: dict[int, int] = {}
        for function in program.functions.values():
            for location in (order or weak_topological_order)(function.entry, self._successors):
                self._rank.setdefault(location, len(self._rank))

    def _successors(self, location: int) -> list[int]:
        return [edge.target for edge in self._program.out_edges[location]]

    def position(self, at: At) -> OrderPosition:
        """The position of a location: the smallest comes first; it begins with `depth`.

        Lexicographic: how often active calls repeat, the ranks of the active calls, then that of the location.
        """
        found = self._positions.get(at)
        if found is None:
            calls = (self._rank[self._program.edges[edge].source] for edge in at.stack)
            found = self._positions[at] = (len(at.stack) - len(set(at.stack)), *calls, self._rank[at.location])
        return found

    def depth(self, at: At) -> int:
        """The number of repeated active calls: recursion must not be unfolded for ever before what is behind it."""
        return self.position(at)[0]


def weak_topological_order(entry: int, successors: Successors) -> list[int]:
    """The vertices reachable from `entry`, each loop contiguous and led by its head."""
    return list(loop_nesting(entry, successors))


def heads_last(entry: int, successors: Successors) -> Iterator[int]:
    """A weak topological order in which the head of each loop comes last: steps back wait for the rest of the loop."""
    open_: list[int] = []
    for vertex, heads in loop_nesting(entry, successors).items():
        while open_ and open_[-1] not in heads:
            yield open_.pop()
        if vertex in heads:
            open_.append(vertex)
        else:
            yield vertex
    yield from reversed(open_)
