"""The order of the items of each layer: barycentre sweeps, of which the one with the fewest crossings is kept.

K. Sugiyama, S. Tagawa, M. Toda, "Methods for visual understanding of hierarchical system structures", 1981.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from itertools import pairwise

from interplay.presentation.layout.layout_data import CancelCheck, unchecked

Neighbours = Sequence[Sequence[int]]
"""The items to which each item is joined in the next layer of one direction."""

_WORK = 150_000  # joints that all sweeps together may visit: about half a second
_SWEEPS = 12


def ordered(
    rank: Sequence[int], above: Neighbours, below: Neighbours, check: CancelCheck = unchecked
) -> list[list[int]]:
    """Order the items of each layer from left to right."""
    layers = _initial(rank, above, below)
    best, fewest = [list(layer) for layer in layers], _crossings(layers, below, check)
    for sweep in range(max(2, min(_SWEEPS, _WORK // (1 + sum(map(len, below)))))):
        if not fewest:
            break
        downwards = sweep % 2 == 0
        _sweep(layers if downwards else layers[::-1], above if downwards else below, check)
        found = _crossings(layers, below, check)
        if found < fewest:
            best, fewest = [list(layer) for layer in layers], found
    return best


def _initial(rank: Sequence[int], above: Neighbours, below: Neighbours) -> list[list[int]]:
    """The initial order: depth first, so that connected items begin together."""
    layers: list[list[int]] = [[] for _ in range(max(rank, default=-1) + 1)]
    seen = [False] * len(rank)
    for root in sorted(range(len(rank)), key=lambda item: (bool(above[item]), item)):
        stack = [root]
        while stack:
            item = stack.pop()
            if not seen[item]:
                seen[item] = True
                layers[rank[item]].append(item)
                stack.extend(reversed(below[item]))
    return layers


def _sweep(layers: list[list[int]], fixed: Neighbours, check: CancelCheck) -> None:
    """Sort each layer by the mean position of the neighbours in the one before; items without any stay in place."""
    position: dict[int, float] = {}
    for layer in layers:
        check()
        for place, item in enumerate(layer):
            found = fixed[item]
            position[item] = sum(position[one] for one in found) / len(found) if found else place
        layer.sort(key=position.__getitem__)
        position.update((item, place) for place, item in enumerate(layer))


def _crossings(layers: list[list[int]], below: Neighbours, check: CancelCheck) -> int:
    total = 0
    for layer, next_ in pairwise(layers):
        check()
        position = {item: place for place, item in enumerate(next_)}
        passed: list[int] = []
        for item in layer:
            ends = sorted(position[one] for one in below[item])
            total += sum(len(passed) - bisect_right(passed, end) for end in ends)
            for end in ends:
                passed.insert(bisect_right(passed, end), end)
    return total
