"""The journal of a batch survives what ends a batch."""

import re
from dataclasses import replace
from pathlib import Path

import pytest

from interplay.batch.batch_plan import (
    BatchConfiguration,
    BatchSettings,
    WrongConfiguration,
    planned,
    read_configuration,
)
from interplay.batch.journal import NAME, BatchJournal, JournalConflict, read_journal
from interplay.batch.result_files import comma_separated, json_lines, read_rows
from interplay.batch.rows import ResultRow
from interplay.batch.scores import Category
from interplay.batch.tasks import BatchTask
from interplay.session.endings import Termination
from interplay.session.request import ReplayMode
from runs.jsondata import Malformed

SETTINGS = BatchSettings(10.0, 1000, ReplayMode.NATIVE, (BatchConfiguration("plain", "transition"),))
ROW = ResultRow(
    "a/b.yml", "a", "x/a/b.yml", "unreach-call", "true", "plain", "true", cpu=1.5, assumptions=("one", "two")
)


def write(folder: Path, *rows: ResultRow, settings: BatchSettings = SETTINGS) -> None:
    journal = BatchJournal(folder, settings, "test")
    for row in rows:
        journal.add(row)
    journal.close()


def test_rows_come_back(tmp_path: Path) -> None:
    write(tmp_path, ROW, replace(ROW, task="a/c.yml"))
    stored = read_journal(tmp_path / NAME)
    assert stored.settings == SETTINGS
    assert list(stored.rows) == [("a/b.yml", "plain"), ("a/c.yml", "plain")]
    assert stored.rows[ROW.key] == ROW


@pytest.mark.parametrize("cut", range(1, 30, 4))
def test_a_line_that_was_cut_off_is_dropped(tmp_path: Path, cut: int) -> None:
    write(tmp_path, ROW, replace(ROW, task="a/c.yml"))
    data = (tmp_path / NAME).read_bytes()
    (tmp_path / NAME).write_bytes(data[:-cut])
    write(tmp_path, replace(ROW, task="a/d.yml"))
    assert [task for task, _ in read_journal(tmp_path / NAME).rows] == ["a/b.yml", "a/d.yml"]


def test_even_the_first_line_may_be_cut_off(tmp_path: Path) -> None:
    (tmp_path / NAME).write_bytes(b'{"format":"interpl')
    write(tmp_path, ROW)
    assert len(read_journal(tmp_path / NAME).rows) == 1


def test_the_last_row_counts(tmp_path: Path) -> None:
    write(tmp_path, ROW, replace(ROW, verdict="unknown"))
    assert read_journal(tmp_path / NAME).rows[ROW.key].verdict == "unknown"


def test_only_one_batch_at_once(tmp_path: Path) -> None:
    journal = BatchJournal(tmp_path, SETTINGS, "test")
    with pytest.raises(JournalConflict, match="another batch is working on this folder"):
        BatchJournal(tmp_path, SETTINGS, "test")
    journal.close()
    BatchJournal(tmp_path, SETTINGS, "test").close()


def test_another_batch_is_refused(tmp_path: Path) -> None:
    write(tmp_path, ROW)
    for other, why in (
        (replace(SETTINGS, time_limit=20.0), "time limit 10.0 s, not 20.0 s"),
        (replace(SETTINGS, memory_limit=7), "memory limit 1000 MB, not 7 MB"),
        (replace(SETTINGS, parameters=(("bmc.induction.effort", "7"),)), "a batch with other parameters"),
        (replace(SETTINGS, configurations=(BatchConfiguration("plain", "other"),)), "configuration plain has another"),
    ):
        with pytest.raises(JournalConflict, match=why):
            BatchJournal(tmp_path, other, "test")


def test_parameters_are_those_of_all_requests(tmp_path: Path) -> None:
    settings = replace(SETTINGS, parameters=(("bmc.induction.effort", "7"),))
    write(tmp_path, ROW, settings=settings)
    assert read_journal(tmp_path / NAME).settings == settings
    task = BatchTask("a", "", "a.c", None, "", "", "")
    assert [job.request.parameters for job in planned([task], settings)] == [settings.parameters]


