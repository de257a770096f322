"""The canvas of a graph: one painter over cached tiles, moved by mouse and keyboard.

Signals of actions of the user: `selected(box)`, `toggled(box)` to fold or unfold, `entered(box)` to go into a box. The
list beside it is the equivalent for screen readers; the canvas describes the selection in words.
"""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QPoint, QPointF, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QHelpEvent,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPixmap,
    QResizeEvent,
    QTransform,
    QWheelEvent,
)
from PySide6.QtWidgets import QAbstractScrollArea, QApplication, QToolTip, QWidget

from gui.views.graphmap import GraphMap
from gui.views.graphpaint import DetailLevel, GraphPainter, level_at
from gui.views.graphtiles import Tiles
from interplay.presentation.graphs.picture import Look, Sheet, Wire

SMALLEST, LARGEST = 0.02, 3.0
READABLE = 0.8  # the smallest zoom at which texts can be read without effort
_SIDE = 512  # pixels of a picture of a tile
_MAX_KEPT = 96
_STEP = 1.25  # of zoom
_BORDER = 40.0  # around what is brought into sight


class GraphCanvas(QAbstractScrollArea):
    """Shows a sheet. Positions are in units of the picture; `zoom` is the number of pixels per unit."""

    selected = Signal(int)
    toggled = Signal(int)
    entered = Signal(int)
    zoomed = Signal(float)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setFrameShape(QAbstractScrollArea.Shape.NoFrame)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.viewport().setMouseTracking(True)
        self.sheet: Sheet | None = None
        self.tiles: Tiles | None = None
        self.zoom = 1.0
        self.selection: int | None = None
        self.step: int | None = None  # the box at which the step of the path begins
        self._painter: GraphPainter | None = None
        self._kept: dict[tuple[int, int], tuple[object, QPixmap]] = {}  # with what is to be seen there
        self._current: set[tuple[int, int]] = set()  # those kept that show the moment
        self._pressed: QPoint | None = None
        self._moved = False
        self._waiting: int | None = None  # a box to open at, once there is a size
        self.map = GraphMap(self)

    # What is shown

    def show_sheet(self, sheet: Sheet, tiles: Tiles) -> None:
        """Show another moment, or another layout; the visible part stays."""
        if tiles is not self.tiles or level_at(self.zoom) is not DetailLevel.NEAR:
            self._kept.clear()  # from afar so much is in sight that something of it is always another
        self.sheet, self.tiles = sheet, tiles
        if self.selection is not None and self.selection >= len(sheet.picture.boxes):
            self.selection = None
        self._repaint()
        self._set_ranges()
        self.map.show_sheet(sheet, tiles)

    def _repaint(self) -> None:
        if self.sheet is not None and self.tiles is not None:
            self._painter = GraphPainter(self.tiles, self.sheet, self.palette())
        self._current.clear()
        self.viewport().update()

    def select(self, box: int | None) -> None:
        """Mark a box, and announce it to screen readers."""
        self.selection = box
        self.setAccessibleDescription("" if box is None else self.words(box))
        self.map.place()
        self.viewport().update()

    def words(self, box: int) -> str:
        """A box as one line of text."""
        return "; ".join(line.text for line in self.sheet.lines(box)) if self.sheet is not None else ""

    # Where one looks

    @property
    def origin(self) -> QPointF:
        """The point of the picture at the upper left corner of the view; a small picture stands in the middle."""
        if self.sheet is None:
            return QPointF()
        view, size = self.viewport().size(), self.sheet.picture.size
        x = self.horizontalScrollBar().value() / self.zoom
        y = self.verticalScrollBar().value() / self.zoom
        if size.width * self.zoom < view.width():
            x = (size.width - view.width() / self.zoom) / 2
        if size.height * self.zoom < view.height():
            y = min(0.0, (size.height - view.height() / self.zoom) / 2)
        return QPointF(x, y)

    @property
    def sight(self) -> QRectF:
        """The visible part of the picture."""
        view = self.viewport().size()
        origin = self.origin
        return QRectF(origin.x(), origin.y(), view.width() / self.zoom, view.height() / self.zoom)

    def at(self, position: QPointF) -> QPointF:
        """The point of the picture at a pixel of the view."""
        return QPointF(self.origin.x() + position.x() / self.zoom, self.origin.y() + position.y() / self.zoom)

    def open_at_selection(self) -> None:
        """Scroll to the selection, else to the first box."""
        self._open_at(0 if self.selection is None else self.selection)

    def _open_at(self, box: int) -> None:
        """Show a box at a readable size: the whole picture if that is readable, else its surroundings with the box near
        the top.
        """
        view = self.viewport().size()
        if self.sheet is None or not self.isVisible() or view.width() < 2:
            self._waiting = box
            return
        self._waiting = None
        whole = self._fitting()
        self.set_zoom(min(1.0, whole) if whole >= READABLE else 0.9)
        rect, half = self._rect(box), view.width() / self.zoom / 2
        x = min(rect.center().x(), rect.left() - _BORDER / 2 + half)  # of a wide box the beginning is read first
        self.look_at(QPointF(x, rect.top() + view.height() / self.zoom / 2 - _BORDER))

    def _rect(self, box: int) -> QRectF:
        assert self.tiles is not None
        return self.tiles.rects[box]

    def _fitting(self) -> float:
        assert self.sheet is not None
        view, size = self.viewport().size(), self.sheet.picture.size
        return min(view.width() / max(size.width, 1), view.height() / max(size.height, 1))

    def fit(self) -> None:
        """Show the whole picture, or as much of a long thin one as can be distinguished."""
        if self.sheet is None:
            return
        whole = self._fitting()
        self.set_zoom(min(1.0, max(whole, SMALLEST * 3)))
        size = self.sheet.picture.size
        if whole >= self.zoom or self.selection is None:
            self.look_at(QPointF(size.width / 2, size.height / 2 if whole >= self.zoom else 0.0))
        else:
            self.look_at(self._rect(self.selection).center())

    def actual_size(self) -> None:
        self.set_zoom(1.0)
        if self.selection is not None:
            self.ensure_visible(self.selection)

    def zoom_in(self) -> None:
        self.set_zoom(self.zoom * _STEP)

    def zoom_out(self) -> None:
        self.set_zoom(self.zoom / _STEP)

    def set_zoom(self, zoom: float, around: QPointF | None = None) -> None:
        """Zoom; the pixel `around` (else the middle of the view) keeps what it shows."""
        middle = QPointF(self.viewport().width() / 2, self.viewport().height() / 2)
        pixel = middle if around is None else around
        fixed = self.at(pixel)
        self.zoom = max(SMALLEST, min(LARGEST, zoom))
        self._kept.clear()
        self._set_ranges()
        self._scroll_to(fixed * self.zoom - pixel)
        self.map.place()
        self.zoomed.emit(self.zoom)
        self.viewport().update()

    def look_at(self, point: QPointF) -> None:
        """Bring a point of the picture to the middle of the view."""
        view = self.viewport().size()
        self._scroll_to(point * self.zoom - QPointF(view.width() / 2, view.height() / 2))

    def ensure_visible(self, box: int) -> None:
        """Scroll as little as necessary to make a box visible."""
        sight, rect = self.sight, self._rect(box)
        border = min(_BORDER, sight.width() / 8, sight.height() / 8)
        wanted = rect.adjusted(-border, -border, border, border)
        x = _shift(sight.left(), sight.right(), wanted.left(), wanted.right())
        y = _shift(sight.top(), sight.bottom(), wanted.top(), wanted.bottom())
        if x or y:
            self._scroll_to((sight.topLeft() + QPointF(x, y)) * self.zoom)

    def bring_into_sight(self, boxes: Sequence[int]) -> None:
        """Scroll to the first of some boxes, unless one of them is in sight."""
        if self._waiting is not None and boxes:
            self._waiting = boxes[0]
        elif boxes and not any(self.sight.intersects(self._rect(box)) for box in boxes):
            self.ensure_visible(boxes[0])

    def anchor(self) -> int | None:
        """The box that keeps its position when the layout changes: the selected one, else the one in the middle."""
        if self.tiles is None or self.sheet is None:
            return None
        if self.selection is not None and self.sight.intersects(self._rect(self.selection)):
            return self.selection
        middle = self.sight.center()
        boxes = [box for tile in self.tiles.within(self.sight) for box in tile.boxes]
        seen = [box for box in boxes if Look.HIDDEN not in self.sheet.looks[box]]
        return min(seen, key=lambda box: (self._rect(box).center() - middle).manhattanLength(), default=None)

    def pixel_of(self, box: int) -> QPointF:
        """The position of the centre of a box in the view."""
        return (self._rect(box).center() - self.origin) * self.zoom

    def put_at(self, box: int, pixel: QPointF) -> None:
        """Scroll until the centre of a box is at a pixel of the view."""
        self._scroll_to(self._rect(box).center() * self.zoom - pixel)

    def _scroll_to(self, corner: QPointF) -> None:
        self.horizontalScrollBar().setValue(round(corner.x()))
        self.verticalScrollBar().setValue(round(corner.y()))

    def _set_ranges(self) -> None:
        if self.sheet is None:
            return
        view, size = self.viewport().size(), self.sheet.picture.size
        pairs = (
            (self.horizontalScrollBar(), size.width, view.width()),
            (self.verticalScrollBar(), size.height, view.height()),
        )
        for bar, extent, page in pairs:
            bar.setRange(0, max(0, round(extent * self.zoom) - page))
            bar.setPageStep(page)
            bar.setSingleStep(40)

    # Painting

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802 - Qt's name
        painter = QPainter(self.viewport())
        painter.fillRect(event.rect(), self.palette().base())
        if self._painter is None or self.sheet is None:
            return
        origin = self.origin * self.zoom
        corner = QPoint(round(origin.x()), round(origin.y()))
        for x, y in _tiles_in(event.rect().translated(corner)):
            painter.drawPixmap(QPoint(x * _SIDE, y * _SIDE) - corner, self._tile(x, y))
        painter.translate(-corner)
        painter.scale(self.zoom, self.zoom)
        sight = self.sight
        for wire in self.sheet.extra:
            if _touches(wire, sight):
                self._painter.paint_wire(painter, wire)
        if self.step is not None and self.step < len(self.sheet.looks):
            self._painter.outline(painter, self.step, "cursor_edge", self.zoom, 6.5)
        if self.selection is not None:
            self._painter.outline(painter, self.selection, "busy", self.zoom, 3)

    def _tile(self, x: int, y: int) -> QPixmap:
        """A tile of the picture as pixels, painted when it is first needed."""
        assert self._painter is not None
        known, pixmap = self._kept.get((x, y), (None, None))
        if pixmap is not None and (x, y) in self._current:
            return pixmap
        near = level_at(self.zoom) is DetailLevel.NEAR
        content = self._painter.content(self._area_of(x, y)) if near else None
        if pixmap is None or content != known:
            pixmap = self._painted(x, y)
        self._kept.pop((x, y), None)
        while len(self._kept) >= _MAX_KEPT:
            del self._kept[next(iter(self._kept))]
        self._kept[x, y] = content, pixmap
        self._current.add((x, y))
        return pixmap

    def _area_of(self, x: int, y: int) -> QRectF:
        """The part of the picture that lies in a tile, or reaches into it."""
        side = _SIDE / self.zoom
        return QRectF(x * side, y * side, side, side).adjusted(-12, -12, 12, 12)

    def _painted(self, x: int, y: int) -> QPixmap:
        ratio = self.devicePixelRatioF()
        pixmap = QPixmap(QSize(round(_SIDE * ratio), round(_SIDE * ratio)))
        pixmap.setDevicePixelRatio(ratio)
        pixmap.fill(self.palette().base().color())
        assert self._painter is not None
        painter = QPainter(pixmap)
        painter.setTransform(QTransform(self.zoom, 0, 0, self.zoom, -x * _SIDE, -y * _SIDE))
        self._painter.paint(painter, self._area_of(x, y), self.zoom)
        painter.end()
        return pixmap

    def changeEvent(self, event: QEvent) -> None:  # noqa: N802 - Qt's name
        super().changeEvent(event)
        if event.type() in (QEvent.Type.PaletteChange, QEvent.Type.FontChange):
            self._kept.clear()
            self._repaint()

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802 - Qt's name
        super().resizeEvent(event)
        seen = self._was_seen(event.oldSize())
        self._set_ranges()
        if self._waiting is not None:
            self._open_at(self._waiting)
        elif seen is not None:
            self.ensure_visible(seen)
        self.map.place()

    def _was_seen(self, view: QSize) -> int | None:
        """The selected box, if it was visible in a view of that size."""
        if self.sheet is None or self.selection is None or view.width() < 2:
            return None
        x, y = self.horizontalScrollBar().value(), self.verticalScrollBar().value()
        zoom = self.zoom
        sight = QRectF(x / zoom, y / zoom, view.width() / zoom, view.height() / zoom)
        return self.selection if sight.intersects(self._rect(self.selection)) else None

    def scrollContentsBy(self, dx: int, dy: int) -> None:  # noqa: N802 - Qt's name
        self.viewport().update()
        self.map.place()
        self.map.update()

    # The mouse

    def viewportEvent(self, event: QEvent) -> bool:  # noqa: N802 - Qt's name
        if isinstance(event, QHelpEvent) and event.type() == QEvent.Type.ToolTip:
            box = self._box_at(QPointF(event.pos()))
            text = "" if box is None or self.sheet is None else self.sheet.about(box)
            QToolTip.showText(event.globalPos(), text, self.viewport())
            return True
        return super().viewportEvent(event)

    def _box_at(self, pixel: QPointF) -> int | None:
        if self.tiles is None or self.sheet is None:
            return None
        point = self.at(pixel)
        box = self.tiles.box_at(point.x(), point.y())
        return None if box is None or Look.HIDDEN in self.sheet.looks[box] else box

    def mousePressEvent(self, event: QMouseEvent) -> None:  # noqa: N802 - Qt's name
        if event.button() in (Qt.MouseButton.LeftButton, Qt.MouseButton.MiddleButton):
            self._pressed, self._moved = event.position().toPoint(), False

    def mouseMoveEvent(self, event: QMouseEvent) -> None:  # noqa: N802 - Qt's name
        position = event.position().toPoint()
        if self._pressed is None:
            over = self._box_at(event.position()) is not None
            self.viewport().setCursor(Qt.CursorShape.PointingHandCursor if over else Qt.CursorShape.ArrowCursor)
            return
        way = position - self._pressed
        if self._moved or way.manhattanLength() >= QApplication.startDragDistance():
            self._moved = True
            self.viewport().setCursor(Qt.CursorShape.ClosedHandCursor)
            self.pan(-way.x(), -way.y())
            self._pressed = position

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:  # noqa: N802 - Qt's name
        clicked = self._pressed is not None and not self._moved
        self._pressed = None
        self.viewport().unsetCursor()
        box = self._box_at(event.position())
        if clicked and box is not None and event.button() == Qt.MouseButton.LeftButton:
            self.selected.emit(box)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:  # noqa: N802 - Qt's name
        box = self._box_at(event.position())
        if box is not None:
            self.entered.emit(box)

    def wheelEvent(self, event: QWheelEvent) -> None:  # noqa: N802 - Qt's name
        if event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            self.set_zoom(self.zoom * 1.0015 ** event.angleDelta().y(), event.position())
            event.accept()
        else:
            super().wheelEvent(event)

    def pan(self, dx: int, dy: int) -> None:
        """Move the view by pixels."""
        for bar, way in ((self.horizontalScrollBar(), dx), (self.verticalScrollBar(), dy)):
            bar.setValue(bar.value() + way)

    # The keyboard

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802 - Qt's name
        key, text = event.key(), event.text()
        if key in _WAYS and not event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier:
            self._go(Qt.Key(key))
        elif text in ("+", "="):
            self.zoom_in()
        elif text == "-":
            self.zoom_out()
        elif text == "0":
            self.fit()
        elif text == "1":
            self.actual_size()
        elif key == Qt.Key.Key_Space and self.selection is not None:
            self.toggled.emit(self.selection)
        elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and self.selection is not None:
            self.entered.emit(self.selection)
        else:
            super().keyPressEvent(event)

    def _go(self, key: Qt.Key) -> None:
        """Select the next box that way: along a wire up and down, beside it left and right."""
        if self.sheet is None or not self.sheet.picture.boxes:
            return
        found = 0 if self.selection is None else self._next(self.selection, key)
        if found is not None:
            self.selected.emit(found)

    def _next(self, box: int, key: Qt.Key) -> int | None:
        assert self.sheet is not None
        seen = [wire for wire in self.sheet.picture.wires if self._is_seen(wire.source) and self._is_seen(wire.target)]
        if key in (Qt.Key.Key_Down, Qt.Key.Key_Up):
            down = key == Qt.Key.Key_Down
            ways = [(wire.source, wire.target) if down else (wire.target, wire.source) for wire in seen]
            ends = [end for begin, end in ways if begin == box]
            middle = self._rect(box).center()
            return min(ends, key=lambda one: abs(self._rect(one).center().x() - middle.x()), default=None)
        sign = 1 if key == Qt.Key.Key_Right else -1
        middle = self._rect(box).center()
        reach = self._rect(box).height()
        assert self.tiles is not None
        strip = QRectF(middle.x() - 4000, middle.y() - reach, 8000, 2 * reach)
        beside = [
            (abs(other.x() - middle.x()), one)
            for tile in self.tiles.within(strip)
            for one in tile.boxes
            if self._is_seen(one)
            and one != box
            and abs((other := self._rect(one).center()).y() - middle.y()) < reach
            and sign * (other.x() - middle.x()) > 0
        ]
        return min(beside)[1] if beside else None

    def _is_seen(self, box: int) -> bool:
        assert self.sheet is not None
        return Look.HIDDEN not in self.sheet.looks[box]


_WAYS = (Qt.Key.Key_Left, Qt.Key.Key_Right, Qt.Key.Key_Up, Qt.Key.Key_Down)


def _touches(wire: Wire, sight: QRectF) -> bool:
    """Whether a part of a wire may be visible."""
    xs, ys = [point.x for point in wire.points], [point.y for point in wire.points]
    across = max(xs) >= sight.left() and min(xs) <= sight.right()
    return across and max(ys) >= sight.top() and min(ys) <= sight.bottom()


def _shift(low: float, high: float, begin: float, end: float) -> float:
    """The distance to move [low, high] so that it contains [begin, end]."""
    if begin < low:
        return begin - low
    return min(begin - low, end - high) if end > high else 0.0


def _tiles_in(area: QRect) -> list[tuple[int, int]]:
    """The tiles that an area of the zoomed picture touches."""
    columns = range(area.left() // _SIDE, area.right() // _SIDE + 1)
    return [(x, y) for y in range(area.top() // _SIDE, area.bottom() // _SIDE + 1) for x in columns]
