"""A project at a glance: its programs by property, what is verified, what is old, and what a crash leaves."""

import os
import signal
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import QProcess
from pytestqt.qtbot import QtBot

from gui.model.glance import lines_below, program_line, programs_of, questions_of, sentence
from gui.model.project import ProjectModel
from gui.model.tasks import entries_in
from gui.panels import Area
from gui.views.project import ProjectView
from gui.window import MainWindow
from interplay.batch.journal import read_journal
from interplay.batch.rows import JOURNAL, BatchCheck, ResultRow
from interplay.presentation.record.summary import Action, Tone
from tests.gui.conftest import verified

ASSERTIONS = "Assertions"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder of programs for the fake worker, each of one word."""
    folder = tmp_path / "several"
    folder.mkdir()
    for word in ("false", "garbage", "true"):
        (folder / f"{word}.c").write_text(f"{word}\n")
    return folder


def opened(window: MainWindow, folder: Path) -> ProjectView:
    window.open_paths([folder])
    view = window.show_panel("project")
    assert isinstance(view, ProjectView)
    return view


def words(view: ProjectView) -> list[list[str]]:
    """The rows of programs, without the times."""
    rows = [view.table.topLevelItem(row) for row in range(view.table.topLevelItemCount())]
    return [[row.text(column) for column in range(view.table.columnCount() - 2)] for row in rows if row is not None]


def only(model: ProjectModel, *names: str) -> None:
    """Ask for the assertions of some programs."""
    model.verify(one for one in questions_of(model.programs, ASSERTIONS) if one.program.name in names)


def done(qtbot: QtBot, model: ProjectModel) -> None:
    qtbot.waitUntil(lambda: not model.running)


def test_no_project_offers_a_folder(qtbot: QtBot, window: MainWindow) -> None:
    view = window.show_panel("project")
    assert isinstance(view, ProjectView)
    assert view.empty.isVisible()
    with qtbot.waitSignal(view.asked) as asked:
        view.empty.button.click()
    assert asked.args == [Action.OPEN_FOLDER]


@pytest.mark.long
def test_files_by_properties(qtbot: QtBot, window: MainWindow, folder: Path) -> None:
    view, model = opened(window, folder), window.project
    assert [row[:2] for row in words(view)] == [["false.c", ""], ["garbage.c", ""], ["true.c", ""]]
    assert not window.areas.tabs(Area.GRAPHS).isVisible()
    only(model, "false.c", "garbage.c", "true.c")
    assert [row[1] for row in words(view)] == ["running", "waiting", "waiting"]
    done(qtbot, model)
    assert [row[1] for row in words(view)] == ["false", "parse error", "true"]
    assert view.words.text() == "1 false, 1 true, 1 ERROR, 15 not run"
    false = view.table.topLevelItem(0)
    assert false is not None
    false.setExpanded(True)
    (check,) = [false.child(row) for row in range(false.childCount())]
    assert check.text(1) == "false"
    assert check.text(view.table.columnCount() - 2) == "false"  # fake engines are named by what they answer
    view.open_cell(check, 0)
    assert window.banner.headline.startswith("FALSE")
    assert window.areas.is_front("source")
    assert window.focus.selection.line is not None
    assert window.book.current is not None
    assert window.book.current.path == folder / "false.c"


@pytest.mark.long
def test_results_are_there_when_the_folder_is_opened_again(qtbot: QtBot, window: MainWindow, folder: Path) -> None:
    view, model = opened(window, folder), window.project
    only(model, "true.c")
    done(qtbot, model)
    window.open_paths([folder.parent / "none"])
    opened(window, folder)
    assert words(view)[2][1] == "true"
    (folder / "true.c").write_text("true \n")
    model.look_again()
    qtbot.waitUntil(lambda: bool(model.old))
    assert words(view)[2][1] == "was true"
    assert ("true.c", ASSERTIONS) in {one.key for one in model.unanswered()}
    only(model, "true.c")
    done(qtbot, model)
    assert not model.old
    window.options._take("data_model", "LP64")
    qtbot.waitUntil(lambda: bool(model.old))  # an answer for other sizes is none to this question


@pytest.mark.long
def test_it_goes_on_after_a_crash(qtbot: QtBot, window: MainWindow, folder: Path) -> None:
    opened(window, folder)
    model = window.project
    (folder / "false.c").write_text("stuck\n")
    only(model, "false.c", "true.c")
    process = model._process
    assert process is not None
    qtbot.waitUntil(lambda: process.processId() > 0 and any(model.folder.glob("runs/*/*.journal")))
    os.kill(process.processId(), signal.SIGKILL)
    done(qtbot, model)
    assert "cut off" in window.error_bar.sentence
    assert model.rows["true.c", ASSERTIONS].verdict == "true"
    assert ("false.c", ASSERTIONS) in {one.key for one in model.unanswered()}


@pytest.mark.long
def test_stop_keeps_what_is_done(qtbot: QtBot, window: MainWindow, folder: Path) -> None:
    view, model = opened(window, folder), window.project
    (folder / "garbage.c").write_text("spin\n")
    only(model, "false.c", "garbage.c")
    qtbot.waitUntil(lambda: len(model.rows) == 1)
    view.stop.click()
    assert not model.running
    assert not model.left
    assert list(model.rows) == [("false.c", ASSERTIONS)]


@pytest.mark.long
def test_stop_takes_what_was_done_and_not_told(window: MainWindow, folder: Path) -> None:
    """The window hears of a row after it is in the journal: between them a person may stop."""
    opened(window, folder)
    model = window.project
    (folder / "garbage.c").write_text("spin\n")
    only(model, "false.c", "garbage.c")
    process = model.findChild(QProcess)
    assert process is not None
    while process.bytesToWrite():
        assert process.waitForBytesWritten()
    deadline = time.monotonic() + 120
    while not (model.folder / JOURNAL).is_file() or not read_journal(model.folder / JOURNAL).rows:
        assert time.monotonic() < deadline
        time.sleep(0.01)  # and no event reaches the window
    assert not model.rows
    model.stop()
    assert list(model.rows) == [("false.c", ASSERTIONS)]


def test_runs_of_the_window_are_results_of_the_project(qtbot: QtBot, window: MainWindow, folder: Path) -> None:
    opened(window, folder)
    window.opener.choose(window.book.opened[2])
    window.verify(window.tasks.all_properties()[:1])
    qtbot.waitUntil(lambda: bool(window.project.rows))
    assert [(key, row.verdict) for key, row in window.project.rows.items()] == [(("true.c", ASSERTIONS), "true")]
    assert window.project.run_of(("true.c", ASSERTIONS)) is not None


def test_the_menu_of_a_cell(window: MainWindow, folder: Path) -> None:
    view = opened(window, folder)
    item = view.table.topLevelItem(0)
    assert item is not None
    assert [action.text() for action in view.menu(item, 1).actions()] == [
        "Verify “Assertions” of false.c",
        "Verify “Assertions” of all files",
        "Verify all of false.c",
    ]


# Lines, without a window


def row(program: str, verdict: str, *checks: BatchCheck, **more: object) -> ResultRow:
    return ResultRow(program, "", program, "", "", ASSERTIONS, verdict, checks=checks, **more)  # type: ignore[arg-type]


def test_checks_of_several_files_stand_below_their_files(folder: Path) -> None:
    program = programs_of(entries_in(folder))[0]
    checks = (
        BatchCheck("/p/b.c", 3, "x", "true", "bmc", 1.0, ""),
        BatchCheck("/p/a.c", 9, "y", "false", "chc", 2.0, "a run"),
        BatchCheck("/p/a.c", 2, "z", "unknown", "chc", 2.0, "no more time"),
    )
    rows = {("false.c", ASSERTIONS): row("false.c", "false(assertion)", *checks, engine="bmc, chc", cpu=4.0)}
    top = program_line(program, rows, {}, frozenset())
    assert (top.cells[ASSERTIONS].word, top.engine, top.seconds) == ("false (1 of 3)", "bmc, chc", 4.0)
    below = list(lines_below(program, rows, frozenset()))
    assert [line.title for line in below] == ["a.c", "2: z", "9: y", "b.c", "3: x"]
    assert [line.cells[ASSERTIONS].word for line in below] == ["false", "unknown", "false", "true", "true"]
    old = list(lines_below(program, rows, frozenset(rows)))
    assert {(line.cells[ASSERTIONS].tone, line.cells[ASSERTIONS].word[:4]) for line in old} == {(Tone.IDLE, "was ")}


def test_the_sentence_counts_answers() -> None:
    rows = [row("a", "true"), row("b", "true"), row("c", "false(assertion)"), row("d", "TIMEOUT")]
    assert sentence(rows, 6, 0) == "1 false, 2 true, 1 TIMEOUT, 2 not run"


@pytest.mark.long
def test_a_project_is_one_page(
    qtbot: QtBot, window: MainWindow, program: Callable[[str], Path], tmp_path: Path
) -> None:
    program("true"), program("false")
    window.open_paths([tmp_path])
    for name in ("true", "false"):
        verified(qtbot, window, program(name))
    view = window.show_panel("project")
    assert isinstance(view, ProjectView)
    view.write_report(tmp_path / "page.html", "both")
    page = (tmp_path / "page.html").read_text()
    assert "<h1>both</h1>" in page
    assert "6: assertion i == 10" in page
    assert page.count('<td class="bad"') == 2
    assert page.count('class="file"') == 2
