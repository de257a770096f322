"""The evidence of a verdict: invariants and obligations of a proof, the replay of a counterexample; missing answers."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from html import escape

from PySide6.QtCore import Qt, QUrl, Signal
from PySide6.QtWidgets import (
    QComboBox,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QSizePolicy,
    QStackedLayout,
    QVBoxLayout,
    QWidget,
)

from gui.model.current import RunModel
from gui.model.focus import Aspect, Focus
from gui.views.empty import EmptyView
from gui.views.examination import ExaminationStrip
from gui.views.formuladialog import LINK, formula_link, show_formula
from gui.views.labels import HtmlText, Sentence
from gui.views.layouts import Sections, column_layout, scrolling
from gui.views.table import RowsTable
from gui.views.tablecells import CellStyle, LazyRows, TableCell, TableHeader, TableRow
from interplay.presentation.record.evidence import (
    AttemptRow,
    CheckRow,
    InvariantRow,
    at_line,
    attempt_rows,
    check_rows,
    executions,
    heading,
    invariant_rows,
)
from interplay.presentation.record.proof import (
    WITHOUT_SOLVER,
    duration,
    left_to_the_solver,
    reading_in_words,
    slowest,
    tally,
    tool_in_words,
)
from interplay.presentation.record.repetition import about, again
from interplay.presentation.record.run import RunRecord
from interplay.presentation.record.summary import (
    Action,
    EvidenceRow,
    Tone,
    answered,
    assumptions,
    banner,
    obligations,
)
from interplay.presentation.record.unanswered import ExplanationPart, MissingAnswer, no_answer

_CHECKS: tuple[TableHeader, ...] = (
    ("Check", "✓ never fails, ✗ can fail, ? no answer"),
    ("What", "What must not happen"),
    ("Found by", "The engine whose claim separate code confirmed, and by what; or why there is no answer"),
    ("Reached by", "An execution that comes to the check, or the proof that none does: then it was not tested"),
)
_OBLIGATIONS: tuple[TableHeader, ...] = (
    ("Where", "Where the step begins"),
    ("Step", "From where an invariant holds, through these statements, to where one must hold"),
    ("Reading", "Bit-precise: for machine integers. Integers: mathematical ones, with the program's wrap-around"),
    (
        "By",
        "Syntax: the text alone. Intervals: the ranges of variables. Sat: a SAT solver. cvc5: that solver",
    ),
    ("Time", "On the clock, since the step that was shown before it; repeating it over bit-vectors included"),
)
_ENGINES: tuple[TableHeader, ...] = (
    ("Engine", "In the order in which they were tried; ✓ and ✗ decided"),
    ("CPU", "Seconds of processor time"),
    ("Result", "What it came to"),
    ("Why it was tried", "What of the program speaks for it"),
)
_SIGNS = {Tone.TRUE: "✓", Tone.FALSE: "✗", Tone.RUNNING: "…"}
_MAX_INVARIANTS = 300
_ROWS = 8  # of the tables of checks and engines, without scrolling


class EvidenceView(QWidget):
    """The view of the evidence; follows the attempt of the focus. `asked(action)` is emitted by its buttons."""

    asked = Signal(object)

    def __init__(self, model: RunModel, focus: Focus, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._model = model
        self._focus = focus
        self._action = Action.NONE
        self._attempt: int | None = None  # that is shown
        self._steps: tuple[EvidenceRow, ...] = ()
        self._places: tuple[CheckRow, ...] = ()
        self.heading = _words()
        self.heading.setProperty("role", "heading")
        self.assumes = _words()
        self.reached = _words()
        self.about = _words()
        self.again = _words()
        self.missing = QWidget()
        self.missing_words = {part: _words() for part in ExplanationPart}
        self.last = QPushButton(Action.SHOW_LAST.value)
        self.last.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.last.clicked.connect(lambda: self.asked.emit(Action.SHOW_LAST))
        self.action = QPushButton()
        self.action.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.action.clicked.connect(lambda: self.asked.emit(self._action))
        self.strip = ExaminationStrip(model, self._as_the_run_says, lambda: None)
        self.invariants = HtmlText()
        self.invariants.setAccessibleName("Loop invariants")
        self.invariants.setOpenLinks(False)
        self.invariants.anchorClicked.connect(self._go)
        self.tally = _words()
        self.filter = QComboBox()
        self.filter.setAccessibleName("Which obligations are listed")
        self.filter.addItems(["All obligations", "Slowest first", "Over integers", "Needed a solver"])
        self.filter.currentIndexChanged.connect(self._list_obligations)
        self.obligations = RowsTable("Obligations that the checker discharged")
        self.obligations.selectionModel().currentRowChanged.connect(lambda index, _: self._go_to_step(index.row()))
        self.checks = RowsTable("Checks")
        self.checks.selectionModel().currentRowChanged.connect(lambda index, _: self._go_to_check(index.row()))
        self.engines = RowsTable("Engines of this run")
        for table in (self.checks, self.engines):
            table.fitted.connect(self._fit)
        self._empty = EmptyView()
        self._stack = QStackedLayout(self)
        self._stack.addWidget(self._empty)
        self._stack.addWidget(scrolling(self._content()))
        model.replaced.connect(self._fill)
        model.decided.connect(self._fill)
        focus.changed.connect(self._follow)
        self._fill()

    # Building

    def _content(self) -> QWidget:
        content = QWidget()
        self._layout = layout = column_layout(content, 2)
        self._lay_out_missing()
        for widget in (self.heading, self.assumes, self.reached, self.about, self.again, self.strip, self.missing):
            layout.addWidget(widget)
        layout.addLayout(_beside(self.action))
        bar = QHBoxLayout()
        bar.setContentsMargins(0, 0, 8, 0)
        bar.addWidget(self.tally, 1)
        bar.addWidget(self.filter, 0, Qt.AlignmentFlag.AlignTop)
        self._sections = {
            "checks": _section("Checks", self.checks),
            "invariants": _section("What holds at loop heads, calls and returns", self.invariants),
            "obligations": _section("What the checker showed", self.obligations, bar),
            "engines": _section("Engines", self.engines),
        }
        self._split = Sections(Qt.Orientation.Vertical)
        self._split.setChildrenCollapsible(False)
        for name, stretch in (("checks", 2), ("invariants", 2), ("obligations", 3), ("engines", 1)):
            self._split.addWidget(self._sections[name])
            self._split.setStretchFactor(self._split.count() - 1, stretch)
        layout.addWidget(self._split, 1)
        self._rest = QWidget()  # keeps the sentences at the top where there is no table
        layout.addWidget(self._rest, 1)
        return content

    def _lay_out_missing(self) -> None:
        layout = column_layout(self.missing)
        for part, words in self.missing_words.items():
            layout.addWidget(_title(part.value))
            layout.addWidget(words)
            if part is ExplanationPart.LAST_PATH:
                layout.addLayout(_beside(self.last))

    # What happens

    def _follow(self, aspects: Aspect) -> None:
        if aspects & Aspect.MOMENT and self._focus.selection.attempt != self._attempt:  # the round does not matter
            self._fill()

    def _fill(self) -> None:
        record = self._model.record
        if record is None or record.view.verdict is None:
            self._say_why_empty(record)
            self._stack.setCurrentIndex(0)
            return
        self._stack.setCurrentIndex(1)
        self._attempt = attempt = self._focus.selection.attempt
        self.heading.setText(heading(record))
        assumed = assumptions(record)
        self.assumes.setText(f"It assumes: {'; '.join(assumed)}." if assumed else "")
        self.assumes.setVisible(bool(assumed))
        self.reached.setText(executions(record))
        self.reached.setVisible(bool(self.reached.text()))
        self.about.setText(about(record))
        self.about.setVisible(bool(self.about.text()))
        self.again.setText(again(record))
        self._offer(record, no_answer(record))
        self._show_proof(record, attempt)
        self._places = check_rows(record)
        self.checks.content.show(
            _CHECKS, [_check_row(row, self._where, record.view.verdict.reason) for row in self._places]
        )
        self.checks.widths(100, 0, 80, 90)
        tried = attempt_rows(record)
        self.engines.content.show(_ENGINES, _engine_rows(tried, record.view.verdict.reason))
        self.engines.widths(90, 50, 110)
        self._sections["checks"].setVisible(len(self._places) > 1)
        self._sections["engines"].setVisible(len(tried) > 1)
        self._fit()
        grows = not self._sections["obligations"].isHidden()  # else all is short, and stays at the top
        self._rest.setVisible(not grows)
        self._layout.setStretchFactor(self._split, int(grows))
        self.strip.update_words()
        self.strip.setVisible(bool(self.strip.button.text()))

    def _fit(self) -> None:
        """Fit the heights: short texts get what they need, the obligations get the rest."""
        title = 32
        for name, table in (("checks", self.checks), ("engines", self.engines)):
            height = title + table.height_of_rows(_ROWS) + 6
            alone = self._sections["obligations"].isHidden()  # then nothing else wants the room
            least = table.height_of_rows(_ROWS if alone else 2)
            self._sections[name].setMinimumHeight(min(height, title + least + 6))
            self._sections[name].setMaximumHeight(height)
        document = self.invariants.document().clone()
        document.setTextWidth(max(200, self.width() - 24))
        height = round(document.size().height())
        height = title + max(48, min(height + 12, 400))
        self._sections["invariants"].setMinimumHeight(min(height, 260))
        self._sections["invariants"].setMaximumHeight(height)
        words = self.tally.heightForWidth(max(60, self.width() - self.filter.sizeHint().width() - 24))
        self._sections["obligations"].setMinimumHeight(
            title + words + min(160, self.obligations.height_of_rows(3)) + 12
        )

    def _say_why_empty(self, record: RunRecord | None) -> None:
        if record is not None and record.begun:
            self._empty.say("The run has no verdict yet: what it rests on comes here when it is there.")
            self._empty.offer("", lambda: None)
            return
        action = Action.OPEN if record is None else Action.VERIFY
        self._empty.say("No run yet: what a verdict rests on comes here, with every step that the checker took.")
        self._empty.offer(action.value, lambda: self.asked.emit(action))

    def _offer(self, record: RunRecord, missing: MissingAnswer | None) -> None:
        """Show the explanation of a run without an answer, and the next action."""
        if missing is not None:
            for part, text in missing.parts():
                self.missing_words[part].setText(text)
            self.last.setVisible(missing.has_path and missing.action is not Action.SHOW_LAST)
            self._action = missing.action
        else:
            self._action = Action.STEP_THROUGH if record.view.traces else Action.NONE
        self.missing.setVisible(missing is not None)
        self.action.setText(self._action.value)
        self.action.setVisible(self._action is not Action.NONE)

    def _show_proof(self, record: RunRecord, attempt: int) -> None:
        holding = invariant_rows(record, attempt)
        self.invariants.setHtml(_invariants(holding, lambda number: formula_link(record, attempt, number)))
        self._steps = obligations(record, attempt)
        self.tally.setText(tally(record, attempt))
        self._list_obligations()
        self._sections["invariants"].setVisible(bool(holding))
        self._sections["obligations"].setVisible(bool(self._steps))

    def _list_obligations(self) -> None:
        rows = self._listed()
        self.obligations.content.show(
            _OBLIGATIONS, LazyRows(len(rows), lambda number: _obligation_row(rows[number], self._where))
        )
        self.obligations.widths(64, 0, 78, 60, 58)

    def _where(self, place: str) -> str:
        record = self._model.record
        return place if record is None else at_line(record, place)

    def _listed(self) -> tuple[EvidenceRow, ...]:
        match self.filter.currentIndex():
            case 1:
                return slowest(self._steps)
            case 2:
                return tuple(row for row in self._steps if row.result == "integers")
            case 3:
                return tuple(row for row in self._steps if row.tool not in WITHOUT_SOLVER)
            case _:
                return self._steps

    def _as_the_run_says(self) -> tuple[Tone, str]:
        record = self._model.record
        shown = banner(record)
        if record is None or record.view.verdict is None:
            return Tone.IDLE, ""
        if not record.view.verdict.confirmed_by:
            confirmed, checks = answered(record), len(record.view.checks)
            some = f"Confirmed in the run: {confirmed} of {checks} checks."
            return shown.tone, some if confirmed else "Nothing of it was confirmed in the run."
        by = "Confirmed in the run, by code that is no part of an engine."
        if shown.tone is Tone.FALSE:  # of which the obligations say nothing: they are those of the other checks
            return shown.tone, f"{by} It ran the program with these inputs, and came to the error."
        return shown.tone, f"{by} {left_to_the_solver(record, self._focus.selection.attempt)}".strip()

    # What a person does

    def _go(self, link: QUrl) -> None:
        """Follow a link: to the place of an invariant, or to its full formula."""
        record, attempt = self._model.record, self._focus.selection.attempt
        kind, _, number = link.toString().rpartition(":")
        if record is not None and kind == LINK:
            rows = (row for row in invariant_rows(record, attempt) if row.formula == int(number))
            place = next((row.place for row in rows), None)
            show_formula(record, attempt, int(number), place, self)
        elif record is not None:
            self._focus.go_to_place(invariant_rows(record, attempt)[int(number)].place)

    def _go_to_step(self, row: int) -> None:
        record, rows = self._model.record, self._listed()
        if record is None or not 0 <= row < len(rows):
            return
        spans = [record.span_of_edge(edge) for edge in rows[row].edges]
        first = next((span for span in spans if span is not None), None)
        if first is not None:
            self._focus.go_to_line(first.file, first.line)

    def _go_to_check(self, row: int) -> None:
        record = self._model.record
        if record is None or not 0 <= row < len(self._places):
            return
        chosen = self._places[row]
        if chosen.tone is Tone.FALSE and chosen.check in record.view.traces:
            self._focus.go_to_check(chosen.check)
        self._focus.go_to_line(*chosen.place)


def _section(title: str, body: QWidget, bar: QHBoxLayout | None = None) -> QWidget:
    section = QWidget()
    layout = QVBoxLayout(section)
    layout.setContentsMargins(0, 4, 0, 0)
    layout.setSpacing(2)
    layout.addWidget(_title(title))
    if bar is not None:
        layout.addLayout(bar)
    layout.addWidget(body, 1)
    return section


def _title(text: str) -> QLabel:
    label = QLabel(text)
    label.setProperty("role", "heading")
    label.setWordWrap(True)  # else the panel would be as wide as it
    label.setContentsMargins(8, 4, 8, 0)
    return label


def _beside(button: QPushButton) -> QHBoxLayout:
    """A row with a button at its left."""
    row = QHBoxLayout()
    row.setContentsMargins(8, 0, 8, 4)
    row.addWidget(button)
    row.addStretch(1)
    return row


def _words() -> Sentence:
    label = Sentence()
    label.setContentsMargins(8, 4, 8, 2)
    label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
    return label


def _check_row(row: CheckRow, where: Callable[[str], str], said: str) -> TableRow:
    sign = _SIGNS.get(row.tone, "?")
    look = CellStyle.CORE if row.tone is Tone.FALSE else CellStyle.PLAIN
    open_still = row.tone is not Tone.TRUE and row.tone is not Tone.FALSE
    words = f"{row.engine}: {row.why}" if row.engine else row.why
    shown = f"{row.engine}: {re.split(r'[:(]', row.why)[0].strip()}"  # without the numbers of its steps
    by = shown if not open_still else "nobody" if row.why == said else row.why
    return (
        TableCell(f"{sign} {where(row.where)}", look, f"{row.where}: {row.word}"),
        TableCell(row.description, look),
        TableCell(by, look, words),
        TableCell(row.reached.replace("__VERIFIER_", ""), look, row.reached),
    )


def _engine_rows(rows: Sequence[AttemptRow], said: str) -> list[TableRow]:
    """The rows of engines. A reason that was `said` above, or stands in a row before, is not repeated."""
    found, before = list[TableRow](), {said}
    for row in rows:
        word, _, reason = row.result.partition(": ")
        found.append(_engine_row(row, f"{word}: the same" if reason and reason in before else row.result))
        before |= {reason} - {""}
    return found


def _engine_row(row: AttemptRow, result: str) -> TableRow:
    seconds = "" if row.seconds is None else f"{row.seconds:.1f}"
    return (
        TableCell(f"{_SIGNS.get(row.tone, '?')} {row.engine}"),
        TableCell(seconds),
        TableCell(result, words=row.result),
        TableCell(row.why),
    )


def _obligation_row(row: EvidenceRow, where: Callable[[str], str]) -> TableRow:
    short, long = reading_in_words(row.result)
    weak = CellStyle.CORE if row.result in ("refuted", "undecided") else CellStyle.PLAIN
    return (
        TableCell(where(row.place), weak, row.place),
        TableCell(row.subject, weak, row.subject, code=True),
        TableCell(short, weak, long),
        TableCell(row.tool, weak, tool_in_words(row.tool)),
        TableCell(duration(row.seconds), weak, f"{row.seconds:.3f} s"),
    )


def _invariants(rows: tuple[InvariantRow, ...], formula_link: Callable[[int], str]) -> str:
    """The invariants as HTML: each with a link to its place, a line for each conjunct, and a link to the full formula
    where it is abridged.
    """
    parts: list[str] = []
    for number, row in enumerate(rows[:_MAX_INVARIANTS]):
        parts.append(f'<p style="margin:6px 4px"><a href="{number}">{escape(row.where)}</a><br>')
        parts.append("<br>".join(f"<code>{escape(line)}</code>" for line in row.lines))
        parts.append(f"{formula_link(row.formula)}</p>")
    if len(rows) > _MAX_INVARIANTS:
        parts.append(f"<p>and {len(rows) - _MAX_INVARIANTS} more</p>")
    return "".join(parts)
