"""Work in a copy of this process, which can be ended whatever it does: some calls of solvers neither return nor listen.

A fork shares what was read. The copy has one thread, makes solvers of its own, writes its result to a pipe and ends.
Its CPU time is limited by the system, and on the clock it has `_SLOWEST` times as long: enough on a busy machine.
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
from collections.abc import Callable
from typing import NoReturn

from core.limits import Limits, NoAnswer

_SLOWEST = 10
_LOOK = 0.05  # seconds between two looks whether the run goes on
_PIECE = 1 << 16
_DONE, _NO_ANSWER, _FAILED = b"+", b"-", b"!"


class Apart:
    """A computation in a process of its own, for at most `seconds` of CPU time. A context manager: it ends with its
    block.

    `work` gets the limits that it has there. It may raise `NoAnswer`. Raises `OSError` where no process can be made.
    """

    def __init__(self, work: Callable[[Limits], bytes], seconds: float) -> None:
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
        self._received = b""

    def __enter__(self) -> Apart:
        return self

    def __exit__(self, *_: object) -> None:
        os.kill(self._pid, signal.SIGKILL)
        os.waitpid(self._pid, 0)
        os.close(self._pipe)

    def result(self, limits: Limits, seconds: float = math.inf) -> bytes | None:
        """The result, waiting for it for so many seconds on the clock; None while there is none.

        Raises `NoAnswer` where it is clear that there will be none, or where `limits` say so.
        """
        until = min(self._until, time.monotonic() + seconds)
        while True:
            limits.check()
            if select.select([self._pipe], [], [], _LOOK)[0]:
                piece = os.read(self._pipe, _PIECE)
                if not piece:
                    return self._ended()
                self._received += piece
            elif time.monotonic() > until:
                if until == self._until:
                    raise NoAnswer("it takes too long")
                return None

    def _ended(self) -> bytes:
        kind, text = self._received[:1], self._received[1:]
        if kind == _FAILED:
            raise RuntimeError(text.decode())
        if kind != _DONE:
            raise NoAnswer(text.decode() or "it was ended")
        return text


def _work(work: Callable[[Limits], bytes], seconds: float, writing: int) -> NoReturn:
    """Do the work, and end the process."""
    try:
        whole = math.ceil(seconds) + 1
        resource.setrlimit(resource.RLIMIT_CPU, (whole, whole + 1))
        data = _DONE + work(Limits(seconds))
    except NoAnswer as error:
        data = _NO_ANSWER + str(error).encode()
    except BaseException:  # noqa: BLE001 - nothing of the parent may go on here
        data = _FAILED + traceback.format_exc().encode()
    with open(writing, "wb") as pipe:
        pipe.write(data)
    os._exit(0)
