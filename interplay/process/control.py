"""The parent's side of a run: starts a worker, receives its events, keeps the journal, and enforces the limits.

Whatever happens to the worker, the run ends with a verdict: where the worker could not state one, it is made here.
This module imports no solver and no parser; start-up time is part of every run.
"""

from __future__ import annotations

import contextlib
import os
import select
import signal
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from core.dataclass import dataclass
from core.limits import Cause
from core.verdict import Status, Verdict
from interplay.process.monitor import LimitMonitor
from interplay.process.pipe import GRACE, LineBuffer
from interplay.process.process_tree import Child, Usage
from interplay.process.start import StartWorker, WorkerProcess, by_command
from interplay.session.endings import (
    Ending,
    ExitCode,
    Termination,
    ending,
    is_memory_complaint,
    refused,
)
from interplay.session.request import WRITER, Request, Start
from runs.events import Event, Paused, Place, VerdictReached
from runs.events_json import decode, encode, read_header
from runs.jsondata import Malformed, compact
from runs.runfile import DIGITS, LONGEST_LINE, Journal, journal_of, put_document, put_text
from runs.runview import RunView

TICK = 0.1  # seconds between two looks at the limits
EXIT = 10.0  # seconds in which a process whose output has ended is gone, however busy the machine is
LARGEST_PIECE = 1 << 14  # bytes that one `advance` takes: some milliseconds of work


@contextlib.contextmanager
def journal_for(output: Path | None) -> Iterator[Journal]:
    """The journal of a run: beside `output`, which it becomes in the end, or temporary. Raises `OSError`.

    If the block raises, the journal beside `output` stays, and can be opened.
    """
    if output is not None:
        journal = Journal(journal_of(output), WRITER)
        try:
            yield journal
        except BaseException:
            journal.close()
            raise
        journal.finish(output)
        return
    with tempfile.TemporaryDirectory(prefix="interplay-") as directory:
        journal = Journal(Path(directory) / "run", WRITER)
        try:
            yield journal
        finally:
            journal.close()


@dataclass(frozen=True)
class Observer:
    """Callbacks for the caller: `line` gets each event line as it arrives, `tick` is called about ten times a second.

    `paused` is called when the run has paused. `started` and `ended` get the number of the worker's process, which
    leads a group.
    """

    line: Callable[[bytes], None] = lambda _: None
    tick: Callable[[RunView], None] = lambda _: None
    paused: Callable[[], None] = lambda: None
    started: Callable[[int], None] = lambda _: None
    ended: Callable[[int], None] = lambda _: None


