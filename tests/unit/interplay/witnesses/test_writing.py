"""`export` and `verify --witness`: what runs of real programs say in the formats of other tools."""

import hashlib
from pathlib import Path
from typing import Any

import pytest
import yaml
import z3

from interplay.witnesses.formats.model import CorrectnessWitness, ViolationWitness, WaypointKind
from interplay.witnesses.writing import WaypointStyle, sarif_of, violating_inputs, witness_of
from runs.runfile import open_run
from tests.support import prepared
from tests.support.prepared import command as main
from tests.support.sarif_rules import check_sarif
from tests.support.witness_schema import check_witness

VIOLATED = """extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int twice(int x) { return 2 * x; }
int main(void) {
  int a = __VERIFIER_nondet_int(), b;
  b = __VERIFIER_nondet_int();
  if (a > 3 && __VERIFIER_nondet_int() == 5)
    if (twice(a) == 12 && b == 7) reach_error();
  return 0;
}
"""

PROVED = """extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int total;
void add(int n) {
  int x = 0;
  for (int i = 0; i < n; i++) { total++; }
}
int main(void) {
  int i = 5; __VERIFIER_nondet_int();
  { int i = 0; while (i < 10) { i += 2; } if (i != 10) reach_error(); }
  add(2);
  do { i = i + 1; } while (i < 9);
  if (i != 9) reach_error();
  return 0;
}
"""


def run_of(tmp_path: Path, text: str, status: str) -> Path:
    source, run = tmp_path / "program.c", tmp_path / "run.interplay"
    source.write_text(text)
    assert prepared.verify(source, property="unreach-call", output=run).status == status
    return run


