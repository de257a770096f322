"""The programs that come with the package: the verdict by the engine that each names, and the same events each time."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from gui.model.tasks import TaskEntry, examples
from interplay.presentation.record.run import RunRecord
from interplay.presentation.record.timeline import EXCLUDED, STUCK, columns
from runs.runfile import open_run

pytestmark = pytest.mark.long

ROOT = Path(__file__).parents[2]
EXPECTED = {
    "array_fill": "true",
    "bit_tricks": "true",
    "bytes": "true",
    "counter": "true",
    "lock": "true",
    "nested_locks": "true",
    "off_by_one": "false(unreach-call)",
    "protocol": "true",
    "unknown": "unknown",
    "wrap_around": "false(unreach-call)",
}
# The window verifies it with the same engine and reads its refinements (tests/gui/test_walkthroughs.py).
IN_THE_WINDOW = "unknown"
PLAIN = [entry for entry in examples() if not entry.topic]  # those of topics are tested with their engines
EXAMPLES = [pytest.param(entry, marks=pytest.mark.slow if entry.path.stem == IN_THE_WINDOW else ()) for entry in PLAIN]
TWICE = ("lock", "off_by_one")  # of one engine: what the portfolio does depends on how fast its engines are
LEAST = 3  # refinements, where they are what an example is about


def test_every_example_has_an_expected_verdict() -> None:
    assert {entry.path.stem for entry in PLAIN} == set(EXPECTED)


def verify(entry: TaskEntry, hash_seed: int, *words: str) -> bytes:
    """What the command prints for an example, by the engine that it names."""
    command = [sys.executable, "-m", "interplay", "verify", str(entry.path), "--no-native-replay", *words]
    command += ["--time-limit", "60"]
    command += ["--engine", entry.engine] if entry.engine else []
    environment = {**os.environ, "PYTHONHASHSEED": str(hash_seed)}
    return subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, check=False).stdout


@pytest.mark.parametrize("entry", EXAMPLES, ids=lambda entry: entry.path.stem)
def test_verdict(entry: TaskEntry, tmp_path: Path) -> None:
    run = tmp_path / "run.interplay"
    assert verify(entry, 1, "--quiet", "--output", str(run)).decode() == f"VERDICT: {EXPECTED[entry.path.stem]}\n"
    stored = open_run(run)
    if entry.engine:
        refinements = [column for column in columns(RunRecord.of(stored)) if column.sign in (EXCLUDED, STUCK)]
        assert len(refinements) >= LEAST
    if entry.path.stem in TWICE:
        assert verify(entry, 2, "--events", "-") == stored.members["events.jsonl"]
