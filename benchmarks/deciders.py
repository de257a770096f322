"""Reads from the results of a batch which engine decided what, after how long, and what the engines beside it cost.

    python -m benchmarks.deciders RESULTS > benchmarks/deciders.csv

RESULTS is the folder that `interplay batch` wrote for the portfolio. A row is a set and an engine: the tasks that it
decided, the median and the most of its own CPU seconds until then, and the sum of those that other engines had used.
The rows of `resources/portfolio/rules.txt` follow this table: an engine that decides nothing of a set that others
decide should not come before them, and an opening should cover the median.
"""

from __future__ import annotations

import csv
import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from statistics import median

from core.dataclass import dataclass
from runs.events import AttemptEnded, AttemptStarted
from runs.runfile import open_run

COLUMNS = ("set", "engine", "decided", "median s", "most s", "others s")


@dataclass(frozen=True)
class Decided:
    """A task that an engine decided, with the CPU seconds of this engine and of the others."""

    set: str
    engine: str
    own: float
    others: float


def decided(folder: Path) -> Iterator[Decided]:
    """The tasks of a batch that one engine decided."""
    for line in (folder / "journal.jsonl").read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        if str(row.get("verdict", "")).startswith(("true", "false")) and row["engine"] and row["run"]:
            seconds = seconds_by_engine(folder / row["run"])
            own = seconds.get(row["engine"], 0.0)
            yield Decided(row["set"], row["engine"], own, sum(seconds.values()) - own)


def seconds_by_engine(run: Path) -> Mapping[str, float]:
    """The CPU seconds of each engine in a run file."""
    engines: dict[int, str] = {}
    found: dict[str, float] = {}
    for event in open_run(run).events():
        if isinstance(event, AttemptStarted):
            engines[event.attempt] = event.engine
        elif isinstance(event, AttemptEnded):
            name = engines[event.attempt]
            found[name] = found.get(name, 0.0) + event.milliseconds / 1000
    return found


def table(rows: Sequence[Decided]) -> Iterator[tuple[str | int | float, ...]]:
    """The rows of the table, by set, the engine that decided most first."""
    groups: dict[tuple[str, str], list[Decided]] = {}
    for row in rows:
        groups.setdefault((row.set, row.engine), []).append(row)
    for (name, engine), group in sorted(groups.items(), key=lambda item: (item[0][0], -len(item[1]), item[0][1])):
        own = [one.own for one in group]
        yield (
            name,
            engine,
            len(group),
            round(median(own), 2),
            round(max(own), 2),
            round(sum(o.others for o in group), 1),
        )


if __name__ == "__main__":
    csv.writer(sys.stdout, lineterminator="\n").writerows((COLUMNS, *table(list(decided(Path(sys.argv[1]))))))
