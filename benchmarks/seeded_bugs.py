"""Measure which of the seeded bugs in pointers, lifetimes, unions and calls the random programs with memory notice.

    python -m benchmarks.seeded_bugs [--count 600] [--journal FILE] [BUG...]

For each bug the programs are tried one after the other until the answer to one contradicts its truth, or evidence for
it is not accepted, and without the bug neither. Prints the first program for each bug, and the engine; then how many
are noticed.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from benchmarks.journal import Journal
from tests.seeded_bugs.generated import MOST, first_notice
from tests.seeded_bugs.memory_mutations import MEMORY_BUGS


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.seeded_bugs", description=__doc__.splitlines()[0])
    parser.add_argument("bugs", nargs="*", metavar="BUG", help="default: all")
    parser.add_argument("--count", type=int, default=MOST, metavar="N", help="programs; default: %(default)s")
    parser.add_argument("--journal", metavar="FILE", help="what it has is not searched again")
    options = parser.parse_args(arguments)
    names = options.bugs or list(MEMORY_BUGS)
    journal = Journal(None if options.journal is None else Path(options.journal), "bug")
    with tempfile.TemporaryDirectory(prefix="seeded-bugs-") as folder:
        for name in names:
            if name not in journal:
                program, engine = first_notice(name, Path(folder), most=options.count) or ("", "")
                journal.add({"bug": name, "program": program, "engine": engine})
            row = journal.rows[name]
            print(f"{name:40} {row['program'] or 'not noticed'} {row['engine']}", flush=True)
    noticed = sum(bool(journal.rows[name]["program"]) for name in names)
    print(f"{noticed} of {len(names)} bugs are noticed by {options.count} programs")
    return 0


if __name__ == "__main__":
    sys.exit(main())
