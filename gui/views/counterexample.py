"""The counterexample, step by step: changes, call stack, variables before and after, inputs, native replay.

It is the page of the path panel for a path that is a counterexample; other paths belong to `gui.views.path`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QComboBox,
    QHBoxLayout,
    QLabel,
    QSplitter,
    QTabWidget,
    QWidget,
)

from gui.model.current import RunModel
from gui.model.focus import Aspect, Focus
from gui.views.buttons import icon_button
from gui.views.examination import ExaminationStrip
from gui.views.layouts import column_layout
from gui.views.table import RowsTable
from gui.views.tablecells import CellStyle, LazyRows, TableCell, TableHeader, TableRow
from interplay.presentation.plurals import counted
from interplay.presentation.record.paths import VariableRow, counterexample, variables_at
from interplay.presentation.record.run import RunRecord
from interplay.presentation.record.summary import Tone, tone_of
from interplay.presentation.record.trace import (
    InputRow,
    StepKind,
    TraceDetail,
    TraceRow,
    calls_at,
    failing_traces,
    folded_rows,
    input_rows,
    missed_by,
    near,
    trace_rows,
)

if TYPE_CHECKING:
    from gui.views.numberline import NumberLineView
    from interplay.presentation.float_words import NumberLine

_STEPS: tuple[TableHeader, ...] = (
    ("Line", "Where the step stands in the source"),
    ("Statement", "What the source says; called functions are indented"),
    ("Changes", "Only what the step changes"),
)
_VARIABLES: tuple[TableHeader, ...] = (
    ("Variable", "Variables that have been set so far; what the step changed comes first"),
    ("Before", "Its value before the step"),
    ("After", "Its value after the step; ← marks what the step changed"),
)
_INPUTS: tuple[TableHeader, ...] = (
    ("Where", "The place that reads the value"),
    ("Input", "What comes from outside of the program"),
    ("Value", "What it must be for the error to happen; quiet where it has no influence"),
)


class CounterexampleView(QWidget):
    """The view of a counterexample. Its cursor is the step of the focus; selecting a row moves the source and the
    graphs, too.
    """

    def __init__(self, model: RunModel, focus: Focus, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._model = model
        self._focus = focus
        self._check: int | None = None
        self._rows: tuple[TraceRow, ...] = ()
        self.numbers: NumberLineView | None = None
        self.checks = QComboBox()
        self.checks.setAccessibleName("Which error")
        self.checks.activated.connect(self._choose_check)
        self._heading = QLabel()
        self._heading.setProperty("role", "heading")
        self._heading.setWordWrap(True)
        self.strip = ExaminationStrip(model, self._as_the_run_says, lambda: self._check)
        self.steps = RowsTable("Steps of the counterexample")
        self.steps.selectionModel().currentRowChanged.connect(lambda index, _: self._choose(index.row()))
        self.variables = RowsTable("Variables before and after the step")
        self.inputs = RowsTable("Inputs of the counterexample")
        self.inputs.clicked.connect(lambda index: self._go_to_input(index.row()))
        self.inputs.activated.connect(lambda index: self._go_to_input(index.row()))
        self._calls = QLabel()
        self._calls.setWordWrap(True)
        self._calls.setContentsMargins(8, 4, 8, 4)
        self._calls.setToolTip("The functions that are active at this step, the outermost first")
        self._build()
        model.replaced.connect(self._fill)
        model.advanced.connect(self._advance)
        model.decided.connect(self._fill)
        focus.changed.connect(self._follow)
        self._fill()

    # Building

    def _build(self) -> None:
        split = QSplitter(Qt.Orientation.Vertical)
        split.addWidget(self.steps)
        split.addWidget(self._lower())
        split.setStretchFactor(0, 3)
        split.setStretchFactor(1, 2)
        split.setChildrenCollapsible(False)
        layout = column_layout(self, 2)
        head = QHBoxLayout()
        head.setContentsMargins(8, 6, 8, 2)
        head.addWidget(self._heading, 1)
        head.addWidget(self.checks)
        layout.addLayout(head)
        layout.addWidget(self.strip)
        layout.addLayout(self._bar())
        layout.addWidget(split, 1)

    def _bar(self) -> QHBoxLayout:
        focus = self._focus
        bar = QHBoxLayout()
        bar.setContentsMargins(6, 0, 6, 0)
        self.buttons = {
            "first": icon_button("first", "First step", lambda: self._choose(0)),
            "previous": icon_button("previous", "Previous step (F9)", focus.previous_step),
            "next": icon_button("next", "Next step (F10)", focus.next_step),
            "last": icon_button("last", "Last step: the error", lambda: self._choose(len(self._rows) - 1)),
        }
        for button in self.buttons.values():
            bar.addWidget(button)
        self.where = QLabel()
        self.where.setContentsMargins(4, 0, 4, 0)
        bar.addWidget(self.where, 1)
        self.detail = QComboBox()
        self.detail.setAccessibleName("Which steps are listed")
        self.detail.setToolTip("Which steps are listed: by default those whose changes have a part in the error")
        for one in TraceDetail:
            self.detail.addItem(one.value, one)
        self.detail.setMinimumWidth(self.detail.sizeHint().width())
        self.detail.currentIndexChanged.connect(self._fill)
        bar.addWidget(self.detail)
        return bar

    def _lower(self) -> QWidget:
        state = QWidget()
        column = column_layout(state)
        column.addWidget(self._calls)
        column.addWidget(self.variables, 1)
        self._below = column
        self.tabs = QTabWidget()
        self.tabs.setDocumentMode(True)
        self.tabs.setAccessibleName("Variables and inputs")
        self.tabs.addTab(state, "Variables")
        self.tabs.addTab(self.inputs, "Inputs")
        self.tabs.setTabToolTip(1, "The values from outside that make the error happen")
        return self.tabs

    # What happens

    def _follow(self, aspects: Aspect) -> None:
        if aspects & (Aspect.PATH | Aspect.MOMENT):
            self._fill()
        elif aspects & Aspect.STEP:
            self._show_step()

    def _advance(self) -> None:
        """Show the counterexample once there is one; what is said of it grows while it is examined."""
        if self._check is None:
            self._fill()
        else:
            self.strip.update_words()

    def _fill(self) -> None:
        record, path = self._model.record, self._focus.path
        if record is None or path is None or path != counterexample(record, path.check):
            self._clear()
            return
        self._check = path.check
        self._heading.setText(path.heading)
        self._fill_checks(record)
        rows = trace_rows(record, self._check, self._detail)
        self._rows = tuple(folded_rows(rows)) if self._detail is TraceDetail.RELEVANT else rows
        self._focus.stop_at(row.index for row in self._rows)
        shown = self._rows  # the table may be painted once more when the view has others
        self.steps.content.show(_STEPS, LazyRows(len(shown), lambda number: _step_row(record, shown[number])))
        self.steps.widths(48, 0, 0)
        inputs = input_rows(record, self._check)
        self.inputs.content.show(_INPUTS, [_input_row(one) for one in inputs])
        self.inputs.widths(110, 0, 90)
        self.tabs.setTabText(1, f"Inputs ({len(inputs)})")
        self.strip.update_words()
        self._show_step()

    def _clear(self) -> None:
        """Show nothing: what was shown belongs to another run."""
        if self._check is not None:
            self._check, self._rows = None, ()
            self._heading.clear()
            self._calls.clear()
            self.where.clear()
            self.checks.clear()
            self.tabs.setTabText(1, "Inputs")
            for table in (self.steps, self.variables, self.inputs):
                table.content.show((), [])
            self._show_numbers(None)

    def _fill_checks(self, record: RunRecord) -> None:
        traces = failing_traces(record)
        self.checks.clear()
        self.checks.setVisible(len(traces) > 1)
        for number in traces:
            check = record.view.checks.get(number)
            self.checks.addItem(f"line {check.line}" if check is not None else f"check {number}", number)
            if check is not None:
                self.checks.setItemData(self.checks.count() - 1, check.description, Qt.ItemDataRole.ToolTipRole)
        self.checks.setCurrentIndex(self.checks.findData(self._check))

    def _show_step(self) -> None:
        record, check = self._model.record, self._check
        if record is None or check is None:
            return
        step = self._focus.selection.step
        row, last = near(self._rows, step), len(self._rows) - 1
        self.steps.select(row)
        self.where.setText(counted(last + 1, "step") if row is None else f"step {row + 1} of {last + 1}")
        for name in ("first", "previous"):
            self.buttons[name].setEnabled(row is None or row > 0)
        for name in ("next", "last"):
            self.buttons[name].setEnabled(row is None or row < last)
        calls = calls_at(record, check, step)
        moment = "at the end" if step is None else f"before and after line {_line(self._rows, row)}"
        self._calls.setText(f"{' → '.join(calls) or 'before main'}: {moment}")
        values = variables_at(record, check, step)
        self.variables.content.show(_VARIABLES, _variables(values))
        self.variables.widths(0, 120, 120)
        at_end = row is None or row == last
        self._show_numbers(missed_by(record, check, values) if at_end else None)

    def _show_numbers(self, line: NumberLine | None) -> None:
        if self.numbers is None and line is not None:
            from gui.views.numberline import NumberLineView  # few programs have floating-point numbers

            self.numbers = NumberLineView()
            self._below.addWidget(self.numbers)
        if self.numbers is not None:
            self.numbers.show_line(line)

    def _as_the_run_says(self) -> tuple[Tone, str]:
        """The result of the run about this counterexample, for the examination strip."""
        record = self._model.record
        check = record.view.checks.get(self._check) if record is not None and self._check is not None else None
        if check is None:
            return Tone.RUNNING, "It has not been replayed yet."
        where = f"{check.file.rpartition('/')[2]}:{check.line}"
        if check.confirmed_by:
            by, _, without = check.confirmed_by.partition("; ")
            note = f" ({without})" if without else ""
            return tone_of(check.status), f"In the run, {by} reached {where}: {check.description}{note}."
        return tone_of(check.status), f"Not confirmed: {check.reason}"

    # What a person does

    @property
    def _detail(self) -> TraceDetail:
        found = self.detail.currentData()
        return found if isinstance(found, TraceDetail) else TraceDetail.RELEVANT

    def _choose(self, row: int) -> None:
        if 0 <= row < len(self._rows) and self._rows[row].index != self._focus.selection.step:
            self._focus.go_to_step(self._rows[row].index)

    def _choose_check(self, index: int) -> None:
        number = self.checks.itemData(index)
        if isinstance(number, int):
            self._focus.go_to_check(number)

    def _go_to_input(self, row: int) -> None:
        record = self._model.record
        if record is not None and self._check is not None:
            rows = input_rows(record, self._check)
            if 0 <= row < len(rows):
                self._focus.go_to_line(*rows[row].place)


def _exactly(text: str) -> str:
    from interplay.presentation.float_words import exactly  # not at the start of the window

    return exactly(text)


def _step_row(record: RunRecord, row: TraceRow) -> TableRow:
    changes = ", ".join(f"{name} = {value}" for name, value in row.changes)
    says = "" if row.note is None else str(row.note)
    words = " · ".join(part for part in (changes, says) if part)
    exact = [one for one in (_exactly(value) for _, value in row.changes) if one]
    both = words if row.note is not None and row.note.kind is StepKind.LIFE else changes or says
    if row.note is not None and row.note.kind is StepKind.ERROR:
        look, note = CellStyle.CORE, f"✗ {row.note.reason or 'the error'}"
    else:
        look, note = CellStyle.PLAIN if row.matters or row.note else CellStyle.QUIET, both
    return (
        TableCell("" if row.line is None else record.line(row.file, row.line), look, row.file),
        TableCell(f"{'    ' * row.depth}{row.text or '(no effect)'}", look, row.text, code=True),
        TableCell(note, look, "\n".join((words, *exact)), code=bool(changes)),
    )


def _input_row(row: InputRow) -> TableRow:
    look = CellStyle.PLAIN if row.matters else CellStyle.QUIET
    times = f", call {row.times}" if row.times > 1 else ""
    words = f"{row.named}: {row.kind}{times}" + ("" if row.matters else "; it has no influence on the error")
    name = f"{row.variable} = {row.name}" if row.variable not in ("", row.name) else row.named
    return (
        TableCell(row.where, look, words),
        TableCell(f"{name}{times}", look, words),
        TableCell(row.value, look, _exactly(row.value) or row.value, True),
    )


def _variables(rows: Sequence[VariableRow]) -> list[TableRow]:
    """Rows of variables by their names in the source, those that changed first."""
    found: list[tuple[bool, TableRow]] = []
    for row in rows:
        look = CellStyle.NEW if row.changed else CellStyle.PLAIN
        before, after = row.before, "?" if row.after is None else row.after
        known = None if before is None else TableCell(before, words=_exactly(before), code=True)
        earlier = known or TableCell("not set", CellStyle.QUIET)
        later = TableCell(f"{after}{'  ←' if row.changed else ''}", look, _exactly(after), code=True)
        found.append((not row.changed, (TableCell(row.name, look, row.name, code=True), earlier, later)))
    return [cells for _, cells in sorted(found, key=lambda one: one[0])]


def _line(rows: Sequence[TraceRow], row: int | None) -> str:
    line = None if row is None else rows[row].line
    return "?" if line is None else str(line)
