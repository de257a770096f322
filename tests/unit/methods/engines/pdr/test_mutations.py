"""One-token mutations of the right examples: none is proved while native runs on random lists violate it."""

from __future__ import annotations

import random
import re
import shutil
import subprocess
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from core.limits import LimitReached
from core.program import Program
from core.verdict import Safe
from frontend.api import parse_program
from frontend.lowering import UnreachCall, lower
from frontend.source import FrontendError
from frontend.typed.ctype import DataModel
from tests.support.lists import are_certified, outcomes
from tests.unit.methods.engines.pdr.test_list_examples import FOLDER, RIGHT

SORTED = ("sorted_insert", "sorted_merge", "insertion_sort", "bubble_sort", "exchange_sort")
MUTANTS = 100
FEWER = 40
RUNS = 300
OTHER = {
    "==": ("!=",),
    "!=": ("==",),
    "&&": ("||",),
    "||": ("&&",),
    "<": ("<=", ">"),
    "<=": ("<", ">="),
    ">": (">=", "<"),
    "0": ("1",),
    "1": ("0",),
    "2": ("1",),
    "3": ("2",),
    "7": ("0",),
}
TOKEN = re.compile(r"[=!]=|<=?|(?<!-)>|&&|\|\||(?<!return )\b\w+\b")
POINTER = re.compile(r"struct node ([^;(]*);")
HARNESS = """
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>
int program(void);
static unsigned seed;
int __VERIFIER_nondet_int(void) { seed = seed * 1103515245u + 12345u; return (seed >> 16) % 4; }
void reach_error(void) { _exit(7); }
int main(void) {
  for (int run = 0; run < RUNS; run++) {
    int status;
    if (fork() == 0) {
      struct rlimit memory = {1 << 28, 1 << 28};
      struct itimerval soon = {{0, 0}, {0, 10000}};
      setitimer(ITIMER_PROF, &soon, 0);
      setrlimit(RLIMIT_AS, &memory);
      seed = 7919u * run;
      program();
      _exit(0);
    }
    wait(&status);
    if (WIFEXITED(status) && WEXITSTATUS(status) == 7) return 7;
  }
  return 0;
}
"""

pytestmark = [pytest.mark.slow, pytest.mark.skipif(shutil.which("gcc") is None, reason="gcc is not installed")]


def mutants(names: Sequence[str], seed: int) -> Iterator[tuple[str, str]]:
    """Names and texts of random mutants of examples."""
    choose = random.Random(seed)
    every = {name: (FOLDER / f"{name}.c").read_text() for name in names}
    texts = {name: text for name, text in every.items() if "reach_error" in text}
    while True:
        name = choose.choice(list(texts))
        text = texts[name]
        pointers = sorted(set(re.findall(r"\*(\w+)", " ".join(POINTER.findall(text)))))
        begin = text.index("int main")
        token = choose.choice([m for m in TOKEN.finditer(text, begin) if m[0] in OTHER or m[0] in pointers])
        new = choose.choice(OTHER.get(token[0], pointers))
        line = text.count("\n", 0, token.start()) + 1
        if new != token[0]:
            yield f"{name}:{line}: {token[0]} is {new}", text[: token.start()] + new + text[token.end() :]


def lowered(text: str) -> Program | None:
    try:
        return lower(parse_program(text, "mutant.c", DataModel.LP64), UnreachCall())
    except FrontendError:
        return None


def is_proved(program: Program) -> bool:
    """Whether the engine proves all checks in time, and the proofs are certified."""
    try:
        found = outcomes(program)
    except LimitReached:
        return False
    proved = bool(found) and all(isinstance(one, Safe) for one in found.values())
    return proved and are_certified(program, found)


def violates(text: str, folder: Path) -> bool:
    """Whether a native run reaches an error; one that is undefined before ends without."""
    (folder / "mutant.c").write_text(text)
    (folder / "harness.c").write_text(HARNESS)
    command = ["gcc", "-w", "-O0", "-fsanitize=undefined", "-fno-sanitize-recover=all"]
    subprocess.run([*command, "-Dmain=program", "-c", "mutant.c", "-o", "mutant.o"], cwd=folder, check=True)
    subprocess.run([*command, f"-DRUNS={RUNS}", "harness.c", "mutant.o", "-o", "harness"], cwd=folder, check=True)
    done = subprocess.run(["./harness"], cwd=folder, capture_output=True, check=False, timeout=900)
    return done.returncode == 7


@pytest.mark.parametrize(("names", "count"), [(RIGHT, MUTANTS), (SORTED, FEWER)], ids=["all", "sorted"])
def test_no_mutant_is_proved_that_runs_violate(names: Sequence[str], count: int, tmp_path: Path) -> None:
    proved = tried = 0
    for name, text in mutants(names, 1):
        program = lowered(text)
        if program is None:
            continue
        tried += 1
        if is_proved(program):
            proved += 1
            assert not violates(text, tmp_path), name
        if tried == count:
            break
    assert 0 < proved < count  # some mutations do not matter
