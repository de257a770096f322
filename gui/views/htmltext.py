"""Texts with links. Qt writes the colours of links into a text when it reads it, so each is read again with a theme."""

from __future__ import annotations

from PySide6.QtCore import QEvent, Qt
from PySide6.QtWidgets import QLabel, QTextBrowser


class HtmlText(QTextBrowser):
    """A text that scrolls."""

    _html = ""

    def setHtml(self, text: str) -> None:  # noqa: N802 - Qt's name
        self._html = text
        super().setHtml(text)

    def changeEvent(self, event: QEvent) -> None:  # noqa: N802 - Qt's name
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange:
            at = self.verticalScrollBar().value()
            self.read_again()
            self.verticalScrollBar().setValue(at)

    def read_again(self) -> None:
        """Read the text once more, with the colours of now."""
        if self._html:
            super().setHtml(self._html)


class HtmlLabel(QLabel):
    """A text of some lines."""

    def __init__(self) -> None:
        super().__init__()
        self.setWordWrap(True)
        self.setTextFormat(Qt.TextFormat.RichText)

    def changeEvent(self, event: QEvent) -> None:  # noqa: N802 - Qt's name
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange and self.text():
            text = self.text()
            self.clear()  # Qt does nothing where the text is the same
            self.setText(text)
