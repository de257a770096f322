"""The obligations of stored proofs, as files, are decided by a program that the check does not use."""

import json
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from gui.model.tasks import TaskEntry, examples
from tests.support.prepared import command as main

pytestmark = pytest.mark.long

Z3 = Path(sys.executable).with_name("z3")
"""The program that comes with the wheel of z3."""
CVC5 = """
import sys
import cvc5
solver = cvc5.Solver()
symbols = cvc5.SymbolManager(solver)
parser = cvc5.InputParser(solver, symbols)
parser.setFileInput(cvc5.InputLanguage.SMT_LIB_2_6, sys.argv[1])
while not (command := parser.nextCommand()).isNull():
    print(command.invoke(solver, symbols), end="")
"""
"""A program like that of cvc5, which the wheel does not have: it reads a script."""

LOOP = """extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
int main(void) {
  unsigned char mask = 0;
  int n = 0;
  while (__VERIFIER_nondet_int()) {
    mask = (mask ^ 5) & 7 & (mask | 3);
    if (n < 10)
      n++;
  }
  if (n > 10 || mask > 7)
    reach_error();
  return 0;
}
"""
ROUNDS = """extern void reach_error(void);
extern unsigned char __VERIFIER_nondet_uchar(void);
int main(void) {
  unsigned sum = 0;
  for (int i = 0; i < 3; i++)
    sum += __VERIFIER_nondet_uchar();
  if (sum > 765)
    reach_error();
  return 0;
}
"""


def obligations(file: Path, folder: Path, *words: str) -> list[dict[str, Any]]:
    """The index of the obligations of a proof; none where the answer rests on no certificate."""
    run = folder / "run.interplay"
    if main(["verify", str(file), "--quiet", "--output", str(run), *words]) != 0:
        return []
    assert main(["check", str(run), "--obligations", str(folder / "all")]) == 0
    index = folder / "all" / "index.json"
    rows = json.loads(index.read_text()) if index.exists() else []
    assert {row["file"] for row in rows} == {one.name for one in (folder / "all").glob("*.smt2")}
    return list(rows)


def answers(folder: Path) -> Iterator[str]:
    """The answer to each script: that of z3, or of cvc5 where z3 has none."""
    for file in sorted((folder / "all").glob("*.smt2")):
        answer = _answer([str(Z3), "-T:20", str(file)])
        if answer not in ("sat", "unsat"):
            answer = _answer([sys.executable, "-c", CVC5, str(file)])
        yield f"{file.name}: {answer}"


def _answer(command: Sequence[str]) -> str:
    return subprocess.run(command, capture_output=True, text=True, check=False).stdout.strip()


@pytest.mark.parametrize(
    ("text", "words"),
    [(LOOP, ["--engine", "bmc"]), (LOOP, ["--engine", "transition"]), (ROUNDS, ["--engine", "bmc"])],
)
def test_another_program_agrees(text: str, words: list[str], tmp_path: Path) -> None:
    file = tmp_path / "p.c"
    file.write_text(text)
    rows = obligations(file, tmp_path, *words)
    assert rows
    assert all(one.endswith(": unsat") for one in answers(tmp_path))
    edges = [edge for row in rows for edge in row["edges"]]
    assert any(edge["place"].startswith(f"{file}:5:") for edge in edges)


def test_the_confirmation_says_what_decided_it(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """No solver is named that was not asked."""
    file = tmp_path / "p.c"
    file.write_text("int main(void) { int x = 1; __VERIFIER_assert(x); return 0; }\n")
    assert main(["verify", str(file), "--engine", "bmc"]) == 0
    [line] = [one for one in capsys.readouterr().out.splitlines() if one.startswith("Confirmed by")]
    assert "decided by" in line
    assert "cvc5" not in line
    assert "Bitwuzla" not in line


@pytest.mark.parametrize(
    ("body", "words"),
    [
        ("float x = any(), y = x; __VERIFIER_assert(!(x < 1.5f) || y <= 1.5f);", "numbers compared as integers)"),
        ("float x = any(); if (x > 0 && x < 1) __VERIFIER_assert(x * 0.5f + x < 2);", "arithmetic by intervals 2)"),
        ("float x = any(); if (x > 0 && x < 9) __VERIFIER_assert(x / x == 1);", "arithmetic by Bitwuzla 1)"),
        ("int n = 3; __VERIFIER_assert(n == 3);", "decided by syntax 2, intervals 2)"),
    ],
)
def test_the_confirmation_says_what_decided_floating_point_arithmetic(
    body: str, words: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "p.c"
    file.write_text(f"extern float any(void);\nint main(void) {{ {body} return 0; }}\n")
    assert main(["verify", str(file), "--engine", "bmc"]) == 0
    [line] = [one for one in capsys.readouterr().out.splitlines() if one.startswith("Confirmed by")]
    assert line.endswith(words), line


@pytest.mark.slow
@pytest.mark.parametrize("entry", examples(), ids=lambda entry: f"{entry.topic}-{entry.path.stem}")
def test_another_program_decides_all_examples(entry: TaskEntry, tmp_path: Path) -> None:
    asked = ["--property", entry.asked] if entry.asked else []
    obligations(entry.path, tmp_path, "--time-limit", "120", *asked)
    assert all(one.endswith(": unsat") for one in answers(tmp_path))
