"""The choices that a button of the banner has made for the programs of this window, each of which can be removed."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QLabel, QPushButton, QVBoxLayout, QWidget

_HEADING = "For this window"


class AddedChoices(QWidget):
    """Folders of headers, and functions whose bodies are left out; out of sight while there are none. `changed`: some
    were added or removed.
    """

    changed = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.folders: tuple[str, ...] = ()
        self.functions: tuple[str, ...] = ()
        self._rows = QVBoxLayout(self)
        self._rows.setContentsMargins(0, 0, 0, 0)
        self.hide()

    def add(self, folders: Iterable[str] = (), functions: Iterable[str] = ()) -> None:
        """Add choices; those that are there stay."""
        self.folders = tuple(dict.fromkeys((*self.folders, *folders)))
        self.functions = tuple(dict.fromkeys((*self.functions, *functions)))
        self._show()

    def _remove(self, choice: str) -> None:
        self.folders = tuple(one for one in self.folders if one != choice)
        self.functions = tuple(one for one in self.functions if one != choice)
        self._show()

    def _show(self) -> None:
        while self._rows.count():
            row = self._rows.takeAt(0).widget()
            row.hide()
            row.deleteLater()
        named = {one: f"headers in {one}" for one in self.folders}
        named |= {one: f"without the body of {one}" for one in self.functions}
        if named:
            heading = QLabel(_HEADING)
            heading.setProperty("role", "heading")
            self._rows.addWidget(heading)
        for choice, words in named.items():
            self._rows.addWidget(self._row(choice, words))
        self.setVisible(bool(named))
        self.changed.emit()

    def _row(self, choice: str, words: str) -> QWidget:
        row = QWidget()
        layout = QHBoxLayout(row)
        layout.setContentsMargins(0, 0, 0, 0)
        label = QLabel(words)
        label.setWordWrap(True)
        label.setTextFormat(Qt.TextFormat.PlainText)
        button = QPushButton("Remove")
        button.setAccessibleName(f"Remove: {words}")
        button.clicked.connect(partial(self._remove, choice))
        layout.addWidget(label, 1)
        layout.addWidget(button)
        return row
