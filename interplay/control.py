"""The parent's side of a run: starts a worker, receives its events, keeps the journal, and enforces the limits.

Whatever happens to the worker, the run ends with a verdict: where the worker could not state one, it is made here.
This module imports no solver and no parser; start-up time is part of every run.
"""

from __future__ import annotations

import contextlib
import os
import selectors
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from core.events import Event, Paused, VerdictReached
from core.events_json import decode, encode, read_header
from core.jsondata import Malformed, compact
from core.runfile import Journal, journal_of, put_document, put_text
from core.runview import RunView
from core.verdict import Status, Verdict
from interplay import __version__
from interplay.endings import INTERRUPTED, Ending, ExitCode, ending, is_memory_complaint, refused
from interplay.request import Request

WRITER = f"interplay {__version__}"
GRACE = 0.3  # seconds between a request to stop and the end by force
TICK = 0.1  # seconds between two looks at the limits

_ROOT = Path(__file__).parent.parent
_START = "import sys; sys.path.append(sys.argv.pop(1)); from interplay.__main__ import main; sys.exit(main())"


def worker_command() -> list[str]:
    """The command that starts a worker. The current directory is no place to import from: it may be a stranger's."""
    return [sys.executable, "-P", "-c", _START, str(_ROOT), "worker"]


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
    """What the caller wants to hear: each event line as it arrives, and a call about every tenth of a second."""

    line: Callable[[bytes], None] = lambda _: None
    tick: Callable[[RunView], None] = lambda _: None


