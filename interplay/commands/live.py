"""The live line: counters of a run, updated on the last line of a terminal."""

from __future__ import annotations

import shutil
import time
from typing import TextIO

from runs.runview import RunView

INTERVAL = 0.1  # seconds between two drawings


class LiveLine:
    """A line with phase, rounds, abstract states, predicates and seconds. `tick` redraws it, `clear` erases it."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream
        self._started = self._drawn = time.monotonic()

    def tick(self, view: RunView) -> None:
        now = time.monotonic()
        if now - self._drawn >= INTERVAL:
            self._drawn = now
            self._stream.write(f"\r\x1b[K{line(view, now - self._started, shutil.get_terminal_size().columns - 1)}")
            self._stream.flush()

    def clear(self) -> None:
        if self._drawn > self._started:
            self._stream.write("\r\x1b[K")
            self._stream.flush()


def line(view: RunView, seconds: float, width: int) -> str:
    """The line for a run that has been running for `seconds`, at most `width` characters."""
    parts = [view.phase or ("done" if view.verdict else "starting")]
    if view.plan and view.attempt.event:
        parts.insert(0, view.attempt.event.engine)
    if view.attempt.rounds:
        parts.append(f"round {view.attempt.rounds[-1].number}")
    parts += [f"{value} {name}" for name, value in (*view.counters.items(), *view.attempt.progress.known())]
    parts.append(f"{seconds:.1f} s")
    return " · ".join(parts)[: max(width, 0)]
