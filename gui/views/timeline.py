"""The refinement timeline: its cursor is the round of the focus, so moving it takes every view to that moment."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QRectF, Qt, Signal
from PySide6.QtGui import QPainter, QPaintEvent, QResizeEvent, QShowEvent
from PySide6.QtWidgets import (
    QHBoxLayout,
    QLabel,
    QSizePolicy,
    QStackedLayout,
    QStackedWidget,
    QWidget,
)

from gui.model.current import RunModel
from gui.model.focus import Aspect, Focus
from gui.theme import colours_of
from gui.views.buttons import icon_button, text_button
from gui.views.empty import EmptyView
from gui.views.layouts import column_layout
from gui.views.relayout import RelayoutBoundary
from gui.views.table import RowsTable
from gui.views.tablecells import CellStyle, TableCell, TableHeader
from gui.views.timelinechart import TimelineChart, brush_of
from interplay.presentation.record.engine_words import EngineWord, engine_words, noun
from interplay.presentation.record.run import RunRecord
from interplay.presentation.record.summary import Action, phase_words
from interplay.presentation.record.timeline import (
    EDITED,
    EXCLUDED,
    FOUND,
    SIGN_WORDS,
    STUCK,
    TimelineColumn,
    columns,
    counted_words,
    phases_of,
    place_words,
)

_HEADERS = (
    ("Refinement", "Rounds in which a path was found and excluded are refinements"),
    (
        "Path",
        f"What became of the path: {EXCLUDED} excluded, {STUCK} nothing excludes it, {FOUND} an execution follows it",
    ),
    ("Known", "How many predicates (or tracked variables) the abstraction has after this round has learned"),
    ("New", "How many of these the round has learned; the sentence also counts constraints of steps"),
    ("", "How many there were, and the difference to the round before"),
    ("Seconds", "Time of the round"),
    ("In words", "All of it in a sentence"),
)

_PICTURE = 146  # pixels of height that the picture and what is above it need beside the sentence


class TimelineView(QWidget):
    """The timeline: a chart and, for keyboard and screen reader, an equivalent list; with buttons to step. A refinement
    that is chosen, not passed by, brings its path forward (`asked`).
    """

    asked = Signal(object)

    def __init__(self, model: RunModel, focus: Focus, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._model = model
        self._focus = focus
        self.chart = TimelineChart()
        self.chart.chosen.connect(self._choose)
        self.chart.settled.connect(self._tell_story)
        self.list = RowsTable("Refinements as a list")
        self.list.selectionModel().currentRowChanged.connect(lambda index, _: self._choose(index.row()))
        self.list.clicked.connect(lambda _: self._tell_story())
        self._said = self._brief = ""  # about the moment
        self.sentence = QLabel()
        self.sentence.setContentsMargins(8, 2, 8, 4)
        self.sentence.setWordWrap(True)
        self.sentence.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self.sentence.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self._both = QStackedWidget()
        self._both.addWidget(self.chart)
        self._both.addWidget(self.list)
        self._empty = EmptyView()
        self._stack = QStackedLayout(self)
        self._stack.addWidget(self._empty)
        self._stack.addWidget(self._content())
        model.replaced.connect(self._fill)
        model.advanced.connect(self._fill)
        model.decided.connect(self._fill)
        focus.changed.connect(self._follow)
        self._fill()

    def _content(self) -> QWidget:
        content = QWidget()
        layout = column_layout(content)
        layout.addLayout(self._bar())
        self._legend = _Legend()
        layout.addWidget(self._legend)
        layout.addWidget(self._both, 1)
        layout.addWidget(RelayoutBoundary(self.sentence))
        return content

    def _bar(self) -> QHBoxLayout:
        bar = QHBoxLayout()
        bar.setContentsMargins(6, 2, 6, 2)
        focus = self._focus
        self.buttons = {
            "first": icon_button("first", "First refinement (Alt+Home)", focus.first_round),
            "previous": icon_button("previous", "Previous refinement (Alt+Left)", focus.previous_round),
            "next": icon_button("next", "Next refinement (Alt+Right)", focus.next_round),
            "last": icon_button("last", "The end, or now (Alt+End)", focus.last_round),
        }
        for button in self.buttons.values():
            bar.addWidget(button)
        self.where = QLabel()
        self.where.setProperty("role", "heading")
        self.where.setContentsMargins(4, 0, 4, 0)
        bar.addWidget(RelayoutBoundary(self.where))
        words = "Go to the refinement that learned the predicate that is selected"
        self._birth = text_button("birth", "Birth", words)
        self._birth.clicked.connect(self._go_to_birth)
        bar.addWidget(self._birth)
        bar.addStretch(1)
        self.as_list = text_button("list", "List", "The same as a list, for keyboard and screen reader")
        self.as_list.setCheckable(True)
        self.as_list.toggled.connect(self._show_as)
        bar.addWidget(self.as_list)
        return bar

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802 - Qt's name
        super().resizeEvent(event)
        self._show_sentence()

    # What happens

    def _columns(self) -> tuple[TimelineColumn, ...]:
        record = self._model.record
        return () if record is None else columns(record, self._focus.selection.attempt)

    def showEvent(self, event: QShowEvent) -> None:  # noqa: N802 - Qt's name
        super().showEvent(event)
        self._fill()

    def _fill(self) -> None:
        if not self.isVisible():
            return
        found = self._columns()
        self._empty.say(_why_empty(self._model.record))
        self._stack.setCurrentIndex(1 if found else 0)
        record = self._model.record
        counted = "predicates" if record is None else counted_words(record, self._focus.selection.attempt)
        self.chart.counted = counted.capitalize()
        self._legend.explain(found, f"new {counted}")
        self.chart.show_columns(found, self._index())
        self._fill_list()
        self._show_moment()

    def _fill_list(self) -> None:
        if self.as_list.isChecked():
            self.list.content.show(self._headers(), [_row(column) for column in self._columns()])
            self.list.widths(84, 84, 60, 60, 110, 66)
            self.list.select(self._index())

    def _headers(self) -> tuple[TableHeader, ...]:
        """The headers, with the engine's word for a state."""
        record = self._model.record
        word = "state" if record is None else noun(record, self._focus.selection.attempt, EngineWord.STATE)
        return tuple((title or f"{word.capitalize()}s", words) for title, words in _HEADERS)

    def _follow(self, aspects: Aspect) -> None:
        if not self.isVisible():
            return
        if aspects & Aspect.MOMENT:
            found = self._columns()
            if found is not self.chart.columns:  # of another attempt
                self._fill()
                return
            self.chart.move_cursor(self._index())
            if self.as_list.isChecked():
                self.list.select(self._index())
        if aspects & (Aspect.MOMENT | Aspect.LEMMA):
            self._show_moment()

    def _index(self) -> int | None:
        """The column of the focus; None for the end."""
        chosen = self._focus.selection.round
        return next((i for i, one in enumerate(self._columns()) if one.row.round == chosen), None)

    def _show_moment(self) -> None:
        columns, index = self._columns(), self._index()
        self._birth.setVisible(self._focus.selection.lemma is not None)
        self.buttons["first"].setEnabled(bool(columns) and index != 0)
        self.buttons["previous"].setEnabled(bool(columns) and index != 0)
        self.buttons["next"].setEnabled(index is not None)
        self.buttons["last"].setEnabled(index is not None)
        if not columns:
            return
        shown = columns[-1 if index is None else index]
        self.where.setText(place_words(columns, index))
        if self._model.record is not None:
            attempt = self._focus.selection.attempt
            self.where.setToolTip(engine_words(self._model.record, attempt, EngineWord.ROUND))
        self._said, self._brief = shown.words, shown.brief
        self._show_sentence()

    def _show_sentence(self) -> None:
        """Show the sentence of the column: in several lines where the picture has room beside them, else without the
        times, and cut where one line is too short for that, too.
        """
        room, metrics = max(1, self.width() - 20), self.sentence.fontMetrics()

        def fits(text: str) -> bool:
            lines = 1 + metrics.horizontalAdvance(text) // room
            return self.height() >= _PICTURE + lines * metrics.lineSpacing()

        said = next((text for text in (self._said, self._brief) if fits(text)), "")
        self.sentence.setWordWrap(bool(said))
        self.sentence.setText(said or metrics.elidedText(self._brief, Qt.TextElideMode.ElideRight, room))
        self.sentence.setToolTip(self._said)

    def _choose(self, index: int) -> None:
        found = self._columns()
        if 0 <= index < len(found):
            self._focus.go_to_round(found[index].row.round)

    def _tell_story(self) -> None:
        if self._focus.path is not None:
            self.asked.emit(Action.SHOW_PATH)

    def _go_to_birth(self) -> None:
        lemma = self._focus.selection.lemma
        if lemma is not None:
            self._focus.go_to_birth(lemma)

    def _show_as(self, as_list: bool) -> None:
        self._both.setCurrentWidget(self.list if as_list else self.chart)
        self._fill_list()
        (self.list if as_list else self.chart).setFocus()


