"""A walk through all panels: what they show is of the program, the text and the run in sight, whatever was before."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from PySide6.QtWidgets import QAbstractItemView, QLabel, QPlainTextEdit, QTableView, QTextEdit, QTreeView, QWidget
from pytestqt.qtbot import QtBot

from gui.model.current import RunState
from gui.panels import PANELS
from gui.settings import Settings
from gui.views.graphpane import GraphPane
from gui.views.source import SourceView
from gui.views.sourcetext import SourceText
from gui.window import MainWindow
from interplay.presentation.record.summary import Tone
from tests.gui.conftest import verified
from tests.support.fake_worker import WORKER
from tests.support.fakes import GATE

Program = Callable[[str], Path]
_APART = ("project", "manual", "keys", "batch", "comparison")  # not about the run that is shown


def words(window: MainWindow) -> dict[str, list[str]]:
    """What the panels, the banner, the table of properties and the engines say."""
    found = {panel.name: list(_words(window.show_panel(panel.name))) for panel in PANELS if panel.name not in _APART}
    entry = window.book.current
    answers = [window.book.result(entry, one).word for one in window.tasks.all_properties()] if entry else []
    others = (window.banner, window.attempts)
    return {**found, "properties": answers, "above": [word for one in others for word in _words(one)]}


def _words(view: QWidget) -> Iterator[str]:
    for widget in (view, *view.findChildren(QWidget)):
        if not widget.isVisible():
            continue
        match widget:
            case GraphPane():
                yield f"{widget.sheet is not None}"
            case SourceText():
                yield f"{widget.toPlainText()} {widget.decoration}"
            case QLabel():
                yield widget.text()
            case QPlainTextEdit() | QTextEdit():
                yield widget.toPlainText()
            case QAbstractItemView() if widget.model() is not None:
                model = widget.model()
                columns = range(model.columnCount() if isinstance(widget, QTableView | QTreeView) else 1)
                for row in range(model.rowCount()):
                    yield " | ".join(str(model.index(row, one).data()) for one in columns)


class Walk:
    """A walk in one window. After each step, all panels say what those of a new window say, `like` this one: it has
    opened the same and seen nothing before.
    """

    def __init__(self, qtbot: QtBot, window: MainWindow, folder: Path) -> None:
        self._qtbot = qtbot
        self.window = window
        self._folder = folder
        self._number = 0

    def agrees(self, *opened: Path) -> None:
        self._number += 1
        folder = self._folder / f"new{self._number}"
        new = MainWindow(Settings(folder / "settings.ini"), WORKER, folder)
        self._qtbot.addWidget(new)
        new.resize(self.window.size())
        new.show()
        new.open_paths(opened)
        shown = self.window.model.wanted
        self._qtbot.waitUntil(lambda: self.window.model.record is shown)
        said, expected = words(self.window), words(new)
        for name in expected:
            assert said[name] == expected[name], name

    def source(self) -> tuple[SourceView, SourceText]:
        view = self.window.show_panel("source")
        assert isinstance(view, SourceView)
        assert view.current is not None
        return view, view.current

    def type(self, text: str) -> None:
        """Edit the text in sight."""
        self.window.toolbar.commands["edit_here"].trigger()
        self.source()[1].insertPlainText(text)

    def is_unknown(self) -> None:
        """Nothing is said of the text in sight: no verdict, row or mark is of another one."""
        assert self.window.banner.headline == "Not verified yet."
        entry = self.window.book.current
        assert entry is not None
        assert {self.window.book.result(entry, one).tone for one in self.window.tasks.all_properties()} == {Tone.IDLE}
        assert self.window.book.summary(entry).tone is Tone.IDLE
        assert not self.source()[1].decoration.marks
        assert not self.window.model.wanted or not self.window.model.wanted.begun

    def idle(self) -> None:
        self._qtbot.waitUntil(lambda: self.window.runner.state is RunState.IDLE)


@pytest.fixture
def walk(qtbot: QtBot, window: MainWindow, tmp_path: Path) -> Walk:
    return Walk(qtbot, window, tmp_path)


@pytest.mark.long
def test_after_a_run(walk: Walk, qtbot: QtBot, program: Program) -> None:
    window, failing, other = walk.window, program("false"), program("true")
    verified(qtbot, window, failing)
    words(window)  # all panels have seen the run
    window.open_paths([other])
    walk.agrees(other)  # another program
    window.open_paths([failing])
    assert window.banner.headline.startswith("FALSE")
    walk.type(" ")
    walk.is_unknown()  # an edit
    walk.source()[0].editing.discard.click()
    assert window.banner.headline.startswith("FALSE")
    walk.type("unknown ")
    walk.source()[0].editing.save.click()
    walk.is_unknown()  # an edit that is saved
    walk.agrees(failing)
    failing.write_text("garbage\n")
    walk.source()[0].reload.click()
    walk.agrees(failing)  # a text that was reloaded
    window.verify(window.tasks.all_properties()[:1])
    walk.idle()
    assert "expected a word" in window.banner.headline  # a syntax error
    walk.type("true ")
    walk.is_unknown()


@pytest.mark.long
def test_while_a_run_goes_on(walk: Walk, qtbot: QtBot, program: Program) -> None:
    window, failing, gate = walk.window, program("false"), program("gate")
    verified(qtbot, window, failing)
    window.open_paths([gate])
    window.verify(window.tasks.all_properties()[:1])
    assert window.banner.headline.startswith("Running")
    path = window.show_panel("path")
    assert "assert" not in " ".join(_words(path))  # of the counterexample that was shown
    window.open_paths([failing])
    assert window.banner.headline.startswith("FALSE")  # while the other one goes on
    window.open_paths([gate])
    assert window.banner.headline.startswith("Running")
    walk.type("true ")
    walk.is_unknown()
    gate.with_name(GATE).touch()
    walk.idle()
    walk.is_unknown()  # what has ended was about another text
    walk.source()[0].editing.discard.click()
    assert window.banner.headline.startswith("TRUE")


@pytest.mark.long
def test_a_run_that_is_stopped_is_of_its_program(walk: Walk, program: Program) -> None:
    window, sleeping, other = walk.window, program("sleep"), program("true")
    window.open_paths([sleeping])
    window.verify(window.tasks.all_properties()[:1])
    window.open_paths([other])
    window.runner.stop()
    walk.idle()
    walk.agrees(other)
    window.open_paths([sleeping])
    assert "interrupted" in window.banner.headline


@pytest.mark.long
def test_verify_takes_the_text_in_the_editor(walk: Walk, program: Program) -> None:
    window, path = walk.window, program("false")
    window.open_paths([path])
    walk.type("true\n")
    window.toolbar.commands["verify"].trigger()
    assert path.read_text().startswith("true\n")
    assert "false.c was saved" in window.statusBar().currentMessage()
    walk.idle()
    assert window.model.record is not None
    assert window.model.record.sources[str(path)].startswith("true\n")
    walk.type("false ")
    path.write_text("another\n")
    window.verify(window.tasks.all_properties()[:1])
    assert "has changed on disk" in window.error_bar.sentence
    assert window.runner.state is RunState.IDLE


@pytest.mark.long
def test_a_property_shows_its_run(walk: Walk, program: Program) -> None:
    window = walk.window
    window.open_paths([program("true")])
    first, second, *_ = window.tasks.all_properties()
    window.verify((first, second))
    walk.idle()
    assert window.tasks.selected_properties() == (second,)
    assert window.model.record is not None
    assert window.model.record.request.property == second.property
    window.book.choose(first.property)
    assert window.model.record.request.property == first.property
    window.book.choose(window.tasks.all_properties()[-1].property)
    assert window.banner.headline == "Not verified yet."


@pytest.mark.long
def test_a_project_knows_what_is_old(walk: Walk, program: Program, tmp_path: Path) -> None:
    window, path = walk.window, program("true")
    program("false")
    window.open_paths([tmp_path])
    window.open_paths([path])
    window.verify(window.tasks.all_properties()[:1])
    walk.idle()
    assert window.project.rows
    assert not window.project.old
    walk.type("unknown ")
    assert window.project.old == set(window.project.rows)
    walk.source()[0].editing.discard.click()
    assert not window.project.old
