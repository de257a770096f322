"""Measures the families of the paper of `eureka`, whole runs with evidence: a table against the paper.

    python -m benchmarks.eureka [--time-limit 60] [--families 'bubble sort,Gray code'] [--journal FILE]

Each row is one run of `interplay verify`: CPU seconds of all its processes, start-up and evidence included. The wrong
variants are run at the first size; their violations are replayed.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from benchmarks.eureka.programs import FAMILIES, Contents, Variant
from benchmarks.journal import Journal, Row
from benchmarks.process import interplay
from benchmarks.scaling import exponent

WALL = 6.0  # seconds of wall clock for each CPU second of the limit: the machine may be shared


def main(arguments: Sequence[str] | None = None) -> int:
    options = _options(arguments)
    journal = Journal(Path(options.journal), "run")
    for name in options.families or FAMILIES:
        family = FAMILIES[name]
        for size, variant in [(family.sizes[0], Variant.WRONG), *((size, Variant.RIGHT) for size in family.sizes)]:
            key = f"{name}/{size}/{variant}"
            if key not in journal:
                row = _run(family.text(size, variant, Contents.ANY), options.time_limit)
                journal.add({"run": key, **row})
                print(f"{key}: {row}", file=sys.stderr)
    print("\n".join(table(journal)))
    return 0


def table(journal: Journal) -> list[str]:
    """A line per family: the paper's size, CPU seconds by size, the exponent of the larger half."""
    lines = ["| family | paper: size (s) | wrong variant | size: CPU s | exponent |", "| --- | --- | --- | --- | --- |"]
    for name, family in FAMILIES.items():
        rows = {size: journal.rows.get(f"{name}/{size}/{Variant.RIGHT}") for size in family.sizes}
        known = {size: row for size, row in rows.items() if row is not None}
        wrong = journal.rows.get(f"{name}/{family.sizes[0]}/{Variant.WRONG}")
        if known and wrong is not None:
            paper = "" if family.paper is None else f"{family.paper[0]} ({family.paper[1]:g})"
            points = [(size, float(str(row["cpu"]))) for size, row in known.items() if row["verdict"] == "true"]
            cells = ", ".join(f"{size}: {_cell(row)}" for size, row in known.items())
            lines.append(f"| {name} | {paper} | {wrong['verdict']} | {cells} | {exponent(points):.1f} |")
    return lines


def _cell(row: Row) -> str:
    note = "" if row["verdict"] == "true" else f" {row['verdict']}"
    return f"{float(str(row['cpu'])):.2f}{note}"


def _run(text: str, seconds: float) -> Row:
    with tempfile.TemporaryDirectory(prefix="eureka-") as folder:
        path = Path(folder) / "program.c"
        path.write_text(text, encoding="utf-8")
        words = ["verify", str(path), "--engine", "eureka", "--property", "unreach-call", "--quiet"]
        run = interplay([*words, "--time-limit", f"{seconds:g}"], WALL * seconds)
    verdict = run.output.decode().strip().rpartition("VERDICT: ")[2]
    return {"verdict": verdict, "cpu": round(run.cpu, 2), "memory": run.memory}


def _options(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.eureka", description=__doc__.splitlines()[0])
    parser.add_argument("--time-limit", type=float, default=60.0, metavar="S", help="CPU seconds; default %(default)s")
    parser.add_argument("--families", type=lambda text: text.split(","), metavar="A,B", help=", ".join(FAMILIES))
    parser.add_argument("--journal", default="eureka.jsonl", metavar="FILE", help="default: %(default)s")
    return parser.parse_args(arguments)


if __name__ == "__main__":
    sys.exit(main())
