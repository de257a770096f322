"""The content of an empty panel: a sentence with the reason, and at most one action."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QPushButton, QVBoxLayout, QWidget

_LIST, _ANY = 70, 16_777_215  # the width of a list in characters, and that of a sentence in pixels


class EmptyView(QWidget):
    """A page with a sentence and a button, which is shown if there is an action."""

    def __init__(self, sentence: str = "", parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._label = QLabel()
        self._label.setProperty("role", "quiet")
        self._label.setWordWrap(True)
        self.say(sentence)
        self.button = QPushButton()
        self.button.hide()
        self.button.clicked.connect(self._act)
        self._action: Callable[[], None] = lambda: None
        layout = QVBoxLayout(self)
        layout.setContentsMargins(24, 24, 24, 24)
        layout.addStretch(1)
        layout.addWidget(self._label)
        layout.addWidget(self.button, 0, Qt.AlignmentFlag.AlignHCenter)
        layout.addStretch(2)

    def say(self, sentence: str) -> None:
        """Show a sentence, or a list, whose lines begin below each other."""
        self._label.setText(sentence)
        several = "\n" in sentence
        self._label.setAlignment(Qt.AlignmentFlag.AlignLeft if several else Qt.AlignmentFlag.AlignCenter)
        self._label.setMaximumWidth(self._label.fontMetrics().averageCharWidth() * _LIST if several else _ANY)

    def offer(self, text: str, action: Callable[[], None]) -> None:
        """Show a button for an action; none for an empty text."""
        self.button.setText(text)
        self._action = action
        self.button.setVisible(bool(text))

    def offer_nothing(self) -> None:
        """Hide the button."""
        self.button.hide()

    @property
    def sentence(self) -> str:
        return self._label.text()

    def _act(self) -> None:
        self._action()
