"""Measures the programs of the paper of `acsar`: refinement alone, candidates alone, both, and `chc`, beside the paper.

    python -m benchmarks.acsar [--time-limit 60] [--programs copy1,scan] [--journal FILE]

Each cell is one run of `interplay verify`: CPU seconds of all its processes, start-up and evidence included. Refinement
also has its iterations (explorations, of which each but the last ends in an impossible path) and its predicates, as in
the paper the average over locations. Programs are those of `resources/examples/arrays`, of symbolic size.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path

from benchmarks.journal import Journal, Row, cell
from benchmarks.process import ROOT, interplay
from core.dataclass import dataclass

PROGRAMS = ROOT / "resources" / "examples" / "arrays"
WALL = 20.0  # seconds of wall clock for each CPU second of the limit: the machine may be shared
CONFIGURATIONS = {
    "refinement": ("acsar", "--option", "method=refinement"),
    "candidates": ("acsar", "--option", "method=candidates"),
    "both": ("acsar",),
    "chc": ("chc",),
}


@dataclass(frozen=True)
class Published:
    """Iterations, predicates and seconds of a program in table 1 of the paper."""

    iterations: int
    predicates: int
    seconds: float


PAPER = {
    "string_copy": Published(2, 4, 0.63),
    "scan": Published(3, 3, 0.54),
    "array_init": Published(3, 6, 0.83),
    "loop1": Published(3, 5, 0.71),
    "copy1": Published(2, 6, 0.84),
    "num_index": Published(2, 6, 0.89),
    "part_init": Published(5, 9, 3.17),
    "partition": Published(8, 7, 1.94),
    "find": Published(8, 13, 8.81),
    "insertion_sort": Published(2, 14, 2.45),
    "selection_sort": Published(3, 39, 409.87),
    "cyber_init": Published(8, 13, 10.36),
    "i2o_device_parse_lct": Published(5, 4, 1.64),
    "ixj_pad_fsk": Published(6, 7, 1.53),
    "ixj_daa_cid_read": Published(5, 14, 3.81),
    "snd_atiixp_mixer_new": Published(3, 4, 1.25),
    "dvb_net_feed_stop": Published(3, 7, 3.41),
    "perfc_copy_info": Published(4, 12, 10.57),
    "do_xenoprof_op": Published(26, 3, 34.17),
}


def main(arguments: Sequence[str] | None = None) -> int:
    options = _options(arguments)
    journal = Journal(Path(options.journal), "run")
    for name in options.programs or PAPER:
        for configuration, words in CONFIGURATIONS.items():
            key = f"{name}/{configuration}"
            if key not in journal:
                row = measured(PROGRAMS / f"{name}.c", words, options.time_limit)
                journal.add({"run": key, **row})
                print(f"{key}: {row}", file=sys.stderr)
    print("\n".join(table(journal)))
    return 0


def table(journal: Journal) -> list[str]:
    """A line for each program: iterations, predicates and seconds of the paper and of refinement, seconds of others."""
    others = [name for name in CONFIGURATIONS if name != "refinement"]
    titles = ("program", "paper: iterations, predicates, s", "refinement: the same", *(f"{one}: s" for one in others))
    lines = [f"| {' | '.join(titles)} |", "| --- " * len(titles) + "|"]
    for name, paper in PAPER.items():
        rows = {one: journal.rows.get(f"{name}/{one}") for one in CONFIGURATIONS}
        found = {one: row for one, row in rows.items() if row is not None}
        if len(found) == len(CONFIGURATIONS):
            refined = found["refinement"]
            ours = f"{refined['iterations']}, {refined['predicates']}, {cell(refined)}"
            published = f"{paper.iterations}, {paper.predicates}, {paper.seconds:g}"
            lines.append(f"| {' | '.join((name, published, ours, *(cell(found[one]) for one in others)))} |")
    return lines


def measured(program: Path, configuration: Sequence[str], seconds: float) -> Row:
    """A run of one program: verdict, CPU seconds, and what the paper counts of refinement."""
    words = ["verify", str(program), "--engine", *configuration, "--time-limit", f"{seconds:g}", "--events", "-"]
    run = interplay(words, WALL * seconds)
    events = [json.loads(line) for line in run.output.decode().splitlines() if line.startswith("{")]
    iterations = sum(e.get("kind") == "phase" and e["name"] == "explore" for e in events)
    relations = max((e["value"] for e in events if e.get("kind") == "counter" and e["name"] == "relations"), default=1)
    predicates = sum(e.get("kind") == "lemma" and e["role"] == "predicate" for e in events) / relations
    verdicts = [e["verdict"] for e in events if e.get("kind") == "verdict"]
    verdict = verdicts[-1] if verdicts else "none"
    return {"verdict": verdict, "cpu": round(run.cpu, 2), "iterations": iterations, "predicates": round(predicates, 1)}


def _options(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.acsar", description=__doc__.splitlines()[0])
    parser.add_argument("--time-limit", type=float, default=60.0, metavar="S", help="CPU seconds; default %(default)s")
    parser.add_argument("--programs", type=lambda text: text.split(","), metavar="A,B", help=", ".join(PAPER))
    parser.add_argument("--journal", default="acsar.jsonl", metavar="FILE", help="default: %(default)s")
    return parser.parse_args(arguments)


if __name__ == "__main__":
    sys.exit(main())
