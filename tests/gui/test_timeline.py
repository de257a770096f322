"""Timeline, path panel and predicates in the real window: two cursors, everything by keyboard, live and fluent."""

import pytest
from PySide6.QtCore import QPoint, Qt, QUrl
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from gui.views.path import PathView
from gui.views.predicates import PredicatesView
from gui.views.timeline import TimelineView
from gui.window import MainWindow
from interplay.presentation.record.run import RunRecord
from interplay.session.request import Request
from runs.events import (
    AttemptStarted,
    InterpolantsFound,
    LemmaAdded,
    NodeAdded,
    PathFound,
    PhaseStarted,
    RoundStarted,
    TermDefined,
)
from runs.runview import RunView
from tests.support.effort import effort
from tests.support.small_programs import counting_loop

PATH = (0, 1, 2, 3, 4, 5, 6)


def rounds_of(view: RunView, numbers: range) -> None:
    """Rounds with a spurious path and two lemmas each."""
    for number in numbers:
        view.add(RoundStarted(number, "refined" if number else "start"), number * 0.1)
        view.add(PhaseStarted("explore"), number * 0.1)
        view.add(NodeAdded(2 + number, 0, ((0,), 4), (0, 1, 2), 1), number * 0.1)
        view.add(PhaseStarted("refine"), number * 0.1 + 0.03)
        view.add(TermDefined(2 + number, "le", (0,), str(number), "Bool"), number * 0.1)
        view.add(LemmaAdded(2 * number, "predicate", "core", 2 + number, (), ((0,), 4)), number * 0.1)
        view.add(LemmaAdded(2 * number + 1, "transition", "core", 2 + number, (3,), ((0,), 4)), number * 0.1)
        view.add(InterpolantsFound("weak", (3,), (1,)), number * 0.1)
        view.add(InterpolantsFound("strong", (3,), (2 + number,)), number * 0.1)
        view.add(PathFound(0, PATH, "spurious", (2, 5), (1, -1, -1, 2 + number, -1, 1, 1, 1)), number * 0.1 + 0.09)


def run(count: int) -> RunRecord:
    view = RunView()
    view.add(AttemptStarted(0, "transition", (), (0,)))
    view.add(TermDefined(0, "symbol", (), "main::i", "Int"))
    view.add(TermDefined(1, "constant", (), "true", "Bool"))
    view.add(NodeAdded(0, -1, ((), 0), (), 1))
    rounds_of(view, range(count))
    record = RunRecord(Request("small.c"), view)
    record.program = counting_loop(11)
    record.sources = {"small.c": "\n" * 8}
    return record


@pytest.fixture
def timeline(window: MainWindow) -> TimelineView:
    window.model.show(run(5))
    view = window.show_panel("timeline")
    assert isinstance(view, TimelineView)
    return view


uses_timeline = pytest.mark.usefixtures("timeline")


def path_view(window: MainWindow) -> PathView:
    view = window.show_panel("path")
    assert isinstance(view, PathView)
    return view


def predicates_view(window: MainWindow) -> PredicatesView:
    view = window.show_panel("predicates")
    assert isinstance(view, PredicatesView)
    return view


def test_the_cursor_of_the_timeline_takes_every_view_along(window: MainWindow, timeline: TimelineView) -> None:
    path, predicates = path_view(window), predicates_view(window)  # one behind the other
    timeline.chart.chosen.emit(2)
    assert window.focus.selection.round == 2
    assert timeline.where.text() == "refinement 3 of 5"
    assert len(predicates.table.content.rows) == 3
    assert predicates.table.content.rows[2][1].text == "3 +"
    assert path_view(window) is path
    assert path.heading.text().startswith("Spurious path of refinement 3")
    timeline.buttons["previous"].click()
    assert path.heading.text().startswith("Spurious path of refinement 2")
    assert predicates_view(window) is predicates
    assert len(predicates.table.content.rows) == 2
    timeline.buttons["last"].click()
    assert not timeline.buttons["next"].isEnabled()


def test_the_chart_is_driven_by_mouse_and_keys(window: MainWindow, timeline: TimelineView) -> None:
    chart = timeline.chart
    chart.setFocus()
    for key, round in ((Qt.Key.Key_Home, 0), (Qt.Key.Key_Right, 1), (Qt.Key.Key_End, 4), (Qt.Key.Key_Left, 3)):
        QTest.keyClick(chart, key)
        assert window.focus.selection.round == round
    assert "Refinement 4" in chart.accessibleDescription()
    where = next(x for x in range(chart.viewport().width()) if chart.column_at(x) == 1)
    QTest.mouseClick(chart.viewport(), Qt.MouseButton.LeftButton, pos=QPoint(where + 3, 40))
    assert window.focus.selection.round == 1


