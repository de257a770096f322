"""The session: what is confirmed becomes a verdict, and every other end has a verdict too."""

import threading
from pathlib import Path

import pytest

from core.verdict import Status
from interplay.session.attempt import AttemptRunner
from interplay.session.context import Steering
from interplay.session.endings import Ending
from interplay.session.member_storage import JournalStorage, MemberStorage, NoStorage
from interplay.session.request import ReplayMode, Request
from interplay.session.session import Session
from methods.engine import EditAction
from runs.events import Edited, Event, Level, Message, NodeAdded, Paused, RoundStarted, TraceShown, VerdictReached
from runs.events_json import encode
from runs.runfile import Journal, open_run
from tests.support.fakes import FakeServices, FakeTask
from tests.support.small_programs import counting_loop


class Run:
    """One session over the fakes, on a task that consists of `word`."""

    def __init__(self, directory: Path, word: str, storage: MemberStorage | None = None, **options: object) -> None:
        self.task = directory / "task.w"
        self.task.write_text(f"{word}\n")
        self.services = FakeServices()
        self.steering = Steering()
        self.events: list[Event] = []
        request = Request(str(self.task), **options)  # type: ignore[arg-type]
        self.session = Session(request, self.services, self.events.append, self.steering, storage or NoStorage())

    def end(self) -> Ending:
        ending = self.session.run()
        assert self.events[-1] == ending.event()
        assert isinstance(self.events[-1], VerdictReached)
        return ending


@pytest.mark.parametrize(
    ("word", "string", "code"),
    [
        ("true", "true", 0),
        ("false", "false(unreach-call)", 10),
        ("weak", "unknown", 5),
        ("phantom", "unknown", 5),
        ("unknown", "unknown", 5),
        ("silent", "unknown", 5),
        ("stuck", "unknown", 5),
        ("hard", "unknown", 5),
        ("empty", "unknown (nothing to check)", 5),
        ("asked", "true", 0),
        ("late", "TIMEOUT", 124),
        ("memory", "OUT OF MEMORY", 137),
        ("garbage", "ERROR (parse error)", 3),
        ("floats", "ERROR (unsupported)", 4),
        ("bug", "ERROR (internal)", 70),
    ],
)
def test_every_end_has_a_verdict(tmp_path: Path, word: str, string: str, code: int) -> None:
    ending = Run(tmp_path, word).end()
    assert (ending.string, ending.exit_code) == (string, code)
    if code != 0:
        assert ending.verdict.reason or code == 10


def test_a_claim_alone_is_no_verdict(tmp_path: Path) -> None:
    weak, phantom = Run(tmp_path, "weak").end(), Run(tmp_path, "phantom").end()
    assert "edge 4 is undecided" in weak.verdict.reason
    assert "the run ends normally" in phantom.verdict.reason
    assert "output" in weak.verdict.advice


def test_the_time_limit_ends_an_engine_and_leaves_a_fifth(tmp_path: Path) -> None:
    assert Run(tmp_path, "spin", time_limit=0.001).end().string == "TIMEOUT"


def test_what_other_work_has_used_is_not_of_an_attempt(monkeypatch: pytest.MonkeyPatch) -> None:
    """A fifth of what is left is kept for evidence, not of the whole, of which little may be left."""
    monkeypatch.setattr("core.limits.cpu_used", lambda: 100.0)
    request, services, program = (
        Request("a.w", engine="transition", time_limit=120.0),
        FakeServices(),
        counting_loop(10),
    )
    services.task = FakeTask("true", program, {})
    found = {
        used: AttemptRunner(request, services, lambda _: None, Steering(), NoStorage(), used).run(
            services.task, program.checks
        )
        for used in (0.0, 100.0)
    }
    assert {used: one.status for used, (one,) in found.items()} == {0.0: Status.TIMEOUT, 100.0: Status.TRUE}


def test_cancelling_ends_a_run(tmp_path: Path) -> None:
    run = Run(tmp_path, "spin")
    threading.Timer(0.05, run.steering.cancel).start()
    ending = run.end()
    assert (ending.string, ending.exit_code) == ("unknown (interrupted)", 130)
    assert run.services.factory.interrupted


def test_a_missing_file_is_an_error_message(tmp_path: Path) -> None:
    run = Run(tmp_path, "true")
    run.task.unlink()
    assert run.end().exit_code == 3
    assert run.events[-2] == Message("error", "there is no such file", str(run.task), 1, 1)


def test_errors_in_the_input_are_located(tmp_path: Path) -> None:
    run = Run(tmp_path, "floats")
    run.end()
    assert Message("error", "floating-point arithmetic", str(run.task), 2, 5) in run.events


