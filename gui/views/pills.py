"""Pills behind the ends of lines: where they are, how they look, and the strip that counts those out of sight.

A pill never lies over text: what does not fit behind it is reached by scrolling, and counted at the right edge.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from PySide6.QtCore import QPoint, QRectF, Qt, Signal
from PySide6.QtGui import QFont, QFontMetrics, QHelpEvent, QMouseEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QToolTip, QWidget

from gui.theme import Colours, colours_of
from interplay.presentation.record.marks import Pill

_LONGEST = 60  # characters
_PADDING, _GAP = 6, 6  # pixels
BEFORE = 16  # pixels between the end of a line and its first pill


@dataclass(frozen=True)
class Placed:
    """A pill at its place in a line; `left` in pixels from the left end of the text."""

    pill: Pill
    text: str
    left: float
    width: float

    @property
    def right(self) -> float:
        return self.left + self.width


def pill_font(font: QFont) -> QFont:
    """The font of pills beside text in another one."""
    smaller = QFont(font)
    smaller.setPointSizeF(font.pointSizeF() * 0.9)
    return smaller


def place(metrics: QFontMetrics, pills: tuple[Pill, ...], end: float, view: float = math.inf) -> tuple[Placed, ...]:
    """The pills of a line whose text ends at `end`, one after the other; each fits into the width of a view."""
    found: list[Placed] = []
    left = end + BEFORE
    for pill in pills:
        text = pill.text if len(pill.text) <= _LONGEST else f"{pill.text[: _LONGEST - 1]}…"
        width = metrics.horizontalAdvance(text) + 2 * _PADDING
        if width > view - 2 * BEFORE:
            text = metrics.elidedText(text, Qt.TextElideMode.ElideRight, round(view - 2 * BEFORE - 2 * _PADDING))
            width = metrics.horizontalAdvance(text) + 2 * _PADDING
        found.append(Placed(pill, text, left, width))
        left = found[-1].right + _GAP
    return tuple(found)


def paint(painter: QPainter, colours: Colours, one: Placed, middle: float) -> None:
    """Paint a pill around a height. The origin of the painter is at the left end of the text."""
    height = painter.fontMetrics().height()
    area = QRectF(one.left, middle - height / 2, one.width, height)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(colours.named(f"{one.pill.kind}_back"))
    painter.drawRoundedRect(area, 4, 4)
    painter.setPen(colours.named(one.pill.kind))
    painter.drawText(area, Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextDontClip, one.text)


@dataclass(frozen=True)
class Unseen:
    """The pills of a line that are out of sight at the right, and where the line is in the view."""

    line: int
    area: QRectF
    pills: tuple[Placed, ...]


class PillStrip(QWidget):
    """A column right of the text: `…3` where three pills are out of sight. A click asks to show them."""

    wanted = Signal(object)

    def __init__(self, unseen: Callable[[], Iterator[Unseen]], parent: QWidget) -> None:
        super().__init__(parent)
        self._unseen = unseen
        self.setAccessibleName("Values and predicates out of sight")
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.hide()

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802 - Qt's name
        colours = colours_of(self.palette())
        painter = QPainter(self)
        painter.fillRect(event.rect(), colours.named("raised"))
        painter.setFont(self.font())
        for one in self._unseen():
            painter.setPen(colours.named(one.pills[0].pill.kind))
            area = QRectF(0, one.area.top(), self.width() - 3, one.area.height())
            painter.drawText(area, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter, f"…{len(one.pills)}")
        painter.end()

    def explain(self, at: QPoint) -> str:
        """What is out of sight in a line, in words."""
        found = self._at(at)
        if found is None:
            return ""
        return "\n".join(("Out of sight; a click scrolls there:", *(one.pill.text for one in found.pills)))

    def _at(self, place: QPoint) -> Unseen | None:
        return next((one for one in self._unseen() if one.area.top() <= place.y() < one.area.bottom()), None)

    def event(self, event: object) -> bool:
        if isinstance(event, QHelpEvent):
            QToolTip.showText(event.globalPos(), self.explain(event.pos()), self)
            return True
        return super().event(event)  # type: ignore[arg-type]

    def mousePressEvent(self, event: QMouseEvent) -> None:  # noqa: N802 - Qt's name
        event.accept()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:  # noqa: N802 - Qt's name
        found = self._at(event.position().toPoint())
        if found is not None:
            self.wanted.emit(found)
