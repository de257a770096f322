"""The error bar: a line above the verdict with the last error, or what was written, until the next action or Escape."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import Qt, QUrl
from PySide6.QtGui import QDesktopServices, QGuiApplication
from PySide6.QtWidgets import QHBoxLayout, QLabel, QPushButton, QWidget

from gui.views.buttons import icon_button
from gui.views.toned import TonedBar
from interplay.presentation.record.summary import Tone


class ErrorBar(TonedBar):
    """A bar for one error: `say` shows a sentence; its details, if any, can be copied, a file can be opened."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(Tone.UNKNOWN, 18, parent)
        self._label = QLabel()
        self._label.setWordWrap(True)
        self._label.setTextFormat(Qt.TextFormat.PlainText)
        self._label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self._details = ""
        self._copy = QPushButton("Copy details")
        self._copy.clicked.connect(lambda: QGuiApplication.clipboard().setText(self._details))
        self._file: Path | None = None
        self.open = QPushButton("Open")
        self.open.clicked.connect(self._open)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(12, 6, 8, 6)
        layout.addWidget(self.sign)
        layout.addWidget(self._label, 1)
        layout.addWidget(self.open)
        layout.addWidget(self._copy)
        layout.addWidget(icon_button("close", "Hide this message", self.clear))
        self.hide()

    @property
    def sentence(self) -> str:
        """The sentence shown; empty if there is none."""
        return "" if self.isHidden() else self._label.text()

    def say(self, sentence: str, details: str = "", file: Path | None = None) -> None:
        self._label.setText(sentence)
        self._details = details
        self._copy.setVisible(bool(details))
        self._file = file
        self.open.setVisible(file is not None)
        self.setAccessibleName(sentence)
        self.show()

    def clear(self) -> None:
        self.hide()

    def _open(self) -> None:
        if self._file is not None and not QDesktopServices.openUrl(QUrl.fromLocalFile(str(self._file))):
            self.say(f"No program is known that opens {self._file}.")
