"""Programs of the paper with one token changed: none is proved whose runs on small arrays violate its property."""

import random
import re
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support import prepared

PROGRAMS = Path(__file__).parents[4] / "resources" / "examples" / "arrays"
MUTATIONS = 100
RUNS = 400
VIOLATED = 77
TOKEN = re.compile(r"[A-Za-z_]\w*|\d+|<=|>=|==|!=|&&|\|\||\+\+|--|\+=|[-+<>*!]")
SWAPS = {
    "<": ["<=", "!="], "<=": ["<", "=="], ">": [">=", "<"], ">=": [">", "=="], "==": ["!=", "<="], "!=": ["==", "<"],
    "&&": ["||"], "||": ["&&"], "+": ["-"], "-": ["+"], "0": ["1"], "1": ["0", "2"], "2": ["1", "3"], "4": ["3"],
}  # fmt: skip

HARNESS = """#include <stdlib.h>
#include <stdio.h>
static unsigned state; static int calls;
int __VERIFIER_nondet_int(void) {
  state = state * 1103515245u + 12345u; unsigned r = state >> 8;
  return calls++ == 0 ? (int)(r % 9) : (int)(r % 13) - 3;
}
void reach_error(void) { _Exit(77); }
__attribute__((constructor)) static void seed(void) { state = (unsigned)atoi(getenv("SEED")); }
"""


def mutants(text: str, count: int, source: random.Random) -> Iterator[str]:
    """Texts that differ from `text` in one token of `main`."""
    places = [m for m in TOKEN.finditer(text, text.index("int main")) if m.group() in SWAPS]
    for m in source.sample(places, min(count, len(places))):
        yield text[: m.start()] + source.choice(SWAPS[m.group()]) + text[m.end() :]


def violates(file: Path, folder: Path) -> bool:
    """Whether some run with small random values, without undefined behaviour, reaches the error."""
    harness, binary = folder / "harness.c", folder / "binary"
    harness.write_text(HARNESS)
    sanitized = ["-fsanitize=address,bounds", "-fno-sanitize-recover=all", "-fwrapv"]
    build = ["gcc", "-O0", "-w", *sanitized, str(file), str(harness), "-o", str(binary)]
    if subprocess.run(build, capture_output=True, check=False).returncode:
        return False
    for seed in range(RUNS):
        try:
            environment = {"SEED": str(seed * 7919 + 1), "ASAN_OPTIONS": "detect_leaks=0"}
            run = subprocess.run([str(binary)], capture_output=True, check=False, timeout=2, env=environment)
        except subprocess.TimeoutExpired:
            continue
        if run.returncode == VIOLATED:
            return True
    return False


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("gcc") is None, reason="runs are compiled by gcc")
def test_no_mutant_is_proved_whose_runs_violate_it(tmp_path: Path) -> None:
    source = random.Random(15)
    right = sorted(p for p in PROGRAMS.glob("*.c") if not p.stem.endswith("_wrong"))
    each = -(-MUTATIONS // len(right))
    found = [(p.stem, text) for p in right for text in mutants(p.read_text("utf-8"), each, source)][:MUTATIONS]
    assert len(found) == MUTATIONS
    proved = 0
    for number, (name, text) in enumerate(found):
        file = tmp_path / f"{name}_{number}.c"
        file.write_text(text)
        if prepared.verify(file, engine="acsar", time_limit=8).status == "true":
            proved += 1
            assert not violates(file, tmp_path), text
    assert proved > 0
