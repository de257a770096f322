"""What a batch is to run: the tasks under each configuration, within limits."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from core.registry import ENGINES
from core.run.jsondata import Malformed, as_int, as_number, as_object, as_str
from interplay.batch.rows import Key
from interplay.batch.tasks import BatchTask
from interplay.session.request import PORTFOLIO, Replay, Request, wrong_options


class WrongConfiguration(ValueError):
    """A configuration that is not written as it should be, or asks for what there is not."""


@dataclass(frozen=True)
class Configuration:
    """An engine with options, under a name of its own."""

    name: str
    engine: str
    options: tuple[tuple[str, str], ...] = ()


def read_configuration(text: str) -> Configuration:
    """`[NAME=]ENGINE[,OPTION=VALUE…]`; without a name, the text is the name. Raises `WrongConfiguration`."""
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
    return Configuration(name, engine, tuple(options.items()))


@dataclass(frozen=True)
class Settings:
    """What all runs of a batch have in common; a batch that goes on must have the same.

    `time_limit` is in CPU seconds, `memory_limit` in megabytes, each for a run with all its processes.
    """

    time_limit: float
    memory_limit: int
    replay: Replay
    configurations: tuple[Configuration, ...]

    def to_json(self) -> dict[str, object]:
        return {
            "time_limit": self.time_limit,
            "memory_limit": self.memory_limit,
            "replay": self.replay.value,
            "configurations": {c.name: {"engine": c.engine, "options": dict(c.options)} for c in self.configurations},
        }

    def difference(self, earlier: Settings) -> str | None:
        """Why a batch with `earlier` settings cannot go on with these; None if it can. Configurations may be added."""
        for name, unit in (("time_limit", " s"), ("memory_limit", " MB"), ("replay", "")):
            mine, theirs = getattr(self, name), getattr(earlier, name)
            if mine != theirs:
                return f"a batch with {name.replace('_', ' ')} {theirs}{unit}, not {mine}{unit}"
        before = {c.name: c for c in earlier.configurations}
        for one in self.configurations:
            if before.get(one.name, one) != one:
                return f"a batch in which configuration {one.name} has another engine or other options"
        return None


def read_settings(value: object) -> Settings:
    """The settings that `to_json` wrote. Raises `Malformed`."""
    data = as_object(value)
    try:
        replay = Replay(as_str(data.get("replay")))
    except ValueError:
        raise Malformed(f"unknown replay {data.get('replay')!r}") from None
    configurations = []
    for name, one in as_object(data.get("configurations")).items():
        described = as_object(one)
        options = tuple((key, as_str(v)) for key, v in as_object(described.get("options")).items())
        configurations.append(Configuration(name, as_str(described.get("engine")), options))
    return Settings(as_number(data.get("time_limit")), as_int(data.get("memory_limit")), replay, tuple(configurations))


@dataclass(frozen=True)
class Job:
    """One run: a task under a configuration."""

    task: BatchTask
    configuration: Configuration
    request: Request

    @property
    def key(self) -> Key:
        return self.task.name, self.configuration.name

    @property
    def run_file(self) -> str:
        """Where its run file goes, relative to the folder of the batch."""
        return f"runs/{self.configuration.name}/{self.task.name}.interplay"


def planned(tasks: Sequence[BatchTask], settings: Settings) -> Iterable[Job]:
    """All jobs, task by task: what is compared is run under similar circumstances."""
    for task in tasks:
        for one in settings.configurations:
            request = Request(
                task=task.path,
                property=task.property,
                engine=one.engine,
                time_limit=settings.time_limit,
                memory_limit=settings.memory_limit,
                replay=settings.replay,
                options=one.options,
            )
            yield Job(task, one, request)
