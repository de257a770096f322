"""Proofs by execution: from the claim of the engine to the verdict, the run file, the witness, and forged evidence."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from core.terms import Arena
from core.verdict import Confirmer, Executed
from interplay.witnesses.writing import witness_of
from runs.evidence_json import decode_evidence, encode_evidence
from runs.runfile import open_run
from tests.support.forged import forged
from tests.support.prepared import command as main

pytestmark = pytest.mark.long

HEAD = "extern void reach_error(void);\nextern int __VERIFIER_nondet_int(void);\n"
ENDS = """int main(void) {
  int s = 0;
  for (int i = 0; i < 5000; i++) s += i % 7 == 3;
  if (s != %d) reach_error();
}
"""
READS = "int main(void) { int x = __VERIFIER_nondet_int(); if (x == 7) reach_error(); return 0; }\n"
UNDEFINED = "int main(void) { int a[2] = {0}, *p = a; p = p + 9; if (p == 0) reach_error(); return 0; }\n"


def verified(folder: Path, text: str, *words: str) -> tuple[int, Path]:
    source, run = folder / "a.c", folder / "a.interplay"
    source.write_text(HEAD + text)
    words = ("--property", "unreach-call", *(words or ("--engine", "concrete")))
    return main(["verify", str(source), *words, "--quiet", "--output", str(run)]), run


@pytest.mark.parametrize("words", [("--engine", "concrete"), ("--engine", "portfolio")])
def test_the_only_execution_is_a_proof(tmp_path: Path, words: tuple[str, ...]) -> None:
    code, run = verified(tmp_path, ENDS.replace("%d", "714"), *words)
    assert code == 0
    stored = open_run(run)
    verdict = stored.view().verdict
    assert verdict is not None
    assert {check.confirmer for check in stored.view().checks.values()} == {Confirmer.EXECUTION}
    assert "steps without undefined behaviour" in verdict.confirmed_by
    assert decode_evidence(stored.document("evidence.json"), Arena()).outcomes() == {0: Executed()}
    assert witness_of(stored) is not None
    assert main(["check", str(run)]) == 0


def test_an_execution_that_reaches_the_error_is_a_counterexample(tmp_path: Path) -> None:
    assert verified(tmp_path, ENDS.replace("%d", "3"))[0] == 10


def test_a_pointer_that_leaves_its_object_is_no_proof(tmp_path: Path) -> None:
    code, run = verified(tmp_path, UNDEFINED)
    assert code == 5
    assert "undefined behaviour" in open_run(run).view().checks[0].reason


@pytest.mark.parametrize("text", [READS, ENDS.replace("%d", "3")])
def test_a_claim_that_is_wrong_is_not_believed(tmp_path: Path, text: str, capfd: pytest.CaptureFixture[str]) -> None:
    _, run = verified(tmp_path, text)
    evidence = json.dumps(encode_evidence({0: Executed()})).encode()
    assert main(["check", str(forged(run, tmp_path / "forged.interplay", {"evidence.json": evidence}))]) == 5
    assert "the execution is no proof" in capfd.readouterr().out


def test_other_checks_hold_where_the_execution_ends_in_one(tmp_path: Path) -> None:
    text = "int main(void) { int a[3] = {0}, i = 1; a[i] = 5 / a[1 + i - 1]; a[i + 1] = 1; return a[0]; }\n"
    code, run = verified(tmp_path, text, "--check", "division,bounds", "--engine", "concrete")
    assert code == 10
    statuses = {one.property: one.status for one in open_run(run).view().checks.values()}
    assert statuses["division"] == "false"
    assert statuses["bounds"] == "true"