class _Legend(QWidget):
    """The legend: samples of the bars and signs that occur, with their names; the tooltip has all."""

    def __init__(self) -> None:
        super().__init__()
        self._entries: list[tuple[int | None, str]] = []
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setFixedHeight(self.fontMetrics().height() + 4)
        self.setAccessibleName("What the signs mean")

    def explain(self, columns: Sequence[TimelineColumn], new: str) -> None:
        """Show a legend for columns; `new` is the meaning of a triangle."""
        signs = {sign: f"{sign} {words}" for sign, words in SIGN_WORDS.items()}
        there = {column.sign for column in columns} | {EDITED for column in columns if column.edits}
        phases: list[tuple[int | None, str]] = [(n, phase_words(name)) for n, name in enumerate(phases_of(columns))]
        learned = f"▲ +n: {new}"
        self._entries = [*phases, (None, learned), *((None, text) for sign, text in signs.items() if sign in there)]
        words = "\n".join([*(text for _, text in phases), learned, *signs.values()])
        self.setToolTip(words)
        self.setAccessibleDescription(words)
        self.update()

    def paintEvent(self, _: QPaintEvent) -> None:  # noqa: N802 - Qt's name
        painter = QPainter(self)
        metrics, colours = painter.fontMetrics(), colours_of(self.palette())
        x, y = 12.0, (self.height() - 11) / 2
        for phase, text in self._entries:
            width = metrics.horizontalAdvance(text) + (18 if phase is not None else 0)
            if x + width > self.width():
                return
            if phase is not None:
                sample = QRectF(x, y, 13, 11)
                brush = brush_of(phase, colours)
                painter.fillRect(sample, brush)
                painter.setPen(brush.color())
                painter.drawRect(sample)
            painter.setPen(colours.named("quiet"))
            left = x + (18 if phase is not None else 0)
            painter.drawText(QRectF(left, 0, width, self.height()), Qt.AlignmentFlag.AlignVCenter, text)
            x += width + 14


def _row(column: TimelineColumn) -> tuple[TableCell, ...]:
    row = column.row
    new = TableCell(f"+{column.new_lemmas}", CellStyle.NEW) if column.new_lemmas else TableCell("0", CellStyle.QUIET)
    states = f"{row.states} ({column.more_states:+d})" if column.more_states else str(row.states)
    return (
        TableCell(f"{column.title}{' ✎' if column.edits else ''}"),
        TableCell(f"{column.sign} {row.result}".strip() or "none"),
        TableCell(str(column.lemmas)),
        new,
        TableCell(states),
        TableCell(f"{column.seconds:.2f}"),
        TableCell(column.words),
    )


def _why_empty(record: RunRecord | None) -> str:
    if record is None or not record.begun:
        return "No run yet: each refinement of a run becomes a column here."
    if record.view.verdict is None:
        return "No refinement so far: each becomes a column here."
    return "This run has no refinement rounds: it ended before the first one began."