def test_the_interpreter_alone_when_asked(tmp_path: Path) -> None:
    run = Run(tmp_path, "false", replay=ReplayMode.INTERPRETER)
    run.end()
    assert run.services.task is not None
    assert run.services.task.examined == ["replay interpreter"]


def test_the_trace_runs_the_path(tmp_path: Path) -> None:
    run = Run(tmp_path, "false")
    run.end()
    (trace,) = (event for event in run.events if isinstance(event, TraceShown))
    assert [changes for _, changes in trace.steps if changes] == [(("x", "7"),), (("i", "0"),), (("i", "1"),)]


def test_equal_runs_emit_equal_bytes(tmp_path: Path) -> None:
    def stream() -> list[str]:
        run = Run(tmp_path, "true", level=Level.STATES)
        run.end()
        return [encode(event) for event in run.events]

    assert stream() == stream()


def test_levels_decide_about_formulas(tmp_path: Path) -> None:
    for level, formulas in ((Level.SUMMARY, {-1}), (Level.STATES, {2})):
        run = Run(tmp_path, "true", level=level)
        run.end()
        assert {event.formula for event in run.events if isinstance(event, NodeAdded)} >= formulas


def test_a_pause_holds_the_run_between_rounds(tmp_path: Path) -> None:
    run = Run(tmp_path, "true")
    run.steering.pause()
    run.steering.edit(EditAction.REMOVE_PREDICATE, -1, None)
    thread = threading.Thread(target=run.end)
    thread.start()
    while not any(isinstance(event, Paused) for event in run.events):
        thread.join(0.01)
    assert sum(isinstance(event, RoundStarted) for event in run.events) == 1
    run.steering.resume()
    thread.join()
    assert Edited(0, "remove-predicate", -1, None) in run.events
    assert isinstance(run.events[-1], VerdictReached)


def test_a_cancelled_pause_ends(tmp_path: Path) -> None:
    run = Run(tmp_path, "true")
    run.steering.pause()
    threading.Timer(0.05, run.steering.cancel).start()
    assert run.end().exit_code == 130


# Evidence that was stored


def stored(tmp_path: Path, word: str) -> Path:
    journal = Journal(tmp_path / "a.journal", "test")
    run = Run(tmp_path, word, JournalStorage(journal.directory))
    run.end()
    run.task.write_text("garbage\n")  # a second look must not read it
    target = tmp_path / "a.interplay"
    journal.finish(target)
    return target


@pytest.mark.parametrize(("word", "string"), [("true", "true"), ("false", "false(unreach-call)"), ("weak", "unknown")])
def test_stored_evidence_is_examined_again(tmp_path: Path, word: str, string: str) -> None:
    path = stored(tmp_path, word)
    run = Run(tmp_path, "garbage", recheck=str(path))
    assert run.end().string == string


def test_a_run_without_evidence_checks_as_unknown(tmp_path: Path) -> None:
    ending = Run(tmp_path, "garbage", recheck=str(stored(tmp_path, "stuck"))).end()
    assert ending.verdict.reason == "the run file has no evidence"


def test_a_certificate_does_not_bring_its_program(tmp_path: Path) -> None:
    path = stored(tmp_path, "true")
    journal = Journal(tmp_path / "b.journal", "test")
    for name, data in open_run(path).members.items():
        (journal.directory / name).write_bytes(data.replace(b"10", b"12") if name == "program.json" else data)
    journal.finish(tmp_path / "b.interplay")
    ending = Run(tmp_path, "garbage", recheck=str(tmp_path / "b.interplay")).end()
    assert ending.verdict.reason == "the stored program is not that of the stored sources"


@pytest.mark.parametrize(
    ("word", "old", "new"),
    [("true", b"[[0],4,", b"[[0],99,"), ("true", b"[[0],4,", b"[[2],4,"), ("false", b'"path":[0,', b'"path":[99,')],
)
def test_evidence_of_strangers_is_checked(tmp_path: Path, word: str, old: bytes, new: bytes) -> None:
    journal = Journal(tmp_path / "b.journal", "test")
    for name, data in open_run(stored(tmp_path, word)).members.items():
        assert name != "evidence.json" or old in data
        (journal.directory / name).write_bytes(data.replace(old, new) if name == "evidence.json" else data)
    journal.finish(tmp_path / "b.interplay")
    assert Run(tmp_path, "garbage", recheck=str(tmp_path / "b.interplay")).end().exit_code == 3


def test_a_broken_run_file_is_an_error_message(tmp_path: Path) -> None:
    (tmp_path / "broken").write_text("no zip")
    assert Run(tmp_path, "garbage", recheck=str(tmp_path / "broken")).end().exit_code == 3


def test_an_internal_error_leaves_its_traceback_in_the_run_file(tmp_path: Path) -> None:
    run = open_run(stored(tmp_path, "bug"))
    assert b"seeded" in run.members["trouble.txt"]
