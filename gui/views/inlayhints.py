"""Inlay hints at the ends of source lines: their layout and painting, and a strip that counts hidden ones.

A hint never covers text: hints that do not fit are reached by scrolling, and counted at the right edge.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator

from PySide6.QtCore import QPoint, QRectF, Qt, Signal
from PySide6.QtGui import QFont, QFontMetrics, QHelpEvent, QMouseEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QToolTip, QWidget

from core.dataclass import dataclass
from gui.theme import Colours, colours_of
from interplay.presentation.record.marks import InlayHint

_LONGEST = 60  # characters
_PADDING, _GAP = 6, 6  # pixels
BEFORE = 16  # pixels between the end of a line and its first hint


@dataclass(frozen=True)
class PlacedHint:
    """A hint with its position in a line; `left` in pixels from the left end of the text."""

    hint: InlayHint
    text: str
    left: float
    width: float

    @property
    def right(self) -> float:
        return self.left + self.width


def hint_font(font: QFont) -> QFont:
    """The font of hints, smaller than that of the text."""
    smaller = QFont(font)
    smaller.setPointSizeF(font.pointSizeF() * 0.9)
    return smaller


def place(
    metrics: QFontMetrics, hints: tuple[InlayHint, ...], end: float, view: float = math.inf
) -> tuple[PlacedHint, ...]:
    """Place the hints of a line whose text ends at `end`, one after the other; each fits into the width of a view."""
    placed: list[PlacedHint] = []
    left = end + BEFORE
    for hint in hints:
        text = hint.text if len(hint.text) <= _LONGEST else f"{hint.text[: _LONGEST - 1]}…"
        width = metrics.horizontalAdvance(text) + 2 * _PADDING
        if width > view - 2 * BEFORE:
            text = metrics.elidedText(text, Qt.TextElideMode.ElideRight, round(view - 2 * BEFORE - 2 * _PADDING))
            width = metrics.horizontalAdvance(text) + 2 * _PADDING
        placed.append(PlacedHint(hint, text, left, width))
        left = placed[-1].right + _GAP
    return tuple(placed)


def paint(painter: QPainter, colours: Colours, hint: PlacedHint, middle: float) -> None:
    """Paint a hint centred at a height. The origin of the painter is at the left end of the text."""
    height = painter.fontMetrics().height()
    area = QRectF(hint.left, middle - height / 2, hint.width, height)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(colours.named(f"{hint.hint.kind}_back"))
    painter.drawRoundedRect(area, 4, 4)
    painter.setPen(colours.named(hint.hint.kind))
    painter.drawText(area, Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextDontClip, hint.text)


@dataclass(frozen=True)
class HiddenHints:
    """The hidden hints of a line, beyond the right edge, and the area of the line in the view."""

    line: int
    area: QRectF
    hints: tuple[PlacedHint, ...]


class HiddenHintsStrip(QWidget):
    """A column right of the text: `…3` where three hints are hidden. A click asks to show them."""

    wanted = Signal(object)

    def __init__(self, hidden: Callable[[], Iterator[HiddenHints]], parent: QWidget) -> None:
        super().__init__(parent)
        self._hidden = hidden
        self.setAccessibleName("Values and predicates out of sight")
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.hide()

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802 - Qt's name
        colours = colours_of(self.palette())
        painter = QPainter(self)
        painter.fillRect(event.rect(), colours.named("raised"))
        painter.setFont(self.font())
        for one in self._hidden():
            painter.setPen(colours.named(one.hints[0].hint.kind))
            area = QRectF(0, one.area.top(), self.width() - 3, one.area.height())
            painter.drawText(area, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter, f"…{len(one.hints)}")
        painter.end()

    def explain(self, at: QPoint) -> str:
        """The hidden hints of a line, as a tooltip."""
        found = self._at(at)
        if found is None:
            return ""
        return "\n".join(("Out of sight; a click scrolls there:", *(one.hint.text for one in found.hints)))

    def _at(self, place: QPoint) -> HiddenHints | None:
        return next((one for one in self._hidden() if one.area.top() <= place.y() < one.area.bottom()), None)

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
