"""The commands `interplay batch` and `interplay compare`."""

from __future__ import annotations

import os
import signal
import sys
from argparse import Namespace
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import replace
from pathlib import Path

from frontend.source import FrontendError
from interplay.batch.batch_plan import (
    BatchConfiguration,
    BatchJob,
    BatchSettings,
    WrongConfiguration,
    planned,
    read_configuration,
)
from interplay.batch.compare import ComparedResults, differ, read_side, report, side_by_side
from interplay.batch.journal import BatchJournal, JournalConflict
from interplay.batch.page import Heading, page
from interplay.batch.plots import quantile_plot
from interplay.batch.pool import Executor, Pool
from interplay.batch.result_files import PAGE, PLOT, TABLE, comma_separated, json_lines, write_text
from interplay.batch.rows import JSON_LINES, ResultRow
from interplay.batch.tasks import BadInput, find_tasks
from interplay.batch.totals import table
from interplay.commands.handlers import wrong_property
from interplay.session.endings import ExitCode
from interplay.session.project_file import WrongProject
from interplay.session.request import PORTFOLIO, WRITER, ReplayMode
from runs.jsondata import Malformed

WRONG_VERDICT = 1  # exit code of `batch`: a verdict contradicts what is expected
DIFFERENT = 1  # exit code of `compare`: verdicts differ


def batch(options: Namespace) -> int:
    """`interplay batch`: run the jobs that are not done yet, then write all results."""
    folder = Path(options.output)
    wrong = wrong_property(options.property)
    if wrong is not None:
        return _refuse(wrong)
    try:
        settings = _settings(options)
        tasks = find_tasks(options.inputs, options.property)
        if not tasks:
            return _refuse("no task has the property that is asked for")
        jobs = list(planned(tasks, settings))
        runner = executor(options, folder)
        journal = BatchJournal(folder, settings, WRITER)
    except (WrongConfiguration, WrongProject, BadInput, JournalConflict, OSError) as error:
        return _refuse(_told(error))
    except (FrontendError, Malformed) as error:
        return _refuse(str(error), ExitCode.NOT_PARSED)
    with closing(journal):
        return _work(jobs, settings, journal, folder, runner)


def _settings(options: Namespace) -> BatchSettings:
    configurations = [read_configuration(text) for text in options.configuration]
    names = [one.name for one in configurations]
    for name in names:
        if names.count(name) > 1:
            raise WrongConfiguration(f"{name}: two configurations have this name")
    default = BatchConfiguration(PORTFOLIO, PORTFOLIO)
    replay = ReplayMode(options.replay)
    return BatchSettings(
        options.time_limit,
        options.memory_limit,
        replay,
        tuple(configurations or [default]),
        tuple(options.parameters.items()),
        tuple(options.checks),
    )


def executor(options: Namespace, folder: Path) -> Executor:
    """The executor of the jobs. Raises `WrongConfiguration` where the extra `cluster` is not installed."""
    if options.scheduler is None:
        return Pool(folder, options.jobs, begun=lambda job: print(f"begins  {job.task.name}", file=sys.stderr))
    try:
        from interplay.batch.cluster import Cluster
    except ModuleNotFoundError as error:
        if error.name != "distributed":
            raise
        raise WrongConfiguration("--scheduler needs the extra `cluster`: pip install 'interplay[cluster]'") from None
    return Cluster(folder, options.scheduler)


