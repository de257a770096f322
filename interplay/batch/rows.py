"""A row of a batch: one task under one configuration, with its verdict and what it cost. Plain data."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping

from core.dataclass import dataclass
from interplay.batch.scores import CORRECT, SCORES, WRONG, Category, category
from runs.jsondata import Malformed, as_int, as_list, as_number, as_object, as_row, as_str

JOURNAL, JSON_LINES = "journal.jsonl", "results.jsonl"  # the files of a batch that have its rows
RowKey = tuple[str, str]  # task and configuration


@dataclass(frozen=True)
class BatchCheck:
    """One check of a task: its status, and the engine whose answer it is with its seconds of CPU time."""

    file: str
    line: int
    description: str
    status: str
    engine: str
    seconds: float
    why: str  # what confirmed it, or why it is open

    def to_json(self) -> list[object]:
        return [getattr(self, one.name) for one in dataclasses.fields(self)]


def _read_check(value: object) -> BatchCheck:
    file, line, description, status, engine, seconds, why = as_row(value, 7)
    return BatchCheck(
        as_str(file), as_int(line), as_str(description), as_str(status), as_str(engine), as_number(seconds), as_str(why)
    )


@dataclass(frozen=True)
class ResultRow:
    """The result of one task under one configuration.

    `cpu` and `wall` are seconds, `memory` is the peak in megabytes, each for all processes of the run together.

    `termination` is a `Termination`, or empty for a run that ended by itself; `engine` is the one that decided; `run`
    is the run file, relative to the folder of the batch. `checks` are the checks of the program, `texts` the files that
    were read, with a digest each.
    """

    task: str
    set: str
    file: str
    specification: str
    expected: str
    configuration: str
    verdict: str
    reason: str = ""
    termination: str = ""
    cpu: float = 0.0
    wall: float = 0.0
    memory: float = 0.0
    engine: str = ""
    rounds: int = 0
    confirmed_by: str = ""
    assumptions: tuple[str, ...] = ()
    run: str = ""
    digest: str = ""
    checks: tuple[BatchCheck, ...] = ()
    texts: tuple[tuple[str, str], ...] = ()

    @property
    def key(self) -> RowKey:
        return self.task, self.configuration

    @property
    def category(self) -> Category:
        return category(self.expected, self.verdict)

    @property
    def score(self) -> int:
        return SCORES.get(self.category, 0)

    @property
    def correct(self) -> bool:
        return self.category in CORRECT

    @property
    def wrong(self) -> bool:
        return self.category in WRONG

    def to_json(self) -> dict[str, object]:
        """All fields, and values derived from them for readers that are other tools."""
        values = {name.name: getattr(self, name.name) for name in dataclasses.fields(self)}
        del values["checks"], values["texts"]
        return {
            **values,
            "assumptions": list(self.assumptions),
            "category": self.category.value,
            "score": self.score,
            "checks": [check.to_json() for check in self.checks],
            "texts": [list(pair) for pair in self.texts],
        }


_READERS: Mapping[str, Callable[[object], object]] = {
    "str": as_str,
    "float": as_number,
    "int": as_int,
    "tuple[str, ...]": lambda value: tuple(as_str(one) for one in as_list(value)),
    "tuple[BatchCheck, ...]": lambda value: tuple(_read_check(one) for one in as_list(value)),
    "tuple[tuple[str, str], ...]": lambda value: tuple(
        (as_str(name), as_str(digest)) for name, digest in (as_row(one, 2) for one in as_list(value))
    ),
}


def read_row(value: object) -> ResultRow:
    """The row that `to_json` wrote; fields that are not known are skipped. Raises `Malformed`."""
    data = as_object(value)
    values: dict[str, object] = {}
    for one in dataclasses.fields(ResultRow):
        if one.name in data:
            values[one.name] = _READERS[str(one.type)](data[one.name])
        elif one.default is dataclasses.MISSING:
            raise Malformed(f"a row without {one.name}")
    return ResultRow(**values)  # type: ignore[arg-type]
