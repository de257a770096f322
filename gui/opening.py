"""Opens files, folders, projects, batches and runs, and shows what was opened."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Protocol

from PySide6.QtWidgets import QWidget

from frontend.source import FrontendError
from gui.editor import open_in_editor
from gui.errorbar import ErrorBar
from gui.model.background import Background
from gui.model.current import RunModel, RunState
from gui.model.focus import Focus
from gui.model.past import PastRun, past_runs
from gui.model.project import ProjectModel, Visit
from gui.model.runner import Runner
from gui.model.tasks import FileKind, TaskBook, TaskEntry, entries_in, finished, kind_of, properties_of, sources_of
from gui.settings import Settings
from gui.views.options import OptionsPanel
from gui.views.source import SourceView
from interplay.batch.overview import is_batch
from interplay.batch.rows import ResultRow
from interplay.presentation.record.run import RunRecord
from interplay.presentation.run_options import shown_engine
from interplay.session.project_file import WrongProject
from interplay.session.request import Request
from runs.jsondata import Malformed
from runs.runview import RunView


class Shell(Protocol):
    """The window, as far as it is needed to open something."""

    settings: Settings
    book: TaskBook
    project: ProjectModel
    model: RunModel
    focus: Focus
    runner: Runner
    options: OptionsPanel
    error_bar: ErrorBar

    def show_error(self, sentence: str) -> None: ...
    def show_panel(self, name: str) -> QWidget: ...


class Opener:
    """Opens what a person chooses in a window. `place` is the line that the next run is shown at, if there is one."""

    def __init__(self, window: Shell, runs: Path) -> None:
        self._window = window
        self._runs = runs
        self._past: Background[tuple[PastRun, ...]] = Background(self._have_past)
        self.place: tuple[str, int] | None = None

    def open_paths(self, paths: Sequence[Path]) -> None:
        """Open files, folders and runs, and show the last one. Errors are shown in the error bar."""
        entries: list[TaskEntry] = []
        for path in paths:
            try:
                if is_batch(path):
                    self._open_batch(path)
                else:
                    entries += self._entries_of(path)
            except OSError as error:
                self._window.show_error(f"{path}: {error.strerror}")
            if path.is_dir() or kind_of(path) is FileKind.PROJECT:
                self._window.project.open(path, entries)
        if entries:
            self._window.book.open(entries)
            self.choose(entries[0])
        if len(self._window.project.programs) > 1 and any(path.is_dir() for path in paths):
            self._window.show_panel("project")

    def _entries_of(self, path: Path) -> list[TaskEntry]:
        if path.is_dir() and kind_of(path) is not FileKind.RUN:
            found = entries_in(path)
            if not found:
                self._window.show_error(f"{path}: there is no C file, task definition or run in this folder.")
            return found
        kind = kind_of(path)
        if not path.exists():
            self._window.show_error(f"{path}: there is no such file.")
        elif kind is None:
            self._window.show_error(
                f"{path}: no C file (.c, .i), task definition (.yml), project (interplay.toml) or run (.interplay)."
            )
        else:
            known = (entry for entry in self._window.book.examples if entry.path == path.absolute())
            return [next(known, TaskEntry(path.absolute(), kind))]
        return []

    def choose(self, entry: TaskEntry) -> None:
        """Show a file without running anything."""
        self._window.error_bar.clear()
        self._window.settings.add_recent(entry.path)
        self._window.book.select(entry)
        self._window.options.suggest_engine(entry.engine)
        if self._window.runner.state is not RunState.IDLE:
            return  # the views stay with the run that goes on
        if entry.kind is FileKind.RUN:
            self.open_run(entry.path)
            return
        last = self._window.book.summary(entry).run
        if last is not None and last.exists():
            self.open_run(last)
            return
        self._show_text(entry)

    def _show_text(self, entry: TaskEntry) -> None:
        """Show the text of a program as it is on disk, without a run."""
        try:
            record = RunRecord(self._window.book.request(entry, self._window.options.chosen, None), RunView())
        except WrongProject as error:
            self._window.show_error(str(error))
            return
        record.sources = self.sources_of(entry, record.request)
        self._window.model.show(record)

    def reload(self) -> None:
        """Show the text of now instead of the run of before; of a stored run, its program."""
        entry, record = self._window.book.current, self._window.model.record
        if self._window.runner.state is not RunState.IDLE:
            self._window.show_error("A run is going on: it ends with the text that it began with.")
        elif entry is not None and entry.kind is not FileKind.RUN:
            self._show_text(entry)
        elif record is not None:
            self.open_paths([Path(record.main_file)])
            if self._window.book.current is not entry:
                self.reload()

    def edit_here(self) -> None:
        """Let the source that is shown be edited in place."""
        view = self._window.show_panel("source")
        assert isinstance(view, SourceView)
        if not view.edit():
            self._window.show_error("There is no file to edit: open a program first.")

    def edit(self) -> None:
        """Open the source that is shown in the editor of choice."""
        record, line = self._window.model.record, self._window.focus.selection.line
        file = Path(line[0] if line is not None else record.main_file if record is not None else "")
        if not file.is_file():
            self._window.show_error("There is no file to edit: open a program first.")
            return
        why = open_in_editor(self._window.settings, file, line[1] if line is not None else 1)
        if why:
            self._window.show_error(why)

    def _open_batch(self, path: Path) -> None:
        from gui.views.batch import BatchView

        view = self._window.show_panel("batch")
        assert isinstance(view, BatchView)
        view.open(path)

    def open_run(self, path: Path) -> bool:
        if self._window.runner.state is not RunState.IDLE:
            self._window.show_error("A run is going on: stop it before another one is opened.")
            return False
        try:
            record = self._window.model.open(path)
        except (OSError, Malformed) as error:
            self._window.show_error(f"The run cannot be opened: {error}")
            return False
        verdict = record.view.verdict
        word = "unknown (not finished)" if verdict is None else verdict.verdict
        self._window.book.put_run(path, record.request, finished(word, record.engine, path))
        entry = self._window.book.current
        if entry is not None and entry.path == path:
            self._window.options.borrow_engine(shown_engine(record.request.engine))
        if verdict is None:
            self._window.show_error("This run was cut off before its verdict; what it had found until then is shown.")
        return True

    def sources_of(self, entry: TaskEntry, request: Request) -> dict[str, str]:
        """The C sources of an entry; errors are shown in the error bar."""
        try:
            return sources_of(entry, request)
        except (OSError, FrontendError) as error:
            self._window.show_error(str(error))
            return {}

    def answered(self, entry: TaskEntry, row: ResultRow) -> None:
        """Show in the list of tasks what is known of a program of the project."""
        run = self._window.project.folder / row.run if row.run else None
        choice = next((one for one in properties_of(entry) if one.title == row.configuration), None)
        if choice is not None:
            self._window.book.put_answer(entry, choice, finished(row.verdict, row.engine, run))
        record = self._window.model.record
        waits = record is not None and not record.begun and entry == self._window.book.current
        if waits and run is not None and self._window.runner.state is RunState.IDLE:
            self.open_run(run)  # instead of "not verified yet"

    def visit(self, visit: Visit) -> None:
        """Open a run, at a line once it is shown."""
        if visit.place is not None:
            self.place = visit.place
        self._window.book.select(visit.entry)
        if not self.open_run(visit.run):
            self.place = None

    def read_past(self) -> None:
        self._past.submit(lambda _: past_runs(self._runs))

    def _have_past(self, runs: tuple[PastRun, ...]) -> None:
        self._window.book.put_past((run.entry, run.request, run.result) for run in runs)
