"""The window in use: open, verify, read the verdict; nothing is lost, nothing is cut off."""

import json
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import QMimeData, QPointF, Qt, QUrl
from PySide6.QtGui import QDropEvent, QKeySequence
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QComboBox, QLabel, QLineEdit, QListWidget, QSpinBox, QTableView, QTreeView
from pytestqt.qtbot import QtBot

from gui import app, theme
from gui.model.current import RunState
from gui.model.tasks import FileKind, TaskEntry, examples, properties_of
from gui.panels import PANELS
from gui.settings import Settings
from gui.toolbar import shortcuts
from gui.views.source import SourceView
from gui.window import MainWindow
from interplay.presentation.record.moments import rounds
from interplay.presentation.record.run import RunRecord
from interplay.presentation.record.summary import Action, banner, data_model
from interplay.presentation.run_options import AUTOMATIC
from interplay.session.request import Request
from runs.events import AttemptStarted, PlanMade, RoundStarted
from runs.runfile import open_run
from runs.runview import RunView
from tests.gui.conftest import EXAMPLES, GOLDEN, verified
from tests.support.fake_worker import WORKER

Program = Callable[[str], Path]


def test_a_new_window_says_why_it_is_empty(window: MainWindow) -> None:
    assert window.banner.headline == "No program is open."
    assert window.toolbar.sentence == "No program is open."
    topics = ("arrays", "lists")
    files = [*EXAMPLES.glob("*.c"), *(path for topic in topics for path in (EXAMPLES / topic).glob("*.c"))]
    assert {entry.path for entry in window.book.examples} == set(files)


@pytest.mark.long
@pytest.mark.parametrize(
    ("word", "headline", "panel"),
    [
        ("true", "TRUE (Assertions): 1 check can never fail", "evidence"),
        ("false", "FALSE: small.c:7: assertion i == 10 can fail", "path"),
        ("unknown", "UNKNOWN: no more rounds", "evidence"),
        ("garbage", "ERROR (parse error): garbage.c:1:3: expected a word", "log"),
    ],
)
def test_a_verdict_opens_the_fitting_view(
    qtbot: QtBot, window: MainWindow, program: Program, word: str, headline: str, panel: str
) -> None:
    verified(qtbot, window, program(word))
    assert window.banner.headline.startswith(headline.partition(":")[0])
    assert window.toolbar.sentence == window.banner.headline
    assert panel in window.views
    assert window.views[panel].isVisible()
    entry = window.book.opened[0]
    result = window.book.result(entry, properties_of(entry)[0])
    assert result.word.startswith(word[:4] if word != "garbage" else "ERROR")


def test_the_run_is_kept_and_opens_again(qtbot: QtBot, window: MainWindow, program: Program) -> None:
    verified(qtbot, window, program("false"))
    before = window.model.record
    assert before is not None
    assert before.path is not None
    run = before.path
    assert run.is_file()
    window.open_paths([GOLDEN])
    window.open_paths([run])
    assert window.model.record is not None
    assert window.model.record is not before
    assert window.banner.headline.startswith("FALSE")


def test_what_cannot_be_read_keeps_its_source(qtbot: QtBot, window: MainWindow, program: Program) -> None:
    path = program("garbage")
    source = window.show_panel("source")
    assert isinstance(source, SourceView)
    verified(qtbot, window, path)
    assert source.current is not None
    assert source.current.toPlainText().strip() == "garbage"
    (messages,) = window.views["log"].findChildren(QListWidget)
    assert messages.item(0).text().splitlines()[1:] == ["    garbage", "      ^"]
    window.open_paths([program("true")])
    window.open_paths([path])  # shows the run of before, from its file
    assert source.current.toPlainText().strip() == "garbage"
    record = window.model.record
    assert record is not None
    assert record.stored
    assert banner(record).place == (str(path), 1)


def test_a_run_without_events_has_begun(window: MainWindow, program: Program) -> None:
    path = program("true")
    window.open_paths([path])
    assert banner(window.model.record).headline == "Not verified yet."
    log = window.show_panel("log")
    record = RunRecord(Request(str(path)), RunView())
    record.live = True
    window.model.show(record)
    assert banner(record).headline == "Running: starting"
    said = " ".join(label.text() for label in log.findChildren(QLabel))
    assert "No run yet" not in said


