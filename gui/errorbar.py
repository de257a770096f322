"""The error bar: a line above the verdict with the last error, or what was written, until the next action or Escape."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QEvent, Qt, QUrl
from PySide6.QtGui import QDesktopServices, QGuiApplication
from PySide6.QtWidgets import QHBoxLayout, QLabel, QPushButton, QWidget

from gui.theme import colours_of
from gui.views.buttons import icon_button


class ErrorBar(QWidget):
    """A bar for one error: `say` shows a sentence; its details, if any, can be copied, a file can be opened."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.setObjectName("error")
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
        layout.addWidget(self._label, 1)
        layout.addWidget(self.open)
        layout.addWidget(self._copy)
        layout.addWidget(icon_button("close", "Hide this message", self.clear))
        self.hide()
        self._colour()

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

    def changeEvent(self, event: QEvent) -> None:  # noqa: N802 - Qt's name
        super().changeEvent(event)
        if event.type() == QEvent.Type.ApplicationPaletteChange:
            self._colour()

    def _colour(self) -> None:
        colours = colours_of(self.palette())
        self.setStyleSheet(f"#error {{ background: {colours.open_back}; border-bottom: 1px solid {colours.open}; }}")
