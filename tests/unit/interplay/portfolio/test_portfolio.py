"""The portfolio: the first answer whose evidence is confirmed counts, and no other end of an attempt takes it away."""

import os
import re
import signal
import subprocess
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import psutil
import pytest

from core.limits import Cause
from interplay.portfolio.attempt import PortfolioAttempt
from interplay.portfolio.plan import Turn
from interplay.portfolio.portfolio import Portfolio
from interplay.presentation.details import details
from interplay.presentation.run_text import text_of
from interplay.presentation.text import TextReport, TraceExtent
from interplay.process.control import Control, Observer
from interplay.process.start import by_command
from interplay.session.member_storage import NoStorage
from interplay.session.request import PORTFOLIO, Extent, Request, Start
from runs.events import AttemptEnded, CheckDecided, VerdictReached
from runs.jsondata import compact
from runs.runfile import Journal, open_run
from runs.runview import RunView
from tests.support.fake_worker import WORKER
from tests.support.fakes import FakeServices, helper
from tests.support.processes import lives


def control(
    journal: Journal, words: str, observer: Observer | None = None, start: Start = Start.AT_ONCE, **options: object
) -> Control:
    task = journal.directory.parent / "task.w"
    task.write_text(f"{words}\n")
    request = Request(str(task), engine=PORTFOLIO, **options)  # type: ignore[arg-type]
    return Control(request, journal, observer or Observer(), by_command(WORKER), start=start)


def run(journal: Journal, words: str, **options: object) -> RunView:
    return control(journal, words, None, Start.AT_ONCE, **options).run()


def verdict(view: RunView) -> VerdictReached:
    assert view.verdict is not None
    return view.verdict


def ends(view: RunView) -> dict[str, AttemptEnded]:
    return {one.event.engine: one.ended for one in view.attempts if one.event is not None and one.ended is not None}


def results(view: RunView) -> dict[str, str]:
    return {engine: end.result for engine, end in ends(view).items()}


@pytest.mark.long
@pytest.mark.parametrize(
    ("words", "string"),
    [
        ("true", "true"),
        ("false", "false(unreach-call)"),
        ("weak true", "true"),
        ("phantom:9 false:9", "false(unreach-call)"),
        ("stuck:9 hard:9 unknown:9 silent:9 true:9", "true"),
        ("bug:9 abort:9 kill:9 memory:9 true:9", "true"),
        ("weak phantom", "unknown"),
        ("bug", "unknown"),
        ("memory kill", "OUT OF MEMORY"),
        ("empty", "unknown (nothing to check)"),
        ("floats", "ERROR (unsupported)"),
    ],
)
def test_the_first_confirmed_answer_counts(journal: Journal, words: str, string: str) -> None:
    view = run(journal, words)
    assert verdict(view).verdict == string
    assert all(end.reason for end in ends(view).values() if end.result != "decided")


def test_what_has_no_answer_says_why(journal: Journal) -> None:
    view = run(journal, "weak:9 stuck:9 bug:9 abort:9 kill:9 hard:9")
    assert {engine: (end.result, end.reason) for engine, end in ends(view).items()} == {
        "weak": ("undecided", "the certificate is not accepted: edge 4 is undecided"),
        "stuck": ("undecided", "refinement makes no progress: the same path twice"),
        "bug": ("failed", "internal error: ValueError: seeded"),
        "abort": ("failed", "terminate called"),
        "kill": ("failed", "out of memory"),
        "hard": ("undecided", "engine hard: it has a word that fakes do not take"),
    }
    assert verdict(view).reason.startswith("weak: the certificate is not accepted: edge 4 is undecided; stuck: ")
    assert b"ValueError: seeded" in open_run(journal.directory).members["trouble.txt"]


def test_an_attempt_that_hangs_fails(journal: Journal) -> None:
    view = run(journal, "sleep")
    assert ends(view)["sleep"].reason == "it waits for something that does not come"


def test_an_attempt_gives_way_and_goes_on(journal: Journal) -> None:
    """Two that compute share the time; the third gets its turn at last."""
    view = run(journal, "spin:0.2 spin:0.2 true")
    assert verdict(view).verdict == "true"
    assert results(view) == {"spin": "stopped", "true": "decided"}


