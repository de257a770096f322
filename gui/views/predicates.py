"""The table of the abstraction: predicates against locations, constraints of steps, tracked variables."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from PySide6.QtCore import QSignalBlocker, Qt
from PySide6.QtGui import QFontMetrics, QShowEvent
from PySide6.QtWidgets import (
    QComboBox,
    QHBoxLayout,
    QHeaderView,
    QLabel,
    QLineEdit,
    QStackedLayout,
    QWidget,
)

from gui.model.background import InPieces
from gui.model.current import RunModel
from gui.model.focus import Aspect, Focus
from gui.theme import code_font
from gui.views.buttons import text_button
from gui.views.empty import EmptyView
from gui.views.formuladialog import show_formula
from gui.views.layouts import column_layout
from gui.views.table import RowsTable
from gui.views.tablecells import CellStyle, LazyRows, TableCell, TableHeader, TableRow
from interplay.presentation.record.engine_words import EngineWord, engine_words
from interplay.presentation.record.lemmas import (
    LemmaKind,
    LemmaRow,
    LemmaTable,
    kind_words,
    kinds,
    matches,
    origin_words,
    table,
    table_of,
)
from interplay.presentation.record.reasons import origin_words as found_words
from interplay.presentation.record.run import RunRecord

_MEANINGS: dict[LemmaKind, str] = {
    LemmaKind.PREDICATES: "What abstract states are told apart by",
    LemmaKind.VALUES: "A variable, or an element of an array, whose values the engine follows",
    LemmaKind.CONSTRAINTS: "What a step is known to do, over the state before it",
}
_BORN: TableHeader = ("Born", "The refinement that learned it; 0: known before the first; + is new at this moment")
_ORIGIN: TableHeader = ("Found as", "How it was found")
_WHERE: TableHeader = ("Found at", "Where it was found")
_AT: TableHeader = ("At", "Where it holds")
_FRAMES: TableHeader = ("Frames", "The frames in which it holds: how far it was pushed; in all, if it is inductive")
_STEP: TableHeader = ("Step", "What the source says at the step that it restricts")
_LINE_WIDTH, _PADDING = 30, 14  # pixels of a column with the number of a line, and beside what needs more
_NARROWEST, _WIDEST, _SAMPLE = 110, 260, 100  # pixels of the first column; rows that are looked at for its width
Asked = tuple[RunRecord, int, int | None, LemmaKind]
_EMPTY_TABLE = LemmaTable((), ())


class PredicatesView(QWidget):
    """The view of the abstraction. Selecting a row moves the focus to the lemma, and shows its origin below."""

    def __init__(self, model: RunModel, focus: Focus, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._model = model
        self._focus = focus
        self._rows: tuple[LemmaRow, ...] = ()
        self._tabling: InPieces[LemmaTable | None] = InPieces(self._have_table)
        self._asked: Asked | None = None  # what is tabled in pieces
        self._sized: tuple[LemmaKind, int] | None = None  # the kind and the number of columns that have their widths
        self.kind = QComboBox()
        self.kind.setAccessibleName("What is tabled")
        self.kind.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContents)
        self.kind.currentIndexChanged.connect(self._show)
        self.filter = QLineEdit()
        self.filter.setPlaceholderText("Filter: words, line 34, new, user")
        self.filter.setAccessibleName("Filter")
        self.filter.setClearButtonEnabled(True)
        self.filter.textChanged.connect(self._show)
        self.count = QLabel()
        self.count.setProperty("role", "quiet")
        self.table = RowsTable("Predicates and where they are used")
        self.table.horizontalHeader().setStretchLastSection(False)
        self.table.selectionModel().currentRowChanged.connect(lambda index, _: self._choose(index.row()))
        self.origin = QLabel()
        self.origin.setWordWrap(True)
        self.origin.setContentsMargins(8, 4, 8, 4)
        self.origin.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.birth = text_button("birth", "Go to its birth", "Take every view to the refinement that learned it")
        self.birth.clicked.connect(self._go_to_birth)
        self.whole = text_button("file", "All of it…", "Show all of this formula, which is abridged here")
        self.whole.clicked.connect(self._show_formula)
        self._empty = EmptyView()
        self._stack = QStackedLayout(self)
        self._stack.addWidget(self._empty)
        self._stack.addWidget(self._content())
        model.replaced.connect(self._fill)
        model.advanced.connect(self._advance)
        model.decided.connect(self._fill)
        focus.changed.connect(self._follow)
        self._fill()

    def _content(self) -> QWidget:
        content = QWidget()
        bar = QHBoxLayout()
        bar.setContentsMargins(6, 4, 6, 4)
        bar.addWidget(self.kind)
        bar.addWidget(self.filter, 1)
        bar.addWidget(self.count)
        layout = column_layout(content)
        layout.addLayout(bar)
        layout.addWidget(self.table, 1)
        layout.addWidget(self.origin)
        buttons = QHBoxLayout()
        buttons.addStretch(1)
        buttons.addWidget(self.whole)
        buttons.addWidget(self.birth)
        layout.addLayout(buttons)
        return content

    # What happens

    def showEvent(self, event: QShowEvent) -> None:  # noqa: N802 - Qt's name
        super().showEvent(event)
        self._fill()
        self._show_kind_of_lemma()

    def _advance(self) -> None:
        """Compute the table of a growing run in pieces, and show it as the run was at the first piece."""
        if self.isVisible() and not self._tabling.busy:
            self._show_kinds()
            self._asked = self._asks()
            if self._asked is None:
                self._fill()
            else:
                self._tabling.start(table_of(*self._asked))

    def _asks(self) -> Asked | None:
        record, chosen, kind = self._model.record, self._focus.selection, self.kind.currentData()
        return None if record is None or kind is None else (record, chosen.attempt, chosen.round, kind)

    def _have_table(self, pieces: list[LemmaTable | None]) -> None:
        if self.isVisible() and self._asked == self._asks() and pieces[-1] is not None:
            self._show_kinds()
            self._show_table(pieces[-1])

    def _fill(self) -> None:
        self._tabling.stop()
        if not self.isVisible():
            return  # of a large run the table takes some time, and another tab may be in sight while a person scrubs
        self._show_kinds()
        self._show()

    def _show_kinds(self) -> None:
        record, attempt = self._model.record, self._focus.selection.attempt
        titles: Mapping[LemmaKind, str] = {}
        if record is not None:
            titles = {kind: kind_words(record, attempt, kind) for kind in kinds(record, attempt)}
            self.count.setToolTip(engine_words(record, attempt, EngineWord.LEMMA))
        self._empty.say(_why_empty(record))
        self._stack.setCurrentIndex(1 if titles else 0)
        if [self.kind.itemText(i) for i in range(self.kind.count())] != list(titles.values()):
            before = self.kind.currentData()
            with QSignalBlocker(self.kind):
                self.kind.clear()
                for kind, name in titles.items():
                    self.kind.addItem(name, kind)
                self.kind.setCurrentIndex(max(0, self.kind.findData(before)))

    def _follow(self, aspects: Aspect) -> None:
        if not self.isVisible():
            return
        if aspects & Aspect.LEMMA:
            self._show_kind_of_lemma()
        if aspects & Aspect.MOMENT:
            self._fill()
        elif aspects & Aspect.LEMMA:
            self._select()

    def _show(self) -> None:
        asked = self._asks()
        self._show_table(_EMPTY_TABLE if asked is None else table(*asked))

    def _show_table(self, whole: LemmaTable) -> None:
        kind = self.kind.currentData()
        words = self.filter.text()
        self._rows = tuple(row for row in whole.rows if matches(row, words)) if words else whole.rows
        shown, total = len(self._rows), len(whole.rows)
        self.count.setText(f"{total}" if shown == total else f"{shown} of {total}")
        if kind is None:
            return
        headers = self._headers(kind, whole)
        rows, lines = self._rows, whole.lines if kind is not LemmaKind.CONSTRAINTS else ()
        signs = tuple(
            (line, TableCell("●", words=f"line {line}"), TableCell("", words=f"line {line}")) for line in lines
        )
        sized = (kind, len(headers))
        self.table.content.show(headers, LazyRows(len(rows), lambda i: _row(rows[i], signs)))
        if sized != self._sized:
            self._sized = sized
            self._size(kind, whole)
        self._select()

    def _headers(self, kind: LemmaKind, shown: LemmaTable) -> tuple[TableHeader, ...]:
        record, attempt = self._model.record, self._focus.selection.attempt
        assert record is not None
        meaning = _MEANINGS.get(kind) or engine_words(record, attempt, EngineWord.LEMMA)
        first = (kind_words(record, attempt, kind, 1), meaning)
        if kind is LemmaKind.INVARIANTS:
            return (first, _BORN, *((_FRAMES,) if shown.has_frames else ()), _AT, _ORIGIN)
        if kind is LemmaKind.CONSTRAINTS:
            return (first, _BORN, _STEP, _ORIGIN, _WHERE)
        matrix = ((str(line), f"Line {line}: ● where an abstract state uses it") for line in shown.lines)
        return (first, _BORN, *matrix, _ORIGIN, _WHERE)

    def _size(self, kind: LemmaKind, shown: LemmaTable) -> None:
        header = self.table.horizontalHeader()
        header.setMinimumSectionSize(_LINE_WIDTH)
        lines = len(shown.lines) if kind in (LemmaKind.PREDICATES, LemmaKind.VALUES) else 0
        code = QFontMetrics(code_font())
        widest = max((code.horizontalAdvance(row.text) for row in shown.rows[:_SAMPLE]), default=0)
        first = min(_WIDEST, max(_NARROWEST, widest + _PADDING))
        digits = header.fontMetrics().horizontalAdvance(str(max(shown.lines, default=0)))
        widths = (first, 48, *(max(_LINE_WIDTH, digits + _PADDING),) * lines, 180, 80)
        if kind is LemmaKind.CONSTRAINTS:
            widths = (first, 48, 170, 180, 80)
        elif kind is LemmaKind.INVARIANTS:
            widths = (180, 48, 58, 60, 180) if shown.has_frames else (230, 48, 60, 180)
        for section, width in enumerate(widths):
            header.setSectionResizeMode(section, QHeaderView.ResizeMode.Interactive)
            header.resizeSection(section, width)

    def _show_kind_of_lemma(self) -> None:
        """Show the kind of the selected lemma."""
        record, chosen = self._model.record, self._focus.selection
        if record is None or chosen.lemma is None:
            return
        for index in range(self.kind.count()):
            rows = table(record, chosen.attempt, chosen.round, self.kind.itemData(index)).rows
            if any(row.id == chosen.lemma for row in rows) and index != self.kind.currentIndex():
                self.kind.setCurrentIndex(index)
                return

    def _select(self) -> None:
        lemma = self._focus.selection.lemma
        index = next((i for i, row in enumerate(self._rows) if row.id == lemma), None)
        self.table.select(index)
        record = self._model.record
        self.origin.setVisible(index is not None)
        self.birth.setVisible(index is not None)
        self.whole.setVisible(False)
        if index is not None and record is not None:
            attempt = self._focus.selection.attempt
            self.whole.setVisible(record.is_abridged(attempt, self._rows[index].formula))
            self.origin.setText(origin_words(record, attempt, self._rows[index]))
            self.birth.setEnabled(self._rows[index].born > 0)

    def _show_formula(self) -> None:
        record, index = self._model.record, self.table.selected
        if record is not None and index is not None:
            show_formula(record, self._focus.selection.attempt, self._rows[index].formula, None, self)

    def _choose(self, index: int) -> None:
        if 0 <= index < len(self._rows):
            self._focus.go_to_lemma(self._rows[index].id)

    def _go_to_birth(self) -> None:
        lemma = self._focus.selection.lemma
        if lemma is not None:
            self._focus.go_to_birth(lemma)


def _row(row: LemmaRow, signs: Sequence[tuple[int, TableCell, TableCell]]) -> TableRow:
    """A table row of a lemma. `signs`: for each line the cell for a use by a state there, and that for none."""
    look = CellStyle.NEW if row.fresh else CellStyle.PLAIN
    born = f"{row.born}{' +' if row.fresh else ''}{' ✎' if row.by_person else ''}"
    first = (
        TableCell(row.text, look, row.text, code=True),
        TableCell(born, look, "new at this moment" if row.fresh else ""),
    )
    last = (
        TableCell("a person" if row.by_person else row.origin, words=found_words(row.origin)),
        TableCell(row.found_at),
    )
    if row.kind is LemmaKind.CONSTRAINTS:
        return (*first, TableCell(row.step, code=True), *last)
    if row.kind is LemmaKind.INVARIANTS:
        return (*first, *([TableCell(row.frames)] if row.level is not None else []), *reversed(last))
    used = row.lines
    return (*first, *[there if line in used else not_there for line, there, not_there in signs], *last)


def _why_empty(record: RunRecord | None) -> str:
    if record is None or not record.begun:
        return "No run yet: the predicates of each location come here."
    event = record.attempt().event
    engine = f" The engine {event.engine}" if event is not None else " The engine"
    return f"Nothing was learned so far.{engine} may have needed no predicates."
