"""`interplay batch` as a whole: it goes on where it was cut off, and says what was wrong with its input."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from interplay.batch.journal import NAME, read_journal
from interplay.batch.result_files import read_rows
from interplay.commands.cli import main
from tests.support import fake_worker
from tests.support.fakes import GATE

pytestmark = pytest.mark.long

ROOT = Path(__file__).parent.parent.parent.parent.parent
ENVIRONMENT = {**os.environ, "PYTHONPATH": str(ROOT)}

# The command line with the fake worker instead of the real one.
FAKE = f"""
import sys
from interplay.commands import batch
from interplay.batch.pool import Pool
command = [sys.executable, "-P", {fake_worker.__file__!r}, {str(ROOT)!r}]
batch.executor = lambda options, folder: Pool(folder, options.jobs, command)
from interplay.commands.cli import main
sys.exit(main())
"""

BEFORE = ("true", "false", "unknown", "stuck")  # what is done while the gate is closed
WORDS = (*BEFORE, "gate", "gate", "gate", "true")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "tasks").mkdir()
    for number, word in enumerate(WORDS):
        (tmp_path / "tasks" / f"{number}.c").write_text(f"{word}\n")
    return tmp_path


def start(folder: Path, output: str, *more: str) -> subprocess.Popen[str]:
    command = [sys.executable, "-P", "-c", FAKE, "batch", "tasks", "--output", output, "--time-limit", "60", *more]
    return subprocess.Popen(
        command, cwd=folder, env=ENVIRONMENT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )


def open_gate(folder: Path) -> None:
    (folder / "tasks" / GATE).touch()


def without_costs(folder: Path) -> list[tuple[object, ...]]:
    rows = read_rows(folder / "results.jsonl")
    return [(row.task, row.verdict, row.reason, row.category, row.score, row.rounds, row.run) for row in rows]


def wait_for_rows(journal: Path, count: int) -> None:
    deadline = time.monotonic() + 300
    while time.monotonic() < deadline:
        if journal.exists() and len(read_journal(journal).rows) >= count:
            return
        time.sleep(0.02)
    pytest.fail("no rows")


def test_a_batch_that_is_killed_goes_on_and_ends_with_the_same_results(folder: Path) -> None:
    cut = start(folder, "cut", "--jobs", "2")
    wait_for_rows(folder / "cut" / NAME, len(BEFORE))
    cut.send_signal(signal.SIGKILL)
    cut.communicate(timeout=300)
    done = read_journal(folder / "cut" / NAME).rows
    assert len(done) == len(BEFORE)
    assert not (folder / "cut" / "results.jsonl").exists()
    open_gate(folder)
    whole = start(folder, "whole")
    table, errors = whole.communicate(timeout=300)
    assert whole.returncode == 0, errors
    again = start(folder, "cut", "--jobs", "2")
    _, errors = again.communicate(timeout=300)
    assert again.returncode == 0
    assert f"{len(WORDS)} runs, {len(done)} done before" in errors
    assert without_costs(folder / "cut") == without_costs(folder / "whole")
    assert {key: row for key, row in read_journal(folder / "cut" / NAME).rows.items() if key in done} == done
    assert len(table.splitlines()) == 3


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_an_interrupted_batch_shows_what_there_is(folder: Path, number: int) -> None:
    process = start(folder, "out")
    wait_for_rows(folder / "out" / NAME, 2)
    process.send_signal(number)
    _, errors = process.communicate(timeout=300)
    assert process.returncode == 130
    assert "the same command goes on" in errors
    assert 2 <= len(read_rows(folder / "out" / "results.jsonl")) <= len(BEFORE)


def test_a_second_batch_on_the_folder_is_refused(folder: Path) -> None:
    first = start(folder, "out")
    wait_for_rows(folder / "out" / NAME, 1)
    second = start(folder, "out")
    _, errors = second.communicate(timeout=300)
    assert (second.returncode, errors) == (2, "interplay: out: another batch is working on this folder\n")
    first.send_signal(signal.SIGINT)
    first.communicate(timeout=300)
    assert first.returncode == 130


def test_a_task_that_has_changed_is_run_again(folder: Path) -> None:
    for number in range(2, len(WORDS)):
        (folder / "tasks" / f"{number}.c").unlink()
    start(folder, "out").communicate(timeout=300)
    (folder / "tasks" / "1.c").write_text("true\n")
    _, errors = start(folder, "out").communicate(timeout=300)
    assert "2 runs, 1 done before" in errors
    assert [row.verdict for row in read_rows(folder / "out")] == ["true", "true"]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["absent.yml"], "absent.yml: no such file"),
        (["tasks", "--configuration", "a=magic"], "a=magic: 'magic' is none of the engines"),
        (["tasks", "--configuration", "a=transition", "--configuration", "a=transition"], "a: two configurations"),
        (["tasks", "--property", "nonsense"], "nonsense"),
        (["bad.set"], "bad.set:1:1: no task matches x/*.yml"),
    ],
)
def test_what_is_wrong_is_said(
    folder: Path, words: list[str], message: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(folder)
    Path("bad.set").write_text("x/*.yml\n")
    assert main(["batch", *words, "--output", "out"]) == 2
    assert capsys.readouterr().err.startswith(f"interplay: {message}")
    assert not Path("out").exists()


def test_wrong_verdicts_are_loud_and_give_their_exit_code(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "properties").mkdir()
    (folder / "properties" / "p.prp").write_text("CHECK( init(main()), LTL(G ! call(reach_error())) )\n")
    (folder / "set").mkdir()
    (folder / "set" / "a.c").write_text("int main(void) { return 0; }\n")
    (folder / "set" / "a.yml").write_text(
        "format_version: '2.0'\ninput_files: a.c\nproperties:\n"
        "  - property_file: ../properties/p.prp\n    expected_verdict: false\n"
    )
    monkeypatch.chdir(folder)
    assert main(["batch", "set", "--output", "out", "--time-limit", "20"]) == 1
    captured = capsys.readouterr()
    assert "WRONG" in captured.err
    assert "-32" in captured.out
