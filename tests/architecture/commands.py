"""Running a tool as a test: silent when it succeeds, its own output when it fails."""

import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent.parent
BIN = Path(sys.executable).parent


def run(command: Sequence[str | Path], directory: Path = ROOT) -> str:
    """Run `command` in `directory` with no input and return its standard output; a failure fails the test."""
    # Without PYTHONPATH, so that what is found is what a user's shell would find.
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    done = subprocess.run(
        command, cwd=directory, env=environment, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False
    )
    if done.returncode != 0:
        words = " ".join(str(word) for word in command)
        pytest.fail(f"exit code {done.returncode}: {words}\n{done.stdout}{done.stderr}", pytrace=False)
    return done.stdout
