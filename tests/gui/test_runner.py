"""Run control: live and replayed records are equal, a stop is quick, a run can be paused and stepped."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from gui.model.current import RunModel, RunState
from gui.model.focus import Focus
from gui.model.runner import Job, Runner
from interplay.presentation.record.moments import graph, learned, predicates, rounds
from interplay.presentation.record.paths import path_shown, variables_at
from interplay.presentation.record.run import LATEST, RunRecord
from interplay.presentation.record.summary import banner, evidence
from interplay.session.request import Request, Start
from runs.runfile import open_run
from tests.support.fake_worker import WORKER

Program = Callable[[str], Path]


@pytest.fixture
def model() -> RunModel:
    return RunModel(Focus())


def job(program: Program, tmp_path: Path, word: str, start: Start = Start.AT_ONCE) -> Job:
    return Job(Request(str(program(word))), tmp_path / f"{word}.interplay", start)


def finish(qtbot: QtBot, runner: Runner) -> None:
    qtbot.waitUntil(lambda: runner.state is RunState.IDLE)


def answers(record: RunRecord) -> list[object]:
    """The answers that views read, as values."""
    numbers = [row.round for row in rounds(record)]
    return [
        banner(record),
        evidence(record),
        [(row.round, row.states, row.predicates, row.learned, row.result) for row in rounds(record)],
        [graph(record, LATEST, number) for number in (*numbers, None)],
        [predicates(record, LATEST, number) for number in numbers],
        [learned(record, LATEST, number) for number in numbers],
        [path_shown(record, LATEST, number, None) for number in (*numbers, None)],
        variables_at(record, 0, None),
    ]


def same_times(live: RunRecord, replayed: RunRecord) -> None:
    """Journals round times; afterwards both have the same."""
    live.view.seconds = replayed.view.seconds
    for one, other in zip(live.view.attempts, replayed.view.attempts, strict=True):
        assert one.started == pytest.approx(other.started, abs=0.01)
        other.started = one.started
    for phase, again in zip(live.view.phases, replayed.view.phases, strict=True):
        assert phase.start == pytest.approx(again.start, abs=0.01)
        again.start, again.end = phase.start, phase.end


@pytest.mark.long
@pytest.mark.parametrize("word", ["true", "false", "unknown", "stuck", "garbage"])
def test_live_view_and_replay_are_equal(
    qtbot: QtBot, model: RunModel, program: Program, tmp_path: Path, word: str
) -> None:
    runner = Runner(model, WORKER)
    runner.submit(job(program, tmp_path, word))
    finish(qtbot, runner)
    live = model.record
    assert live is not None
    assert live.complete
    replayed = RunRecord.of(open_run(tmp_path / f"{word}.interplay"))
    same_times(live, replayed)
    assert replayed.view == live.view
    assert replayed.sources == live.sources
    assert answers(replayed) == answers(live)


def test_stop_ends_a_worker_that_does_not_listen(
    qtbot: QtBot, model: RunModel, program: Program, tmp_path: Path
) -> None:
    runner = Runner(model, WORKER)
    runner.submit(job(program, tmp_path, "sleep"), job(program, tmp_path, "true"))
    qtbot.waitUntil(lambda: model.record is not None and bool(model.record.view.counters))
    runner.stop()
    qtbot.waitUntil(lambda: runner.state in (RunState.SAVING, RunState.IDLE))  # it would sleep for far longer
    finish(qtbot, runner)
    assert runner.waiting == 0
    assert model.record is not None
    assert model.record.view.verdict is not None
    assert model.record.view.verdict.verdict == "unknown (interrupted)"


def test_step_by_step_starts_paused(qtbot: QtBot, model: RunModel, program: Program, tmp_path: Path) -> None:
    runner = Runner(model, WORKER)
    runner.submit(job(program, tmp_path, "true", Start.PAUSED))
    for round_number in (0, 1):
        qtbot.waitUntil(lambda: runner.state is RunState.PAUSED)
        assert model.record is not None
        assert [one.round for one in model.record.attempt().pauses] == list(range(round_number + 1))
        assert model.record.paused
        runner.step()
    finish(qtbot, runner)
    assert model.record is not None
    assert model.record.view.verdict is not None


def test_a_paused_run_can_be_continued(qtbot: QtBot, model: RunModel, program: Program, tmp_path: Path) -> None:
    runner = Runner(model, WORKER)
    runner.submit(job(program, tmp_path, "true", Start.PAUSED))
    qtbot.waitUntil(lambda: runner.state is RunState.PAUSED)
    runner.resume()
    finish(qtbot, runner)
    assert model.record is not None
    assert len(model.record.attempt().pauses) == 1


def test_views_hear_of_events_while_they_come(qtbot: QtBot, model: RunModel, program: Program, tmp_path: Path) -> None:
    heard: list[int] = []
    model.advanced.connect(lambda: heard.append(model.record.view.position if model.record else 0))
    runner = Runner(model, WORKER)
    runner.submit(job(program, tmp_path, "true", Start.PAUSED))
    for _ in range(2):
        qtbot.waitUntil(lambda: runner.state is RunState.PAUSED)
        assert model.record is not None
        position = model.record.view.position
        qtbot.waitUntil(lambda position=position: heard[-1:] == [position])  # type: ignore[misc]
        runner.step()
    finish(qtbot, runner)
    assert len(heard) > 2
    assert heard == sorted(heard)


def test_a_worker_that_dies_gives_a_verdict(qtbot: QtBot, model: RunModel, program: Program, tmp_path: Path) -> None:
    runner = Runner(model, ["/bin/false"])
    runner.submit(job(program, tmp_path, "true"))
    finish(qtbot, runner)
    assert model.record is not None
    assert model.record.view.verdict is not None
    assert model.record.view.verdict.verdict == "ERROR (internal)"


def test_what_cannot_be_started_is_said(qtbot: QtBot, model: RunModel, program: Program, tmp_path: Path) -> None:
    runner = Runner(model, ["/no/such/worker"])
    said: list[str] = []
    runner.failed.connect(said.append)
    runner.submit(job(program, tmp_path, "true"))
    qtbot.waitUntil(lambda: runner.state is RunState.IDLE and bool(said))
    assert said[0].startswith("The run cannot be started")


def test_closing_ends_the_worker_and_leaves_a_journal(
    qtbot: QtBot, model: RunModel, program: Program, tmp_path: Path
) -> None:
    runner = Runner(model, WORKER)
    runner.submit(job(program, tmp_path, "sleep"))
    qtbot.waitUntil(lambda: model.record is not None and bool(model.record.view.counters))
    runner.shut_down()
    assert RunRecord.of(open_run(tmp_path / "sleep.interplay")).view.counters == {"abstract states": 4}
    assert os.path.isdir(tmp_path / "sleep.interplay.journal")


def test_an_edit_reaches_the_engine(qtbot: QtBot, model: RunModel, program: Program, tmp_path: Path) -> None:
    runner = Runner(model, WORKER)
    runner.submit(job(program, tmp_path, "true", Start.PAUSED))
    qtbot.waitUntil(lambda: runner.state is RunState.PAUSED)
    assert model.record is not None
    runner.edit(model.record.attempt().number, "stop", -1, None)
    runner.resume()
    finish(qtbot, runner)
    assert [one.action for one in model.record.attempt().edits] == ["stop"]


def test_closing_while_the_run_is_saved_leaves_the_run_file(
    qtbot: QtBot, model: RunModel, program: Program, tmp_path: Path
) -> None:
    runner = Runner(model, WORKER)
    runner.submit(job(program, tmp_path, "true"))
    with qtbot.waitSignal(model.decided):
        pass
    runner.shut_down()
    assert RunRecord.of(open_run(tmp_path / "true.interplay")).complete
