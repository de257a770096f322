"""Programs whose memory engines see as variables, through the whole checker, whose output is about the program."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.terms import Arena
from frontend.api import parse_program
from frontend.lowering import UnreachCall, lower
from frontend.typed.ctype import DataModel
from methods.engine import EditAction
from runs.events import TermDefined
from runs.evidence_json import decode_evidence
from runs.runfile import open_run
from tests.support import prepared
from tests.support.prepared import command as main
from tests.unit.interplay.session.test_steered import MAIN, at_round, request, run, view_of

DECLARATIONS = "extern int __VERIFIER_nondet_int(void); extern void reach_error(void);\n"
LOOP = (
    DECLARATIONS
    + """
static void both(int *x, int *y) { ++*x; ++*y; if (*x == 1000) { *x = 0; *y = 0; } }
int main(void) {
  int x = 0, y = 0;
  while (__VERIFIER_nondet_int()) both(&x, &y);
  if (x != y) reach_error();
  return 0;
}
"""
)
RECURSIVE = (
    DECLARATIONS
    + """
static void add(int n, int *sum, int *calls) {
  if (n <= 0) return;
  *sum = *sum + 1; *calls = *calls + 1;
  add(n - 1, sum, calls);
}
int main(void) {
  int s = 0, c = 0, other = 5, *q = &other, n = __VERIFIER_nondet_int();
  if (n < 0 || n > 1000) return 0;
  add(n, &s, &c);
  if (s != c || *q != 5) reach_error();
  return 0;
}
"""
)
"""The contract of `add` says that `other`, which it does not reach, stays as it is, though `s` may be beside it."""
BESIDE = (
    RECURSIVE.replace("int s = 0, c = 0,", "struct { int s, o, c; } t = {0, 5, 0}; int")
    .replace("&s, &c", "&t.s, &t.c")
    .replace("s != c ||", "t.s != t.c || t.o != 5 ||")
)
"""The same with the parts of one object."""
WRONG = (
    DECLARATIONS
    + """
struct s { int v, *p; };
int main(void) {
  int x = 3, y = __VERIFIER_nondet_int();
  struct s t; struct s *u = &t; struct s **w = &u;
  t.p = &x; t.v = 0;
  if (y > 10 && y < 20) *(*w)->p = y;
  if (x == 15) reach_error();
  return 0;
}
"""
)
PROOFS = [(LOOP, "transition"), (LOOP, "bmc"), (RECURSIVE, "chc"), (RECURSIVE, "eureka"), (BESIDE, "chc")]


@pytest.mark.long
@pytest.mark.parametrize(("text", "engine"), PROOFS)
def test_a_proof_about_variables_is_one_about_memory(text: str, engine: str, tmp_path: Path) -> None:
    source, target = tmp_path / "task.c", tmp_path / "run.interplay"
    source.write_text(text)
    verdict = prepared.verify(source, property="unreach-call", engine=engine, output=target)
    assert verdict.status == "true", verdict
    assert main(["check", str(target)]) == 0
    program = lower(parse_program(text, "task.c", DataModel.ILP32), UnreachCall("reach_error"))
    evidence = decode_evidence(open_run(target).document("evidence.json"), Arena())
    [certificate] = evidence.certificates.values()
    names = {x.name for x in program.variables}
    for formula in certificate.invariants.values():
        assert {x.name.partition("@")[0].partition("#")[0] for x in formula.symbols()} <= names


@pytest.mark.parametrize("engine", ["transition", "bmc", "explicit", "chc", "concrete"])
def test_a_violation_is_one_of_the_program(engine: str, tmp_path: Path) -> None:
    source = tmp_path / "task.c"
    source.write_text(WRONG)
    assert prepared.verify(source, property="unreach-call", engine=engine).status == "false"


def test_predicates_and_events_are_about_memory(tmp_path: Path) -> None:
    events = run(tmp_path, request(tmp_path), at_round(0, EditAction.ADD_PREDICATE, "x == y", MAIN), LOOP)
    view = view_of(events)
    assert view.verdict is not None
    assert view.verdict.verdict == "true"
    assert any(lemma.event.origin == "user" for lemma in view.attempt.lemmas)
    names = {event.payload for event in events if isinstance(event, TermDefined) and event.op == "symbol"}
    assert "memory1.int32" in names
    assert not any("[" in name for name in names)
