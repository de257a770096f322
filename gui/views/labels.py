"""Labels and texts that the theme, and the breaking of lines, do not spoil."""

from __future__ import annotations

from PySide6.QtCore import QEvent, Qt
from PySide6.QtWidgets import QLabel, QTextBrowser

_JOINED = "\N{WORD JOINER}"  # no line is broken there


class Sentence(QLabel):
    """A sentence in plain text, whose lines break neither an option (`--check`) nor an operator (`i++`)."""

    def __init__(self) -> None:
        super().__init__()
        self.setWordWrap(True)
        self.setTextFormat(Qt.TextFormat.PlainText)

    def setText(self, text: str) -> None:  # noqa: N802 - Qt's name
        super().setText(text.replace("++", f"+{_JOINED}+").replace("--", f"-{_JOINED}-{_JOINED}"))

    def text(self) -> str:
        return super().text().replace(_JOINED, "")


class HtmlText(QTextBrowser):
    """A text with links that scrolls. Qt writes the colours of links into a text when it reads it, so it is read again
    with each theme.
    """

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
    """Some lines with links, read again with each theme."""

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
