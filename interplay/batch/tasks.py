"""The tasks of a batch: its inputs resolved to programs with properties and expected verdicts."""

from __future__ import annotations

import glob
import hashlib
import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from core.dataclass import dataclass
from core.program.properties import MEMORY_SAFETY
from frontend.api import read_source
from frontend.properties.task import TaskDefinition, TaskProperty, read_task
from frontend.source import FrontendError
from interplay.session.project_file import PROJECT, read_project
from interplay.session.verification_task import asks_for, property_to_decide

DEFINITIONS = (".yml", ".yaml")
PROGRAMS = (".c", ".i")


class BadInput(ValueError):
    """An input of a batch that matches no task; the message has its place."""


@dataclass(frozen=True)
class BatchTask:
    """A program and a property. Paths are relative to the working directory.

    `name` is the shortest suffix of its path that is unique. `property` is a file, a name, or None where the task is
    refused or no property is named. `expected` is `true`, `false`, `false(SUBPROPERTY)`, or empty where no verdict is
    known. `digest` changes with the texts.
    """

    name: str
    set: str
    path: str
    property: str | None
    asked: str  # the name of the property, for tables
    expected: str
    digest: str


def find_tasks(inputs: Sequence[str], asked: str | None) -> list[BatchTask]:
    """The tasks that definitions, sets, globs, folders and programs stand for, each once, in the order given.

    `asked` is a property file or the name of a property: then tasks that do not have it are left out. A definition
    that cannot be read is a task too: it ends with the reason. Raises `BadInput`, `WrongProject` and `FrontendError`.
    """
    found: dict[str, tuple[str, str]] = {}
    for text in inputs:
        for name, path in _expanded(text):
            found.setdefault(os.path.realpath(path), (name, path))
    definitions = {path: _definition(path) for _, path in found.values() if path.endswith(DEFINITIONS)}
    covered = {os.path.realpath(i) for task in definitions.values() if task is not None for i in task.inputs}
    kept = {path: set_name for real, (set_name, path) in found.items() if real not in covered}
    names, question = _names(list(kept)), _Question(asked)
    tasks = (question.of(names[path], set_name, path, definitions.get(path)) for path, set_name in kept.items())
    return [task for task in tasks if task is not None]


# What an input stands for: pairs of a set and a path


def _expanded(text: str) -> Iterator[tuple[str, str]]:
    path = Path(text)
    if path.is_dir():
        yield from _of_folder(path)
    elif path.is_file():
        yield from _of_file(path)
    elif glob.has_magic(text):
        matches = sorted(glob.glob(text, recursive=True))
        if not matches:
            raise BadInput(f"{text}: no file matches")
        for match in matches:
            if Path(match).is_dir():
                yield from _of_folder(Path(match))
            elif match.endswith((*DEFINITIONS, *PROGRAMS, ".set")):
                yield from _of_file(Path(match))
    else:
        raise BadInput(f"{text}: no such file")


def _of_folder(folder: Path) -> Iterator[tuple[str, str]]:
    """The project of a folder, else the task definitions in it and below it; where there is none, the programs."""
    if (folder / PROJECT).is_file():
        yield _folder_name(folder / PROJECT), str(folder / PROJECT)
        return
    files = sorted(path for path in folder.rglob("*") if path.is_file())
    for suffixes in (DEFINITIONS, PROGRAMS):
        chosen = [path for path in files if path.suffix in suffixes]
        if chosen:
            yield from ((_folder_name(path), str(path)) for path in chosen)
            return
    raise BadInput(f"{folder}: there is no task definition and no C file in this folder")


def _of_file(path: Path) -> Iterator[tuple[str, str]]:
    if path.suffix == ".set":
        yield from _of_set(path)
    elif path.suffix in (*DEFINITIONS, *PROGRAMS):
        yield _folder_name(path), str(path)
    else:
        raise BadInput(f"{path}: neither a task definition (.yml), a set (.set) nor a C file")


