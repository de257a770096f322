"""The results of a batch as a table whose rows open their runs."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QFileDialog,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QPushButton,
    QStackedLayout,
    QWidget,
)

from gui.icons import icon
from gui.model.background import Background
from gui.model.current import RunModel
from gui.model.focus import Focus
from gui.views.chooser import chooser
from gui.views.empty import EmptyView
from gui.views.layouts import column_layout
from gui.views.table import RowsTable
from gui.views.tablecells import CellStyle, LazyRows, TableCell, TableRow
from interplay.batch.overview import COLUMNS, Batch, listed, read_batch, total
from interplay.batch.rows import ResultRow as BatchRow
from runs.jsondata import Malformed

_WIDTHS = (92, 170, 72, 84, 54, 50, 60, 98, 0)
_WHY_EMPTY = "No batch is open: choose the folder that `interplay batch --output FOLDER` has written."


class BatchView(QWidget):
    """The table of results. `asked(path)`: open this run."""

    asked = Signal(object)

    def __init__(self, model: RunModel, focus: Focus, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._batch: Batch | None = None
        self._path: Path | None = None
        self._rows: tuple[BatchRow, ...] = ()
        self._column = 1
        self._descending: set[int] = set()
        self._reader = Background(self._take)
        self.chooser: QFileDialog | None = None
        self.table = RowsTable("Runs of the batch")
        self.table.doubleClicked.connect(lambda index: self.open_row(index.row()))
        self.table.activated.connect(lambda index: self.open_row(index.row()))
        header = self.table.horizontalHeader()
        header.setSectionsClickable(True)
        header.setSortIndicatorShown(True)
        header.setSortIndicator(self._column, Qt.SortOrder.AscendingOrder)
        header.sectionClicked.connect(self.sort_by)
        self.empty = EmptyView(_WHY_EMPTY)
        self.empty.offer("Open a batch…", self.choose)
        self._stack = QStackedLayout(self)
        self._stack.addWidget(self.empty)
        self._stack.addWidget(self._content())

    def _content(self) -> QWidget:
        content = QWidget()
        self.sentence = QLabel()
        self.field = QLineEdit()
        self.field.setAccessibleName("Rows with these words")
        self.field.setPlaceholderText("Rows with these words")
        self.field.setClearButtonEnabled(True)
        self.field.setFixedWidth(200)
        self.field.textChanged.connect(self._list)
        again = QPushButton(icon("refresh"), "Read again")
        again.setToolTip("A batch may still be going on: read what it has come to since")
        again.clicked.connect(self._again)
        other = QPushButton(icon("folder"), "Open a batch…")
        other.clicked.connect(self.choose)
        bar = QHBoxLayout()
        bar.setContentsMargins(8, 2, 4, 2)
        bar.addWidget(self.sentence, 1)
        for widget in (self.field, again, other):
            bar.addWidget(widget)
        layout = column_layout(content)
        layout.addLayout(bar)
        layout.addWidget(self.table, 1)
        return content

    # What a person does

    def choose(self) -> None:
        """Ask for the folder of a batch with a dialog that is not modal."""
        self.chooser = chooser(self, "Open the folder of a batch")
        self.chooser.setFileMode(QFileDialog.FileMode.Directory)
        self.chooser.setModal(False)
        self.chooser.fileSelected.connect(lambda name: self.open(Path(name)))
        self.chooser.show()

    def open(self, path: Path) -> None:
        """Read the results, off the event loop."""
        self._path = path
        self._reader.submit(lambda _: _read(path))

    def _again(self) -> None:
        if self._path is not None:
            self.open(self._path)

    def sort_by(self, column: int) -> None:
        """Sort by a column; a second time in the other direction."""
        if column == self._column:
            self._descending ^= {column}
        self._column = column
        down = column in self._descending
        order = Qt.SortOrder.DescendingOrder if down else Qt.SortOrder.AscendingOrder
        self.table.horizontalHeader().setSortIndicator(column, order)
        self._list()

    def open_row(self, row: int) -> None:
        """Show the run of a row."""
        if self._batch is None or not 0 <= row < len(self._rows):
            return
        run = self._batch.run_of(self._rows[row])
        if run is None:
            self.sentence.setText("The run file of this row is not there any more.")
        else:
            self.asked.emit(run)

    # What happens

    def _take(self, read: Batch | str) -> None:
        if isinstance(read, str):
            self.empty.say(read)
            self._stack.setCurrentIndex(0)
            return
        self._batch = read
        self._stack.setCurrentIndex(1)
        self._list()

    def _list(self) -> None:
        if self._batch is None:
            return
        self._rows = rows = listed(self._batch, self.field.text(), self._column, tuple(self._descending))
        headers = [(column.title, f"{column.words}. Click to sort") for column in COLUMNS]
        self.table.content.show(headers, LazyRows(len(rows), lambda number: _row(rows[number])))
        self.table.widths(*_WIDTHS)
        self.sentence.setText(total(rows))


def _read(path: Path) -> Batch | str:
    try:
        return read_batch(path)
    except (OSError, Malformed) as error:
        return f"The batch cannot be read: {error}"


def _row(row: BatchRow) -> TableRow:
    look = CellStyle.CORE if row.wrong else CellStyle.PLAIN
    return tuple(TableCell(column.text(row), look) for column in COLUMNS)
