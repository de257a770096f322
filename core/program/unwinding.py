"""Places of an unrolling: a location with the number of each round of the loops around it.

E. Clarke, D. Kroening, F. Lerda, "A tool for checking ANSI-C programs", TACAS 2004: loops are unwound one by one, so
that rounds of nested loops stay apart and constants stay constants. Loops are those of a weak topological order
(`core.program.loops`), so that places have a total order along which every step leads forward, in irreducible
graphs, too.
"""

from __future__ import annotations

from collections.abc import Iterator

from core.dataclass import dataclass
from core.program.automaton import Program
from core.program.expansion import At, Expansion, Step
from core.program.loops import loop_nesting

Rounds = tuple[int, ...]
"""A number for each loop around a location, the outermost first."""

Activation = tuple[tuple[int, ...], tuple[Rounds, ...]]
"""An active call: the calls that lead to it, with the rounds of the loops around them."""


@dataclass(frozen=True, slots=True)
class UnwoundPlace:
    """A location; `rounds` has one entry for each active call, outermost first, and one for the location itself."""

    at: At
    rounds: tuple[Rounds, ...]

    @property
    def activation(self) -> Activation:
        return self.at.stack, self.rounds[:-1]


@dataclass(frozen=True, slots=True)
class Move:
    """The effect of a step on the loops around it: the outermost `kept` go on, `entered` begin."""

    kept: int
    again: bool  # the innermost of the loops that go on begins another round
    entered: int

    def of(self, numbers: Rounds, more: int, first: int) -> Rounds:
        """The numbers after the move: that of another round grows by `more`, those of new loops are `first`."""
        kept = numbers[: self.kept]
        if self.again:
            kept = (*kept[:-1], kept[-1] + more)
        return (*kept, *((first,) * self.entered))


class Loops:
    """The loops of a program, and how the steps of its expansion move through them."""

    def __init__(self, program: Program) -> None:
        self._program = program
        self._around: dict[int, tuple[int, ...]] = {}
        for function in program.functions.values():
            nesting = loop_nesting(function.entry, lambda at: [e.target for e in program.out_edges[at]])
            for location, heads in nesting.items():
                self._around.setdefault(location, heads)
        self._rank = {location: rank for rank, location in enumerate(self._around)}
        self._moves: dict[tuple[int, int], Move] = {}

    def numbers(self, at: At, offset: int) -> tuple[Rounds, ...]:
        """`offset` for each loop around `at`."""
        return tuple((offset,) * len(self._around[location]) for location in self._locations(at))

    def position(self, place: UnwoundPlace) -> tuple[int, ...]:
        """Comparable: every step leads to a place with a greater one."""
        position: list[int] = []
        for location, rounds in zip(self._locations(place.at), place.rounds, strict=True):
            for head, number in zip(self._around[location], rounds, strict=True):
                position += (self._rank[head], number)
            position.append(self._rank[location])
        return tuple(position)

    def after(self, place: UnwoundPlace, step: Step) -> UnwoundPlace:
        """The place to which a step leads."""
        return UnwoundPlace(step.target, self.counted(place.rounds, step, more=1, first=0))

    def counted(self, numbers: tuple[Rounds, ...], step: Step, more: int, first: int = 1) -> tuple[Rounds, ...]:
        """Numbers for each loop after a step: that of another round grows by `more`, those of new loops are `first`."""
        move = self._move(step)
        if move is None:
            return (*numbers, (first,) * len(self._around[step.target.location]))
        depth = len(step.target.stack)
        return (*numbers[:depth], move.of(numbers[depth], more, first))

    def begun_again(self, place: UnwoundPlace, step: Step) -> tuple[Activation, Rounds] | None:
        """The round of a loop that a step ends to begin another one, if it does."""
        move = self._move(step)
        if move is None or not move.again:
            return None
        depth = len(step.target.stack)
        return (step.target.stack, place.rounds[:depth]), place.rounds[depth][: move.kept]

    def left(self, place: UnwoundPlace, step: Step, fails: bool) -> Iterator[tuple[Activation, Rounds]]:
        """The rounds of the loops that a step leaves; of one that `fails`, those that it leaves before."""
        move = self._move(step)
        if move is not None:
            depth = len(step.target.stack)
            rounds = place.rounds[depth]
            kept = self._kept(step.source.location, step.edges[-1].source) if fails else move.kept
            for length in range(kept + 1, len(rounds) + 1):
                yield (step.target.stack, place.rounds[:depth]), rounds[:length]

    def _move(self, step: Step) -> Move | None:
        """The move of a step within a function; of a return, from the call to what follows it. None for a call."""
        source, target = step.source, step.target
        if len(target.stack) > len(source.stack):
            return None
        left = source.location if len(target.stack) == len(source.stack) else step.edges[0].source
        found = self._moves.get((left, target.location))
        if found is None:
            found = self._moves[left, target.location] = self._moved(left, target.location)
        return found

    def _moved(self, source: int, target: int) -> Move:
        kept = self._kept(source, target)
        again = self._rank[target] <= self._rank[source]
        assert kept or not again, "a step backwards stays in a loop"
        return Move(kept, again, len(self._around[target]) - kept)

    def _kept(self, source: int, target: int) -> int:
        """The number of loops, from the outermost on, that are around `source` and `target`."""
        before, after = self._around[source], self._around[target]
        differing = (i for i, (a, b) in enumerate(zip(before, after, strict=False)) if a != b)
        return next(differing, min(len(before), len(after)))

    def _locations(self, at: At) -> list[int]:
        return [*(self._program.edges[edge].source for edge in at.stack), at.location]


def closes_cycle(expansion: Expansion, step: Step) -> bool:
    """Whether a step enters a loop head, or a function that is already active: every cycle has such a step."""
    target = step.target
    again = len(target.stack) > len(step.source.stack) and expansion.frame(target) > 0
    return again or expansion.is_loop_head(target)
