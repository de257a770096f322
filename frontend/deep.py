"""Running code that recurses as deep as its input is nested."""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable
from typing import TypeVar

T = TypeVar("T")

_STACK = 512 * 1024 * 1024
"""Bytes of address space; memory is used only where the recursion goes."""
_FRAMES = 400_000


def run_deep(work: Callable[[], T]) -> T:
    """What `work` returns or raises, run on a stack for hundreds of thousands of calls; RecursionError beyond."""
    outcome: list[T] = []
    failure: list[BaseException] = []

    def attempt() -> None:
        try:
            outcome.append(work())
        except BaseException as error:  # noqa: BLE001 - raised again below, in the caller's thread
            failure.append(error)

    limit = sys.getrecursionlimit()
    size = threading.stack_size(_STACK)
    try:
        sys.setrecursionlimit(max(limit, _FRAMES))
        thread = threading.Thread(target=attempt, name="deep")
        thread.start()
        thread.join()
    finally:
        threading.stack_size(size)
        sys.setrecursionlimit(limit)
    if failure:
        raise failure[0]
    return outcome[0]
