"""The plan of a batch: the tasks under each configuration, within limits."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import asdict
from pathlib import Path

from core.dataclass import dataclass
from interplay.batch.rows import RowKey
from interplay.batch.tasks import BatchTask, is_project
from interplay.session.project_file import read_project
from interplay.session.request import PORTFOLIO, ReplayMode, Request, read_request, wrong_options
from methods.registry import ENGINES
from runs.jsondata import Malformed, as_int, as_list, as_number, as_object, as_row, as_str


class WrongConfiguration(ValueError):
    """A configuration that is malformed, or names an engine or option that does not exist."""


@dataclass(frozen=True)
class BatchConfiguration:
    """An engine with options, under a name of its own."""

    name: str
    engine: str
    options: tuple[tuple[str, str], ...] = ()


def read_configuration(text: str) -> BatchConfiguration:
    """Read `[NAME=]ENGINE[,OPTION=VALUE…]`; without a name, the text is the name. Raises `WrongConfiguration`."""
    first, *rest = text.split(",")
    name, equals, engine = first.partition("=")
    if not equals:
        name, engine = text, first
    if not name or name != name.strip() or "/" in name or name.startswith("."):
        raise WrongConfiguration(f"{text}: {name!r} cannot be the name of a configuration")
    engines = (PORTFOLIO, *ENGINES)
    if engine not in engines:
        raise WrongConfiguration(f"{text}: {engine!r} is none of the engines {', '.join(engines)}")
    options: dict[str, str] = {}
    for part in rest:
        option, equals, value = part.partition("=")
        if not equals:
            raise WrongConfiguration(f"{text}: {part!r} must be OPTION=VALUE")
        options[option] = value
    wrong = wrong_options(engine, options)
    if wrong is not None:
        raise WrongConfiguration(f"{text}: {wrong}")
    return BatchConfiguration(name, engine, tuple(options.items()))


@dataclass(frozen=True)
class BatchSettings:
    """The settings of all runs of a batch; a batch that is resumed must have the same.

    `time_limit` is in CPU seconds, `memory_limit` in megabytes, each for a run with all its processes. `parameters` are
    those of search that have another value than their default. `checks` are asked beside the property.
    """

    time_limit: float
    memory_limit: int
    replay: ReplayMode
    configurations: tuple[BatchConfiguration, ...]
    parameters: tuple[tuple[str, str], ...] = ()
    checks: tuple[str, ...] = ()

    def to_json(self) -> dict[str, object]:
        return {
            "time_limit": self.time_limit,
            "memory_limit": self.memory_limit,
            "replay": self.replay.value,
            "configurations": {c.name: {"engine": c.engine, "options": dict(c.options)} for c in self.configurations},
            **({"parameters": dict(self.parameters)} if self.parameters else {}),
            **({"checks": list(self.checks)} if self.checks else {}),
        }

    def difference(self, earlier: BatchSettings) -> str | None:
        """The reason why a batch with `earlier` settings cannot be resumed with these, or None. Configurations may be
        added.
        """
        for name, unit in (("time_limit", " s"), ("memory_limit", " MB"), ("replay", "")):
            mine, theirs = getattr(self, name), getattr(earlier, name)
            if mine != theirs:
                return f"a batch with {name.replace('_', ' ')} {theirs}{unit}, not {mine}{unit}"
        if dict(self.parameters) != dict(earlier.parameters):
            return "a batch with other parameters"
        if self.checks != earlier.checks:
            return f"a batch with --check {','.join(earlier.checks) or 'nothing'}"
        before = {c.name: c for c in earlier.configurations}
        for one in self.configurations:
            if before.get(one.name, one) != one:
                return f"a batch in which configuration {one.name} has another engine or other options"
        return None


def read_settings(value: object) -> BatchSettings:
    """The settings that `to_json` wrote. Raises `Malformed`."""
    data = as_object(value)
    try:
        replay = ReplayMode(as_str(data.get("replay")))
    except ValueError:
        raise Malformed(f"unknown replay {data.get('replay')!r}") from None
    configurations = []
    for name, one in as_object(data.get("configurations")).items():
        described = as_object(one)
        options = tuple((key, as_str(v)) for key, v in as_object(described.get("options")).items())
        configurations.append(BatchConfiguration(name, as_str(described.get("engine")), options))
    parameters = tuple((name, as_str(one)) for name, one in as_object(data.get("parameters", {})).items())
    limits = as_number(data.get("time_limit")), as_int(data.get("memory_limit"))
    checks = tuple(as_str(one) for one in as_list(data.get("checks", [])))
    return BatchSettings(*limits, replay, tuple(configurations), parameters, checks)


EACH_ITS_OWN = BatchSettings(0.0, 0, ReplayMode.NATIVE, ())
"""The settings of a batch whose runs have settings of their own, which their run files name."""


@dataclass(frozen=True)
class BatchJob:
    """One run: a task under a configuration."""

    task: BatchTask
    configuration: BatchConfiguration
    request: Request

    @property
    def key(self) -> RowKey:
        return self.task.name, self.configuration.name

    @property
    def run_file(self) -> str:
        """The path of its run file, relative to the folder of the batch."""
        return f"runs/{self.configuration.name}/{self.task.name}.interplay"


def write_job(job: BatchJob) -> dict[str, object]:
    """A job as JSON, for another process."""
    one = job.configuration
    return {
        "task": asdict(job.task),
        "configuration": [one.name, one.engine, dict(one.options)],
        "request": job.request.to_json(),
    }


def read_job(value: object) -> BatchJob:
    """The job that `write_job` wrote. Raises `Malformed`."""
    data = as_object(value)
    name, engine, options = as_row(data.get("configuration"), 3)
    given = tuple((key, as_str(v)) for key, v in as_object(options).items())
    configuration = BatchConfiguration(as_str(name), as_str(engine), given)
    task = {key: None if text is None else as_str(text) for key, text in as_object(data.get("task")).items()}
    return BatchJob(BatchTask(**task), configuration, read_request(data.get("request")))  # type: ignore[arg-type]


def planned(tasks: Sequence[BatchTask], settings: BatchSettings) -> Iterable[BatchJob]:
    """All jobs, task by task: what is compared is run under similar circumstances. Raises `WrongProject`."""
    for task in tasks:
        for configuration in settings.configurations:
            request = Request(
                task=task.path,
                property=task.property,
                engine=configuration.engine,
                time_limit=settings.time_limit,
                memory_limit=settings.memory_limit,
                replay=settings.replay,
                options=configuration.options,
                parameters=settings.parameters,
                checks=settings.checks,
            )
            yield BatchJob(task, configuration, _of_project(request))


def _of_project(request: Request) -> Request:
    """The request, where its task is a project with the options of that, too; those of the batch go before them.

    Raises `WrongProject`.
    """
    if not is_project(request.task):
        return request
    usual = Request("").to_json()
    chosen = {name: value for name, value in request.to_json().items() if name not in usual or value != usual[name]}
    project = read_project(Path(request.task))
    return read_request({**usual, **project, **chosen, "task": project["task"]})
