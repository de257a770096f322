"""Reading terms in a state of an unrolling: what was written is put in, and what intervals decide is decided."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from core.analysis.bounds import Intervals
from core.decision.kernel import truth
from core.terms import Arena, SplitAtIndices, Term, Treatment

OTHER_OPERATORS = Treatment.EXACT


class ReadingByIntervals(SplitAtIndices):
    """Reading that takes the branches of choices that intervals leave: most results of arithmetic never wrap around."""

    def __init__(
        self,
        arena: Arena,
        replacements: Mapping[Term, Term],
        indices: Callable[[Term], Sequence[Term]],
        intervals: Intervals,
    ) -> None:
        super().__init__(arena, replacements, indices)
        self._intervals = intervals

    def rebuilt(self, t: Term, args: tuple[Term, ...]) -> Term:
        """The term over new arguments; of a choice the branch that intervals leave, if they leave one."""
        if t.is_choice:
            condition, chosen, other = args
            holds = truth(self._intervals, condition)
            if holds is not None:
                return chosen if holds else other
        return super().rebuilt(t, args)