def test_a_stored_run_says_what_it_was(window: MainWindow) -> None:
    window.open_paths([GOLDEN])
    entry = window.book.current
    assert entry is not None
    (asked,) = window.tasks.all_properties()
    assert asked.title == "Assertions"
    assert (window.book.result(entry, asked).word, window.book.result(entry, asked).engine) == ("true", "explicit")
    assert window.toolbar.engine.currentText() == "Automatic"
    assert window.model.record is not None
    assert data_model(window.model.record) == "ILP32"
    assert "(ILP32)" in window.banner.assumes
    window.focus.first_round()
    assert window.banner.moment == "Shown: refinement 1 of 3"
    window.banner.back.click()
    assert window.banner.moment == ""


@pytest.mark.long
def test_all_properties_are_verified_one_after_the_other(
    qtbot: QtBot, window: MainWindow, program: Program, tmp_path: Path
) -> None:
    window.open_paths([program("true")])
    window.verify(window.tasks.all_properties())
    qtbot.waitUntil(lambda: window.runner.state is RunState.IDLE)
    entry = window.book.opened[0]
    assert [window.book.result(entry, one).word for one in properties_of(entry)] == ["true"] * 6
    assert len(list((tmp_path / "runs").glob("*.interplay"))) == 6


def test_what_cannot_be_opened_is_said_in_place(window: MainWindow, tmp_path: Path) -> None:
    window.open_paths([tmp_path / "nothing.c"])
    assert "no such file" in window.error_bar.sentence
    (tmp_path / "a.txt").write_text("text")
    window.open_paths([tmp_path / "a.txt"])
    assert "no C file (.c, .i)" in window.error_bar.sentence
    (tmp_path / "bad.interplay").write_text("no zip")
    window.open_paths([tmp_path / "bad.interplay"])
    assert "cannot be opened" in window.error_bar.sentence
    window.error_bar.clear()
    assert window.error_bar.sentence == ""


def test_verify_without_a_program_offers_one(window: MainWindow) -> None:
    window.verify(())
    assert "Choose a program first" in window.error_bar.sentence


def test_files_can_be_dropped(window: MainWindow, program: Program) -> None:
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(program("true")))])
    window.dropEvent(
        QDropEvent(
            QPointF(5, 5),
            Qt.DropAction.CopyAction,
            data,
            Qt.MouseButton.LeftButton,
            Qt.KeyboardModifier.NoModifier,
        )
    )
    assert [entry.title for entry in window.book.opened] == ["true.c"]
    assert window.settings.recent() == [program("true")]


def test_a_folder_lists_what_can_be_opened(window: MainWindow, program: Program, tmp_path: Path) -> None:
    program("true"), program("false")
    (tmp_path / "notes.txt").write_text("no program")
    window.open_paths([tmp_path])
    assert [entry.title for entry in window.book.opened] == ["false.c", "true.c"]


PROJECT = EXAMPLES / "project"


def test_a_folder_with_a_project_is_one_entry(window: MainWindow) -> None:
    window.open_paths([PROJECT])
    assert [entry.title for entry in window.book.opened] == ["project"]
    assert window.model.record is not None
    assert [Path(name).name for name in window.model.record.program_texts] == ["main.c", "ring.c"]
    request = window.book.request(window.book.opened[0], window.options.chosen, None)
    assert request.files == (str(PROJECT / "ring.c"),)
    assert request.define == ("CAPACITY=3",)
    assert request.checks == ("bounds", "null")
    window.options.engine.textActivated.emit("bmc")
    assert window.book.request(window.book.opened[0], window.options.chosen, None).engine == "bmc"


def test_the_verdict_of_a_project_is_its_own(
    qtbot: QtBot, window: MainWindow, program: Program, tmp_path: Path
) -> None:
    program("true"), program("false")
    toml = tmp_path / "interplay.toml"
    toml.write_text('files = ["true.c", "false.c"]\nproperty = "unreach-call"\n')
    verified(qtbot, window, toml)
    (entry,) = window.book.opened
    (choice,) = window.tasks.all_properties()
    assert choice.property == "unreach-call"
    assert window.book.result(entry, choice).word == "true"
    assert window.book.summary(TaskEntry(program("true"), FileKind.PROGRAM)).word == "not run"
    toml.write_text("files = [")
    window.verify(window.tasks.all_properties()[:1])
    assert str(toml) in window.error_bar.sentence


