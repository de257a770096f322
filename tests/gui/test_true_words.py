"""Words that are true: whose time it is, which checks fail, and how many."""

from gui.toolbar import Stopwatch
from gui.window import MainWindow
from interplay.presentation.record.moments import rounds
from interplay.presentation.record.run import RunRecord
from interplay.presentation.record.summary import banner
from interplay.session.request import Request
from runs.events import CheckDecided, Paused, PhaseStarted, RoundStarted, VerdictReached
from runs.runview import RunView


def decided(check: int, line: int, status: str) -> CheckDecided:
    return CheckDecided(check, "assertion", f"assert(x != {check})", "/x/several.c", line, 1, status, "a run", "")


def failing(*statuses: str) -> RunRecord:
    view = RunView()
    for number, status in enumerate(statuses):
        view.add(decided(number, number + 3, status))
    view.add(VerdictReached("false(assertion)", 1, (), "a run", "", ""))
    return RunRecord(Request("/x/several.c"), view)


def test_all_failing_checks_stand_in_the_banner(window: MainWindow) -> None:
    record = failing("false", "true", "false")
    shown = banner(record)
    assert shown.headline == "FALSE: 2 of 3 checks can fail"
    assert shown.failing == ((0, "several.c:3: assert(x != 0)"), (2, "several.c:5: assert(x != 2)"))
    window.model.show(record)
    assert window.banner.failing.isVisible()
    window.banner.failing.linkActivated.emit("2")
    assert window.focus.selection.check == 2
    assert window.focus.selection.line == ("/x/several.c", 5)


def test_one_failing_check_is_the_headline() -> None:
    assert banner(failing("false", "true")).headline.startswith("FALSE: several.c:3: assert(x != 0)")


def test_waiting_for_a_person_is_no_time_of_a_round() -> None:
    view = RunView()
    view.add(RoundStarted(0, "start"), 0.0)
    view.add(PhaseStarted("explore"), 0.0)
    view.add(Paused(0), 1.0)
    view.add(PhaseStarted("refine"), 61.0)
    view.add(VerdictReached("true", 0, (), "a proof", "", ""), 63.0)
    (row,) = rounds(RunRecord(Request("x.c"), view), 0)
    assert sum(row.seconds.values()) == 3.0


def test_the_stopwatch_is_held_while_a_person_thinks() -> None:
    watch = Stopwatch()
    watch.hold(True)
    before = watch.seconds
    assert watch.seconds == before
    watch.hold(False)
    assert watch.seconds >= before
