"""The actions of the window with their shortcuts, the tool bar that holds them, and the status bar.

`COMMANDS`, `DOCK_KEYS` and `OTHER_KEYS` are the tables of all keys: the help lists them, tooltips show them, a test
finds duplicates.
"""

from __future__ import annotations

import time
from collections.abc import Callable

from PySide6.QtCore import QSize, Qt, QTimer, Signal
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QComboBox, QLabel, QMainWindow, QSizePolicy, QStatusBar, QToolBar, QToolButton, QWidget

from core.dataclass import dataclass
from gui.icons import icon
from gui.model.current import RunModel, RunState
from gui.model.focus import Focus
from gui.model.runner import Runner
from gui.panels import PANELS
from gui.views.options import OptionsPanel
from gui.views.relayout import RelayoutBoundary
from interplay.presentation.record.summary import banner, counters, phase_times, phase_words
from interplay.presentation.record.timeline import moment_words, rounds_in_words
from interplay.presentation.run_options import engines
from runs.runview import PAUSE


@dataclass(frozen=True)
class Command:
    """An action: its name, icon, text, keys and description."""

    name: str
    icon: str
    text: str
    keys: str
    words: str


COMMANDS = (
    Command("open", "open", "Open…", "Ctrl+O", "Open C files, task definitions or runs"),
    Command("folder", "folder", "Open folder…", "Ctrl+Shift+O", "Open all programs of a folder"),
    Command("save", "export", "Save run as…", "Ctrl+S", "Save the run that is shown to a file of its own"),
    Command(
        "report", "report", "Export report…", "Ctrl+E", "Write a report on the run that is shown: a web page or a PDF"
    ),
    Command("edit_here", "file", "Edit here", "F2", "Edit the source in place; Ctrl+Return saves it"),
    Command("edit", "file-code", "Open in the editor", "Ctrl+Shift+E", "Open the source at its line in an editor"),
    Command("verify", "play", "Verify", "F5", "Verify the property that is selected"),
    Command("verify_all", "play-all", "Verify all", "Ctrl+F5", "Verify all properties of the program"),
    Command("step_by_step", "step", "Step by step", "Shift+F5", "Verify, pausing before each refinement round"),
    Command("pause", "pause", "Pause", "F6", "Pause before the next round; go on where it is paused"),
    Command("step", "step", "Next round", "F7", "Go on for one round"),
    Command("stop", "stop", "Stop", "F8", "End the run and all its processes"),
    Command("previous_round", "previous", "Previous refinement", "Alt+Left", "Show the refinement before"),
    Command("next_round", "next", "Next refinement", "Alt+Right", "Show the refinement after"),
    Command("first_round", "first", "First refinement", "Alt+Home", "Show the start of the run"),
    Command("last_round", "last", "Last refinement", "Alt+End", "Show the end of the run"),
    Command("previous_step", "previous", "Previous step", "F9", "One step back on the path shown"),
    Command("next_step", "next", "Next step", "F10", "One step forward on the path shown"),
    Command("help", "question", "Manual", "F1", "Open the manual at the panel with the keyboard"),
    Command("theme", "moon", "Theme", "Ctrl+T", "Switch between light and dark"),
)

DOCK_KEYS = {"tasks": "Ctrl+B", "details": "Ctrl+D", "progress": "Ctrl+J"}
"""The keys that show and hide docks, by their names."""

OTHER_KEYS = (
    ("F11", "The panel with the keyboard gets the whole window, or gives it back; so does a double click on a tab"),
    *((keys, f"Show or hide: {name}") for name, keys in DOCK_KEYS.items()),
    ("Ctrl+Q", "Quit"),
    ("Ctrl+F", "Find in the source"),
    ("F3", "Next match"),
    ("Shift+F3", "Previous match"),
    ("Ctrl+L", "Go to a line"),
    ("Down", "In a graph: the next box along a line; also Up, and beside it Left and Right"),
    ("+", "In a graph: larger"),
    ("-", "In a graph: smaller"),
    ("0", "In a graph: the whole of it"),
    ("1", "In a graph: actual size"),
    ("Space", "In a graph: fold or unfold what is selected"),
    ("Return", "In a graph: go into the function that is called, or unfold"),
    ("/", "In a graph: find a text"),
    ("L", "In a graph: show it as a tree of rows, or drawn"),
)
"""Keys that views have."""


