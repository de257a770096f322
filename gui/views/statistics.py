"""Counters of a run and the times of its phases, as two tables, and the command line that repeats it; no percentages,
since the end is unknown.
"""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import (
    QHBoxLayout,
    QHeaderView,
    QStackedLayout,
    QTableWidget,
    QTableWidgetItem,
    QWidget,
)

from gui.model.current import RunModel
from gui.model.focus import Focus
from gui.views.empty import EmptyView
from gui.views.labels import Sentence
from gui.views.layouts import column_layout
from interplay.presentation.record.repetition import again
from interplay.presentation.record.summary import counters, engine_times, phase_times, phase_words, side_by_side


class StatisticsView(QWidget):
    """The view of the statistics; follows the run, not the focus."""

    def __init__(self, model: RunModel, focus: Focus, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._model = model
        self._engines = _table("Time of each engine", ("Engine", "CPU s"))
        self._times = _table("Time of each phase", ("Phase", "Clock s"))
        self._counts = _table("Counts", ("What", "Count"))
        self.again = Sentence()
        self.again.setAccessibleName("Command line that repeats the run")
        self.again.setContentsMargins(8, 4, 8, 4)
        select = Qt.TextInteractionFlag
        self.again.setTextInteractionFlags(select.TextSelectableByMouse | select.TextSelectableByKeyboard)
        tables = QWidget()
        row = QHBoxLayout()
        column = column_layout(tables)
        column.addWidget(self.again)
        column.addLayout(row, 1)
        row.addWidget(self._engines)
        row.addWidget(self._times)
        row.addWidget(self._counts)
        self._stack = QStackedLayout(self)
        self._stack.addWidget(EmptyView("No run yet: counts and times come here."))
        self._stack.addWidget(tables)
        model.replaced.connect(self._fill)
        model.advanced.connect(self._fill)
        self._fill()

    def showEvent(self, event: QShowEvent) -> None:  # noqa: N802 - Qt's name
        super().showEvent(event)
        self._fill()

    def _fill(self) -> None:
        if not self.isVisible():
            return
        record = self._model.record
        empty = record is None or not record.begun
        self._stack.setCurrentIndex(0 if empty else 1)
        if record is None:
            return
        self.again.setText(again(record))
        engines = engine_times(record)
        self._engines.setVisible(bool(engines))
        _show(self._engines, [(name, f"{seconds:.2f}") for name, seconds in engines])
        times = phase_times(record)
        rows = [(phase_words(name), f"{seconds:.2f}") for name, seconds in times.items()]
        whole = "the whole run (engines worked side by side)" if side_by_side(record) else "the whole run"
        _show(self._times, [*rows, (whole, f"{record.view.seconds:.2f}")])
        counted = counters(record)
        self._counts.setVisible(bool(counted))
        _show(self._counts, counted)


_UNITS = {
    "CPU s": "Seconds of processor time of the engine's own process",
    "Clock s": "Seconds on the clock; of engines that take turns, those in which they wait for each other too",
}


def _table(name: str, headers: tuple[str, str]) -> QTableWidget:
    table = QTableWidget(0, 2)
    table.setAccessibleName(name)
    table.setHorizontalHeaderLabels(headers)
    table.horizontalHeader().setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
    table.horizontalHeader().setSectionResizeMode(1, QHeaderView.ResizeMode.ResizeToContents)
    table.horizontalHeader().setDefaultAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
    header = table.horizontalHeaderItem(1)
    if header is not None:
        header.setToolTip(_UNITS.get(headers[1], ""))
    table.verticalHeader().hide()
    table.setEditTriggers(QTableWidget.EditTrigger.NoEditTriggers)
    table.setShowGrid(False)
    table.setAlternatingRowColors(True)
    return table


def _show(table: QTableWidget, rows: Sequence[tuple[str, str]]) -> None:
    table.setRowCount(len(rows))
    for index, (name, value) in enumerate(rows):
        number = QTableWidgetItem(value)
        number.setTextAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        table.setItem(index, 0, QTableWidgetItem(name))
        table.setItem(index, 1, number)
