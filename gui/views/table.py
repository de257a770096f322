"""Tables of plain rows for `QTableView`: cells are computed without widgets and shown as they are."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence

from PySide6.QtCore import (
    QAbstractTableModel,
    QEvent,
    QItemSelectionModel,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    QSignalBlocker,
    Qt,
    Signal,
)
from PySide6.QtGui import QFont, QMouseEvent, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QTableView, QWidget

from gui.theme import code_font
from gui.views.tablecells import CellStyle, TableHeader, TableRow
from gui.views.tablepaint import CellPainter

_Index = QModelIndex | QPersistentModelIndex


_ROLES = frozenset(
    (
        Qt.ItemDataRole.DisplayRole,
        Qt.ItemDataRole.ToolTipRole,
        Qt.ItemDataRole.AccessibleTextRole,
        Qt.ItemDataRole.FontRole,
    )
)
"""The roles that cells have data for. Fonts are for the widths of columns: `CellPainter` knows how cells look."""

_PADDING = 16  # pixels around the title of a column
_ROW = 22  # pixels of a row with one line
_MEASURED = 300  # rows; in longer tables texts are not broken into lines


class RowsModel(QAbstractTableModel):
    """An item model of rows that are replaced together; only visible rows are repainted."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._headers: tuple[TableHeader, ...] = ()
        self.rows: Sequence[TableRow] = ()
        self._bold = QFont()
        self._bold.setBold(True)

    def show(self, headers: Sequence[TableHeader], rows: Sequence[TableRow]) -> None:
        same = tuple(headers) == self._headers and len(rows) == len(self.rows)
        if same and rows == self.rows:
            return
        if not same:
            self.beginResetModel()
        self._headers, self.rows = tuple(headers), rows
        if not same:
            self.endResetModel()
        elif rows:
            self.dataChanged.emit(self.index(0, 0), self.index(len(rows) - 1, len(headers) - 1))

    def rowCount(self, parent: _Index | None = None) -> int:  # noqa: N802 - Qt's name
        return 0 if parent is not None and parent.isValid() else len(self.rows)

    def columnCount(self, parent: _Index | None = None) -> int:  # noqa: N802 - Qt's name
        return 0 if parent is not None and parent.isValid() else len(self._headers)

    def data(self, index: _Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        if role not in _ROLES or not index.isValid():
            return None
        cell = self.rows[index.row()][index.column()]
        match role:
            case Qt.ItemDataRole.DisplayRole:
                return cell.text
            case Qt.ItemDataRole.ToolTipRole:
                return cell.words or cell.text
            case Qt.ItemDataRole.AccessibleTextRole:
                return cell.text or cell.words
            case Qt.ItemDataRole.FontRole if cell.code:
                return code_font()
            case Qt.ItemDataRole.FontRole if cell.look is CellStyle.NEW:
                return self._bold
            case _:
                return None

    def headerData(  # noqa: N802 - Qt's name
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> object:
        if orientation is Qt.Orientation.Vertical or not 0 <= section < len(self._headers):
            return None
        match role:
            case Qt.ItemDataRole.DisplayRole:
                return self._headers[section][0]
            case Qt.ItemDataRole.ToolTipRole:
                return self._headers[section][1]
            case Qt.ItemDataRole.TextAlignmentRole:
                return Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
            case _:
                return None


class RowsTable(QTableView):
    """A table of `RowsModel` in which one row at most is selected.

    After `widths` its columns fit its texts, and long texts are broken into lines, so that nothing is cut off;
    `fitted()` says that its rows have other heights.
    """

    fitted = Signal()

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.content = RowsModel(self)
        self._least: tuple[int, ...] = ()
        self._painter = CellPainter(self)
        self.setModel(self.content)
        self.setAccessibleName(name)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setShowGrid(False)
        self.setWordWrap(False)
        self.setTabKeyNavigation(False)
        self.verticalHeader().hide()
        self.verticalHeader().setDefaultSectionSize(_ROW)
        self.verticalHeader().setMinimumSectionSize(_ROW)
        self.horizontalHeader().setHighlightSections(False)
        self.horizontalHeader().setStretchLastSection(True)

    def widths(self, *pixels: int) -> None:
        """Say how wide columns are at least, where there is room for all texts. One with 0 takes what is left, else the
        last does.
        """
        self._least = pixels
        self._fit()

    def height_of_rows(self, most: int) -> int:
        """The pixels that the header and the first rows take."""
        rows = range(min(len(self.content.rows), most))
        return self.horizontalHeader().sizeHint().height() + sum(self.rowHeight(row) for row in rows) + 2

    def _fit(self) -> None:
        """Give each column the room that its texts need; where there is too little, the wide ones share the rest."""
        rows, header = self.content.rows, self.horizontalHeader()
        count = self.content.columnCount()
        if not self._least or not count:
            return
        measured = [rows[number] for number in range(min(len(rows), _MEASURED))]
        title = header.fontMetrics().horizontalAdvance
        titles = [
            title(str(self.content.headerData(one, Qt.Orientation.Horizontal))) + _PADDING for one in range(count)
        ]
        needed = [max([titles[one], *(self._painter.width_of(row[one]) for row in measured)]) for one in range(count)]
        least = [max(needed[one], *self._least[one : one + 1], 0) for one in range(count)]
        room = self.viewport().width()
        widths = least if sum(least) <= room else _shared(needed, titles, room)
        rest = self._least.index(0) if 0 in self._least else count - 1
        widths[rest] += max(0, room - sum(widths))
        header.setStretchLastSection(False)
        for column, width in enumerate(widths):
            header.setSectionResizeMode(column, QHeaderView.ResizeMode.Interactive)
            header.resizeSection(column, width)
        self._painter.breaks = len(rows) <= _MEASURED
        if self._painter.breaks:
            for number, row in enumerate(measured):
                lines = max(self._painter.height_of(cell, widths[one]) for one, cell in enumerate(row))
                self.verticalHeader().resizeSection(number, max(_ROW, lines + 4))
        self.fitted.emit()

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802 - Qt's name
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width():
            self._fit()

    def select(self, row: int | None) -> None:
        """Select a row without a signal, and scroll to it."""
        if row == self.selected and self.selectionModel().hasSelection() == (row is not None):
            self.scrollTo(self.currentIndex())
            return
        with QSignalBlocker(self.selectionModel()):
            if row is None or not 0 <= row < len(self.content.rows):
                self.clearSelection()
                self.setCurrentIndex(QModelIndex())
            else:
                self.setCurrentIndex(self.content.index(row, 0))
                self.scrollTo(self.content.index(row, 0))
        self.viewport().update()

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802 - Qt's name
        with QPainter(self.viewport()) as painter:
            self._painter.paint(painter, event.rect(), self.content.rows)

    def changeEvent(self, event: QEvent) -> None:  # noqa: N802 - Qt's name
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange:
            self._painter.forget_fonts()
            self._fit()

    def mousePressEvent(self, event: QMouseEvent) -> None:  # noqa: N802 - Qt's name
        """Select the clicked row again after the event: a selection may move rows while Qt still handles the click."""
        super().mousePressEvent(event)
        with QSignalBlocker(self.selectionModel()):
            chosen = QItemSelectionModel.SelectionFlag.ClearAndSelect | QItemSelectionModel.SelectionFlag.Rows
            self.selectionModel().select(self.currentIndex(), chosen)
        self.viewport().update()

    @property
    def selected(self) -> int | None:
        index = self.currentIndex()
        return index.row() if index.isValid() else None


def _shared(needed: Sequence[int], titles: Sequence[int], room: int) -> list[int]:
    """Widths for too little room: each column has that of its title at least, narrow ones keep what they need, and the
    others are equally wide.
    """

    def at_most(width: int) -> list[int]:
        return [max(title, min(need, width)) for need, title in zip(needed, titles, strict=True)]

    widest = bisect_right(range(room), room, key=lambda width: sum(at_most(width))) - 1
    return at_most(max(0, widest))