class Control:
    """One run in a worker process. `run` starts it and returns its fold, with a verdict, when it has ended."""

    def __init__(
        self,
        request: Request,
        journal: Journal,
        observer: Observer,
        start_worker: StartWorker | None = None,
        directory: Path | None = None,
        start: Start = Start.AT_ONCE,
    ) -> None:
        """Prepare a run, by default in the usual worker. Names in `request` are relative to `directory`."""
        self.view = RunView()
        self.cost = Usage(0.0, 0.0)  # of all processes of the run, when it has ended
        self.seconds = 0.0  # on the clock, likewise
        self.termination: Termination | None = None  # why the worker did not end the run by itself
        self._request = request
        self._journal = journal
        self._observer = observer
        self._start_worker = start_worker or by_command()
        self._directory = directory
        self._how_to_start = start
        self._started = time.monotonic()
        self._paused_for = 0.0
        self._paused_since: float | None = None
        self._killed_for: Termination | None = None
        self._interrupted = False
        self._garbled = ""
        self._lines = LineBuffer()
        self._exit_by: float | None = None  # when a worker that has said its last is killed
        self._deadline: float | None = None  # when a cancelled worker is killed
        self._header_seen = False

    def run(self) -> RunView:
        """Raises `OSError` if no worker can be started or the journal cannot be written."""
        self.start()
        try:
            while self.advance(TICK):
                pass
        except BaseException:
            self.abandon()
            raise
        return self.finish()

    # The same in parts, for a caller with an event loop of its own: start, advance until it is False, finish

    def start(self) -> None:
        """Start the worker. Raises `OSError`."""
        put_document(self._journal.directory, "options.json", self._request.to_json())
        self._errors = tempfile.TemporaryFile()  # noqa: SIM115 - lives as long as the worker
        try:
            self._child = Child(self._start(self._errors.fileno()))
        except OSError:
            self._errors.close()
            raise
        self._observer.started(self._worker.pid)  # before it has an order: until then its end of input ends it
        self._progress = LimitMonitor(self._child, self._request.time_limit, self._request.memory_limit)

    @property
    def used(self) -> float:
        """The CPU seconds of all processes of the run that goes on, as they were last measured."""
        return self._progress.used

    @property
    def passed(self) -> float:
        """The seconds on the clock since the start, as events are stamped."""
        return time.monotonic() - self._started

    @property
    def output(self) -> int:
        """The descriptor that becomes readable when the worker has written something."""
        assert self._worker.stdout is not None
        return self._worker.stdout.fileno()

    @property
    def silent(self) -> bool:
        """Whether the output has ended; its descriptor is then always readable, and `advance` waits for the exit."""
        return self._exit_by is not None

    def advance(self, wait: float) -> bool:
        """Read the worker's output for `wait` seconds, at most `LARGEST_PIECE` bytes. False when the run is over."""
        try:
            going_on = self._receive(wait) if self._exit_by is None else self._await_exit(self._exit_by, wait)
        except Malformed as error:
            self._garbled = str(error)
            going_on = self._fall_silent(GRACE)
        self._observer.tick(self.view)
        return going_on and self._may_go_on()

    def finish(self) -> RunView:
        """End the worker and its children; the verdict, if it stated none."""
        self._end()
        with self._errors:
            if self.view.verdict is None:
                self._errors.seek(0)
                self._conclude(self._worker.returncode, self._errors.read()[-10_000:].decode(errors="replace"))
        assert self.view.verdict is not None
        put_document(self._journal.directory, "verdict.json", _verdict_document(self.view, self.view.verdict))
        return self.view

    def abandon(self) -> None:
        """End the worker and its children, and nothing else."""
        self._end()
        self._errors.close()

    def _end(self) -> None:
        self._child.kill()
        self.cost, self.seconds = self._child.cost(), self.passed
        self._observer.ended(self._worker.pid)
        for stream in (self._worker.stdin, self._worker.stdout):
            if stream:
                stream.close()

    def _start(self, errors: int) -> WorkerProcess:
        self._worker = self._start_worker(errors, self._directory)
        command: dict[str, object] = {
            "command": "run",
            "request": self._request.to_json(),
            "journal": str(self._journal.directory),
            "start": self._how_to_start,
        }
        self._send(command)
        return self._worker

    # What a person may do, also from another thread

    def cancel(self) -> None:
        """End the run as interrupted; takes effect within `TICK` + `GRACE` seconds. Safe in signal handlers."""
        self._interrupted = True

    def pause(self) -> None:
        self._send({"command": "pause"})

    def resume(self) -> None:
        self._send({"command": "resume"})
        self._go_on()

    def step(self) -> None:
        """Go on for one round, and pause again."""
        self._send({"command": "step"})
        self._go_on()

    def edit(self, attempt: int, action: str, formula: int, place: Place | None, text: str = "") -> None:
        """Change the precision of an attempt, before its next round (`methods.engine.EditAction`).

        `formula` is a number of the attempt's events, or -1; `place` is None for everywhere. A C condition `text`,
        where there is one, replaces the formula.
        """
        order = {"command": "edit", "attempt": attempt, "action": action, "formula": formula, "place": place}
        self._send({**order, "text": text})

    def _go_on(self) -> None:
        if self._paused_since is not None:
            self._paused_for += time.monotonic() - self._paused_since
            self._paused_since = None

    def _send(self, command: dict[str, object]) -> None:
        assert self._worker.stdin is not None
        with contextlib.suppress(BrokenPipeError):  # if it has ended, the end of its output says so
            self._worker.stdin.write(compact(command).encode() + b"\n")

    # The conversation

    def _receive(self, wait: float) -> bool:
        if select.select([self.output], [], [], wait)[0]:
            data = os.read(self.output, LARGEST_PIECE)
            if not data:
                return self._fall_silent(EXIT)
            self._take(data)
        return True

    def _fall_silent(self, patience: float) -> bool:
        """Handle the end of the worker's output, or invalid output: its return code explains it, if it arrives soon."""
        self._exit_by = time.monotonic() + patience
        return True

    def _await_exit(self, exit_by: float, wait: float) -> bool:
        left = exit_by - time.monotonic()
        return self._child.wait(max(0.0, min(wait, left))) is None and left > 0

    def _may_go_on(self) -> bool:
        """Whether the run may continue: not after the verdict, beyond a limit, or a while after the request to stop."""
        if self.view.verdict is not None:
            return False
        self._killed_for = self._exceeded()
        if self._interrupted and self._deadline is None:
            self._send({"command": "cancel"})
            self._deadline = time.monotonic() + GRACE
        return self._killed_for is None and (self._deadline is None or time.monotonic() <= self._deadline)

    def _take(self, data: bytes) -> None:
        lines = self._lines.take(data)
        if self._lines.pending > LONGEST_LINE:
            raise Malformed("a line without an end")
        for line in lines:
            if not self._header_seen:
                read_header(line)
                self._header_seen = True
                continue
            self._record(line, decode(line))

    def _record(self, line: bytes, event: Event | None) -> None:
        seconds = round(self.passed, DIGITS)  # as they are read from the run file
        self._journal.append(line, self.view.position, seconds)
        self._observer.line(line)
        if event is None:
            self.view.skip()
            return
        self.view.add(event, seconds)
        if isinstance(event, Paused):
            self._paused_since = time.monotonic()
            self._observer.paused()

    def _exceeded(self) -> Termination | None:
        """The limit that the worker exceeds, if any. It watches its limits itself; this is for one that fails to, or is
        stuck.
        """
        if self._paused_since is not None:
            return None
        return self._progress.over(self.passed - self._paused_for)

    # Ends without a verdict of the worker

    def _conclude(self, code: int | None, errors: str) -> None:
        result = self._unexpected_end(code, errors)
        if result.exit_code == ExitCode.INTERNAL:
            put_text(self._journal.directory, "trouble.txt", f"the worker ended with {code}\n{errors}")
        event = result.event()
        self._record(encode(event).encode(), event)

    def _unexpected_end(self, code: int | None, errors: str) -> Ending:
        """The ending of a run whose worker is gone. A violation that it had confirmed before still counts."""
        for check in self.view.checks.values():
            if check.status == Status.FALSE:
                return ending(Verdict(Status.FALSE, check.property, (), confirmed_by=check.confirmed_by))
        if self._interrupted:
            return ending(Verdict(Status.UNKNOWN, "", (), reason=Cause.INTERRUPTED))
        self.termination = self._killed_for or self._cause(code, errors)
        match self.termination:
            case Termination.CPUTIME:
                return ending(Verdict(Status.TIMEOUT, "", (), reason=Cause.TIME_LIMIT))
            case Termination.WALLTIME:
                return ending(Verdict(Status.TIMEOUT, "", (), reason="the worker process does not compute any more"))
            case Termination.MEMORY:
                return ending(Verdict(Status.OUT_OF_MEMORY, "", (), reason="the worker process ran out of memory"))
            case Termination.KILLED:  # what the system does where memory is short
                return ending(Verdict(Status.OUT_OF_MEMORY, "", (), reason="the worker process was killed"))
            case Termination.FAILED:
                return refused(ExitCode.INTERNAL, self._failure(code, errors), "internal")

    def _cause(self, code: int | None, errors: str) -> Termination:
        """The reason why a worker has ended that this process did not end."""
        if self._garbled:
            return Termination.FAILED
        if code == -signal.SIGXCPU or (code == -signal.SIGKILL and self._cpu_used_up()):
            return Termination.CPUTIME
        if code == -signal.SIGKILL:
            return Termination.KILLED
        return Termination.MEMORY if is_memory_complaint(errors) else Termination.FAILED

    def _failure(self, code: int | None, errors: str) -> str:
        if self._garbled:
            return f"the worker process sent no event: {self._garbled}"
        last = errors.strip().splitlines()[-1:] or ["no message"]
        where = f" in phase {self.view.phase!r}" if self.view.phase else ""
        return f"the worker process ended with {code}{where}: {last[0][:300]}"

    def _cpu_used_up(self) -> bool:
        limit = self._request.time_limit
        return limit is not None and self.cost.cpu >= limit


def _verdict_document(view: RunView, verdict: VerdictReached) -> dict[str, object]:
    """The verdict for tools that do not read events."""
    return {
        "verdict": verdict.verdict,
        "exit_code": verdict.exit_code,
        "assumptions": list(verdict.assumptions),
        "confirmed_by": verdict.confirmed_by,
        "reason": verdict.reason,
        "untested": list(verdict.untested),
        "checks": [
            {
                "check": c.check,
                "property": c.property,
                "description": c.description,
                "file": c.file,
                "line": c.line,
                "column": c.column,
                "status": c.status,
                "confirmed_by": c.confirmed_by,
                "reason": c.reason,
                "reach": c.reach,
                "reached_by": c.reached_by,
            }
            for c in view.checks.values()
        ],
    }
