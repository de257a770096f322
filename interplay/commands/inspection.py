"""Commands that run only the front end, in this process: no engine, no solver, no worker."""

from __future__ import annotations

import os
import resource
import signal
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from enum import StrEnum
from pathlib import Path

from core.program import Program, terms_of, uses_bits
from core.terms import is_uninterpreted, subterms
from core.verdict import EXIT_CODES, Status
from frontend.api import parse_syntax, read_source
from frontend.source import FrontendError, Unsupported
from interplay.presentation.excerpts import error_lines
from interplay.session.endings import ExitCode, is_memory_shortage
from interplay.session.request import Request, Stage, files_of
from interplay.session.verification_task import VerificationTask, read_verification_task
from runs.jsondata import compact


class ProgramFormat(StrEnum):
    """The formats in which a program can be printed."""

    SVG = "svg"
    DOT = "dot"
    JSON = "json"
    PROGRAM = "program"
    TEXT = "text"
    CLAUSES = "clauses"


def inspect(request: Request, view: ProgramFormat, output: Path | None) -> int:
    """Write the program in a format; returns the exit code."""

    def work() -> None:
        program = _program(request, _task(request))
        for text in program.warnings:
            print(text, file=sys.stderr)
        _write(_writer(view, request)(program), output)

    return guarded(work)


def check_input(request: Request, stage: Stage) -> int:
    """Run the front end up to a stage and print one line about the result; returns the exit code."""

    def work() -> None:
        begin = time.process_time()
        found = _found(request, stage)
        names = " ".join(files_of(request)) or request.compile_commands
        print(f"{names}: {found} ({time.process_time() - begin:.2f} s CPU)")

    with _limited(request):
        return guarded(work)


def _found(request: Request, stage: Stage) -> str:
    task = _task(request)
    match stage:
        case Stage.PARSE:
            count = parse_syntax(task.inputs, task.data_model, task.header)
            return f"parsed, {_counted(count, 'external declaration')}"
        case Stage.TYPES:
            unit = task.parsed()
            defined = sum(one.body is not None for one in unit.functions.values())
            objects = _counted(len(unit.globals), "static object")
            return f"typed, {_counted(defined, 'function')}, {objects}, {_counted(len(unit.warnings), 'warning')}"
        case Stage.PROGRAM:
            program = _program(request, task)
            sizes = ((program.functions, "function"), (program.locations, "location"), (program.edges, "edge"))
            return (
                f"lowered, {', '.join(_counted(len(one), word) for one, word in (*sizes, (program.checks, 'check')))}"
            )


def _counted(count: int, word: str) -> str:
    return f"{count} {word}{'' if count == 1 else 's'}"


def _task(request: Request) -> VerificationTask:
    return read_verification_task(request, lambda name: read_source(Path(name)))


def _program(request: Request, task: VerificationTask) -> Program:
    from interplay.session.lowered import lowered

    unit = task.parsed()
    return lowered(task, unit, request.arithmetic)


def _writer(view: ProgramFormat, request: Request) -> Callable[[Program], str]:
    match view:
        case ProgramFormat.SVG:
            from interplay.presentation.graphs.automaton_svg import to_svg

            return to_svg
        case ProgramFormat.DOT:
            from interplay.presentation.graphs.dot import to_dot

            return to_dot
        case ProgramFormat.JSON:
            from interplay.presentation.graphs.automaton import to_json

            return to_json
        case ProgramFormat.PROGRAM:
            return lambda program: _document(program, request)
        case ProgramFormat.TEXT:
            from interplay.presentation.programtext import to_text

            return to_text
        case ProgramFormat.CLAUSES:
            return _clauses


def _document(program: Program, request: Request) -> str:
    """The document that engines read: the program, and by what evidence names it."""
    from runs.evidence_json import digest
    from runs.serialize import encode_program

    written = encode_program(program)
    return f"{compact({'options': request.question(), 'digest': digest(written), **written})}\n"


def _clauses(program: Program) -> str:
    from methods.clauses.smtlib import to_clauses

    for edge in program.edges:
        unknown = any(map(is_uninterpreted, subterms(*terms_of(edge))))
        if edge.span is not None and (unknown or uses_bits(edge)):
            what = "functions that SMT-LIB lacks" if unknown else "bit operators"
            raise Unsupported(edge.span, f"{what} are not expressed in Horn clauses over integers")
    return to_clauses(program)


def _write(text: str, output: Path | None) -> None:
    if output is None:
        print(text, end="", flush=True)
    else:
        output.write_text(text, "utf-8", "backslashreplace")


def guarded(work: Callable[[], int | None]) -> int:
    """Do the work, whose exit code is 0 where it has none; turn errors of the user into a message and a code."""
    try:
        return work() or 0
    except FrontendError as error:
        for one in (error, *error.others):
            print(*error_lines("error", one.message, one.span), sep="\n", file=sys.stderr)
        return error.exit_code
    except BrokenPipeError:
        raise
    except OSError as error:
        print(f"interplay: {error.filename}: {error.strerror}", file=sys.stderr)
        return ExitCode.COMMAND_LINE
    except Exception as error:  # noqa: BLE001 - whatever is wrong here, the user gets a message, not a traceback
        if is_memory_shortage(error):
            print("interplay: out of memory", file=sys.stderr)
            return EXIT_CODES[Status.OUT_OF_MEMORY]
        print(f"interplay: internal error: {type(error).__name__}: {str(error)[:300]}", file=sys.stderr)
        return ExitCode.INTERNAL


@contextmanager
def _limited(request: Request) -> Iterator[None]:
    """Apply the limits of the request to this process. Reaching the time limit ends it."""
    if request.memory_limit is not None:
        size = request.memory_limit << 20
        resource.setrlimit(resource.RLIMIT_AS, (size, resource.getrlimit(resource.RLIMIT_AS)[1]))
    before = signal.signal(signal.SIGPROF, _out_of_time)
    signal.setitimer(signal.ITIMER_PROF, request.time_limit or 0)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)


def _out_of_time(*_: object) -> None:
    print("interplay: the time limit is reached", file=sys.stderr, flush=True)
    os._exit(EXIT_CODES[Status.TIMEOUT])
