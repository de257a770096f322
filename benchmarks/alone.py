"""Measures what each engine needs alone on tasks that the portfolio decides: the data that its rules are fitted on.

    python -m benchmarks.alone run DIR --journal FILE      DIR: folders of task definitions
    python -m benchmarks.alone table FILE > benchmarks/alone.csv

`run` runs the portfolio, and then each engine of its plan, first the one that decided. Once one has an answer, the
others have time to take `WORSE` times as long, since what is slower never matters. Tasks of less than `LEAST` CPU
seconds are not run alone. `run` goes on where it was cut off.

The table has a row for each task that was decided: its features, the CPU seconds before engines begin (`reading`), and
for each engine that decides it alone `search+examination`, in CPU seconds, or `none` with those after which it gave up.
"""

from __future__ import annotations

import argparse
import csv
import sys
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import fields
from pathlib import Path

from benchmarks.journal import Journal, Row
from benchmarks.process import interplay
from core.dataclass import dataclass
from interplay.portfolio.features import Features
from interplay.portfolio.portfolio import EXAMINATIONS
from interplay.session.request import PORTFOLIO
from methods.registry import ENGINES
from runs.events import AttemptContinued, AttemptEnded, AttemptStarted, PhaseStarted, PlanMade
from runs.jsondata import as_list, as_number, as_object, as_str
from runs.runfile import open_run

LIMIT = 20.0  # CPU seconds of a run of the portfolio, and of the first engine
LEAST = 0.9
WORSE = 2.5
EXITS = {0: "true", 10: "false", 124: "timeout"}
DECIDED = ("true", "false")


@dataclass(eq=False)
class AttemptTimes:
    """The times of an attempt in a run file: when it began, and when it claimed an answer."""

    engine: str
    began: float
    claimed: float | None = None
    decided: bool = False


@dataclass(eq=False)
class RunTimes:
    """The plan and the attempts in a run file, and the wall clock at its last event."""

    features: Sequence[tuple[str, int]]
    engines: Sequence[str]
    attempts: Sequence[AttemptTimes]
    last: float


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.alone", description=(__doc__ or "").splitlines()[0])
    actions = parser.add_subparsers(dest="action", required=True)
    run = actions.add_parser("run")
    run.add_argument("tasks", type=Path, metavar="DIR")
    run.add_argument("--journal", type=Path, required=True)
    table = actions.add_parser("table")
    table.add_argument("journals", type=Path, nargs="+", metavar="FILE")
    options = parser.parse_args(arguments)
    if options.action == "run":
        journal = Journal(options.journal, "run")
        for path in sorted(options.tasks.glob("*/*.yml")):
            measure(path, path.relative_to(options.tasks).as_posix(), journal)
    else:
        rows = [row for journal in options.journals for row in Journal(journal, "run").rows.values()]
        csv.writer(sys.stdout, lineterminator="\n").writerows(lines(rows))
    return 0


def measure(path: Path, task: str, journal: Journal) -> None:
    """Run the portfolio and the engines of its plan on a task."""
    whole = _row(path, task, PORTFOLIO, LIMIT, journal)
    if whole["verdict"] not in DECIDED or as_number(whole["cpu"]) < LEAST:
        return
    engines = [as_str(engine) for engine in as_list(whole["engines"])]
    deciders = [as_str(engine) for engine in as_list(whole["deciders"])]
    limit = LIMIT
    for engine in dict.fromkeys((*deciders, *engines)):
        row = _row(path, task, engine, limit, journal)
        if row["verdict"] in DECIDED:
            limit = min(limit, 1 + WORSE * as_number(row["cpu"]))


def _row(path: Path, task: str, engine: str, limit: float, journal: Journal) -> Row:
    key = f"{engine} {task}"
    if key not in journal:
        with tempfile.TemporaryDirectory() as folder:
            output = Path(folder) / "output.run"
            words = ["verify", str(path), "--engine", engine, "--time-limit", str(limit), "--output", str(output)]
            done = interplay(words, 10 * limit)
            row = {"run": key, "task": task, "engine": engine, "cpu": round(done.cpu, 3)}
            verdict = EXITS.get(done.exit_code, "none")
            journal.add(row | {"verdict": verdict} | (_from_run(output, done.cpu) if output.exists() else {}))
    return journal.rows[key]


def _from_run(path: Path, cpu: float) -> dict[str, object]:
    """The columns of a journal that a run file gives: the clock's parts of the run as CPU seconds."""
    times = times_of(path)
    own = times.attempts[-1] if times.attempts else AttemptTimes("", times.last)
    unit = cpu / times.last if times.last else 0.0
    return {
        "features": dict(times.features),
        "engines": list(times.engines),
        "deciders": [attempt.engine for attempt in times.attempts if attempt.decided],
        "reading": round(unit * own.began, 3),
        "examination": round(unit * (times.last - own.claimed), 3) if own.claimed else 0.0,
    }


def times_of(path: Path) -> RunTimes:
    """The times in a run file."""
    run = open_run(path)
    clock = run.times()
    now = 0.0
    features: Sequence[tuple[str, int]] = ()
    engines: list[str] = []
    attempts: list[AttemptTimes] = []
    current = -1
    for number, event in enumerate(run.events()):
        now = clock.get(number, now)
        match event:
            case PlanMade(features, planned):
                engines = [engine for engine, _ in planned]
            case AttemptStarted(current, engine):
                attempts.append(AttemptTimes(engine, now))
            case AttemptContinued(attempt):
                current = attempt
            case AttemptEnded(attempt, result):
                attempts[attempt].decided = result == "decided"
            case PhaseStarted(name) if name in EXAMINATIONS and 0 <= current < len(attempts):
                attempts[current].claimed = attempts[current].claimed or now
            case _:
                pass
    return RunTimes(features, engines, attempts, now)


def lines(rows: Iterable[Row]) -> Iterator[Sequence[object]]:
    """The lines of the table."""
    tasks: dict[str, dict[str, Row]] = {}
    for row in rows:
        tasks.setdefault(as_str(row["task"]), {})[as_str(row["engine"])] = row
    yield ("task", *(field.name for field in fields(Features)), "reading", *ENGINES)
    for task, runs in sorted(tasks.items()):
        whole = runs.pop(PORTFOLIO)
        if whole["verdict"] in DECIDED and "features" in whole:
            features = as_object(whole["features"])
            if as_number(whole["cpu"]) < LEAST:  # its decider is as good as alone
                runs = {as_str(engine): whole for engine in as_list(whole["deciders"])}
            reading = min((as_number(row["reading"]) for row in runs.values() if "reading" in row), default=0.0)
            cells = [_cell(runs.get(engine), reading) for engine in ENGINES]
            yield (task, *(features.get(field.name, 0) for field in fields(Features)), round(reading, 2), *cells)


def _cell(row: Row | None, reading: float) -> str:
    """The cell that says what an engine needed."""
    if row is None or row["verdict"] == "timeout":
        return ""
    examination = as_number(row.get("examination", 0.0))
    search = max(0.02, as_number(row["cpu"]) - reading - examination)
    return f"{search:.2f}+{examination:.2f}" if row["verdict"] in DECIDED else f"none {search:.2f}"


if __name__ == "__main__":
    sys.exit(main())
