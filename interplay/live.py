"""The live line: counters of a run, written over and over on a terminal's last line."""

from __future__ import annotations

import shutil
from typing import TextIO

from core.runview import RunView


class LiveLine:
    """Shows phase, rounds, abstract states, predicates and seconds. `tick` redraws; `clear` leaves nothing behind."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream
        self._last = ""

    def tick(self, view: RunView) -> None:
        text = line(view, shutil.get_terminal_size().columns - 1)
        if text != self._last:
            self._last = text
            self._stream.write(f"\r\x1b[K{text}")
            self._stream.flush()

    def clear(self) -> None:
        if self._last:
            self._stream.write("\r\x1b[K")
            self._stream.flush()


def line(view: RunView, width: int) -> str:
    """One line about a run that is going on, at most `width` characters."""
    parts = [view.phase or "starting"]
    if view.attempt.rounds:
        parts.append(f"round {view.attempt.rounds[-1].number}")
    parts += [f"{value} {name}" for name, value in view.counters.items()]
    parts.append(f"{view.seconds:.1f} s")
    return " · ".join(parts)[: max(width, 0)]
