"""Breaks task files at random and feeds them to the front end, which must answer with a program or a located message.

    python -m benchmarks.mutations --tasks DIR [--count 5000] [--seed 1] [--jobs 1] [--journal FILE]

Each mutant is read in a process of its own, with limits. A traceback, a message without a place, the end of the
process and a limit that is reached are failures: the exit code is 1, and the text of the mutant is saved beside the
journal, or in the current directory. Small files are chosen more often than large ones.
"""

from __future__ import annotations

import argparse
import gc
import json
import os
import re
import resource
import signal
import sys
import traceback
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random

import psutil

from benchmarks.journal import Journal, Row
from frontend.api import parse_program
from frontend.elaboration.linking import elaborate
from frontend.lowering import lower
from frontend.parsing.parse import parse
from frontend.preprocessing.preprocess import preprocess
from frontend.properties.errors import UnreachCall
from frontend.source import FrontendError
from frontend.typed.ctype import DataModel

LOADED_ONCE = (parse, preprocess, elaborate)
"""What the front end imports when it is needed: not in every process."""

LARGEST_FILE = 400_000
"""Bytes of a task file that is used."""
CPU_LIMIT = 20  # seconds
MEMORY_LIMIT = 1024  # megabytes that are really used
KINDS = ("delete", "duplicate", "swap", "replace", "alike", "alike", "alike", "truncate", "bytes", "line", "move")
ADDRESS_SPACE = 4 << 30
HALF_WEIGHT = 200_000  # bytes; files of this size are chosen half as often as empty ones
LOCATED = re.compile(r"[^\n]*:[1-9][0-9]*:[1-9][0-9]*: \S", re.DOTALL)
_TOKEN = re.compile(r"[A-Za-z_]\w*|\d\w*|\"(?:[^\"\\\n]|\\.)*\"|'(?:[^'\\\n]|\\.)*'|[-+*/%&|^<>=!]{1,2}|\S")
_NO_BRACKETS = str.maketrans("()[]{}", 6 * " ")


@dataclass(frozen=True)
class Mutant:
    """A broken file. `data` are its bytes, `source` the name of the one that it was made of."""

    name: str
    source: str
    data: bytes


@dataclass(frozen=True)
class Answer:
    """The answer to a mutant.

    `outcome` is `accepted`, `refused` or `failed`; `cpu` are seconds, `memory` megabytes on top of this process.
    """

    outcome: str
    message: str
    cpu: float
    memory: int


def mutants(files: Sequence[Path], seed: int, numbers: Sequence[int]) -> Iterator[Mutant]:
    """The mutants of these numbers; each depends on the files, the seed and its number only."""
    weights = [1 / (HALF_WEIGHT + file.stat().st_size) for file in files]
    for number in numbers:
        random = Random(f"{seed}-{number}")
        file, other = random.choices(files, weights, k=2)
        text, donor = (one.read_text("utf-8", "replace") for one in (file, other))
        data = text.encode()
        for _ in range(random.choice((1, 1, 1, 2, 3))):
            data = _mutated(data, donor, random)
        yield Mutant(f"mutant-{seed}-{number}", file.name, data)


def _mutated(data: bytes, donor: str, random: Random) -> bytes:
    text = data.decode("latin-1")
    tokens = [match.span() for match in _TOKEN.finditer(text)]
    kind = random.choice(KINDS)
    if not tokens:
        kind = "bytes"
    if random.random() < 0.8:  # few mutants get further than to brackets that do not match
        tokens = [(start, end) for start, end in tokens if text[start] not in "()[]{}"] or tokens
        donor = donor.translate(_NO_BRACKETS)
    start, end = random.choice(tokens) if tokens else (0, 0)
    match kind:
        case "delete":
            text = text[:start] + text[end:]
        case "duplicate":
            text = text[:end] + " " + text[start:end] + text[end:]
        case "swap":
            place = random.randrange(len(tokens) - 1) if len(tokens) > 1 else 0
            (a, b), (c, d) = tokens[place], tokens[min(place + 1, len(tokens) - 1)]
            text = text[:a] + text[c:d] + text[b:c] + text[a:b] + text[d:] if a != c else text
        case "replace":
            words = _TOKEN.findall(donor.encode().decode("latin-1")) or [";"]
            text = text[:start] + random.choice(words) + text[end:]
        case "alike":
            alike = [text[a:b] for a, b in tokens if text[a].isalnum() == text[start].isalnum()]
            text = text[:start] + random.choice(alike) + text[end:]
        case "truncate":
            text = text[: random.randrange(len(text) + 1)]
        case "bytes":
            place = random.randrange(len(text) + 1)
            noise = "".join(chr(random.randrange(256)) for _ in range(random.randint(1, 8)))
            text = text[:place] + noise + text[place:]
        case "line":
            lines = text.splitlines(keepends=True)
            del lines[random.randrange(len(lines))]
            text = "".join(lines)
        case _:
            moved, place = text[start:end], random.choice(tokens)[1]
            text = text[:place] + " " + moved + " " + text[place:]
    return text.encode("latin-1")


