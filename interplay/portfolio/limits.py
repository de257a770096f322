"""The limits of a run over all attempts of the portfolio together: finds the attempts that must end."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence

from core.parameters import real_parameter
from interplay.portfolio import attempt_ends
from interplay.portfolio.attempt import PortfolioAttempt
from interplay.portfolio.attempt_ends import AttemptEnd
from interplay.process.process_tree import available_memory
from interplay.session.request import Request

EXPLORING = real_parameter("portfolio.limits.exploring")
MIN_WAIT = real_parameter("portfolio.limits.min-wait")
MAX_WAIT = real_parameter("portfolio.limits.max-wait")
SPARED = real_parameter("portfolio.limits.spared")


class LimitWatch:
    """Monitor of the limits: measures those of `attempts` that run, as soon as one may have used up what it has."""

    def __init__(self, request: Request, attempts: Sequence[PortfolioAttempt]) -> None:
        self._request = request
        self._attempts = attempts
        self._memory_limit = 0.0  # megabytes
        self._measured = time.monotonic()  # on the clock

    def wait(self, paused: bool) -> float:
        """Seconds on the clock until the next measurement: no attempt uses more CPU time than passes on the clock.

        Where a run is paused, what is left of a slice stays as it is, however little.
        """
        running = [attempt for attempt in self._alive() if attempt.running]
        left = [attempt.slice_left for attempt in running]
        total = self.left()
        if total is not None and running:
            left.append(total / len(running))
        due = self._measured + (MAX_WAIT if paused else max(MIN_WAIT, min(left, default=MAX_WAIT)))
        return max(0.0, min(due - time.monotonic(), MAX_WAIT))

    def left(self) -> float | None:
        """CPU seconds that the run may still use."""
        limit = self._request.time_limit
        return None if limit is None else max(0.0, limit - self.used())

    def exceeded(self, paused: bool) -> Iterator[tuple[PortfolioAttempt, AttemptEnd]]:
        """Yield the attempts that use too much, or have stalled; each is to be ended before the next is requested."""
        if self.wait(paused) > 0:
            return
        self._measured = now = time.monotonic()
        for attempt in self._alive():
            if attempt.running and attempt.fork is not None and not self._computes(attempt, now, paused):
                yield attempt, attempt_ends.STANDSTILL
        yield from self._over_memory_limit()
        yield from self._over_time_limit()

    def _alive(self) -> list[PortfolioAttempt]:
        return [attempt for attempt in self._attempts if not attempt.ended]

    def is_concluding(self) -> bool:
        """Whether only evidence is examined any more, as the time runs out."""
        limit = self._request.time_limit
        return limit is not None and self.used() >= EXPLORING * limit

    def used(self) -> float:
        """CPU seconds of this process and all attempts."""
        return time.process_time() + sum(attempt.used for attempt in self._attempts)

    def _computes(self, attempt: PortfolioAttempt, now: float, paused: bool) -> bool:
        """Measure an attempt, and return whether it uses time, or need not."""
        assert attempt.fork is not None
        usage = attempt.fork.usage()
        attempt.spend(usage.cpu)
        attempt.memory = usage.memory
        if paused:
            attempt.stall.begin(attempt.used, now)
            return True
        return not attempt.stall.has_stalled(attempt.used, now)

    def _over_memory_limit(self) -> Iterator[tuple[PortfolioAttempt, AttemptEnd]]:
        """Yield the largest attempt, where all together exceed the memory limit."""
        if not self._memory_limit:
            self._memory_limit = (1 - SPARED) * (self._request.memory_limit or available_memory())
        alive = self._alive()
        if sum(attempt.memory for attempt in alive) > self._memory_limit:
            yield max(alive, key=lambda attempt: attempt.memory), attempt_ends.TOO_LARGE

    def _over_time_limit(self) -> Iterator[tuple[PortfolioAttempt, AttemptEnd]]:
        if not self.is_concluding():
            return
        for attempt in self._alive():
            if self.left() == 0 or not attempt.examining:
                yield attempt, attempt_ends.TIME_IS_UP
