"""Random programs: the interpreter and the whole checker against the truth that gcc finds by enumeration."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from frontend.options import Volatile
from tests.random_programs.enumeration import gcc_is_there, random_programs
from tests.random_programs.generator import MAX_VALUATIONS
from tests.random_programs.interpreted import differing_runs
from tests.random_programs.volatile_texts import with_volatile

ROOT = Path(__file__).parents[2]

# engine, number of programs, seed, time limit of each in seconds, how many are decided at least
SAMPLES = [("transition", 4, 5, 1.0, 1), ("explicit", 4, 8, 6.0, 1), ("bmc", 5, 7, 6.0, 2)]
LARGE_SAMPLES = [("transition", 200, 6, 10.0, 120), ("transition", 36, 5, 1.0, 15), ("explicit", 10, 8, 6.0, 5)]
LARGE_SAMPLES += [("bmc", 10, 7, 6.0, 7)]

pytestmark = [pytest.mark.long, pytest.mark.skipif(not gcc_is_there(), reason="needs gcc")]


def test_same_seed_same_programs() -> None:
    assert random_programs(3, 10, 5) == random_programs(3, 10, 5)


def test_a_program_does_not_depend_on_its_batch() -> None:
    assert random_programs(3, 12, 1) == random_programs(3, 10, 5)[2:3]


def test_both_truths_occur_and_domains_are_small() -> None:
    programs = random_programs(3, 0, 50)
    assert 10 <= sum(program.safe for program in programs) <= 40
    assert max(program.valuations for program in programs) <= MAX_VALUATIONS
    assert all(program.reached <= set(program.error_lines) for program in programs)


def test_interpreter_agrees_on_a_sample() -> None:
    differences = [text for program in random_programs(4, 0, 10) for text in differing_runs(program)]
    assert differences == []


def _checked(
    count: int, seed: int, time_limit: float, journal: Path, engine: str, *others: str
) -> list[dict[str, object]]:
    """The rows of the journal after a run of the benchmark, which fails on a contradiction."""
    command = [sys.executable, "-m", "benchmarks.random_programs", "--no-native-replay", "--resume", str(journal)]
    command += ["--count", str(count), "--seed", str(seed), "--time-limit", str(time_limit), "--engine", engine]
    command += others
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return [json.loads(line) for line in journal.read_text().splitlines()]


@pytest.mark.parametrize(("engine", "count", "seed", "time_limit", "least"), SAMPLES)
def test_checker_agrees_on_a_sample(
    engine: str, count: int, seed: int, time_limit: float, least: int, tmp_path: Path
) -> None:
    rows = _checked(count, seed, time_limit, tmp_path / "journal", engine)
    assert len(rows) == count
    assert sum(bool(row["decided"]) for row in rows) >= least


@pytest.mark.parametrize("volatile", list(Volatile))
def test_checker_agrees_on_volatile_objects(volatile: Volatile, tmp_path: Path) -> None:
    rows = _checked(5, 9, 6.0, tmp_path / "journal", "bmc", "--volatile", volatile.value)
    assert len(rows) == 5
    assert sum(bool(row["decided"]) for row in rows) >= 2


def test_inputs_become_reads_of_volatile_objects_on_their_lines() -> None:
    program = random_programs(3, 10, 1)[0]
    text = with_volatile(program.text, Volatile.ARBITRARY)
    assert len(text.splitlines()) == len(program.text.splitlines())
    assert all(line.startswith("extern ") for line in text.splitlines() if "__VERIFIER_nondet_" in line)
    assert "volatile" in with_volatile(program.text, Volatile.MEMORY)


@pytest.mark.slow
@pytest.mark.parametrize(("engine", "count", "seed", "time_limit", "least"), LARGE_SAMPLES)
def test_checker_agrees_on_many(
    engine: str, count: int, seed: int, time_limit: float, least: int, tmp_path: Path
) -> None:
    rows = _checked(count, seed, time_limit, tmp_path / "journal", engine)
    assert len(rows) == count
    assert sum(bool(row["decided"]) for row in rows) >= least
