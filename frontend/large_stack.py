"""A large stack for code that recurses as deep as its input is nested."""

from __future__ import annotations

import _thread
import sys
import threading
from collections.abc import Callable
from typing import TypeVar

T = TypeVar("T")

_SMALL, _LARGE = 32 * 1024 * 1024, 512 * 1024 * 1024
"""Bytes of address space. A limit of memory counts all of it, so most inputs get by with the small stack."""
_FRAME = 1300
"""Bytes of stack that a call may use."""


class _NoRoom(Exception):
    """The limit of memory leaves no room for a stack."""


def run_on_large_stack(work: Callable[[], T]) -> T:
    """Run `work` on a stack for hundreds of thousands of calls: returns and raises what it does, RecursionError beyond.

    `work` is run once more, on a larger stack, where the first one is too small: it must change nothing outside.
    RecursionError also where the limit of memory leaves no room for the larger stack, MemoryError for the small one.
    """
    try:
        return _run(work, _SMALL)
    except _NoRoom:
        raise MemoryError("there is no room for the stack") from None
    except RecursionError:
        pass
    try:
        return _run(work, _LARGE)
    except _NoRoom:
        raise RecursionError("there is no room for the larger stack") from None


def _run(work: Callable[[], T], size: int) -> T:
    outcome: list[T] = []
    failure: list[BaseException] = []

    def attempt() -> None:
        try:
            outcome.append(work())
        except BaseException as error:  # noqa: BLE001 - raised again below, in the caller's thread
            failure.append(error)
        finally:
            running.release()

    running = threading.Lock()
    running.acquire()
    limit = sys.getrecursionlimit()
    before = threading.stack_size(size)
    try:
        sys.setrecursionlimit(max(limit, size // _FRAME))
        try:
            _thread.start_new_thread(attempt, ())  # `Thread.start` waits for ever for one that finds no memory at first
        except RuntimeError:
            raise _NoRoom from None
        running.acquire()
    finally:
        threading.stack_size(before)
        sys.setrecursionlimit(limit)
    if not outcome:
        raise failure[0] if failure else MemoryError
    return outcome[0]
