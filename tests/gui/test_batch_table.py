"""The results of a batch: rows, their order, what is found, and the way to a run."""

from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from gui.views.batch import BatchView
from gui.window import MainWindow
from interplay.batch.overview import COLUMNS, Batch, is_batch, listed, read_batch, sign, total
from interplay.batch.result_files import json_lines
from interplay.batch.rows import JOURNAL, JSON_LINES, ResultRow
from runs.jsondata import Malformed
from tests.gui.conftest import GOLDEN

ROWS = (
    ResultRow(
        "a/one.yml", "a", "one.c", "unreach-call", "true", "portfolio", "true", cpu=3.0, engine="bmc", run="one.run"
    ),
    ResultRow(
        "a/two.yml", "a", "two.c", "unreach-call", "true", "portfolio", "false(unreach-call)", cpu=1.0, engine="chc"
    ),
    ResultRow("b/six.yml", "b", "six.c", "unreach-call", "", "explicit", "TIMEOUT", cpu=20.0, run="../six.run"),
)
VERDICT, TASK, CPU = 0, 1, 4


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    batch = tmp_path / "batch"
    batch.mkdir()
    (batch / JSON_LINES).write_text(json_lines(ROWS))
    (batch / "one.run").write_bytes(GOLDEN.read_bytes())
    (tmp_path / "six.run").write_bytes(GOLDEN.read_bytes())
    return batch


def test_rows_lead_to_their_runs_inside_of_the_folder(folder: Path) -> None:
    batch = read_batch(folder / JSON_LINES)
    assert batch.rows == ROWS
    assert batch.run_of(ROWS[0]) == (folder / "one.run").resolve()
    assert batch.run_of(ROWS[1]) is None
    assert batch.run_of(ROWS[2]) is None
    assert is_batch(folder / JSON_LINES)
    assert not is_batch(folder)
    (folder / JOURNAL).write_text('{"format": "interplay-batch"}\n' + json_lines((*ROWS, ROWS[0])) + '{"cut": ')
    assert is_batch(folder)
    assert set(read_batch(folder).rows) == set(ROWS)


def test_rows_are_found_and_sorted(folder: Path) -> None:
    batch = Batch(folder, ROWS)
    assert [row.task for row in listed(batch, "", CPU, ())] == ["a/two.yml", "a/one.yml", "b/six.yml"]
    assert [row.task for row in listed(batch, "", CPU, (CPU,))] == ["b/six.yml", "a/one.yml", "a/two.yml"]
    assert listed(batch, "TIMEOUT explicit", TASK, ()) == (ROWS[2],)
    assert listed(batch, "no such words", TASK, ()) == ()
    assert [sign(row) for row in ROWS] == ["✓", "!", "?"]
    assert [COLUMNS[VERDICT].text(row) for row in ROWS] == ["✓ true", "! false", "? TIMEOUT"]


def test_the_total_says_first_what_is_wrong() -> None:
    assert total(ROWS) == "3 runs: 1 WRONG, 1 TIMEOUT, 1 false, 1 true; 24.0 s of processor time"
    assert total(ROWS[:1]).startswith("1 run: 1 true")


def test_a_broken_file_is_located(folder: Path) -> None:
    (folder / JSON_LINES).write_text("{\n")
    with pytest.raises(Malformed, match="1:1"):
        read_batch(folder / JSON_LINES)


def test_a_row_opens_its_run(qtbot: QtBot, window: MainWindow, folder: Path) -> None:
    view = window.show_panel("batch")
    assert isinstance(view, BatchView)
    assert "No batch is open" in view.empty.sentence
    window.open_paths([folder / JSON_LINES])
    qtbot.waitUntil(lambda: len(view.table.content.rows) == 3)
    view.sort_by(CPU)
    view.sort_by(CPU)
    assert view.table.content.rows[0][TASK].text == "b/six.yml"
    view.open_row(0)
    assert "not there any more" in view.sentence.text()
    view.field.setText("bmc")
    view.open_row(0)
    assert window.model.record is not None
    assert window.model.record.path == (folder / "one.run").resolve()
    (folder / JSON_LINES).write_text("{\n")
    window.open_paths([folder / JSON_LINES])
    qtbot.waitUntil(lambda: "cannot be read" in view.empty.sentence)
    view.choose()
    assert view.chooser is not None
    assert not view.chooser.isModal()
    view.chooser.close()
