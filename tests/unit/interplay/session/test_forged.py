"""Run files in which somebody wrote a proof of a program that is wrong: `interplay check` must not believe them."""

import hashlib
import json
from collections.abc import Mapping
from pathlib import Path

import pytest

from core.program import Program
from core.program.expansion import At
from core.terms import INT
from core.verdict import Certificate, Safe
from frontend.api import parse_program
from frontend.lowering import UnreachCall, lower
from frontend.typed.ctype import DataModel
from runs.evidence_json import encode_evidence
from tests.support.forged import forged, members_of
from tests.support.prepared import command as main

pytestmark = pytest.mark.long

TWO_VALUES = """extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int f(void) { return __VERIFIER_nondet_int(); }
int main(void) {
  int y, w;
  f();
  y = f();
  f();
  w = f();
  if (y != w)
    reach_error();
  return 0;
}
"""
WITNESS = """- entry_type: violation_sequence
  metadata: {format_version: '2.0'}
  content:
  - segment: [waypoint: {type: assumption, constraint: {value: 'y == w'}, location: {line: 10, column: 3}}]
  - segment: [waypoint: {type: target, action: follow, location: {line: 11, column: 5}}]
"""


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A run of the program, which says that it is wrong."""
    monkeypatch.chdir(tmp_path)
    Path("a.c").write_text(TWO_VALUES)
    words = ["--property", "unreach-call", "--engine", "bmc", "--quiet", "--output", "run.interplay"]
    assert main(["verify", "a.c", *words]) == 10
    return tmp_path / "run.interplay"


def changed(run: Path, documents: Mapping[str, object]) -> Path:
    """The run file with other documents."""
    return forged(run, run.with_name("forged.interplay"), {n: json.dumps(d).encode() for n, d in documents.items()})


def lowered() -> Program:
    return lower(parse_program(TWO_VALUES, "a.c", DataModel.ILP32), UnreachCall())


def test_a_proof_cannot_name_an_input_that_comes_later(run: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """Behind `y = f()`, `y` is the second value of the input; behind `w = f()`, so is `w`: a value of its own."""
    program = lowered()
    [name] = [x.name for x in program.inputs if x.name.startswith("nondet")]
    [y] = [x for x, known in program.variables.items() if known.name == "main::y"]
    [behind] = [edge.target for edge in program.edges if edge.text == "y = f()"][-1:]
    [call] = [edge.id for edge in program.edges if edge.text == "main()"]
    claim = program.arena.equals(y, program.arena.symbol(f"{name}!0", INT))
    evidence = encode_evidence({0: Safe(Certificate({At((call,), behind): claim}))})
    assert main(["check", str(changed(run, {"evidence.json": evidence}))]) == 4
    assert "which is no variable" in capfd.readouterr().err


def test_a_program_that_a_witness_restricts_is_not_that_of_the_text(
    run: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    members = members_of(run)
    options = {**json.loads(members["options.json"]), "witness": "w.yml"}
    sources = [*json.loads(members["sources.json"]), ["w.yml", WITNESS]]
    assert main(["check", str(changed(run, {"options.json": options, "sources.json": sources}))]) == 3
    assert "the run examined a witness" in capfd.readouterr().err


def test_the_question_of_a_run_is_said(run: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """Somebody may have asked something else about another text of that name."""
    options = {**json.loads(members_of(run)["options.json"]), "property": "no-overflow", "data_model": "LP64"}
    main(["check", str(changed(run, {"options.json": options}))])
    first, second, *_ = capfd.readouterr().out.splitlines()
    assert first == f"Program: a.c (LP64), SHA-256 {hashlib.sha256(TWO_VALUES.encode()).hexdigest()}"
    assert second == "Property: CHECK( init(main()), LTL(G ! overflow) )"


def test_all_of_the_question_is_said(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """The text is the same with and without the options; the answer is not."""
    text = "extern int nondet(void);\n#ifndef LIMIT\n#define LIMIT 5\n#endif\n"
    text += '#include "sizes.h"\nint helper(void) { return 1; }\n'
    text += "int start(void) { if (helper() > LIMIT) reach_error(); return SIZE; }\n"
    (tmp_path / "sizes.h").write_text("#define SIZE 0\nextern void reach_error(void);\n")
    file, stored = tmp_path / "limit.c", tmp_path / "limit.interplay"
    file.write_text(text)
    asked = ["--define", "LIMIT=2147483647", "--undefine", "NDEBUG", "--include", str(tmp_path / "sizes.h")]
    asked += ["--remove-body", "helper", "--entry", "start", "--check", "bounds"]
    assert main(["verify", str(file), "--quiet", "--output", str(stored), *asked]) == 0
    capfd.readouterr()
    assert main(["check", str(stored)]) == 0
    printed = capfd.readouterr().out.splitlines()
    [options] = [line for line in printed if line.startswith("Options: ")]
    assert set(asked) <= set(options.split())
    assert any(line.startswith(f"Read, too: {tmp_path / 'sizes.h'}, SHA-256 ") for line in printed)


def test_the_flags_of_a_database_are_said(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "a.c").write_text(TWO_VALUES)
    command = {"directory": str(tmp_path), "file": "a.c", "command": "gcc -DLIMIT=3 -std=c99 -c a.c"}
    (tmp_path / "compile_commands.json").write_text(json.dumps([command]))
    stored = tmp_path / "a.interplay"
    main(["verify", "-p", str(tmp_path), "--quiet", "--output", str(stored)])
    capfd.readouterr()
    main(["check", str(stored)])
    assert "  read with: -D LIMIT=3 -std=c99" in capfd.readouterr().out.splitlines()
