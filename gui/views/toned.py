"""A bar in the colour of a verdict, with its sign. The style sheet of the application has the colours, so that bars
follow a change of theme by themselves.
"""

from __future__ import annotations

from PySide6.QtCore import QEvent, QSize, Qt
from PySide6.QtWidgets import QLabel, QWidget

from gui.icons import icon
from gui.theme import SIGNS, tint_of
from interplay.presentation.record.summary import Tone


class TonedBar(QWidget):
    """A bar with a tone. `sign` shows it in `side` pixels; labels that are given to `tint` have its colour, too."""

    def __init__(self, tone: Tone, side: int, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.sign = QLabel()
        self._side = side
        self._tone = tone
        self._tinted: list[QWidget] = [self]
        self._colour()

    def tint(self, label: QLabel) -> None:
        self._tinted.append(label)
        self._colour()

    def set_tone(self, tone: Tone) -> None:
        if tone is not self._tone:
            self._tone = tone
            self._colour()

    def changeEvent(self, event: QEvent) -> None:  # noqa: N802 - Qt's name
        super().changeEvent(event)
        if event.type() in (QEvent.Type.ApplicationPaletteChange, QEvent.Type.PaletteChange):
            self._draw_sign()

    def _colour(self) -> None:
        for widget in self._tinted:
            set_tone(widget, self._tone)
        self._draw_sign()

    def _draw_sign(self) -> None:
        self.sign.setPixmap(icon(SIGNS[self._tone], tint_of(self._tone)).pixmap(QSize(self._side, self._side)))


def set_tone(widget: QWidget, tone: Tone) -> None:
    """Give a label, or a bar, the colours of a tone."""
    widget.setProperty("tone", tint_of(tone))
    widget.style().unpolish(widget)
    widget.style().polish(widget)
