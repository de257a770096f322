"""Limits enforced from outside: ends a run whose processes exceed a limit or have stalled.

Limits are on CPU time, since time on the clock depends on the load of the machine.
"""

from __future__ import annotations

from interplay.process.process_tree import Child
from interplay.session.endings import Termination

PATIENCE = 20.0  # seconds on the clock in which what computes gets some CPU time, however busy the machine is
LEAST = 0.1  # CPU seconds that count as some; who only looks at others uses less
SLACK = 5.0  # CPU seconds over its limit that a run may take to end by itself
_INTERVAL, _LONGEST = 0.5, 2.0  # seconds between two looks at the processes
_GROWTH = 0.02  # of the time that has passed: what changes slowly is looked at seldom
_FIRST = 1.0  # seconds before the first: most runs are over by then


class StallDetector:
    """Detects stalled processes: they use less than `least` CPU seconds within `PATIENCE` seconds on the clock."""

    def __init__(self, least: float) -> None:
        self._least = least
        self._used = 0.0
        self._since: float | None = None  # on the clock: when `_used` was reached

    def begin(self, cpu: float, now: float) -> None:
        """Start a new period of patience, at `cpu` seconds used."""
        self._used, self._since = cpu, now

    def has_stalled(self, cpu: float, now: float) -> bool:
        """Record that `cpu` seconds have been used by now, and return whether the processes have stalled."""
        if self._since is None or cpu >= self._used + self._least:
            self.begin(cpu, now)
            return False
        return now > self._since + PATIENCE


class LimitMonitor:
    """Monitors the limits of a process tree: CPU seconds and megabytes of all its processes together. `used` are the
    seconds at the last look.
    """

    def __init__(self, child: Child, limit: float | None, memory_limit: int | None) -> None:
        self._child = child
        self._limit = limit
        self._memory_limit = memory_limit
        self._looked = 0.0
        self.used = 0.0
        self._stall = StallDetector(LEAST)

    def over(self, passed: float) -> Termination | None:
        """The reason to end the run, or None. `passed` are the seconds on the clock since the start, without pauses."""
        if passed < max(_FIRST, self._looked + max(_INTERVAL, min(_LONGEST, _GROWTH * passed))):
            return None
        self._looked = passed
        usage = self._child.look()
        self.used = usage.cpu
        if self._memory_limit is not None and usage.memory > self._memory_limit:
            return Termination.MEMORY
        if self._limit is not None and usage.cpu > self._limit + SLACK:
            return Termination.CPUTIME
        return Termination.WALLTIME if self._stall.has_stalled(usage.cpu, passed) else None
