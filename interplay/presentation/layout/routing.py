"""Routing of links: polylines through the positions that placing found."""

from __future__ import annotations

from collections.abc import Sequence

from core.dataclass import dataclass
from interplay.presentation.layout.layout_data import CancelCheck, Link, Point, Route, Size, unchecked

LOOP = 18.0  # how far a loop at one node stands out
BESIDE = 5.0  # between a line and its label
_PORTS = 12.0  # the most between two ends at one side of a node
_CORNER = 6.0  # of the side of a node that stays free


@dataclass(frozen=True, slots=True)
class Bands:
    """The vertical extent of each layer; `gap` lies between two."""

    tops: tuple[float, ...]
    heights: tuple[float, ...]
    gap: float

    def centre(self, layer: int) -> float:
        return self.tops[layer] + self.heights[layer] / 2

    @property
    def bottom(self) -> float:
        return self.tops[-1] + self.heights[-1] if self.tops else 0.0

    def end(self, layer: int) -> float:
        return self.tops[layer] + self.heights[layer]


@dataclass(frozen=True, slots=True)
class _End:
    """The end of a link at the top or bottom of a node. `towards` is the x where the link comes from or goes to."""

    link: int
    node: int
    is_top: bool
    towards: float


class Router:
    """Routes links one after the other; `reach` grows to the right end of everything that is routed."""

    def __init__(
        self,
        nodes: Sequence[Size],
        centres: Sequence[Point],
        rank: Sequence[int],
        x: Sequence[float],
        bands: Bands,
        layers: Sequence[Sequence[int]],
    ) -> None:
        self._nodes = nodes
        self._centres = centres
        self._rank = rank
        self._x = x
        self._bands = bands
        self._place = {item: place for layer in layers for place, item in enumerate(layer)}
        self._layers = layers
        self.reach = 0.0

    def routes(
        self,
        links: Sequence[Link],
        back: Sequence[bool],
        chains: Sequence[list[int] | None],
        lanes: float,
        check: CancelCheck = unchecked,
    ) -> tuple[Route, ...]:
        """A route for each link; lanes begin at x = `lanes`."""
        lane = self._lanes(links, chains, lanes)
        ports = self._ports(links, back, chains, lane)
        loops: dict[int, float] = {}
        result = []
        for number, (link, chain) in enumerate(zip(links, chains, strict=True)):
            check()
            if link.source == link.target:
                result.append(self._loop(link, loops))
            elif chain is None:
                result.append(self._through_lane(number, link, lane[number], ports))
            else:
                result.append(self._along(number, link, chain, back[number], ports))
        self.reach = max([self.reach, *(point.x for route in result for point in route.points)])
        return tuple(result)

    # Where links meet nodes

    def _ports(
        self,
        links: Sequence[Link],
        back: Sequence[bool],
        chains: Sequence[list[int] | None],
        lane: dict[int, float],
    ) -> dict[tuple[int, bool], float]:
        """The x of the ends at tops and bottoms, by link and whether it is at a top; other ends are at sides."""
        ends: list[_End] = []
        for index, (link, chain) in enumerate(zip(links, chains, strict=True)):
            if link.source == link.target:
                continue
            if chain is None:
                ends.append(_End(index, link.source, False, lane[index]))
                ends.append(_End(index, link.target, True, lane[index]))
                continue
            upper, lower = (link.target, link.source) if back[index] else (link.source, link.target)
            first, last = (chain[0], chain[-1]) if chain else (lower, upper)
            if not (back[index] and self._beside(upper, first)):
                ends.append(_End(index, upper, False, self._x[first]))
            if not (back[index] and self._beside(lower, last)):
                ends.append(_End(index, lower, True, self._x[last]))
        return self._spread(ends)

    def _spread(self, ends: Sequence[_End]) -> dict[tuple[int, bool], float]:
        sides: dict[tuple[int, bool], list[_End]] = {}
        for end in ends:
            sides.setdefault((end.node, end.is_top), []).append(end)
        result: dict[tuple[int, bool], float] = {}
        for (node, is_top), ends_there in sides.items():
            centre, half = self._centres[node].x, max(self._nodes[node].width / 2 - _CORNER, 0.0)
            ends_there.sort(key=lambda end: (end.towards, end.link))
            if len(ends_there) == 1:
                result[ends_there[0].link, is_top] = min(max(ends_there[0].towards, centre - half), centre + half)
                continue
            step = min(_PORTS, 2 * half / (len(ends_there) - 1))
            for place, end in enumerate(ends_there):
                result[end.link, is_top] = centre + step * (place - (len(ends_there) - 1) / 2)
        return result

    def _beside(self, node: int, item: int) -> bool:
        """Whether a line can go from the side of the node to the x of the item with nothing in between."""
        target, centre = self._x[item], self._centres[node].x
        if abs(target - centre) < self._nodes[node].width / 2 + _CORNER:
            return False
        layer, place = self._layers[self._rank[node]], self._place[node]
        others = list(layer[place + 1 :] if target > centre else layer[:place])
        low, high = min(target, centre), max(target, centre)
        reach = max((self._width(one) for one in others[:1] + others[-1:]), default=0.0)
        return not any(low - reach < self._x[one] < high + self._width(one) for one in others)

    def _width(self, item: int) -> float:
        return self._nodes[item].width if item < len(self._nodes) else _CORNER

    # Routes

    def _along(
        self, number: int, link: Link, chain: Sequence[int], upwards: bool, ports: dict[tuple[int, bool], float]
    ) -> Route:
        """The route down the chain from the upper to the lower end, reversed for a link that goes upwards."""
        upper, lower = (link.target, link.source) if upwards else (link.source, link.target)
        points = self._from_side(upper, chain, ports.get((number, False)), first=True)
        for item in chain:
            layer = self._rank[item]
            points += [Point(self._x[item], self._bands.tops[layer]), Point(self._x[item], self._bands.end(layer))]
        points += self._from_side(lower, chain, ports.get((number, True)), first=False)
        label = None
        if link.label:
            item = chain[(len(chain) - 1) // 2]
            middle = self._bands.centre(self._rank[item])
            label = Point(self._x[item] + BESIDE, middle - link.label.height / 2)
        ordered = points[::-1] if upwards else points
        return Route(_without_straight(ordered), label)

    def _from_side(self, node: int, chain: Sequence[int], port: float | None, *, first: bool) -> list[Point]:
        """The end at a node, in the direction downwards: `first` for the upper end."""
        centre, size, layer = self._centres[node], self._nodes[node], self._rank[node]
        if port is None:
            x = self._x[chain[0] if first else chain[-1]]
            side = centre.x + (size.width / 2 if x > centre.x else -size.width / 2)
            turn = [Point(side, centre.y), Point(x, centre.y)]
            return turn if first else turn[::-1]
        if first:
            return [Point(port, centre.y + size.height / 2), Point(port, self._bands.end(layer))]
        return [Point(port, self._bands.tops[layer]), Point(port, centre.y - size.height / 2)]

    def _loop(self, link: Link, used: dict[int, float]) -> Route:
        """A loop at one node, beside those that are there already."""
        centre, size = self._centres[link.source], self._nodes[link.source]
        side = centre.x + size.width / 2
        out = side + used.get(link.source, 0.0) + LOOP
        rise = min(size.height / 2 - 2, size.height / 4 + 2 * len(used))
        points = [(side, -rise), (out, -rise), (out, rise), (side, rise)]
        label = None if link.label is None else Point(out + BESIDE, centre.y - link.label.height / 2)
        used[link.source] = out - side + (BESIDE + link.label.width if link.label else 0)
        self.reach = max(self.reach, side + used[link.source])
        return Route(tuple(Point(x, centre.y + y) for x, y in points), label)

    # Lanes

    def _lanes(self, links: Sequence[Link], chains: Sequence[list[int] | None], begin: float) -> dict[int, float]:
        """The x of each link in a lane: the first lane that is free between the ends of the link."""
        todo = [i for i, link in enumerate(links) if chains[i] is None and link.source != link.target]
        extent = {i: sorted((self._rank[links[i].source], self._rank[links[i].target])) for i in todo}
        free: list[int] = []  # the layer below which each lane is free
        lane: dict[int, int] = {}
        widths: list[float] = []
        for i in sorted(todo, key=lambda i: (extent[i], i)):
            low, high = extent[i]
            place = next((k for k, at in enumerate(free) if at < low), len(free))
            if place == len(free):
                free.append(0)
                widths.append(0.0)
            free[place] = high
            label = links[i].label
            widths[place] = max(widths[place], label.width if label else 0.0)
            lane[i] = place
        starts = [begin + sum(widths[:k]) + 2 * _PORTS * k for k in range(len(widths) + 1)]
        if widths:
            self.reach = starts[-1]
        return {i: starts[place] for i, place in lane.items()}

    def _through_lane(self, number: int, link: Link, x: float, ports: dict[tuple[int, bool], float]) -> Route:
        bands = self._bands
        source, target = self._centres[link.source], self._centres[link.target]
        start, end = ports[number, False], ports[number, True]
        leave = bands.end(self._rank[link.source]) + bands.gap / 2
        enter = bands.tops[self._rank[link.target]] - bands.gap / 2
        points = [
            Point(start, source.y + self._nodes[link.source].height / 2),
            Point(start, leave),
            Point(x, leave),
            Point(x, enter),
            Point(end, enter),
            Point(end, target.y - self._nodes[link.target].height / 2),
        ]
        label = None
        if link.label:
            label = Point(x + BESIDE, (leave + enter - link.label.height) / 2)
        return Route(tuple(points), label)


def _without_straight(points: Sequence[Point]) -> tuple[Point, ...]:
    """The points without repetitions and those in the middle of a vertical line."""
    result: list[Point] = []
    for point in points:
        if result and result[-1] == point:
            continue
        if len(result) > 1 and result[-2].x == result[-1].x == point.x:
            result.pop()
        result.append(point)
    return tuple(result)
