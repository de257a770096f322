"""One file for whoever looks into a doubtful verdict."""

import zipfile
from pathlib import Path

import pytest

from tests.support.prepared import command as main

RUN = Path(__file__).parents[3] / "golden" / "v4.interplay"


def test_it_has_all_that_a_report_needs(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    target = tmp_path / "problem.zip"
    assert main(["report-problem", str(RUN), "--output", str(target)]) == 0
    assert capsys.readouterr().out.startswith(str(target))
    with zipfile.ZipFile(target) as archive:
        assert {"README.txt", "options.json", "versions.txt", "sources/0-protocol.c", "run.interplay"} == set(
            archive.namelist()
        )
        assert archive.read("run.interplay") == RUN.read_bytes()
        assert b"interplay verify protocol.c" in archive.read("README.txt")
        assert b"Python 3." in archive.read("versions.txt")


def test_what_is_no_run_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "a.interplay").write_text("no run")
    assert main(["report-problem", str(tmp_path / "a.interplay"), "--output", str(tmp_path / "b.zip")]) != 0