def test_configurations_may_be_added_and_left_out(tmp_path: Path) -> None:
    write(tmp_path, ROW)
    other = BatchConfiguration("large", "transition", (("blocks", "large"),))
    write(tmp_path, replace(ROW, configuration="large"), settings=replace(SETTINGS, configurations=(other,)))
    stored = read_journal(tmp_path / NAME)
    assert stored.settings is not None
    assert stored.settings.configurations == (*SETTINGS.configurations, other)
    assert len(stored.rows) == 2


def test_a_folder_with_something_else_is_refused(tmp_path: Path) -> None:
    (tmp_path / "thesis.tex").write_text("")
    with pytest.raises(JournalConflict, match="does not hold a batch"):
        BatchJournal(tmp_path, SETTINGS, "test")


@pytest.mark.parametrize(
    "line", ["nonsense", "[]", '{"task": "a"}', '{"format": "other"}', '{"format": "interplay-batch", "schema": 9}']
)
def test_a_damaged_line_is_located(tmp_path: Path, line: str) -> None:
    write(tmp_path, ROW)
    with (tmp_path / NAME).open("a") as stream:
        stream.write(f"{line}\n")
    with pytest.raises(Malformed, match=rf"{NAME}:3:1: "):
        BatchJournal(tmp_path, SETTINGS, "test")


def test_something_that_is_no_journal_is_located(tmp_path: Path) -> None:
    file = tmp_path / "rows.jsonl"
    file.write_text('{"a": 1}\n')
    for read in (read_journal, read_rows):
        with pytest.raises(Malformed, match=r"rows.jsonl:1:1: "):
            read(file)


def test_results_are_read_from_the_folder_and_from_the_file(tmp_path: Path) -> None:
    write(tmp_path, ROW)
    file = tmp_path / "results.jsonl"
    file.write_text(json_lines([ROW]))
    assert list(read_rows(tmp_path)) == list(read_rows(file)) == [ROW]
    assert '"category":"correct true","score":2' in file.read_text()


def test_the_table_for_spreadsheets_has_no_formulas() -> None:
    lines = comma_separated([replace(ROW, reason='=HYPERLINK("x")')]).splitlines()
    assert lines[0].startswith("task,set,file,specification,expected,configuration,verdict,reason")
    assert "'=HYPERLINK" in lines[1]
    assert "one; two" in lines[1]


def test_configurations_are_read() -> None:
    assert read_configuration("transition") == BatchConfiguration("transition", "transition")
    large = BatchConfiguration("large", "transition", (("blocks", "large"), ("image", "hybrid")))
    assert read_configuration("large=transition,blocks=large,image=hybrid") == large
    assert read_configuration("transition,blocks=large").name == "transition,blocks=large"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("magic", "'magic' is none of the engines"),
        ("a=magic", "'magic' is none of the engines"),
        ("=transition", "cannot be the name"),
        ("../a=transition", "cannot be the name"),
        ("portfolio,blocks=large", "it has no options"),
        ("transition,fast", "'fast' must be OPTION=VALUE"),
        ("transition,speed=high", "there is no option speed"),
        ("transition,blocks=huge", "blocks is one of"),
    ],
)
def test_wrong_configurations(text: str, message: str) -> None:
    with pytest.raises(WrongConfiguration, match=message):
        read_configuration(text)


def test_every_column_is_documented() -> None:
    text = (Path(__file__).parents[4] / "docs" / "batch-results.md").read_text()
    documented = [name for line in text.splitlines() if line.startswith("| `") for name in
                  re.findall(r"`(\w+)`", line.split("|")[1])]  # fmt: skip
    assert documented == list(ROW.to_json())
    assert all(f"`{category.value}`" in text for category in Category)
    assert all(f"`{termination.value}`" in text for termination in Termination)
