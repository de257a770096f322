"""The command line, word for word. The first line of each file is the command; the rest is what it prints.

Seconds are left out.

`INTERPLAY_UPDATE_GOLDEN=1 pytest tests/golden` writes the files anew; the difference is for review.
"""

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).parent
ROOT = HERE.parent.parent
FILES = sorted((HERE / "cli").glob("*.txt"))
UPDATE = "INTERPLAY_UPDATE_GOLDEN" in os.environ


def transcript(command: str) -> str:
    """The command, its standard output, its standard error where there is any, and its exit code."""
    program, *words = shlex.split(command.removeprefix("$ "))
    assert program == "interplay"
    done = subprocess.run(
        [sys.executable, "-m", "interplay", *words],
        cwd=HERE / "programs",
        env={**os.environ, "PYTHONPATH": str(ROOT), "COLUMNS": "100"},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
        timeout=600,
    )
    errors = f"--- stderr\n{done.stderr}" if done.stderr else ""
    text = f"{command}\n{done.stdout}{errors}--- exit {done.returncode}\n"
    return re.sub(r"\b\d+\.\d s\b", "… s", text)


@pytest.mark.long
@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_output(path: Path) -> None:
    expected = path.read_text()
    found = transcript(expected.splitlines()[0])
    if UPDATE:
        path.write_text(found)
    else:
        assert found == expected


def test_every_command_has_a_file() -> None:
    commands = {path.read_text().split()[2] for path in FILES}
    assert commands >= {"verify", "show", "check", "cfa", "lower", "--version"}
