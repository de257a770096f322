"""Measure whether texts for people have words that only the inside of the program knows, such as `memory2.node.next`.

    python -m benchmarks.internal_words TASK... [--count 300] [--time-limit 3] [--engine E]...

The tasks are C files and task definitions, of which some are taken, evenly, and run with each engine in its turn. All
texts of a run are looked through: what `verify` and `show` print, reports, SARIF, and the views of the window. Prints
each word with the number of places and the first of them. The exit code is 1 if there is any.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from benchmarks.process import interplay
from interplay.session.request import PORTFOLIO
from methods.registry import ENGINES
from runs.runfile import open_run
from tests.support.people import internal_words, texts_of

WALL = 20.0  # seconds on the clock for each CPU second of the limit: runs end themselves, this is for a broken one
SHOWN = 40  # words
STEP = 20  # runs between two lines of progress


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.internal_words", description=__doc__.splitlines()[0])
    parser.add_argument("tasks", nargs="+", metavar="TASK")
    parser.add_argument("--count", type=int, default=300, metavar="N", help="default: %(default)s")
    parser.add_argument("--time-limit", type=float, default=3.0, metavar="S", help="CPU seconds; default: %(default)s")
    parser.add_argument("--engine", action="append", metavar="E", help="repeatable; default: all, and the portfolio")
    options = parser.parse_args(arguments)
    engines = options.engine or [PORTFOLIO, *ENGINES]
    chosen = options.tasks[:: max(1, len(options.tasks) // options.count)][: options.count]
    found, first, done = Counter[tuple[str, str]](), dict[tuple[str, str], str](), 0
    for number in range(options.count):
        task, engine = chosen[number % len(chosen)], engines[number % len(engines)]
        for where, word, text in words_of(task, engine, options.time_limit):
            found[where, word] += 1
            first.setdefault((where, word), f"{task} ({engine}): {text}")
        done += 1
        if not done % STEP:
            print(f"{done} runs, {sum(found.values())} places", file=sys.stderr, flush=True)
    for (where, word), times in found.most_common(SHOWN):
        print(f"{times:6} {where}: {word}    {first[where, word]}")
    print(f"{done} runs, {sum(found.values())} places with internal words")
    return 1 if found else 0


def words_of(task: str, engine: str, time_limit: float) -> list[tuple[str, str, str]]:
    """The internal words of one run, each with where it is shown and the text; none of a run that left no file."""
    with tempfile.TemporaryDirectory() as place:
        run = Path(place) / "run.interplay"
        limit = ("--time-limit", str(time_limit), "--engine", engine)
        interplay(["verify", task, *limit, "--quiet", "--output", str(run)], WALL * time_limit)
        texts = list(texts_of(open_run(run), Path(place))) if run.exists() else []
    return [(where, word, text[:200]) for where, text in texts for word in internal_words(text)]


if __name__ == "__main__":
    sys.exit(main())
