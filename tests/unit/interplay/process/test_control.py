"""The parent and its worker: events come through, limits hold, and a dead worker still gives a verdict."""

import subprocess
import sys
import time
from pathlib import Path

import pytest

from interplay.process.control import Control, Observer
from interplay.process.start import by_command
from interplay.session.request import Request, Start
from runs.events import VerdictReached
from runs.events_json import header
from runs.jsondata import compact
from runs.runfile import Journal, open_run
from runs.runview import RunView
from tests.support.fake_worker import WORKER


def control(
    journal: Journal, word: str, observer: Observer | None = None, start: Start = Start.AT_ONCE, **options: object
) -> Control:
    task = journal.directory.parent / "task.w"
    task.write_text(f"{word}\n")
    request = Request(str(task), **options)  # type: ignore[arg-type]
    return Control(request, journal, observer or Observer(), by_command(WORKER), start=start)


def verdict(view: RunView) -> VerdictReached:
    assert view.verdict is not None
    return view.verdict


def test_a_run_in_a_worker(journal: Journal) -> None:
    lines: list[bytes] = []
    view = control(journal, "true", Observer(line=lines.append)).run()
    assert verdict(view).verdict == "true"
    assert (journal.directory / "events.jsonl").read_bytes() == b"\n".join([header("test").encode(), *lines, b""])
    run = open_run(journal.directory)
    assert run.view().checks == view.checks
    assert set(run.members) == {
        "options.json", "sources.json", "program.json", "events.jsonl", "times.jsonl", "evidence.json", "verdict.json"
    }  # fmt: skip


def test_a_worker_that_only_waits_is_ended(journal: Journal, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("interplay.process.monitor.PATIENCE", 0.5)
    view = control(journal, "sleep", time_limit=1.0).run()
    assert (verdict(view).verdict, verdict(view).exit_code) == ("TIMEOUT", 124)


def test_the_time_limit(journal: Journal) -> None:
    assert verdict(control(journal, "spin", time_limit=0.3).run()).exit_code == 124


def test_cancel_ends_a_worker_that_does_not_listen(journal: Journal) -> None:
    def line(text: bytes) -> None:
        if b'"counter"' in text:
            run.cancel()

    run = control(journal, "sleep", Observer(line))
    started = time.monotonic()
    view = run.run()
    assert (verdict(view).verdict, verdict(view).exit_code) == ("unknown (interrupted)", 130)
    assert time.monotonic() - started < 300  # it would sleep for twice as long
    assert open_run(journal.directory).view().counters == {"abstract states": 4}


@pytest.mark.parametrize(
    ("script", "string", "code"),
    [
        ("import sys; sys.exit('something broke')", "ERROR (internal)", 70),
        ("import sys; sys.exit('terminate called: std::bad_alloc')", "OUT OF MEMORY", 137),
        ("import os; os.kill(os.getpid(), 9)", "OUT OF MEMORY", 137),
        ("import os, signal; os.kill(os.getpid(), signal.SIGXCPU)", "TIMEOUT", 124),
        ("print('what?', flush=True); input(); input()", "ERROR (internal)", 70),
    ],
)
def test_a_dead_worker_gives_a_verdict(journal: Journal, script: str, string: str, code: int) -> None:
    view = Control(Request("a.c"), journal, Observer(), by_command([sys.executable, "-c", script])).run()
    assert (verdict(view).verdict, verdict(view).exit_code) == (string, code)
    assert open_run(journal.directory).view().verdict == view.verdict


def test_a_confirmed_violation_outlives_its_worker(journal: Journal) -> None:
    lines = [
        header("test"),
        '{"kind":"check","check":0,"property":"unreach-call","description":"d","file":"a.c","line":1,"column":1,'
        '"status":"false","confirmed_by":"native replay","reason":""}',
    ]
    script = f"import sys; print({chr(10).join(lines)!r}, flush=True); sys.exit(1)"
    view = Control(Request("a.c"), journal, Observer(), by_command([sys.executable, "-c", script])).run()
    assert verdict(view).verdict == "false(unreach-call)"


def test_the_worker_ends_with_its_input(tmp_path: Path) -> None:
    task = tmp_path / "task.w"
    task.write_text("sleep\n")
    command = compact({"command": "run", "request": {"task": str(task)}, "journal": None}) + "\n"
    # It would sleep for twice as long.
    done = subprocess.run(WORKER, input=command, capture_output=True, text=True, check=False, timeout=300)
    assert done.returncode == 130
    assert done.stdout.startswith('{"format":"interplay-events"')


@pytest.mark.parametrize(
    "line",
    [
        *("", "nonsense\n", '{"command":"dance"}\n', '{"command":"run","request":{}}\n'),
        '{"command":"run","request":{"task":"a.c"},"start":"late"}\n',
    ],
)
def test_the_worker_refuses_what_it_does_not_understand(line: str) -> None:
    done = subprocess.run(WORKER, input=line, capture_output=True, text=True, check=False, timeout=300)
    assert done.returncode == (2 if line else 0)
    assert done.stdout == ""
    assert "Traceback" not in done.stderr


def test_pause_and_resume(journal: Journal) -> None:
    counters_while_paused: list[int] = []

    def line(text: bytes) -> None:
        if b'"kind":"attempt"' in text:
            run.pause()

    def tick(view: RunView) -> None:
        if view.attempt.pauses and not counters_while_paused:
            counters_while_paused.append(len(view.counters))
            run.edit(0, "stop", -1, None)
            run.resume()

    run = control(journal, "steered", Observer(line, tick))
    assert verdict(run.run()).verdict == "true"
    assert counters_while_paused == [0]


def test_step_by_step(journal: Journal) -> None:
    def tick(view: RunView) -> None:
        if len(view.attempt.pauses) > seen[-1]:
            seen.append(len(view.attempt.pauses))
            run.step()

    seen = [0]
    run = control(journal, "true", Observer(tick=tick), Start.PAUSED)
    view = run.run()
    assert verdict(view).verdict == "true"
    assert [pause.round for pause in view.attempt.pauses] == [0, 1]
