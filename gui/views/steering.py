"""Steering of a run: pause, add and remove predicates, choose another method, resume; or do so in another run."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QSignalBlocker, QStringListModel, Qt, Signal
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QCompleter,
    QFormLayout,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QListWidget,
    QPushButton,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from gui.icons import icon
from gui.model.current import RunModel, RunState
from gui.model.focus import Aspect, Focus
from gui.model.steering import (
    Checked,
    Rerun,
    again,
    answers,
    can_be_steered,
    check,
    made,
    names,
    planned,
    removable,
    state_words,
)
from gui.theme import code_font
from gui.views.layouts import column_layout
from gui.views.toned import set_tone
from interplay.presentation.record.summary import Action, Tone
from interplay.presentation.run_options import EngineOption, options_of
from interplay.session.request import Start
from runs.events import EditAction, Edited


class SteeringView(QScrollArea):
    """The view for steering. `asked(action)`: an action of the window (`Action`, `Rerun`). Conditions are checked while
    they are typed.
    """

    asked = Signal(object)

    def __init__(self, model: RunModel, focus: Focus, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._model = model
        self._focus = focus
        self._plans: list[Edited] = []  # for the next run
        self._sent: list[str] = []  # to the run that goes on, without an answer so far
        self._answered = 0
        self._options: dict[str, QComboBox] = {}
        self._engine = ""
        self.setWidgetResizable(True)
        self.setFrameShape(QScrollArea.Shape.NoFrame)
        inside = QWidget()
        self._layout = QVBoxLayout(inside)
        self._layout.setContentsMargins(10, 8, 10, 8)
        self._layout.setSpacing(5)
        self._add_state()
        self._add_condition()
        self._add_edits()
        self._add_again()
        self._layout.addStretch(1)
        self.setWidget(inside)
        if model.control is not None:
            model.control.changed.connect(lambda _: self._update())
        model.replaced.connect(self._replaced)
        model.advanced.connect(self._update)
        model.decided.connect(self._update)
        focus.changed.connect(self._follow)
        self._replaced()

    # Building

    def _add_state(self) -> None:
        self.words = _quiet()
        self.go = QPushButton()
        self.go.clicked.connect(self._go)
        self.step = QPushButton(icon("step"), "Next round")
        self.step.setToolTip("Go on for one round (F7)")
        self.step.clicked.connect(lambda: self._model.control.step() if self._model.control else None)
        self._layout.addWidget(self.words)
        self._layout.addLayout(_row(self.go, self.step))

    def _add_condition(self) -> None:
        self._conditions = QWidget()
        layout = column_layout(self._conditions)
        layout.setSpacing(self._layout.spacing())
        layout.addWidget(_heading("Add a predicate"))
        self.place = _quiet()
        self.field = QLineEdit()
        self.field.setFont(code_font())
        self.field.setPlaceholderText("a C condition, such as i <= n")
        self.field.setAccessibleName("Predicate as a C condition")
        self._known = QStringListModel(self)
        self._names: tuple[str, ...] = ()
        completer = QCompleter(self._known, self)
        completer.setCaseSensitivity(Qt.CaseSensitivity.CaseSensitive)
        self.field.setCompleter(completer)
        self.field.textChanged.connect(lambda _: self._check())
        self.field.returnPressed.connect(self._add)
        self.add = QPushButton(icon("add"), "Add")
        self.add.clicked.connect(self._add)
        self.everywhere = QCheckBox("Everywhere (globals only)")
        self.everywhere.setToolTip("Instead of the selected location: only global variables can be named then")
        self.everywhere.toggled.connect(lambda _: self._update())
        self.answer = QLabel()
        self.answer.setWordWrap(True)
        self.remove = QPushButton(icon("remove"), "")
        self.remove.clicked.connect(self._remove)
        layout.addWidget(self.place)
        layout.addLayout(_row(self.field, self.add, stretch=False))
        layout.addWidget(self.answer)
        layout.addWidget(self.everywhere)
        layout.addWidget(_heading("Remove a predicate"))
        layout.addWidget(self.remove)
        self._layout.addWidget(self._conditions)

    def _add_edits(self) -> None:
        self._layout.addWidget(_heading("Changes"))
        self.edits = QListWidget()
        self.edits.setAccessibleName("Changes of this run")
        self.edits.setWordWrap(True)
        self.edits.setMinimumHeight(70)
        self.edits.setMaximumHeight(150)
        self.forget = QPushButton("Forget what is planned")
        self.forget.clicked.connect(self._forget)
        self._layout.addWidget(self.edits)
        self._layout.addWidget(self.forget)

    def _add_again(self) -> None:
        self._layout.addWidget(_heading("Run again, with another method"))
        self._form = QFormLayout()
        self._form.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.AllNonFixedFieldsGrow)
        self._form.setVerticalSpacing(2)
        self._layout.addLayout(self._form)
        self.repeat = QCheckBox("Repeat the changes of this run")
        self.repeat.setToolTip("At the same rounds; with the same options the run comes out the same, event by event")
        self.again = QPushButton(icon("refresh"), "Run again")
        self.again.clicked.connect(lambda: self._again(Start.AT_ONCE))
        self.again.setToolTip("Verify once more with these options; the run that goes on must have ended or be stopped")
        self._layout.addWidget(self.repeat)
        self._layout.addWidget(self.again)

    # What happens

    @property
    def _state(self) -> RunState:
        return self._model.state

    @property
    def _live(self) -> bool:
        return self._state in (RunState.RUNNING, RunState.PAUSED)

    def _replaced(self) -> None:
        self._plans.clear()
        self._sent.clear()
        self._answered = 0
        self._engine = ""
        self._update()

    def _follow(self, aspects: Aspect) -> None:
        if aspects & (Aspect.PLACE | Aspect.LEMMA | Aspect.MOMENT):
            self._update()

    def _update(self) -> None:
        record, chosen = self._model.record, self._focus.selection
        engine = self._engine_shown()
        self.words.setText(state_words(record, self._state, engine))
        self._conditions.setVisible(not engine or can_be_steered(engine))
        self._update_go()
        place = None if self.everywhere.isChecked() else chosen.place
        where = record.place(place) if record is not None and place is not None else ""
        where = where.rpartition("/")[2] if where else "everywhere: choose a line to use local variables"
        self.place.setText(f"at {where}" if place is not None else where)
        known = names(record, place) if record is not None else ()
        if known != self._names:
            self._names = known
            self._known.setStringList(list(known))
        found = removable(record, chosen.attempt, chosen.lemma) if record is not None else None
        self.remove.setText(f"Remove {found[1]}" if found else "Choose one in Predicates first")
        self.remove.setEnabled(found is not None and self._live and can_be_steered(engine))
        self._show_options(engine)
        self._show_edits()
        self._check()

    def _update_go(self) -> None:
        """Update the button for the current state."""
        self.go.setEnabled(self._state in (RunState.IDLE, RunState.RUNNING, RunState.PAUSED))
        self.step.setVisible(self._state is RunState.PAUSED)
        match self._state:
            case RunState.PAUSED:
                self.go.setText("Continue")
                self.go.setIcon(icon("play"))
            case RunState.IDLE:
                over = self._model.record is not None and self._model.record.view.verdict is not None
                self.go.setText("Run again step by step" if over else Action.STEP_BY_STEP.value)
                self.go.setIcon(icon("step"))
            case _:
                self.go.setText("Pause after this refinement")
                self.go.setIcon(icon("pause"))

    def _engine_shown(self) -> str:
        record = self._model.record
        event = record.attempt(self._focus.selection.attempt).event if record is not None else None
        return event.engine if event is not None else ""

    def _show_edits(self) -> None:
        record, attempt = self._model.record, self._focus.selection.attempt
        count = answers(record, attempt)
        if count > self._answered:
            del self._sent[: count - self._answered]
        self._answered = count
        waiting = [f"from the next round on: {text}" for text in self._sent]
        plans = [f"in the next run: added {plan.text}" for plan in self._plans]
        rows = [*made(record, attempt), *waiting, *plans]
        texts = rows or ["Nothing was changed by hand."]
        if texts != [self.edits.item(i).text() for i in range(self.edits.count())]:
            self.edits.clear()
            self.edits.addItems(texts)
        self.forget.setVisible(bool(self._plans))
        edited = record is not None and bool(record.attempt(attempt).edits)
        self.repeat.setVisible(edited)
        self.again.setEnabled(self._state is RunState.IDLE and record is not None and record.view.verdict is not None)

    # Predicates

    def _checked(self) -> Checked | None:
        record, text = self._model.record, self.field.text().strip()
        if record is None or not text:
            return None
        place = None if self.everywhere.isChecked() else self._focus.selection.place
        return check(record, place, self.field.text())

    def _check(self) -> None:
        checked = self._checked()
        engine = self._engine_shown()
        self.add.setEnabled(checked is not None and not checked.error and can_be_steered(engine))
        self.add.setText("Add" if self._live else "Add to the next run")
        if checked is None:
            self.answer.setText("")
            return
        sign, tone = ("✗", Tone.FALSE) if checked.error else ("✓ means", Tone.TRUE)
        set_tone(self.answer, tone)
        self.answer.setText(f"{sign} {checked.error or checked.meaning}")

    def _add(self) -> None:
        checked, chosen = self._checked(), self._focus.selection
        if checked is None:
            return
        if checked.error:
            self.field.setSelection(checked.start, max(1, checked.end - checked.start))
            return
        if not self.add.isEnabled():
            return
        place = None if self.everywhere.isChecked() else chosen.place
        text = self.field.text().strip()
        if self._live:
            self._send(EditAction.ADD_PREDICATE, -1, text, f"added {checked.meaning}")
        else:
            self._plans.append(planned(place, text))
        self.field.clear()
        self._update()

    def _remove(self) -> None:
        record, chosen = self._model.record, self._focus.selection
        found = removable(record, chosen.attempt, chosen.lemma) if record is not None else None
        if found is not None and self._live:
            self._send(EditAction.REMOVE_PREDICATE, found[0], "", f"removed {found[1]}")
            self._update()

    def _send(self, action: EditAction, formula: int, text: str, words: str) -> None:
        record, control, chosen = self._model.record, self._model.control, self._focus.selection
        assert record is not None
        assert control is not None
        place = None if self.everywhere.isChecked() else chosen.place
        control.edit(record.attempt(chosen.attempt).number, action.value, formula, place, text)
        self._sent.append(words)

    def _forget(self) -> None:
        self._plans.clear()
        self._update()

    # Going on

    def _go(self) -> None:
        control = self._model.control
        match self._state:
            case RunState.PAUSED if control is not None:
                control.resume()
            case RunState.RUNNING if control is not None:
                control.pause()
                self.go.setText("Pauses after this refinement…")
            case _ if self.again.isEnabled():
                self._again(Start.PAUSED)
            case _:
                self.asked.emit(Action.STEP_BY_STEP)

    def _again(self, start: Start) -> None:
        record = self._model.record
        if record is None:
            return
        attempt = record.attempt(self._focus.selection.attempt)
        defaults = {option.name: option.default for option in self._options_of()}
        chosen = {name: box.currentText() for name, box in self._options.items()}
        options = {name: value for name, value in chosen.items() if value != defaults[name]}
        recorded = attempt.edits if self.repeat.isChecked() else ()
        self.asked.emit(Rerun(again(record, attempt, options, (*recorded, *self._plans)), start))

    def _options_of(self) -> Sequence[EngineOption]:
        return [option for option in options_of(self._engine) if option.values] if self._engine else []

    def _show_options(self, engine: str) -> None:
        """Show the options of an engine, with the values of the run."""
        if engine == self._engine:
            return
        self._engine = engine
        while self._form.rowCount():
            self._form.removeRow(0)
        self._options.clear()
        record = self._model.record
        event = record.attempt(self._focus.selection.attempt).event if record is not None else None
        options = dict(event.options) if event is not None else {}
        for option in self._options_of():
            box = QComboBox()
            box.setAccessibleName(option.title)
            box.setAccessibleDescription(option.sentence)
            box.setToolTip(option.sentence)
            with QSignalBlocker(box):
                box.addItems(list(option.values))
                box.setCurrentText(options.get(option.name, option.default))
            self._options[option.name] = box
            self._form.addRow(option.title, box)
            words = _quiet()
            words.setText(option.sentence)
            words.setContentsMargins(0, 0, 0, 6)
            self._form.addRow(words)


def _row(*widgets: QWidget, stretch: bool = True) -> QHBoxLayout:
    row = QHBoxLayout()
    for widget in widgets:
        row.addWidget(widget)
    if stretch:
        row.addStretch(1)
    return row


def _heading(text: str) -> QLabel:
    label = QLabel(text)
    label.setProperty("role", "heading")
    label.setContentsMargins(0, 8, 0, 0)
    return label


def _quiet() -> QLabel:
    label = QLabel()
    label.setProperty("role", "quiet")
    label.setWordWrap(True)
    return label
