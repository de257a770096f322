"""One attempt in a forked process: a copy of this process, which has read the task and nothing else.

A fork shares what was read and costs some milliseconds, where a new process would read the task again. It is sound
because this process has one thread and has loaded no solver. The child writes its events to a pipe as JSON lines, takes
orders on its standard input, and ends when these end. Its error messages go to its standard error.

A byte before each line says whether the portfolio acts on the event, since most events it only passes on, unread.
"""

from __future__ import annotations

import math
import os
import resource
import signal
import tempfile
import traceback
from collections.abc import Iterable, Sequence
from dataclasses import field
from typing import BinaryIO

from core.dataclass import dataclass
from core.program import Check
from core.verdict import EXIT_CODES, Status
from interplay.portfolio import attempt_ends
from interplay.portfolio.attempt_ends import AttemptEnd
from interplay.process.pipe import LineBuffer, write_all
from interplay.process.process_tree import Usage, end_tree, resume_tree, suspend_tree, usage_of_tree
from interplay.process.protocol import start_listening
from interplay.session.attempt import AttemptRunner
from interplay.session.context import Emit, Steering
from interplay.session.endings import ExitCode, is_memory_complaint, is_memory_shortage
from interplay.session.member_storage import MemberStorage
from interplay.session.request import Request, Start
from interplay.session.services import PreparedTask, Services
from runs.events import CheckDecided, Event, PhaseStarted, Progress
from runs.events_json import decode, encode

_PIECE = 1 << 16
_READ, _PASSED_ON = b"!", b" "


@dataclass(frozen=True)
class ChildEvent:
    """An event of the child as its line; decoded where the portfolio acts on it."""

    line: bytes
    event: Event | None


@dataclass
class Fork:
    """The parent's handle of an attempt. `events` and `orders` are file descriptors; `failure` is its end, if it
    failed.
    """

    pid: int
    events: int
    orders: int
    errors: BinaryIO
    failure: AttemptEnd | None = None
    _lines: LineBuffer = field(default_factory=LineBuffer, init=False)

    def new_events(self) -> list[ChildEvent] | None:
        """Read the events that have arrived; None at their end. Blocks until there are any."""
        data = os.read(self.events, _PIECE)
        return [_child_event(line) for line in self._lines.take(data)] if data else None

    def tell(self, order: bytes) -> None:
        try:
            os.write(self.orders, order)
        except BrokenPipeError:
            return  # it has ended, and the end of its events says so

    def usage(self) -> Usage:
        return usage_of_tree(self.pid)

    def suspend(self) -> None:
        suspend_tree(self.pid)

    def resume(self) -> None:
        resume_tree(self.pid)

    def kill(self) -> float:
        """Kill the process and its descendants; returns the CPU seconds that all of them used."""
        used = end_tree(self.pid)
        return max(used.cpu, self.wait())  # what was killed below it is in no account of the system

    def dismiss(self) -> float:
        """Kill the process after its work is done, which saves the time of its exit; returns its CPU seconds."""
        os.kill(self.pid, signal.SIGKILL)
        return self.wait()

    def wait(self) -> float:
        """Wait for its end and record any failure; returns the CPU seconds that it used."""
        _, status, used = os.wait4(self.pid, 0)
        self.failure = self._failure(os.waitstatus_to_exitcode(status))
        for descriptor in (self.events, self.orders):
            os.close(descriptor)
        self.errors.close()
        return used.ru_utime + used.ru_stime

    def _failure(self, code: int) -> AttemptEnd | None:
        if code == 0:
            return None
        self.errors.seek(max(0, self.errors.seek(0, os.SEEK_END) - _PIECE))
        last_words = self.errors.read().decode(errors="replace").strip()
        if code == -signal.SIGXCPU:
            return attempt_ends.TOO_SLOW
        if code in (-signal.SIGKILL, EXIT_CODES[Status.OUT_OF_MEMORY]) or is_memory_complaint(last_words):
            return attempt_ends.TOO_LARGE
        return attempt_ends.failed((last_words.splitlines() or [f"it ended with {code}"])[-1][:300])


def start(
    request: Request,
    services: Services,
    task: PreparedTask,
    checks: Sequence[Check],
    storage: MemberStorage,
    how: Start,
    others: Iterable[int],
) -> Fork:
    """Fork a process for an attempt with the engine and the limits of `request`. The child closes `others`. Raises
    `OSError`.
    """
    events, orders = os.pipe(), os.pipe()
    errors = tempfile.TemporaryFile()  # noqa: SIM115 - as long as the child
    pid = os.fork()
    if pid:
        os.close(events[1])
        os.close(orders[0])
        return Fork(pid, events[0], orders[1], errors)
    try:
        for descriptor in (*others, events[0], orders[1]):
            os.close(descriptor)
        os.dup2(orders[0], 0)
        os.dup2(errors.fileno(), 1)
        os.dup2(errors.fileno(), 2)
        _limit(request)
        emit, steering = _reporter(events[1]), Steering(how)
        code = _attempt(AttemptRunner(request, services, emit, steering, storage), task, checks)
    except BaseException:  # noqa: BLE001 - nothing of the parent may go on here
        os.write(2, traceback.format_exc().encode())
        code = ExitCode.INTERNAL
    os._exit(code)


def _reporter(descriptor: int) -> Emit:
    """A function that writes each event in the form that `_child_event` reads."""

    def emit(event: Event) -> None:
        sign = _READ if _is_read(event) else _PASSED_ON
        write_all(descriptor, sign + encode(event).encode() + b"\n")

    return emit


def _is_read(event: Event) -> bool:
    """Whether the portfolio acts on an event."""
    return isinstance(event, CheckDecided | PhaseStarted | Progress)


def _child_event(data: bytes) -> ChildEvent:
    line = data[1:]
    return ChildEvent(line, decode(line) if data.startswith(_READ) else None)


def _limit(request: Request) -> None:
    """Set a hard limit, for an attempt that does not notice its own."""
    if request.time_limit is not None:
        seconds = max(1, math.ceil(request.time_limit) + 1)
        resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 1))


def _attempt(attempt: AttemptRunner, task: PreparedTask, checks: Sequence[Check]) -> int:
    orders = open(0, "rb", closefd=False)  # noqa: SIM115 - to the end of the process
    start_listening(orders, attempt.steering)
    try:
        attempt.run(task, checks)
    except Exception as error:  # noqa: BLE001 - the others go on
        return _trouble(error, attempt.storage)
    return 0


def _trouble(error: Exception, storage: MemberStorage) -> int:
    if is_memory_shortage(error):
        return EXIT_CODES[Status.OUT_OF_MEMORY]
    storage.text("trouble.txt", traceback.format_exc())
    os.write(2, f"internal error: {type(error).__name__}: {str(error)[:300]}\n".encode())
    return ExitCode.INTERNAL
