"""Measure which of the seeded bugs in pointers, lifetimes, unions and calls the random programs with memory notice.

    python -m benchmarks.seeded_bugs [--count 400] [--journal FILE] [BUG...]

The programs are tried one after the other. One notices a bug if with it some answer contradicts the truth, or evidence
for it is not accepted, and without it neither. Prints the first program for each bug, and the engine; then how many
are noticed.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from benchmarks.journal import Journal
from tests.random_programs.memory_truth import memory_programs
from tests.seeded_bugs.generated import BATCH, MAX, SEED, Sample
from tests.seeded_bugs.memory_mutations import MEMORY_BUGS


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.seeded_bugs", description=__doc__.splitlines()[0])
    parser.add_argument("bugs", nargs="*", metavar="BUG", help="default: all")
    parser.add_argument("--count", type=int, default=MAX, metavar="N", help="programs; default: %(default)s")
    parser.add_argument("--journal", metavar="FILE", help="what it has is not searched again")
    options = parser.parse_args(arguments)
    names = options.bugs or list(MEMORY_BUGS)
    journal = Journal(None if options.journal is None else Path(options.journal), "bug")
    with tempfile.TemporaryDirectory(prefix="seeded-bugs-") as folder:
        for start in range(0, options.count, BATCH):
            missing = [name for name in names if _tried(journal, name) <= start]
            if missing:
                _try(missing, start, min(BATCH, options.count - start), journal, Path(folder))
    noticed = [name for name in names if journal.rows[name]["program"]]
    for name in names:
        row = journal.rows[name]
        print(f"{name:40} {row['program'] or 'not noticed'} {row['engine']}")
    print(f"{len(noticed)} of {len(names)} bugs are noticed by {options.count} programs")
    return 0


def _tried(journal: Journal, name: str) -> int:
    """The number of programs that need not be tried again for a bug."""
    if name not in journal:
        return 0
    row = journal.rows[name]
    return sys.maxsize if row["program"] else int(str(row["tried"]))


def _try(missing: Sequence[str], start: int, count: int, journal: Journal, folder: Path) -> None:
    """Try some more programs for these bugs."""
    open_ = list(missing)
    for program in memory_programs(SEED, start, count):
        sample = Sample(program, folder)
        for name in list(open_):
            engine = sample.notices(name)
            if engine is not None:
                open_.remove(name)
                journal.add({"bug": name, "program": program.name, "engine": engine, "tried": start + count})
    for name in open_:
        journal.add({"bug": name, "program": "", "engine": "", "tried": start + count})


if __name__ == "__main__":
    sys.exit(main())
