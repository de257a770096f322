"""`interplay engine`: a program in, evidence out, which `interplay check` examines."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from core.terms import Arena
from runs.jsondata import as_list, as_object
from runs.serialize import decode_evidence, decode_program, encode_program
from tests.support.small_programs import counting_loop

ROOT = Path(__file__).parent.parent.parent.parent.parent
PROGRAMS = ROOT / "tests" / "golden" / "programs"
ENVIRONMENT = {**os.environ, "PYTHONPATH": str(ROOT)}

PROGRAM = json.dumps(encode_program(counting_loop(3)))


def run(*words: str | Path, given: str = "") -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "interplay", *map(str, words)],
        cwd=PROGRAMS, env=ENVIRONMENT, input=given, capture_output=True, text=True, check=False, timeout=600,
    )  # fmt: skip


@pytest.mark.long
def test_evidence_of_an_engine_is_examined_by_check(tmp_path: Path) -> None:
    stored, evidence = tmp_path / "run.interplay", tmp_path / "evidence.json"
    assert run("verify", "lock.c", "--engine", "explicit", "--output", stored).returncode == 0
    program = run("lower", "lock.c", "--format", "json")
    assert decode_program(json.loads(program.stdout), Arena()).checks
    found = run("engine", "transition", given=program.stdout)
    assert (found.returncode, found.stderr) == (0, "")
    evidence.write_text(found.stdout)
    assert run("check", stored, "--evidence", evidence).stdout.endswith("VERDICT: true\n")

    wrong = as_object(json.loads(found.stdout))
    rows = as_list(wrong["terms"])
    rows.append(["constant", [], "true", "Bool"])
    for one in as_list(wrong["certificates"]):
        certificate = as_object(one)
        certificate["invariants"] = [[*as_list(row)[:-1], len(rows) - 1] for row in as_list(certificate["invariants"])]
    evidence.write_text(json.dumps(wrong))
    rejected = run("check", stored, "--evidence", evidence)
    assert (rejected.returncode, rejected.stdout.splitlines()[-1]) == (5, "VERDICT: unknown")


@pytest.mark.long
def test_evidence_with_names_that_proofs_had_once_is_refused(tmp_path: Path) -> None:
    stored, evidence = tmp_path / "run.interplay", tmp_path / "evidence.json"
    assert run("verify", "lock.c", "--engine", "explicit", "--output", stored).returncode == 0
    fold = [[], 2, [1], [0, 1, 2, 3, 3, 4]]
    terms = [
        ["symbol", [], "folded", "(Array Int Int)"],
        *(["symbol", [], name, "Int"] for name in ("\\result", "\\index")),
        ["constant", [], "0", "Int"],
        ["constant", [], "true", "Bool"],
    ]
    certificate = {"checks": [0], "invariants": [[[], 2, 4]], "lemmas": [], "folds": [fold]}
    evidence.write_text(json.dumps({"certificates": [certificate], "counterexamples": [], "terms": terms}))
    refused = run("check", stored, "--evidence", evidence)
    assert refused.returncode == 4
    assert "the proof brings along folded, which a program could have" in refused.stderr


def test_an_engine_decides_a_program_that_was_made_by_hand() -> None:
    found = run("engine", "bmc", given=PROGRAM)
    assert found.returncode == 0
    assert list(decode_evidence(json.loads(found.stdout), Arena()).outcomes()) == [0]


@pytest.mark.parametrize(
    ("words", "given", "code", "message"),
    [
        ((), "", 3, "standard input: not JSON"),
        ((), "[" * 100_000, 3, "standard input: not JSON"),
        ((), "{}", 3, "standard input: 'terms' is missing"),
        ((), PROGRAM.replace('"assume"', '"assure"'), 3, "standard input: unknown operation"),
        (("--check", "7"), PROGRAM, 2, "there is no check 7"),
        (("--option", "depth=no"), PROGRAM, 2, "engine bmc: there is no option depth"),
    ],
)
def test_wrong_input_gets_a_message(words: tuple[str, ...], given: str, code: int, message: str) -> None:
    done = run("engine", "bmc", *words, given=given)
    assert (done.returncode, done.stdout) == (code, "")
    assert done.stderr.startswith(f"interplay: {message}")
    assert "Traceback" not in done.stderr


def test_a_check_without_evidence_is_named() -> None:
    done = run("engine", "pdr", given=PROGRAM)
    assert done.returncode == 5
    assert done.stderr.startswith("interplay: engine pdr: ")
    assert not decode_evidence(json.loads(done.stdout), Arena()).outcomes()
