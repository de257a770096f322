"""Comparison of two runs: the shown one, A, and another one, B, with linked cursors."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QComboBox,
    QFileDialog,
    QHBoxLayout,
    QLabel,
    QMenu,
    QStackedLayout,
    QTabWidget,
    QToolButton,
    QWidget,
)

from gui.icons import icon
from gui.model.background import Background
from gui.model.current import RunModel, RunState
from gui.model.focus import Aspect, Focus
from gui.views.buttons import icon_button, text_button
from gui.views.chooser import chooser
from gui.views.empty import EmptyView
from gui.views.layouts import column_layout
from gui.views.table import RowsTable
from gui.views.tablecells import CellStyle, LazyRows, TableCell, TableHeader, TableRow
from interplay.presentation.plurals import counted
from interplay.presentation.record.comparison import (
    ComparedRun,
    OverviewRow,
    PredicateRow,
    RoundPair,
    Shared,
    counts,
    index_of,
    linked,
    offered,
    overview,
    predicate_rows,
    round_pairs,
    same_program,
    title_of,
)
from interplay.presentation.record.moments import RoundRow
from interplay.presentation.record.run import RunRecord
from interplay.presentation.record.summary import Action
from runs.jsondata import Malformed
from runs.runfile import open_run

_OVERVIEW: tuple[TableHeader, ...] = (
    ("", "≠ marks what differs"),
    ("What", "What is compared"),
    ("A", "The run that the window shows"),
    ("B", "The other run"),
)
_ROUNDS: tuple[TableHeader, ...] = (
    ("Round", "Rounds in their order; choosing one takes A there, and B to the same"),
    ("A: predicates", "How many predicates A had then, and how many lemmas the round learned"),
    ("A: s", "Seconds that the round took in A"),
    ("A: path", "What became of the abstract path of A"),
    ("B: predicates", "How many predicates B had then, and how many lemmas the round learned"),
    ("B: s", "Seconds that the round took in B"),
    ("B: path", "What became of the abstract path of B"),
)
_PREDICATES: tuple[TableHeader, ...] = (
    ("In", "Which of the runs knows it at its moment"),
    ("Where", "Where it holds"),
    ("Predicate", "What it says, as C"),
    ("A learned", "The refinement of A that learned it"),
    ("B learned", "The refinement of B that learned it"),
)
_MARKS = {Shared.BOTH: "A = B", Shared.FIRST: "A", Shared.SECOND: "B"}
_PATHS = {"refuted": "spurious", "spurious": "spurious", "feasible": "feasible", "abstract": "open", "": "none"}


class ComparisonView(QWidget):
    """Compares the run of the model with `second`. `asked(action)` as in all views."""

    asked = Signal(object)

    def __init__(self, model: RunModel, focus: Focus, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._model = model
        self._focus = focus
        self.second: RunRecord | None = None
        self._pairs: tuple[RoundPair, ...] = ()
        self._compared: tuple[PredicateRow, ...] = ()
        self._row: int | None = None  # the pair of rounds under the cursor
        self.chooser: QFileDialog | None = None
        self._menu = QMenu(self)
        self._menu.aboutToShow.connect(self._fill_menu)
        self._empty = EmptyView()
        self._stack = QStackedLayout(self)
        self._stack.addWidget(self._empty)
        self._stack.addWidget(self._content())
        self._reader = Background(self._take)
        model.replaced.connect(self._fill)
        model.advanced.connect(self._fill)
        model.decided.connect(self._fill)
        focus.changed.connect(self._follow)
        self._fill()

    # Building

    def _content(self) -> QWidget:
        content = QWidget()
        self.heading = QLabel()
        self.heading.setWordWrap(True)
        self.heading.setTextFormat(Qt.TextFormat.PlainText)
        self.choose = text_button("columns", "Compare with…", "Choose another run B")
        self.choose.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self.choose.setMenu(self._menu)
        self.swap = text_button("refresh", "Swap", "Show B in the window, and compare it with A")
        self.swap.clicked.connect(self._swap)
        self.end = icon_button("close", "End the comparison", lambda: self.show_second(None))
        bar = QHBoxLayout()
        bar.setContentsMargins(8, 2, 4, 2)
        bar.addWidget(self.heading, 1)
        for button in (self.choose, self.swap, self.end):
            bar.addWidget(button)
        self.overview = RowsTable("What the two runs came to")
        self.rounds = RowsTable("Refinements of the two runs")
        self.rounds.selectionModel().currentRowChanged.connect(lambda index, _: self._go_to_pair(index.row()))
        self.predicates = RowsTable("Predicates of the two runs")
        self.predicates.setWordWrap(False)
        self.tabs = QTabWidget()
        self.tabs.setDocumentMode(True)
        self.tabs.setAccessibleName("What is compared")
        self.tabs.addTab(self.overview, "Overview")
        self.tabs.addTab(self.rounds, "Refinements")
        self.tabs.addTab(self._predicates_page(), "Predicates")
        layout = column_layout(content)
        layout.addLayout(bar)
        layout.addWidget(self.tabs, 1)
        return content

    def _predicates_page(self) -> QWidget:
        page = QWidget()
        self.moment = QLabel()
        self.filter = QComboBox()
        self.filter.setAccessibleName("Which predicates are listed")
        self.filter.addItem("All predicates", None)
        for one in Shared:
            self.filter.addItem(one.value, one)
        self.filter.currentIndexChanged.connect(self._list_predicates)
        bar = QHBoxLayout()
        bar.setContentsMargins(8, 2, 4, 2)
        bar.addWidget(self.moment, 1)
        bar.addWidget(self.filter)
        layout = column_layout(page)
        layout.addLayout(bar)
        layout.addWidget(self.predicates, 1)
        return page

    @property
    def sentence(self) -> str:
        """The sentence shown where nothing is compared."""
        return self._empty.sentence

    # What a person does

    def compare_with(self, path: Path) -> None:
        """Read another run, off the event loop, and compare with it."""
        self._reader.submit(lambda _: _read(path))

    def choose_file(self) -> None:
        """Ask for a run file with a dialog that is not modal."""
        record = self._model.record
        folder = str(record.path.parent) if record is not None and record.path is not None else ""
        self.chooser = chooser(self, "Compare with", folder, "Runs (*.interplay);;All files (*)")
        self.chooser.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.chooser.setModal(False)
        self.chooser.fileSelected.connect(lambda name: self.compare_with(Path(name)))
        self.chooser.show()

    def _fill_menu(self) -> None:
        self._menu.clear()
        record = self._model.record
        path = record.path if record is not None else None
        for one in offered(path.parent, path) if path is not None else ():
            self._menu.addAction(icon("file-run"), one.words, lambda path=one.path: self.compare_with(path))
        self._menu.addSeparator()
        self._menu.addAction(icon("open"), "Choose a run file…", self.choose_file)

    def show_second(self, record: RunRecord | None) -> None:
        """Compare with this run, or with none."""
        self._reader.forget()
        self._take((record, ""))

    def _take(self, read: tuple[RunRecord | None, str]) -> None:
        """Receive a run, or the reason why it could not be read."""
        self.second, error = read
        self._row = None
        self._fill()
        if error:
            self._empty.say(error)

    def _swap(self) -> None:
        first, second = self._model.record, self.second
        if first is not None and second is not None:
            self.second = first
            self._row = None
            self._model.show(second)

    def _go_to_pair(self, row: int) -> None:
        if 0 <= row < len(self._pairs) and row != self._row:
            self._row = row
            first, _ = linked(self._pairs, row)
            if first == self._focus.selection.round:
                self._show_moment()
            else:
                self._focus.go_to_round(first)

    # What happens

    def _follow(self, aspects: Aspect) -> None:
        if aspects & Aspect.MOMENT and self.second is not None:
            at = self._focus.selection.round
            kept = self._row is not None and linked(self._pairs, self._row)[0] == at
            if not kept:
                self._row = index_of(self._pairs, at) if at is not None else None
            self._fill()

    def _fill(self) -> None:
        record = self._model.record
        if record is None or self.second is None or not record.begun:
            self._say_why_empty(record)
            self._stack.setCurrentIndex(0)
            return
        self._stack.setCurrentIndex(1)
        first, second = self._sides(record, self.second)
        same = "" if same_program(record, self.second) else " — their programs differ"
        self.heading.setText(f"A: {title_of(record)}\nB: {title_of(self.second)}{same}")
        self.overview.content.show(_OVERVIEW, [_overview_row(row) for row in overview(first, second)])
        self.overview.widths(20, 120, 0, 0)
        self._pairs = pairs = round_pairs(first, second)
        self.rounds.content.show(_ROUNDS, LazyRows(len(pairs), lambda number: _round_row(pairs[number])))
        self.rounds.widths(52, 104, 60, 84, 104, 60, 84)
        self.swap.setEnabled(self._model.state is RunState.IDLE)
        self._show_moment()

    def _show_moment(self) -> None:
        record = self._model.record
        if record is None or self.second is None:
            return
        self.rounds.select(self._row)
        first, second = self._sides(record, self.second)
        self._compared = predicate_rows(first, second)
        found = counts(self._compared)
        for index, one in enumerate(Shared, 1):
            self.filter.setItemText(index, f"{one.value}: {found[one]}")
        self.moment.setText(f"A {_moment(first)}, B {_moment(second)}")
        self._list_predicates()

    def _list_predicates(self) -> None:
        chosen = self.filter.currentData()
        rows = tuple(row for row in self._compared if chosen is None or row.shared is chosen)
        self.predicates.content.show(_PREDICATES, LazyRows(len(rows), lambda number: _predicate_row(rows[number])))
        self.predicates.widths(52, 84, 0, 80, 80)

    def _sides(self, record: RunRecord, second: RunRecord) -> tuple[ComparedRun, ComparedRun]:
        chosen = self._focus.selection
        _, other = linked(self._pairs, self._row)
        return ComparedRun(record, chosen.attempt, chosen.round), ComparedRun(second, round=other)

    def _say_why_empty(self, record: RunRecord | None) -> None:
        if record is None or not record.begun:
            self._empty.say("No run yet: two runs stand side by side here, of two engines, options or versions.")
            action = Action.OPEN if record is None else Action.VERIFY
            self._empty.offer(action.value, lambda: self.asked.emit(action))
            return
        self._empty.say("Compare this run with another one: of another engine, other options or another version.")
        self._empty.offer("Compare with…", self._pop_up)

    def _pop_up(self) -> None:
        self._menu.popup(self.mapToGlobal(self.rect().center()))


def _read(path: Path) -> tuple[RunRecord | None, str]:
    try:
        return RunRecord.of(open_run(path)), ""
    except (OSError, Malformed) as error:
        return None, f"The run cannot be compared with: {error}"


def _overview_row(row: OverviewRow) -> TableRow:
    look = CellStyle.PLAIN if row.same else CellStyle.NEW
    sign = TableCell("" if row.same else "≠", look, "the same" if row.same else "different")
    return sign, TableCell(row.name, words=row.words), TableCell(row.first, look), TableCell(row.second, look)


def _round_row(pair: RoundPair) -> TableRow:
    number = pair.index + 1
    return (TableCell(str(number)), *_side_of_round(pair.first), *_side_of_round(pair.second))


def _side_of_round(row: RoundRow | None) -> tuple[TableCell, TableCell, TableCell]:
    if row is None:
        ended = TableCell("–", CellStyle.QUIET, "This run has no more rounds")
        return ended, ended, ended
    learned = f" +{row.learned}" if row.learned else ""
    known = f"{counted(row.predicates, 'predicate')} and {counted(row.constraints, 'other lemma')}"
    words = f"{known}; {row.learned} learned in this round"
    seconds = sum(row.seconds.values())
    return (
        TableCell(f"{row.predicates}{learned}", words=words),
        TableCell(f"{seconds:.2f}"),
        TableCell(_PATHS.get(row.result, row.result)),
    )


def _predicate_row(row: PredicateRow) -> TableRow:
    look = CellStyle.PLAIN if row.shared is Shared.BOTH else CellStyle.NEW
    return (
        TableCell(_MARKS[row.shared], look, row.shared.value),
        TableCell(row.where),
        TableCell(row.formula, look, f"{row.kind}: {row.formula}", code=True),
        TableCell(_born(row.born_first)),
        TableCell(_born(row.born_second)),
    )


def _born(round: int | None) -> str:
    return "" if round is None else str(round + 1)


def _moment(side: ComparedRun) -> str:
    return "at its end" if side.round is None else f"in refinement {side.round + 1}"
