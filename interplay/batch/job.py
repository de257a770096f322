"""One run of a batch: a worker process under limits, and the row of its result."""

from __future__ import annotations

import hashlib
import shutil
import threading
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from core.verdict import ANSWERS, Status, stated_status
from interplay.batch.batch_plan import BatchJob
from interplay.batch.orphans import Orphans
from interplay.batch.rows import BatchCheck, ResultRow
from interplay.process.control import Control, Observer, journal_for
from interplay.process.start import by_command
from interplay.session.endings import ExitCode, Termination
from runs.events import VerdictReached
from runs.runfile import journal_of, open_run
from runs.runview import RunView


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
            control = Control(job.request, journal, observer, by_command(command), directory)
            reached = control.run().verdict
            if reached is None or reached.exit_code == ExitCode.INTERRUPTED:
                raise Stopped
            sources = open_run(journal.directory).sources()
    except Stopped:
        shutil.rmtree(journal_of(run_file), ignore_errors=True)
        raise
    except OSError:
        raise
    except Exception as error:  # noqa: BLE001 - whatever is wrong with one run, it does not end the batch
        return ended_row(job, Termination.FAILED, f"internal error: {type(error).__name__}: {str(error)[:300]}")
    return replace(_row(job, control, reached), texts=digests(sources))


def _row(job: BatchJob, control: Control, reached: VerdictReached) -> ResultRow:
    verdict, reason, termination = reached.verdict, reached.reason, control.termination
    late = control.cost.cpu > (job.request.time_limit or float("inf"))
    if late and stated_status(verdict) in (*ANSWERS, Status.UNKNOWN):
        verdict, reason = Status.TIMEOUT.value, f"{verdict} came after the time limit"
    if termination is None and verdict == Status.TIMEOUT:
        termination = Termination.CPUTIME
    if termination is None and verdict == Status.OUT_OF_MEMORY:
        termination = Termination.MEMORY
    cpu = round(control.cost.cpu, 2)
    return replace(
        row_of(job, control.view, cpu),
        verdict=verdict,
        reason=reason,
        termination="" if termination is None else termination.value,
        wall=round(control.seconds, 2),
        memory=round(control.cost.memory, 1),
        confirmed_by=reached.confirmed_by,
        assumptions=reached.assumptions,
    )


def row_of(job: BatchJob, view: RunView, cpu: float) -> ResultRow:
    """The row of a run, as far as its events tell, which took `cpu` seconds of CPU time."""
    reached = view.verdict
    deciders = [a.event.engine for a in view.attempts if a.event is not None and a.decided]
    return replace(
        _blank(job, "unknown" if reached is None else reached.verdict),
        reason="" if reached is None else reached.reason,
        cpu=cpu,
        engine=", ".join(dict.fromkeys(deciders)),
        rounds=sum(len(attempt.rounds) for attempt in view.attempts),
        run=job.run_file,
        checks=tuple(_check(view, check, cpu) for check in view.checks),
    )


def _check(view: RunView, number: int, cpu: float) -> BatchCheck:
    """The result of a check. An engine that ran alone has the time of the run."""
    check, attempt = view.checks[number], view.attempts[view.decided_by(number)]
    engine = "" if attempt.event is None else attempt.event.engine
    seconds = cpu if attempt.ended is None else attempt.ended.milliseconds / 1000
    why = check.confirmed_by or check.reason
    return BatchCheck(check.file, check.line, check.description, check.status, engine, round(seconds, 2), why)


def digests(sources: Mapping[str, str]) -> tuple[tuple[str, str], ...]:
    """The files that were read, with a digest each."""
    return tuple((name, digest(text)) for name, text in sources.items())


def digest(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()[:16]


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
