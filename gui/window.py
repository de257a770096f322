"""The main window: tasks on the left, source and graphs in the centre, details on the right, progress below.

It creates the models, places the views that `gui.panels` lists, and connects actions of the user with run control.
Views know neither each other nor the window.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from PySide6.QtCore import QEvent, QSize, Qt, QTimer
from PySide6.QtGui import QCloseEvent, QDragEnterEvent, QDropEvent, QKeyEvent
from PySide6.QtWidgets import (
    QApplication,
    QDockWidget,
    QMainWindow,
    QSplitter,
    QTabWidget,
    QWidget,
)

from core.program.properties import PropertyKind
from core.verdict import Status, stated_status
from gui import theme
from gui.areas import Areas
from gui.errorbar import ErrorBar
from gui.files import FileDialogs
from gui.icons import icon
from gui.menus import fill_menu_bar
from gui.model.current import RunModel
from gui.model.focus import Focus
from gui.model.project import ProjectModel, Visit
from gui.model.runner import Job, Runner
from gui.model.steering import Rerun
from gui.model.tasks import (
    FileKind,
    PropertyChoice,
    RunNames,
    TaskBook,
    TaskEntry,
    TaskResult,
    finished,
    run_name,
)
from gui.opening import Opener
from gui.panels import Area
from gui.settings import Settings, runs_folder, tidy
from gui.toolbar import Toolbar
from gui.views.attempts import AttemptBar
from gui.views.banner import VerdictBanner
from gui.views.layouts import column_layout
from gui.views.manual import ManualView
from gui.views.options import OptionsPanel
from gui.views.tasks import TaskPanel
from gui.window_layout import Room
from interplay.batch.job import digests
from interplay.presentation.record.run import RunRecord
from interplay.presentation.record.summary import Action, FunctionAssumption, Tone, assembly
from interplay.presentation.run_options import AUTOMATIC, from_text, shown_engine, to_text
from interplay.session.project_file import WrongProject
from interplay.session.request import Request, Start


class MainWindow(QMainWindow):
    """The window of the workbench. `command` starts workers; tests pass their own."""

    def __init__(self, settings: Settings, command: list[str] | None = None, runs: Path | None = None) -> None:
        super().__init__()
        self.setObjectName("workbench")
        self.setWindowTitle("Interplay")
        self.setAcceptDrops(True)
        self.resize(QSize(1500, 920).boundedTo(self.screen().availableSize()))
        self.settings = settings
        self._warned = False  # that a text is not saved
        self._runs = runs or runs_folder()
        self._names = RunNames(self._runs)
        self.focus = Focus(self)
        self.model = RunModel(self.focus, self)
        self.runner = Runner(self.model, command, self, lambda record: self.opener.follow(record))
        self.files = FileDialogs(self, self.model, settings)
        self.book = TaskBook(self.model.texts, self)
        self.options = OptionsPanel(from_text(settings.text("choices")))
        self.project = ProjectModel(self._runs, lambda: self.options.chosen, self.model.texts, command, self)
        self.model.project = self.project
        self._set_scheme(self._scheme())
        self.areas = Areas(self, self.model, self.focus, self._act)
        self.opener = Opener(self, self._runs)
        self._build()
        self._connect()
        self.opener.read_past()
        self.room.restore(self.settings)

    # What the window is asked to do

    def open_first(self, paths: Sequence[Path]) -> None:
        """Open the files named on the command line, once the window is shown."""
        QTimer.singleShot(0, self, lambda: self.open_paths(paths))

    def open_paths(self, paths: Sequence[Path]) -> None:
        """Open files, folders and runs, and show the last one. Errors are shown in the error bar."""
        self.opener.open_paths(paths)

    def verify(self, choices: Sequence[PropertyChoice], start: Start = Start.AT_ONCE) -> None:
        """Verify these properties of the current program, one after the other."""
        entry = self.book.current
        if entry is None or entry.kind is FileKind.RUN:
            self.show_error("Choose a program first: open a C file, or take an example from the list on the left.")
            return
        self.error_bar.clear()
        if not self.opener.save():
            return
        if start is Start.PAUSED and self.options.chosen.engine == AUTOMATIC:
            self.options.borrow_engine(Request.engine)  # several engines cannot be followed step by step
            self.statusBar().showMessage(f"Step by step with the engine {Request.engine}", 6000)
        try:
            jobs = [self._job(entry, choice, start) for choice in choices]
        except WrongProject as error:
            self.show_error(str(error))
            return
        if self.areas.is_front("project"):  # behind which the run would be
            self.show_panel("source")
        for job in jobs:
            self._doing(job, "waiting")
        self.runner.submit(*jobs)

    def show_error(self, sentence: str, details: str = "") -> None:
        """Show an error and what to do in the error bar; no dialog."""
        self.error_bar.say(sentence, details)

    def show_panel(self, name: str) -> QWidget:
        """Bring a panel to the front, and return its view. Raises `KeyError`."""
        return self.areas.show(name)

    @property
    def views(self) -> Mapping[str, QWidget]:
        """The views created so far, by the name of their panel."""
        return self.areas.views

    def show_options(self) -> None:
        self._left.setCurrentWidget(self.options)

    # Building

    def _build(self) -> None:
        self.toolbar = Toolbar(self)
        self.addToolBar(self.toolbar)
        self.error_bar = ErrorBar()
        self.banner = VerdictBanner(self.model, self.focus)
        centre = QSplitter(Qt.Orientation.Horizontal)
        centre.setObjectName("centre")
        centre.addWidget(self.areas.tabs(Area.SOURCE))
        centre.addWidget(self.areas.tabs(Area.GRAPHS))
        centre.setStretchFactor(0, 11)
        centre.setStretchFactor(1, 9)
        middle = QWidget()
        column = column_layout(middle)
        self.attempts = AttemptBar(self.model, self.focus)
        for widget in (self.error_bar, self.banner, self.attempts):
            column.addWidget(widget)
        column.addWidget(centre, 1)
        self.setCentralWidget(middle)
        self.tasks = TaskPanel(self.book, self.settings)
        left = QTabWidget()
        left.setDocumentMode(True)
        left.addTab(self.tasks, icon("folder"), "Tasks")
        left.addTab(self.options, icon("sliders"), "Options")
        self._left = left
        side = Qt.DockWidgetArea
        details, progress = self.areas.tabs(Area.RIGHT), self.areas.tabs(Area.BOTTOM)
        self.docks = {
            "tasks": self._dock("tasks", "Tasks and options", left, side.LeftDockWidgetArea),
            "details": self._dock("details", "Details", details, side.RightDockWidgetArea),
            "progress": self._dock("progress", "Progress", progress, side.BottomDockWidgetArea),
        }
        self.setCorner(Qt.Corner.BottomLeftCorner, Qt.DockWidgetArea.LeftDockWidgetArea)
        self.setCorner(Qt.Corner.BottomRightCorner, Qt.DockWidgetArea.RightDockWidgetArea)
        self.toolbar.build_status(self.statusBar())
        self.room = Room(self, self.areas, self.toolbar, centre, self.docks)
        fill_menu_bar(self, self.toolbar, self.areas, self.room, self.docks.values())
        for name, sign in (("tasks", "folder"), ("details", "columns")):
            self.toolbar.add_toggle(self.docks[name].toggleViewAction(), sign)

    def _dock(self, name: str, title: str, widget: QWidget, area: Qt.DockWidgetArea) -> QDockWidget:
        dock = QDockWidget(title, self)
        dock.setObjectName(name)
        dock.setWidget(widget)
        dock.setTitleBarWidget(QWidget(dock))  # its tabs say what it is
        self.addDockWidget(area, dock)
        return dock

    # Connections

    def _connect(self) -> None:
        self.tasks.chosen.connect(self.opener.choose)
        self.tasks.asked.connect(self.verify)
        self.book.chosen.connect(self.opener.settle)
        self.model.texts.changed.connect(self.opener.settle)
        self.options.changed.connect(lambda _: self.settings.put_text("choices", to_text(self.options.kept)))
        self.banner.asked.connect(self._act)
        self.runner.started.connect(self._started)
        self.runner.finished.connect(self._finished)
        self.runner.failed.connect(self._failed)
        self.files.chosen.connect(self.open_paths)
        self.files.failed.connect(self.show_error)
        self.files.exported.connect(lambda sentence, path: self.error_bar.say(sentence, file=path))
        self.files.told.connect(lambda sentence: self.statusBar().showMessage(sentence, 8000))
        self.project.failed.connect(self.show_error)
        self.project.answered.connect(self.opener.answered)
        self.options.changed.connect(lambda _: self.project.look_again())
        self.model.decided.connect(self._decided)
        self.model.replaced.connect(self._show_fitting)
        bar = self.toolbar
        bar.open.connect(self.files.ask_for_files)
        bar.open_folder.connect(self.files.ask_for_folder)
        bar.save.connect(self.files.ask_where_to_save)
        bar.report.connect(self.files.ask_for_report)
        bar.verify.connect(lambda: self.verify(self.tasks.selected_properties()))
        bar.verify_all.connect(lambda: self.verify(self.tasks.all_properties()))
        bar.step_by_step.connect(lambda: self.verify(self.tasks.selected_properties(), Start.PAUSED))
        bar.edit.connect(self.opener.edit)
        bar.edit_here.connect(self.opener.edit_here)
        bar.help.connect(self._help)
        bar.next_scheme.connect(self._next_scheme)
        bar.follow(self.model, self.focus, self.runner, self.options)
        hints = QApplication.styleHints()
        hints.colorSchemeChanged.connect(lambda: self._set_scheme(self._scheme()))

    # Programs and runs

    def _job(self, entry: TaskEntry, choice: PropertyChoice, start: Start) -> Job:
        request = self.book.request(entry, self.options.chosen, choice.property)
        sources = self.opener.read(entry)
        return Job(request, self._names.next(run_name(request)), start, sources)

    def _run_again(self, request: Request, start: Start) -> None:
        """Verify the shown task again, with the changes of the user."""
        record = self.model.record
        self.error_bar.clear()
        sources = record.sources if record is not None else {}
        self.runner.submit(Job(request, self._names.next(run_name(request)), start, sources))

    # The course of a run

    def _started(self, job: Job) -> None:
        self._doing(job, "running")
        self.show_panel("timeline")

    def _doing(self, job: Job, word: str) -> None:
        engine = shown_engine(job.request.engine)
        self.book.put_result(job.request, TaskResult(Tone.RUNNING, word, engine, texts=digests(job.sources)))

    def _finished(self, job: Job, record: RunRecord) -> None:
        verdict = record.view.verdict
        word = verdict.verdict if verdict is not None else "unknown (not finished)"
        result = finished(word, record.engine, record.path, digests(record.sources))
        self.book.put_result(job.request, result)
        current = self.book.current
        if current is not None and current.path == record.path:
            self.book.put_run(current.path, record.request, result)
        self.project.take(record)
        self.opener.read_past()
        if not self.runner.waiting:
            self.book.forget_unfinished()

    def _failed(self, sentence: str) -> None:
        self.book.forget_unfinished()
        self.show_error(sentence)

    def _decided(self) -> None:
        self._show_fitting()

    def _show_fitting(self) -> None:
        """Show the views that fit the verdict, or the line that was asked for."""
        place, self.opener.place = self.opener.place, None
        if place is not None:
            self.show_panel("source")
            self.focus.go_to_line(*place)
        record = self.model.record
        verdict = record.view.verdict if record is not None else None
        if verdict is None:
            return
        match stated_status(verdict.verdict):
            case Status.FALSE:
                self.areas.select("path")
            case Status.ERROR:
                self.areas.select("log")
                if self.banner_place is not None:
                    self.focus.go_to_line(*self.banner_place)
            case _:
                self.areas.select("evidence")

    @property
    def banner_place(self) -> tuple[str, int] | None:
        from interplay.presentation.record.summary import banner

        return banner(self.model.record).place

    def _act(self, action: Action | Rerun | Path | Visit) -> None:
        """Perform an action requested by the banner or a view; a path is a run to open."""
        match action:
            case Path():
                self.opener.open_run(action)
            case Visit():
                self.opener.visit(action)
            case FunctionAssumption(field, function):
                self.options.assume(field, function)
                self.verify(self.tasks.selected_properties())
            case Rerun(request, start):
                self._run_again(request, start)
            case Action.STEP_BY_STEP:
                self.verify(self.tasks.selected_properties(), Start.PAUSED)
            case Action.OPEN:
                self.files.ask_for_files()
            case Action.OPEN_FOLDER:
                self.files.ask_for_folder()
            case Action.RELOAD:
                self.opener.reload()
            case Action.VERIFY:
                self.verify(self.tasks.selected_properties())
            case Action.STEP_THROUGH:
                self.show_panel("path")
                self.focus.first_step()
            case Action.SHOW_EVIDENCE:
                self.show_panel("evidence")
            case Action.SHOW_PATH:
                self.areas.select("path")
                self.focus.refuted_step()
            case Action.SHOW_LAST:
                self.show_panel("path")
                self.focus.last_path()
                self.focus.refuted_step()
            case Action.SHOW_LOG:
                self.show_panel("log")
            case Action.SHOW_OPTIONS:
                self.show_options()
            case Action.TRY_ALL:
                self.options.borrow_engine(AUTOMATIC)
                self.verify(self.tasks.selected_properties())
            case Action.VERIFY_UNDEFINED:
                self.verify([one for one in self.tasks.all_properties() if one.property == PropertyKind.DEF_BEHAVIOR])
            case Action.ADD_FOLDER:
                self.files.ask_for_headers(self._verify_with_headers)
            case Action.LEAVE_OUT_BODY:
                assert self.model.record is not None
                self.options.leave_out(assembly(self.model.record))
                self.verify(self.tasks.selected_properties())
            case Action.NONE:
                pass

    def _verify_with_headers(self, folder: Path) -> None:
        self.options.add_folder(folder)
        self.verify(self.tasks.selected_properties())

    def _help(self) -> None:
        """Open the manual at the panel with the keyboard."""
        panel = self.areas.panel_in_front(self.areas.focused())
        manual = self.show_panel("manual")
        assert isinstance(manual, ManualView)
        manual.show_section(panel.help)
        manual.setFocus()

    # Files and keys

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:  # noqa: N802 - Qt's name
        if any(url.isLocalFile() for url in event.mimeData().urls()):
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:  # noqa: N802 - Qt's name
        self.open_paths([Path(url.toLocalFile()) for url in event.mimeData().urls() if url.isLocalFile()])
        event.acceptProposedAction()

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802 - Qt's name
        if event.key() == Qt.Key.Key_Escape and self.error_bar.sentence:
            self.error_bar.clear()
        elif event.key() == Qt.Key.Key_Escape and self.room.maximised is not None:
            self.room.give_back()
        else:
            super().keyPressEvent(event)

    # Look and layout

    def _scheme(self) -> theme.Scheme:
        stored = self.settings.text("theme", theme.Scheme.SYSTEM.value)
        return theme.Scheme(stored) if stored in list(theme.Scheme) else theme.Scheme.SYSTEM

    def _set_scheme(self, scheme: theme.Scheme) -> None:
        theme.apply(_application(), scheme)

    def _next_scheme(self) -> None:
        """Switch between light and dark; one of them is as the system is."""
        scheme = theme.opposite(_application())
        self.settings.put_text("theme", scheme.value)
        self._set_scheme(scheme)
        self.statusBar().showMessage(f"Theme: {scheme.value}", 3000)

    def showEvent(self, event: QEvent) -> None:  # noqa: N802 - Qt's name
        super().showEvent(event)  # type: ignore[arg-type]
        self.room.first_sizes()

    def changeEvent(self, event: QEvent) -> None:  # noqa: N802 - Qt's name
        super().changeEvent(event)
        if event.type() == QEvent.Type.ActivationChange and self.isActiveWindow():
            self.opener.look_again()

    def closeEvent(self, event: QCloseEvent) -> None:  # noqa: N802 - Qt's name
        if self.model.texts.unsaved and not self._warned:
            self._warned = True  # who closes the window once more means it
            self.show_panel("source")
            self.show_error("The text that you edit is not saved: save it, or close the window once more.")
            event.ignore()
            return
        self.runner.shut_down()
        self.project.stop()
        self.files.exporter.finish()
        self.opener.close()
        self.room.keep(self.settings)
        self.settings.sync()
        tidy(self._runs)
        super().closeEvent(event)


def _application() -> QApplication:
    application = QApplication.instance()
    assert isinstance(application, QApplication)
    return application
