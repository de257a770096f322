"""Random programs with memory: the truth that gcc finds, and engines by themselves against it."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from random import Random

import pytest

from core.registry import ENGINES
from tests.random_programs.checked import Answer, contradictions
from tests.random_programs.configurations import configurations
from tests.random_programs.enumeration import UNREACH, gcc_is_there
from tests.random_programs.memory_generator import PRELUDE, MemoryGenerator
from tests.random_programs.memory_scope import Feature
from tests.random_programs.memory_truth import KINDS, MEMORY, MemoryProgram, NoTruth, judge, memory_programs

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
        ("int a[2] = {0}, *p = a; return p[x];", MEMORY),
        ("int y = 0, *p = x ? &y : 0; return *p;", "null"),
        ("int *p; { int y = x; p = &y; } return *p;", MEMORY),
        ("char *p = malloc(2); p[0] = p[1] = 1; free(p); return p[0];", MEMORY),
        ("return 6 / x;", "division"),
        ("return 1 << (x * 20);", "shift"),
    ],
)
def test_sanitizers_name_kind_and_line(body: str, violation: str) -> None:
    program = _judged(body)
    assert program is not None
    assert program.violations == {(violation, _LINES + 2)}
    assert program.valuations == 3


def test_wrapping_around_is_no_violation() -> None:
    program = _judged("int y = 2147483647; y += x; if (y < 0) return 1;")
    assert program is not None
    assert program.safe


def test_errors_are_those_of_a_plain_build() -> None:
    program = _judged("if (x == 2) reach_error();\nif (x == 3) reach_error();", ())
    assert program is not None
    assert program.violations == {(UNREACH, _LINES + 2)}


def test_inputs_need_bounds_on_their_line() -> None:
    with pytest.raises(NoTruth):
        judge([("p", "int main(void) { int x = __VERIFIER_nondet_int(); return x; }")], ())


def test_what_answers_contradict() -> None:
    program = MemoryProgram("p", "", KINDS, frozenset({(MEMORY, 7)}), 1)
    right = Answer("false(bounds)", statuses={("bounds", 7): ("false",), ("dangling", 7): ("true",)})
    assert contradictions(program, right) == []
    assert len(contradictions(program, Answer("true", statuses={("dangling", 7): ("true",)}))) == 2
    assert len(contradictions(program, Answer("unknown", statuses={("dangling", 8): ("false",)}))) == 1
    assert contradictions(program, Answer("unknown", statuses={("dangling", 8): ("true",)})) == []


def test_every_configuration_has_its_name() -> None:
    found = configurations()
    assert {one.engine for one in found} == set(ENGINES)
    assert len({one.name for one in found}) == len(found) >= 13


def test_every_feature_is_drawn() -> None:
    for feature in Feature:
        assert MemoryGenerator(Random(1), frozenset({feature})).draft().features == {feature}
    drawn = [MemoryGenerator(Random(number)).draft() for number in range(60)]
    assert frozenset.union(*(one.features for one in drawn)) == frozenset(Feature)


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
def test_engines_agree_on_a_sample(tmp_path: Path) -> None:
    rows = _rows(tmp_path, "--features", "all", "--spread", "--count", "8", "--seed", "ci", "--time-limit", "4")
    assert len(rows) == 8
    assert sum(bool(row.get("decided")) for row in rows) >= 4


@pytest.mark.slow
def test_every_configuration_agrees_on_many(tmp_path: Path) -> None:
    rows = _rows(tmp_path, "--features", "all", "--spread", "--count", "540", "--seed", "many", "--time-limit", "5")
    assert sum(bool(row.get("decided")) for row in rows) >= 300
