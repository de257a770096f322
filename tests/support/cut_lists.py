"""All small heaps with one pointer in each node, and all choices of pointers that are cut so that no cycle is left."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from itertools import combinations, product

Heap = Mapping[int, int]
"""The next node of each node; 0 is null."""
Pairs = frozenset[tuple[int, int]]


def cut_heaps(count: int) -> Iterator[tuple[Heap, frozenset[int]]]:
    """The heaps, and the nodes whose pointers are cut: also those with cut pointers that are part of no cycle."""
    nodes = range(1, count + 1)
    for targets in product((0, *nodes), repeat=count):
        heap = dict(zip(nodes, targets, strict=True))
        pointing = [x for x in nodes if heap[x]]
        for size in range(len(pointing) + 1):
            for cut in map(frozenset, combinations(pointing, size)):
                if all(not is_cyclic(heap, cut, x) for x in nodes):
                    yield heap, cut


def is_cyclic(heap: Heap, cut: Collection[int], start: int) -> bool:
    """Whether pointers that are not cut lead from a node into a cycle."""
    found = chain(heap, cut, start)
    last = found[-1]
    return last not in cut and heap[last] != 0


def chain(heap: Heap, cut: Collection[int], start: int) -> list[int]:
    """The nodes from `start` on, to the end, to a cut pointer, or once around a cycle."""
    found = [start]
    while found[-1] not in cut and heap[found[-1]] not in (0, *found):
        found.append(heap[found[-1]])
    return found


def reached(heap: Heap, cut: Collection[int]) -> Pairs:
    """The nodes to which pointers lead that are not cut; null reaches itself."""
    return frozenset({(0, 0), *((x, y) for x in heap for y in chain(heap, cut, x))})


def around(heap: Heap, cut: Collection[int]) -> Pairs:
    """The nodes behind the cut pointer at the end of the list of each node."""
    ends = {x: chain(heap, cut, x)[-1] for x in heap}
    return frozenset((x, y) for x, end in ends.items() if end in cut for y in chain(heap, cut, heap[end]))


def cut_after(heap: Heap, cut: frozenset[int], p: int, v: int) -> frozenset[int]:
    """The cut pointers after a store of `v` to that of `p`: this one, if it would close a cycle of the others."""
    without = {**heap, p: 0}
    left = cut - {p}
    return left | {p} if v and p in chain(without, left, v) else left
