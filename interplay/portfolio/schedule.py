"""Whose turn it is: which of the attempts of a plan run now. Pure data; nothing here starts or stops a process.

First each turn has its opening, one after the other, since most programs are decided by the first. Then attempts run
side by side, as many as there are cores, and share CPU time in proportion to their shares; one that has run for a while
gives way to those that had less, and goes on later where it was. Who claims an answer goes before all others.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from interplay.portfolio.plan import Turn

LEAST_SLICE = 1.0  # CPU seconds
GROWTH = 0.5  # a slice is this part of what the attempt has used: changing over costs the same for all


@dataclass(eq=False)
class ScheduledTurn:
    """One turn of the plan and how far it is. `used` are CPU seconds, those of its children too."""

    turn: Turn
    used: float = 0.0
    slice_end: float = 0.0  # what it may have used before it gives way
    running: bool = False
    ended: bool = False
    examining: bool = False  # it claims answers, whose evidence is being examined

    @property
    def load(self) -> float:
        """The time it had, measured by its share."""
        return self.used / self.turn.share


def next_turns(turns: Sequence[ScheduledTurn], cores: int) -> tuple[int, ...]:
    """The positions of those that run now, at most `cores`; a new slice begins for who did not run before."""
    alive = [one for one in turns if not one.ended]
    claiming = [one for one in alive if one.examining]
    opening = [one for one in alive if one.used < one.turn.opening]
    chosen = claiming[:cores] or opening[:1] or _shared(alive, cores)
    return tuple(position for position, one in enumerate(turns) if one in chosen)


def _shared(alive: Sequence[ScheduledTurn], cores: int) -> list[ScheduledTurn]:
    """Those whose slice goes on, then those that had least."""
    going_on = [one for one in alive if one.running and one.used < one.slice_end]
    others = sorted((one for one in alive if one not in going_on), key=lambda one: one.load)
    chosen = [*going_on, *others][:cores]
    for one in chosen:
        if one not in going_on:
            one.slice_end = one.used + max(LEAST_SLICE, GROWTH * one.used)
    return chosen
