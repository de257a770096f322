"""Horizontal placement: every item as near as it may be to its neighbours, none overlapping.

In each layer the least squares problem with distances is solved exactly, by pooling adjacent violators; sweeps over the
layers repeat that. Joints of long links weigh more, so that these become straight.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from core.dataclass import dataclass
from interplay.presentation.layout.layout_data import CancelCheck, unchecked

_SWEEPS = 10
_WORK = 400_000  # as in ordering


@dataclass(frozen=True, slots=True)
class LayerItem:
    """An item of a layer: a node, or the point where a long link passes. Extents are from its x."""

    left: float
    right: float
    height: float
    is_node: bool


def placed(
    items: Sequence[LayerItem],
    layers: Sequence[Sequence[int]],
    above: Sequence[Sequence[int]],
    below: Sequence[Sequence[int]],
    between: float,
    check: CancelCheck = unchecked,
) -> list[float]:
    """The x of each item; they may be negative."""
    distances = [_distances(items, layer, between) for layer in layers]
    x = [0.0] * len(items)
    for layer, distance in zip(layers, distances, strict=True):
        for item, at in zip(layer, distance, strict=True):
            x[item] = at - distance[-1] / 2
    both = [[*one, *other] for one, other in zip(above, below, strict=True)]
    sweeps = max(2, min(_SWEEPS, _WORK // (1 + sum(map(len, both)))))
    plan = [above if number % 2 == 0 else below for number in range(sweeps)]
    # The last sweeps go one way, and so leave chains straight.
    for neighbours in (*plan, both, below, above):
        downwards = neighbours is not below
        numbers = range(len(layers)) if downwards else range(len(layers) - 1, -1, -1)
        for number in numbers:
            check()
            _settle(items, layers[number], distances[number], neighbours, x)
    return x


def _distances(items: Sequence[LayerItem], layer: Sequence[int], between: float) -> list[float]:
    """The least distance of each item of the layer from the first."""
    result = [0.0]
    for one, other in pairwise(layer):
        result.append(result[-1] + items[one].right + between + items[other].left)
    return result[: len(layer)]


def _settle(
    items: Sequence[LayerItem],
    layer: Sequence[int],
    distances: Sequence[float],
    neighbours: Sequence[Sequence[int]],
    x: list[float],
) -> None:
    """Move the items of one layer to the best places that their order and sizes allow."""
    pools: list[tuple[float, float, int]] = []  # wanted place, weight, how many items
    for item, distance in zip(layer, distances, strict=True):
        total = weighted = 0.0
        for other in neighbours[item]:
            weight = 1.0 if items[item].is_node and items[other].is_node else 2.0
            weight = 8.0 if not items[item].is_node and not items[other].is_node else weight
            total += weight
            weighted += weight * x[other]
        place, weight = (weighted / total, total) if total else (x[item], 0.1)
        place -= distance
        count = 1
        while pools and pools[-1][0] > place:
            other_place, other_weight, others = pools.pop()
            place = (place * weight + other_place * other_weight) / (weight + other_weight)
            weight += other_weight
            count += others
        pools.append((place, weight, count))
    number = 0
    for place, _, count in pools:
        for _ in range(count):
            x[layer[number]] = place + distances[number]
            number += 1
