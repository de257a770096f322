"""The orders of events that can be told apart: one of each class that swaps of independent neighbours make equal.

The one that is first in the alphabet represents a class (Anisimov and Knuth, "Inhomogeneous sorting", 1979): no event
in it could move, past independent ones, in front of a larger one.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

MAX_STEPS = 20_000
"""Beginnings of orders that are looked at."""


def orders(
    before: Sequence[frozenset[int]], conflict: Callable[[int, int], bool], most: int
) -> list[tuple[int, ...]] | None:
    """The orders of the events 0, 1, … that can be told apart, at most `most`; None where there are more.

    `before` has what must precede each event, in a transitive way.
    """
    count = len(before)

    def are_dependent(first: int, other: int) -> bool:
        return first in before[other] or other in before[first] or conflict(first, other)

    def is_least(begun: tuple[int, ...], event: int) -> bool:
        for earlier in reversed(begun):
            if are_dependent(earlier, event):
                return True
            if earlier > event:
                return False
        return True

    sequences: list[tuple[int, ...]] = []
    waiting: list[tuple[int, ...]] = [()]
    steps = 0
    while waiting:
        begun = waiting.pop()
        steps += 1
        if len(begun) == count:
            sequences.append(begun)
        if len(sequences) > most or steps > MAX_STEPS:
            return None
        next_ = [one for one in range(count) if one not in begun and before[one].issubset(begun)]
        waiting += [(*begun, one) for one in reversed(next_) if is_least(begun, one)]
    return sequences
