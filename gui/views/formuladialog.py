"""A dialog with the full text of a formula that views abridge, to read and to copy."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QLabel, QPlainTextEdit, QPushButton, QVBoxLayout, QWidget

from gui.theme import code_font
from interplay.presentation.record.run import RunRecord
from interplay.presentation.run_text import FullFormula
from runs.events import Place

LINK = "whole"
"""The scheme of links to full formulas; the number follows after a colon."""


class FormulaDialog(QDialog):
    """The dialog; it is not modal and closes with Escape."""

    def __init__(self, whole: FullFormula, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setModal(False)
        self.setWindowTitle("The whole formula")
        self.text = QPlainTextEdit(whole.text)
        self.text.setReadOnly(True)
        self.text.setFont(code_font())
        self.text.setAccessibleName("The whole formula")
        words = QLabel(
            "As C over integers without bounds; each line must hold."
            if whole.is_c
            else "Too long to be read as C: this is SMT-LIB, in which parts that come again have names."
        )
        words.setWordWrap(True)
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        self.copy = QPushButton("Copy")
        self.copy.clicked.connect(lambda: QGuiApplication.clipboard().setText(whole.text))
        buttons.addButton(self.copy, QDialogButtonBox.ButtonRole.ActionRole)
        buttons.rejected.connect(self.reject)
        layout = QVBoxLayout(self)
        for widget in (words, self.text, buttons):
            layout.addWidget(widget)
        self.resize(760, 420)


def show_formula(record: RunRecord, attempt: int, formula: int, place: Place | None, parent: QWidget) -> None:
    """Show the full text of a formula of an attempt, with the names of a place."""
    FormulaDialog(record.full_formula(attempt, formula, place), parent).show()


def formula_link(record: RunRecord, attempt: int, formula: int) -> str:
    """An HTML link to the full text of a formula; empty for one that is not abridged."""
    return f' <a href="{LINK}:{formula}">all of it…</a>' if record.is_abridged(attempt, formula) else ""
