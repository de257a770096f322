"""Measure whether counterexamples depend on the load of the machine: repeated runs of tasks with a violation, compared.

    python -m benchmarks.counterexamples TASK... [--runs 3] [--load 4] [--time-limit 30] [--engine E]

Each task is run while nothing else runs, then as often beside processes that compute without end. The counterexamples
of all runs must be the same, inputs and steps. Prints a line for each task and what differs.
The exit code is 1 if something does, or if a run finds no counterexample.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import os
import sys
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

from benchmarks.process import interplay
from interplay.session.request import PORTFOLIO
from runs.events import TraceShown

WALL = 20.0  # seconds on the clock for each CPU second of the limit: runs end themselves, this is for a broken one


@dataclass(frozen=True)
class Counterexamples:
    """The findings of a run: for each violated check the inputs and the steps, and what is said of them."""

    traces: frozenset[tuple[int, str, str, str]]

    def __str__(self) -> str:
        if not self.traces:
            return "none"
        return "; ".join(
            f"check {check}: {len(json.loads(inputs))} inputs, {len(json.loads(steps))} steps{note and f' ({note})'}"
            for check, inputs, steps, note in sorted(self.traces)
        )


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.counterexamples", description=__doc__.splitlines()[0])
    parser.add_argument("tasks", nargs="+", metavar="TASK")
    parser.add_argument("--runs", type=int, default=3, metavar="N", help="idle, and loaded; default: %(default)s")
    parser.add_argument("--load", type=int, default=2 * (os.cpu_count() or 1), metavar="N", help="default: %(default)s")
    parser.add_argument("--time-limit", type=float, default=30.0, metavar="S", help="CPU seconds; default: %(default)s")
    parser.add_argument("--engine", default=PORTFOLIO, metavar="E", help="default: %(default)s")
    options = parser.parse_args(arguments)
    all_same = True
    for task in options.tasks:
        runs: list[Counterexamples] = []
        for load in (0, options.load):
            with busy(load):
                runs += [counterexamples(task, options.engine, options.time_limit) for _ in range(options.runs)]
        print("\n".join(report(task, runs)), flush=True)
        all_same &= is_same(runs)
    return 0 if all_same else 1


def counterexamples(task: str, engine: str, time_limit: float) -> Counterexamples:
    """The counterexamples of one run."""
    limit = ("--time-limit", str(time_limit), "--engine", engine)
    run = interplay(["verify", task, *limit, "--events", "-"], WALL * time_limit)
    rows = [json.loads(line) for line in run.output.decode().splitlines() if line.startswith("{")]
    return Counterexamples(frozenset(_trace(row) for row in rows if row.get("kind") == TraceShown.kind))


def _trace(row: Mapping[str, object]) -> tuple[int, str, str, str]:
    check = row["check"]
    assert isinstance(check, int)
    return check, json.dumps(row["inputs"]), json.dumps(row["steps"]), str(row["note"])


def is_same(runs: Sequence[Counterexamples]) -> bool:
    """Whether all runs found the same, and something."""
    return len(set(runs)) == 1 and bool(runs[0].traces)


def report(task: str, runs: Sequence[Counterexamples]) -> Iterator[str]:
    """A line for the task, and one for each different result."""
    counts = Counter(runs)
    yield f"{'same     ' if is_same(runs) else 'DIFFERENT'}  {task}: {runs[0]}"
    if len(counts) > 1:
        yield from (f"    {count} times {one}" for one, count in counts.items())


@contextmanager
def busy(count: int) -> Iterator[None]:
    """Processes that compute beside what runs inside."""
    processes = [multiprocessing.get_context("spawn").Process(target=_compute, daemon=True) for _ in range(count)]
    for one in processes:
        one.start()
    try:
        yield
    finally:
        for one in processes:
            one.kill()
            one.join()


def _compute() -> None:
    while True:
        pass


if __name__ == "__main__":
    sys.exit(main())
