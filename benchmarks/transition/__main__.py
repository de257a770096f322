"""Figures 7 to 9 of Jhala and McMillan (LMCS 2007), measured anew: refinements and time of the ways to refine.

    python -m benchmarks.transition [--time-limit 60] [--programs A,B] [--configurations "cores;default"] [--jobs 1]

Every program is run under every configuration, each in a process of its own. The journal `results/runs.jsonl` makes
that resumable; the tables and the scatter plots are written anew beside it, from all that is in the journal. The exit
code is 1 if a verdict is wrong.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from benchmarks.journal import Journal
from benchmarks.process import module
from benchmarks.transition.configurations import CONFIGURATIONS
from benchmarks.transition.programs import Example, examples
from benchmarks.transition.report import Measured, Results, write_report

MEASURED = tuple(name for name in CONFIGURATIONS if name != "given")  # that one is for `benchmarks.scaling`
RESULTS = Path(__file__).parent / "results"
WALL = 4.0  # seconds of wall clock for each CPU second of the limit: the machine may be shared


@dataclass(frozen=True)
class Work:
    example: Example
    configuration: str

    @property
    def key(self) -> str:
        return f"{self.example.name}/{self.configuration}"


def main(arguments: Sequence[str] | None = None) -> int:
    options = _options(arguments)
    folder = Path(options.results)
    journal = Journal(folder / "runs.jsonl", "run")
    chosen = [e for e in examples() if options.programs is None or e.name in options.programs]
    work = [Work(example, name) for example in chosen for name in options.configurations or MEASURED]
    waiting = [one for one in work if one.key not in journal]
    print(f"{len(work)} runs, {len(work) - len(waiting)} done before", file=sys.stderr)

    def run(one: Work) -> None:
        row = run_one(one, options.time_limit)
        journal.add(row)
        print(f"{one.key}: {row['verdict']} {row['refinements']} refinements {row['cpu']} s", file=sys.stderr)

    with ThreadPoolExecutor(options.jobs) as pool:
        for _ in pool.map(run, waiting):
            pass
    results = results_of(journal, examples())
    print("\n".join(write_report(results, folder)))
    return 1 if any(results.wrong()) else 0


def run_one(one: Work, time_limit: float) -> dict[str, object]:
    """A row of the journal. A process that says nothing has crashed."""
    run = module(
        "benchmarks.transition.run", [str(one.example.path), one.configuration, f"{time_limit:g}"], WALL * time_limit
    )
    try:
        found = json.loads(run.output)
    except json.JSONDecodeError:
        found = {"verdict": "crash", "reason": f"exit code {run.exit_code}", "cpu": time_limit, "refinements": 0}
    return {"run": one.key, "limit": time_limit, **found}


def results_of(journal: Journal, programs: Sequence[Example]) -> Results:
    measured: dict[tuple[str, str], Measured] = {}
    for key, row in journal.rows.items():
        program, _, configuration = key.partition("/")
        refinements, cpu = int(str(row["refinements"])), float(str(row["cpu"]))
        measured[program, configuration] = Measured(str(row["verdict"]), refinements, cpu)
    return Results({example.name: example.holds for example in programs}, measured)


def _options(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.transition", description=__doc__.splitlines()[0])
    parser.add_argument("--time-limit", type=float, default=60.0, metavar="S", help="CPU seconds; default %(default)s")
    parser.add_argument("--programs", type=lambda text: text.split(","), metavar="A,B", help="only these")
    parser.add_argument(
        "--configurations", type=lambda text: text.split(";"), metavar="A;B", help="; ".join(CONFIGURATIONS)
    )
    parser.add_argument("--jobs", type=int, default=1, metavar="N", help="runs at once; default %(default)s")
    parser.add_argument("--results", default=str(RESULTS), metavar="DIR", help="default: %(default)s")
    return parser.parse_args(arguments)


if __name__ == "__main__":
    sys.exit(main())
