"""The verdicts on the programs that come with the package."""

import subprocess
import sys
from pathlib import Path

import pytest

EXAMPLES = Path(__file__).parents[2] / "resources" / "examples"
EXPECTED = {
    "array_fill": "true",
    "bit_tricks": "true",
    "bytes": "true",
    "counter": "true",
    "lock": "true",
    "off_by_one": "false(unreach-call)",
    "protocol": "true",
    "unknown": "unknown",
    "wrap_around": "false(unreach-call)",
}


def test_every_example_has_an_expected_verdict() -> None:
    assert {file.stem for file in EXAMPLES.glob("*.c")} == set(EXPECTED)


@pytest.mark.parametrize("name", EXPECTED)
def test_verdict(name: str) -> None:
    command = [sys.executable, "-m", "interplay", "verify", str(EXAMPLES / f"{name}.c")]
    command += ["--time-limit", "60", "--quiet", "--no-native-replay"]
    done = subprocess.run(command, cwd=EXAMPLES.parents[1], capture_output=True, text=True, check=False)
    assert done.stdout == f"VERDICT: {EXPECTED[name]}\n"
