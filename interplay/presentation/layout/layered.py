"""Layered layout of a graph, from its four parts: layers, order, places, routes.

Links without a long way are chains of items through the layers between, one of which makes room for the label. Links
that would need too many items run in lanes to the right of everything, so that the work is bounded: a graph of 10,000
nodes takes about a second.

Limitations, in order of weight: layers are longest paths, so drawings are taller than they must be; nodes are not moved
to other layers to shorten links; lanes cross what lies between them and their ends.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import field

from core.dataclass import dataclass
from interplay.presentation.layout.layout_data import CancelCheck, Drawing, Link, Point, Size, Spacing, unchecked
from interplay.presentation.layout.ordering import ordered
from interplay.presentation.layout.placing import LayerItem, placed
from interplay.presentation.layout.ranks import RankConstraint, backward, ranks
from interplay.presentation.layout.routing import BESIDE, LOOP, Bands, Router

_MAX_JOINTS = 12_000


def layered(
    nodes: Sequence[Size], links: Sequence[Link], spacing: Spacing | None = None, check: CancelCheck = unchecked
) -> Drawing:
    """Lay out a graph. The first node is at the top. Equal graphs have equal drawings."""
    spacing = spacing or Spacing()
    back = backward(len(nodes), links)
    rank = ranks(len(nodes), _arcs(links, back))
    chains = _chains(nodes, links, back, rank)
    layers = ordered(chains.rank, chains.above, chains.below, check)
    x = placed(chains.items, layers, chains.above, chains.below, spacing.between, check)
    bands = _bands(chains.items, layers, spacing)
    left = min((x[i] - item.left for i, item in enumerate(chains.items)), default=0.0)
    right = max((x[i] + item.right for i, item in enumerate(chains.items)), default=0.0)
    x = [one - left + spacing.margin for one in x]
    centres = tuple(Point(x[node], bands.centre(rank[node])) for node in range(len(nodes)))
    router = Router(nodes, centres, chains.rank, x, bands, layers)
    routes = router.routes(links, back, chains.of, right - left + spacing.margin + spacing.between, check)
    width = max(router.reach, right - left + spacing.margin)
    return Drawing(Size(width + spacing.margin, bands.bottom + spacing.margin), centres, routes)


def _arcs(links: Sequence[Link], back: Sequence[bool]) -> list[RankConstraint]:
    """The constraints of links: one needs a layer between its ends for a label, to go upwards, or beside another."""
    seen: set[tuple[int, int]] = set()
    result = []
    for link, upwards in zip(links, back, strict=True):
        if link.source != link.target:
            ends = (link.target, link.source) if upwards else (link.source, link.target)
            result.append(RankConstraint(*ends, 2 if link.label or upwards or ends in seen else 1))
            seen.add(ends)
    return result


@dataclass
class _Chains:
    """The items of all layers, nodes first, and how they are joined; `of` has the items that each link passes.

    None for links that run in lanes or are loops at one node.
    """

    items: list[LayerItem]
    rank: list[int]
    above: list[list[int]]
    below: list[list[int]]
    of: list[list[int] | None] = field(default_factory=list)

    def add(self, item: LayerItem, rank: int) -> int:
        self.items.append(item)
        self.rank.append(rank)
        self.above.append([])
        self.below.append([])
        return len(self.items) - 1

    def join(self, upper: int, lower: int) -> None:
        self.below[upper].append(lower)
        self.above[lower].append(upper)


def _chains(nodes: Sequence[Size], links: Sequence[Link], back: Sequence[bool], rank: Sequence[int]) -> _Chains:
    chains = _Chains([], [], [], [])
    loops: dict[int, list[Size]] = {}
    for link in links:
        if link.source == link.target:
            loops.setdefault(link.source, []).append(link.label or Size(0, 0))
    for node, size in enumerate(nodes):
        labels = loops.get(node, [])
        beside = sum(LOOP + BESIDE + label.width for label in labels)
        height = max([size.height, *(label.height for label in labels)])
        chains.add(LayerItem(size.width / 2, size.width / 2 + beside, height, is_node=True), rank[node])
    spans = {i: abs(rank[link.source] - rank[link.target]) for i, link in enumerate(links)}
    spare = _MAX_JOINTS
    short = set()
    for number in sorted(spans, key=lambda number: (spans[number], number)):
        spare -= spans[number]
        if spare < 0:
            break
        short.add(number)
    for number, (link, upwards) in enumerate(zip(links, back, strict=True)):
        if number not in short or link.source == link.target:
            chains.of.append(None)
            continue
        upper, lower = (link.target, link.source) if upwards else (link.source, link.target)
        chains.of.append(_chain(chains, upper, lower, link.label))
    return chains


def _chain(chains: _Chains, upper: int, lower: int, label: Size | None) -> list[int]:
    between = range(chains.rank[upper] + 1, chains.rank[lower])
    middle = between[(len(between) - 1) // 2] if between else None
    result = []
    last = upper
    for layer in between:
        if label and layer == middle:
            item = LayerItem(2, BESIDE + label.width, label.height, is_node=False)
        else:
            item = LayerItem(2, 2, 0, is_node=False)
        one = chains.add(item, layer)
        result.append(one)
        chains.join(last, one)
        last = one
    chains.join(last, lower)
    return result


def _bands(items: Sequence[LayerItem], layers: Sequence[Sequence[int]], spacing: Spacing) -> Bands:
    heights = [max((items[item].height for item in layer), default=0.0) for layer in layers]
    tops, y = [], spacing.margin
    for height in heights:
        tops.append(y)
        y += height + spacing.layers
    return Bands(tuple(tops), tuple(heights), spacing.layers)
