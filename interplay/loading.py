"""What a request asks for, read: the C file, its data model and the property, from a task definition or directly."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from frontend.choice import Acsl
from frontend.ctype import DataModel
from frontend.lowering.errors import UnreachCall
from frontend.source import ParseError, Unsupported, point
from frontend.task import Property, PropertyKind, Task, parse_properties, parse_task
from interplay.request import Request
from interplay.toolbox import Files


@dataclass(frozen=True)
class Question:
    """A C file and what is asked about it. `property` is None where nobody asks: then any assertion counts."""

    file: str
    text: str
    data_model: DataModel
    property: UnreachCall | None
    sources: Mapping[str, str]
    asked_acsl: Acsl | None = None

    def acsl(self) -> Acsl:
        """Annotations are claims where the user says so, and where no property says what is checked."""
        if self.asked_acsl is not None:
            return self.asked_acsl
        return Acsl.READ if self.property is None else Acsl.IGNORED


class _Recorded:
    """Reads files and remembers them, for the run file."""

    def __init__(self, files: Files) -> None:
        self._files = files
        self.texts: dict[str, str] = {}

    def __call__(self, name: str) -> str:
        if name not in self.texts:
            self.texts[name] = self._files(name)
        return self.texts[name]


def read_question(request: Request, files: Files) -> Question:
    """Read everything but headers. Raises `FrontendError` and `OSError`."""
    read = _Recorded(files)
    task = _task(request.task, read)
    file = request.task if task is None else _one_input(task)
    text = read(file)
    property_ = _property(request.property, task, read)
    return Question(file, text, _data_model(request.data_model, task), property_, read.texts, request.acsl)


def _task(name: str, read: Files) -> Task | None:
    return parse_task(read(name), Path(name)) if name.endswith((".yml", ".yaml")) else None


def _one_input(task: Task) -> str:
    if len(task.inputs) != 1:
        raise Unsupported(point(str(task.file), 1, 1), "tasks with more than one input file are not supported")
    return str(task.inputs[0])


def _data_model(asked: str | None, task: Task | None) -> DataModel:
    if asked is not None:
        return DataModel(asked)
    return (task.data_model if task else None) or DataModel.ILP32


def _property(asked: str | None, task: Task | None, read: Files) -> UnreachCall | None:
    """The property: the one asked for by name or file, else the first of the task that can be decided."""
    if asked is not None:
        return UnreachCall() if asked == PropertyKind.UNREACH_CALL.value else _decidable(_lines(asked, read))
    if task is None or not task.properties:
        return None
    refused: Unsupported | None = None
    for one in task.properties:
        try:
            return _decidable(_lines(str(one.file), read))
        except Unsupported as error:
            refused = refused or error
    assert refused is not None
    raise refused


def _lines(file: str, read: Files) -> Sequence[Property]:
    if file in {kind.value for kind in PropertyKind}:
        raise Unsupported(point("--property", 1, 0), f"the property {file} is not supported")
    return parse_properties(read(file), file)


def _decidable(properties: Sequence[Property]) -> UnreachCall:
    for one in properties:
        if one.kind is not PropertyKind.UNREACH_CALL:
            raise Unsupported(one.span, f"the property {one.kind.value} is not supported")
        if one.entry != "main":
            raise Unsupported(one.span, f"programs that start in {one.entry} are not supported")
    if len(properties) != 1:
        raise ParseError(properties[1].span, "one error function is expected")
    return UnreachCall(properties[0].argument)