@pytest.mark.long
def test_the_time_limit_is_for_all_together(journal: Journal) -> None:
    view = run(journal, "spin spin spin spin", time_limit=3.0)
    assert (verdict(view).verdict, verdict(view).exit_code) == ("TIMEOUT", 124)
    assert sum(one.ended.milliseconds for one in view.attempts if one.ended) < 6000  # each by itself: 9600


@pytest.mark.long
def test_a_violation_is_confirmed_in_time_however_long_it_could_be_made_shorter(journal: Journal) -> None:
    view = run(journal, "lasting spin", time_limit=3.0, shorten=100.0)
    assert verdict(view).verdict == "false(unreach-call)"


@pytest.mark.long
def test_the_memory_limit_is_for_all_together(journal: Journal) -> None:
    """Two are more than what all may have, but not so much that the run is ended from outside."""

    def line(text: bytes) -> None:
        if b'"out of memory"' in text:
            one.cancel()

    one = control(journal, "large large spin", Observer(line), memory_limit=1000, time_limit=300)
    reasons = [attempt.ended.reason for attempt in one.run().attempts if attempt.ended]
    assert reasons.count(Cause.MEMORY) == 1
    assert set(reasons) <= {Cause.MEMORY, Cause.INTERRUPTED}  # a busy machine may leave the others no time to say so


def test_losers_end_with_their_children(journal: Journal) -> None:
    view = run(journal, "helper:0.3 true")
    assert results(view) == {"helper": "stopped", "true": "decided"}
    assert eventually(lambda: not computing())


def test_cancel_ends_all_at_once(journal: Journal) -> None:
    def line(text: bytes) -> None:
        if b'"counter"' in text:
            one.cancel()

    one = control(journal, "helper", Observer(line))
    view = one.run()
    assert (verdict(view).verdict, verdict(view).exit_code) == ("unknown (interrupted)", 130)
    assert eventually(lambda: not computing())


