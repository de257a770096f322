"""Proof harnesses for CBMC, as their Makefiles say: read, linked and decided, with each refusal counted by its reason.

    python -m benchmarks.cbmc_harnesses FOLDER [--verify SECONDS] [--only WORD] [--output FILE.jsonl]

FOLDER holds one folder for each harness with a Makefile of the starter kit of CBMC (`PROOF_SOURCES`, `PROJECT_SOURCES`,
`DEFINES`, `INCLUDES`, `HARNESS_ENTRY`, `REMOVE_FUNCTION_BODY`), such as `verification/cbmc/proofs` of aws-c-common. The
entry is renamed to `main` by a macro. One process at a time.
"""

from __future__ import annotations

import argparse
import json
import re
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

_PRINT = """include Makefile
interplay-show:
\t@printf '%s\\n' $(PROOF_SOURCES) $(PROJECT_SOURCES) $(INCLUDES) $(DEFINES) -ENTRY$(HARNESS_ENTRY)
\t@for f in $(PROJECT_SOURCES); do printf -- "--remove-body=$$f:%s\\n" $(REMOVE_FUNCTION_BODY); done
"""


@dataclass(frozen=True)
class Harness:
    """A harness: its name, and the words that name its program on our command line."""

    name: str
    words: tuple[str, ...]


def harnesses(folder: Path, word: str) -> Iterator[Harness]:
    """The harnesses below a folder, in the order of their names."""
    with tempfile.NamedTemporaryFile("w", suffix=".mk") as rules:
        rules.write(_PRINT)
        rules.flush()
        for makefile in sorted(folder.glob("*/Makefile")):
            if word in makefile.parent.name:
                yield Harness(makefile.parent.name, tuple(_words(makefile.parent, rules.name)))


def _words(folder: Path, rules: str) -> Iterator[str]:
    command = ["make", "-s", "--no-print-directory", "-f", rules, "interplay-show"]
    shown = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=True).stdout
    yield "--data-model=LP64"
    for word in dict.fromkeys(shown.splitlines()):
        if word.startswith("-ENTRY"):
            yield f"-D{word.removeprefix('-ENTRY')}=main"
        else:
            yield word.replace("CBMC_MAX_OBJECT_SIZE=(SIZE_MAX", "CBMC_MAX_OBJECT_SIZE=((__SIZE_TYPE__)-1")


def decided(one: Harness, extra: Sequence[str]) -> tuple[str, str]:
    """The last line of the output of `interplay verify`, and the first error without its place."""
    command = [sys.executable, "-m", "interplay", "verify", *one.words, *extra]
    ended = subprocess.run(command, capture_output=True, text=True, check=False)
    last = (ended.stdout.splitlines() or [""])[-1]
    error = next((line for line in ended.stderr.splitlines() if ": error: " in line), "")
    return last if ended.returncode in (0, 5, 10, 124, 137) else f"exit {ended.returncode}", error


def reason(error: str) -> str:
    """The reason of a refusal, without names and places."""
    return re.sub(r"'[^']*'", "'…'", error.partition(": error: ")[2])[:100]


def main() -> None:
    """Run all harnesses, print a line for each and the reasons of refusals with their numbers."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--verify", type=int, metavar="SECONDS", help="decide each within this CPU time")
    parser.add_argument("--only", default="", metavar="WORD", help="harnesses with this word in their names")
    parser.add_argument("--output", type=Path, metavar="FILE", help="results as JSON lines")
    options = parser.parse_args()
    extra = ("--stop-after", "program") if options.verify is None else ("--time-limit", str(options.verify), "--quiet")
    ends: Counter[str] = Counter()
    reasons: Counter[str] = Counter()
    for one in harnesses(options.folder, options.only):
        found, error = decided(one, extra)
        print(f"{one.name}: {found.rpartition(': ')[2] if options.verify else found[-90:]} {error}", flush=True)
        ends[found.removeprefix("VERDICT: ") if options.verify else found.split(":")[-1].partition(",")[0]] += 1
        reasons[reason(error)] += bool(error)
        if options.output:
            with options.output.open("a", encoding="utf-8") as stream:
                stream.write(json.dumps({"name": one.name, "end": found, "error": error}) + "\n")
    for title, counts in (("ends", ends), ("reasons", +reasons)):
        print(title, *(f"  {number:4} {name}" for name, number in counts.most_common()), sep="\n")


if __name__ == "__main__":
    main()
