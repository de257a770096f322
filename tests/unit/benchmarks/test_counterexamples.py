"""The comparison of counterexamples of repeated runs."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks.counterexamples import Counterexamples, busy, is_same, main, report

_ONE = Counterexamples(frozenset({(0, '[["nondet", "3"]]', "[[1, []], [2, []]]", "")}))
_OTHER = Counterexamples(frozenset({(0, "[]", "[[1, []]]", "not minimal")}))


def test_equal_runs_are_the_same() -> None:
    assert is_same([_ONE, _ONE])
    assert list(report("t.c", [_ONE, _ONE])) == ["same       t.c: check 0: 1 inputs, 2 steps"]


def test_what_differs_is_counted() -> None:
    assert not is_same([_ONE, _OTHER, _ONE])
    _, *lines = report("t.c", [_ONE, _OTHER, _ONE])
    assert [line.split()[0] for line in lines] == ["2", "1"]


def test_no_counterexample_is_none() -> None:
    nothing = Counterexamples(frozenset())
    assert not is_same([nothing, nothing])
    assert "none" in str(nothing)


def test_load_ends() -> None:
    with busy(1):
        pass


@pytest.mark.long
def test_runs_of_a_task(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "t.c"
    file.write_text(
        "extern void reach_error(void); extern int __VERIFIER_nondet_int(void);\n"
        "int main(void) { if (__VERIFIER_nondet_int() == 7) reach_error(); return 0; }\n"
    )
    assert main([str(file), "--runs", "1", "--load", "1"]) == 0
    assert capsys.readouterr().out.startswith("same")
