"""Limits of a run, and the ways in which it ends without an answer."""

from __future__ import annotations

import resource
import time
from dataclasses import field
from enum import StrEnum

from core.dataclass import dataclass


class NoAnswer(Exception):
    """Ends an engine's run without an outcome; turned into a verdict in one place. The base of all below."""


class LimitReached(NoAnswer):
    """The time of the run is used up."""


class Interrupted(NoAnswer):
    """The user, or the parent process, asked the run to stop."""


class Enough(NoAnswer):
    """A violation is confirmed, and nobody asked for more."""


class SolverUndecided(NoAnswer):
    """A solver answered `unknown` where the engine cannot go on without an answer."""


class NoProgress(NoAnswer):
    """A refinement neither grew the abstraction nor excluded its path."""


class Cause(StrEnum):
    """The causes of a missing answer that code acts on, as run files have them: a stored reason is a cause, or a cause
    with details behind a colon, or else a sentence for display only."""

    TIME_LIMIT = "the time limit is reached"
    MEMORY = "out of memory"
    INTERRUPTED = "interrupted"
    FIRST_VIOLATION = "the run ends at the first violation"
    NOTHING_TO_CHECK = "nothing to check"
    NO_PREDICATES = "no method finds predicates that exclude a spurious path"
    NO_PROGRESS = "refinement makes no progress"
    SOLVER_UNDECIDED = "the solver could not decide"


def cause_of(reason: str) -> Cause | None:
    """The cause that a stored reason states."""
    try:
        return Cause(reason.partition(": ")[0])
    except ValueError:
        return None


def cpu_used() -> float:
    """CPU seconds of this process and of its children that have ended."""
    ended = resource.getrusage(resource.RUSAGE_CHILDREN)
    return time.process_time() + ended.ru_utime + ended.ru_stime


@dataclass
class Limits:
    """A budget of CPU seconds of this process and its children, counted from its start; None means unlimited.

    `running` are the seconds of a child that still runs, as it says itself: the system counts those that have ended.
    """

    cpu_seconds: float | None = None
    running: float = field(default=0.0, init=False)
    _stopped: bool = field(default=False, init=False)
    _enough_until: float = field(default=0.0, init=False)  # on the clock: work uses no more CPU time than that shows

    def stop(self) -> None:
        """Make the next `check` raise `Interrupted` (called from another thread)."""
        self._stopped = True

    def remaining(self) -> float:
        """CPU seconds left; infinite without a limit."""
        if self.cpu_seconds is None:
            return float("inf")
        return self.cpu_seconds - cpu_used() - self.running

    def part(self, share: float) -> Limits:
        """The limits of a piece of the work, which gets this share of what is left."""
        return Limits(None if self.cpu_seconds is None else cpu_used() + share * self.remaining())

    def check(self) -> None:
        """Raise if the run must end now."""
        if self._stopped:
            raise Interrupted("stopped on request")
        now = time.monotonic()
        if now < self._enough_until:
            return
        remaining = self.remaining()
        if remaining <= 0:
            raise LimitReached("time limit reached")
        self._enough_until = now + remaining

    def check_again(self) -> None:
        """`check` after a child process has ended: its time came on top of what the clock shows."""
        self._enough_until = 0.0
        self.check()
