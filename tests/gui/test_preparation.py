"""Long counterexamples: what views need of them is computed in pieces before they are shown, and is the same."""

from pytestqt.qtbot import QtBot

from gui.model.current import RunModel
from gui.model.focus import Focus
from interplay.presentation.record.paths import counterexample
from interplay.presentation.record.preparation import needs_preparation, preparation
from interplay.presentation.record.run import RunRecord
from interplay.presentation.record.trace import StepKind, StepNote, TraceDetail, trace_rows
from interplay.session.request import Request
from runs.events import AttemptStarted, CheckDecided, Event, TraceShown, VerdictReached
from runs.runview import RunView
from tests.support.effort import effort
from tests.support.small_programs import counting_loop

PATH = (0, 1, 2, *(3, 4) * 3000, 5, 6)
STEPS = tuple((edge, (("i", str(number)),) if edge == 4 else ()) for number, edge in enumerate(PATH))
PIECE = 30_000  # calls: some five milliseconds


def long_run(*more: Event) -> RunRecord:
    view = RunView()
    failing = CheckDecided(0, "unreach-call", "assertion", "small.c", 6, 5, "false", "native replay", "")
    for event in (AttemptStarted(0, "bmc", (), (0,)), TraceShown(0, STEPS, ()), failing, *more):
        view.add(event)
    found = RunRecord(Request("small.c"), view)
    found.program = counting_loop(11)
    return found


def test_in_pieces_and_at_once_are_the_same() -> None:
    at_once, in_pieces = long_run(), long_run()
    longest, before = 0, 0
    with effort() as found:
        for _ in preparation(in_pieces):
            longest, before = max(longest, found.calls - before), found.calls
    assert longest < PIECE
    assert not needs_preparation(in_pieces)
    assert counterexample(in_pieces, 0) == counterexample(at_once, 0)
    for detail in TraceDetail:
        assert trace_rows(in_pieces, 0, detail) == trace_rows(at_once, 0, detail)
    assert trace_rows(in_pieces, 0, TraceDetail.RELEVANT)[-1].note == StepNote(StepKind.ERROR, "assertion")


def test_what_was_prepared_stays_while_the_run_grows() -> None:
    one = long_run()
    for _ in preparation(one):
        pass
    one.view.add(VerdictReached("false(unreach-call)", 10, (), "native replay", "", ""))
    assert not needs_preparation(one)


def test_a_long_counterexample_is_shown_when_it_is_prepared(qtbot: QtBot) -> None:
    model, long, other = RunModel(Focus()), long_run(), RunRecord(Request("other.c"), RunView())
    model.show(long)
    assert model.record is None
    qtbot.waitUntil(lambda: model.record is long)
    assert not needs_preparation(long)
    model.show(long_run())
    model.show(other)
    qtbot.wait(50)
    assert model.record is other