def test_a_refinement_that_is_chosen_brings_its_path_forward(window: MainWindow, timeline: TimelineView) -> None:
    chart = timeline.chart
    window.show_panel("evidence")
    chart.setFocus()
    QTest.keyClick(chart, Qt.Key.Key_Home)  # passed by
    assert window.views["evidence"].isVisible()
    QTest.keyClick(chart, Qt.Key.Key_Return)
    assert window.views["path"].isVisible()
    step, path = window.focus.selection.step, window.focus.path
    assert step is not None
    assert path is not None
    assert path.steps[step].in_core


def test_the_list_says_the_same_as_the_picture(window: MainWindow, timeline: TimelineView) -> None:
    timeline.as_list.click()
    assert len(timeline.list.content.rows) == 5
    window.focus.go_to_round(3)
    assert timeline.list.selected == 3
    QTest.keyClick(timeline.list, Qt.Key.Key_Up)
    assert window.focus.selection.round == 2


@uses_timeline
def test_the_second_cursor_steps_on_the_path(window: MainWindow) -> None:
    path = path_view(window)
    window.focus.go_to_round(1)
    path.buttons["next"].click()
    path.buttons["next"].click()
    assert (window.focus.selection.round, window.focus.selection.step) == (1, 1)
    assert path.where.text().startswith("step 2 of ")
    assert [header[0] for header in path.steps.content._headers][3:] == [
        "Holds before",
        "Step may do (weak)",
        "Step may do (strong)",
    ]
    assert "i &lt;= 1" in path.details.text()
    assert "Together impossible" in path.reasons.toPlainText()
    before = path.steps.model().rowCount()
    path.only_core.click()
    assert 0 < path.steps.model().rowCount() < before


@uses_timeline
def test_links_lead_to_lines_and_to_what_was_learned(window: MainWindow) -> None:
    path = path_view(window)
    window.focus.go_to_round(1)
    path.reasons.anchorClicked.emit(QUrl("line:5:small.c"))
    assert window.focus.selection.line == ("small.c", 5)
    path.reasons.anchorClicked.emit(QUrl("lemma:2"))
    assert window.focus.selection.lemma == 2
    predicates = predicates_view(window)
    assert predicates.table.selected == 1


@uses_timeline
def test_a_predicate_leads_to_its_birth(window: MainWindow) -> None:
    predicates = predicates_view(window)
    predicates.table.setCurrentIndex(predicates.table.model().index(3, 0))
    assert window.focus.selection.lemma == 6
    assert "Born in refinement 4, from its spurious path to line 6" in predicates.origin.text()
    predicates.birth.click()
    assert window.focus.selection.round == 3
    predicates.filter.setText("no such thing")
    assert predicates.count.text() == "0 of 4"


@uses_timeline
def test_constraints_have_a_table_of_their_own(window: MainWindow) -> None:
    predicates = predicates_view(window)
    window.focus.go_to_lemma(7)
    assert predicates.kind.currentText() == "Constraints of steps"
    assert predicates.table.content.rows[predicates.table.selected or 0][2].text == "i < bound"


def test_the_timeline_grows_while_the_run_goes_on(window: MainWindow, timeline: TimelineView) -> None:
    record = window.model.record
    assert record is not None
    rounds_of(record.view, range(5, 8))
    list(window.model.advanced.notify())
    assert len(timeline.chart.columns) == 8


@pytest.mark.long
@uses_timeline
def test_two_hundred_refinements_are_fluent(qtbot: QtBot, window: MainWindow) -> None:
    for name in ("path", "predicates", "timeline"):
        window.show_panel(name)
    window.model.show(run(200))
    window.focus.first_round()
    qtbot.wait(1)
    with effort() as found:
        for number in range(0, 200, 4):
            window.focus.go_to_round(number)
            window.repaint()
    assert found.calls / 50 < 100_000  # some twenty milliseconds


def test_an_empty_window_says_why(window: MainWindow) -> None:
    for name in ("timeline", "path", "predicates"):
        view = window.show_panel(name)
        assert view._empty.isVisible()  # type: ignore[attr-defined]
        assert view._empty.sentence.startswith("No run yet")  # type: ignore[attr-defined]
