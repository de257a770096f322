"""Regression comparison: a fixed sample of tasks under each engine alone and the portfolio, before and after a change.

    python -m benchmarks.sample run DIR --interplay BIN --journal before.jsonl      DIR: folders of task definitions
    python -m benchmarks.sample compare before.jsonl after.jsonl

`run` notes for every run its verdict and a digest of its events without times. It is resumable. `compare` lists what
differs. Where a run reached its time limit before or after, its events are not compared; of the portfolio, whose events
depend on times, only verdicts are.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import re
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from random import Random

from benchmarks.journal import Journal, Row
from interplay.session.request import PORTFOLIO
from methods.registry import ENGINES

SEED, SIZE = 12, 60
EXAMPLES = Path("resources/examples")
LIMITS = {PORTFOLIO: 20}
ALONE = 8  # CPU seconds
TIMES = re.compile(r'"(?:at|time|seconds|cpu|cpu_seconds|duration)":[0-9.e-]+,?')
OUT_OF_TIME = (124, 137)


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.sample", description=(__doc__ or "").splitlines()[0])
    actions = parser.add_subparsers(dest="action", required=True)
    run = actions.add_parser("run")
    run.add_argument("tasks", type=Path, metavar="DIR")
    run.add_argument("--interplay", default="interplay", metavar="BIN")
    run.add_argument("--journal", type=Path, required=True)
    run.add_argument("--jobs", type=int, default=2)
    run.add_argument("--engines", default=",".join((*ENGINES, PORTFOLIO)))
    compare = actions.add_parser("compare")
    compare.add_argument("before", type=Path)
    compare.add_argument("after", type=Path)
    options = parser.parse_args()
    if options.action == "compare":
        return _compare(Journal(options.before, "run").rows, Journal(options.after, "run").rows)
    journal = Journal(options.journal, "run")
    work = [pair for pair in _work(options.tasks, options.engines.split(",")) if _key(*pair) not in journal]
    with ThreadPoolExecutor(options.jobs) as pool:
        for row in pool.map(lambda pair: _run(options.interplay, *pair), work):
            journal.add(row)
            print(row["run"], row["verdict"], file=sys.stderr)
    return 0


def _work(tasks: Path, engines: Sequence[str]) -> Iterator[tuple[Path, str]]:
    found = sorted(tasks.glob("*/*.yml"))
    for path in [*sorted(Random(SEED).sample(found, min(SIZE, len(found)))), *sorted(EXAMPLES.rglob("*.c"))]:
        for engine in engines:
            yield path, engine


def _key(path: Path, engine: str) -> str:
    return f"{engine} {path.parent.name}/{path.name}"


def _run(command: str, path: Path, engine: str) -> Row:
    limit = LIMITS.get(engine, ALONE)
    words = [command, "verify", str(path), "--engine", engine, "--time-limit", str(limit), "--events", "-"]
    done = subprocess.run(words, capture_output=True, text=True, check=False, stdin=subprocess.DEVNULL)
    lines = done.stdout.splitlines()
    last = json.loads(lines[-1]) if lines else {"verdict": "no output"}
    events = "\n".join(TIMES.sub("", line) for line in lines[1:])
    return {
        "run": _key(path, engine),
        "engine": engine,
        "verdict": last["verdict"],
        "code": done.returncode,
        "events": len(lines),
        "digest": hashlib.sha256(events.encode()).hexdigest(),
    }


def _compare(before: Mapping[str, Row], after: Mapping[str, Row]) -> int:
    verdicts = events = equal = limits = 0
    for run in sorted(before.keys() & after.keys()):
        old, new = before[run], after[run]
        if old["verdict"] != new["verdict"]:
            verdicts += 1
            print(f"verdict  {run}: {old['verdict']} -> {new['verdict']}")
        elif old["code"] in OUT_OF_TIME:
            limits += 1
        elif old["engine"] != PORTFOLIO and old["digest"] != new["digest"]:
            events += 1
            print(f"events   {run}: {old['events']} -> {new['events']} lines")
        else:
            equal += 1
    missing = len(before.keys() ^ after.keys())
    print(
        f"{equal} equal, {limits} at the limit in both, {verdicts} other verdicts, {events} other events, "
        f"{missing} in one journal only"
    )
    return 1 if verdicts or events or missing else 0


if __name__ == "__main__":
    sys.exit(main())
