"""What a request asks for, read: the C file, its data model and the property, from a task definition or directly."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from frontend.choice import Acsl
from frontend.ctype import DataModel
from frontend.kinds import NO_KINDS, CheckKind, Kinds, selected
from frontend.lowering.errors import NoReach, Reach, UnreachCall
from frontend.source import ParseError, Unsupported, point
from frontend.task import UNDEFINED, Property, PropertyKind, Task, parse_properties, parse_task
from interplay.request import Request
from interplay.toolbox import Files


@dataclass(frozen=True)
class Question:
    """A C file and what is asked about it. `property` is None where nobody asks: then any assertion counts.

    `kinds` is the undefined behaviour that counts beside it, by the kind or as the property wants it.
    """

    file: str
    text: str
    data_model: DataModel
    property: Reach
    sources: Mapping[str, str]
    asked_acsl: Acsl | None = None
    kinds: Kinds = field(default_factory=lambda: NO_KINDS)

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
    asked = _property(request.property, task, read)
    kinds = {**selected(request.checks), **(asked.kinds if asked else NO_KINDS)}
    model = _data_model(request.data_model, task)
    return Question(file, text, model, asked.reach if asked else None, read.texts, request.acsl, kinds)


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


@dataclass(frozen=True)
class _Asked:
    """What the lines of a property file say together."""

    reach: UnreachCall | NoReach
    kinds: Kinds


def _property(asked: str | None, task: Task | None, read: Files) -> _Asked | None:
    """The property: the one asked for by name or file, else the one of the task about reachability, else its first.

    Of a task, only those that can be decided count.
    """
    if asked is not None:
        return _decidable(_lines(asked, read))
    if task is None or not task.properties:
        return None
    refused: list[Unsupported] = []
    found: list[_Asked] = []
    for one in task.properties:
        try:
            found.append(_decidable(_lines(str(one.file), read)))
        except Unsupported as error:
            refused.append(error)
    if not found:
        raise refused[0]
    return next((one for one in found if isinstance(one.reach, UnreachCall)), found[0])


def _lines(asked: str, read: Files) -> Sequence[Property]:
    """The lines of a property file, or one that the name of a property stands for."""
    if asked not in [kind.value for kind in PropertyKind]:
        return parse_properties(read(asked), asked)
    function = UnreachCall().function if asked == PropertyKind.UNREACH_CALL.value else ""
    return (Property(PropertyKind(asked), function, "main", asked, point("--property", 1, 0)),)


def _decidable(properties: Sequence[Property]) -> _Asked:
    reach: UnreachCall | NoReach = NoReach()
    kinds: dict[CheckKind, str] = {}
    for one in properties:
        if one.entry != "main":
            raise Unsupported(one.span, f"programs that start in {one.entry} are not supported")
        if one.kind is PropertyKind.UNREACH_CALL:
            if isinstance(reach, UnreachCall):
                raise ParseError(one.span, "one error function is expected")
            reach = UnreachCall(one.argument)
        elif one.kind in UNDEFINED:
            kinds.update(dict.fromkeys(UNDEFINED[one.kind], one.kind.value))
        else:
            raise Unsupported(one.span, f"the property {one.kind.value} is not supported")
    return _Asked(reach, kinds)
