"""Evidence that people and tools write: that of the documentation holds, wrong one is rejected."""

from __future__ import annotations

import json
import re
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
from core.verdict import Certificate
from frontend.api import parse_program
from frontend.lowering import UnreachCall, lower
from frontend.typed.ctype import DataModel
from runs.evidence_json import decode_evidence
from runs.jsondata import Malformed
from runs.runfile import open_evidence, open_run
from tests.support.prepared import run

ROOT = Path(__file__).parents[4]
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
    page = (ROOT / "docs" / "evidence.md").read_text("utf-8")
    found = re.search(r"```json\n(.*?)```", page, re.DOTALL)
    assert found is not None
    document: dict[str, Any] = json.loads(found[1])
    return document


def written(folder: Path, document: object) -> Path:
    (folder / "counter.c").write_text((ROOT / "resources" / "examples" / "counter.c").read_text())
    (folder / "evidence.json").write_text(json.dumps(document, indent=2))
    return folder / "evidence.json"


def checked(folder: Path, document: object) -> tuple[int, str]:
    """The exit code of `interplay check`, and what it prints."""
    done = run("check", written(folder, document))
    return done.returncode, done.stdout + done.stderr


def with_formula(formula: str) -> dict[str, Any]:
    document = documented()
    document["certificates"][0]["invariants"][0][2] = formula
    return document


@pytest.mark.long
def test_the_example_of_the_documentation_passes(tmp_path: Path) -> None:
    code, said = checked(tmp_path, documented())
    assert code == 0
    assert "Confirmed by: an inductive invariant" in said


def test_what_is_not_a_run_is_not_shown_as_one(tmp_path: Path) -> None:
    with pytest.raises(Malformed, match=r"no run file; evidence in JSON is examined by `interplay check"):
        open_run(written(tmp_path, documented()))


@pytest.mark.long
@pytest.mark.parametrize(
    ("formula", "code", "reason"),
    [
        ("(and (>= down 0) (= up n))", 5, "does not establish what its target requires"),
        ("(>= down 0)", 5, "does not establish what its target requires"),
        ("false", 5, "does not establish what its target requires"),
        (
            "(and (>= down 0) n)",
            3,
            "evidence.json: certificates[0].invariants[0]: '(and (>= down 0) n)': and: sorts",
        ),
        ("(= up other)", 3, "other is no variable here"),
    ],
)
def test_wrong_ones_are_rejected(formula: str, code: int, reason: str, tmp_path: Path) -> None:
    found, said = checked(tmp_path, with_formula(formula))
    assert found == code
    assert reason in said
    assert "VERDICT: true" not in said


def certificate_of(parts: dict[str, Any], program: Program) -> Certificate:
    evidence = decode_evidence({"certificates": [parts]}, program.arena, program)
    assert list(evidence.certificates) == [check.id for check in program.checks]
    return evidence.certificates[0]


def examined(program: Program, **parts: object) -> CertificateResult:
    certificate = certificate_of(parts, program)
    checks = [check.id for check in program.checks]
    return check_certificate(program, checks, certificate, Cvc5Factory(), Limits(), lambda _: None, Effort(query=300))


def contract(post: str) -> list[object]:
    return [["down", "(and (<= 0 p) (<= p 99))", post]]


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
    head = [[call], next(at.id for at in program.locations if at.loop)]
    field = [f"|{pointers}|", behind, "reaches", "written"]
    places = [head, [[-1], push.entry], [[], push.exit]]
    heap = {"allocated": "allocated", "fields": [field], "structured": places}
    parts: dict[str, object] = {"ghosts": [["heap", heap]], "invariants": [[*head, ones]]}
    assert isinstance(examined(program, contracts=[["push", ones, ones]], **parts), Certified)
    twos = ones.replace(") 1)", ") 2)")
    for post in (twos, "true"):
        wrong = examined(program, contracts=[["push", ones, post]], **parts)
        assert isinstance(wrong, Rejected | Inconclusive)


def test_ghost_arrays_are_read() -> None:
    program = lowered(SUMS)
    place = [None, [at.id for at in program.locations if at.loop][1]]
    fold = ["fold", [*place, [], ["sums", "result", "index", "0", "(+ result (select a index))", "true"]]]
    named = [*place, "(= (select sums 0) 0)"]
    certificate = certificate_of({"ghosts": [fold], "invariants": [named]}, program)
    assert [ghost.symbols[0].name for ghost in certificate.ghosts] == ["\\sums"]
    assert isinstance(examined(program, ghosts=[fold], invariants=[named]), Rejected | Inconclusive)


