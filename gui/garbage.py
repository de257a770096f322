"""Garbage collection on the event loop only.

Python collects garbage in whatever thread allocates next. That may delete a widget, which Qt allows only in the thread
of the window: the process would crash.
"""

from __future__ import annotations

import gc

from PySide6.QtCore import QObject, QTimer

INTERVAL = 20  # milliseconds between two looks: what is new stays little, however fast events come
# Events are many, and records of runs have no cycles, so that what was looked at twice is left alone: to look at all
# that some seconds of a run add up to would hold the event loop for 100 ms.
YOUNG, MIDDLE, OLD = 10_000, 0, 50_000
# More than this comes at once only as data (a layout, a run file): it is left alone as if it had been looked at twice.
# To look at twice as much, what is new and what was looked at once, takes 15 ms.
BULK = 30_000


class Collector(QObject):
    """Replaces Python's own collector, until `stop`."""

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._timer = QTimer(self, interval=INTERVAL)
        self._timer.timeout.connect(self.look)
        self.start()

    def start(self) -> None:
        gc.disable()
        self._timer.start()

    def look(self) -> None:
        """Collect the generations that are due, as Python would."""
        youngest, middle, oldest = gc.get_count()
        if youngest > BULK:
            gc.freeze()
            gc.unfreeze()  # what is frozen joins the oldest generation
        elif youngest > YOUNG:
            gc.collect(2 if oldest > OLD else 1 if middle > MIDDLE else 0)

    def stop(self) -> None:
        self._timer.stop()
        gc.enable()
