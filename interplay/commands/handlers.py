"""The functions behind the commands. Results go to standard output, messages and the live line to standard error."""

from __future__ import annotations

import contextlib
import os
import signal
import sys
from argparse import Namespace
from collections.abc import Iterator
from dataclasses import replace
from enum import Enum
from pathlib import Path
from typing import IO, TYPE_CHECKING

from core.dataclass import dataclass
from core.program.properties import PropertyKind
from frontend.source import FrontendError
from interplay.commands.live import LiveLine
from interplay.commands.options import applied
from interplay.process.control import Control, Observer, journal_for
from interplay.process.start import StartWorker, by_command, by_fork
from interplay.session.endings import ExitCode
from interplay.session.recorded_edits import steered
from interplay.session.request import QUESTION, WRITER, Request, Stage, read_request, wrong_options
from runs.events import Level, VerdictReached
from runs.events_json import header
from runs.jsondata import Malformed
from runs.runfile import Journal, StoredRun, open_evidence, open_run
from runs.runview import RunView

if TYPE_CHECKING:
    from core.program import Program
    from interplay.commands.inspection import ProgramFormat
    from interplay.portfolio.plan import Plan


def verify(options: Namespace) -> int:
    """`interplay verify`: run one task in a worker, then print the report."""
    wrong = _wrong_names(options) or wrong_options(options.engine, options.options)
    if wrong is not None:
        return _usage(wrong)
    level = Level.STATES if options.output or options.events else Level.SUMMARY
    request = applied(Request(options.task, files=tuple(options.files), level=level), options)
    if options.stop_after:
        from interplay.commands.inspection import check_input

        return check_input(request, Stage(options.stop_after))
    if options.edits_of:
        try:
            run = open_run(Path(options.edits_of))
            request = steered(request, run.view().attempt)
        except (OSError, Malformed) as error:
            return _unreadable(error)
    files = _Files(*(Path(name) if name else None for name in (options.output, options.witness)))
    try:
        if options.events:
            return _verify_as_events(request, files, _verbosity(options), _start_worker(options))
        return _verify_as_text(request, files, _verbosity(options), _start_worker(options))
    except OSError as error:
        if isinstance(error, BrokenPipeError):
            raise
        return _usage(f"{error.filename}: {error.strerror}" if error.filename else str(error))


def cfa(options: Namespace) -> int:
    """`interplay cfa`: write the control-flow automata of a program as a document."""
    from interplay.commands.inspection import ProgramFormat

    return _inspect(options, ProgramFormat(options.format))


def lower(options: Namespace) -> int:
    """`interplay lower`: print the lowered program, as text or as the document that engines read."""
    from interplay.commands.inspection import ProgramFormat

    return _inspect(options, ProgramFormat.PROGRAM if options.format == "json" else ProgramFormat.TEXT)


def _inspect(options: Namespace, view: ProgramFormat) -> int:
    from interplay.commands.inspection import inspect

    wrong = _wrong_names(options)
    if wrong is not None:
        return _usage(wrong)
    return inspect(
        applied(Request(options.task, files=tuple(options.files)), options),
        view,
        Path(options.output) if options.output else None,
    )


def _wrong_names(options: Namespace) -> str | None:
    """The first error in the files and names on the command line, or None."""
    for name in (options.task, *options.files):
        if name and not Path(name).is_file():
            return f"{name}: " + ("is not a file" if Path(name).exists() else "no such file")
    if options.output and Path(options.output).is_dir():
        return f"{options.output}: is a directory"
    return wrong_property(options.property)


def wrong_property(asked: str | None, folder: Path | None = None) -> str | None:
    """An error message for a property that does not exist, or None. Names of files may be relative to a folder."""
    if not asked or (folder or Path()).joinpath(asked).is_file():
        return None
    names = [kind.value for kind in PropertyKind]
    known = all(one in names for one in asked.split(","))
    return None if known else f"{asked}: neither a property file nor one of {', '.join(names)}"