@pytest.mark.parametrize("how", ["end of input", "killed"])
def test_attempts_end_with_their_coordinator(tmp_path: Path, how: str) -> None:
    task = tmp_path / "task.w"
    task.write_text("spin\n")
    command = compact({"command": "run", "request": {"task": str(task), "engine": PORTFOLIO}, "journal": None})
    worker = subprocess.Popen(WORKER, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    assert worker.stdin is not None
    assert worker.stdout is not None
    worker.stdin.write(command.encode() + b"\n")
    worker.stdin.flush()
    while b'"counter"' not in worker.stdout.readline():
        pass
    (attempt,) = psutil.Process(worker.pid).children()
    if how == "killed":
        os.kill(worker.pid, signal.SIGKILL)
    worker.stdin.close()
    assert worker.wait(timeout=300) == (130 if how == "end of input" else -signal.SIGKILL)
    worker.stdout.close()
    assert eventually(lambda: not lives(attempt.pid))


def test_answers_of_several_attempts_are_put_together(journal: Journal) -> None:
    view = run(journal, "two first:9 last:9")
    assert verdict(view).verdict == "true"
    assert results(view) == {"first": "undecided", "last": "decided"}
    assert [one.event.checks for one in view.attempts if one.event] == [(0, 1), (1,)]
    evidence = open_run(journal.directory).document("evidence.json")
    assert isinstance(evidence, dict)
    assert [one["checks"] for one in evidence["certificates"]] == [[0], [1]]


def test_a_violation_does_not_end_the_search_for_other_answers(journal: Journal) -> None:
    view = run(journal, "two early last:0.1")
    assert verdict(view).verdict == "false(unreach-call)"
    assert [view.checks[number].status for number in (0, 1)] == ["false", "true"]
    evidence = open_run(journal.directory).document("evidence.json")
    assert isinstance(evidence, dict)
    assert (len(evidence["certificates"]), len(evidence["counterexamples"])) == (1, 1)


def test_the_first_violation_ends_the_run_where_that_is_asked(journal: Journal) -> None:
    view = run(journal, "two early", extent=Extent.FIRST_VIOLATION)
    assert verdict(view).verdict == "false(unreach-call)"
    assert (view.checks[1].status, view.checks[1].reason) == ("unknown", Cause.FIRST_VIOLATION)
    assert results(view) == {"early": "decided"}


@pytest.mark.parametrize(("task", "ends"), [("a.c", False), ("a.yml", True)])
def test_a_task_definition_asks_for_one_answer(task: str, ends: bool) -> None:
    assert Request(task).ends_at_first() == ends


def test_the_evidence_can_be_examined_again(tmp_path: Path) -> None:
    journal = Journal(tmp_path / "a.journal", "test")
    assert verdict(run(journal, "two first:9 last:9")).verdict == "true"
    journal.finish(tmp_path / "a.interplay")
    again = Journal(tmp_path / "b.journal", "test")
    request = Request(str(tmp_path / "task.w"), engine=PORTFOLIO, recheck=str(tmp_path / "a.interplay"))
    assert verdict(Control(request, again, Observer(), by_command(WORKER)).run()).verdict == "true"
    again.close()


def test_answers_that_contradict_each_other_are_an_error() -> None:
    """Both were confirmed, so what confirms is wrong: no verdict may come of it."""
    with open(os.devnull, "rb") as orders:
        one = Portfolio(Request("a.c"), FakeServices(), FakeServices().plan, orders, 1, NoStorage())
    decided = CheckDecided(0, "unreach-call", "d", "a.c", 1, 1, "true", "a certificate", "")
    one._begun = [PortfolioAttempt(Turn("transition", 0, 1, ""), decided={0: decided})]
    one._refuse_contradiction(replace(decided, confirmed_by="another"))
    with pytest.raises(RuntimeError, match="engines contradict each other"):
        one._refuse_contradiction(replace(decided, status="false"))


def test_pause_and_resume(journal: Journal) -> None:
    def line(text: bytes) -> None:
        if b'"kind":"attempt"' in text:
            one.pause()

    def tick(view: RunView) -> None:
        if view.attempt.pauses and not resumed:
            resumed.append(len(view.counters))
            one.edit(0, "stop", -1, None)
            one.resume()

    resumed: list[int] = []
    one = control(journal, "steered", Observer(line, tick))
    assert verdict(one.run()).verdict == "true"
    assert resumed == [0]


def test_attempts_start_paused(journal: Journal) -> None:
    def tick(view: RunView) -> None:
        pauses = sum(len(attempt.pauses) for attempt in view.attempts)
        if pauses > seen[-1]:
            seen.append(pauses)
            one.step()

    seen = [0]
    one = control(journal, "unknown:9 true:9", Observer(tick=tick), start=Start.PAUSED)
    view = one.run()
    assert verdict(view).verdict == "true"
    paused = {one.event.engine: [pause.round for pause in one.pauses] for one in view.attempts if one.event}
    assert paused == {"unknown": [0, 1], "true": [0, 1]}


def test_the_choice_is_told(journal: Journal) -> None:
    view = run(journal, "stuck:9 true:9")
    stored = open_run(journal.directory)
    texts = text_of(stored, view)
    last = list(TextReport(texts).lines(TraceExtent.RELEVANT))[-1]
    assert re.sub(r"\d+\.\d", "…", last) == (
        "Portfolio: true decided after … s; "
        "stuck ran … s without an answer, because refinement makes no progress: the same path twice"
    )
    shown = list(details(stored, view, texts))
    assert shown[1:5] == [
        "Program: edges 8",
        "  stuck: it is stuck",
        "  true: it is true",
        "  not other: it does not fit",
    ]
    assert "Engine stuck, 1 check" in shown


def test_who_was_stopped_is_told_last(journal: Journal) -> None:
    view = run(journal, "spin:0.1 true")
    *_, last = TextReport(text_of(open_run(journal.directory), view)).lines(TraceExtent.RELEVANT)
    found = re.sub(r"\d+\.\d", "…", last)
    assert found == "Portfolio: true decided after … s; stopped (another engine decided): spin after … s"


def computing() -> bool:
    """Whether a helper of a fake engine of this test is there."""
    return any(process.info["cmdline"] == helper() for process in psutil.process_iter(["cmdline"]))


def eventually(holds: Callable[[], bool]) -> bool:
    deadline = time.monotonic() + 120
    while not holds():
        if time.monotonic() > deadline:
            return False
        time.sleep(0.02)
    return True
