"""The verdicts on the programs that come with the package, by the engine that each of them names."""

import subprocess
import sys
from pathlib import Path

import pytest

from core.run.runfile import open_run
from gui.model.tasks import TaskEntry, examples
from interplay.presentation.record.run import RunRecord
from interplay.presentation.record.timeline import EXCLUDED, STUCK, columns

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
LEAST = 3  # refinements, where they are what an example is about


def test_every_example_has_an_expected_verdict() -> None:
    assert {entry.path.stem for entry in examples()} == set(EXPECTED)


@pytest.mark.parametrize("entry", examples(), ids=lambda entry: entry.path.stem)
def test_verdict(entry: TaskEntry, tmp_path: Path) -> None:
    run = tmp_path / "run.interplay"
    command = [sys.executable, "-m", "interplay", "verify", str(entry.path), "--output", str(run)]
    command += ["--time-limit", "60", "--quiet", "--no-native-replay"]
    command += ["--engine", entry.engine] if entry.engine else []
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.stdout == f"VERDICT: {EXPECTED[entry.path.stem]}\n"
    if entry.engine:
        refinements = [column for column in columns(RunRecord.of(open_run(run))) if column.sign in (EXCLUDED, STUCK)]
        assert len(refinements) >= LEAST
