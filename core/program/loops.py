"""The loops of a graph: the components of a weak topological order.

F. Bourdoncle, "Efficient chaotic iteration strategies with widenings", 1993: components nest like loops, in irreducible
graphs, too, and every cycle passes through the head of one.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable

from core.program.automaton import Program

Successors = Callable[[int], Iterable[int]]


def loop_heads(program: Program) -> frozenset[int]:
    """Locations that cut every cycle inside a function: the heads of its loops."""
    found: set[int] = set()
    for function in program.functions.values():
        nesting = loop_nesting(function.entry, lambda at: [edge.target for edge in program.out_edges[at]])
        found.update(head for heads in nesting.values() for head in heads)
    return frozenset(found)


def on_cycles(vertices: Iterable[int], successors: Successors) -> frozenset[int]:
    """The vertices from which edges lead back to themselves."""
    components = _components(vertices, None, successors)
    return frozenset(v for component in components if not isinstance(component, int) for v in component)


def loop_nesting(entry: int, successors: Successors) -> dict[int, tuple[int, ...]]:
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


def _components(
    roots: Iterable[int], within: Collection[int] | None, successors: Successors
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
