"""The comparison of values of a parameter: what its report says."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks import sweep
from benchmarks.process import Run
from benchmarks.sweep import main

NAME = "bmc.induction.effort"


@pytest.fixture
def runs(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The values of the runs that were made: with 7, a run takes twice as long and `b.c` is not decided."""
    made: list[str] = []

    def interplay(words: list[str], _: float) -> Run:
        value = words[words.index("--param") + 1].removeprefix(f"{NAME}=")
        made.append(value)
        verdict = "unknown" if value == "7" and words[1].endswith("b.c") else "true"
        return Run(f"VERDICT: {verdict}\n".encode(), 0, 2.0 if value == "7" else 1.0, 1.0, 1.0)

    monkeypatch.setattr(sweep, "interplay", interplay)
    return made


def test_values_alternate_and_the_default_is_first(
    tmp_path: Path, runs: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    for name in ("a.c", "b.c"):
        (tmp_path / name).write_text("int main(void) { return 0; }")
    words = [NAME, "7", str(tmp_path), "--journal", str(tmp_path / "journal.jsonl")]
    assert main(words) == main(words) == 0
    assert runs == ["500", "7", "500", "7"]  # the second time, all is in the journal
    _, default, other, changed = capsys.readouterr().out.splitlines()[:4]
    assert default.split() == ["500", "2", "2.0", "1.0", "1.00"]
    assert other.split() == ["7", "1", "4.0", "2.0", "2.00"]
    assert changed.endswith("b.c: 500: true, 7: unknown")


def test_a_wrong_verdict_is_loud(tmp_path: Path, runs: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "a.c").write_text("int main(void) { return 0; }")
    (tmp_path / "a.yml").write_text(
        "format_version: '2.0'\ninput_files: 'a.c'\nproperties:\n"
        "  - property_file: unreach-call.prp\n    expected_verdict: false\n"
    )
    (tmp_path / "unreach-call.prp").write_text("CHECK( init(main()), LTL(G ! call(reach_error())) )\n")
    assert main([NAME, "500", str(tmp_path / "a.yml")]) == 1
    assert runs == ["500"]
    assert "500: true (expected false)" in capsys.readouterr().out


@pytest.mark.parametrize("words", [["bmc.depth", "1"], [NAME, "0"], ["concrete.trail.longest", "5"]])
def test_what_cannot_be_swept_is_said(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main([*words, "a.c"])
    assert words[0] in capsys.readouterr().err