class Control:
    """One run in a worker process. `run` starts it and returns its fold, with a verdict, when it has ended."""

    def __init__(
        self, request: Request, journal: Journal, observer: Observer, command: list[str] | None = None
    ) -> None:
        self.view = RunView()
        self._request = request
        self._journal = journal
        self._observer = observer
        self._command = command or worker_command()
        self._started = time.monotonic()
        self._paused_for = 0.0
        self._paused_since: float | None = None
        self._killed_for: Status | None = None
        self._interrupted = False
        self._garbled = ""
        self._buffer = b""
        self._header_seen = False

    def run(self) -> RunView:
        """Raises `OSError` if no worker can be started or the journal cannot be written."""
        put_document(self._journal.directory, "options.json", self._request.to_json())
        with tempfile.TemporaryFile() as errors:
            worker = self._start(errors.fileno())
            try:
                self._converse(worker)
            finally:
                _kill_group(worker)
                if worker.stdin:
                    worker.stdin.close()
                if worker.stdout:
                    worker.stdout.close()
            if self.view.verdict is None:
                errors.seek(0)
                self._conclude(worker.returncode, errors.read()[-10_000:].decode(errors="replace"))
        assert self.view.verdict is not None
        put_document(self._journal.directory, "verdict.json", _verdict_document(self.view, self.view.verdict))
        return self.view

    def _start(self, errors: int) -> subprocess.Popen[bytes]:
        # Equal hashes in every run, should the order of a set ever matter anywhere.
        environment = {**os.environ, "PYTHONHASHSEED": "0"}
        worker = subprocess.Popen(
            self._command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=errors,
            bufsize=0,
            env=environment,
            process_group=0,  # so that its children end with it, and Ctrl-C is ours to handle
        )
        self._worker = worker
        command: dict[str, object] = {
            "command": "run",
            "request": self._request.to_json(),
            "journal": str(self._journal.directory),
        }
        self._send(command)
        return worker

    # What a person may do, also from another thread

    def cancel(self) -> None:
        """Have the run end as interrupted; takes effect within `TICK` + `GRACE` seconds. Safe in signal handlers."""
        self._interrupted = True

    def pause(self) -> None:
        self._send({"command": "pause"})

    def resume(self) -> None:
        self._send({"command": "resume"})
        if self._paused_since is not None:
            self._paused_for += time.monotonic() - self._paused_since
            self._paused_since = None

    def _send(self, command: dict[str, object]) -> None:
        assert self._worker.stdin is not None
        with contextlib.suppress(BrokenPipeError):  # if it has ended, the end of its output says so
            self._worker.stdin.write(compact(command).encode() + b"\n")

    # The conversation

    def _converse(self, worker: subprocess.Popen[bytes]) -> None:
        try:
            self._receive(worker)
        except Malformed as error:
            self._garbled = str(error)
        # After its verdict a worker has nothing left to do; the return code tells why one died without any.
        if self.view.verdict is None and self._killed_for is None:
            with contextlib.suppress(subprocess.TimeoutExpired):
                worker.wait(timeout=GRACE)

    def _receive(self, worker: subprocess.Popen[bytes]) -> None:
        """Read events until the verdict, the end of the output, a limit, or a while after the request to stop."""
        assert worker.stdout is not None
        deadline: float | None = None
        with selectors.DefaultSelector() as selector:
            selector.register(worker.stdout, selectors.EVENT_READ)
            while self.view.verdict is None:
                if selector.select(TICK):
                    data = os.read(worker.stdout.fileno(), 1 << 16)
                    if not data:
                        return
                    self._take(data)
                self._observer.tick(self.view)
                self._killed_for = self._exceeded()
                if self._killed_for is not None or (deadline is not None and time.monotonic() > deadline):
                    return
                if self._interrupted and deadline is None:
                    self._send({"command": "cancel"})
                    deadline = time.monotonic() + GRACE

    def _take(self, data: bytes) -> None:
        *lines, self._buffer = (self._buffer + data).split(b"\n")
        for line in lines:
            if not self._header_seen:
                read_header(line)
                self._header_seen = True
                continue
            self._record(line, decode(line))

    def _record(self, line: bytes, event: Event | None) -> None:
        seconds = time.monotonic() - self._started
        self._journal.append(line, self.view.position, seconds)
        self._observer.line(line)
        if event is None:
            self.view.skip()
            return
        self.view.add(event, seconds)
        if isinstance(event, Paused):
            self._paused_since = time.monotonic()

    def _exceeded(self) -> Status | None:
        """Time on the clock is bounded too: a run that waits for something uses no CPU time."""
        limit = self._request.time_limit
        if limit is None or self._paused_since is not None:
            return None
        passed = time.monotonic() - self._started - self._paused_for
        return Status.TIMEOUT if passed > 1.5 * limit + 5 else None

    # Ends without a verdict of the worker

    def _conclude(self, code: int | None, errors: str) -> None:
        result = self._unexpected_end(code, errors)
        if result.exit_code == ExitCode.INTERNAL:
            put_text(self._journal.directory, "trouble.txt", f"the worker ended with {code}\n{errors}")
        event = result.event()
        self._record(encode(event).encode(), event)

    def _unexpected_end(self, code: int | None, errors: str) -> Ending:
        """Why the worker is gone. A violation that it had confirmed before still counts."""
        for check in self.view.checks.values():
            if check.status == Status.FALSE:
                return ending(Verdict(Status.FALSE, check.property, (), confirmed_by=check.confirmed_by))
        if self._interrupted:
            return ending(Verdict(Status.UNKNOWN, "", (), reason=INTERRUPTED))
        if self._garbled:
            return refused(ExitCode.INTERNAL, f"the worker process sent no event: {self._garbled}")
        if self._killed_for is Status.TIMEOUT or code == -signal.SIGXCPU:
            return ending(Verdict(Status.TIMEOUT, "", (), reason="the time limit is reached"))
        if code == -signal.SIGKILL and self._request.time_limit is not None and self._cpu_used_up():
            return ending(Verdict(Status.TIMEOUT, "", (), reason="the time limit is reached"))
        if code == -signal.SIGKILL or is_memory_complaint(errors):
            return ending(Verdict(Status.OUT_OF_MEMORY, "", (), reason="the worker process ran out of memory"))
        last = errors.strip().splitlines()[-1:] or ["no message"]
        where = f" in phase {self.view.phase!r}" if self.view.phase else ""
        return refused(ExitCode.INTERNAL, f"the worker process ended with {code}{where}: {last[0][:300]}")

    def _cpu_used_up(self) -> bool:
        assert self._request.time_limit is not None
        return time.monotonic() - self._started >= self._request.time_limit


def _kill_group(worker: subprocess.Popen[bytes]) -> None:
    """End the worker and its children."""
    with contextlib.suppress(ProcessLookupError, PermissionError):  # all of them are gone
        os.killpg(worker.pid, signal.SIGKILL)
    worker.wait()


def _verdict_document(view: RunView, verdict: VerdictReached) -> dict[str, object]:
    """The verdict for tools that do not read events."""
    return {
        "verdict": verdict.verdict,
        "exit_code": verdict.exit_code,
        "assumptions": list(verdict.assumptions),
        "confirmed_by": verdict.confirmed_by,
        "reason": verdict.reason,
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
            }
            for c in view.checks.values()
        ],
    }
