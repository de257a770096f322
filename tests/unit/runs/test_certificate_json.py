"""Certificates that people write: that of the documentation holds, wrong ones are rejected."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from core.certificate.check import check_certificate
from core.certificate.results import CertificateResult, Certified, Inconclusive, Rejected
from core.decision.prover import Effort
from core.limits import Limits
from core.program import Program
from core.solver.cvc5_solver import Cvc5Factory
from core.terms import Arena
from core.terms.formulas import read_formula
from core.terms.smtlib import NotReadable
from frontend.api import parse_program
from frontend.lowering import UnreachCall, lower
from frontend.typed.ctype import DataModel
from runs.certificate_json import FORMAT, decode_certificate
from runs.jsondata import Malformed
from runs.runfile import CERTIFICATE, open_run

ROOT = Path(__file__).parents[3]
PRELUDE = """extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
extern void *malloc(unsigned long);
struct node { int h; struct node *n; };
"""
DOWN = """int calls;
int down(int p) { calls = 1; if (p <= 0) return 0; return down(p - 1) + 1; }
int main(void) {
    int n = __VERIFIER_nondet_int();
    if (n < 0 || n > 99) return 0;
    if (down(n) != n) reach_error();
    return 0;
}
"""
SUMS = """int a[4];
int main(void) {
    int s = 0, n = __VERIFIER_nondet_int();
    for (int i = 0; i < 4; i++) a[i] = __VERIFIER_nondet_int() & 7;
    int i = 0;
    while (i < 4) { s += a[i]; i++; }
    if (s < 0) reach_error();
    return n;
}
"""
PUSHING = """static struct node *list;
static void push(void) { struct node *new = malloc(sizeof *new); new->h = 1; new->n = list; list = new; }
int main(void) { while (__VERIFIER_nondet_int()) push(); if (list && list->h != 1) reach_error(); return 0; }
"""


def lowered(text: str) -> Program:
    return lower(parse_program(f"{PRELUDE}{text}", "a.c", DataModel.ILP32), UnreachCall())


def documented() -> dict[str, Any]:
    """The example of the documentation."""
    page = (ROOT / "docs" / "certificates.md").read_text("utf-8")
    found = re.search(r"```json\n(.*?)```", page, re.DOTALL)
    assert found is not None
    document: dict[str, Any] = json.loads(found[1])
    return document


def written(folder: Path, document: object) -> Path:
    (folder / "counter.c").write_text((ROOT / "resources" / "examples" / "counter.c").read_text())
    (folder / "certificate.json").write_text(json.dumps(document, indent=2))
    return folder / "certificate.json"


def checked(folder: Path, document: object) -> tuple[int, str]:
    """The exit code of `interplay check`, and what it prints."""
    command = [sys.executable, "-m", "interplay", "check", str(written(folder, document))]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    return done.returncode, done.stdout + done.stderr


def with_formula(formula: str) -> dict[str, Any]:
    document = documented()
    document["invariants"][0]["formula"] = formula
    return document


@pytest.mark.long
def test_the_example_of_the_documentation_passes(tmp_path: Path) -> None:
    code, said = checked(tmp_path, documented())
    assert code == 0
    assert "Confirmed by: an inductive invariant" in said


@pytest.mark.long
@pytest.mark.parametrize(
    ("formula", "code", "reason"),
    [
        ("(and (>= down 0) (= up n))", 5, "does not establish what its target requires"),
        ("(>= down 0)", 5, "does not establish what its target requires"),
        ("false", 5, "does not establish what its target requires"),
        ("(and (>= down 0) n)", 3, "sorts do not fit"),
        ("(= up other)", 3, "other is no variable here"),
    ],
)
def test_wrong_ones_are_rejected(formula: str, code: int, reason: str, tmp_path: Path) -> None:
    found, said = checked(tmp_path, with_formula(formula))
    assert found == code
    assert reason in said
    assert "VERDICT: true" not in said


def examined(program: Program, **parts: object) -> CertificateResult:
    certificate = decode_certificate({"format": FORMAT, "version": 1, **parts}, program)
    checks = [check.id for check in program.checks]
    return check_certificate(program, checks, certificate, Cvc5Factory(), Limits(), lambda _: None, Effort(query=300))


def contract(post: str) -> list[object]:
    return [{"function": "down", "pre": "(and (<= 0 p) (<= p 99))", "post": post}]


def test_contracts_speak_of_snapshots() -> None:
    program = lowered(DOWN)
    assert isinstance(examined(program, contracts=contract(r"(= \result p@entry)")), Certified)
    for wrong in (r"(= \result (+ p@entry 1))", r"(= \result p)", "true"):
        assert isinstance(examined(program, contracts=contract(wrong)), Rejected | Inconclusive)


@pytest.mark.long
def test_contracts_speak_of_lists() -> None:
    program = lowered(PUSHING)
    assert program.memory is not None
    cells = {cell.field: (array.name, cell.offset) for array, own in program.memory.cells.items() for cell in own}
    (values, offset), (pointers, behind) = cells["h"], cells["n"]
    ones = f"""(and (forall ((x Int)) (=> (select allocated x)
        (and (select written x) (= (select |{values}| (+ x {offset})) 1))))
        (or (= list 0) (select allocated list)))"""
    push, call = program.functions["push"], next(edge.id for edge in program.edges if edge.text == "main()")
    head = {"calls": [call], "location": next(at.id for at in program.locations if at.loop)}
    places = [head, {"calls": [-1], "location": push.entry}, {"location": push.exit}]
    field = {"array": pointers, "offset": behind, "reaches": "reaches", "written": "written"}
    heap = {"kind": "heap", "allocated": "allocated", "fields": [field], "described": places}
    parts = {"ghosts": [heap], "invariants": [{**head, "formula": ones}]}
    assert isinstance(
        examined(program, contracts=[{"function": "push", "pre": ones, "post": ones}], **parts), Certified
    )
    twos = ones.replace(") 1)", ") 2)")
    for post in (twos, "true"):
        wrong = examined(program, contracts=[{"function": "push", "pre": ones, "post": post}], **parts)
        assert isinstance(wrong, Rejected | Inconclusive)


def test_ghost_arrays_are_read() -> None:
    program = lowered(SUMS)
    call = next(edge.id for edge in program.edges if edge.text == "main()")
    place = {"calls": [call], "location": [at.id for at in program.locations if at.loop][1]}
    step = "(+ result (select a index))"
    fold = {"kind": "fold", "symbol": "sums", **place, "edges": [], "first": "0", "step": step, "bound": "true"}
    named = {**place, "formula": "(= (select sums 0) 0)"}
    certificate = decode_certificate({"ghosts": [fold], "invariants": [named]}, program)
    assert [ghost.symbols[0].name for ghost in certificate.ghosts] == ["\\sums"]
    assert isinstance(examined(program, ghosts=[fold], invariants=[named]), Rejected | Inconclusive)


def test_ghost_arrays_have_the_values_that_they_are_given() -> None:
    text = (ROOT / "resources" / "examples" / "counter.c").read_text("utf-8")
    program = lower(parse_program(text, "counter.c", DataModel.ILP32), UnreachCall())
    (given,) = documented()["invariants"]
    place = {"calls": given["calls"], "location": given["location"]}
    edges = [edge.id for edge in program.edges if edge.target == place["location"]]
    fold = {"kind": "fold", "symbol": "s", **place, "edges": edges, "first": "0", "step": "(+ result 1)"}
    bounded = {**fold, "bound": "(>= result 0)"}

    def claiming(more: str) -> CertificateResult:
        return examined(
            program, ghosts=[bounded], invariants=[{**place, "formula": f"(and {given['formula']} {more})"}]
        )

    assert isinstance(claiming("(forall ((k Int)) (=> (>= k 0) (>= (select s k) 0))) (= (select s 0) 0)"), Certified)
    assert isinstance(claiming("(= (select s 1) 1)"), Certified)
    assert not isinstance(claiming("(= (select s 1) 0)"), Certified)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"version": 2}, "certificates of version 2 are not read here; 1 is"),
        ({"format": "other"}, "neither a run file nor a certificate"),
        ({"options": {}}, "expected a text"),
    ],
)
def test_other_documents_are_refused(change: dict[str, object], message: str, tmp_path: Path) -> None:
    with pytest.raises(Malformed, match=message):
        open_run(written(tmp_path, {**documented(), **change}))


def test_a_certificate_opens_with_the_program_beside_it(tmp_path: Path) -> None:
    run = open_run(written(tmp_path, documented()))
    assert "reach_error" in run.source("counter.c")
    assert run.document(CERTIFICATE) == documented()


@pytest.mark.parametrize(
    ("parts", "message"),
    [
        ({"invariant": []}, "certificates have no field 'invariant'"),
        ({"invariants": [{"calls": [], "location": 999, "formula": "true"}]}, "has no location 999"),
        ({"invariants": [{"calls": [], "location": 0}]}, "'formula' is missing"),
        ({"contracts": [{"function": "f", "pre": "true", "post": "true"}]}, "has no function 'f'"),
        ({"ghosts": [{"kind": "dream"}]}, "unknown kind of ghost 'dream'"),
        ({"lemmas": ["(+ 1 1)"]}, "sorts do not fit"),
        ({"lemmas": ["(and"]}, "unbalanced parenthesis"),
        ({"lemmas": [3]}, "expected a text"),
    ],
)
def test_what_is_not_like_the_format_is_said(parts: dict[str, object], message: str) -> None:
    with pytest.raises(Malformed, match=re.escape(message)):
        decode_certificate(parts, lowered(SUMS))


@pytest.mark.parametrize(
    "text",
    ["", "x y", "()", "(not)", "(not true true)", "(and)", "(+ 1 true)", "(= 1)", "(= true true)", "(ite 1 2 3)",
     "(select 1 2)", "(div 1)", "(forall (k) true)", "(forall ((k Bool)) true)", "(let ((a 1)) a)", "((_ f 1) 2)",
     "(((", "(" * 500 + ")" * 500, "(store 1 2 3)"],
)  # fmt: skip
def test_ill_sorted_formulas_are_refused(text: str) -> None:
    with pytest.raises(NotReadable):
        read_formula(Arena(), text, {})
