"""A bound that floating-point numbers miss by one: the numbers around it in order, with what has which value."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QWidget

from gui.theme import code_font, colours_of
from interplay.presentation.float_words import NumberLine

_EDGE = 8  # pixels beside the line
_TICK = 5


class NumberLineView(QWidget):
    """The line; out of sight where there is none. Its words are its accessible name, and the head of the picture."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._line: NumberLine | None = None
        self.hide()

    def show_line(self, line: NumberLine | None) -> None:
        """Show other numbers, or none."""
        self._line = line
        self.setVisible(line is not None)
        if line is not None:
            said = ", ".join(
                f"{number} ({name})" if name else number for number, name in zip(line.numbers, line.names, strict=True)
            )
            self.setAccessibleName(f"{line.words} {said}")
            self.setToolTip(f"{line.words}\nNeighbours: {said}")
            self.updateGeometry()
            self.update()

    def sizeHint(self) -> QSize:  # noqa: N802 - Qt's name
        return QSize(200, 4 * self.fontMetrics().height() + 2 * _TICK + 8)

    def minimumSizeHint(self) -> QSize:  # noqa: N802 - Qt's name
        return self.sizeHint()

    def paintEvent(self, _: QPaintEvent) -> None:  # noqa: N802 - Qt's name
        if self._line is None:
            return
        colours, roles = colours_of(self.palette()), self.palette()
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        height = self.fontMetrics().height()
        painter.setPen(roles.text().color())
        centred = Qt.AlignmentFlag.AlignCenter
        painter.drawText(QRectF(_EDGE, 2, self.width() - _EDGE, height), Qt.AlignmentFlag.AlignLeft, self._line.words)
        font = code_font()
        step = (self.width() - 2 * _EDGE) / len(self._line.numbers)
        widest = max(painter.fontMetrics().horizontalAdvance(f"{number}  ") for number in self._line.numbers)
        font.setPointSizeF(max(5.0, font.pointSizeF() * min(1.0, step / max(1, widest))))
        painter.setFont(font)
        y = 2 * height + 6.0 + _TICK
        painter.setPen(QPen(roles.text().color(), 1.5))
        painter.drawLine(QPointF(_EDGE, y), QPointF(self.width() - _EDGE, y))
        for place, (number, name) in enumerate(zip(self._line.numbers, self._line.names, strict=True)):
            x = _EDGE + (place + 0.5) * step
            painter.setPen(QPen(colours.named("bad") if name else roles.text().color(), 3.0 if name else 1.5))
            painter.drawLine(QPointF(x, y - _TICK), QPointF(x, y + _TICK))
            painter.setPen(colours.named("bad") if name else roles.text().color())
            painter.drawText(QRectF(x - step / 2, y - _TICK - height - 2, step, height), centred, name)
            painter.drawText(QRectF(x - step / 2, y + _TICK + 2, step, height), centred, number)
