"""Opens files, folders, projects, batches and runs, and shows what was opened."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Protocol

from PySide6.QtWidgets import QStatusBar, QWidget

from frontend.source import FrontendError
from gui.editor import open_in_editor
from gui.errorbar import ErrorBar
from gui.model.background import Background
from gui.model.current import RunModel
from gui.model.focus import Focus
from gui.model.past import PastRun, past_runs
from gui.model.project import ProjectModel, Visit
from gui.model.runner import Runner
from gui.model.tasks import (
    FileKind,
    TaskBook,
    TaskEntry,
    entries_in,
    finished,
    kind_of,
    program_of,
    properties_of,
    sources_of,
)
from gui.settings import Settings
from gui.views.options import OptionsPanel
from gui.views.source import SourceView
from interplay.batch.overview import is_batch
from interplay.batch.rows import ResultRow
from interplay.presentation.record.run import RunRecord
from interplay.presentation.run_options import shown_engine
from interplay.session.project_file import WrongProject
from runs.jsondata import Malformed
from runs.runfile import open_run
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
    def statusBar(self) -> QStatusBar: ...  # noqa: N802 - Qt's name


class Opener:
    """Opens what a person chooses in a window. `place` is the line that the next run is shown at, if there is one."""

    def __init__(self, window: Shell, runs: Path) -> None:
        self._window = window
        self._runs = runs
        self._past: Background[tuple[PastRun, ...]] = Background(self._have_past)
        self.place: tuple[str, int] | None = None
        self._followed: RunRecord | None = None  # the last run that was shown because it began
        self._left: RunRecord | None = None  # the run that was shown before somebody typed

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
        window = self._window
        window.error_bar.clear()
        window.settings.add_recent(entry.path)
        if entry.kind is FileKind.RUN:
            self.open_run(entry.path, entry)
            return
        window.model.texts.have_read(self.read(entry))
        window.book.select(entry)
        window.options.suggest_engine(entry.engine)
        self.settle()

    # What is shown

    def settle(self) -> None:
        """Show what is about the selected program and its texts of now.

        That is a run of the selected property, else the text alone.
        """
        window = self._window
        entry, shown = window.book.current, window.model.wanted
        if entry is None:
            return
        if entry.kind is FileKind.RUN:
            typed = window.model.texts.typed.items()
            if shown is not None and any(shown.sources.get(file, text) != text for file, text in typed):
                self.open_paths([Path(shown.main_file)])  # the run stays what it was
            return
        for record in (window.runner.record, shown):
            if record is not None and record.begun and self._answers(record, entry):
                if record is not shown:
                    window.model.show(record)
                return
        choice = next((one for one in window.book.properties(entry) if one.property == window.book.asked), None)
        run = None if choice is None else window.book.result(entry, choice).run
        if run is None or not run.exists() or not self.open_run(run, entry):
            self._show_text(entry)

    def _answers(self, record: RunRecord, entry: TaskEntry) -> bool:
        """Whether a run is about the selected property of a program, and about its texts of now."""
        window = self._window
        asked = record.request.property == window.book.asked
        return asked and self._is_of(record, entry) and window.model.texts.are_those_of(record)

    def _is_of(self, record: RunRecord, entry: TaskEntry) -> bool:
        try:
            request = self._window.book.request(entry, self._window.options.chosen, None)
        except WrongProject:
            return False
        return program_of(request) == program_of(record.request)

    def follow(self, record: RunRecord) -> None:
        """Show a run that begins, unless a person has chosen another one meanwhile."""
        window = self._window
        entry, shown = window.book.current, window.model.wanted
        if entry is None:
            return
        if entry.kind is FileKind.RUN and shown is not None and program_of(shown.request) == program_of(record.request):
            assert record.path is not None
            entry = TaskEntry(record.path.with_suffix(""), FileKind.RUN)  # where the journal becomes a run file
            window.book.open([entry])
            window.book.select(entry)
            window.model.show(record)
            return
        elsewhere = shown is not None and shown.begun and shown is not self._followed
        wanted = record.request.property == window.book.asked or not elsewhere
        if wanted and self._is_of(record, entry):
            self._followed = record
            window.book.choose(record.request.property)
            self.settle()

    def _show_text(self, entry: TaskEntry) -> None:
        """Show the text of a program as it is now, without a run."""
        window, shown = self._window, self._window.model.wanted
        try:
            record = RunRecord(window.book.request(entry, window.options.chosen, window.book.asked), RunView())
        except WrongProject as error:
            window.show_error(str(error))
            return
        typed = window.model.texts.typed
        known: Mapping[str, str] = {}
        if shown is not None and self._is_of(shown, entry):  # its headers stay in sight
            known = {name: text for name, text in shown.program_texts.items() if Path(name).is_absolute()}
        if not known.keys() & typed.keys():
            known = {**known, **self.read(entry)}
        record.sources = {**known, **{name: text for name, text in typed.items() if name in known}}
        if shown is None or shown.begun or not self._is_of(shown, entry) or _others(shown, record) - typed.keys():
            self._left = shown if typed and shown is not None and shown.begun else self._left
            window.model.show(record)
        else:
            shown.sources = record.sources  # which views have seen as they were typed

    def read(self, entry: TaskEntry) -> dict[str, str]:
        """The texts of a program as they are on disk; errors are shown in the error bar."""
        window = self._window
        try:
            return sources_of(entry, window.book.request(entry, window.options.chosen, None))
        except (OSError, FrontendError, WrongProject) as error:
            window.show_error(str(error))
            return {}

    def look_again(self) -> None:
        """See which texts have changed on disk; those in sight stay until they are reloaded."""
        shown = self._window.model.wanted
        in_sight = () if shown is None else shown.sources
        self._window.model.texts.look_again(name for name in self._window.book.files if name not in in_sight)
        self._window.project.look_again()

    def reload(self) -> None:
        """Show the text of now instead of the run of before; of a stored run, its program."""
        window = self._window
        entry, record = window.book.current, window.model.record
        if entry is not None and entry.kind is not FileKind.RUN:
            window.model.texts.have_read(self.read(entry))
            self.settle()
        elif record is not None:
            self.open_paths([Path(record.main_file)])

    def save(self) -> bool:
        """Save what is typed in the program that is shown; whether that was possible."""
        window, texts = self._window, self._window.model.texts
        shown = window.model.wanted
        files = [file for file in texts.unsaved if shown is not None and file in shown.sources]
        for file in files:
            why = texts.save(file)
            if why:
                window.show_error(why)
                return False
        if files:
            names = ", ".join(Path(file).name for file in files)
            window.statusBar().showMessage(f"{names} was saved: the text that you see is verified", 8000)
        return True

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

    def open_run(self, path: Path, of: TaskEntry | None = None) -> bool:
        """Show a stored run, of an entry that is selected or as one; whether it can be read."""
        window = self._window
        try:
            left = self._left if self._left is not None and self._left.path == path else None
            record = left or RunRecord.of(open_run(path))
        except (OSError, Malformed) as error:
            window.show_error(f"The run cannot be opened: {error}")
            return False
        verdict = record.view.verdict
        word = "unknown (not finished)" if verdict is None else verdict.verdict
        entry = of or window.book.current
        stays = entry is not None and entry.kind is not FileKind.RUN and self._is_of(record, entry)
        if entry is None or not stays or not window.model.texts.are_those_of(record):
            if of is None or of.path != path:
                entry = TaskEntry(path, FileKind.RUN)
                window.book.open([entry])
            assert entry is not None
            window.book.select(entry)
        window.model.show(record)
        window.book.choose(record.request.property)
        window.book.put_run(path, record.request, finished(word, record.engine, path))
        if entry.path == path:
            window.options.borrow_engine(shown_engine(record.request.engine))
        if verdict is None:
            window.show_error("This run was cut off before its verdict; what it had found until then is shown.")
        return True

    def answered(self, entry: TaskEntry, row: ResultRow) -> None:
        """Show in the list of tasks what is known of a program of the project."""
        run = self._window.project.folder / row.run if row.run else None
        choice = next((one for one in properties_of(entry) if one.title == row.configuration), None)
        if choice is not None:
            self._window.book.put_answer(entry, choice, finished(row.verdict, row.engine, run, row.texts))
        shown = self._window.model.wanted
        if shown is not None and not shown.begun and entry == self._window.book.current:
            self.settle()  # instead of "not verified yet"

    def visit(self, visit: Visit) -> None:
        """Open a run, at a line once it is shown."""
        if visit.place is not None:
            self.place = visit.place
        self._window.book.select(visit.entry)
        if self.open_run(visit.run, visit.entry):
            self._window.show_panel("source")
        else:
            self.place = None

    def close(self) -> None:
        """End what goes on for a window that is closed: nobody wants the runs of the past any more."""
        self._past.forget()

    def read_past(self) -> None:
        self._past.submit(lambda _: past_runs(self._runs))

    def _have_past(self, runs: tuple[PastRun, ...]) -> None:
        self._window.book.put_past((run.entry, run.request, run.result) for run in runs)


def _others(one: RunRecord, other: RunRecord) -> set[str]:
    """The files that have not the same text in two records."""
    names = one.sources.keys() | other.sources.keys()
    return {name for name in names if one.sources.get(name) != other.sources.get(name)}