def test_ghost_arrays_have_the_values_that_they_are_given() -> None:
    text = (ROOT / "resources" / "examples" / "counter.c").read_text("utf-8")
    program = lower(parse_program(text, "counter.c", DataModel.ILP32), UnreachCall())
    ((calls, line, given),) = documented()["certificates"][0]["invariants"]
    edges = [edge.id for edge in program.edges if program.locations[edge.target].loop]
    bounded = ["fold", [calls, line, edges, ["s", "result", "index", "0", "(+ result 1)", "(>= result 0)"]]]

    def claiming(more: str) -> CertificateResult:
        return examined(program, ghosts=[bounded], invariants=[[calls, line, f"(and {given} {more})"]])

    assert isinstance(claiming("(forall ((k Int)) (=> (>= k 0) (>= (select s k) 0))) (= (select s 0) 0)"), Certified)
    assert isinstance(claiming("(= (select s 1) 1)"), Certified)
    assert not isinstance(claiming("(= (select s 1) 0)"), Certified)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"version": 2}, "evidence.json: this is not interplay-evidence of version 1, which is read here"),
        ({"format": "other"}, "this is not interplay-evidence"),
        ({"options": []}, "expected an object"),
        ({"invariants": []}, "there is no field 'invariants' here, but format, version, options"),
    ],
)
def test_other_documents_are_refused(change: dict[str, object], message: str, tmp_path: Path) -> None:
    with pytest.raises(Malformed, match=message):
        open_evidence(written(tmp_path, {**documented(), **change}))


@pytest.mark.long
@pytest.mark.parametrize(
    ("before", "after", "code", "message"),
    [
        ('"version": 1,', '"version": 1', 3, "not JSON: Expecting ',' delimiter: line 4 column 3"),
        ('"property"', '"proprety"', 3, "evidence.json: options: proprety says nothing of the program or the question"),
        ('"property"', '"data_model": "LP65", "property"', 3, "options.data_model: 'LP65' is none of ILP32, LP64, ARM"),
        ('"counter.c"', "7", 3, "options.task: expected a text, found 7"),
        ("unreach-call", "unreached-call", 3, "options.property: unreached-call: neither a property file nor one of"),
        ('"unreach-call"', "[1]", 3, "evidence.json: options.property: expected a text"),
        ('"task": "counter.c"', '"task": "other.c"', 3, "other.c:1:1: error: there is no such file"),
        ('"options"', '"digest": "0", "options"', 5, "the stored program is not that of the stored sources"),
        ("counter.c:15", "14", 3, "certificates[0].invariants[0]: line 14 has the locations 5, 7: say which"),
    ],
)
def test_errors_say_where(before: str, after: str, code: int, message: str, tmp_path: Path) -> None:
    file = written(tmp_path, documented())
    file.write_text(file.read_text().replace(before, after))
    done = run("check", file)
    assert done.returncode == code
    assert message in done.stdout + done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize(
    ("parts", "message"),
    [
        ({"invariant": []}, "certificates[0]: there is no field 'invariant'"),
        ({"invariants": [[[], 999, "true"]]}, "certificates[0].invariants[0]: the program has no location 999"),
        ({"invariants": [[[], 0, "true"], [[], 0, "true"]]}, "invariants[1]: this place has an invariant already"),
        ({"invariants": [[[], 0]]}, "expected 3 values, found 2"),
        ({"invariants": [[[], "77", "true"]]}, "line 77 has no location"),
        ({"invariants": [[[], "b.c:6", "true"]]}, "line b.c:6 has no location"),
        ({"contracts": [["f", "true", "true"]]}, "contracts[0]: the program has no function 'f'"),
        ({"ghosts": [["dream", {}]]}, "certificates[0].ghosts[0]: unknown kind of ghost 'dream'"),
        ({"lemmas": ["(+ 1 1)"]}, "sorts do not fit"),
        ({"lemmas": ["true", "(and"]}, "certificates[0].lemmas[1]: '(and': unbalanced parenthesis"),
        ({"lemmas": [f"(<= 0 {'9' * 5000})"]}, "certificates[0].lemmas[0]: "),
        ({"lemmas": [f"(<= 0 {'9' * 5000})"]}, "a number has too many digits"),
        ({"lemmas": [3]}, "certificates[0].lemmas[0]: term 3 is not defined"),
        ({"lemmas": [None]}, "expected an integer"),
    ],
)
def test_what_is_not_like_the_format_is_said(parts: dict[str, object], message: str) -> None:
    with pytest.raises(Malformed, match=re.escape(message)):
        certificate_of(parts, lowered(SUMS))


def test_calls_are_named_where_there_are_several() -> None:
    program = lowered("void f(void) { while (__VERIFIER_nondet_int()) ; }\nint main(void) { f(); f(); return 0; }\n")
    with pytest.raises(Malformed, match="there are several ways to f, or none"):
        certificate_of({"checks": [0], "invariants": [[None, "5", "true"]]}, program)


def test_texts_need_a_program() -> None:
    with pytest.raises(Malformed, match=r"certificates\[0\].lemmas\[0\]: .* the program, which is not at hand"):
        decode_evidence({"certificates": [{"checks": [0], "lemmas": ["true"]}]}, Arena())


@pytest.mark.parametrize(
    "text",
    ["", "x y", "()", "(not)", "(not true true)", "(and)", "(+ 1 true)", "(= 1)", "(= true true)", "(ite 1 2 3)",
     "(select 1 2)", "(div 1)", "(forall (k) true)", "(forall ((k Bool)) true)", "(let ((a 1)) a)", "((_ f 1) 2)",
     "(((", "(" * 500 + ")" * 500, "(store 1 2 3)"],
)  # fmt: skip
def test_ill_sorted_formulas_are_refused(text: str) -> None:
    with pytest.raises(NotReadable):
        read_formula(Arena(), text, {})
