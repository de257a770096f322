"""Verifies tasks, writes witnesses, and has `interplay witness check` examine each: verify, witness, check.

    python -m benchmarks.witnesses DIR/locks DIR/loops [--sample 40] [--time-limit 10] [--journal FILE]

Inputs are those of `interplay batch`; of each task, the property `unreach-call` counts.

A journal makes the run resumable. A witness that breaks the schema, and one of ours that is rejected, is a failure:
the exit code is then 1. What is not solved within the limit has no witness and is left out of the table.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from random import Random

import yaml

from benchmarks.journal import Journal, Row
from benchmarks.process import interplay
from interplay.batch.tasks import BatchTask, find_tasks
from tests.support.witness_schema import Violated, check_witness

SAMPLE_SEED = 2
WALL = 20.0  # seconds on the clock for each CPU second of the limit: runs end themselves, this is for a broken one
CHECK_FACTOR = 3.0  # the check may take this many times the limit of verification
_VERDICT, _WITNESS = "VERDICT: ", "WITNESS: "


def main(arguments: Sequence[str] | None = None) -> int:
    options = _options(arguments)
    tasks = find_tasks(options.inputs, "unreach-call")
    if options.sample is not None and options.sample < len(tasks):
        tasks = sorted(Random(SAMPLE_SEED).sample(tasks, options.sample), key=lambda task: task.name)
    journal = Journal(None if options.journal is None else Path(options.journal), "task")
    for task in tasks:
        if task.name not in journal:
            row = run_task(task, options.time_limit)
            journal.add(row)
            print(
                f"{row['outcome']:>12} {row['cpu']:7} s  {task.name}: {row['verdict']} {row['reason']}", file=sys.stderr
            )
    rows = [journal.rows[task.name] for task in tasks]
    print("\n".join(table(rows)))
    return 1 if any(row["outcome"] in ("rejected", "bad schema", "no witness") for row in rows) else 0


def _options(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.witnesses", description=__doc__.splitlines()[0])
    parser.add_argument("inputs", nargs="+", metavar="INPUT", help="task definitions, sets, globs, folders, programs")
    parser.add_argument("--sample", type=int, metavar="N", help="N of them, drawn with a fixed seed")
    parser.add_argument("--time-limit", type=float, default=10.0, metavar="S", help="CPU seconds; default %(default)s")
    parser.add_argument("--journal", metavar="FILE", help="results as JSON lines; what is there is not run again")
    return parser.parse_args(arguments)


def run_task(task: BatchTask, time_limit: float) -> Row:
    """One row: `outcome` is the word of the check, or says why there was none."""
    with tempfile.TemporaryDirectory() as folder:
        witness = Path(folder) / "witness.yml"
        words = ["verify", task.path, "--time-limit", f"{time_limit:g}", "--witness", str(witness), "--quiet"]
        run = interplay(words, WALL * time_limit)
        verdict = _last(run.output, _VERDICT)
        row = {"task": task.name, "verdict": verdict, "cpu": round(run.cpu, 2), "check cpu": 0.0, "reason": ""}
        if not verdict.startswith(("true", "false")):
            return {**row, "outcome": "unsolved"}
        if not witness.exists():
            return {**row, "outcome": "no witness"}
        try:
            check_witness(yaml.safe_load(witness.read_text(encoding="utf-8")))
        except Violated as error:
            return {**row, "outcome": "bad schema", "reason": str(error)[:200]}
        limit = CHECK_FACTOR * time_limit
        words = ["witness", "check", str(witness), task.path, "--time-limit", f"{limit:g}"]
        check = interplay(words, WALL * limit)
    lines = check.output.decode().splitlines()
    reason = lines[0][:200] if len(lines) > 1 else ""
    return {
        **row,
        "outcome": _last(check.output, _WITNESS) or f"exit {check.exit_code}",
        "check cpu": round(check.cpu, 2),
        "reason": reason,
    }


def _last(output: bytes, prefix: str) -> str:
    lines = [line for line in output.decode(errors="replace").splitlines() if line.startswith(prefix)]
    return lines[-1].removeprefix(prefix) if lines else ""


def table(rows: Sequence[Row]) -> list[str]:
    """A Markdown table: how the witnesses of each verdict fared."""
    lines = ["| verdict | witnesses | confirmed | trivial | unknown | rejected | other | CPU s | CPU s of checks |"]
    lines.append(f"| --- |{' ---: |' * 8}")
    for verdict in ("true", "false"):
        group = [row for row in rows if str(row["verdict"]).startswith(verdict)]
        counts = [
            sum(row["outcome"] == word for row in group) for word in ("confirmed", "trivial", "unknown", "rejected")
        ]
        times = [round(sum(float(str(row[name])) for row in group), 1) for name in ("cpu", "check cpu")]
        cells = [len(group), *counts, len(group) - sum(counts), *times]
        lines.append(f"| {verdict} | {' | '.join(map(str, cells))} |")
    return lines


if __name__ == "__main__":
    sys.exit(main())
