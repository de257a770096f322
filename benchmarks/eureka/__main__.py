"""Measures the families of the paper of `eureka`, and recursive programs: a table against the paper.

    python -m benchmarks.eureka [--time-limit 60] [--families 'bubble sort,Gray code'] [--engine E] [--journal FILE]

Each row is one run of `interplay verify`: CPU seconds of all its processes, start-up and evidence included. The wrong
variants are run at the first size; their violations are replayed. The engine `eureka` is run three times more, alone:
the last columns have the least of its own CPU seconds, and the exponent of the power of the size that fits them best,
over all sizes.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from benchmarks.eureka.programs import FAMILIES, Contents, Variant
from benchmarks.eureka.recursion import RECURSIVE
from benchmarks.journal import Journal, Row, cell
from benchmarks.process import interplay, module
from benchmarks.scaling import slope

MEASURED = {**FAMILIES, **RECURSIVE}
REPEATS = 3  # of the engine alone; the least time counts
WALL = 20.0  # seconds of wall clock for each CPU second of the limit: the machine may be shared


def main(arguments: Sequence[str] | None = None) -> int:
    options = _options(arguments)
    journal = Journal(Path(options.journal), "run")
    for name in options.families or MEASURED:
        family = MEASURED[name]
        for size, variant in [(family.sizes[0], Variant.WRONG), *((size, Variant.RIGHT) for size in family.sizes)]:
            key = f"{name}/{size}/{variant}"
            if key not in journal:
                row = _run(family.text(size, variant, Contents.ANY), options.engine, options.time_limit)
                journal.add({"run": key, **row})
                print(f"{key}: {row}", file=sys.stderr)
    print("\n".join(table(journal)))
    return 0


def table(journal: Journal) -> list[str]:
    """A line per family: the paper's size, CPU seconds by size, those of the engine alone with their exponent."""
    lines = [
        "| family | paper: size (s) | wrong variant (CPU s) | size: CPU s | engine alone: CPU s | exponent |",
        "| --- | --- | --- | --- | --- | --- |",
    ]
    for name, family in MEASURED.items():
        rows = {size: journal.rows.get(f"{name}/{size}/{Variant.RIGHT}") for size in family.sizes}
        known = {size: row for size, row in rows.items() if row is not None}
        wrong = journal.rows.get(f"{name}/{family.sizes[0]}/{Variant.WRONG}")
        if known and wrong is not None:
            paper = "" if family.paper is None else f"{family.paper[0]} ({family.paper[1]:g})"
            alone = [(size, float(str(row["alone"]))) for size, row in known.items() if "alone" in row]
            times = ", ".join(f"{seconds:.2f}" for _, seconds in alone)
            cells = ", ".join(f"{size}: {cell(row)}" for size, row in known.items())
            refuted = f"{wrong['verdict']} ({float(str(wrong['cpu'])):.1f})"
            lines.append(f"| {name} | {paper} | {refuted} | {cells} | {times} | {slope(alone):.1f} |")
    return lines


def _run(text: str, engine: str, seconds: float) -> Row:
    with tempfile.TemporaryDirectory(prefix="eureka-") as folder:
        path = Path(folder) / "program.c"
        path.write_text(text, encoding="utf-8")
        words = ["verify", str(path), "--engine", engine, "--property", "unreach-call", "--quiet"]
        run = interplay([*words, "--time-limit", f"{seconds:g}"], WALL * seconds)
        verdict = run.output.decode().strip().rpartition("VERDICT: ")[2]
        row: dict[str, object] = {"verdict": verdict, "cpu": round(run.cpu, 2), "memory": run.memory}
        if engine == "eureka" and verdict == "true":
            runs = [
                module("benchmarks.eureka.alone", [str(path), f"{seconds:g}"], WALL * seconds) for _ in range(REPEATS)
            ]
            row["alone"] = min(json.loads(one.output)["cpu"] for one in runs)
    return row


def _options(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.eureka", description=__doc__.splitlines()[0])
    parser.add_argument("--time-limit", type=float, default=60.0, metavar="S", help="CPU seconds; default %(default)s")
    parser.add_argument("--families", type=lambda text: text.split(","), metavar="A,B", help=", ".join(MEASURED))
    parser.add_argument("--engine", default="eureka", metavar="E", help="default: %(default)s")
    parser.add_argument("--journal", default="eureka.jsonl", metavar="FILE", help="default: %(default)s")
    return parser.parse_args(arguments)


if __name__ == "__main__":
    sys.exit(main())