def check(options: Namespace) -> int:
    """`interplay check`: print the task that evidence is about, then examine it: that of a run file, or any in JSON."""
    from interplay.session.session import reader_of
    from interplay.session.verification_task import description, read_verification_task

    try:
        run = open_evidence(Path(options.evidence))
        stored = _stored_request(run)
        task = read_verification_task(replace(stored, witness=None), reader_of(run))
    except (OSError, Malformed) as error:
        return _unreadable(error)
    except FrontendError as error:
        return _refused(error)
    for line in description(task, stored, run.sources()):
        print(line)
    folder = options.obligations
    if folder:
        try:
            Path(folder).mkdir(parents=True, exist_ok=True)
        except OSError as error:
            return _usage(f"{folder}: {error.strerror}")
    request = applied(replace(stored, level=Level.SUMMARY, recheck=options.evidence, obligations=folder), options)
    return _verify_as_text(request, _Files(), _verbosity(options), _start_worker(options))


def _stored_request(run: StoredRun) -> Request:
    """The request that evidence is about. Raises `Malformed`."""
    try:
        request = read_request(run.options())
    except Malformed as error:
        raise Malformed(f"{run.path}: {error}") from None
    if run.beside is None:
        return request
    strange = run.options().keys() - QUESTION
    wrong = wrong_property(request.property, run.beside)
    if strange or wrong:
        why = f": {min(strange)} says nothing of the program or the question" if strange else f".property: {wrong}"
        raise Malformed(f"{run.path}: options{why}")
    return request


def report_problem(options: Namespace) -> int:
    """`interplay report-problem`: put a run into one file."""
    from interplay.commands.problem import write_problem

    try:
        write_problem(Path(options.run), Path(options.output))
    except (OSError, Malformed) as error:
        return _unreadable(error)
    print(f"{options.output}: say in its README.txt what is wrong, and send it with the report")
    return 0


def export(options: Namespace) -> int:
    """`interplay export`: write a stored run, or a program, in formats of other tools."""
    from interplay.commands.export import RUN_FORMATS, export_run

    if options.chc:
        from interplay.commands.inspection import ProgramFormat

        options.task, options.files = options.input, []
        return _inspect(options, ProgramFormat.CLAUSES)
    if not any(getattr(options, name) for name in RUN_FORMATS):
        return _usage("nothing to write: name a format, such as --witness OUT.yml")
    try:
        missing = export_run(options)
    except (OSError, Malformed) as error:
        return _unreadable(error)
    for reason in missing:
        print(f"interplay: {reason}", file=sys.stderr)
    return ExitCode.NOT_PARSED if missing else 0


def witness(options: Namespace) -> int:
    """`interplay witness check`: examine a witness."""
    from interplay.witnesses.checking import check_witness

    wrong = None if Path(options.witness).is_file() else f"{options.witness}: no such file"
    wrong = wrong or _wrong_names(options)
    if wrong is not None:
        return _usage(wrong)
    request = applied(Request(options.task, files=tuple(options.files), witness=options.witness), options)
    try:
        return check_witness(request, lambda asked: _run_unseen(asked, _verbosity(options)))
    except OSError as error:
        if isinstance(error, BrokenPipeError):
            raise
        return _usage(f"{error.filename}: {error.strerror}" if error.filename else str(error))


def show(path: Path) -> int:
    """`interplay show`: print the content of a run file. The exit code is 0 whatever the verdict was."""
    from interplay.commands.printed import content_lines

    try:
        run = open_run(path)
        view = run.view()
        for line in content_lines(run, view):
            print(line)
    except BrokenPipeError:
        raise
    except (OSError, Malformed) as error:
        return _unreadable(error)
    print(f"VERDICT: {view.verdict.verdict if view.verdict else 'unknown (not finished)'}")
    return 0


def worker() -> int:
    """`interplay worker`: see `interplay.worker`. Does not return: exits without cleanup, which saves time."""
    code = _serve(sys.stdin.buffer)
    sys.stderr.flush()
    os._exit(code)


def _start_worker(options: Namespace) -> StartWorker:
    """A command that is all of its process is forked: it has one thread, and a run needs most of what it imports."""
    return by_fork(_serve) if options.alone else by_command()