def test_a_compilation_database_is_a_project(window: MainWindow, program: Program, tmp_path: Path) -> None:
    command = {"directory": str(tmp_path), "file": program("true").name, "arguments": ["cc", "-DN=1"]}
    (tmp_path / "compile_commands.json").write_text(json.dumps([command]))
    window.open_paths([tmp_path])
    assert [entry.kind for entry in window.book.opened] == [FileKind.PROJECT]
    assert window.model.record is not None
    assert window.model.record.title == tmp_path.name
    assert [Path(name).name for name in window.model.record.program_texts] == ["true.c"]


def test_errors_in_slots_are_shown(window: MainWindow, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "excepthook", sys.excepthook)
    monkeypatch.setattr(sys, "__excepthook__", lambda *_: None)
    app.show_errors_in(window)
    sys.excepthook(ValueError, ValueError("seeded"), None)
    assert "seeded" in window.error_bar.sentence


def test_layout_and_choices_are_kept(qtbot: QtBot, settings: Settings, tmp_path: Path) -> None:
    first = MainWindow(settings, WORKER, tmp_path / "runs")
    qtbot.addWidget(first)
    first.show()
    first.show_panel("statistics")
    first.options.choose_engine("transition")
    first.close()
    second = MainWindow(Settings(tmp_path / "settings.ini"), WORKER, tmp_path / "runs")
    qtbot.addWidget(second)
    second.show()
    assert second.views["statistics"].isVisible()
    assert second.options.chosen.engine == "transition"
    assert second.toolbar.engine.currentText() == "transition"


def test_no_key_is_given_twice() -> None:
    keys = [QKeySequence(key).toString() for key, _ in shortcuts()]
    assert len(set(keys)) == len(keys)
    assert all(keys)


def test_what_has_no_text_has_a_name(window: MainWindow) -> None:
    for panel in PANELS:
        window.show_panel(panel.name)
    for kind in (QTreeView, QTableView, QComboBox, QSpinBox, QLineEdit):
        for widget in window.findChildren(kind):
            inner = widget.objectName().startswith("qt_")
            assert inner or widget.accessibleName(), f"{kind.__name__} in {widget.parentWidget()}"


def test_every_panel_can_be_shown(window: MainWindow) -> None:
    for panel in PANELS:
        assert window.show_panel(panel.name).isVisible()
    with pytest.raises(KeyError):
        window.show_panel("no such panel")


def test_light_and_dark(window: MainWindow, qapp: QApplication) -> None:
    assert not theme.is_dark(window.palette())
    window.toolbar.commands["theme"].trigger()
    assert theme.is_dark(window.palette())
    assert window.settings.text("theme") == "dark"
    theme.apply(qapp, theme.Scheme.LIGHT)


def test_the_banner_asks_for_the_next_action(qtbot: QtBot, window: MainWindow, program: Program) -> None:
    verified(qtbot, window, program("false"))
    window.banner.asked.emit(Action.STEP_THROUGH)
    step = window.focus.selection.step
    assert step is not None
    window.focus.previous_step()
    assert window.focus.selection.step == step
    assert window.views["path"].isVisible()


def test_an_example_about_memory_is_asked_for_its_properties_first() -> None:
    example = next(one for one in examples() if one.path.stem == "delete_all")
    first, *others = properties_of(example)
    assert first.property == "valid-deref,valid-free,valid-memcleanup"
    assert tuple(others) == properties_of(replace(example, asked=""))


def test_examples_teach_something() -> None:
    for entry in examples():
        assert entry.lesson.endswith((".", ":")), entry
        assert len(entry.lesson) > 30


def test_properties_of_a_definition(tmp_path: Path) -> None:
    definition = tmp_path / "task.yml"
    definition.write_text(
        "format_version: '2.0'\ninput_files: a.c\nproperties:\n"
        "  - property_file: unreach-call.prp\n    expected_verdict: true\n"
    )
    (found,) = properties_of(TaskEntry(definition, FileKind.DEFINITION))
    assert (found.title, found.expected) == ("unreach-call", True)
    definition.write_text("format_version: [")
    assert len(properties_of(TaskEntry(definition, FileKind.DEFINITION))) == 1


def test_automatic_comes_first(window: MainWindow) -> None:
    assert window.toolbar.engine.itemText(0) == AUTOMATIC


