"""Work in a copy of this process, which can be ended whatever it does: some calls of solvers neither return nor listen.

A fork shares what was read. The copy has one thread, makes solvers of its own, writes its result to a pipe and ends.
Its CPU time and its memory are limited by the system, and on the clock it has `_SLOWEST` times as long: enough on a
busy machine. Each result is better than the one before; where the process is ended or fails, the last counts.
"""

from __future__ import annotations

import math
import os
import resource
import select
import signal
import time
import traceback
import warnings
from collections.abc import Callable, Iterator
from typing import NoReturn

from core.limits import Limits, NoAnswer
from interplay.session.endings import is_memory_shortage

_SLOWEST = 10
_MEMORY = 2 << 30  # bytes that it may take beyond those that it shares
_LOOK = 0.05  # seconds between two looks whether the run goes on
_PIECE = 1 << 16
_RESULT, _FAILED = b"+", b"!"


class WorkFailed(NoAnswer):
    """An error ended the work, which is a mistake in it; its traceback is on standard error."""


class Apart:
    """A computation in a process of its own, for at most `seconds` of CPU time. A context manager: it ends with its
    block.

    `work` gets the limits that it has there, and yields results without newlines. It may raise `NoAnswer`. Raises
    `OSError` where no process can be made.
    """

    def __init__(self, work: Callable[[Limits], Iterator[bytes]], seconds: float) -> None:
        self._pipe, writing = os.pipe()
        with warnings.catch_warnings():
            # Other threads of this process only wait; they hold no lock that the copy needs.
            warnings.simplefilter("ignore", DeprecationWarning)
            self._pid = os.fork()
        if not self._pid:
            os.close(self._pipe)
            _work(work, seconds, writing)
        os.close(writing)
        self._until = time.monotonic() + _SLOWEST * (seconds + 1)
        self._received = bytearray()

    def __enter__(self) -> Apart:
        return self

    def __exit__(self, *_: object) -> None:
        os.kill(self._pid, signal.SIGKILL)
        os.waitpid(self._pid, 0)
        os.close(self._pipe)

    def result(self, limits: Limits, seconds: float = math.inf) -> bytes | None:
        """The last result, waiting for the end of the work for so many seconds on the clock; None while it goes on.

        Where `limits` end the waiting, it is the last one so far. Raises `NoAnswer` where there is none at the end.
        """
        until = min(self._until, time.monotonic() + seconds)
        while True:
            if select.select([self._pipe], [], [], _LOOK)[0]:
                piece = os.read(self._pipe, _PIECE)
                if not piece:
                    return self._best("it was ended")
                self._received += piece
            elif time.monotonic() > until:
                return self._best("it takes too long") if until == self._until else None
            try:
                limits.check()
            except NoAnswer:
                if b"\n" in self._received:
                    return self._best("")
                raise

    def _best(self, otherwise: str) -> bytes:
        *lines, _ = self._received.split(b"\n")  # what follows the last newline was not written to its end
        results = [line for line in lines if line.startswith(_RESULT)]
        if results:
            return bytes(results[-1][1:])
        raise WorkFailed(lines[-1][1:].decode()) if lines else NoAnswer(otherwise)


def _work(work: Callable[[Limits], Iterator[bytes]], seconds: float, writing: int) -> NoReturn:
    """Do the work, and end the process."""
    with open(writing, "wb") as pipe:
        try:
            _limit(seconds)
            for result in work(Limits(seconds)):
                pipe.write(_RESULT + result + b"\n")
                pipe.flush()
        except NoAnswer:
            pass  # the results so far are what there is
        except BaseException as error:  # noqa: BLE001 - nothing of the parent may go on here
            if not is_memory_shortage(error):
                traceback.print_exc()
                pipe.write(_FAILED + ascii(error).encode() + b"\n")
    os._exit(0)


def _limit(seconds: float) -> None:
    whole = math.ceil(seconds) + 1
    resource.setrlimit(resource.RLIMIT_CPU, (whole, whole + 1))
    with open("/proc/self/statm") as sizes:
        shared = int(sizes.read().split()[0]) * resource.getpagesize()
    _, hard = resource.getrlimit(resource.RLIMIT_AS)
    most = shared + _MEMORY
    resource.setrlimit(resource.RLIMIT_AS, (most if hard == resource.RLIM_INFINITY else min(most, hard), hard))
