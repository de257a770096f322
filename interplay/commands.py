"""What each command does. Results go to standard output, messages and the live line to standard error."""

from __future__ import annotations

import os
import signal
import sys
from argparse import Namespace
from dataclasses import replace
from pathlib import Path

from core.events import Level, Message, VerdictReached
from core.events_json import header
from core.jsondata import Malformed
from core.runfile import open_run
from core.runview import RunView
from interplay.control import WRITER, Control, Observer, journal_for
from interplay.endings import ExitCode
from interplay.live import LiveLine
from interplay.request import Replay, Request, read_request
from interplay.text import details, text_of


def verify(options: Namespace) -> int:
    """`interplay verify`: one task in a worker, then the report."""
    if not Path(options.task).is_file():
        return _usage(f"{options.task}: no such file")
    request = Request(
        task=options.task,
        property=options.property,
        engine=options.engine,
        time_limit=options.time_limit,
        memory_limit=options.memory_limit,
        data_model=options.data_model,
        replay=_replay(options),
        seed=options.seed,
        level=Level.STATES if options.output or options.events else Level.SUMMARY,
    )
    output = Path(options.output) if options.output else None
    try:
        if options.events:
            return _verify_as_events(request, output)
        return _verify_as_text(request, output, quiet=options.quiet)
    except OSError as error:
        if isinstance(error, BrokenPipeError):
            raise
        return _usage(f"{error.filename}: {error.strerror}" if error.filename else str(error))


def check(options: Namespace) -> int:
    """`interplay check`: the stored evidence again, in a worker."""
    try:
        run = open_run(Path(options.run))
        stored = read_request(run.options())
    except (OSError, Malformed) as error:
        return _unreadable(error)
    request = replace(
        stored,
        time_limit=options.time_limit,
        memory_limit=options.memory_limit,
        replay=_replay(options),
        level=Level.SUMMARY,
        recheck=options.run,
    )
    return _verify_as_text(request, None, quiet=False)


def show(path: Path) -> int:
    """`interplay show`: what a run file holds. The exit code is 0 whatever the verdict was."""
    try:
        run = open_run(path)
        view = run.view()
        texts = text_of(run, view)
        for line in (*texts.report(), *details(run, view, texts)):
            print(line)
    except (OSError, Malformed) as error:
        return _unreadable(error)
    print(f"VERDICT: {view.verdict.verdict if view.verdict else 'unknown (not finished)'}")
    return 0


def worker() -> int:
    """`interplay worker`: see `interplay.worker`. Does not return: nothing needs tidying, so nothing costs time."""
    from interplay.installed import Installed
    from interplay.worker import work

    code = work(Installed(), sys.stdin.buffer)
    sys.stderr.flush()
    os._exit(code)


def _replay(options: Namespace) -> Replay:
    return Replay.INTERPRETER if options.no_native_replay else Replay.NATIVE


def _verify_as_events(request: Request, output: Path | None) -> int:
    out = sys.stdout.buffer

    def forward(line: bytes) -> None:
        out.write(line + b"\n")
        out.flush()

    forward(header(WRITER).encode())
    with journal_for(output) as journal:
        return _verdict(_run(Control(request, journal, Observer(line=forward)))).exit_code


def _verify_as_text(request: Request, output: Path | None, *, quiet: bool) -> int:
    live = LiveLine(sys.stderr) if sys.stderr.isatty() else None
    with journal_for(output) as journal:
        view = _run(Control(request, journal, Observer(tick=live.tick) if live else Observer()))
        if live:
            live.clear()
        for message in view.messages:
            print(_message_line(message), file=sys.stderr)
        if not quiet:
            for line in text_of(open_run(journal.directory), view).report():
                print(line)
        # Last, and before the run file is made: nothing that fails there takes the verdict away.
        print(f"VERDICT: {_verdict(view).verdict}", flush=True)
    return _verdict(view).exit_code


def _run(control: Control) -> RunView:
    """Run until the end; Ctrl-C, and being told to end, stop the run and not this process."""
    before = {number: signal.signal(number, lambda *_: control.cancel()) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        return control.run()
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _verdict(view: RunView) -> VerdictReached:
    assert view.verdict is not None
    return view.verdict


def _message_line(message: Message) -> str:
    where = f"{message.file}:{message.line}:{message.column}: " if message.file else ""
    return f"{where}{message.severity}: {message.text}" if where or message.severity == "error" else message.text


def _usage(text: str) -> int:
    print(f"interplay: {text}", file=sys.stderr)
    return ExitCode.COMMAND_LINE


def _unreadable(error: OSError | Malformed) -> int:
    text = f"{error.filename}: {error.strerror}" if isinstance(error, OSError) and error.strerror else str(error)
    print(f"interplay: {text}", file=sys.stderr)
    return ExitCode.NOT_PARSED
