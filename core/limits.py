"""Limits of a run, and the ways in which it ends without an answer."""

from __future__ import annotations

import time
from dataclasses import dataclass, field


class NoAnswer(Exception):
    """Ends an engine's run without an outcome; turned into a verdict in one place. The base of all below."""


class LimitReached(NoAnswer):
    """The time of the run is used up."""


class Interrupted(NoAnswer):
    """A person, or the process that commands this one, asked the run to stop."""


class SolverUndecided(NoAnswer):
    """A solver answered `unknown` where the engine cannot go on without an answer."""


class NoProgress(NoAnswer):
    """A refinement neither grew the abstraction nor excluded its path."""


@dataclass
class Limits:
    """A budget of CPU seconds of this process, counted from its start; None means unlimited."""

    cpu_seconds: float | None = None
    _stopped: bool = field(default=False, init=False)

    def stop(self) -> None:
        """Make the next `check` raise `Interrupted` (called from another thread)."""
        self._stopped = True

    def remaining(self) -> float:
        """CPU seconds left; infinite without a limit."""
        return float("inf") if self.cpu_seconds is None else self.cpu_seconds - time.process_time()

    def check(self) -> None:
        """Raise if the run must end now."""
        if self._stopped:
            raise Interrupted("stopped on request")
        if self.remaining() <= 0:
            raise LimitReached("time limit reached")
