"""Background jobs, for work of more than some milliseconds: one at a time, of those that wait only the last."""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Generic, TypeVar, cast

from PySide6.QtCore import QCoreApplication, QObject, QTimer, Signal

_T = TypeVar("_T")
_SLICE = 0.005  # seconds; several may follow each other in one turn of the event loop
_FEW = 10  # things of which each may be large
_POLITE = 0.0005  # seconds; the window would wait ten times as long for each call that gives up the interpreter


_giving = threading.Lock()
_intervals: list[float] = []  # the usual one, once for each thread that is polite


@contextmanager
def polite() -> Iterator[None]:
    """A context in which a thread gives up the interpreter often: threads of the window may be in it at once."""
    with _giving:
        _intervals.append(_intervals[0] if _intervals else sys.getswitchinterval())
        sys.setswitchinterval(_POLITE)
    try:
        yield
    finally:
        with _giving:
            usual = _intervals.pop()
            if not _intervals:
                sys.setswitchinterval(usual)


class _Mailbox(QObject):
    """A signal that carries a result to the thread of the window."""

    arrived = Signal(int, object)


class Cancelled(BaseException):
    """The result of the job is no longer needed. Not an `Exception`, so that no job handles it as an error."""


class Background(Generic[_T]):
    """Runs jobs in a thread. What a job reads must not change while it runs, or only grow.

    `then` is called on the event loop with the result of the newest job. A job gets a function that it calls regularly:
    it raises `Cancelled` once there is a newer job, `forget` was called, or the application ends.
    """

    def __init__(self, then: Callable[[_T], None]) -> None:
        self._then = then
        # The application owns it: the last one to know it may be the thread, and Qt must not delete it there.
        self._mailbox = _Mailbox(QCoreApplication.instance())
        self._mailbox.arrived.connect(self._arrived)
        self._newest = 0
        self._running = False
        self._waiting: Callable[[Callable[[], None]], _T] | None = None
        application = QCoreApplication.instance()
        if application is not None:
            application.aboutToQuit.connect(self.forget)

    @property
    def busy(self) -> bool:
        return self._running

    def submit(self, job: Callable[[Callable[[], None]], _T]) -> None:
        """Run a job, as soon as the one that is running has been cancelled."""
        self._newest += 1
        if self._running:
            self._waiting = job
        else:
            self._start(job)

    def forget(self) -> None:
        """Cancel all jobs; their results are discarded."""
        self._newest += 1
        self._waiting = None

    def _start(self, job: Callable[[Callable[[], None]], _T]) -> None:
        self._running = True
        number, mailbox = self._newest, self._mailbox

        def check() -> None:
            if number != self._newest:
                raise Cancelled

        def work() -> None:
            result: _T | BaseException
            with polite():
                try:
                    result = job(check)
                except Cancelled:
                    result = Cancelled()  # the other one knows all that was computed so far, and itself
                except BaseException as error:  # noqa: BLE001 - raised again on the event loop
                    result = error
            try:
                mailbox.arrived.emit(number, result)
            except RuntimeError:  # the window was closed meanwhile
                return

        threading.Thread(target=work, daemon=True, name="background").start()

    def _arrived(self, number: int, result: object) -> None:
        self._running = False
        if self._waiting is not None:
            job, self._waiting = self._waiting, None
            self._start(job)
        if isinstance(result, Cancelled):
            return
        if isinstance(result, BaseException):
            raise result
        if number == self._newest:
            self._then(cast(_T, result))


class InPieces(Generic[_T]):
    """Runs an iterator on the event loop, some milliseconds at a time: for work that must not leave the thread.

    `then` gets all values at the end. A new iterator replaces an unfinished one.
    """

    def __init__(self, then: Callable[[list[_T]], None]) -> None:
        self._then = then
        self._values: list[_T] = []
        self._rest: Iterator[_T] = iter(())
        self._timer = QTimer(interval=0)
        self._timer.timeout.connect(self._go_on)

    def start(self, values: Iterator[_T]) -> None:
        self._values, self._rest = [], values
        self._timer.start()

    def stop(self) -> None:
        """Stop; the values are discarded."""
        self._rest = iter(())
        self._timer.stop()

    @property
    def busy(self) -> bool:
        return self._timer.isActive()

    def _go_on(self) -> None:
        end = time.perf_counter() + _SLICE
        for value in self._rest:
            self._values.append(value)
            if time.perf_counter() >= end:
                return
        self._timer.stop()
        self._then(self._values)


class Leaving:
    """Releases large data piece by piece: to free a hundred thousand objects at once would block the event loop."""

    def __init__(self) -> None:
        self._parts: list[list[object]] = []
        self._pieces: InPieces[None] = InPieces(lambda _: None)

    def take(self, parts: list[list[object]]) -> None:
        """Take over lists of objects to which nothing else refers when the event loop runs again."""
        self._parts += parts
        if not self._pieces.busy:
            self._pieces.start(self._emptied())

    def _emptied(self) -> Iterator[None]:
        while self._parts:
            part = self._parts[-1]
            if part:
                del part[-_FEW:]
            else:
                self._parts.pop()
            yield