def _work(
    jobs: Sequence[BatchJob], settings: BatchSettings, journal: BatchJournal, folder: Path, executor: Executor
) -> int:
    waiting = [job for job in jobs if not _is_done(job, journal)]
    print(f"{len(jobs)} runs, {len(jobs) - len(waiting)} done before", file=sys.stderr)
    interrupted = False
    try:
        with terminable(), closing(executor.rows(waiting)) as rows:
            for number, row in enumerate(rows, len(jobs) - len(waiting) + 1):
                journal.add(row)
                print(f"{number}/{len(jobs)}  {_line(row)}", file=sys.stderr, flush=True)
    except KeyboardInterrupt:
        interrupted = True
    except OSError as error:
        return _refuse(_told(error))
    done = [journal.rows[job.key] for job in jobs if _is_done(job, journal)]
    _write(done, _heading(jobs, done, settings), folder)
    if interrupted:
        print(
            f"interplay: interrupted; {len(jobs) - len(done)} runs are left, the same command goes on", file=sys.stderr
        )
        return ExitCode.INTERRUPTED
    for line in table(done):
        print(line)
    return WRONG_VERDICT if any(row.wrong for row in done) else 0


def _is_done(job: BatchJob, journal: BatchJournal) -> bool:
    """Whether there is a row, and the texts are still those that were run."""
    row = journal.rows.get(job.key)
    return row is not None and row.digest == job.task.digest


def _heading(jobs: Sequence[BatchJob], done: Sequence[ResultRow], settings: BatchSettings) -> Heading:
    facts = [
        ("tasks", str(len({job.task.name for job in jobs}))),
        ("configurations", str(len(settings.configurations))),
        ("CPU time limit", f"{settings.time_limit:g} s"),
        ("memory limit", f"{settings.memory_limit} MB"),
        ("by", WRITER),
    ]
    missing = len(jobs) - len(done)
    warnings = [f"{missing} of {len(jobs)} runs are not done yet; the same command goes on."] if missing else []
    return Heading("Interplay: results of a batch", facts, warnings)


def _write(rows: Sequence[ResultRow], heading: Heading, folder: Path) -> None:
    write_text(folder / JSON_LINES, json_lines(rows))
    write_text(folder / TABLE, comma_separated(rows))
    write_text(folder / PAGE, page(rows, heading))
    write_text(folder / PLOT, quantile_plot(rows))
    for row in rows:
        if row.wrong:
            print(f"WRONG  {_line(row)} (expected: {row.expected})", file=sys.stderr)


def _line(row: ResultRow) -> str:
    reason = f": {row.reason}" if row.reason else ""
    return f"{row.category:>13} {row.cpu:7.1f} s  {row.configuration}  {row.task}: {row.verdict}{reason}"


@contextmanager
def terminable() -> Iterator[None]:
    """A context in which SIGTERM counts as Ctrl-C."""

    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGTERM, interrupt)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


def compare(options: Namespace) -> int:
    """`interplay compare`: compare two results, as text and optionally as a page."""
    try:
        a, b = read_side(options.first), read_side(options.second)
        for line in report(a, b):
            print(line)
        if options.html:
            out = Path(options.html)
            facts = [("A", a.name), ("B", b.name), ("by", WRITER)]
            write_text(out, page(_linked_from(out, a, b), Heading("Interplay: two results compared", facts)))
    except BrokenPipeError:
        raise
    except WrongConfiguration as error:
        return _refuse(str(error))
    except (Malformed, OSError) as error:
        return _refuse(_told(error), ExitCode.NOT_PARSED)
    return DIFFERENT if differ(a, b) else 0


def _linked_from(out: Path, a: ComparedResults, b: ComparedResults) -> list[ResultRow]:
    """The rows of both results, with paths of their run files relative to the page."""

    def linked(side: ComparedResults) -> ComparedResults:
        way = os.path.relpath(side.folder, out.parent)
        rows = {t: replace(row, run=f"{way}/{row.run}" if row.run else "") for t, row in side.rows.items()}
        return replace(side, rows=rows)

    return side_by_side(linked(a), linked(b))


def _told(error: Exception) -> str:
    return f"{error.filename}: {error.strerror}" if isinstance(error, OSError) and error.strerror else str(error)


def _refuse(text: str, code: ExitCode = ExitCode.COMMAND_LINE) -> int:
    print(f"interplay: {text}", file=sys.stderr)
    return code
