"""Layer assignment: longest paths in the graph without the links that point upwards."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from interplay.presentation.layout.layout_data import Link


class RankConstraint(NamedTuple):
    """A constraint: the lower node lies at least `length` layers below the upper."""

    upper: int
    lower: int
    length: int


def backward(count: int, links: Sequence[Link]) -> list[bool]:
    """Whether each link closes a cycle of a depth-first search: from node 0, then from other beginnings."""
    leaving: list[list[int]] = [[] for _ in range(count)]
    entered = [False] * count
    for index, link in enumerate(links):
        leaving[link.source].append(index)
        entered[link.target] |= link.source != link.target
    result = [False] * len(links)
    active, done = [False] * count, [False] * count
    for root in sorted(range(count), key=lambda node: (node > 0, entered[node])):
        stack: list[tuple[int, Iterator[int]]] = []
        if not done[root]:
            active[root] = True
            stack.append((root, iter(leaving[root])))
        while stack:
            node, rest = stack[-1]
            index = next(rest, -1)
            if index < 0:
                active[node], done[node] = False, True
                stack.pop()
                continue
            target = links[index].target
            if active[target]:
                result[index] = True
            elif not done[target]:
                active[target] = True
                stack.append((target, iter(leaving[target])))
    return result


def ranks(count: int, arcs: Sequence[RankConstraint]) -> list[int]:
    """The layer of each node, by longest paths from above; other roots than the first are then pulled down."""
    below: list[list[RankConstraint]] = [[] for _ in range(count)]
    waiting = [0] * count
    for arc in arcs:
        below[arc.upper].append(arc)
        waiting[arc.lower] += 1
    roots = [node for node in range(count) if not waiting[node]]
    result, ready = [0] * count, list(roots)
    for node in ready:  # grows
        for arc in below[node]:
            result[arc.lower] = max(result[arc.lower], result[node] + arc.length)
            waiting[arc.lower] -= 1
            if not waiting[arc.lower]:
                ready.append(arc.lower)
    for node in roots[1:]:
        result[node] = min((result[arc.lower] - arc.length for arc in below[node]), default=0)
    return result
