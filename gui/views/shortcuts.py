"""The table of keyboard shortcuts."""

from __future__ import annotations

from PySide6.QtWidgets import QHeaderView, QTableWidget, QTableWidgetItem, QWidget

from gui.model.current import RunModel
from gui.model.focus import Focus
from gui.toolbar import shortcuts
from gui.views.layouts import column_layout


class ShortcutsView(QWidget):
    """The view of keyboard shortcuts; it never changes."""

    def __init__(self, model: RunModel, focus: Focus, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        rows = shortcuts()
        table = QTableWidget(len(rows), 2)
        table.setAccessibleName("Keys")
        table.setHorizontalHeaderLabels(("Key", "What it does"))
        table.horizontalHeader().setSectionResizeMode(0, QHeaderView.ResizeMode.ResizeToContents)
        table.horizontalHeader().setStretchLastSection(True)
        table.verticalHeader().hide()
        table.setEditTriggers(QTableWidget.EditTrigger.NoEditTriggers)
        table.setShowGrid(False)
        for index, row in enumerate(rows):
            for column, text in enumerate(row):
                table.setItem(index, column, QTableWidgetItem(text))
        layout = column_layout(self)
        layout.addWidget(table)
