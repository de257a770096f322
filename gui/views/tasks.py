"""The task panel: the tasks, and below them the properties of the selected program with their verdicts."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QHBoxLayout,
    QHeaderView,
    QLabel,
    QSplitter,
    QTableWidget,
    QTableWidgetItem,
    QTreeWidget,
    QTreeWidgetItem,
    QWidget,
)

from gui.icons import icon
from gui.model.tasks import TOPICS, FileKind, PropertyChoice, TaskBook, TaskEntry, TaskResult, kind_of
from gui.settings import Settings
from gui.theme import SIGNS, tint_of
from gui.views.buttons import text_button
from gui.views.layouts import column_layout
from interplay.presentation.record.summary import Tone
from interplay.session.request import Request

_ICONS = {
    FileKind.PROGRAM: "file-code",
    FileKind.DEFINITION: "file",
    FileKind.PROJECT: "folder",
    FileKind.RUN: "file-run",
}
_ENTRY = Qt.ItemDataRole.UserRole


class TaskPanel(QWidget):
    """The tasks and the properties of the current one.

    Signals: `chosen(entry)`; `asked(properties)`: verify these of the current entry.
    """

    chosen = Signal(object)
    asked = Signal(object)

    def __init__(self, book: TaskBook, settings: Settings, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._book = book
        self._settings = settings
        self._properties: tuple[PropertyChoice, ...] = ()
        self._tree = QTreeWidget()
        self._tree.setAccessibleName("Programs, runs and examples")
        self._tree.setHeaderHidden(True)
        self._tree.setIndentation(14)
        self._tree.setUniformRowHeights(True)
        self._tree.currentItemChanged.connect(self._choose)
        self._tree.itemActivated.connect(self._choose_again)
        self._lesson = QLabel()
        self._lesson.setWordWrap(True)
        self._lesson.setProperty("role", "quiet")
        self._lesson.setContentsMargins(10, 6, 10, 6)
        self._table = _property_table()
        self._table.itemSelectionChanged.connect(self._choose_property)
        self._table.cellDoubleClicked.connect(self._ask)
        split = QSplitter(Qt.Orientation.Vertical)
        split.addWidget(self._tree)
        split.addWidget(self._lower_half())
        split.setStretchFactor(0, 3)
        split.setStretchFactor(1, 2)
        layout = column_layout(self)
        layout.addWidget(split)
        book.changed.connect(self.refresh)
        book.selected.connect(self._selected)
        book.chosen.connect(self._fill_table)
        self._shown: list[tuple[str, str, list[TaskEntry]]] = []
        self._groups: dict[str, QTreeWidgetItem] = {}
        self._items: list[tuple[QTreeWidgetItem, TaskEntry, TaskResult | None]] = []  # with what each of them shows
        self.refresh()

    def selected_properties(self) -> tuple[PropertyChoice, ...]:
        """The property whose row is selected; the first one if none is."""
        return tuple(one for one in self._properties if one.property == self._book.asked)[:1]

    def all_properties(self) -> tuple[PropertyChoice, ...]:
        return self._properties

    def refresh(self) -> None:
        """Show the current state of the task book."""
        self._tree.blockSignals(True)
        groups = self._grouped()
        if groups != self._shown:
            self._fill_tree(groups)
        self._mark_entries()
        self._tree.blockSignals(False)
        self._fill_table()

    # Building

    def _lower_half(self) -> QWidget:
        half = QWidget()
        button = text_button("play", "Verify property", "Verify the property that is selected (F5)")
        button.clicked.connect(lambda: self.asked.emit(self.selected_properties()))
        every = text_button(
            "play-all", "Verify all", "Verify all properties of this program, one after the other (Ctrl+F5)"
        )
        every.clicked.connect(lambda: self.asked.emit(self.all_properties()))
        buttons = QHBoxLayout()
        buttons.setContentsMargins(8, 4, 8, 6)
        buttons.addWidget(button)
        buttons.addWidget(every)
        buttons.addStretch(1)
        layout = column_layout(half)
        layout.addWidget(self._lesson)
        layout.addWidget(self._table, 1)
        layout.addLayout(buttons)
        return half

    def _grouped(self) -> list[tuple[str, str, list[TaskEntry]]]:
        """The groups of the tree that have entries, each with its icon."""
        book = self._book
        known = {entry.path for entry in (*book.opened, *book.examples, *book.past)}
        recent = [
            TaskEntry(path, kind) for path in self._settings.recent() if (kind := kind_of(path)) and path not in known
        ]
        groups: Sequence[tuple[str, str, Sequence[TaskEntry]]] = (
            ("Open", "folder", book.opened),
            *((_examples_of(topic), "bulb", book.examples_of(topic)) for topic in ("", *TOPICS)),
            ("Runs of the past", "clock", book.past),
            ("Recent", "clock", recent),
        )
        return [(name, sign, list(entries)) for name, sign, entries in groups if entries]

    def _fill_tree(self, groups: list[tuple[str, str, list[TaskEntry]]]) -> None:
        expanded = {name: item.isExpanded() for name, item in self._groups.items()}
        self._tree.clear()
        self._groups.clear()
        self._items.clear()
        self._shown = groups
        for name, sign, entries in groups:
            group = QTreeWidgetItem(self._tree, [name])
            group.setIcon(0, icon(sign))
            group.setFlags(Qt.ItemFlag.ItemIsEnabled)
            group.setExpanded(expanded.get(name, name in ("Open", "Examples")))
            self._groups[name] = group
            for entry in entries:
                item = QTreeWidgetItem(group)
                item.setToolTip(0, f"{entry.path}\n{entry.lesson}".strip())
                item.setData(0, _ENTRY, entry)
                self._items.append((item, entry, None))

    def _mark_entries(self) -> None:
        """Show the results of all entries, where they are others, and which entry is the current one."""
        current = self._book.current
        for number, (item, entry, before) in enumerate(self._items):
            result = self._book.summary(entry)
            if result != before:
                self._items[number] = item, entry, result
                plain = result == TaskResult()
                kind = "stored run" if entry.kind is FileKind.RUN and not entry.label else ""
                words = (entry.title, "" if plain else result.word, kind)  # what is cut at the right matters least
                item.setText(0, " · ".join(word for word in words if word))
                item.setIcon(0, icon(_ICONS[entry.kind]) if plain else icon(SIGNS[result.tone], tint_of(result.tone)))
            if current is not None and entry.path == current.path and self._tree.currentItem() is not item:
                self._tree.setCurrentItem(item)

    def _fill_table(self) -> None:
        entry = self._book.current
        self._table.blockSignals(True)
        self._table.setRowCount(len(self._properties) if entry else 0)
        for row, choice in enumerate(self._properties):
            result = self._book.result(entry, choice) if entry else TaskResult()
            verdict = QTableWidgetItem(icon(SIGNS[result.tone], tint_of(result.tone)), _short(result))
            verdict.setToolTip(result.word)
            expected = "" if choice.expected is None else f"\nexpected: {str(choice.expected).lower()}"
            title = QTableWidgetItem(choice.title.replace(",", ", "))
            title.setToolTip(f"{choice.words}{expected}")
            for column, item in enumerate((verdict, QTableWidgetItem(result.engine), title)):
                self._table.setItem(row, column, item)
            if choice in self.selected_properties():
                self._table.selectRow(row)
        self._table.resizeRowsToContents()
        self._table.blockSignals(False)

    # What a person does

    def _choose(self, item: QTreeWidgetItem | None, _: object = None) -> None:
        entry = item.data(0, _ENTRY) if item is not None else None
        if isinstance(entry, TaskEntry) and (self._book.current is None or entry.path != self._book.current.path):
            self.chosen.emit(entry)

    def _choose_again(self, item: QTreeWidgetItem) -> None:
        entry = item.data(0, _ENTRY)
        if isinstance(entry, TaskEntry):
            self.chosen.emit(entry)

    def _selected(self) -> None:
        entry = self._book.current
        self._properties = self._book.properties(entry) if entry else ()
        self._lesson.setText(_lesson(entry, self._book.stored(entry)) if entry else "")
        self._lesson.setVisible(bool(self._lesson.text()))
        self.refresh()

    def _choose_property(self) -> None:
        rows = {index.row() for index in self._table.selectedIndexes()}
        for row in rows:
            self._book.choose(self._properties[row].property)

    def _ask(self, row: int, _: int) -> None:
        """Verify a property that has no run."""
        entry = self._book.current
        if entry is not None and self._book.result(entry, self._properties[row]).run is None:
            self.asked.emit((self._properties[row],))


def _examples_of(topic: str) -> str:
    return f"Examples: {topic}" if topic else "Examples"


def _lesson(entry: TaskEntry, stored: Request | None) -> str:
    if entry.kind is FileKind.RUN:
        of = f" of {stored.task.rpartition('/')[2]}" if stored is not None else ""
        return f"Stored run{of}: to open it executes nothing. Open its program to verify that again."
    engine = f" Its engine is {entry.engine}, unless you choose another one." if entry.engine else ""
    return f"{entry.lesson}{engine}"


def _short(result: TaskResult) -> str:
    """A verdict without what it has in parentheses: the property stands beside it, and the tooltip has the whole."""
    return result.word.partition("(")[0].strip() if result.tone is not Tone.IDLE else result.word


def _property_table() -> QTableWidget:
    table = QTableWidget(0, 3)
    table.setAccessibleName("Properties of the program")
    table.setHorizontalHeaderLabels(("Verdict", "Engine", "Property"))
    table.horizontalHeader().setDefaultAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
    table.horizontalHeader().setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
    table.horizontalHeader().setSectionResizeMode(2, QHeaderView.ResizeMode.Stretch)
    table.horizontalHeader().moveSection(2, 0)
    table.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
    table.verticalHeader().hide()
    table.verticalHeader().setDefaultSectionSize(26)
    table.setSelectionBehavior(QTableWidget.SelectionBehavior.SelectRows)
    table.setSelectionMode(QTableWidget.SelectionMode.SingleSelection)
    table.setEditTriggers(QTableWidget.EditTrigger.NoEditTriggers)
    table.setShowGrid(False)
    table.setTabKeyNavigation(False)
    return table