def _serve(orders: IO[bytes]) -> int:
    from interplay.session.default_services import DefaultServices
    from interplay.worker import work

    return work(DefaultServices(), _planned, orders)


def _planned(program: Program) -> Plan:
    """Make a plan; what is imported for it takes parameters of the run."""
    from interplay.portfolio.plan import plan_for

    return plan_for(program)


@dataclass(frozen=True)
class _Files:
    """The files that a run writes: the run file and its witness."""

    run: Path | None = None
    witness: Path | None = None

    @contextlib.contextmanager
    def journal(self) -> Iterator[Journal]:
        with journal_for(self.run) as journal:
            yield journal
            if self.witness is not None:
                from interplay.commands.export import leave_witness

                leave_witness(journal.directory, self.witness)


def _verify_as_events(request: Request, files: _Files, verbosity: frozenset[_Verbosity], start: StartWorker) -> int:
    out = sys.stdout.buffer

    def forward(line: bytes) -> None:
        out.write(line + b"\n")
        out.flush()

    forward(header(WRITER).encode())
    with files.journal() as journal:
        view = _run(Control(request, journal, Observer(line=forward), start))
        _show_trouble(open_run(journal.directory), verbosity)
        return _verdict(view).exit_code


class _Verbosity(Enum):
    """Options that change the amount of output."""

    QUIET = "quiet"
    DEBUG = "debug"


def _verbosity(options: Namespace) -> frozenset[_Verbosity]:
    return frozenset(one for one in _Verbosity if getattr(options, one.value, False))


def _verify_as_text(request: Request, files: _Files, verbosity: frozenset[_Verbosity], start: StartWorker) -> int:
    live = LiveLine(sys.stderr) if sys.stderr.isatty() else None
    with files.journal() as journal:
        view = _run(Control(request, journal, Observer(tick=live.tick) if live else Observer(), start))
        if live:
            live.clear()
        for message in view.messages:
            from interplay.commands.printed import message_lines

            print(*message_lines(message), sep="\n", file=sys.stderr)
        stored = open_run(journal.directory)
        _show_trouble(stored, verbosity)
        if _Verbosity.QUIET not in verbosity:
            from interplay.commands.printed import report_lines

            for line in report_lines(stored, view):
                print(line)
        # Last, and before the run file is made: nothing that fails there takes the verdict away.
        print(f"VERDICT: {_verdict(view).verdict}", flush=True)
    return _verdict(view).exit_code


def _run_unseen(request: Request, verbosity: frozenset[_Verbosity]) -> RunView:
    with journal_for(None) as journal:
        view = _run(Control(request, journal, Observer()))
        _show_trouble(open_run(journal.directory), verbosity)
        return view


def _show_trouble(run: StoredRun, verbosity: frozenset[_Verbosity]) -> None:
    """Print the traceback of an internal error, or the last words of a worker that died, if the user wants them."""
    if _Verbosity.DEBUG in verbosity:
        sys.stderr.write(run.members.get("trouble.txt", b"").decode())


def _run(control: Control) -> RunView:
    """Run until the end; Ctrl-C and SIGTERM stop the run and not this process."""
    before = {number: signal.signal(number, lambda *_: control.cancel()) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        return control.run()
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _verdict(view: RunView) -> VerdictReached:
    assert view.verdict is not None
    return view.verdict


def _usage(text: str) -> int:
    print(f"interplay: {text}", file=sys.stderr)
    return ExitCode.COMMAND_LINE


def _refused(error: FrontendError) -> int:
    print(f"{error.span}: error: {error.message}", file=sys.stderr)
    return error.exit_code


def _unreadable(error: OSError | Malformed) -> int:
    text = f"{error.filename}: {error.strerror}" if isinstance(error, OSError) and error.strerror else str(error)
    print(f"interplay: {text}", file=sys.stderr)
    return ExitCode.COMMAND_LINE if isinstance(error, FileNotFoundError) else ExitCode.NOT_PARSED
