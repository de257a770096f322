"""Tasks: files, task definitions and examples that can be verified, their properties, and the results."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from enum import Enum
from importlib.resources import files
from pathlib import Path

from PySide6.QtCore import QObject, Signal

from core.dataclass import dataclass
from frontend.source import FrontendError
from gui.model.texts import Texts
from interplay.presentation.record.summary import Tone, tone_of
from interplay.presentation.run_options import PROPERTIES, request_for, shown_property, shown_verdict
from interplay.session.project_file import PROJECT_FILES, WrongProject, read_project
from interplay.session.request import Request, files_of
from runs.runfile import RUN_SUFFIX, journal_of

C_SUFFIXES = (".c", ".i")
DEFINITION_SUFFIXES = (".yml", ".yaml")
MAX_IN_FOLDER = 500
TOPICS = ("arrays", "lists")
"""Folders of examples beside the general ones."""


class FileKind(Enum):
    """The kind of a file."""

    PROGRAM = "C file"
    DEFINITION = "task definition"
    PROJECT = "project"
    RUN = "run"


@dataclass(frozen=True)
class TaskEntry:
    """A file that can be opened. `lesson` is the sentence about what an example teaches, `engine` the one whose steps
    it shows, empty for any; `asked` is the property that it is about, empty for its assertions. `topic` is the folder
    of an example, `label` what is shown instead of the name.
    """

    path: Path
    kind: FileKind
    lesson: str = ""
    engine: str = ""
    asked: str = ""
    topic: str = ""
    label: str = ""

    @property
    def title(self) -> str:
        if self.label:
            return self.label
        return self.path.parent.name if self.kind is FileKind.PROJECT else self.path.name


@dataclass(frozen=True)
class PropertyChoice:
    """A property that can be verified: `property` is its value in a request (None: the assertions of the file).

    `expected` is the verdict that a task definition names.
    """

    property: str | None
    title: str
    words: str
    expected: bool | None = None


@dataclass(frozen=True)
class TaskResult:
    """The result of a property, or what its run is doing. `run` is the run file, where there is one; `texts` are the
    files that it is about, with digests.
    """

    tone: Tone = Tone.IDLE
    word: str = "not run"
    engine: str = ""
    run: Path | None = None
    texts: tuple[tuple[str, str], ...] = ()


def kind_of(path: Path) -> FileKind | None:
    """The kind of a file by its name; None if it cannot be opened."""
    suffix = path.suffix.lower()
    if path.name in PROJECT_FILES:
        return FileKind.PROJECT
    if suffix in C_SUFFIXES:
        return FileKind.PROGRAM
    if suffix in DEFINITION_SUFFIXES:
        return FileKind.DEFINITION
    if suffix == RUN_SUFFIX or path.name.endswith(f"{RUN_SUFFIX}.journal"):
        return FileKind.RUN
    return None


def entries_in(folder: Path) -> list[TaskEntry]:
    """The files of a folder that can be opened, by name, without C files that have a task definition. The folder of a
    project has one entry, the project.
    """
    project = next((path for name in PROJECT_FILES if (path := folder / name).is_file()), None)
    if project is not None:
        return [TaskEntry(project, FileKind.PROJECT)]
    found = [(path, kind_of(path)) for path in sorted(folder.iterdir()) if path.is_file()]
    defined = {path.stem for path, kind in found if kind is FileKind.DEFINITION}
    entries = [
        TaskEntry(path, kind)
        for path, kind in found
        if kind is not None and not (kind is FileKind.PROGRAM and path.stem in defined)
    ]
    return entries[:MAX_IN_FOLDER]


def examples() -> tuple[TaskEntry, ...]:
    """The bundled examples that are one file each, those of topics last."""
    folder = Path(str(files("resources").joinpath("examples")))
    plain = (_example(path) for path in sorted(folder.glob("*.c")))
    of_topics = (_example(path, topic) for topic in TOPICS for path in sorted((folder / topic).glob("*.c")))
    return (*plain, *of_topics)


def _example(path: Path, topic: str = "") -> TaskEntry:
    """An example with the data of its first comment: the first line is the lesson; lines at its end begin with
    `Property:` and `Engine:`.
    """
    comment = path.read_text("utf-8").partition("*/")[0].removeprefix("/*")
    first, *more = (line.strip(" *") for line in comment.splitlines())
    named = {name: value for name, mark, value in (line.partition(": ") for line in more) if mark}
    lesson, engine, asked = first.replace("`", ""), named.get("Engine", ""), named.get("Property", "")
    return TaskEntry(path, FileKind.PROGRAM, lesson, engine, asked, topic)


_OF_PROGRAMS = tuple(PropertyChoice(name, *words) for name, words in PROPERTIES.items())
_ASSERTIONS = _OF_PROGRAMS[0]


def properties_of(entry: TaskEntry) -> tuple[PropertyChoice, ...]:
    """The properties that can be verified. A definition that cannot be read has one, whose run says why."""
    if entry.kind is FileKind.PROGRAM:
        return (*((_property_named(entry.asked),) if entry.asked else ()), *_OF_PROGRAMS)
    if entry.kind is FileKind.RUN:
        return ()
    if entry.kind is FileKind.PROJECT:
        named = _project(entry).get("property")
        return _OF_PROGRAMS if named is None else (_property_named(str(named)),)
    from frontend.properties.task import read_task

    try:
        task = read_task(entry.path)
    except FrontendError:
        return (_ASSERTIONS,)
    asked = (
        PropertyChoice(str(one.file), one.file.stem, f"The property file {one.file.name}", one.expected)
        for one in task.properties
    )
    return tuple(asked) or (_ASSERTIONS,)


def _property_named(property: str | None) -> PropertyChoice:
    """The property that a run was, or is to be, asked about."""
    words = PROPERTIES.get(property, ("", f"The property file {property}"))[1]
    return PropertyChoice(property, shown_property(property), words)


def _project(entry: TaskEntry) -> Mapping[str, object]:
    """The fields that a project gives to its request; none where it cannot be read, which its run says."""
    try:
        return read_project(entry.path)
    except WrongProject:
        return {}


def request_of(entry: TaskEntry, chosen: Request, property: str | None) -> Request:
    """The request that verifies an entry, with the options that were chosen. Raises `WrongProject`."""
    project = read_project(entry.path) if entry.kind is FileKind.PROJECT else {"task": str(entry.path)}
    return request_for(chosen, project, property)


def sources_of(entry: TaskEntry, request: Request) -> dict[str, str]:
    """The C sources of an entry, under the names that the run of a request gives them. Raises `OSError` and
    `FrontendError`.
    """
    from frontend.api import read_source

    if entry.kind is FileKind.PROJECT:
        from interplay.session.verification_task import read_verification_task

        task = read_verification_task(request, lambda name: read_source(Path(name)))
        return {one.file: one.text for one in task.inputs}
    if entry.kind is FileKind.PROGRAM:
        return {str(entry.path): read_source(entry.path)}
    from frontend.properties.task import read_task

    return {str(path): read_source(path) for path in read_task(entry.path).inputs}


class TaskBook(QObject):
    """The open files, the selected one with its property, and the results that are about the texts of now.

    Signals: `changed()` with every change; `selected()`: another file, `chosen()`: another property of it.
    """

    changed = Signal()
    selected = Signal()
    chosen = Signal()

    def __init__(self, texts: Texts, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._texts = texts
        texts.changed.connect(self.changed)
        self.opened: list[TaskEntry] = []
        self.examples = examples()
        self.current: TaskEntry | None = None
        self.asked: str | None = None
        self._results: dict[tuple[str, str | None], TaskResult] = {}
        self._projects: dict[tuple[str, ...], TaskEntry] = {}
        self._stored: dict[str, Request] = {}
        self.past: tuple[TaskEntry, ...] = ()

    def open(self, entries: Iterable[TaskEntry]) -> None:
        """Add files; those that are open already, and examples, keep their places."""
        known = {entry.path for entry in (*self.opened, *self.examples)}
        self.opened += [entry for entry in entries if entry.path not in known]
        self.changed.emit()

    def examples_of(self, topic: str) -> list[TaskEntry]:
        return [entry for entry in self.examples if entry.topic == topic]

    def close(self, entry: TaskEntry) -> None:
        self.opened = [other for other in self.opened if other.path != entry.path]
        self.changed.emit()

    @property
    def files(self) -> tuple[str, ...]:
        """The files that results are about."""
        return tuple(dict.fromkeys(name for result in self._results.values() for name, _ in result.texts))

    def select(self, entry: TaskEntry) -> None:
        """Select a file, and the property of it whose result is shown."""
        self.current = entry
        choices = self.properties(entry)
        best = min(choices, key=lambda one: _ORDER.index(self.result(entry, one).tone), default=None)
        self.asked = None if best is None else best.property
        self.selected.emit()

    def choose(self, property: str | None) -> None:
        """Select a property of the current file."""
        if property != self.asked:
            self.asked = property
            self.chosen.emit()

    def put_run(self, path: Path, request: Request, result: TaskResult) -> None:
        """Record the request and the result of a stored run."""
        self._stored[str(path)] = request
        self._put(str(path), request.property, result)
        if self.current is not None and self.current.path == path:
            self.asked = request.property
            self.selected.emit()

    def put_past(self, entries: Iterable[tuple[TaskEntry, Request, TaskResult]]) -> None:
        """List the runs of the past, the newest first."""
        self.past = ()
        for entry, request, result in entries:
            self.past = (*self.past, entry)
            self._results[str(entry.path), request.property] = result
        self.changed.emit()

    def stored(self, entry: TaskEntry) -> Request | None:
        """The request of a stored run, once it has been opened."""
        return self._stored.get(str(entry.path))

    def properties(self, entry: TaskEntry) -> tuple[PropertyChoice, ...]:
        """The properties of an entry; for a stored run the one that was verified."""
        request = self.stored(entry)
        return properties_of(entry) if request is None else (_property_named(request.property),)

    def result(self, entry: TaskEntry, choice: PropertyChoice) -> TaskResult:
        """The result of a property, if it is about the texts of now."""
        found = self._results.get((str(entry.path), choice.property), TaskResult())
        return found if self._texts.are(found.texts) else TaskResult()

    def request(self, entry: TaskEntry, chosen: Request, property: str | None) -> Request:
        """The request that verifies an entry, whose results are those of the entry. Raises `WrongProject`."""
        request = request_of(entry, chosen, property)
        if entry.kind is FileKind.PROJECT:
            self._projects[program_of(request)] = entry
        return request

    def put_result(self, request: Request, result: TaskResult) -> None:
        """Record the result of a request, of a program or of a project that was opened."""
        entry = self._projects.get(program_of(request))
        self._put(request.task if entry is None else str(entry.path), request.property, result)

    def put_answer(self, entry: TaskEntry, choice: PropertyChoice, result: TaskResult) -> None:
        """Record the result of a property of an entry."""
        self._put(str(entry.path), choice.property, result)

    def _put(self, task: str, property: str | None, result: TaskResult) -> None:
        self._results[task, property] = result
        self.changed.emit()

    def forget_unfinished(self) -> None:
        """Reset the results that are waiting or running."""
        for key, result in self._results.items():
            if result.tone is Tone.RUNNING:
                self._results[key] = replace(TaskResult(), engine=result.engine)
        self.changed.emit()

    def summary(self, entry: TaskEntry) -> TaskResult:
        """The result shown for an entry: a violation first, then running ones, then the rest."""
        results = [self.result(entry, choice) for choice in self._asked(entry)]
        return min(results, key=lambda result: _ORDER.index(result.tone), default=TaskResult())

    def _asked(self, entry: TaskEntry) -> Iterator[PropertyChoice]:
        """The properties with a result; a folder of task definitions is not read for its signs."""
        path = str(entry.path)
        for task, property in self._results:
            if task == path:
                yield PropertyChoice(property, "", "")


def program_of(request: Request) -> tuple[str, ...]:
    """The files of a request, which tell its program from others."""
    return (*files_of(request), request.compile_commands or "")


_ORDER = (Tone.RUNNING, Tone.FALSE, Tone.TROUBLE, Tone.UNKNOWN, Tone.TRUE, Tone.IDLE)


def finished(verdict: str, engine: str, run: Path | None, texts: Iterable[tuple[str, str]] = ()) -> TaskResult:
    """The result of a run with a verdict, about these texts."""
    return TaskResult(tone_of(verdict), shown_verdict(verdict), engine, run, tuple(texts))


def run_name(request: Request) -> str:
    """The name of the run file of a request, without folder and number."""
    suffix = f"-{os.path.basename(request.property).removesuffix('.prp')}" if request.property else ""
    return f"{Path(request.task or request.compile_commands or '').stem}{suffix}"


class RunNames:
    """Generates unique names for run files, `FOLDER/NAME-NUMBER.interplay`, also before they are written."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._given: set[Path] = set()

    def next(self, name: str) -> Path:
        number = 1
        while True:
            path = self._folder / f"{name}-{number}{RUN_SUFFIX}"
            if path not in self._given and not path.exists() and not journal_of(path).exists():
                self._given.add(path)
                return path
            number += 1
