"""Background jobs, for work of more than some milliseconds: one at a time, of those that wait only the last."""

from __future__ import annotations

import sys
import threading
import time
import weakref
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Generic, Protocol, TypeVar, cast

from PySide6.QtCore import QCoreApplication, QObject, QTimer, Signal
from shiboken6 import isValid

_T = TypeVar("_T")
_SLICE = 0.005  # seconds; several may follow each other in one turn of the event loop
_FEW = 10  # things of which each may be large
_POLITE = 0.0005  # seconds; the window would wait ten times as long for each call that gives up the interpreter
_BEAT = 5  # milliseconds between two signs of an event loop that has nothing to do
_LATE = 0.012  # seconds without a sign: the loop is at work
_TURN = 0.002  # seconds that a thread computes before it looks for a sign again
_PATIENCE = 0.02  # seconds that it waits for one, so that it gets on beside a loop that is never free
_NAP = 0.002


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


class GivingWay:
    """Lets a thread compute while the event loop has nothing to do, and little meanwhile: the interpreter runs one of
    them at a time, so that a thread that always computes would make the loop twice as slow.

    The loop calls `beat` regularly, the thread `give_way`.
    """

    def __init__(
        self, clock: Callable[[], float] = time.perf_counter, sleep: Callable[[float], None] = time.sleep
    ) -> None:
        self._clock = clock
        self._sleep = sleep
        self._sign = self._turn = clock()

    def beat(self) -> None:
        """The event loop has nothing else to do."""
        self._sign = self._clock()

    def give_way(self) -> None:
        """Wait while the loop is at work, unless the thread has waited just now."""
        now = self._clock()
        if now < self._turn:
            return
        until = now + _PATIENCE
        while now - self._sign > _LATE and now < until:
            self._sleep(_NAP)
            now = self._clock()
        self._turn = now + _TURN


class Cancelled(BaseException):
    """The result of the job is no longer needed. Not an `Exception`, so that no job handles it as an error."""


class Background(Generic[_T]):
    """Runs jobs in a thread. What a job reads must not change while it runs, or only grow.

    `then` is called on the event loop with the result of the newest job. A job gets a function that it calls regularly:
    it raises `Cancelled` once there is a newer job, `forget` was called, or the application ends, and waits while the
    event loop is at work.
    """

    def __init__(self, then: Callable[[_T], None]) -> None:
        self._then = then
        # The application owns it: the last one to know it may be the thread, and Qt must not delete it there.
        self._mailbox = _Mailbox(QCoreApplication.instance())
        self._mailbox.arrived.connect(self._arrived)
        self._giving_way = GivingWay()
        self._beat = QTimer(self._mailbox, interval=_BEAT)
        self._beat.timeout.connect(self._giving_way.beat)
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
        self._beat.start()
        request, mailbox = self._newest, self._mailbox

        def check() -> None:
            if request != self._newest:
                raise Cancelled
            self._giving_way.give_way()

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
                mailbox.arrived.emit(request, result)
            except RuntimeError:  # the window was closed meanwhile
                return

        threading.Thread(target=work, daemon=True, name="background").start()

    def _arrived(self, number: int, result: object) -> None:
        self._running = False
        self._beat.stop()
        if self._waiting is not None:
            job, self._waiting = self._waiting, None
            self._start(job)
        if isinstance(result, Cancelled):
            return
        if isinstance(result, BaseException):
            raise result
        if number == self._newest and not self._is_closed():
            self._then(cast(_T, result))

    def _is_closed(self) -> bool:
        """Whether the widget that wants the results was closed: Qt has deleted it, though Python still knows it."""
        owner = getattr(self._then, "__self__", None)
        return isinstance(owner, QObject) and not isValid(owner)


class _Piecewise(Protocol):
    """Work that goes on by one slice at a time while it is busy."""

    @property
    def busy(self) -> bool: ...
    def go_on(self) -> None: ...


class _Turns(QObject):
    """Lets one iterator go on in each turn of the event loop: all at once would hold it too long."""

    def __init__(self, application: QCoreApplication | None) -> None:
        super().__init__(application)
        self._order: deque[weakref.ref[_Piecewise]] = deque()  # weak, as a widget that is closed ends its work
        self._timer = QTimer(self, interval=0)
        self._timer.timeout.connect(self._next)

    @staticmethod
    def of_application() -> _Turns:
        application = QCoreApplication.instance()
        known = application.findChild(_Turns) if application is not None else None
        return known if isinstance(known, _Turns) else _Turns(application)

    def join(self, pieces: _Piecewise) -> None:
        if all(known() is not pieces for known in self._order):
            self._order.append(weakref.ref(pieces))
        self._timer.start()

    def _next(self) -> None:
        pieces = self._order.popleft()() if self._order else None
        if pieces is not None and pieces.busy:
            self._order.append(weakref.ref(pieces))  # before it goes on: an error ends one piece, not all
            pieces.go_on()
        if not self._order:
            self._timer.stop()


class InPieces(Generic[_T]):
    """Runs an iterator on the event loop, some milliseconds at a time: for work that must not leave the thread.

    `then` gets all values at the end. A new iterator replaces an unfinished one.
    """

    def __init__(self, then: Callable[[list[_T]], None]) -> None:
        self._then = then
        self._values: list[_T] = []
        self._rest: Iterator[_T] | None = None
        self._turns = _Turns.of_application()

    def start(self, values: Iterator[_T]) -> None:
        if self._rest is None:
            self._turns.join(self)
        self._values, self._rest = [], values

    def stop(self) -> None:
        """Stop; the values are discarded."""
        self._rest = None

    @property
    def busy(self) -> bool:
        return self._rest is not None

    def go_on(self) -> None:
        """Run for one slice."""
        end = time.perf_counter() + _SLICE
        for value in self._rest or ():
            self._values.append(value)
            if time.perf_counter() >= end:
                return
        self._rest = None
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
