"""Runs the checker on verification tasks, each in a process of its own, and compares the verdicts.

    python -m benchmarks.tasks --tasks DIR [--sets locks,loops] [--sample 60] [--time-limit 10] [--journal FILE]

DIR holds one folder per set with task definitions (`*.yml`). A journal makes the run resumable; the table shows
everything that is in the journal and chosen by the options. The exit code is 1 if a verdict is wrong.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from random import Random

import yaml

from benchmarks.journal import Journal, Row
from benchmarks.process import Run, events, interplay

SAMPLE_SEED = 2


@dataclass(frozen=True)
class Task:
    path: Path
    set: str
    expected: bool

    @property
    def name(self) -> str:
        return f"{self.set}/{self.path.stem}"


def main(arguments: Sequence[str] | None = None) -> int:
    options = _options(arguments)
    tasks = chosen(find_tasks(Path(options.tasks)), options.sets, options.sample)
    journal = Journal(None if options.journal is None else Path(options.journal), "task")
    waiting = [task for task in tasks if task.name not in journal]
    print(f"{len(tasks)} tasks, {len(tasks) - len(waiting)} done before", file=sys.stderr)

    def work(task: Task) -> None:
        row = run_task(task, options.time_limit, options.engine)
        journal.add(row)
        print(f"{row['class']:>12} {row['cpu']:7} s  {task.name}: {row['verdict']} {row['reason']}", file=sys.stderr)

    with ThreadPoolExecutor(options.jobs) as pool:
        for _ in pool.map(work, waiting):
            pass
    rows = [journal.rows[task.name] for task in tasks]
    print("\n".join(table(rows)))
    return 1 if any(row["class"] == "wrong" for row in rows) else 0


def _options(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.tasks", description=__doc__.splitlines()[0])
    parser.add_argument("--tasks", required=True, metavar="DIR", help="the folder with the sets")
    parser.add_argument(
        "--sets", type=lambda text: text.split(","), metavar="A,B", help="only these; * at the end: all"
    )
    parser.add_argument("--sample", type=int, metavar="N", help=f"N of them, drawn with seed {SAMPLE_SEED}")
    parser.add_argument("--time-limit", type=float, default=10.0, metavar="S", help="CPU seconds; default %(default)s")
    parser.add_argument("--engine", default="transition", metavar="E")
    parser.add_argument("--jobs", type=int, default=1, metavar="N", help="tasks at once; default %(default)s")
    parser.add_argument("--journal", metavar="FILE", help="results as JSON lines; what is there is not run again")
    return parser.parse_args(arguments)


def find_tasks(folder: Path) -> list[Task]:
    """The tasks of all sets that ask about `unreach-call`, in the order of their names."""
    tasks: list[Task] = []
    for path in sorted(folder.glob("*/*.yml")):
        definition = yaml.safe_load(path.read_text(encoding="utf-8"))
        for asked in definition.get("properties", []):
            if "unreach-call" in asked["property_file"] and "expected_verdict" in asked:
                tasks.append(Task(path, path.parent.name, bool(asked["expected_verdict"])))
    return tasks


def chosen(tasks: Iterable[Task], sets: Sequence[str] | None, sample: int | None) -> list[Task]:
    """The tasks of some sets, or a fixed sample of them."""

    def named(task: Task) -> bool:
        return sets is None or any(
            task.set == name or (name.endswith("*") and task.set.startswith(name[:-1])) for name in sets
        )

    found = [task for task in tasks if named(task)]
    if sample is None or sample >= len(found):
        return found
    return sorted(Random(SAMPLE_SEED).sample(found, sample), key=lambda task: task.name)


def run_task(task: Task, time_limit: float, engine: str) -> Row:
    arguments = ["verify", str(task.path), "--time-limit", f"{time_limit:g}", "--engine", engine, "--events", "-"]
    run = interplay(arguments, 2 * time_limit)
    found = events(run.output)
    last = found[-1] if found and found[-1].get("kind") == "verdict" else {}
    verdict = str(last.get("verdict", f"ERROR (exit code {run.exit_code})"))
    return {
        "task": task.name,
        "expected": task.expected,
        "verdict": verdict,
        "class": classify(task.expected, verdict),
        "reason": last.get("reason", ""),
        "confirmed_by": last.get("confirmed_by", ""),
        "refinements": sum(event.get("kind") == "round" for event in found),
        **_costs(run),
    }


def _costs(run: Run) -> Row:
    return {"cpu": round(run.cpu, 2), "wall": round(run.wall, 2), "memory": run.memory}


def classify(expected: bool, verdict: str) -> str:
    """`solved` or `wrong`, or how there is no verdict."""
    if verdict == "true" or verdict.startswith("false"):
        return "solved" if (verdict == "true") == expected else "wrong"
    known = {"TIMEOUT": "timeout", "OUT OF MEMORY": "memory", "ERROR (unsupported)": "unsupported"}
    return known.get(verdict, "error" if verdict.startswith("ERROR") else "unknown")


Count = Callable[[Sequence[Row]], object]

_COLUMNS: dict[str, Count] = {
    "tasks": len,
    "true": lambda rows: sum(row["class"] == "solved" and bool(row["expected"]) for row in rows),
    "false": lambda rows: sum(row["class"] == "solved" and not row["expected"] for row in rows),
    **{
        name: lambda rows, name=name: sum(row["class"] == name for row in rows)  # type: ignore[misc]
        for name in ("unknown", "timeout", "memory", "unsupported", "error", "wrong")
    },
    "CPU s of solved": lambda rows: round(sum(float(str(row["cpu"])) for row in rows if row["class"] == "solved"), 1),
    "max. MB": lambda rows: max((round(float(str(row["memory"]))) for row in rows), default=0),
}


def table(rows: Sequence[Row]) -> list[str]:
    """A Markdown table with a line per set and one for all."""
    lines = [f"| set | {' | '.join(_COLUMNS)} |", f"| --- |{' ---: |' * len(_COLUMNS)}"]
    sets = dict.fromkeys(str(row["task"]).partition("/")[0] for row in rows)
    groups = {name: [row for row in rows if str(row["task"]).partition("/")[0] == name] for name in sets}
    for name, group in {**groups, "**all**": list(rows)}.items():
        lines.append(f"| {name} | {' | '.join(str(count(group)) for count in _COLUMNS.values())} |")
    return lines


if __name__ == "__main__":
    sys.exit(main())