def read(mutant: Mutant) -> tuple[str, str]:
    """The outcome of the front end for a mutant, and its message. Nothing is raised but what ends the process."""
    text = mutant.data.decode("utf-8-sig", "replace").replace("\r\n", "\n")
    try:
        program = lower(parse_program(text, mutant.source, DataModel.ILP32), UnreachCall())
    except FrontendError as error:
        return ("refused" if LOCATED.match(str(error)) else "failed"), str(error)
    except BaseException:  # noqa: BLE001 - what must never happen, whatever it is
        return "failed", traceback.format_exc()[-1500:]
    return "accepted", f"{len(program.edges)} edges"


@dataclass(frozen=True)
class _Child:
    """A process that reads a mutant, and where its answer comes from; `inherited` are megabytes of this process."""

    mutant: Mutant
    number: int
    source: int
    inherited: int


def _start(mutant: Mutant) -> _Child:
    source, sink = os.pipe()
    inherited = psutil.Process().memory_info().rss >> 20
    child = os.fork()
    if child:
        os.close(sink)
        return _Child(mutant, child, source, inherited)
    resource.setrlimit(resource.RLIMIT_CPU, (CPU_LIMIT, CPU_LIMIT + 1))
    resource.setrlimit(resource.RLIMIT_AS, (ADDRESS_SPACE, ADDRESS_SPACE))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    signal.signal(signal.SIGXCPU, signal.SIG_DFL)
    os.write(sink, json.dumps(read(mutant)).encode()[:4000])
    os._exit(0)


def _finish(child: _Child) -> tuple[Mutant, Answer]:
    with os.fdopen(child.source, "rb") as stream:
        said = stream.read()
    _, status, usage = os.wait4(child.number, 0)
    return child.mutant, _answer(said, status, usage, child.inherited)


def _answer(said: bytes, status: int, usage: resource.struct_rusage, inherited: int) -> Answer:
    cpu, memory = round(usage.ru_utime + usage.ru_stime, 2), max(0, (usage.ru_maxrss >> 10) - inherited)
    if status or not said:
        return Answer("failed", f"the process ended with status {os.waitstatus_to_exitcode(status)}", cpu, memory)
    outcome, message = json.loads(said)
    if memory > MEMORY_LIMIT or cpu > CPU_LIMIT:
        return Answer("failed", f"{cpu} s, {memory} MB: {message}", cpu, memory)
    return Answer(outcome, message, cpu, memory)


def answers(given: Iterator[Mutant], jobs: int) -> Iterator[tuple[Mutant, Answer]]:
    """The answers of the front end to the mutants, `jobs` at a time, in order."""
    gc.freeze()  # what is loaded now is shared with the children
    running: list[_Child] = []
    for mutant in given:
        running.append(_start(mutant))
        if len(running) >= jobs:
            yield _finish(running.pop(0))
    for child in running:
        yield _finish(child)


def find_files(folder: Path) -> list[Path]:
    """The C files below a folder, but for huge ones, in order."""
    found = sorted(file for ending in ("*.c", "*.i") for file in folder.rglob(ending))
    return [file for file in found if file.is_file() and file.stat().st_size <= LARGEST_FILE]


def main(arguments: Sequence[str] | None = None) -> int:
    options = _options(arguments)
    files = find_files(Path(options.tasks))
    if not files:
        print(f"{options.tasks}: there are no C files", file=sys.stderr)
        return 2
    path = None if options.journal is None else Path(options.journal)
    journal = Journal(path, "mutant")
    numbers = range(options.first, options.first + options.count)
    waiting = [number for number in numbers if f"mutant-{options.seed}-{number}" not in journal]
    for mutant, answer in answers(mutants(files, options.seed, waiting), options.jobs):
        journal.add({"mutant": mutant.name, "source": mutant.source, **vars(answer)})
        if answer.outcome == "failed":
            file = (path.parent if path else Path()) / f"{mutant.name}.c"
            file.write_bytes(mutant.data)
            print(f"FAILED: {file} of {mutant.source}: {answer.message}", flush=True)
    rows = [journal.rows[f"mutant-{options.seed}-{number}"] for number in numbers]
    print("\n".join(summary(rows)))
    return 1 if any(row["outcome"] == "failed" for row in rows) else 0


def _options(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.mutations", description=__doc__.splitlines()[0])
    parser.add_argument("--tasks", required=True, metavar="DIR", help="the folder with C files, at any depth")
    parser.add_argument("--count", type=int, default=5000, metavar="N", help="default: %(default)s")
    parser.add_argument("--first", type=int, default=0, metavar="K", help="number of the first mutant")
    parser.add_argument("--seed", type=int, default=1, metavar="S", help="default: %(default)s")
    parser.add_argument("--jobs", type=int, default=1, metavar="N", help="mutants at once; default: %(default)s")
    parser.add_argument("--journal", metavar="FILE", help="a journal; what it has is not run again")
    return parser.parse_args(arguments)


def summary(rows: Sequence[Row]) -> Iterator[str]:
    """The number of each outcome, and its cost."""
    kinds = Counter(str(row["outcome"]) for row in rows)
    yield f"{len(rows)} mutants: {', '.join(f'{count} {kind}' for kind, count in sorted(kinds.items()))}"
    for name, unit in (("cpu", "s"), ("memory", "MB")):
        values = [float(str(row[name])) for row in rows]
        yield f"{name}: at most {max(values, default=0):g} {unit}, {sum(values) / max(len(values), 1):.2f} on average"


if __name__ == "__main__":
    sys.exit(main())
