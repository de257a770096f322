"""The chart of the timeline: above, the numbers of predicates; below, the time of each round by phases.

Only visible columns are painted, and of these only changed ones. The phase of a bar has a pattern as well as a colour.
"""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QLineF, QPointF, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QBrush,
    QColor,
    QFontMetrics,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPalette,
    QPen,
    QPolygonF,
    QResizeEvent,
    QWheelEvent,
)
from PySide6.QtWidgets import QAbstractScrollArea, QWidget

from gui.theme import Colours, colours_of
from interplay.presentation.record.timeline import EDITED, EXCLUDED, FOUND, NO_BREAK, STUCK, TimelineColumn, phases_of

_NARROWEST_GUTTER = 92  # pixels at the left, for what the two bands mean
_NARROWEST, _WIDEST = 14, 88
_FOOT = 20  # for numbers and signs
_HEAD = 5  # of a stem
_BESIDE_EDGE = 4  # from the edge of the cursor to a number
_PATTERNS = (Qt.BrushStyle.SolidPattern, Qt.BrushStyle.BDiagPattern, Qt.BrushStyle.Dense4Pattern)


class TimelineChart(QAbstractScrollArea):
    """The chart. `chosen(index)`: the cursor was moved to a column; `settled()`: it stays where it is, after a click or
    Return. The cursor is at `current`; None is the end, after the last one.
    """

    chosen = Signal(int)
    settled = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.columns: Sequence[TimelineColumn] = ()
        self.current: int | None = None
        self.counted = "Predicates"  # what the upper band counts
        self._phases: tuple[str, ...] = ()
        self._longest = 0.0
        self._most = 1
        self._width = _WIDEST
        self._gutter = _NARROWEST_GUTTER
        self.setFrameShape(QAbstractScrollArea.Shape.NoFrame)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAccessibleName("Refinement timeline")
        self.viewport().setMouseTracking(True)
        self.setMinimumHeight(90)

    def sizeHint(self) -> QSize:  # noqa: N802 - Qt's name
        return QSize(600, 150)

    def show_columns(self, columns: Sequence[TimelineColumn], current: int | None) -> None:
        """Show columns, with the cursor at one of them."""
        grown = len(columns) != len(self.columns)
        self.columns = columns
        self._phases = phases_of(columns)
        self._longest = max((column.seconds for column in columns), default=0.0)
        self._most = max((column.lemmas for column in columns), default=0) or 1
        texts = [line for title, most in self._bands() for line in (title, _most(most))]
        metrics = self.fontMetrics()
        self._gutter = max(_NARROWEST_GUTTER, 18 + max(map(metrics.horizontalAdvance, texts)))
        self._fit()
        self.move_cursor(current, follow=grown or current is not None)
        self.viewport().update()

    def move_cursor(self, current: int | None, follow: bool = True) -> None:
        self._update_column(self._shown)
        self.current = current
        words = self.columns[self._shown].words if self.columns else "no refinement yet"
        self.setAccessibleDescription(words)
        if follow and self.columns:
            self._bring_into_sight(self._shown)
        self._update_column(self._shown)

    def _update_column(self, index: int) -> None:
        place = QRect(self._left(index), 0, self._width, self.viewport().height())
        self.viewport().update(place.adjusted(-2, 0, 2, 0))  # ends of dashes stand out

    @property
    def _shown(self) -> int:
        """The column of the cursor, or the last one."""
        return len(self.columns) - 1 if self.current is None else min(self.current, len(self.columns) - 1)

    def _bands(self) -> tuple[tuple[str, str], tuple[str, str]]:
        """The titles of the two bands, with their largest values."""
        longest = f"{self._longest:{'.2f' if self._longest < 10 else '.0f'}}{NO_BREAK}s"
        return (self.counted, str(self._most)), ("On the clock", longest)

    # Geometry

    def _fit(self) -> None:
        """Fit the columns to the width, within bounds; beyond these the chart scrolls."""
        room = max(1, self.viewport().width() - self._gutter)
        self._width = max(_NARROWEST, min(_WIDEST, room // max(1, len(self.columns))))
        bar = self.horizontalScrollBar()
        bar.setRange(0, max(0, self._width * len(self.columns) - room))
        bar.setPageStep(room)
        bar.setSingleStep(self._width)

    def _bring_into_sight(self, index: int) -> None:
        bar, room = self.horizontalScrollBar(), self.viewport().width() - self._gutter
        left = index * self._width
        if left < bar.value():
            bar.setValue(left)
        elif left + self._width > bar.value() + room:
            bar.setValue(left + self._width - room)

    def _left(self, index: int) -> int:
        return self._gutter + index * self._width - self.horizontalScrollBar().value()

    def column_at(self, x: float) -> int | None:
        """The column at a place of the viewport."""
        index = int(x - self._gutter + self.horizontalScrollBar().value()) // self._width
        return index if x >= self._gutter and 0 <= index < len(self.columns) else None

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802 - Qt's name
        self._fit()
        if self.columns:
            self._bring_into_sight(self._shown)

    def scrollContentsBy(self, dx: int, dy: int) -> None:  # noqa: N802 - Qt's name
        """Move what is painted; Qt asks for the rest."""
        self.viewport().scroll(dx, 0, self.viewport().rect().adjusted(self._gutter, 0, 0, 0))

    # Painting

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802 - Qt's name
        if not self.columns:
            return
        painter = QPainter(self.viewport())
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        area = self.viewport().rect()
        colours = colours_of(self.palette())
        foot = QRect(0, area.height() - _FOOT, area.width(), _FOOT)
        upper = QRect(0, 4, area.width(), (area.height() - _FOOT) * 2 // 5 - 4)
        lower = QRect(0, upper.bottom() + 6, area.width(), foot.top() - upper.bottom() - 8)
        widest = painter.fontMetrics().horizontalAdvance(f"{len(self.columns)} {EXCLUDED}{EDITED}")
        start, stop = self._columns_in(event.rect(), widest)
        painter.save()
        painter.setClipRect(area.adjusted(self._gutter, 0, 0, 0))
        painter.setBrushOrigin(-self.horizontalScrollBar().value(), 0)  # patterns are moved with what they fill
        self._paint_cursor(painter, colours, area)
        self._paint_counts(painter, colours, upper, start, stop)
        self._paint_bars(painter, colours, lower, range(start, stop))
        for index in range(start, stop):
            self._paint_foot(painter, colours, foot, index, widest)
        painter.restore()
        self._paint_gutter(painter, colours, upper, lower, foot)

    def _columns_in(self, area: QRect, widest: int) -> tuple[int, int]:
        """The range of columns to be painted in an area. Labels below a column may be up to `widest` pixels wide."""
        beyond = self._gutter - self.horizontalScrollBar().value()
        start = (max(area.left(), self._gutter) - max(widest, self._width) - beyond) // self._width
        stop = (area.right() + _HEAD - beyond) // self._width + 1
        return max(0, start), min(len(self.columns), stop)

    def _paint_cursor(self, painter: QPainter, colours: Colours, area: QRect) -> None:
        """Paint the cursor: a band with an edge, which is dashed at the end of the run."""
        place = QRectF(self._left(self._shown) + 1, 1, self._width - 2, area.height() - 2)
        edge = QPen(colours.named("cursor_edge"), 2)
        if self.current is None:
            edge.setStyle(Qt.PenStyle.DashLine)
        painter.setPen(edge)
        painter.setBrush(colours.named("cursor"))
        painter.drawRoundedRect(place, 4, 4)

    def _paint_counts(self, painter: QPainter, colours: Colours, band: QRect, start: int, stop: int) -> None:
        """Paint the number of predicates as a stem with a head: a triangle where some were learned."""
        metrics = painter.fontMetrics()
        points = [(self.columns[index], self._count_point(index, band)) for index in range(start, stop)]
        painter.setPen(QPen(colours.named("quiet"), 1.5))
        painter.drawLines([QLineF(point, QPointF(point.x(), band.bottom())) for _, point in points])
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(colours.named("new"))
        for column, point in points:
            if column.new_lemmas:
                painter.drawPolygon(_triangle(point, _HEAD))
        painter.setBrush(colours.named("quiet"))
        for column, point in points:
            if not column.new_lemmas:
                painter.drawEllipse(point, 2.5, 2.5)
        if self._width - min(self._width / 2, 12) - 12 > metrics.horizontalAdvance("0"):
            for column, point in points:
                self._paint_count(painter, colours, metrics, column, point)

    def _paint_count(
        self, painter: QPainter, colours: Colours, metrics: QFontMetrics, column: TimelineColumn, point: QPointF
    ) -> None:
        more = f" +{column.new_lemmas}" if column.new_lemmas else ""
        room = self._width - min(self._width / 2, 12) - 12
        fitting = (
            text for text in (f"{column.lemmas}{more}", str(column.lemmas)) if metrics.horizontalAdvance(text) <= room
        )
        text = next(fitting, "")
        if text:
            painter.setPen(colours.named("new" if column.new_lemmas else "quiet"))
            painter.drawText(QPointF(point.x() + 7, point.y() + metrics.ascent() / 2 - 1), text)

    def _count_point(self, index: int, band: QRect) -> QPointF:
        share = self.columns[index].lemmas / self._most
        x = self._left(index) + min(self._width / 2, 12)
        return QPointF(x, band.bottom() - 6 - share * (band.height() - 12))

    def _paint_bars(self, painter: QPainter, colours: Colours, band: QRect, columns: range) -> None:
        """Paint the times of columns, phase by phase, since to change brushes takes longer than to fill."""
        bars: dict[str, list[QRectF]] = {}
        width, scale = min(self._width - 4.0, 36.0), (band.height() - 2) / self._longest if self._longest else 0.0
        for index in columns:
            left, bottom = self._left(index) + 2.0, float(band.bottom())
            for name, seconds in self.columns[index].row.seconds.items():
                height = seconds * scale
                if height >= 0.5:
                    bars.setdefault(name, []).append(QRectF(left, bottom - height, width, height))
                bottom -= height
        for name, rects in bars.items():
            brush = brush_of(self._phases.index(name), colours)
            painter.setPen(QPen(brush.color(), 1))
            painter.setBrush(brush)
            painter.drawRects(rects)

    def _paint_foot(self, painter: QPainter, colours: Colours, band: QRect, index: int, widest: int) -> None:
        column = self.columns[index]
        every = 1 if widest + _BESIDE_EDGE + 2 <= self._width else 5
        sign = (f" {EDITED}" if column.edits else "") + (f" {column.sign}" if every == 1 and column.sign else "")
        text = f"{column.title}{sign}" if column.round % every == 0 or every == 1 else sign.strip()
        painter.setPen(
            colours.named("bad") if column.sign in (FOUND, STUCK) else self.palette().color(QPalette.ColorRole.Text)
        )
        if not text:
            return
        place = QRect(self._left(index) + _BESIDE_EDGE, band.top(), max(self._width, widest), band.height())
        painter.drawText(place, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter, text)

    def _paint_gutter(self, painter: QPainter, colours: Colours, upper: QRect, lower: QRect, foot: QRect) -> None:
        painter.setPen(colours.named("quiet"))
        flags = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop
        room = self._gutter - 10
        for band, (title, most) in zip((upper, lower), self._bands(), strict=True):
            lines = f"{title}\n{_most(most)}" if band.height() >= 2 * painter.fontMetrics().height() else title
            painter.drawText(QRect(8, band.top(), room, band.height()), flags, lines)
        refined = any(column.sign in (EXCLUDED, STUCK) for column in self.columns)
        word = "Refinement" if refined else "Round"
        painter.drawText(QRect(8, foot.top(), room, foot.height()), Qt.AlignmentFlag.AlignVCenter, word)
        painter.setPen(colours.named("line"))
        painter.drawLine(self._gutter, foot.top(), self.viewport().width(), foot.top())

    # What a person does

    def mousePressEvent(self, event: QMouseEvent) -> None:  # noqa: N802 - Qt's name
        self._choose_at(event.position().x())

    def mouseMoveEvent(self, event: QMouseEvent) -> None:  # noqa: N802 - Qt's name
        index = self.column_at(event.position().x())
        self.viewport().setToolTip("" if index is None else self.columns[index].words)
        if event.buttons() & Qt.MouseButton.LeftButton:
            self._choose_at(event.position().x())

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:  # noqa: N802 - Qt's name
        if event.button() is Qt.MouseButton.LeftButton and self.column_at(event.position().x()) is not None:
            self.settled.emit()

    def _choose_at(self, x: float) -> None:
        index = self.column_at(x)
        if index is not None and index != self.current:
            self.chosen.emit(index)

    def wheelEvent(self, event: QWheelEvent) -> None:  # noqa: N802 - Qt's name
        delta = event.angleDelta()
        bar = self.horizontalScrollBar()
        bar.setValue(bar.value() - (delta.x() or delta.y()))

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802 - Qt's name
        last, now = len(self.columns) - 1, self._shown
        match event.key():
            case Qt.Key.Key_Left:
                goal = now if self.current is None else now - 1
            case Qt.Key.Key_Right:
                goal = now + 1
            case Qt.Key.Key_Home:
                goal = 0
            case Qt.Key.Key_End:
                goal = last
            case Qt.Key.Key_Return | Qt.Key.Key_Enter:
                self.settled.emit()
                return
            case _:
                super().keyPressEvent(event)
                return
        if self.columns and 0 <= goal <= last and goal != self.current:
            self.chosen.emit(goal)


def _most(value: str) -> str:
    return f"maximum {value}"


def brush_of(phase: int, colours: Colours) -> QBrush:
    """The fill of the bars of a phase."""
    series = colours.chart()
    return QBrush(QColor(series[phase % len(series)]), _PATTERNS[phase % len(_PATTERNS)])


def _triangle(tip: QPointF, size: float) -> QPolygonF:
    x, y = tip.x(), tip.y()
    return QPolygonF([QPointF(x, y - size), QPointF(x + size, y + size * 0.7), QPointF(x - size, y + size * 0.7)])
