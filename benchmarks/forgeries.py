"""Forge evidence of each kind at random, for programs for which it cannot be right, and see that none is accepted.

    python -m benchmarks.forgeries [--count 10000] [--seed 1] [--journal FILE] [KIND...]

All forgeries are examined in this process. Prints, for each kind, how many there were, how many were accepted, and the
mean and the largest time of an examination; the exit code is 1 if any was accepted. What was accepted, or ended in an
exception, is written to the journal.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from random import Random

from benchmarks.journal import Journal
from core.limits import cpu_used
from tests.seeded_bugs.forging import SUBJECTS, evidence_of, forgeries, twins_of


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.forgeries", description=__doc__.splitlines()[0])
    parser.add_argument("kinds", nargs="*", metavar="KIND", help=f"default: all of {', '.join(SUBJECTS)}")
    parser.add_argument("--count", type=int, default=10_000, metavar="N", help="forgeries; default: %(default)s")
    parser.add_argument("--seed", type=int, default=1, metavar="N", help="default: %(default)s")
    parser.add_argument("--journal", metavar="FILE", help="where accepted forgeries and exceptions are kept")
    options = parser.parse_args(arguments)
    kinds = options.kinds or list(SUBJECTS)
    journal = Journal(None if options.journal is None else Path(options.journal), "forgery")
    accepted = total = 0
    with tempfile.TemporaryDirectory(prefix="forgeries-") as folder:
        weights = sum(SUBJECTS[kind].weight for kind in kinds)
        for kind in kinds:
            count = -(-options.count * SUBJECTS[kind].weight // weights)
            accepted += _try(kind, count, options.seed, Path(folder), journal)
            total += count
    print(f"{accepted} of {total} forgeries are accepted, or end in an exception")
    return 1 if accepted else 0


def _try(kind: str, count: int, seed: int, folder: Path, journal: Journal) -> int:
    """Examine forgeries of a kind; returns how many are accepted, or end in an exception."""
    subject = SUBJECTS[kind]
    evidence, twins, random = evidence_of(subject, folder), twins_of(subject, folder), Random(f"{kind} {seed}")
    wrong, spent, longest = 0, 0.0, 0.0
    for number, (twin, document) in enumerate(forgeries(evidence, twins, random, count)):
        begin, end = cpu_used(), ""
        try:
            end = "accepted" if twin.accepts(document) else ""
        except Exception as error:  # noqa: BLE001 - nothing in evidence may have one
            end = repr(error)
        took = cpu_used() - begin
        spent, longest = spent + took, max(longest, took)
        if end:
            wrong += 1
            name = f"{kind} {number}"
            journal.add({"forgery": name, "twin": number % len(twins), "end": end, "evidence": json.dumps(document)})
    times = f"{spent / max(count, 1):.3f} s each, at most {longest:.2f} s"
    print(f"{kind:16} {count:6} forgeries, {wrong} accepted or with an exception; {times}", flush=True)
    return wrong


if __name__ == "__main__":
    sys.exit(main())
