"""Editing in place: a strip above the source that says so, saves the text or discards it.

Marks, values and predicates are those of the text before, so they are hidden meanwhile. What was typed and not saved
stays with its file, also while another run is shown.
"""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QHBoxLayout, QLabel, QWidget

from gui.model.disk import save_text
from gui.views.buttons import text_button
from gui.views.sourcetext import SourceText


class EditStrip(QWidget):
    """The strip. `saved()`: a file has another text now; `ended(file)`: what was typed there is discarded."""

    saved = Signal()
    ended = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._drafts: dict[str, str] = {}
        self._before: dict[str, str] = {}
        self._file = ""
        self._text: SourceText | None = None
        self.words = QLabel()
        self.words.setWordWrap(True)
        self.save = text_button("check", "Save", "Write the text to its file, and show it (Ctrl+Return)")
        self.save.clicked.connect(self._save)
        self.discard = text_button("close", "Discard", "Show the text of before again")
        self.discard.clicked.connect(self._discard)
        row = QHBoxLayout(self)
        row.setContentsMargins(12, 4, 8, 4)
        row.addWidget(self.words, 1)
        row.addWidget(self.save)
        row.addWidget(self.discard)
        keys = QShortcut(QKeySequence("Ctrl+Return"), self, context=Qt.ShortcutContext.WindowShortcut)
        keys.activated.connect(self._save)
        self.hide()

    @property
    def unsaved(self) -> tuple[str, ...]:
        """The files with a text that is not saved."""
        return tuple(file for file, text in self._drafts.items() if text != self._before[file])

    def is_edited(self, file: str) -> bool:
        return file in self._drafts

    def begin(self, file: str, text: SourceText) -> None:
        """Let a file be edited."""
        if file not in self._drafts:
            self._before[file] = self._drafts[file] = text.toPlainText()
        self.resume(file, text)
        self.show_file(file, text)
        text.setFocus()

    def resume(self, file: str, text: SourceText) -> None:
        """Show what was typed in a file that is shown again."""
        if file not in self._drafts or not text.isReadOnly():
            return
        if text.toPlainText() != self._drafts[file]:
            text.setPlainText(self._drafts[file])
        text.set_editable(True)
        text.textChanged.connect(lambda: self._typed(file, text))

    def show_file(self, file: str, text: SourceText | None) -> None:
        """Show the strip if this file, which is in sight, is edited."""
        self._file, self._text = file, text
        self.setVisible(file in self._drafts)
        self.words.setText("You edit this text. Marks and values are hidden: they are those of the text before.")

    def _typed(self, file: str, text: SourceText) -> None:
        if file in self._drafts and not text.isReadOnly():
            self._drafts[file] = text.toPlainText()

    def _save(self) -> None:
        if self._file not in self._drafts or self._text is None:
            return
        why = save_text(self._file, self._before[self._file], self._drafts[self._file])
        if why:
            self.words.setText(why)
            return
        self._end()
        self.saved.emit()

    def _discard(self) -> None:
        if self._file in self._drafts and self._text is not None:
            self._text.setPlainText(self._before[self._file])
            self._end()
            self.ended.emit(self._file)

    def _end(self) -> None:
        assert self._text is not None
        self._text.set_editable(False)
        del self._drafts[self._file], self._before[self._file]
        self.hide()
