"""Editing in place: a strip above the source that says so, saves the text or discards it.

Marks, values and predicates are those of the text before, so they are hidden meanwhile. What was typed and not saved
stays with its file, also while another run is shown.
"""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QHBoxLayout, QLabel, QWidget

from gui.model.texts import Texts
from gui.views.buttons import text_button
from gui.views.sourcetext import SourceText


class EditStrip(QWidget):
    """The strip of the file in sight. What is typed goes to `texts`."""

    def __init__(self, texts: Texts, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._texts = texts
        self._file = ""
        self._text: SourceText | None = None
        self.words = QLabel()
        self.words.setWordWrap(True)
        self.save = text_button("check", "Save", "Write the text to its file (Ctrl+Return); Verify (F5) saves it, too")
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

    def is_edited(self, file: str) -> bool:
        return file in self._texts.typed

    def begin(self, file: str, text: SourceText) -> None:
        """Let a file be edited."""
        self._texts.begin(file, text.toPlainText())
        self.resume(file, text)
        self.show_file(file, text)
        text.setFocus()

    def resume(self, file: str, text: SourceText) -> None:
        """Show what was typed in a file that is shown again."""
        if not self.is_edited(file) or not text.isReadOnly():
            return
        if text.toPlainText() != self._texts.typed[file]:
            text.setPlainText(self._texts.typed[file])
        text.set_editable(True)
        text.textChanged.connect(lambda: self._typed(file, text))

    def show_file(self, file: str, text: SourceText | None) -> None:
        """Show the strip if this file, which is in sight, is edited."""
        self._file, self._text = file, text
        edited = self.is_edited(file)
        if text is not None and not edited and not text.isReadOnly():
            text.set_editable(False)
        self.setVisible(edited)
        self.words.setText("You edit this text. Verify (F5) saves it first; marks and values come with the new run.")

    def _typed(self, file: str, text: SourceText) -> None:
        if self.is_edited(file) and not text.isReadOnly():
            self._texts.type(file, text.toPlainText())

    def _save(self) -> None:
        if self.is_edited(self._file):
            why = self._texts.save(self._file)
            if why:
                self.words.setText(why)

    def _discard(self) -> None:
        if self.is_edited(self._file) and self._text is not None:
            self._text.setPlainText(self._texts.before[self._file])
            self._texts.discard(self._file)
