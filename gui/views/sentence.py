"""A label for sentences: long ones have several lines."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel

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
