"""The path panel: the spurious path of a refinement, or the counterexample; its cursor is the step of the focus."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from html import escape

from PySide6.QtCore import QEvent, Qt, QTimer, QUrl, Signal
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import (
    QCheckBox,
    QHBoxLayout,
    QLabel,
    QSplitter,
    QStackedLayout,
    QVBoxLayout,
    QWidget,
)

from gui.model.current import RunModel
from gui.model.focus import Aspect, Focus
from gui.theme import colours_of
from gui.views.buttons import icon_button
from gui.views.counterexample import CounterexampleView
from gui.views.empty import EmptyView
from gui.views.formuladialog import LINK, formula_link, show_formula
from gui.views.labels import HtmlLabel, HtmlText
from gui.views.layouts import column_layout
from gui.views.relayout import RelayoutBoundary
from gui.views.table import RowsTable
from gui.views.tablecells import CellStyle, LazyRows, TableCell, TableHeader, TableRow
from interplay.presentation.plurals import counted
from interplay.presentation.record.moments import round_of, rounds
from interplay.presentation.record.paths import Fate, PathStep, ShownPath, call_stack, counterexample
from interplay.presentation.record.reasons import (
    KINDS,
    MAX,
    CoreStatement,
    Learned,
    conclusion,
    contradiction,
    learned_in,
    origin_words,
)
from interplay.presentation.record.run import RunRecord
from interplay.presentation.record.timeline import KNOWN_PREDICATES, needs_constraints_only

_LINE: TableHeader = ("Line", "Where the step stands in the source")
_STATEMENT: TableHeader = ("Statement", "What the source says; [condition] was taken; called functions are indented")
_CORE: TableHeader = ("⨯", "⨯ marks the statements that contradict each other")
_BEFORE: TableHeader = ("Holds before", "What the refutation needs to know before this step (its interpolant)")
_WEAK: TableHeader = ("Step may do (weak)", "The transition interpolant of the proof as it was found: the weakest form")
_STRONG: TableHeader = ("Step may do (strong)", "The transition interpolant of the rewritten proof: the strongest form")
_MAX_LEARNED = 200  # lines of what was learned
_TRACKED = "it need not hold; from now on the abstraction asks which value it has"
_FORMS = {KINDS["predicate"]: "is {} true or false?", KINDS["value"]: "the value of {}"}
_ENTRY = '<p style="margin: 3px 0 0 10px">'


class PathView(QWidget):
    """Shows the path of the moment step by step, the reason why it is infeasible, and the lemmas learned from it."""

    asked = Signal(object)

    _said = ""  # about the path

    def __init__(self, model: RunModel, focus: Focus, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._model = model
        self._focus = focus
        self._path: ShownPath | None = None
        self._rows: tuple[int, ...] = ()  # the steps that are listed
        self.heading = QLabel()
        self.heading.setProperty("role", "heading")
        self.heading.setWordWrap(True)
        self.heading.setContentsMargins(8, 6, 8, 0)
        self.steps = RowsTable("Steps of the path")
        self.steps.selectionModel().currentRowChanged.connect(lambda index, _: self._choose(index.row()))
        self.reasons = HtmlText()
        self.reasons.setOpenLinks(False)
        self.reasons.setAccessibleName("Why the path is impossible, and what was learned")
        self.reasons.anchorClicked.connect(self._go)
        self.details = HtmlLabel()
        self.details.setContentsMargins(8, 4, 8, 4)
        self.details.linkActivated.connect(lambda link: self._go(QUrl(link)))
        self._empty = EmptyView()
        self._stack = QStackedLayout(self)
        self._stack.addWidget(self._empty)
        self._stack.addWidget(self._content())
        self.counterexample = CounterexampleView(model, focus)
        self._stack.addWidget(self.counterexample)
        model.replaced.connect(self._fill)
        model.advanced.connect(self._advance)
        model.decided.connect(self._fill)
        focus.changed.connect(self._follow)
        self._fill()

    def _content(self) -> QWidget:
        content, lower = QWidget(), QWidget()
        below = QVBoxLayout(lower)
        below.setContentsMargins(0, 0, 0, 0)
        for widget in (self.details, self.reasons):
            below.addWidget(widget)
        split = QSplitter(Qt.Orientation.Vertical)
        split.addWidget(self.steps)
        split.addWidget(lower)
        split.setStretchFactor(0, 3)
        split.setStretchFactor(1, 2)
        layout = column_layout(content, 2)
        layout.addWidget(RelayoutBoundary(self.heading))
        layout.addLayout(self._bar())
        layout.addWidget(split, 1)
        return content

    def _bar(self) -> QHBoxLayout:
        bar = QHBoxLayout()
        bar.setContentsMargins(6, 0, 6, 0)
        self.buttons = {
            "first": icon_button("first", "First step", lambda: self._focus.go_to_step(0)),
            "previous": icon_button("previous", "Previous step (F9)", lambda: self._move(-1)),
            "next": icon_button("next", "Next step (F10)", lambda: self._move(1)),
            "last": icon_button(
                "last", "Last step", lambda: self._focus.go_to_step(len(self._path.steps) - 1 if self._path else 0)
            ),
        }
        for button in self.buttons.values():
            bar.addWidget(button)
        self.where = QLabel()
        bar.addWidget(RelayoutBoundary(self.where), 1)
        self.only_core = QCheckBox("Only ⨯ steps")
        self.only_core.setToolTip("List only the steps with statements that contradict each other")
        self.only_core.toggled.connect(self._show_path)
        bar.addWidget(self.only_core)
        return bar

    # What happens

    def _advance(self) -> None:
        if self.isVisible() and self._focus.path != self._path:
            self._fill()

    def _fill(self) -> None:
        if self.isVisible():
            self._path = self._focus.path
            self._show_path()

    def _follow(self, aspects: Aspect) -> None:
        if not self.isVisible():
            return
        if aspects & (Aspect.PATH | Aspect.MOMENT):
            self._fill()
        elif aspects & Aspect.STEP:
            self._show_step()
        if aspects & Aspect.LEMMA and self._path is not None and self._model.record is not None:
            self._show_reasons(self._model.record, self._path)

    def _show_path(self) -> None:
        path, record = self._path, self._model.record
        if path is None or record is None:
            self._empty.say(_why_empty(record, self._focus.selection.round))
            self._stack.setCurrentIndex(0)
            return
        if path == counterexample(record, path.check):
            self._stack.setCurrentWidget(self.counterexample)
            return
        self._stack.setCurrentIndex(1)
        contradicts = any(step.in_core for step in path.steps)
        self.only_core.setVisible(contradicts)
        only = contradicts and self.only_core.isChecked()
        self._rows = tuple(step.index for step in path.steps if step.in_core or not only)
        attempt = self._focus.selection.attempt
        headers, make = _columns(record, attempt, path)
        listed = tuple(path.steps[index] for index in self._rows)
        self.steps.content.show(
            headers, LazyRows(len(listed), lambda row: make(listed[row]), (record, attempt, listed))
        )
        self.steps.widths(*_WIDTHS[len(headers)])
        self.heading.setText(path.heading)
        self._show_reasons(record, path)
        self._show_step()

    def _show_step(self) -> None:
        path, record, step = self._path, self._model.record, self._focus.selection.step
        if path is None or record is None:
            return
        self.steps.select(self._rows.index(step) if step in self._rows else None)
        count = len(path.steps)
        self.where.setText(f"step {step + 1} of {count}" if step is not None else counted(count, "step"))
        for name, enabled in (("first", step != 0), ("previous", step != 0), ("next", step != count - 1)):
            self.buttons[name].setEnabled(count > 0 and enabled)
        self.buttons["last"].setEnabled(count > 0 and step != count - 1)
        self._show_state(record, path, step)

    def _show_state(self, record: RunRecord, path: ShownPath, step: int | None) -> None:
        """Show the call stack and the full interpolants."""
        at = path.steps[step] if step is not None and step < len(path.steps) else None
        words = _details(record, self._focus.selection.attempt, at) if at is not None else ""
        self.details.setText(words)
        self.details.setVisible(bool(words))

    def _show_reasons(self, record: RunRecord, path: ShownPath) -> None:
        chosen = self._focus.selection
        shown = path.fate is Fate.SPURIOUS
        self.reasons.setVisible(shown)
        if shown:
            attempt = record.attempt(chosen.attempt)
            last = round_of(attempt, chosen.round)
            number = path.round if path.round is not None else last.number if last is not None else 0
            colour = colours_of(self.palette()).cursor
            html = _reasons(record, chosen.attempt, number, chosen.lemma, colour)
            if html != self._said:
                self._said = html
                self.reasons.setHtml(html)
            self._show_lemma()

    def _show_lemma(self) -> None:
        """Scroll to the selected lemma."""
        lemma = self._focus.selection.lemma
        if lemma is not None:
            QTimer.singleShot(0, self.reasons, lambda: self.reasons.scrollToAnchor(f"lemma{lemma}"))

    def showEvent(self, event: QShowEvent) -> None:  # noqa: N802 - Qt's name
        super().showEvent(event)
        self._fill()

    # What a person does

    def changeEvent(self, event: QEvent) -> None:  # noqa: N802 - Qt's name
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange and self._said:
            self._said = ""  # which has colours
            self._fill()

    def _choose(self, row: int) -> None:
        if 0 <= row < len(self._rows) and self._rows[row] != self._focus.selection.step:
            self._focus.go_to_step(self._rows[row])

    def _move(self, by: int) -> None:
        (self._focus.next_step if by > 0 else self._focus.previous_step)()

    def _go(self, link: QUrl) -> None:
        """Follow a link: to a line, to a lemma, or to a full formula."""
        kind, _, rest = link.toString().partition(":")
        if kind == "lemma":
            self._focus.go_to_lemma(int(rest))
        elif kind == LINK and self._model.record is not None:
            show_formula(self._model.record, self._focus.selection.attempt, int(rest), None, self)
        elif kind == "line":
            line, _, file = rest.partition(":")
            self._focus.go_to_line(QUrl.fromPercentEncoding(file.encode()), int(line))


# Columns: sign, line, statement and what the kind of path has. Stretched ones have no width.
_WIDTHS = {4: (24, 44, 0, 160), 5: (24, 44, 0, 130, 130), 6: (24, 44, 150, 130, 130, 130), 3: (24, 44, 0)}


def _columns(
    record: RunRecord, attempt: int, path: ShownPath
) -> tuple[tuple[TableHeader, ...], Callable[[PathStep], TableRow]]:
    """The columns for which this path has data, and the function that makes a row of a step."""
    more: list[tuple[TableHeader, Callable[[PathStep], TableCell]]] = []

    def formula(formula_id: int | None, step: PathStep) -> TableCell:
        return TableCell("" if formula_id is None else record.formula(attempt, formula_id, step.source), code=True)

    if any(step.before is not None for step in path.steps):
        more.append((_BEFORE, lambda step: formula(step.before, step)))
    if any(step.weak is not None and step.strong is not None for step in path.steps):
        more += [(_WEAK, lambda step: formula(step.weak, step)), (_STRONG, lambda step: formula(step.strong, step))]

    def text(edge: int) -> str:
        edges = record.program.edges if record.program is not None else ()
        return edges[edge].text if 0 <= edge < len(edges) else ""

    @cache
    def row(step: PathStep) -> TableRow:
        look = CellStyle.CORE if step.in_core else CellStyle.PLAIN
        against = "; ".join(filter(None, map(text, step.core)))
        sign = TableCell(
            "⨯" if step.in_core else "", look, f"Part of the contradiction: {against}" if step.in_core else ""
        )
        line = TableCell(str(step.span.line) if step.span is not None else "", look)
        own = [step.edges[position] for position in record.text.own(step.edges)]
        said = _marked(step, own, text) or "(no effect)"
        statement = TableCell(f"{'  ' * max(0, step.calls - 1)}{said}", look, said, code=True)
        return (sign, line, statement, *(make(step) for _, make in more))

    return (_CORE, _LINE, _STATEMENT, *(header for header, _ in more)), row


def _marked(step: PathStep, own: Sequence[int], text: Callable[[int], str]) -> str:
    """The own statements of a step; where only some of them are part of the contradiction, these are marked."""
    parts = [(edge in step.core, said) for edge in own if (said := text(edge))]
    some = {against for against, _ in parts} == {True, False}
    return "; ".join(f"⨯ {said}" if some and against else said for against, said in parts)


def _details(record: RunRecord, attempt: int, step: PathStep) -> str:
    """Details that do not fit into the table: the calls, and the full interpolants."""
    calls = call_stack(record, step.source)
    parts = [f"<b>Called:</b> {escape(' → '.join(calls))}"] if len(calls) > 1 else []
    shown = (("Holds before this step", step.before), ("Step, weak", step.weak), ("Step, strong", step.strong))
    for title, number in shown:
        if number is not None:
            more = formula_link(record, attempt, number)
            text = record.formula(attempt, number, step.source)
            parts.append(f"<b>{title}:</b> <code>{escape(text)}</code>{more}")
    return "<br>".join(parts)


def _reasons(record: RunRecord, attempt: int, round: int, lemma: int | None, colour: str) -> str:
    """The reason why the path of a round is infeasible, and the lemmas learned, with links; `lemma` is highlighted."""
    statements = contradiction(record, attempt, round)
    parts = ["<p><b>Why it cannot happen</b></p>"]
    if statements:
        parts += [f"{_ENTRY}{_linked(one)}</p>" for one in statements[:MAX]]
        parts.append(f"{_ENTRY}<b>{escape(conclusion(statements).lstrip(':, ').capitalize())}.</b></p>")
    else:
        parts.append(
            "<p>The run says only that no execution follows it, not which statements contradict each other.</p>"
        )
    found = learned_in(record, attempt, round)
    if not found:
        parts.append("<p>Nothing new was learned here.</p>")
    tracked = [one for one in found if one.is_tracked]
    known = [one for one in found if not one.is_tracked]
    row = next((one for one in rounds(record, attempt) if one.round == round), None)
    why = KNOWN_PREDICATES if row is not None and needs_constraints_only(record, attempt, row) else ""
    for title, note, some in (("Now tracked", _TRACKED, tracked), ("Now known about steps", why, known)):
        if some:
            parts.append(f"<p><b>{title}</b>{f': {note}' if note else ''}</p>")
            parts += [_learned(one, colour if lemma in one.lemmas else "") for one in some[:_MAX_LEARNED]]
        if len(some) > _MAX_LEARNED:
            parts.append(f"<p>and {len(some) - _MAX_LEARNED} more: see Predicates</p>")
    return "".join(parts)


def _linked(one: CoreStatement) -> str:
    """A statement with a link to its line."""
    where = f'<a href="line:{one.line}:{escape(one.file)}">{one.where}</a>' if one.line else one.where
    return f"{where} {escape(one.said)}"


def _learned(learned: Learned, colour: str) -> str:
    """A lemma as an entry of the list; with a colour if it is selected."""
    name = "".join(f'<a name="lemma{number}"></a>' for number in learned.lemmas)
    formula = f'<a href="lemma:{learned.lemmas[0]}"><code>{escape(learned.formula)}</code></a>'
    what = _FORMS.get(learned.kind, "{}").format(formula)
    said = f"{what}<br>{escape(learned.kind)}, {escape(learned.where)}; {escape(origin_words(learned.origin))}"
    if colour:
        said = f'<span style="background-color: {colour}"><b>▸ selected</b> {said}</span>'
    return f"{_ENTRY}{name}{said}</p>"


def _why_empty(record: RunRecord | None, round: int | None) -> str:
    if record is None or not record.begun:
        return "No run yet: the counterexample, or the spurious path of a refinement, comes here."
    if record.view.verdict is not None and round is None and record.attempt().paths:
        return "A proof has no path in the end: choose a refinement in the timeline to see the path that it excluded."
    return "No path was found at this moment of the run."