def test_the_views_follow_the_engine_that_is_selected(window: MainWindow) -> None:
    view = RunView()
    plan = PlanMade((), (("bmc", "the program is small"), ("transition", "it takes everything")), ())
    for event in (plan, AttemptStarted(0, "bmc", (), (0,)), RoundStarted(0, "start"), RoundStarted(1, "refined")):
        view.add(event)
    window.model.show(RunRecord(Request("a.c"), view))
    assert window.attempts.isHidden()
    view.add(AttemptStarted(1, "transition", (), (0,)))
    list(window.model.advanced.notify())
    assert not window.attempts.isHidden()
    tabs = window.attempts.tabs
    assert [tabs.tabText(index) for index in range(tabs.count())] == ["bmc: running", "transition: running"]
    assert "the program is small" in tabs.tabToolTip(0)
    assert tabs.currentIndex() == 1
    tabs.setCurrentIndex(0)
    assert window.focus.selection.attempt == 1
    assert len(rounds(view_record(window), window.focus.selection.attempt)) == 2
    window.model.show(None)
    assert window.attempts.isHidden()


def view_record(window: MainWindow) -> RunRecord:
    assert window.model.record is not None
    return window.model.record


def open_example(window: MainWindow, name: str) -> str:
    """Open it; the engine that a run would have now."""
    window.open_paths([EXAMPLES / f"{name}.c"])
    assert window.toolbar.engine.currentText() == window.options.engine.currentText() == window.options.chosen.engine
    return window.options.chosen.engine


def choose(box: QComboBox, text: str) -> None:
    """Choose an entry as users do, who open the list."""
    box.setCurrentText(text)
    box.textActivated.emit(text)


def test_an_example_about_refinement_chooses_the_engine_that_refines(window: MainWindow) -> None:
    about_refinement = [entry.path.stem for entry in window.book.examples_of("") if entry.engine]
    assert {"lock", "off_by_one", "unknown"} <= set(about_refinement)
    assert {(entry.topic, entry.engine) for entry in examples() if entry.engine} == {
        ("", "transition"),
        ("arrays", "acsar"),
        ("lists", "pdr"),
    }
    for entry in window.book.examples_of(""):
        assert open_example(window, entry.path.stem) == (entry.engine or AUTOMATIC)
    assert window.settings.text("choices") == "" or "transition" not in window.settings.text("choices")


@pytest.mark.parametrize("engine", ["bmc", AUTOMATIC])
def test_who_chooses_an_engine_keeps_it(window: MainWindow, engine: str) -> None:
    assert open_example(window, "lock") == "transition"
    choose(window.toolbar.engine, engine)
    for name in ("bytes", "off_by_one", "lock"):
        assert open_example(window, name) == engine
    choose(window.options.engine, "explicit")
    assert open_example(window, "unknown") == "explicit"


def test_all_engines_are_tried_once(qtbot: QtBot, window: MainWindow, program: Program) -> None:
    """What the banner offers is for this program; the choice for all programs stays."""
    choose(window.toolbar.engine, "bmc")
    verified(qtbot, window, program("unknown"))
    window.banner.asked.emit(Action.TRY_ALL)
    assert window.options.chosen.engine == AUTOMATIC
    window.runner.shut_down()
    assert window.options.kept.engine == "bmc"
    assert open_example(window, "lock") == "bmc"


def test_an_engine_chosen_once_is_kept_the_next_time(qtbot: QtBot, settings: Settings, tmp_path: Path) -> None:
    for _ in range(2):
        window = MainWindow(settings, WORKER, tmp_path / "runs")
        qtbot.addWidget(window)
        choose(window.toolbar.engine, "chc")
        window.close()
    assert open_example(window, "lock") == "chc"


def test_an_example_says_what_it_teaches(window: MainWindow) -> None:
    window.open_paths([EXAMPLES / "lock.c"])
    assert window.book.current in window.book.examples
    assert window.book.opened == []


def test_a_program_that_was_verified_shows_its_run_again(qtbot: QtBot, window: MainWindow, program: Program) -> None:
    verified(qtbot, window, program("true"))
    window.open_paths([program("unknown")])
    assert window.banner.headline == "Not verified yet."
    window.open_paths([program("true")])
    assert window.banner.headline.startswith("TRUE")


def test_a_run_can_be_saved_elsewhere(qtbot: QtBot, window: MainWindow, program: Program, tmp_path: Path) -> None:
    window.toolbar.commands["save"].trigger()
    assert "no finished run" in window.error_bar.sentence
    QTest.keyClick(window, Qt.Key.Key_Escape)
    assert window.error_bar.sentence == ""
    verified(qtbot, window, program("true"))
    window.files.save_run(tmp_path / "kept.interplay")
    assert RunRecord.of(open_run(tmp_path / "kept.interplay")).view.verdict is not None
    window.files.save_run(tmp_path / "no such folder" / "kept.interplay")
    assert "cannot be saved" in window.error_bar.sentence
