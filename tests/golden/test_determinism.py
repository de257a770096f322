"""The same input and seed give the same events, byte by byte."""

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


def _events(example: str, hash_seed: str) -> bytes:
    command = [sys.executable, "-m", "interplay", "verify", f"resources/examples/{example}.c", "--events", "-"]
    command += ["--engine", "transition"]  # what the portfolio does depends on how fast its engines are
    environment = {"PATH": "/usr/bin:/bin", "PYTHONHASHSEED": hash_seed}
    done = subprocess.run([*command, "--no-native-replay"], cwd=ROOT, capture_output=True, env=environment, check=False)
    assert done.returncode in (0, 10), done.stderr
    return done.stdout


@pytest.mark.parametrize("example", ["lock", "protocol", "off_by_one"])
def test_two_runs_give_the_same_events(example: str) -> None:
    first = _events(example, "1")
    assert first.splitlines()[-1].startswith(b'{"kind":"verdict"')
    assert first == _events(example, "2")
