"""Random programs with memory: the truth that gcc finds, and engines by themselves against it."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from random import Random

import pytest

from interplay.session.request import Request
from methods.registry import ENGINES
from tests.random_programs.checked import Answer, answers, contradictions
from tests.random_programs.configurations import configurations
from tests.random_programs.enumeration import UNREACH, gcc_is_there
from tests.random_programs.memory_generator import PRELUDE, MemoryGenerator, with_checks
from tests.random_programs.memory_scope import NAMED, Feature
from tests.random_programs.memory_truth import KINDS, Build, MemoryProgram, NoTruth, executed, judge, memory_programs

ROOT = Path(__file__).parents[2]

pytestmark = pytest.mark.skipif(not gcc_is_there(), reason="needs gcc")

_LINES = len(PRELUDE.splitlines())
_INPUT = "int x = __VERIFIER_nondet_int(); __VERIFIER_assume(x >= 0 && x <= 2);"


def _judged(body: str, kinds: tuple[str, ...] = KINDS, before: str = "") -> MemoryProgram | None:
    """The truth about a main function whose first line is line `_LINES` + 1, which reads x from 0 to 2."""
    text = f"{PRELUDE}{before}int main(void) {{ {_INPUT}\n{body}\nreturn 0; }}\n"
    return judge([("p", text)], kinds)[0]


@pytest.mark.long
@pytest.mark.parametrize(
    ("body", "violation"),
    [
        ("int a[2] = {0}; return a[x];", "bounds"),
        ("int a[2] = {0}, *p = a; return p[x];", "dangling"),
        ("int y = 0, *p = x ? &y : 0; return *p;", "null"),
        ("int *p; { int y = x; p = &y; } return *p;", "dangling"),
        ("char *p = malloc(2); p[0] = p[1] = 1; free(p); return p[0];", "dangling"),
        ("return 6 / x;", "division"),
        ("return 1 << (x * 20);", "shift"),
        ("int *p = x ? 0 : &x; *p * 0;", "null"),
        ("int *p = x ? 0 : &x; *p & 0;", "null"),
        ("int *p = x ? 0 : &x; x ? *p : *p;", "null"),
        ("int a[2] = {0}; x > 1 && a[x];", "bounds"),
        ("char *p = malloc(1); if (x) free(p); free(p);", "dangling"),
        ("_Bool b; memset(&b, x, 1); return b;", "boolean"),
        ("_Bool b[2]; memcpy(b, &x, 2); return b[0] ? 1 : 0;", "boolean"),
        ("_Bool b = 1; *(unsigned char *)&b = x; b |= 1;", "boolean"),
        ("struct S { _Bool b[2]; } s; memset(&s, x, 2); struct S t; t = s; return t.b[1];", "boolean"),
    ],
)
def test_kind_and_line_are_known(body: str, violation: str) -> None:
    program = _judged(body)
    assert program is not None
    assert program.violations == {(violation, _LINES + 2)}
    assert program.valuations == 3


@pytest.mark.long
@pytest.mark.parametrize(
    ("expression", "alternatives"),
    [
        ("a[x + 1] + 1 / (x - 1)", [{"bounds"}, {"bounds", "division"}]),
        ("pure(a[x + 1]) + 1 / (x - 1)", [{"bounds"}, {"bounds", "division"}]),
        ("1 / (a[x + 1] * 0 - x + x)", [{"bounds"}, {"division"}]),
        ("partial(x) + a[x + 1]", [{"bounds"}, {"division", "bounds"}]),
        ("x && a[x + 1] ? 1 / (x - 2) : 0", [{"bounds"}]),
    ],
)
def test_operands_have_no_order(expression: str, alternatives: list[set[str]]) -> None:
    before = "static int pure(int n) { return n; } static int partial(int n) { return 1 / (n - 2); } "
    program = _judged(f"int a[2] = {{0}}; {expression};", before=before)
    assert program is not None
    kinds = [{kind if line > _LINES + 1 else "division" for kind, line in one} for one in program.certain]
    assert sorted(map(sorted, kinds)) == sorted(map(sorted, alternatives))


@pytest.mark.long
@pytest.mark.parametrize(
    "body",
    [
        "int a[4] = {1}, b[4] = {2}; int *p = a; return p[k] + b[0];",
        "static int a[4] = {1}, b[4] = {2}; int *p = b; return p[k] + a[0];",
        "int *a = malloc(16), *b = malloc(16); int *p = k ? a : b; return *(p + k);",
        "int *p = file; p += k; return *p;",
        "return at(1, 2, k);",
    ],
)
def test_another_object_is_outside(body: str) -> None:
    before = "static int file[4] = {1}, other[4]; static int at(int v, int w, int k) { int *p = &v; return p[k]; } "
    reads = "int k = __VERIFIER_nondet_int(); __VERIFIER_assume(k >= -110 && k <= 110);"
    (truth,) = executed([f"{PRELUDE}{before}\nint main(void) {{\n{reads}\n{body} }}\n"], Build.CHECKED)
    assert truth is not None
    length = 1 if "at(" in body else 4
    assert {one.inputs[0] for one in truth.executions if not one.faults} == set(range(length))


def test_the_end_of_an_array_has_an_address() -> None:
    fine, arguable, wrong = (
        _judged(use, before="struct S { int a; } t[2]; ")
        for use in ("struct S *p = &t[x];", "int *p = &t[x].a;", "struct S *p = &t[x + 1];")
    )
    assert fine is not None
    assert arguable is not None
    assert wrong is not None
    assert not fine.violations
    assert arguable.violations == {("bounds", _LINES + 2)}
    assert arguable.safe
    assert wrong.certain == {frozenset({("bounds", _LINES + 2)})}


@pytest.mark.long
def test_bytes_that_are_no_truth_values_are_no_fault_by_themselves() -> None:
    set_ = "memset(&s, x, sizeof s);"
    byte, copy = (
        _judged(f"{set_} {use}", before="struct S { char c; _Bool b; } s; struct S t; ")
        for use in ("return s.c + ((unsigned char *)&s)[1];", "t = s; t.b = 1; return t.b;")
    )
    assert byte is not None
    assert copy is not None
    assert not byte.violations
    assert copy.violations == {("boolean", _LINES + 2)}
    assert copy.safe


def test_what_depends_on_addresses_has_no_truth() -> None:
    close = "if ((q - p) * (q - p) < 16) reach_error();"  # not with room for checks between objects
    assert _judged(f"int y = 0, *p = &x, *q = &y; {close}", ()) is None


def test_wrapping_around_is_no_violation() -> None:
    program = _judged("int y = 2147483647; y += x; if (y < 0) return 1;")
    assert program is not None
    assert program.safe


def test_errors_are_those_of_a_plain_build() -> None:
    program = _judged("if (x == 2) reach_error();\nif (x == 3) reach_error();", ())
    assert program is not None
    assert program.violations == {(UNREACH, _LINES + 2)}


def test_truth_and_answers_have_one_data_model(tmp_path: Path) -> None:
    body = "struct S { int a; int *p; } s; char *p = (char *)&s; p[15] = 1; if (sizeof s == 16) reach_error();"
    program = _judged(body)
    assert program is not None
    ((_, _, answer),) = answers([(program, Request("", engine="bmc", time_limit=20))], tmp_path, 1)
    assert answer.decided
    assert contradictions(program, answer) == []


def test_inputs_need_bounds_on_their_line() -> None:
    with pytest.raises(NoTruth):
        judge([("p", "int main(void) { int x = __VERIFIER_nondet_int(); return x; }")], ())


def test_what_answers_contradict() -> None:
    null, shift = ("null", 7), ("shift", 7)
    program = MemoryProgram("p", "", KINDS, frozenset({null, shift}), frozenset({frozenset({null, shift})}), 1)
    right = Answer("false(null)", statuses={null: ("false",), shift: ("true",)})
    assert contradictions(program, right) == []
    assert len(contradictions(program, Answer("true", statuses={null: ("true",), shift: ("true",)}))) == 2
    assert len(contradictions(program, Answer("unknown", statuses={("null", 8): ("false",)}))) == 1
    assert contradictions(program, Answer("unknown", statuses={null: ("true",), shift: ("unknown",)})) == []


def test_every_configuration_has_its_name() -> None:
    found = configurations()
    assert {one.engine for one in found} == set(ENGINES)
    assert len({one.name for one in found}) == len(found) >= 13


def test_every_feature_is_drawn() -> None:
    for feature in Feature:
        assert MemoryGenerator(Random(1), frozenset({feature})).draft().features == {feature}
    drawn = [MemoryGenerator(Random(number)).draft() for number in range(60)]
    assert frozenset.union(*(one.features for one in drawn)) == frozenset(Feature) - NAMED
    assert MemoryGenerator(Random(1), None, NAMED).draft().features > NAMED


@pytest.mark.long
@pytest.mark.parametrize("count", [6, pytest.param(60, marks=pytest.mark.slow)])
def test_without_risk_everything_is_defined(count: int) -> None:
    drafts = [MemoryGenerator(Random(f"defined/{number}")).draft() for number in range(count)]
    texts = [with_checks(one, tuple(";" for _ in one.sites)) for one in drafts if not one.is_risky]
    truths = executed(texts, Build.CHECKED)
    assert all(truth is None or truth.is_defined for truth in truths)
    assert sum(truth is not None for truth in truths) > count / 3


@pytest.mark.long
@pytest.mark.parametrize("count", [8, pytest.param(24, marks=pytest.mark.slow)])
def test_both_questions_have_both_answers(count: int) -> None:
    programs = memory_programs("both", 0, count)
    assert {(bool(one.kinds), one.safe) for one in programs} == {(a, b) for a in (True, False) for b in (True, False)}


def _rows(tmp_path: Path, *arguments: str) -> list[dict[str, object]]:
    """The rows of the journal after a run of the benchmark, which fails on a contradiction."""
    journal = tmp_path / "journal"
    command = [sys.executable, "-m", "benchmarks.random_programs", "--no-native-replay", "--resume", str(journal)]
    done = subprocess.run([*command, *arguments], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return [json.loads(line) for line in journal.read_text().splitlines()]


@pytest.mark.long
@pytest.mark.parametrize("count", [4, pytest.param(8, marks=pytest.mark.slow)])
def test_engines_agree_on_a_sample(count: int, tmp_path: Path) -> None:
    how = "--features", "all", "--spread", "--time-limit", "4"
    rows = _rows(tmp_path, *how, "--count", str(count), "--seed", "c")  # whose first four are decided soon
    assert len(rows) == count
    assert sum(bool(row.get("decided")) for row in rows) >= count // 2


@pytest.mark.long
@pytest.mark.parametrize("count", [3, pytest.param(8, marks=pytest.mark.slow)])
def test_engines_agree_on_volatile_objects_failing_allocation_and_truth_values_as_bytes(
    count: int, tmp_path: Path
) -> None:
    how = "--features", ",".join(("all", *sorted(NAMED))), "--volatile", "arbitrary", "--spread", "--time-limit", "4"
    rows = _rows(tmp_path, *how, "--count", str(count), "--seed", "b")  # whose first three are decided soon
    assert len(rows) == count
    assert sum(bool(row.get("decided")) for row in rows) >= count // 2


@pytest.mark.slow
def test_every_configuration_agrees_on_many(tmp_path: Path) -> None:
    rows = _rows(tmp_path, "--features", "all", "--spread", "--count", "540", "--seed", "many", "--time-limit", "5")
    assert sum(bool(row.get("decided")) for row in rows) >= 300
