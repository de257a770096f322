"""Large blocks: loop-free parts of a function as single transitions.

D. Beyer, A. Cimatti, A. Griggio, M. E. Keremoglu, R. Sebastiani, "Software model checking via large-block encoding",
FMCAD 2009. A block leads from one cut to the next; what the paths between them do is merged by if-then-else, and the
guard of the block says that one of them is possible.

Required: merging keeps executions apart only if no two paths of a block are possible at once, so locations whose
branches overlap are cuts. Every loop head, call, check, entry and exit is one. Heuristic: so is a join at which more
than `MAX_PATHS` paths come together, since choices inside atoms are multiplied out.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from enum import StrEnum
from itertools import combinations, pairwise

from core.dataclass import dataclass
from core.program.automaton import Assume, Call, Edge, Program
from core.program.semantics import Transition, identity, transition
from core.terms import Arena, Term

MAX_PATHS = 16


class BlockEncoding(StrEnum):
    """The block encoding of a program: how many edges one step covers."""

    STATEMENTS = "statements"
    BASIC = "basic"  # consecutive edges up to the next join, loop head, call or check
    LARGE = "large"  # all paths to the next loop head, call or check, merged: `core.program.blocks`


@dataclass(frozen=True)
class Block:
    """A large block: all paths from a cut to `target`, with their edges in topological order, as one transition."""

    target: int
    edges: tuple[Edge, ...]
    transition: Transition


def cuts(program: Program, heads: Collection[int]) -> frozenset[int]:
    """The locations at which blocks begin and end; `heads` cut every cycle."""
    found = {location.id for location in program.locations if _must_cut(program, location.id, heads)}
    paths: dict[int, int] = {}  # how many lead from cuts to a location that is none
    for location in _topological(program, range(len(program.locations)), found):
        paths[location] = sum(paths.get(edge.source, 1) for edge in program.in_edges[location])
        if paths[location] > MAX_PATHS:
            found.add(location)
            del paths[location]
    return frozenset(found)


def _must_cut(program: Program, location: int, heads: Collection[int]) -> bool:
    entering, leaving = program.in_edges[location], program.out_edges[location]
    return (
        not entering
        or not leaving
        or location in heads
        or location in program.checks_at
        or any(location in (function.entry, function.exit) for function in program.functions.values())
        or any(isinstance(edge.operation, Call) for edge in (*entering, *leaving))
        or not _excludes(program.arena, leaving)
    )


def _excludes(arena: Arena, edges: Sequence[Edge]) -> bool:
    """Whether at most one of the edges that leave a location can be taken, as far as syntax shows it."""
    conditions = [edge.operation.condition if isinstance(edge.operation, Assume) else arena.true for edge in edges]
    return exclude_each_other(arena, conditions)


def exclude_each_other(arena: Arena, conditions: Sequence[Term]) -> bool:
    """Whether no two of the conditions hold at once, as far as syntax shows it."""
    return all(a is arena.not_(b) or arena.and_(a, b).is_false for a, b in combinations(conditions, 2))


def _topological(program: Program, roots: Iterable[int], ends: Collection[int]) -> list[int]:
    """The locations that are no `ends` and that `roots` reach through no end, sources first."""
    order: list[int] = []
    seen: set[int] = set(ends)
    for root in roots:
        stack = [] if root in seen else [(root, iter(program.out_edges[root]))]
        seen.add(root)
        while stack:
            location, leaving = stack[-1]
            target = next((edge.target for edge in leaving if edge.target not in seen), None)
            if target is None:
                order.append(location)
                stack.pop()
            else:
                seen.add(target)
                stack.append((target, iter(program.out_edges[target])))
    order.reverse()
    return order


def blocks_from(program: Program, source: int, ends: Collection[int]) -> Iterator[Block]:
    """The blocks that leave the cut `source` without its calls. Edges that overlap begin blocks of their own."""
    leaving = [edge for edge in program.out_edges[source] if not isinstance(edge.operation, Call)]
    if _excludes(program.arena, leaving):
        yield from _blocks(program, leaving, ends)
    else:
        for edge in leaving:
            yield from _blocks(program, [edge], ends)


def _blocks(program: Program, first: Sequence[Edge], ends: Collection[int]) -> Iterator[Block]:
    """The blocks that begin with one of the edges `first`, in the order of their targets."""
    arena, edges = program.arena, list(first)
    paths: dict[int, list[Transition]] = {}  # from the cut to a location
    for edge in first:
        paths.setdefault(edge.target, []).append(transition(arena, edge.operation))
    for location in _topological(program, [edge.target for edge in first], ends):
        before = merged(arena, paths[location])
        for edge in program.out_edges[location]:
            paths.setdefault(edge.target, []).append(before.then(transition(arena, edge.operation)))
            edges.append(edge)
    for target in sorted(target for target in paths if target in ends):
        yield Block(target, _leading_to(target, edges, ends), merged(arena, paths[target]))


def _leading_to(target: int, edges: Sequence[Edge], ends: Collection[int]) -> tuple[Edge, ...]:
    """The part of `edges`, in their order, on which paths to the cut `target` run."""
    useful: list[Edge] = []
    sources: set[int] = set()
    for edge in reversed(edges):
        if edge.target == target or (edge.target in sources and edge.target not in ends):
            useful.append(edge)
            sources.add(edge.source)
    return tuple(reversed(useful))


def merged(arena: Arena, paths: Sequence[Transition]) -> Transition:
    """The transition of several paths from one place to another, of which one at most is possible."""
    *others, last = paths
    updates = {x: last.updates.get(x, x) for path in paths for x in path.updates}
    for path in reversed(others):
        updates = {x: arena.ite(path.guard, path.updates.get(x, x), value) for x, value in updates.items()}
    guard = arena.or_(*(path.guard for path in paths))
    return Transition(arena, guard, {x: value for x, value in updates.items() if value is not x})


def is_path(edges: Sequence[Edge]) -> bool:
    """Whether the edges of a block are one path, so that there is nothing to choose."""
    branches = len({edge.source for edge in edges}) < len(edges)
    return not branches and all(a.target == b.source for a, b in pairwise(edges))


def route(arena: Arena, edges: Sequence[Edge], chosen: Callable[[Transition, Edge], bool]) -> tuple[Edge, ...]:
    """The path through a block that an execution takes: at each branch the edge that is `chosen`.

    `chosen` is given what was done since the block began, and the edge.
    """
    if is_path(edges):
        return tuple(edges)
    taken: list[Edge] = []
    done, location = identity(arena), edges[0].source
    while not taken or location != edges[-1].target:
        edge = next(e for e in edges if e.source == location and chosen(done, e))
        taken.append(edge)
        done, location = done.then(transition(arena, edge.operation)), edge.target
    return tuple(taken)
