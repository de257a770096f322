"""Garbage is collected on the event loop alone.

Python collects in whatever thread allocates next. What it finds may be a widget, which Qt lets only the thread of the
window delete: the process would crash.
"""

from __future__ import annotations

import gc

from PySide6.QtCore import QObject, QTimer

INTERVAL = 200  # milliseconds between two looks
# Events are many and have no cycles; a full collection over those of a large run would hold the loop for 60 ms.
YOUNG, MIDDLE, OLD = 20_000, 50, 1_000


class Collector(QObject):
    """Takes the place of Python's own collector, until `stop`."""

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        gc.disable()
        self._timer = QTimer(self, interval=INTERVAL)
        self._timer.timeout.connect(self.look)
        self._timer.start()

    def look(self) -> None:
        """Collect the generations that are due, as Python would."""
        youngest, middle, oldest = gc.get_count()
        if youngest > YOUNG:
            gc.collect(2 if oldest > OLD else 1 if middle > MIDDLE else 0)

    def stop(self) -> None:
        self._timer.stop()
        gc.enable()
