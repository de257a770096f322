"""Steering in the real window: conditions are checked in place, changes are listed, a run comes again as wished."""

import pytest
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel
from pytestqt.qtbot import QtBot

from gui.model.current import RunState
from gui.model.steering import Rerun, check, names, planned, removable, state_words
from gui.views.steering import SteeringView
from gui.window import MainWindow
from interplay.presentation.record.run import LATEST, RunRecord
from interplay.presentation.record.summary import Action
from interplay.presentation.run_options import options_of
from interplay.session.request import Request, Start
from runs.events import Edited, Place
from runs.runview import RunView
from tests.gui.conftest import GOLDEN
from tests.gui.test_timeline import run
from tests.gui.test_window import Program

LOOP: Place = ((0,), 4)


@pytest.fixture
def view(window: MainWindow) -> SteeringView:
    found = window.show_panel("steering")
    assert isinstance(found, SteeringView)
    return found


def test_conditions_are_checked_against_the_program() -> None:
    record = run(2)
    assert check(record, LOOP, "i <= 3").meaning == "i <= 3"
    wrong = check(record, LOOP, "i <= nn")
    assert wrong.error.startswith("Column 6: there is no variable nn here")
    assert (wrong.start, wrong.end) == (5, 7)
    assert "i" in names(record, LOOP)
    assert check(RunRecord(Request("x.c"), RunView()), None, "i > 0").error


def test_only_predicates_that_live_can_be_removed() -> None:
    record = run(2)
    assert removable(record, LATEST, 0) == (2, "i <= 0")
    assert removable(record, LATEST, 1) is None
    assert removable(record, LATEST, None) is None


def test_every_state_has_its_sentence() -> None:
    sentences = {state_words(None, state, "transition") for state in RunState}
    assert len(sentences) >= 4
    assert "knows no predicates" in state_words(None, RunState.PAUSED, "chc")


def test_each_method_is_said_in_a_sentence_beside_it(window: MainWindow, view: SteeringView) -> None:
    window.model.show(run(2))
    said = [label.text() for label in view.findChildren(QLabel)]
    options = options_of("transition")
    assert len(options) == len(view._options) == 7
    for option in options:
        assert option.sentence in said
        assert view._options[option.name].accessibleDescription() == option.sentence
        assert view._options[option.name].accessibleName() == option.title


def test_without_a_run_it_offers_to_start_one(qtbot: QtBot, view: SteeringView) -> None:
    with qtbot.waitSignal(view.asked) as asked:
        view.go.click()
    assert asked.args == [Action.STEP_BY_STEP]
    assert not view.add.isEnabled()
    assert not view.again.isEnabled()


def test_errors_are_shown_in_place_while_typing(window: MainWindow, view: SteeringView) -> None:
    window.open_paths([GOLDEN])
    window.focus.first_round()
    QTest.keyClicks(view.field, "1 <")
    assert view.answer.text().startswith("✗ Column")
    assert not view.add.isEnabled()
    view.field.setText("1 < no_such_name")
    assert "there is no variable no_such_name" in view.answer.text()
    view._add()
    assert view.field.selectedText() == "no_such_name"


def test_a_finished_run_comes_again_with_what_was_planned(qtbot: QtBot, window: MainWindow, view: SteeringView) -> None:
    window.runner.submit = lambda *_: None  # type: ignore[method-assign]
    window.open_paths([GOLDEN])
    record = window.model.record
    assert record is not None
    assert record.program is not None
    main = record.program.functions["main"]
    name = next(one for one in names(record, ((), main.entry)) if one.isidentifier())
    view.field.setText(f"{name} == 41")
    assert view.answer.text().startswith("✓ means")
    if not view.add.isEnabled():
        pytest.skip("the engine of the golden run knows no predicates")
    view.add.click()
    assert view.edits.item(view.edits.count() - 1).text() == f"in the next run: added {name} == 41"
    with qtbot.waitSignal(view.asked) as asked:
        view.again.click()
    (wish,) = asked.args or []
    assert isinstance(wish, Rerun)
    assert wish.start is Start.AT_ONCE
    assert wish.request.edits == (planned(window.focus.selection.place, f"{name} == 41"),)
    view.forget.click()
    assert "Nothing was changed" in view.edits.item(0).text()


def test_a_paused_run_is_changed_and_goes_on(
    qtbot: QtBot, window: MainWindow, view: SteeringView, program: Program
) -> None:
    window.open_paths([program("true")])
    window.verify(window.tasks.all_properties()[:1], Start.PAUSED)
    qtbot.waitUntil(lambda: window.runner.state is RunState.PAUSED)
    qtbot.waitUntil(lambda: window.model.record is not None and window.model.record.program is not None)
    assert view.go.text() == "Continue"
    window.focus.go_to_place(LOOP)
    view.field.setText("i <= 3")
    assert view.add.text() == "Add"
    view.add.click()
    assert view.edits.item(0).text() == "from the next round on: added i <= 3"
    view.go.click()
    qtbot.waitUntil(lambda: window.runner.state is RunState.IDLE)
    record = window.model.record
    assert record is not None
    (edit,) = record.attempt().edits
    assert isinstance(edit, Edited)
    assert (edit.round, edit.action, edit.text, edit.place) == (0, "add-predicate", "i <= 3", LOOP)
    assert view.edits.item(0).text() == "before round 1: added i <= 3"
    assert view.repeat.isVisibleTo(view)
