"""Compares values of one parameter of search (resources/parameters.txt) on tasks: CPU seconds and verdicts.

    python -m benchmarks.sweep NAME VALUE[,VALUE…] INPUT… [--engine E] [--time-limit S] [--repeat N] [--journal FILE]

INPUT is as of `interplay batch`: folders, task definitions, C files. Each task is run with the default and with each
value, one after the other, so that what else the machine does disturbs all alike. With `--journal`, a sweep that was
cut off goes on. The exit code is 1 if a verdict contradicts the expected one.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from pathlib import Path
from statistics import geometric_mean

from benchmarks.journal import Journal, Row
from benchmarks.process import interplay
from core.parameters import WrongParameter, parameters, read_value
from interplay.batch.tasks import BatchTask, find_tasks
from interplay.session.request import PORTFOLIO

DECIDED = ("true", "false")
SHORTEST = 0.01  # CPU seconds, so that there is a ratio


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.sweep", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("name", metavar="NAME", help="`interplay engine --parameters` lists them")
    parser.add_argument("values", metavar="VALUE[,VALUE…]")
    parser.add_argument("inputs", metavar="INPUT", nargs="+")
    parser.add_argument("--engine", default=PORTFOLIO, metavar="E")
    parser.add_argument("--time-limit", type=float, default=30, metavar="S", help="CPU seconds of a run")
    parser.add_argument("--repeat", type=int, default=1, metavar="N", help="runs of each; the least time counts")
    parser.add_argument("--journal", type=Path, metavar="FILE")
    options = parser.parse_args(arguments)
    try:
        values = _values(options.name, options.values.split(","))
    except WrongParameter as error:
        parser.error(str(error))
    tasks = find_tasks(options.inputs, None)
    journal = Journal(options.journal, "run")
    rows: dict[tuple[str, str], Row] = {}
    for task, number, value in product(tasks, range(options.repeat), values):
        row = _row(task, options, value, number, journal)
        print(task.name, value, row["verdict"], row["cpu"], file=sys.stderr)
        known = rows.setdefault((value, task.name), row)
        if _cpu(row) < _cpu(known):
            rows[value, task.name] = row
    for line in report(values, tasks, rows):
        print(line)
    return 1 if any(is_wrong(task, str(rows[value, task.name]["verdict"])) for value in values for task in tasks) else 0


def _values(name: str, words: Sequence[str]) -> list[str]:
    """The default, then the other values. Raises `WrongParameter`."""
    others = [str(read_value(name, word)) for word in words]
    return list(dict.fromkeys([str(parameters()[name].default), *others]))


def _row(task: BatchTask, options: argparse.Namespace, value: str, number: int, journal: Journal) -> Row:
    """One run of a task with a value, from the journal where it is there."""
    setting = f"{options.name}={value}"
    words = ["verify", task.path, "--engine", options.engine, "--time-limit", f"{options.time_limit:g}"]
    words += ["--param", setting, *(("--property", task.property) if task.property else ())]
    key = f"{' '.join(words)} {number}"
    if key not in journal:
        run = interplay([*words, "--quiet"], 3 * options.time_limit)
        last = (run.output.decode(errors="replace").splitlines() or ["none"])[-1]
        journal.add({"run": key, "verdict": last.removeprefix("VERDICT: "), "cpu": round(run.cpu, 2)})
    return journal.rows[key]


def report(values: Sequence[str], tasks: Sequence[BatchTask], rows: Mapping[tuple[str, str], Row]) -> Iterator[str]:
    """A line for each value, the default first, then the tasks whose verdict is another one with some value."""
    default = values[0]
    yield f"{'value':>12}  solved  CPU s of all  of those solved with all  geometric mean of their ratios"
    shared = [one.name for one in tasks if all(_solved(rows[value, one.name]) for value in values)]
    for value in values:
        solved = sum(_solved(rows[value, one.name]) for one in tasks)
        everything = sum(_cpu(rows[value, one.name]) for one in tasks)
        common = sum(_cpu(rows[value, name]) for name in shared)
        ratios = [_cpu(rows[value, name]) / _cpu(rows[default, name]) for name in shared]
        mean = f"{geometric_mean(ratios):.2f}" if ratios else "-"
        yield f"{value:>12}  {solved:6}  {everything:12.1f}  {common:24.1f}  {mean:>30}"
    for task in tasks:
        verdicts = [str(rows[value, task.name]["verdict"]) for value in values]
        if len(set(verdicts)) > 1 or any(is_wrong(task, one) for one in verdicts):
            told = ", ".join(f"{value}: {one}" for value, one in zip(values, verdicts, strict=True))
            yield f"{task.name}: {told}" + (f" (expected {task.expected})" if task.expected else "")


def is_wrong(task: BatchTask, verdict: str) -> bool:
    """Whether a verdict contradicts the expected one."""
    word = verdict.partition("(")[0]
    return word in DECIDED and bool(task.expected) and word != task.expected.partition("(")[0]


def _solved(row: Row) -> bool:
    return str(row["verdict"]).partition("(")[0] in DECIDED


def _cpu(row: Row) -> float:
    return max(SHORTEST, float(str(row["cpu"])))


if __name__ == "__main__":
    sys.exit(main())
