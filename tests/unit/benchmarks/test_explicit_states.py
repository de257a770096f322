"""The benchmark of explicit states."""

import pytest

from benchmarks.explicit_states import main


def test_both_loops_are_measured(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--seconds", "0.2"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.partition(":")[0] for line in lines] == ["counting.c", "filling.c"]
    assert all(line.endswith("states/s") for line in lines)
