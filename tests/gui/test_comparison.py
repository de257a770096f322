"""Two runs side by side: what differs, rounds and predicates, linked cursors, and the way to the second run."""

from collections.abc import Callable
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from gui.views.comparison import ComparisonView
from gui.window import MainWindow
from interplay.presentation.record.comparison import (
    ComparedRun,
    Shared,
    counts,
    index_of,
    linked,
    offered,
    overview,
    predicate_rows,
    round_pairs,
    same_program,
    title_of,
)
from interplay.presentation.record.run import RunRecord
from interplay.presentation.run_text import RunText
from interplay.session.request import Request
from runs.events import (
    AttemptStarted,
    LemmaAdded,
    NodeAdded,
    PathFound,
    RoundStarted,
    TermDefined,
    VerdictReached,
)
from runs.runview import RunView
from tests.gui.conftest import GOLDEN, verified
from tests.support.small_programs import counting_loop

PATH = (0, 1, 2, 3, 4, 5, 6)


def run(engine: str, bounds: tuple[int, ...], verdict: str = "true") -> RunRecord:
    """A run that learns `i <= bound` in a round for each of `bounds`."""
    view = RunView()
    view.add(AttemptStarted(0, engine, (), (0,)))
    view.add(TermDefined(0, "symbol", (), "main::i", "Int"))
    for number, bound in enumerate(bounds):
        view.add(RoundStarted(number, "refined" if number else "start"), number * 1.0)
        view.add(NodeAdded(number, -1, ((0,), 4), (), 0), number * 1.0)
        view.add(TermDefined(number + 1, "le", (0,), str(bound), "Bool"), number * 1.0)
        view.add(LemmaAdded(number, "predicate", "core", number + 1, (), ((0,), 4)), number * 1.0)
        view.add(PathFound(0, PATH, "spurious"), number + 0.5)
    view.add(VerdictReached(verdict, 0, (), "an invariant", "", ""), len(bounds) * 1.0)
    record = RunRecord(Request("small.c", engine=engine), view)
    record.program = counting_loop(11)
    record.sources = {"small.c": "int main(void);"}
    record.text = RunText(view, record.program)
    return record


A, B = run("transition", (10, 20, 30)), run("explicit", (10, 40))


def test_the_overview_says_what_differs() -> None:
    rows = {row.name: row for row in overview(ComparedRun(A), ComparedRun(B))}
    assert (rows["Engine"].first, rows["Engine"].second, rows["Engine"].same) == ("transition", "explicit", False)
    assert rows["Verdict"].same
    assert (rows["Rounds"].first, rows["Rounds"].second) == ("3", "2")
    assert (rows["Time"].first, rows["Time"].second) == ("3.00 s", "2.00 s")
    assert title_of(A) == "small.c, transition: true"
    assert same_program(A, B)


def test_rounds_are_matched_in_their_order() -> None:
    pairs = round_pairs(ComparedRun(A), ComparedRun(B))
    assert [(pair.first is not None, pair.second is not None) for pair in pairs] == [(True, True)] * 2 + [(True, False)]
    assert linked(pairs, 1) == (1, 1)
    assert linked(pairs, 2) == (2, None)
    assert linked(pairs, None) == (None, None)
    assert index_of(pairs, 2) == 2
    assert index_of(pairs, 7) is None


def test_predicates_are_the_same_if_they_say_the_same() -> None:
    rows = predicate_rows(ComparedRun(A), ComparedRun(B))
    assert [(row.shared, row.formula) for row in rows] == [
        (Shared.FIRST, "i <= 20"),
        (Shared.FIRST, "i <= 30"),
        (Shared.SECOND, "i <= 40"),
        (Shared.BOTH, "i <= 10"),
    ]
    assert (rows[0].born_first, rows[0].born_second, rows[0].where) == (1, None, "line 5")
    assert counts(rows) == {Shared.BOTH: 1, Shared.FIRST: 2, Shared.SECOND: 1}
    assert [row.shared for row in predicate_rows(ComparedRun(A, round=0), ComparedRun(B, round=0))] == [Shared.BOTH]


def test_the_newest_runs_are_offered(tmp_path: Path) -> None:
    (tmp_path / "golden.interplay").write_bytes(GOLDEN.read_bytes())
    (tmp_path / "broken.interplay").write_text("no zip")
    (one,) = offered(tmp_path, None)
    assert one.words == "golden: true, Automatic"
    assert offered(tmp_path, tmp_path / "golden.interplay") == ()
    assert offered(tmp_path / "nothing", None) == ()


@pytest.fixture
def comparison(window: MainWindow) -> ComparisonView:
    view = window.show_panel("comparison")
    assert isinstance(view, ComparisonView)
    return view


def test_the_cursors_are_linked(window: MainWindow, comparison: ComparisonView) -> None:
    window.model.show(A)
    comparison.show_second(B)
    assert "B: small.c, explicit: true" in comparison.heading.text()
    comparison.rounds.selectRow(0)
    assert window.focus.selection.round == 0
    assert comparison.moment.text() == "A in refinement 1, B in refinement 1"
    window.focus.next_round()
    assert comparison.rounds.selected == 1
    assert len(comparison.predicates.content.rows) == 3
    window.focus.next_round()
    assert comparison.moment.text() == "A in refinement 3, B at its end"
    comparison.filter.setCurrentIndex(3)
    assert [row[2].text for row in comparison.predicates.content.rows] == ["i <= 40"]
    comparison.swap.click()
    assert window.model.record is B
    assert comparison.second is A
    assert comparison.moment.text() == "A at its end, B at its end"
    comparison.rounds.selectRow(2)
    assert comparison.moment.text() == "A at its end, B in refinement 3"
    comparison.end.click()
    assert comparison.second is None


def test_the_second_run_is_read_beside_the_event_loop(
    qtbot: QtBot, window: MainWindow, comparison: ComparisonView, program: Callable[[str], Path], tmp_path: Path
) -> None:
    verified(qtbot, window, program("true"))
    comparison.compare_with(GOLDEN)
    qtbot.waitUntil(lambda: comparison.second is not None)
    assert "their programs differ" in comparison.heading.text()
    (tmp_path / "bad.interplay").write_text("no zip")
    comparison.compare_with(tmp_path / "bad.interplay")
    qtbot.waitUntil(lambda: comparison.second is None)
    assert "cannot be compared with" in comparison.sentence
    comparison.choose_file()
    assert comparison.chooser is not None
    assert not comparison.chooser.isModal()
    comparison.chooser.close()


def test_nothing_to_compare_offers_one_action(window: MainWindow, comparison: ComparisonView) -> None:
    window.model.show(None)
    assert "No run yet" in comparison.sentence
    window.model.show(A)
    assert comparison.sentence.startswith("Compare this run with another one")