def shortcuts() -> list[tuple[str, str]]:
    """All keys of the window with their descriptions."""
    own = [(command.keys, command.words) for command in COMMANDS]
    return [*own, *((panel.shortcut, f"Show: {panel.title}") for panel in PANELS if panel.shortcut), *OTHER_KEYS]


class Stopwatch:
    """The seconds since it was made, without those in which it was held: waiting for the user is no time of the run."""

    def __init__(self) -> None:
        self._since = time.monotonic()
        self._held: float | None = None

    def hold(self, held: bool) -> None:
        now = time.monotonic()
        if held and self._held is None:
            self._held = now
        elif not held and self._held is not None:
            self._since += now - self._held
            self._held = None

    @property
    def seconds(self) -> float:
        return (time.monotonic() if self._held is None else self._held) - self._since


class Toolbar(QToolBar):
    """The tool bar. Each signal is an action that the window handles; actions on the run and the focus are connected
    directly.
    """

    open = Signal()
    open_folder = Signal()
    save = Signal()
    report = Signal()
    verify = Signal()
    verify_all = Signal()
    step_by_step = Signal()
    edit = Signal()
    edit_here = Signal()
    help = Signal()
    next_scheme = Signal()

    def __init__(self, window: QMainWindow) -> None:
        super().__init__("Actions", window)
        self.setObjectName("actions")
        self.setMovable(False)
        self.setIconSize(QSize(18, 18))
        self.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self.commands: dict[str, QAction] = {}
        for command in COMMANDS:
            action = QAction(icon(command.icon), command.text, window)
            action.setShortcut(QKeySequence(command.keys))
            action.setToolTip(f"{command.words} ({command.keys})")
            window.addAction(action)
            self.commands[command.name] = action
        self._place()

    def _place(self) -> None:
        self._show("open")
        self.addSeparator()
        self.addWidget(QLabel(" Engine "))
        self.engine = QComboBox()
        self.engine.setAccessibleName("Engine")
        self.engine.addItems(list(engines()))
        for index, words in enumerate(engines().values()):
            self.engine.setItemData(index, words, Qt.ItemDataRole.ToolTipRole)
        self.addWidget(self.engine)
        self._show("verify")
        for name in ("step_by_step", "pause", "step", "stop"):
            self._show(name)
        gap = QWidget()
        gap.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        self.addWidget(gap)
        self.commands["save"].setIconText("Save run…")
        self.commands["report"].setIconText("Report…")
        for name in ("save", "report", "theme"):
            self._show(name)
        for name, words in (
            ("verify", "Verify"),
            ("save", "Save run"),
            ("report", "Export report"),
            ("theme", "Theme"),
        ):
            button = self.widgetForAction(self.commands[name])
            button.setObjectName(name)
            button.setAccessibleName(words)
        self._icon_only(self.commands["theme"])

    def _show(self, name: str) -> None:
        self.addAction(self.commands[name])

    def add_toggle(self, action: QAction, name: str) -> None:
        """Add a button that shows and hides a panel."""
        action.setIcon(icon(name))
        action.setToolTip(f"Show or hide: {action.text()} ({action.shortcut().toString()})")
        self.insertAction(self.commands["theme"], action)
        self._icon_only(action)

    def set_compact(self, compact: bool) -> None:
        """Leave out the texts of buttons that are known by their icons."""
        style = Qt.ToolButtonStyle
        for name in ("open", "step_by_step", "pause", "step", "stop", "save", "report"):
            button = self.widgetForAction(self.commands[name])
            assert isinstance(button, QToolButton)
            button.setToolButtonStyle(style.ToolButtonIconOnly if compact else style.ToolButtonTextBesideIcon)

    def _icon_only(self, action: QAction) -> None:
        button = self.widgetForAction(action)
        assert isinstance(button, QToolButton)
        button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonIconOnly)
        button.setAccessibleName(action.text())

    def follow(self, model: RunModel, focus: Focus, runner: Runner, options: OptionsPanel) -> None:
        """Connect the actions with the models that they act on."""
        self._model, self._focus, self._runner = model, focus, runner
        focus.changed.connect(self._tell)
        actions: dict[str, Callable[[], object]] = {
            "open": self.open.emit,
            "folder": self.open_folder.emit,
            "save": self.save.emit,
            "report": self.report.emit,
            "edit": self.edit.emit,
            "edit_here": self.edit_here.emit,
            "help": self.help.emit,
            "verify": self.verify.emit,
            "verify_all": self.verify_all.emit,
            "step_by_step": self.step_by_step.emit,
            "theme": self.next_scheme.emit,
            "pause": lambda: runner.resume() if runner.state is RunState.PAUSED else runner.pause(),
            "step": runner.step,
            "stop": runner.stop,
            "previous_round": focus.previous_round,
            "next_round": focus.next_round,
            "first_round": focus.first_round,
            "last_round": focus.last_round,
            "previous_step": focus.previous_step,
            "next_step": focus.next_step,
        }
        for name, action in actions.items():
            self.commands[name].triggered.connect(lambda _=False, act=action: act())
        self.engine.setCurrentText(options.chosen.engine)
        self.engine.textActivated.connect(options.choose_engine)
        options.changed.connect(lambda chosen: self.engine.setCurrentText(chosen.engine))
        runner.changed.connect(self._enable)
        model.replaced.connect(self._tell)
        model.advanced.connect(self._tell)
        model.decided.connect(self._tell)
        self._enable(runner.state)
        self._tell()

    # The status bar

    def build_status(self, bar: QStatusBar) -> None:
        """Build the status bar: the verdict in a sentence on the left, counts and seconds on the right."""
        self._sentence = QLabel()
        self._sentence.setContentsMargins(8, 0, 8, 0)
        self._counts = QLabel()
        self._counts.setContentsMargins(8, 0, 8, 0)
        bar.addWidget(RelayoutBoundary(self._sentence), 1)
        bar.addPermanentWidget(RelayoutBoundary(self._counts))
        self._watch = Stopwatch()
        self._clock = QTimer(self, interval=500)
        self._clock.timeout.connect(self._tell)

    @property
    def sentence(self) -> str:
        return self._sentence.text()

    def _tell(self) -> None:
        record = self._model.record
        going = self._runner.record
        beside = "" if going is None or going is self._model.wanted else f" — {going.title} is being verified"
        self._sentence.setText(f"{banner(record).headline}{self._moment()}{beside}")
        if record is None or not record.begun:
            self._counts.setText("")
            return
        live = self._runner.state in (RunState.RUNNING, RunState.PAUSED, RunState.STOPPING)
        times = phase_times(record)
        seconds = self._watch.seconds if live else record.view.seconds - times.get(PAUSE, 0.0)
        self._counts.setText(" · ".join([*rounds_in_words(record), f"{seconds:.1f} s on the clock"]))
        details = [_counted(count, name) for name, count in counters(record)]
        details += [f"{phase_words(name)}: {took:.2f} s" for name, took in times.items()]
        self._counts.setToolTip("\n".join(details))

    def _moment(self) -> str:
        """The moment that the views show, if it is not the end."""
        record, chosen = self._model.record, self._focus.selection
        words = "" if record is None else moment_words(record, chosen.attempt, chosen.round)
        return f" — shown: as it was in {words}" if words else ""

    def _enable(self, state: RunState) -> None:
        idle = state is RunState.IDLE
        for name in ("verify", "verify_all", "step_by_step"):
            self.commands[name].setEnabled(idle)
        self.commands["stop"].setEnabled(state in (RunState.RUNNING, RunState.PAUSED))
        self.commands["pause"].setEnabled(state in (RunState.RUNNING, RunState.PAUSED))
        self.commands["step"].setEnabled(state is RunState.PAUSED)
        paused = state is RunState.PAUSED
        self.commands["pause"].setText("Continue" if paused else "Pause")
        self.commands["pause"].setIcon(icon("play" if paused else "pause"))
        if idle:
            self._clock.stop()
        elif not self._clock.isActive():
            self._watch = Stopwatch()
            self._clock.start()
        self._watch.hold(paused)
        self._tell()


def _counted(count: str, name: str) -> str:
    """`1 refinement`, `12 000 abstract states`."""
    return f"{count} {name.removesuffix('s') if count == '1' else name}"
