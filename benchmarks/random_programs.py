"""Runs the checker on random small programs and compares its verdicts with the truth, found by enumeration.

    python -m benchmarks.random_programs [--count 1000] [--seed 1] [--time-limit 10] [--engine E] [--resume FILE]

The truth comes from gcc, which runs every program on all of its inputs. The exit code is 1 if a verdict contradicts
it; the text of such a program is saved beside the journal, or in the current directory.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

from benchmarks.journal import Journal, Row
from core.registry import ENGINES
from interplay.session.request import ReplayMode, Request
from tests.random_programs.checked import Answer, answers, contradictions
from tests.random_programs.enumeration import RandomProgram, random_programs

BATCH = 50  # programs in one compilation


def main(arguments: Sequence[str] | None = None) -> int:
    options = _options(arguments)
    path = None if options.resume is None else Path(options.resume)
    journal = Journal(path, "program")
    names = [f"random-{options.seed}-{number}" for number in range(options.first, options.first + options.count)]
    replay = ReplayMode.INTERPRETER if options.no_native_replay else ReplayMode.NATIVE
    how = Request("", engine=options.engine, time_limit=options.time_limit, replay=replay)
    with tempfile.TemporaryDirectory(prefix="random-programs-") as folder:
        waiting = _waiting(options.seed, options.first, options.count, journal)
        for program, answer in answers(waiting, Path(folder), how, options.jobs):
            row = _row(program, answer)
            journal.add(row)
            if row["wrong"]:
                _report_wrong(program, row, path.parent if path else Path())
            elif options.verbose:
                print(f"{program.name}: {answer.verdict} {answer.reason} ({answer.cpu} s)", file=sys.stderr)
    rows = [journal.rows[name] for name in names]
    print("\n".join(summary(rows)))
    return 1 if any(row["wrong"] for row in rows) else 0


def _options(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.random_programs", description=__doc__.splitlines()[0])
    parser.add_argument("--count", type=int, default=1000, metavar="N", help="default: %(default)s")
    parser.add_argument("--first", type=int, default=0, metavar="K", help="number of the first program")
    parser.add_argument("--seed", type=int, default=1, metavar="S", help="default: %(default)s")
    parser.add_argument("--time-limit", type=float, default=10.0, metavar="S", help="CPU seconds; default: %(default)s")
    parser.add_argument("--engine", choices=list(ENGINES), default=Request.engine, help="default: %(default)s")
    parser.add_argument("--jobs", type=int, default=1, metavar="N", help="programs at once; default: %(default)s")
    parser.add_argument("--resume", metavar="FILE", help="a journal; what it has is not run again")
    parser.add_argument("--no-native-replay", action="store_true", help="confirm violations with the interpreter only")
    parser.add_argument("--verbose", action="store_true", help="a line for every program")
    return parser.parse_args(arguments)


def _waiting(seed: int, first: int, count: int, journal: Journal) -> Iterator[RandomProgram]:
    """The programs that are not in the journal."""
    for start in range(first, first + count, BATCH):
        numbers = range(start, min(start + BATCH, first + count))
        if any(f"random-{seed}-{number}" not in journal for number in numbers):
            batch = random_programs(seed, numbers[0], len(numbers))
            yield from (program for program in batch if program.name not in journal)


def _row(program: RandomProgram, answer: Answer) -> Row:
    return {
        "program": program.name,
        "truth": "true" if program.safe else "false",
        "valuations": program.valuations,
        "verdict": answer.verdict,
        "reason": answer.reason,
        "decided": answer.decided,
        "rounds": answer.rounds,
        "cpu": answer.cpu,
        "wrong": contradictions(program, answer),
    }


def _report_wrong(program: RandomProgram, row: Row, folder: Path) -> None:
    file = folder / f"{program.name}.c"
    file.write_text(program.text)
    print(f"CONTRADICTION: {program.name}: {row['wrong']}; the program is saved as {file}", flush=True)


def summary(rows: Sequence[Row]) -> Iterator[str]:
    """The number of each outcome, and the reasons for those that are undecided."""
    decided = [row for row in rows if row["decided"]]
    kinds = Counter(str(row["verdict"]) for row in rows)
    reasons = Counter(f"{row['verdict']}: {str(row['reason'])[:100]}" for row in rows if not row["decided"])
    yield f"{len(rows)} programs: {', '.join(f'{count} {kind}' for kind, count in kinds.most_common())}"
    yield f"decided: {len(decided)} ({100 * len(decided) / max(len(rows), 1):.1f} %)"
    yield f"contradictions: {sum(bool(row['wrong']) for row in rows)}"
    yield f"CPU seconds: {sum(float(str(row['cpu'])) for row in rows):.0f}"
    yield from (f"  {count:4} {reason}" for reason, count in reasons.most_common(12))


if __name__ == "__main__":
    sys.exit(main())
