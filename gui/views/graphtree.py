"""A graph as a tree of rows, for the keyboard and for screen readers: each box below its parent in the outline.

States are below the state that they were found from, blocks below the head of their innermost loop, loops below their
function. A row names what the tree does not show: other successors, and the states that cover a successor.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from PySide6.QtCore import QAbstractItemModel, QModelIndex, QPersistentModelIndex, Qt, Signal
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QTreeView, QWidget

from gui.theme import code_font
from interplay.presentation.graphs.picture import BoxLine, Look, Outline, Picture, Sheet, TextStyle

_WORDS = (
    (Look.PATH, "on the path"),
    (Look.NEW, "new"),
    (Look.CHANGED, "changed"),
    (Look.GONE, "no longer there"),
    (Look.ABSENT, "not at this moment"),
    (Look.UNREACHED, "never reached"),
)
_UNFOLDED = 400  # rows; of a larger tree the upper levels are open at first
_Index = QModelIndex | QPersistentModelIndex
_DisplayRole = Qt.ItemDataRole.DisplayRole


def words_of(look: Look) -> str:
    """The colours and signs of a box in words."""
    return ", ".join(words for one, words in _WORDS if one in look)


def title_of(lines: Sequence[BoxLine]) -> str:
    return next((line.text for line in lines if line.style is TextStyle.HEAD), lines[0].text if lines else "")


class GraphRows(QAbstractItemModel):
    """The item model. Its rows are the boxes that are not hidden, by their numbers, and after these the groups of the
    outline.
    """

    HEADERS = ("What", "Holds or does", "Leads to", "Marks")

    def __init__(self) -> None:
        super().__init__()
        self._sheet: Sheet | None = None
        self._outline = Outline(())
        self._after: dict[int, list[int]] = {}
        self._boxes: list[int] = []
        self._below: dict[int, list[int]] = {-1: []}  # by row, -1 for the whole: the rows below it
        self._above: list[int] = []  # by row: the row above it, -1 for the outermost, -2 for what is not shown
        self._number: list[int] = []  # by row: how many of those rows come before it

    # What is shown

    def show(self, sheet: Sheet, outline: Outline) -> bool:
        """Show another moment or another layout; returns whether the rows have changed."""
        boxes = [box for box, look in enumerate(sheet.looks) if look is not Look.HIDDEN]
        same = boxes == self._boxes and outline == self._outline and self._is(sheet.picture)
        if same:
            self._sheet = sheet
            self.dataChanged.emit(self.index(0, 0), self.index(len(self._below[-1]) - 1, len(self.HEADERS) - 1))
            return False
        self.beginResetModel()
        if not self._is(sheet.picture):
            self._after = {}
            for wire in sheet.picture.wires:
                self._after.setdefault(wire.source, []).append(wire.target)
        self._sheet, self._outline, self._boxes = sheet, outline, boxes
        self._arrange()
        self.endResetModel()
        return True

    def _is(self, picture: Picture) -> bool:
        return self._sheet is not None and self._sheet.picture is picture

    def _arrange(self) -> None:
        """Put every box below its nearest ancestor that is shown."""
        parents, groups = self._outline.parents, self._outline.groups
        count = len(parents)
        below = self._below = {-1: [count + number for number in range(len(groups))]}
        top = count + groups.index(self._outline.drawn) if groups else -1
        shown = bytearray(count)
        for box in self._boxes:
            shown[box] = 1
        rows_above = self._above = [-2] * count + [-1] * len(groups)
        numbers = self._number = [0] * count + list(range(len(groups)))
        for box in self._boxes:  # tens of thousands, at each moment anew while a person scrubs
            above = parents[box]
            while above >= 0 and not shown[above]:
                above = parents[above]
            if above < 0:
                above = top
            rows = below.get(above)
            if rows is None:
                rows = below[above] = []
            rows_above[box] = above
            numbers[box] = len(rows)
            rows.append(box)

    def box_of(self, index: _Index) -> int | None:
        """The box of a row; None for a group."""
        found = index.internalId()
        return found if index.isValid() and found < len(self._outline.parents) else None

    def group_of(self, index: _Index) -> str | None:
        """The group that a row stands for."""
        number = index.internalId() - len(self._outline.parents)
        return self._outline.groups[number] if index.isValid() and number >= 0 else None

    def index_of(self, box: int | None, column: int = 0) -> QModelIndex:
        """The index of a box; invalid if it is not shown."""
        if box is None or not 0 <= box < len(self._outline.parents) or self._above[box] == -2:
            return QModelIndex()
        return self.createIndex(self._number[box], column, box)

    def outermost(self, most: int) -> Iterator[QModelIndex]:
        """Rows with children, level by level, as long as at most `most` rows are shown when they are expanded."""
        level = [row for row in self._below[-1] if row in self._below]
        opened = len(self._below[-1])
        while level:
            for row in level:
                opened += len(self._below[row])
                if opened > most:
                    return
                yield self.createIndex(self._number[row], 0, row)
            level = [other for row in level for other in self._below[row] if other in self._below]

    # What Qt asks for

    def index(self, row: int, column: int, parent: _Index = QModelIndex()) -> QModelIndex:  # noqa: B008 - Qt's
        rows = self._below.get(parent.internalId() if parent.isValid() else -1, ())
        return self.createIndex(row, column, rows[row]) if 0 <= row < len(rows) else QModelIndex()

    def parent(self, index: _Index) -> QModelIndex:  # type: ignore[override]
        above = self._above[index.internalId()] if index.isValid() else -1
        return QModelIndex() if above < 0 else self.createIndex(self._number[above], 0, above)

    def rowCount(self, parent: _Index = QModelIndex()) -> int:  # noqa: N802, B008 - Qt's
        return len(self._below.get(parent.internalId() if parent.isValid() else -1, ()))

    def columnCount(self, parent: _Index = QModelIndex()) -> int:  # noqa: N802, B008 - Qt's
        return len(self.HEADERS)

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = _DisplayRole) -> object:  # noqa: N802
        if role == _DisplayRole and orientation == Qt.Orientation.Horizontal:
            return self.HEADERS[section]
        return None

    def data(self, index: _Index, role: int = _DisplayRole) -> object:
        if self._sheet is None or not index.isValid():
            return None
        box = self.box_of(index)
        if role == Qt.ItemDataRole.FontRole and index.column() == 1 and box is not None:
            return code_font()
        if role == _DisplayRole:
            return self._group(index) if box is None else self._text(self._sheet, box, index.column())
        if role == Qt.ItemDataRole.ToolTipRole and box is not None:
            return self._sheet.about(box)
        return None

    def _group(self, index: _Index) -> str:
        group = self.group_of(index) or ""
        is_drawn = group == self._outline.drawn
        return (self._outline.names.get(group, group), "" if is_drawn else "Enter shows it", "", "")[index.column()]

    def _text(self, sheet: Sheet, box: int, column: int) -> str:
        match column:
            case 0:
                return title_of(sheet.lines(box))
            case 1:
                return " · ".join(line.text for line in sheet.lines(box) if line.style is not TextStyle.HEAD)
            case 2:
                others = (title_of(sheet.lines(after)) for after in self._leads_to(sheet, box))
                return ", ".join((*others, *sheet.joined(box)))
            case _:
                return ", ".join(part for part in (words_of(sheet.looks[box]), sheet.badge(box)) if part)

    def _leads_to(self, sheet: Sheet, box: int) -> list[int]:
        """The targets of the wires of a box, without its children if the tree is what is drawn."""
        known = self._after.get(box, ()) if self._outline.groups else ()
        return [after for after in known if sheet.looks[after] is not Look.HIDDEN]


class GraphTree(QTreeView):
    """The tree view. `selected(box)` is a choice by the user; Enter and Space act as in the picture, Left and Right
    fold rows. `asked(group)`: show a group that is not drawn.
    """

    selected = Signal(int)
    asked = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.rows = GraphRows()
        self.setModel(self.rows)
        self.setAccessibleName("The graph as a tree")
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setUniformRowHeights(True)
        self.setAlternatingRowColors(True)
        self.setIndentation(14)
        self.setExpandsOnDoubleClick(False)
        header = self.header()
        header.setDefaultAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        header.setResizeContentsPrecision(0)  # only what is in sight
        header.setSectionResizeMode(0, QHeaderView.ResizeMode.ResizeToContents)
        for column, width in enumerate((180, 140, 110), 1):
            self.setColumnWidth(column, width)
        header.setStretchLastSection(True)
        self._closed: set[int] = set()  # by a person
        self._opened: set[int] = set()  # likewise; of the others as many are open as there is room for
        self._following = False
        self.selectionModel().currentRowChanged.connect(self._chosen)
        self.collapsed.connect(lambda index: self._remember(index, self._closed, self._opened))
        self.expanded.connect(lambda index: self._remember(index, self._opened, self._closed))

    def show_sheet(self, sheet: Sheet, outline: Outline, selection: int | None) -> None:
        if self.rows.show(sheet, outline):
            self._following = True
            for index in self.rows.outermost(_UNFOLDED):
                self.setExpanded(index, index.internalId() not in self._closed)
            for box in self._opened:
                self.expand(self.rows.index_of(box))
            self._following = False
        self.viewport().update()
        self.select(selection)

    def forget_folds(self) -> None:
        """Forget expanded and collapsed rows, for another graph."""
        self._closed.clear()
        self._opened.clear()

    def select(self, box: int | None) -> None:
        """Select a box chosen elsewhere, and expand its ancestors."""
        index = self.rows.index_of(box, max(0, self.currentIndex().column()))
        if index == self.currentIndex() or (box is None and self.rows.box_of(self.currentIndex()) is None):
            return
        self._following = True
        if index.isValid():
            self.setCurrentIndex(index)
        else:
            self.clearSelection()
        self._following = False

    def enter(self) -> int | None:
        """The box of the current row; for a group that is not drawn, `asked` is emitted instead."""
        group = self.rows.group_of(self.currentIndex())
        if group is not None:
            self.asked.emit(group)
        return self.rows.box_of(self.currentIndex())

    def _chosen(self, now: QModelIndex, before: QModelIndex) -> None:
        box = self.rows.box_of(now)
        if not self._following and box is not None:
            self.selected.emit(box)

    def _remember(self, index: QModelIndex, into: set[int], out_of: set[int]) -> None:
        if not self._following:
            into.add(index.internalId())
            out_of.discard(index.internalId())
