"""Runs programs three ways on the same inputs: by gcc, in the interpreter of typed C, and as the lowered Program.

    python -m benchmarks.three_way --tasks TASKS… [--journal FILE]
    python -m benchmarks.three_way --generated 3000 [--pieces float] [--seed 1] [--journal FILE]

TASKS are task definitions, sets, folders or globs, as `interplay batch` takes them. Runs are compared
in how they end, the functions entered and the globals at the end. The exit code is 1 if something differs. A journal
makes it resumable.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from benchmarks.journal import Journal, Row
from frontend.typed.ctype import DataModel
from interplay.batch.tasks import BatchTask, find_tasks
from tests.three_way.batches import Answer, compared, native_runs
from tests.three_way.generator import Generated, generate
from tests.three_way.native import Native
from tests.three_way.tasks import STEPS, Refused, data_model, three_ways


def main(arguments: Sequence[str] | None = None) -> int:
    options = _options(arguments)
    journal = Journal(None if options.journal is None else Path(options.journal), "task")
    if not options.tasks and not options.generated:
        print("one of --tasks and --generated is needed", file=sys.stderr)
        return 2
    rows = _tasks(options, journal) if options.tasks else []
    rows += _generated(options, journal) if options.generated else []
    return 1 if any(row["class"] == "different" for row in rows) else 0


def _options(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.three_way", description=__doc__.splitlines()[0])
    parser.add_argument("--tasks", nargs="+", metavar="TASKS", help="task definitions, sets, folders, globs")
    parser.add_argument("--steps", type=int, default=STEPS, metavar="N", help="of a run; default %(default)s")
    parser.add_argument("--generated", type=int, default=0, metavar="N", help="generated programs")
    parser.add_argument(
        "--pieces", default="", metavar="WORD", help="of generated programs: those with this in their names"
    )
    parser.add_argument("--seed", type=int, default=1, metavar="S", help="of generated programs; default %(default)s")
    parser.add_argument("--journal", metavar="FILE", help="results as JSON lines; what is there is not run again")
    return parser.parse_args(arguments)


def _tasks(options: argparse.Namespace, journal: Journal) -> list[Row]:
    tasks = find_tasks(options.tasks, "unreach-call")
    with tempfile.TemporaryDirectory(prefix="three-way-") as folder:
        natives: dict[DataModel, Native] = {}
        for model in (DataModel.ILP32, DataModel.LP64):
            path = Path(folder, model.name)
            path.mkdir()
            natives[model] = Native(path, model)
        for task in tasks:
            if task.name not in journal:
                row = run_task(task, natives, options.steps)
                journal.add(row)
                if row["class"] != "equal":
                    print(f"{row['class']:>12}  {task.name}: {row['why']}", file=sys.stderr)
    rows = [journal.rows[task.name] for task in tasks]
    print("\n".join(table(rows)))
    return rows


def run_task(task: BatchTask, natives: dict[DataModel, Native], steps: int) -> Row:
    start = time.process_time()
    path = Path(task.path)
    model = data_model(path)
    found = three_ways(_source(path), model, natives[model], steps=steps)
    row: dict[str, object] = {"task": task.name, "cpu": round(time.process_time() - start, 2)}
    if isinstance(found, Refused):
        return {**row, "class": "floats" if found.floats else "refused", "why": found.reason, "ends": []}
    complete = any("cut" not in one and "undefined" not in one and "killed" not in one for one in found.ends)
    kind = "different" if found.different else "missing" if found.missing else "equal" if complete else "cut"
    why = "; ".join(found.different[:2]) or found.missing or (found.ends[0] if not complete else "")
    return {**row, "class": kind, "why": why, "ends": list(found.ends)}


def _source(definition: Path) -> Path:
    """The one input file of a task."""
    import yaml

    files = yaml.safe_load(definition.read_text(encoding="utf-8"))["input_files"]
    return definition.parent / (files if isinstance(files, str) else files[0])


BATCH = 50  # programs in one call of gcc


def _generated(options: argparse.Namespace, journal: Journal) -> list[Row]:
    """Programs by number, half of them for each data model."""
    names: list[str] = []
    with tempfile.TemporaryDirectory(prefix="three-way-") as folder:
        for first in range(0, options.generated, BATCH):
            model = [DataModel.ILP32, DataModel.LP64][first // BATCH % 2]
            numbers = range(first, min(first + BATCH, options.generated))
            set_ = f"generated-{options.pieces}{options.seed}"
            batch = {f"{set_}/{number}": number for number in numbers}
            names += batch
            if all(name in journal for name in batch):
                continue
            programs = [generate(options.seed, number, model, among=options.pieces) for number in numbers]
            native = native_runs(programs, model, Path(folder))
            for name, program, runs in zip(batch, programs, native, strict=True):
                if name not in journal:
                    journal.add(_note(name, program, compared(program, model, runs)))
    rows = [journal.rows[name] for name in names]
    print("\n".join(table(rows)))
    return rows


def _note(name: str, program: Generated, answer: Answer) -> Row:
    kind = "refused" if answer.refused else "different" if answer.different else "equal"
    why = answer.refused or "; ".join(answer.different[:2])
    if kind == "different":
        file = Path(f"{name.replace('/', '-')}.c")
        file.write_text(program.text, encoding="utf-8")
        print(f"{kind:>12}  {name}: {why}; the program is saved as {file}", file=sys.stderr)
    return {"task": name, "class": kind, "why": why, "pieces": list(program.pieces), "ends": list(answer.ends)}


_CLASSES = ("equal", "cut", "different", "missing", "refused", "floats")


def table(rows: Sequence[Row]) -> list[str]:
    """A Markdown table with a line per set; `equal or cut` is the share of the tasks without reachable floats."""
    lines = [f"| set | tasks | {' | '.join(_CLASSES)} | equal or cut, % |", f"| --- |{' ---: |' * (len(_CLASSES) + 2)}"]
    sets = dict.fromkeys(str(row["task"]).partition("/")[0] for row in rows)
    groups = {name: [row for row in rows if str(row["task"]).partition("/")[0] == name] for name in sets}
    for name, group in {**groups, "**all**": list(rows)}.items():
        counts = [sum(row["class"] == one for row in group) for one in _CLASSES]
        share = 100 * (counts[0] + counts[1]) / max(1, len(group) - counts[-1])
        lines.append(f"| {name} | {len(group)} | {' | '.join(map(str, counts))} | {share:.1f} |")
    return lines


if __name__ == "__main__":
    sys.exit(main())
