"""Tiles of a picture: a spatial index for the painter, made once for each layout, in any thread.

Lines are clipped to their tile, so that nothing is painted twice and no coordinate is too large for the rasteriser,
which fails beyond some 32,000 pixels.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import field
from itertools import pairwise

from PySide6.QtCore import QLineF, QPointF, QRectF

from core.dataclass import dataclass
from interplay.presentation.graphs.picture import Picture, Wire, WireKind, signs_to_the_left
from interplay.presentation.layout import CancelCheck, Point, checked, unchecked

SIDE = 800.0
_HEAD = 6.0  # length of an arrow head
_MAX_CELLS = 4_000  # of one line; longer ones end there


@dataclass
class Strokes:
    """Line pieces of a tile with the numbers of their wires, in parallel; `heads` are those of arrow heads."""

    wires: list[int] = field(default_factory=list)
    lines: list[QLineF] = field(default_factory=list)
    head_wires: list[int] = field(default_factory=list)
    heads: list[QLineF] = field(default_factory=list)


@dataclass
class Tile:
    """The content of a tile: `boxes` by number, `strokes` by kind of wire, `ports` with the starts of branches, each
    with whether its sign is to the left.
    """

    boxes: list[int] = field(default_factory=list)
    strokes: dict[WireKind, Strokes] = field(default_factory=dict)
    ports: list[tuple[int, QPointF, bool]] = field(default_factory=list)


@dataclass(frozen=True)
class Tiles:
    """The tiles of a picture; `rects` are those of the boxes."""

    picture: Picture
    rects: tuple[QRectF, ...]
    cells: dict[tuple[int, int], Tile]

    def within(self, area: QRectF) -> Iterator[Tile]:
        """The tiles that an area touches."""
        left, right = int(area.left() // SIDE), int(area.right() // SIDE)
        for y in range(int(area.top() // SIDE), int(area.bottom() // SIDE) + 1):
            for x in range(left, right + 1):
                tile = self.cells.get((x, y))
                if tile is not None:
                    yield tile

    def box_at(self, x: float, y: float) -> int | None:
        """The box at a point."""
        tile = self.cells.get((int(x // SIDE), int(y // SIDE)))
        at = QPointF(x, y)
        return next((box for box in tile.boxes if self.rects[box].contains(at)), None) if tile else None


def tiles_of(picture: Picture, check: CancelCheck = unchecked) -> Tiles:
    """Cut a picture."""
    cells: dict[tuple[int, int], Tile] = {}
    rects = tuple(QRectF(box.left, box.top, box.width, box.height) for box in picture.boxes)
    for index, box in checked(enumerate(picture.boxes), check):
        for x in range(int(box.left // SIDE), int((box.left + box.width) // SIDE) + 1):
            for y in range(int(box.top // SIDE), int((box.top + box.height) // SIDE) + 1):
                cells.setdefault((x, y), Tile()).boxes.append(index)
    on_left = signs_to_the_left(picture)
    for index, wire in checked(enumerate(picture.wires), check):
        _add_wire(cells, index, wire)
        if wire.sign:
            at = wire.points[0]
            cell = (int(at.x // SIDE), int(at.y // SIDE))
            cells.setdefault(cell, Tile()).ports.append((index, QPointF(at.x, at.y), index in on_left))
    return Tiles(picture, rects, cells)


def _add_wire(cells: dict[tuple[int, int], Tile], number: int, wire: Wire) -> None:
    for a, b in pairwise(wire.points):
        for cell, line in pieces(a, b):
            strokes = cells.setdefault(cell, Tile()).strokes.setdefault(wire.kind, Strokes())
            strokes.wires.append(number)
            strokes.lines.append(line)
    end = wire.points[-1]
    tile = cells.setdefault((int(end.x // SIDE), int(end.y // SIDE)), Tile())
    strokes = tile.strokes.setdefault(wire.kind, Strokes())
    for line in head(wire.points):
        strokes.head_wires.append(number)
        strokes.heads.append(line)


def head(points: Sequence[Point]) -> tuple[QLineF, QLineF]:
    """The two strokes of the arrow head at the end of a polyline."""
    tip, before = points[-1], points[-2]
    length = ((tip.x - before.x) ** 2 + (tip.y - before.y) ** 2) ** 0.5 or 1.0
    dx, dy = (tip.x - before.x) / length * _HEAD, (tip.y - before.y) / length * _HEAD
    back = Point(tip.x - dx, tip.y - dy)
    return (
        QLineF(tip.x, tip.y, back.x - dy * 0.6, back.y + dx * 0.6),
        QLineF(tip.x, tip.y, back.x + dy * 0.6, back.y - dx * 0.6),
    )


def pieces(a: Point, b: Point) -> Iterator[tuple[tuple[int, int], QLineF]]:
    """The parts of a line in the cells that it crosses."""
    cell = (int(a.x // SIDE), int(a.y // SIDE))
    if cell == (int(b.x // SIDE), int(b.y // SIDE)):
        yield cell, QLineF(a.x, a.y, b.x, b.y)
        return
    cuts = sorted({0.0, 1.0, *_crossings(a.x, b.x), *_crossings(a.y, b.y)})
    for start, end in list(pairwise(cuts))[:_MAX_CELLS]:
        middle = (start + end) / 2
        at = _along(a, b, middle)
        one, other = _along(a, b, start), _along(a, b, end)
        yield (int(at.x // SIDE), int(at.y // SIDE)), QLineF(one.x, one.y, other.x, other.y)


def _crossings(a: float, b: float) -> Iterator[float]:
    """The parameters between 0 and 1 at which a coordinate crosses the border of a cell."""
    low, high = sorted((a, b))
    for number in range(int(low // SIDE) + 1, int(high // SIDE) + 1):
        yield (number * SIDE - a) / (b - a)


def _along(a: Point, b: Point, part: float) -> Point:
    return Point(a.x + part * (b.x - a.x), a.y + part * (b.y - a.y))
