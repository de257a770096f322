"""The order in which locations are explored: a weak topological order of each function.

F. Bourdoncle, "Efficient chaotic iteration strategies with widenings", 1993: components nest like loops, and a loop is
stable before anything behind it is explored. Callees come between their call and what follows it.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator
from enum import Enum, auto

from core.program.automaton import Program
from core.program.expansion import At

OrderPosition = tuple[int, ...]
_Successors = Callable[[int], Iterable[int]]
_Ordering = Callable[[int, _Successors], Iterable[int]]


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


def weak_topological_order(entry: int, successors: _Successors) -> list[int]:
    """The vertices reachable from `entry`, each loop contiguous and led by its head."""
    return list(loop_nesting(entry, successors))


def heads_last(entry: int, successors: _Successors) -> Iterator[int]:
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


def loop_nesting(entry: int, successors: _Successors) -> dict[int, tuple[int, ...]]:
    """The heads of the loops around each vertex, outermost first, itself where it is one; in weak topological order."""
    nesting: dict[int, tuple[int, ...]] = {}
    top: tuple[int, ...] = ()
    work: list[tuple[tuple[int, ...] | int, tuple[int, ...]]]
    work = [(component, top) for component in reversed(_components([entry], None, successors))]
    while work:
        component, around = work.pop()
        if isinstance(component, int):
            nesting[component] = around
            continue
        head, *body = component
        nesting[head] = inside = (*around, head)
        parts = _components(successors(head), frozenset(body), successors)
        work.extend((part, inside) for part in reversed(parts))
    return nesting


def on_cycles(roots: Iterable[int], successors: _Successors) -> frozenset[int]:
    """The vertices that can be reached from `roots`, and then from themselves."""
    loops = (one for one in _components(roots, None, successors) if not isinstance(one, int))
    return frozenset(vertex for loop in loops for vertex in loop)


def _components(
    roots: Iterable[int], within: Collection[int] | None, successors: _Successors
) -> list[tuple[int, ...] | int]:
    """Strongly connected components in topological order (Tarjan): a vertex alone, or a loop, its head first."""
    index: dict[int, int] = {}
    low: dict[int, int] = {}
    open_: list[int] = []
    is_open: set[int] = set()
    components: list[tuple[int, ...] | int] = []

    def visit(v: int) -> tuple[int, list[int]]:
        index[v] = low[v] = len(index)
        open_.append(v)
        is_open.add(v)
        return v, [w for w in reversed(list(successors(v))) if within is None or w in within]

    for root in roots:
        if root in index or (within is not None and root not in within):
            continue
        path = [visit(root)]
        while path:
            v, rest = path[-1]
            if rest:
                w = rest.pop()
                if w not in index:
                    path.append(visit(w))
                elif w in is_open:
                    low[v] = min(low[v], index[w])
                continue
            path.pop()
            if path:
                low[path[-1][0]] = min(low[path[-1][0]], low[v])
            if low[v] == index[v]:
                members = tuple(_pop_through(open_, v))
                is_open.difference_update(members)
                loops = len(members) > 1 or v in successors(v)
                components.append(members if loops else v)
    components.reverse()
    return components


def _pop_through(stack: list[int], last: int) -> list[int]:
    """Remove the top of `stack` down to `last`; the result begins with `last`."""
    popped = [stack.pop()]
    while popped[-1] != last:
        popped.append(stack.pop())
    popped.reverse()
    return popped
