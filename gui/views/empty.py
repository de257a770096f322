"""The content of an empty panel: a sentence with the reason, and at most one action."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QPushButton, QVBoxLayout, QWidget


class EmptyView(QWidget):
    """A page with a sentence and a button, which is shown if there is an action."""

    def __init__(self, sentence: str = "", parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._label = QLabel(sentence)
        self._label.setProperty("role", "quiet")
        self._label.setWordWrap(True)
        self._label.setAlignment(Qt.AlignmentFlag.AlignCenter)
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
        self._label.setText(sentence)

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
