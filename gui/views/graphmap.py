"""The map in a corner of a graph: all boxes, the path, and a frame around the visible part."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Protocol

from PySide6.QtCore import QEvent, QPoint, QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QMouseEvent, QPainter, QPaintEvent, QPen, QPixmap
from PySide6.QtWidgets import QWidget

from gui.model.background import InPieces
from gui.theme import colours_of
from gui.views.graphtiles import Tiles
from interplay.presentation.graphs.picture import Look, Sheet

_WIDEST, _HIGHEST, _LEAST = 140, 160, 32
_MARGIN = 10
_NEARLY_ALL = 0.6  # of the picture in sight: a map says nothing new
_PIECE = 1_000  # boxes that are drawn at once
_FEW = 2_000  # boxes of which the map shows those of the moment; of more, those of all moments
_MANY = 200  # boxes below the map, which are not looked at one by one
_CHOSEN, _ON_PATH = 1000, 3  # what it costs to cover a box that matters; others cost 1


class Mapped(Protocol):
    """The canvas that a map belongs to (`gui.views.graphcanvas`)."""

    @property
    def sight(self) -> QRectF: ...
    @property
    def selection(self) -> int | None: ...
    @property
    def step(self) -> int | None: ...

    def viewport(self) -> QWidget: ...
    def at(self, position: QPointF) -> QPointF: ...
    def look_at(self, point: QPointF) -> None: ...


class GraphMap(QWidget):
    """The map. A click or a drag moves the view. It is hidden where nearly everything is visible, and is placed in the
    corner where it covers least.

    Long thin pictures are drawn wider than they are, to be readable.
    """

    def __init__(self, canvas: Mapped) -> None:
        super().__init__(canvas.viewport())
        self._canvas = canvas
        self._sheet: Sheet | None = None
        self._tiles: Tiles | None = None
        self._ground: QPixmap | None = None
        self._drawing: InPieces[None] = InPieces(lambda _: self.update())
        self._spots: list[QRectF] = []  # of the path
        self._shown: tuple[int, ...] | None = None  # the boxes of the moment, where there are few
        self._pressed = False
        self.wanted = True
        self.setAccessibleName("Map of the graph")
        self.setCursor(Qt.CursorShape.CrossCursor)
        self.setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)  # the graph below is not painted for it
        self.hide()

    def show_sheet(self, sheet: Sheet, tiles: Tiles) -> None:
        """Follow the canvas. The background is redrawn for another layout only."""
        shown = _shown(sheet)
        if self._tiles is not tiles or shown != self._shown:
            self._ground = None
        self._shown = shown
        other = self._ground is None or self._sheet is None or self._sheet.path != sheet.path
        self._sheet, self._tiles = sheet, tiles
        if other:
            self._find_spots(sheet)
        self.place()
        self.update()

    @property
    def drawing(self) -> bool:
        """Whether boxes are still missing."""
        return self._ground is None or self._drawing.busy

    def place(self) -> None:
        """Place the map in a corner, if not everything is visible."""
        if self._sheet is None or (self.isVisible() and self._pressed):
            return
        size = self._sheet.picture.size
        view = self._canvas.viewport().size()
        widest, highest = min(_WIDEST, view.width() / 4), min(_HIGHEST, view.height() / 3)
        part = min(widest / max(size.width, 1), highest / max(size.height, 1))
        extent = QSize(max(_LEAST, round(size.width * part)), max(_LEAST, round(size.height * part)))
        if extent != self.size():
            self._ground = None
            self.resize(extent)
            self._find_spots(self._sheet)
        sight = self._canvas.sight
        seen = sight.intersected(QRectF(0, 0, size.width, size.height))
        nearly_all = seen.width() * seen.height() >= _NEARLY_ALL * size.width * size.height
        room = view.width() > 2 * extent.width() and view.height() > 2 * extent.height()
        shown = self.wanted and room and not nearly_all
        if shown:
            self.move(min(self._corners(), key=self._cost))
        self.setVisible(shown)

    def _corners(self) -> tuple[QPoint, ...]:
        """The possible positions, the best first: the current one, then the lower right."""
        view = self._canvas.viewport().size()
        right, low = view.width() - self.width() - _MARGIN, view.height() - self.height() - _MARGIN
        corners = [QPoint(right, low), QPoint(right, _MARGIN), QPoint(_MARGIN, low), QPoint(_MARGIN, _MARGIN)]
        return tuple(sorted(corners, key=lambda corner: corner != self.pos()))

    def _cost(self, corner: QPoint) -> int:
        """The cost of a position: the boxes that the map would cover there, weighted."""
        assert self._tiles is not None
        assert self._sheet is not None
        begin = self._canvas.at(QPointF(corner))
        end = self._canvas.at(QPointF(corner + QPoint(self.width(), self.height())))
        area, looks, cost = QRectF(begin, end), self._sheet.looks, 0
        boxes = {box for tile in self._tiles.within(area) for box in tile.boxes}
        if len(boxes) > _MANY:
            return len(boxes)
        for box in boxes:
            if Look.HIDDEN not in looks[box] and area.intersects(self._tiles.rects[box]):
                chosen = box in (self._canvas.selection, self._canvas.step)
                cost += _CHOSEN if chosen else _ON_PATH if Look.PATH in looks[box] else 1
        return cost

    def _find_spots(self, sheet: Sheet) -> None:
        """Find the positions of the boxes on the path."""
        x, y = self._scale()
        boxes, wires = sheet.picture.boxes, sheet.picture.wires
        middles = (boxes[wires[wire].target].centre for wire in sheet.path)
        spots = {(round(middle.x * x), round(middle.y * y)) for middle in middles}
        self._spots = [QRectF(left - 1.5, top - 1.5, 3, 3) for left, top in spots]

    def _scale(self) -> tuple[float, float]:
        assert self._sheet is not None
        size = self._sheet.picture.size
        return self.width() / max(size.width, 1), self.height() / max(size.height, 1)

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802 - Qt's name
        if self._sheet is None or self._tiles is None:
            return
        if self._ground is None:
            self._ground = self._begin_ground()
        colours = colours_of(self.palette())
        painter = QPainter(self)
        painter.drawPixmap(0, 0, self._ground)
        x, y = self._scale()
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(colours.named("path"))
        painter.drawRects(self._spots)
        sight = self._canvas.sight
        frame = QRectF(sight.left() * x, sight.top() * y, max(4.0, sight.width() * x), max(4.0, sight.height() * y))
        painter.setPen(QPen(colours.named("busy"), 1.6))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawRect(frame.intersected(QRectF(self.rect()).adjusted(0.8, 0.8, -0.8, -0.8)))
        painter.setPen(QPen(colours.named("line"), 1))
        painter.drawRect(self.rect().adjusted(0, 0, -1, -1))

    def _begin_ground(self) -> QPixmap:
        """Draw the boxes in one colour, of a large graph those of all moments. Of many, most follow in the next turns
        of the event loop.
        """
        ratio = self.devicePixelRatioF()
        ground = QPixmap(QSize(round(self.width() * ratio), round(self.height() * ratio)))
        ground.setDevicePixelRatio(ratio)
        colours = colours_of(self.palette())
        ground.fill(colours.named("raised"))
        assert self._tiles is not None
        rects = self._tiles.rects
        seen = rects if self._shown is None else [rects[box] for box in self._shown]
        rest = self._draw_boxes(ground, seen, colours.named("quiet"))
        next(rest, None)
        self._drawing.start(rest)
        return ground

    def _draw_boxes(self, ground: QPixmap, rects: Sequence[QRectF], colour: QColor) -> Iterator[None]:
        x, y = self._scale()
        wide, high = 1.6 / x, 1.6 / y
        for begin in range(0, len(rects), _PIECE):
            some = rects[begin : begin + _PIECE]
            painter = QPainter(ground)
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(colour)
            painter.scale(x, y)
            painter.drawRects([QRectF(r.x(), r.y(), max(r.width(), wide), max(r.height(), high)) for r in some])
            painter.end()
            yield

    def mousePressEvent(self, event: QMouseEvent) -> None:  # noqa: N802 - Qt's name
        self._pressed = True
        self._go(event.position())

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:  # noqa: N802 - Qt's name
        self._pressed = False
        self.place()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:  # noqa: N802 - Qt's name
        if event.buttons() & Qt.MouseButton.LeftButton:
            self._go(event.position())

    def _go(self, at: QPointF) -> None:
        if self._sheet is not None:
            x, y = self._scale()
            self._canvas.look_at(QPointF(at.x() / x, at.y() / y))

    def changeEvent(self, event: QEvent) -> None:  # noqa: N802 - Qt's name
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange:
            self._ground = None
            self.update()


def _shown(sheet: Sheet) -> tuple[int, ...] | None:
    """The boxes that are there at the moment; None if there are many in all."""
    if len(sheet.looks) > _FEW:
        return None
    return tuple(box for box, look in enumerate(sheet.looks) if not look & (Look.HIDDEN | Look.ABSENT))
