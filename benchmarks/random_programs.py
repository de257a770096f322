"""Runs the checker on random small programs and compares its verdicts with the truth, found by enumeration.

    python -m benchmarks.random_programs [--count 1000] [--seed 1] [--time-limit 10] [--features all]
        [--engine E [--option NAME=VALUE]... | --spread] [--resume FILE]

The truth comes from gcc, which runs every program on all of its inputs. With `--features` the programs have pointers,
structs and more, and some are asked whether they have undefined behaviour, of which sanitizers know. With `--spread`
each engine and each of its configurations takes its turn. The exit code is 1 if a verdict contradicts the truth; the
text of such a program is saved beside the journal, or in the current directory. So are programs for which an engine
made a claim that its examination rejected.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from benchmarks.journal import Journal, Row
from frontend.options import Volatile
from interplay.session.request import ReplayMode, Request
from methods.registry import ENGINES
from tests.random_programs.checked import Answer, answers, contradictions
from tests.random_programs.configurations import Configuration, configurations
from tests.random_programs.enumeration import RandomProgram, random_programs
from tests.random_programs.memory_scope import Feature
from tests.random_programs.memory_truth import MemoryProgram, memory_programs

BATCH = 50  # programs in one compilation
SCALARS, ALL = "scalars", "all"

AnyProgram = RandomProgram | MemoryProgram


def main(arguments: Sequence[str] | None = None) -> int:
    options = _options(arguments)
    path = None if options.resume is None else Path(options.resume)
    journal = Journal(path, "program")
    with tempfile.TemporaryDirectory(prefix="random-programs-") as folder:
        for program, how, answer in answers(_tasks(options, journal), Path(folder), options.jobs):
            row = _row(program, _configuration(how), answer)
            journal.add(row)
            _keep(program, row, path.parent if path else Path())
            if options.verbose:
                print(f"{program.name}: {answer.verdict} {answer.reason} ({answer.cpu} s)", file=sys.stderr)
    rows = [journal.rows[name] for number in _numbers(options) if (name := _name(options, number)) in journal]
    rows = [row for row in rows if row["verdict"] != DISCARDED]
    print("\n".join((*summary(rows), *(table(rows) if options.spread else ()))))
    return 1 if any(row["wrong"] for row in rows) else 0


DISCARDED = "no program"
"""Stands for the verdict where a number has no program."""


def _options(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.random_programs", description=__doc__.splitlines()[0])
    parser.add_argument("--count", type=int, default=1000, metavar="N", help="default: %(default)s")
    parser.add_argument("--first", type=int, default=0, metavar="K", help="number of the first program")
    parser.add_argument("--seed", default="1", metavar="S", help="default: %(default)s")
    parser.add_argument("--time-limit", type=float, default=10.0, metavar="S", help="CPU seconds; default: %(default)s")
    parser.add_argument(
        "--features",
        type=_features,
        default=SCALARS,
        metavar="F,…",
        help=f"{SCALARS} (the default), some of {', '.join(Feature)}, or {ALL}: drawn ones and those behind it",
    )
    parser.add_argument(
        "--volatile",
        type=Volatile,
        choices=list(Volatile),
        help="inputs are reads of volatile objects (arbitrary), or objects are volatile (memory)",
    )
    parser.add_argument("--engine", choices=list(ENGINES), default=Request.engine, help="default: %(default)s")
    parser.add_argument(
        "--option", action="append", type=_option, default=[], metavar="NAME=VALUE", help="of the engine"
    )
    parser.add_argument("--spread", action="store_true", help="every configuration of every engine takes its turn")
    parser.add_argument("--jobs", type=int, default=1, metavar="N", help="programs at once; default: %(default)s")
    parser.add_argument("--resume", metavar="FILE", help="a journal; what it has is not run again")
    parser.add_argument("--no-native-replay", action="store_true", help="confirm violations with the interpreter only")
    parser.add_argument("--verbose", action="store_true", help="a line for every program")
    return parser.parse_args(arguments)


def _features(text: str) -> str:
    if text != SCALARS:
        _named(text)
    return text


def _named(features: str) -> frozenset[Feature]:
    return frozenset(Feature(one) for one in features.split(",") if one != ALL)


def _option(text: str) -> tuple[str, str]:
    name, equals, value = text.partition("=")
    if not equals:
        raise ValueError(text)
    return name, value


def _numbers(options: argparse.Namespace) -> range:
    return range(options.first, options.first + options.count)


def _name(options: argparse.Namespace, number: int) -> str:
    return f"{'random' if options.features == SCALARS else 'memory'}-{options.seed}-{number}"


def _tasks(options: argparse.Namespace, journal: Journal) -> Iterator[tuple[AnyProgram, Request]]:
    """The programs that are not in the journal, each with its request."""
    replay = ReplayMode.INTERPRETER if options.no_native_replay else ReplayMode.NATIVE
    turns = configurations() if options.spread else [Configuration(options.engine, tuple(options.option))]
    for start in range(options.first, options.first + options.count, BATCH):
        numbers = range(start, min(start + BATCH, options.first + options.count))
        missing = {_name(options, number): number for number in numbers if _name(options, number) not in journal}
        if not missing:
            continue
        for program in _programs(options, numbers):
            number = missing.pop(program.name, None)
            if number is not None:
                turn = turns[number % len(turns)]
                how = Request("", engine=turn.engine, options=turn.options, time_limit=options.time_limit)
                yield program, replace(how, replay=replay, volatile=options.volatile)
        for name in missing:
            journal.add({"program": name, "verdict": DISCARDED})


def _programs(options: argparse.Namespace, numbers: range) -> Sequence[AnyProgram]:
    if options.features == SCALARS:
        return random_programs(options.seed, numbers[0], len(numbers))
    named = _named(options.features)
    is_drawn = ALL in options.features.split(",")
    return memory_programs(options.seed, numbers[0], len(numbers), None if is_drawn else named, named)


def _configuration(how: Request) -> str:
    return Configuration(how.engine, how.options).name


def _row(program: AnyProgram, configuration: str, answer: Answer) -> Row:
    return {
        "program": program.name,
        "configuration": configuration,
        "kinds": list(program.kinds),
        "truth": "true" if program.safe else "false",
        "valuations": program.valuations,
        "verdict": answer.verdict,
        "reason": answer.reason,
        "decided": answer.decided,
        "rounds": answer.rounds,
        "cpu": answer.cpu,
        "wrong": contradictions(program, answer),
        "rejected": list(answer.rejected),
        "unconfirmed": list(answer.unconfirmed),
    }


_WORDS: Mapping[str, str] = {
    "wrong": "CONTRADICTION",
    "rejected": "rejected certificate",
    "unconfirmed": "unconfirmed counterexample",
}


def _keep(program: AnyProgram, row: Row, folder: Path) -> None:
    """Save and name a program on which something went wrong."""
    for key, words in _WORDS.items():
        if row[key]:
            file = folder / f"{program.name}.c"
            file.write_text(program.text)
            print(f"{words}: {file}, {row['configuration']}, {row['kinds']}: {row[key]}", flush=True)


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


def table(rows: Sequence[Row]) -> Iterator[str]:
    """A line for each configuration."""
    yield f"{'configuration':50} programs  true false  none  wrong rejected unconfirmed  CPU s"
    for name in sorted({str(row["configuration"]) for row in rows}):
        own = [row for row in rows if row["configuration"] == name]
        true = sum(row["verdict"] == "true" for row in own)
        false = sum(bool(row["decided"]) for row in own) - true
        wrong, rejected, unconfirmed = (sum(bool(row[key]) for row in own) for key in _WORDS)
        cpu = sum(float(str(row["cpu"])) for row in own)
        counts = f"{len(own):8} {true:5} {false:5} {len(own) - true - false:5} {wrong:6} {rejected:8} {unconfirmed:11}"
        yield f"{name:50} {counts} {cpu:6.0f}"


if __name__ == "__main__":
    sys.exit(main())