@pytest.fixture(scope="module")
def violated(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return run_of(tmp_path_factory.mktemp("violated"), VIOLATED, "false")


@pytest.fixture(scope="module")
def proved(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return run_of(tmp_path_factory.mktemp("proved"), PROVED, "true")


@pytest.mark.long
def test_a_violation_witness_has_the_inputs_where_they_are_known(violated: Path) -> None:
    witness = witness_of(open_run(violated))
    assert isinstance(witness, ViolationWitness)
    shown = [(w.kind, w.position.line, w.position.column, w.constraint) for w in witness.waypoints]
    assert violating_inputs(open_run(violated))[1] == [(6, 7, 5)]
    assert shown == [
        # `b` is another declarator of the same declaration, which is no place of its own
        (WaypointKind.FUNCTION_RETURN, 5, 33, "\\result == 6"),
        (WaypointKind.ASSUMPTION, 7, 3, "b == 7"),
        (WaypointKind.FUNCTION_RETURN, 7, 38, "\\result == 5"),
        (WaypointKind.TARGET, 8, 35, ""),
    ]
    assert {w.position.function for w in witness.waypoints} == {"main"}
    returns = witness_of(open_run(violated), WaypointStyle.FUNCTION_RETURN)
    assert isinstance(returns, ViolationWitness)
    assert [w.constraint for w in returns.waypoints[:3]] == [f"\\result == {n}" for n in (6, 7, 5)]


@pytest.mark.long
def test_loop_invariants_speak_about_what_is_in_scope(proved: Path) -> None:
    witness = witness_of(open_run(proved))
    assert isinstance(witness, CorrectnessWitness)
    found = {(one.kind.value, one.position.line, one.position.column): one.value for one in witness.invariants}
    assert ("loop_invariant", 10, 16) in found
    assert ("location_invariant", 12, 8) in found  # the head of a do loop is the begin of its body
    assert "i <= 5" not in found["loop_invariant", 10, 16]  # that is the outer i


IN_MEMORY = """extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
struct ring { unsigned head, count; signed char buf[4]; };
void push(struct ring *r) { if (r->count < 4) { r->buf[r->head] = 1; r->head = (r->head + 1) % 4; r->count++; } }
int main(void) {
  struct ring r = {0, 0, {0}};
  while (__VERIFIER_nondet_int()) {
    push(&r);
    if (r.count > 4 || r.head != r.count % 4) reach_error();
  }
  return 0;
}
"""


@pytest.mark.long
def test_loop_invariants_speak_about_members_in_memory(tmp_path: Path) -> None:
    witness = witness_of(open_run(run_of(tmp_path, IN_MEMORY, "true")))
    assert isinstance(witness, CorrectnessWitness)
    (invariant,) = witness.invariants
    assert "r.count" in invariant.value
    assert "r.head" in invariant.value
    assert "memory" not in invariant.value


def test_every_format_is_written(violated: Path, tmp_path: Path) -> None:
    outputs = [tmp_path / name for name in ("w.yml", "w.graphml", "suite", "log.sarif")]
    words = [w for flag, out in zip(("witness", "graphml", "test-suite", "sarif"), outputs, strict=True)
             for w in (f"--{flag}", str(out))]  # fmt: skip
    assert main(["export", str(violated), *words]) == 0
    value = yaml.safe_load(outputs[0].read_text())
    check_witness(value)
    source = violated.parent / "program.c"
    assert value[0]["metadata"]["task"]["input_file_hashes"] == {
        str(source): hashlib.sha256(source.read_bytes()).hexdigest()
    }
    check_sarif(outputs[3].read_text())
    assert sorted(p.name for p in outputs[2].iterdir()) == ["metadata.xml", "testcase-1.xml"]


def test_each_violation_makes_a_test(tmp_path: Path) -> None:
    text = (
        "int __VERIFIER_nondet_int(void);\nvoid __VERIFIER_assert(int c);\n#include <assert.h>\n"
        "int main(void) { int x = __VERIFIER_nondet_int(); if (x < 0) assert(x != -4); else assert(x != 9); }\n"
    )
    source, run = tmp_path / "program.c", tmp_path / "run.interplay"
    source.write_text(text)
    assert prepared.verify(source, output=run).status == "false"
    assert sorted(violating_inputs(open_run(run))[1]) == [(-4,), (9,)]


def test_the_log_of_a_violation_has_its_trace(violated: Path) -> None:
    log: Any = check_sarif(sarif_of(open_run(violated)))
    ((result,),) = [run["results"] for run in log["runs"]]
    steps = result["codeFlows"][0]["threadFlows"][0]["locations"]
    assert steps[-1]["location"]["message"]["text"] == result["message"]["text"].partition(":")[0]
    assert {step["nestingLevel"] for step in steps} == {0, 1}
    assert any(step.get("state") == {"x": {"text": "6"}} for step in steps)


def test_a_proof_makes_no_test(proved: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    suite, page = tmp_path / "suite", tmp_path / "page.html"
    assert main(["export", str(proved), "--test-suite", str(suite), "--html", str(page)]) == 3
    assert "a test suite needs a violation, and the run found none" in capsys.readouterr().err
    assert not suite.exists()
    assert page.exists()  # what the run has is written
    assert main(["export", str(proved)]) == 2
    assert main(["export", str(proved.parent / "program.c"), "--witness", str(tmp_path / "w.yml")]) == 3


@pytest.mark.long
def test_verify_leaves_a_witness_and_its_verdict(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    source, target = tmp_path / "program.c", tmp_path / "w.yml"
    source.write_text(VIOLATED)
    assert main(["verify", str(source), "--witness", str(target), "--quiet"]) == 10
    check_witness(yaml.safe_load(target.read_text()))
    source.write_text("int main(void) { return 0; }\n")
    target.unlink()
    assert main(["verify", str(source), "--witness", str(target), "--quiet"]) == 5
    assert "no witness is written" in capfd.readouterr().err
    assert not target.exists()


def test_programs_are_written_as_clauses(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    source, target = tmp_path / "a.c", tmp_path / "a.smt2"
    source.write_text(PROVED)
    assert main(["export", str(source), "--chc", "--output", str(target)]) == 0
    lines = target.read_text().splitlines()
    assert "(set-logic HORN)" in lines
    assert lines[-1] == "(check-sat)"
    assert main(["export", str(source), "--chc", "--property", "unreach-call"]) == 0
    assert capsys.readouterr().out == target.read_text()


@pytest.mark.parametrize(("least", "answer"), [(3, "sat"), (4, "unsat")])
def test_divisors_that_vary_are_exact_in_clauses(
    least: int, answer: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The arbitrary quotients and remainders that help Spacer would make both `unsat`."""
    source = tmp_path / "a.c"
    source.write_text(
        f"""extern int __VERIFIER_nondet_int(void); extern void reach_error(void);
        int main(void) {{
          int n = __VERIFIER_nondet_int(), d = __VERIFIER_nondet_int();
          if (n < 12 || n > 13 || d < 3 || d > 4) return 0;
          if (n / d < {least} || n % d > 1) reach_error();
          return 0;
        }}
        """
    )
    assert main(["export", str(source), "--chc"]) == 0
    solver = z3.Solver()  # there is no relation
    solver.from_string(capsys.readouterr().out)
    assert str(solver.check()) == answer


def test_bit_operators_are_refused_in_clauses(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    source = tmp_path / "a.c"
    source.write_text(VIOLATED.replace("b == 7", "(a ^ b) == 7"))
    assert main(["export", str(source), "--chc"]) == 4
    assert "a.c:8:" in capsys.readouterr().err


MACROS = """#define N 10
#define READ() __VERIFIER_nondet_int()
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int main(void) {
  int a = READ(); int b = __VERIFIER_nondet_int();
  int c = READ();
  int d = __VERIFIER_nondet_int(); int e = N;
  if (a == 5 && b == N && c == 7 && d == 8) reach_error();
  return e;
}
"""


def test_columns_that_macros_have_moved_are_left_out(tmp_path: Path) -> None:
    witness = witness_of(open_run(run_of(tmp_path, MACROS, "false")))
    assert isinstance(witness, ViolationWitness)
    shown = [(w.position.line, w.position.column, w.constraint) for w in witness.waypoints]
    assert shown == [
        # nothing on line 6 has a column by which it could be named, but what follows it has
        (7, 3, "b == 10"),
        (8, 3, "c == 7"),
        (8, 36, "d == 8"),
        (9, None, ""),
    ]


def test_a_witness_about_an_assertion_is_confirmed(tmp_path: Path) -> None:
    """Its format has no word for assertions."""
    text = "#include <assert.h>\nint f(void);\nint main(void) { int x = f(); assert(x != 7); return 0; }\n"
    (tmp_path / "t.c").write_text(text)
    prepared.run("verify", tmp_path / "t.c", "--engine", "bmc", "--witness", tmp_path / "w.yml")
    found = prepared.run("witness", "check", tmp_path / "w.yml", tmp_path / "t.c")
    assert found.stdout.splitlines()[-1] == "WITNESS: confirmed"