def _of_set(path: Path) -> Iterator[tuple[str, str]]:
    """The tasks of a set file, which has a glob on each line, relative to its folder."""
    try:
        text = path.read_text(encoding="utf-8", errors="replace")
    except OSError as error:
        raise BadInput(f"{path}:1:1: {error.strerror}") from None
    for number, line in enumerate(text.splitlines(), 1):
        pattern = line.strip()
        if not pattern or pattern.startswith("#"):
            continue
        matches = sorted(glob.glob(str(Path(glob.escape(str(path.parent)), pattern)), recursive=True))
        matches = [match for match in matches if match.endswith((*DEFINITIONS, *PROGRAMS))]
        if not matches:
            raise BadInput(f"{path}:{number}:{line.index(pattern) + 1}: no task matches {pattern}")
        yield from ((path.stem, match) for match in matches)


def _folder_name(path: Path) -> str:
    return Path(os.path.abspath(path)).parent.name


def _names(paths: Sequence[str]) -> Mapping[str, str]:
    """A unique name for each path: its folder and file, with as many folders before them as are needed."""
    names: dict[str, str] = {}
    waiting, length = list(paths), 2
    while waiting:
        short: dict[str, list[str]] = {}
        for path in waiting:
            short.setdefault("/".join(Path(os.path.abspath(path)).parts[-length:]), []).append(path)
        names.update({group[0]: name for name, group in short.items() if len(group) == 1})
        waiting = [path for group in short.values() if len(group) > 1 for path in group]
        length += 1
    return names


# What is asked of a task


def _definition(path: str) -> TaskDefinition | None:
    """The task definition at a path, or None where it cannot be read: the run of the task reports why."""
    try:
        return read_task(Path(path))
    except FrontendError:
        return None


class _Question:
    """The property asked of all tasks: a file or a name, or None for the property that each task names."""

    def __init__(self, asked: str | None) -> None:
        """Raises `FrontendError`."""
        self._read = _Texts()
        self._asked = asked
        self._wanted = None if asked is None else asks_for(asked, self._read)

    def of(self, name: str, set_name: str, path: str, definition: TaskDefinition | None) -> BatchTask | None:
        """The task at `path`; None if it does not have the property."""
        files = [path, *(map(str, definition.inputs) if definition else ()), *_files_of_project(path)]
        plain = BatchTask(name, set_name, path, None, "", "", _digest(files))
        if definition is None or not definition.properties:
            digest = _digest(files, "" if self._wanted is None else repr(self._wanted))
            return replace(plain, property=self._asked, asked=_title(self._wanted), digest=digest)
        try:
            chosen = self._chosen(definition)
        except FrontendError:  # whoever runs it will say why
            return plain
        if chosen is None:
            return None
        file = str(chosen.file)
        title = _title(asks_for(file, self._read))
        return replace(plain, property=file, asked=title, expected=_expected(chosen), digest=_digest([*files, file]))

    def _chosen(self, definition: TaskDefinition) -> TaskProperty | None:
        """The property of the definition that equals the requested one; without a request, the one to decide."""
        if self._wanted is None:
            return property_to_decide(definition, self._read)
        return next((p for p in definition.properties if asks_for(str(p.file), self._read) == self._wanted), None)


def is_project(path: str) -> bool:
    """Whether a task is the project of a folder."""
    return Path(path).name == PROJECT


def _files_of_project(path: str) -> Sequence[str]:
    if not is_project(path):
        return ()
    project = read_project(Path(path))
    others = project["files"]
    assert isinstance(others, list)
    return (str(project["task"]), *others)


class _Texts:
    """A cache of property files."""

    def __init__(self) -> None:
        self._texts: dict[str, str] = {}

    def __call__(self, name: str) -> str:
        if name not in self._texts:
            self._texts[name] = read_source(Path(name))
        return self._texts[name]


def _expected(chosen: TaskProperty) -> str:
    if chosen.expected is None:
        return ""
    if chosen.expected:
        return "true"
    return f"false({chosen.subproperty})" if chosen.subproperty else "false"


def _title(kinds: tuple[tuple[str, str], ...] | None) -> str:
    names = [kind for kind, _ in kinds or ()]
    return "valid-memsafety" if set(names) == MEMORY_SAFETY else ", ".join(names)


def _digest(files: Sequence[str], more: str = "") -> str:
    digest = hashlib.sha256(more.encode())
    for file in files:
        try:
            digest.update(hashlib.sha256(Path(file).read_bytes()).digest())
        except OSError:
            digest.update(b"-")  # it is missed where the task is run
    return digest.hexdigest()[:16]
