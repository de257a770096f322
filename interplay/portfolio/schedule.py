"""Scheduler: chooses which attempts of a plan run now. Pure data; nothing here starts or stops a process.

First each attempt gets its opening, one after the other, since the first decides most programs. One that has decided a
check searches on as if that had taken no time. Then attempts run in parallel, one a core, and get CPU time in
proportion to their shares. An attempt that has used up its slice is suspended for those that had less, and resumed
later. What is known of its progress decides more:

- One that is concluding has priority over all others, for as long as that is expected to take. It has covered all
  executions, so that only questions are left, or claims an answer: then it also goes on until another engine may have
  one before.
- One that is about to end gets a larger share, and runs alone, since no share of more than a core is had beside others:
  the limit is on CPU time. It is concluding, or most is done: the more its steps grow, the more that must be.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from core.dataclass import dataclass
from core.parameters import parameter, real_parameter
from interplay.portfolio.plan import Turn
from runs.events import NO_PROGRESS, Progress

LEAST_SLICE = real_parameter("portfolio.schedule.least-slice")
GROWTH = real_parameter("portfolio.schedule.growth")
QUESTIONS = real_parameter("portfolio.schedule.questions")
LEAST_EXAMINED = real_parameter("portfolio.schedule.least-examined")
EVIDENCE = real_parameter("portfolio.schedule.evidence")
EXAMINED = real_parameter("portfolio.schedule.examined")
ENDING_SHARE = real_parameter("portfolio.schedule.ending-share")
ENDING = parameter("portfolio.schedule.ending")
STEADY = parameter("portfolio.schedule.steady")


@dataclass(eq=False)
class ScheduledTurn:
    """A turn of the plan with its state. `used` are CPU seconds, with those of child processes."""

    turn: Turn
    used: float = 0.0
    slice_end: float = 0.0  # what it may have used before it gives way
    running: bool = False
    ended: bool = False
    examining: bool = False  # it claims answers, whose evidence is being examined
    concluded: float = 0.0  # of the time used, that in which it was concluding
    progress: Progress = NO_PROGRESS

    def spend(self, used: float) -> None:
        """Note what it has used."""
        more = max(0.0, used - self.used)
        self.used += more
        self.concluded += more if self.is_concluding else 0.0

    @property
    def searched(self) -> float:
        """CPU seconds in which it was not concluding."""
        return self.used - self.concluded

    @property
    def is_opening(self) -> bool:
        """Whether its opening lasts; the time in which it was concluding counts only as long as it is."""
        return (self.used if self.is_concluding else self.searched) < self.turn.first_slice

    @property
    def is_concluding(self) -> bool:
        """Whether it claims answers, or has covered all executions."""
        return self.examining or self.progress.left == 0

    @property
    def is_ending(self) -> bool:
        known = self.progress
        if self.is_concluding or known.growth < 0 or known.left < 0:
            return self.is_concluding
        return known.done * STEADY > ENDING * known.left * max(known.growth, STEADY)

    def conclusion(self, searched: float) -> float:
        """CPU seconds that its conclusion may take before others, where all have searched for so many."""
        expected = QUESTIONS if self.progress.left == 0 else 0.0
        if not self.examining:
            return expected
        return max(expected + LEAST_EXAMINED + EVIDENCE * max(0, self.progress.evidence), EXAMINED * searched)

    @property
    def slice_left(self) -> float:
        """CPU seconds until it may have to give way; infinite where no slice ends."""
        first = self.turn.first_slice
        ends = (first - self.used, first - self.searched, self.slice_end - self.used)
        return min((left for left in ends if left > 0), default=math.inf)

    @property
    def load(self) -> float:
        """The time it has used, divided by its share."""
        return self.used / (self.turn.share * (ENDING_SHARE if self.is_ending else 1))


def next_turns(turns: Sequence[ScheduledTurn], cores: int) -> tuple[int, ...]:
    """The positions of the turns that run now, at most `cores`; those that did not run before begin a new slice."""
    alive = [one for one in turns if not one.ended]
    searched = sum(one.searched for one in turns)
    concluding = [one for one in alive if one.is_concluding and one.concluded < one.conclusion(searched)]
    opening = [one for one in alive if one.is_opening]
    chosen = sorted(concluding, key=lambda one: not one.examining)[:cores] or opening[:1] or _shared(alive, cores)
    return tuple(position for position, one in enumerate(turns) if one in chosen)


def _shared(alive: Sequence[ScheduledTurn], cores: int) -> list[ScheduledTurn]:
    """The turns in the middle of a slice, then those with the least load."""
    going_on = [one for one in alive if one.running and one.used < one.slice_end]
    others = sorted((one for one in alive if one not in going_on), key=lambda one: one.load)
    chosen = _apart(going_on, others)[:cores]
    for one in chosen:
        if one not in going_on:
            one.slice_end = one.used + max(LEAST_SLICE, GROWTH * one.used)
    return chosen


def _apart(going_on: Sequence[ScheduledTurn], others: Sequence[ScheduledTurn]) -> list[ScheduledTurn]:
    """The turns in their order, where those that are ending run by themselves: once those in a slice have had it."""
    alone = [one for one in going_on if one.is_ending]
    if not alone and others and others[0].is_ending:
        alone = [*going_on] or [others[0]]
    return alone or [*going_on, *(one for one in others if not one.is_ending)]
