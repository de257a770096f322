"""Files that change on disk, the editor of choice, errors in their lines, and the runs of the past."""

import os
from collections.abc import Callable
from datetime import datetime
from pathlib import Path

import pytest
from PySide6.QtWidgets import QLabel
from pytestqt.qtbot import QtBot

from gui.editor import EDITOR, open_in_editor
from gui.model.past import label, past_runs, told
from gui.panels import PANELS, Panel
from gui.settings import Settings
from gui.views.source import SourceView
from gui.window import MainWindow
from interplay.presentation.record.marks import Mark, marks
from interplay.session.request import Request
from tests.gui.conftest import verified

Program = Callable[[str], Path]


def source_of(window: MainWindow) -> SourceView:
    view = window.show_panel("source")
    assert isinstance(view, SourceView)
    return view


def test_a_change_on_disk_is_said_and_can_be_loaded(qtbot: QtBot, window: MainWindow, program: Program) -> None:
    path = program("true")
    verified(qtbot, window, path)
    view = source_of(window)
    assert not view.strip.isVisible()
    path.write_text("true /* another text */\n")
    qtbot.waitUntil(view.strip.isVisible)
    assert view.changed.text() == "true.c has changed on disk since this text was read."
    view.reload.click()
    assert view.current is not None
    assert "another text" in view.current.toPlainText()
    assert not view.strip.isVisible()
    assert window.banner.headline == "Not verified yet."


def test_a_file_that_is_replaced_or_gone(qtbot: QtBot, window: MainWindow, program: Program) -> None:
    path = program("true")
    window.open_paths([path])
    view = source_of(window)
    other = path.with_name("other")
    other.write_text("false\n")
    os.replace(other, path)
    qtbot.waitUntil(view.strip.isVisible)
    path.unlink()
    qtbot.waitUntil(lambda: not view.strip.isVisible())


def test_the_editor_gets_file_and_line(settings: Settings, tmp_path: Path, qtbot: QtBot) -> None:
    told_there = tmp_path / "told"
    script = tmp_path / "editor"
    script.write_text(f'#!/bin/sh\necho "$1" > {told_there}.part; mv {told_there}.part {told_there}\n')
    script.chmod(0o755)
    settings.put_text(EDITOR, f"{script} {{file}}:{{line}}")
    assert open_in_editor(settings, tmp_path / "a b.c", 7) == ""
    qtbot.waitUntil(told_there.exists)
    assert told_there.read_text() == f"{tmp_path}/a b.c:7\n"
    settings.put_text(EDITOR, "no-such-editor {file}")
    assert open_in_editor(settings, tmp_path, 1) == "The editor cannot be started: no-such-editor"
    settings.put_text(EDITOR, "{nothing}")
    assert open_in_editor(settings, tmp_path, 1) == "The editor's command cannot be read: {nothing}"


def test_an_error_marks_its_line(qtbot: QtBot, window: MainWindow, program: Program) -> None:
    path = program("garbage")
    verified(qtbot, window, path)
    assert window.model.record is not None
    (line,) = marks(window.model.record, str(path)).items()
    assert (line[0], line[1].check, line[1].description) == (1, Mark.FAILING, "expected a word")


def test_runs_of_the_past_say_what_they_were(qtbot: QtBot, window: MainWindow, program: Program) -> None:
    verified(qtbot, window, program("true"))
    qtbot.waitUntil(lambda: bool(window.book.past))
    (entry,) = window.book.past
    assert entry.title.startswith("true.c · Assertions · today ")
    assert window.book.summary(entry).word == "true"
    runs = past_runs(window.book.past[0].path.parent)
    assert [run.entry for run in runs] == [entry]


def test_labels_have_property_day_and_options() -> None:
    request = Request("/x/lock.c", property="no-overflow", engine="bmc", data_model="LP64", options=(("most", "3"),))
    assert label(request, datetime(2021, 3, 9, 7, 5)) == "lock.c · No overflow · 9 Mar 2021 07:05"
    assert told(request) == "Engine bmc, --data-model LP64 --option most=3"


@pytest.mark.long
@pytest.mark.sampled
@pytest.mark.parametrize("panel", PANELS, ids=lambda panel: panel.name)
def test_no_panel_says_that_there_is_no_run_while_one_runs(panel: Panel, window: MainWindow, program: Program) -> None:
    name = panel.name
    window.open_paths([program("gate")])
    window.show_panel(name)
    window.verify(window.tasks.all_properties()[:1])
    view = window.show_panel(name)
    said = " ".join(one.text() for one in view.findChildren(QLabel) if one.isVisible())
    assert "No run yet" not in said
    assert "Not verified yet" not in said
