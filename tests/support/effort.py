"""A measure of work in calls of Python functions: the same on a slow machine, and on a busy one."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType


class Effort:
    """`calls` grows while the block goes on."""

    calls = 0

    def count(self, frame: FrameType, event: str, argument: object) -> None:
        if event == "call":
            self.calls += 1


@contextmanager
def effort() -> Iterator[Effort]:
    """Counts the calls of this thread in the block."""
    found = Effort()
    before = sys.getprofile()
    sys.setprofile(found.count)
    try:
        yield found
    finally:
        sys.setprofile(before)
