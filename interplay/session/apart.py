"""Work in a copy of this process, which can be ended whatever it does: some calls of solvers neither return nor listen.

A fork shares what was read. The copy has one thread, makes solvers of its own, writes its result to a pipe and ends.
Its CPU time is limited by the system, and on the clock it has `_SLOWEST` times as long: enough on a busy machine. Each
result is better than the one before; where the process is ended, the last counts.
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

_SLOWEST = 10
_LOOK = 0.05  # seconds between two looks whether the run goes on
_PIECE = 1 << 16
_RESULT, _FAILED = b"+", b"!"


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

        Raises `NoAnswer` where it ends without a result, or where `limits` say so.
        """
        until = min(self._until, time.monotonic() + seconds)
        while True:
            limits.check()
            if select.select([self._pipe], [], [], _LOOK)[0]:
                piece = os.read(self._pipe, _PIECE)
                if not piece:
                    return self._best("it was ended")
                self._received += piece
            elif time.monotonic() > until:
                return self._best("it takes too long") if until == self._until else None

    def _best(self, otherwise: str) -> bytes:
        *lines, _ = self._received.split(b"\n")  # what follows the last newline was not written to its end
        if not lines:
            raise NoAnswer(otherwise)
        kind, text = lines[-1][:1], bytes(lines[-1][1:])
        if kind == _FAILED:
            raise RuntimeError(text.decode())
        return text


def _work(work: Callable[[Limits], Iterator[bytes]], seconds: float, writing: int) -> NoReturn:
    """Do the work, and end the process."""
    with open(writing, "wb") as pipe:
        try:
            whole = math.ceil(seconds) + 1
            resource.setrlimit(resource.RLIMIT_CPU, (whole, whole + 1))
            for result in work(Limits(seconds)):
                pipe.write(_RESULT + result + b"\n")
                pipe.flush()
        except NoAnswer:
            pass  # the results so far are what there is
        except BaseException:  # noqa: BLE001 - nothing of the parent may go on here
            pipe.write(_FAILED + repr(traceback.format_exc()).encode() + b"\n")
    os._exit(0)
