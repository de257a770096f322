"""One run of a batch: a worker process under limits, and the row of its result."""

from __future__ import annotations

import shutil
import threading
from dataclasses import replace
from pathlib import Path

from core.run.events import VerdictReached
from core.run.runfile import journal_of
from core.run.runview import RunView
from core.verdict import ANSWERS, Status, stated_status
from interplay.batch.orphans import Orphans
from interplay.batch.plan import BatchJob
from interplay.batch.rows import ResultRow
from interplay.process.control import Control, Observer, journal_for
from interplay.session.endings import ExitCode, Termination


class Stopped(Exception):
    """The run was interrupted: there is no row."""


def run_job(
    job: BatchJob,
    run_file: Path,
    orphans: Orphans,
    stop: threading.Event,
    command: list[str] | None = None,
    directory: Path | None = None,
) -> ResultRow:
    """Run one job, write its run file and return its row, whatever becomes of the worker.

    `stop` ends it with `Stopped` within a second. `command` starts another worker than the usual one. Names in the job
    are relative to `directory`, if that is not the current one. Raises `OSError` if no process can be started or no
    file written.
    """
    run_file.parent.mkdir(parents=True, exist_ok=True)

    def tick(_: RunView) -> None:
        if stop.is_set():
            control.cancel()

    try:
        with journal_for(run_file) as journal:
            observer = Observer(tick=tick, started=orphans.add, ended=orphans.remove)
            control = Control(job.request, journal, observer, command, directory)
            reached = control.run().verdict
            if reached is None or reached.exit_code == ExitCode.INTERRUPTED:
                raise Stopped
    except Stopped:
        shutil.rmtree(journal_of(run_file), ignore_errors=True)
        raise
    except OSError:
        raise
    except Exception as error:  # noqa: BLE001 - whatever is wrong with one run, it does not end the batch
        return ended_row(job, Termination.FAILED, f"internal error: {type(error).__name__}: {str(error)[:300]}")
    return _row(job, control, reached)


def _row(job: BatchJob, control: Control, reached: VerdictReached) -> ResultRow:
    view = control.view
    verdict, reason, termination = reached.verdict, reached.reason, control.termination
    late = control.cost.cpu > (job.request.time_limit or float("inf"))
    if late and stated_status(verdict) in (*ANSWERS, Status.UNKNOWN):
        verdict, reason = Status.TIMEOUT.value, f"{verdict} came after the time limit"
    if termination is None and verdict == Status.TIMEOUT:
        termination = Termination.CPUTIME
    if termination is None and verdict == Status.OUT_OF_MEMORY:
        termination = Termination.MEMORY
    deciders = [a.event.engine for a in view.attempts if a.event is not None and a.decided]
    return replace(
        _blank(job, verdict),
        reason=reason,
        termination="" if termination is None else termination.value,
        cpu=round(control.cost.cpu, 2),
        wall=round(control.seconds, 2),
        memory=round(control.cost.memory, 1),
        engine=", ".join(dict.fromkeys(deciders)),
        rounds=sum(len(attempt.rounds) for attempt in view.attempts),
        confirmed_by=reached.confirmed_by,
        assumptions=reached.assumptions,
        run=job.run_file,
    )


def ended_row(job: BatchJob, termination: Termination, reason: str) -> ResultRow:
    """The row of a job without a verdict: only its termination and the reason are known."""
    return replace(_blank(job, "ERROR"), termination=termination.value, reason=reason)


def _blank(job: BatchJob, verdict: str) -> ResultRow:
    task = job.task
    return ResultRow(
        task=task.name,
        set=task.set,
        file=task.path,
        specification=task.asked,
        expected=task.expected,
        configuration=job.configuration.name,
        verdict=verdict,
        digest=task.digest,
    )
