"""Paints the part of a graph in an area: in batches of one colour, with less detail at a smaller zoom.

Near: texts, arrow heads, badges. Middle: boxes and lines. Far: spots, without borders.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from enum import Enum
from functools import cache

from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import QBrush, QFont, QPainter, QPalette, QPen

from core.dataclass import dataclass
from gui.theme import Colours, code_font, colours_of
from gui.views.graphtiles import Tile, Tiles, head
from interplay.presentation.graphs.picture import (
    FONT,
    LINE,
    PADDING,
    BoxLine,
    Look,
    Role,
    Sheet,
    TextStyle,
    Wire,
    WireKind,
    signs,
)


class DetailLevel(Enum):
    """The level of detail."""

    FAR = "far"
    MIDDLE = "middle"
    NEAR = "near"


def level_at(zoom: float) -> DetailLevel:
    return DetailLevel.FAR if zoom < 0.12 else DetailLevel.MIDDLE if zoom < 0.4 else DetailLevel.NEAR


@dataclass(frozen=True)
class Ink:
    """The style of boxes of one kind: names of `Colours`, or empty for the base; `width` of the border."""

    fill: str
    border: str
    width: float = 1.2
    dashed: bool = False
    opacity: float = 1.0


_ROLES = {
    Role.PLAIN: Ink("", "quiet"),
    Role.ENTRY: Ink("busy_back", "busy"),
    Role.EXIT: Ink("busy_back", "busy"),
    Role.LOOP: Ink("predicate_back", "kind", 2.0),
    Role.ERROR: Ink("bad_back", "bad", 2.0),
}


@cache
def ink(role: Role, look: Look) -> Ink:
    """The style of a box; its look in the moment takes precedence over its role."""
    base = _ROLES[role]
    if Look.ABSENT in look:
        return Ink("", "line", 1.0, dashed=True, opacity=0.6)
    if Look.GONE in look:
        return Ink("", "open", 1.6, dashed=True)
    if Look.UNREACHED in look:
        return Ink("raised", "line", 1.2, dashed=True)
    border, width = base.border, base.width
    if Look.NEW in look or Look.CHANGED in look:
        border, width = "new", 2.4 if Look.NEW in look else 1.8
    fill = base.fill
    if Look.PATH in look:
        fill = "path_back"
        border, width = (border if Look.NEW in look else "path"), max(width, 2.2)
    return Ink(fill, border, width)


_WIRES = {
    WireKind.PLAIN: "quiet",
    WireKind.TRUE: "busy",
    WireKind.FALSE: "open",
    WireKind.BACK: "kind",
    WireKind.COVER: "good",
    WireKind.PATH: "path",
    WireKind.POINTER: "busy",
    WireKind.REACH: "kind",
}
_DASHED = (WireKind.BACK, WireKind.COVER, WireKind.REACH)


@cache
def _visibility(look: Look) -> int:
    """0 for what is seen, 1 for what is faint, 2 for what is hidden."""
    return 2 if Look.HIDDEN in look else 1 if look & (Look.ABSENT | Look.GONE) else 0


class GraphPainter:
    """Paints one sheet in the colours of a palette. The painter it is given measures in units of the picture."""

    def __init__(self, tiles: Tiles, sheet: Sheet, palette: QPalette) -> None:
        self._tiles = tiles
        self._sheet = sheet
        self._colours: Colours = colours_of(palette)
        self._base = palette.color(QPalette.ColorRole.Base)
        self._text = palette.color(QPalette.ColorRole.Text)
        self._seen: dict[int, int] = {}
        self._texts: dict[int, tuple[Sequence[BoxLine], str]] = {}
        self._code = QFont(code_font())
        self._code.setPixelSize(round(FONT))
        self._head = QFont()
        self._head.setPixelSize(round(FONT))
        self._head.setBold(True)

    def paint(self, painter: QPainter, area: QRectF, zoom: float) -> None:
        """Paint what lies in an area of the picture."""
        level = level_at(zoom)
        tiles = list(self._tiles.within(area))
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, level is DetailLevel.NEAR)
        for tile in tiles:
            self._paint_wires(painter, tile, level)
        boxes = [box for tile in tiles for box in tile.boxes]
        if len(tiles) > 1:
            boxes = list(dict.fromkeys(boxes))
        self._paint_boxes(painter, boxes, level)
        if level is DetailLevel.NEAR:
            for tile in tiles:
                self._paint_ports(painter, tile)
            for box in boxes:
                if Look.HIDDEN not in self._sheet.looks[box]:
                    self._paint_text(painter, box)

    def content(self, area: QRectF) -> object:
        """All data of the moment in an area of the picture: equal content is painted alike, as long as tiles, zoom and
        palette are the same.
        """
        tiles, looks, path = list(self._tiles.within(area)), self._sheet.looks, self._sheet.path
        boxes = dict.fromkeys(box for tile in tiles for box in tile.boxes)
        strokes = [one for tile in tiles for one in tile.strokes.values()]
        wires = dict.fromkeys(wire for one in strokes for wire in (*one.wires, *one.head_wires))
        wires.update(dict.fromkeys(number for tile in tiles for number, _, _ in tile.ports))
        ends = ((wire, self._sheet.picture.wires[wire]) for wire in wires)
        return (
            [(looks[box], self._text_of(box)) for box in boxes],
            [(looks[one.source], looks[one.target], number in path) for number, one in ends],
        )

    def _text_of(self, box: int) -> tuple[Sequence[BoxLine], str]:
        """The lines and the badge of a box."""
        found = self._texts.get(box)
        if found is None:
            found = self._texts[box] = (self._sheet.lines(box), self._sheet.badge(box))
        return found

    # Wires

    def _paint_wires(self, painter: QPainter, tile: Tile, level: DetailLevel) -> None:
        for kind, strokes in tile.strokes.items():
            lines, path, faint = self._sorted(strokes.wires, strokes.lines)
            self._stroke(painter, lines, self._wire_pen(_WIRES[kind], 1.3, kind in _DASHED, level))
            self._stroke(painter, faint, self._wire_pen("line", 1.0, True, level))
            if level is DetailLevel.NEAR:
                heads, path_heads, faint_heads = self._sorted(strokes.head_wires, strokes.heads)
                self._stroke(painter, heads, self._wire_pen(_WIRES[kind], 1.5, False, level))
                self._stroke(painter, faint_heads, self._wire_pen("line", 1.0, False, level))
                self._stroke(painter, path_heads, self._wire_pen("path", 2.6, False, level))
            self._stroke(painter, path, self._wire_pen("path", 2.6, kind in _DASHED, level))

    def _sorted(self, wires: list[int], lines: list[QLineF]) -> tuple[list[QLineF], list[QLineF], list[QLineF]]:
        """The lines, sorted into ordinary ones, those of the path, and faint ones; without those of hidden boxes."""
        path = self._sheet.path
        on_path = [line for wire, line in zip(wires, lines, strict=True) if wire in path] if path else []
        sorts: tuple[list[QLineF], list[QLineF], list[QLineF]] = ([], [], [])
        seen = self._visibility_of_wire
        for number, line in zip(wires, lines, strict=True):
            if number not in path:
                sorts[seen(number)].append(line)
        return sorts[0], on_path, sorts[1]

    def _visibility_of_wire(self, number: int) -> int:
        """The visibility of the less visible end of a wire."""
        known = self._seen.get(number)
        if known is None:
            wire, looks = self._sheet.picture.wires[number], self._sheet.looks
            known = self._seen[number] = max(_visibility(looks[wire.source]), _visibility(looks[wire.target]))
        return known

    def _stroke(self, painter: QPainter, lines: list[QLineF], pen: QPen) -> None:
        if lines:
            painter.setPen(pen)
            painter.drawLines(lines)

    def _wire_pen(self, colour: str, width: float, dashed: bool, level: DetailLevel) -> QPen:
        pen = QPen(self._colours.named(colour), width)
        if level is not DetailLevel.NEAR:
            pen.setWidthF(2.0 if colour == "path" else 1.0)
            pen.setCosmetic(True)
        elif dashed:
            pen.setDashPattern([4, 3])
        return pen

    def paint_wire(self, painter: QPainter, wire: Wire) -> None:
        """Paint a wire that is not part of the picture, if it is visible."""
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(self._wire_pen(_WIRES[wire.kind], 2.2, wire.kind in _DASHED, DetailLevel.NEAR))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawPolyline([QPointF(*point) for point in wire.points])
        painter.setPen(self._wire_pen(_WIRES[wire.kind], 2.2, False, DetailLevel.NEAR))
        painter.drawLines(list(head(wire.points)))

    def _paint_ports(self, painter: QPainter, tile: Tile) -> None:
        """Paint the values of conditions beside the branches."""
        painter.setFont(self._head)
        for number, at, on_left in tile.ports:
            wire = self._sheet.picture.wires[number]
            if Look.HIDDEN not in self._sheet.looks[wire.source]:
                painter.setPen(self._colours.named(_WIRES[wire.kind]))
                width = painter.fontMetrics().horizontalAdvance(wire.sign)
                painter.drawText(at + QPointF(-width - 5 if on_left else 5, FONT), wire.sign)

    # Boxes

    def _paint_boxes(self, painter: QPainter, boxes: Iterable[int], level: DetailLevel) -> None:
        looks, all_boxes = self._sheet.looks, self._sheet.picture.boxes
        # By identity: the hashes of enums are too slow for tens of thousands of boxes.
        groups: dict[tuple[int, int], list[int]] = {}
        for box in boxes:
            groups.setdefault((id(all_boxes[box].role), id(looks[box])), []).append(box)
        for found in groups.values():
            role, look = all_boxes[found[0]].role, looks[found[0]]
            if Look.HIDDEN not in look:
                self._paint_alike(painter, ink(role, look), [self._tiles.rects[box] for box in found], level)

    def _paint_alike(self, painter: QPainter, ink: Ink, rects: list[QRectF], level: DetailLevel) -> None:
        border = self._colours.named(ink.border)
        painter.setOpacity(ink.opacity)
        if level is DetailLevel.FAR:
            painter.setPen(QPen(border, 0))
            painter.setBrush(border)
        else:
            pen = QPen(border, ink.width)
            pen.setCosmetic(level is DetailLevel.MIDDLE)
            if ink.dashed:
                pen.setDashPattern([3, 2])
            painter.setPen(pen)
            painter.setBrush(QBrush(self._colours.named(ink.fill) if ink.fill else self._base))
        if level is DetailLevel.NEAR:
            for rect in rects:
                painter.drawRoundedRect(rect, 5, 5)
        else:
            painter.drawRects(rects)
        painter.setOpacity(1.0)

    def _paint_text(self, painter: QPainter, box: int) -> None:
        rect, look = self._tiles.rects[box], self._sheet.looks[box]
        lines, badge = self._text_of(box)
        badge = signs(look) + badge
        if Look.ABSENT in look:
            painter.setOpacity(0.55)
        y = rect.top() + PADDING / 2
        for line in lines:
            self._paint_line(painter, line, rect, y)
            y += LINE
        if badge:
            self._paint_badge(painter, rect, badge, look)
        painter.setOpacity(1.0)

    def _paint_line(self, painter: QPainter, line: BoxLine, rect: QRectF, y: float) -> None:
        if line.marked:
            painter.fillRect(QRectF(rect.left() + 2, y, rect.width() - 4, LINE), self._colours.named("core_back"))
        painter.setFont(self._head if line.style is TextStyle.HEAD else self._code)
        colour = self._colours.named("quiet") if line.style is not TextStyle.CODE else self._text
        painter.setPen(self._colours.named("keyword") if line.condition else colour)
        painter.drawText(QPointF(rect.left() + PADDING, y + LINE - 4), line.text)

    def _paint_badge(self, painter: QPainter, rect: QRectF, text: str, look: Look) -> None:
        painter.setFont(self._head)
        width = painter.fontMetrics().horizontalAdvance(text) + 10
        pill = QRectF(rect.right() - width + 5, rect.top() - 7, width, LINE)
        gone = Look.GONE in look
        colour = "open" if gone else "new" if look & (Look.NEW | Look.CHANGED) else "quiet"
        painter.setPen(QPen(self._colours.named(colour), 1))
        painter.setBrush(self._colours.named("raised"))
        painter.drawRoundedRect(pill, 7, 7)
        painter.drawText(pill, Qt.AlignmentFlag.AlignCenter, text)

    def outline(self, painter: QPainter, box: int, colour: str, zoom: float, distance: float) -> None:
        """Paint a frame around a box, at a distance in pixels."""
        grow = distance / min(zoom, 1.0)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.setPen(QPen(self._colours.named(colour), 2.6 / min(zoom, 1.0)))
        painter.drawRoundedRect(self._tiles.rects[box].adjusted(-grow, -grow, grow, grow), 7, 7)
