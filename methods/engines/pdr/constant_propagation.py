"""Constant propagation over an expansion: which variables have one value at a location.

The addresses of variables that are passed to functions become constants this way, so that a pointer to a pointer is
no node of a list. The allocation counter is left out: a constant address would be no new node.
"""

from __future__ import annotations

from collections.abc import Mapping

from core.dataclass import dataclass
from core.limits import Limits
from core.parameters import parameter
from core.program.expansion import At, Expansion, Step
from core.terms import INT, Substitution, Term

MAX_LOCATIONS = parameter("pdr.constant-propagation.max-locations")


class TooLarge(Exception):
    """The expansion has more locations than are looked into."""


@dataclass(frozen=True)
class KnownConstants:
    """The values that variables have at each location that is reached, and the steps that may be taken from there."""

    values: Mapping[At, Mapping[Term, Term]]
    steps: Mapping[At, tuple[Step, ...]]


def propagate(expansion: Expansion, counter: Term | None, limits: Limits) -> KnownConstants:
    """The constants of an expansion. Raises `TooLarge`."""
    analysis = _Analysis(expansion, counter)
    while analysis.work:
        limits.check()
        analysis.visit(analysis.work.pop())
    return analysis.result()


class _Analysis:
    """The values at each location so far; None where a variable has several."""

    def __init__(self, expansion: Expansion, counter: Term | None) -> None:
        self._expansion, self._counter = expansion, counter
        self._values: dict[At, dict[Term, Term | None]] = {expansion.start: {}}
        self._taken: dict[At, dict[Step, None]] = {}
        self.work = [expansion.start]

    def result(self) -> KnownConstants:
        values = {at: {x: v for x, v in found.items() if v is not None} for at, found in self._values.items()}
        return KnownConstants(values, {at: tuple(self._taken.get(at, ())) for at in values})

    def visit(self, at: At) -> None:
        before = self._values[at]
        now = Substitution(self._expansion.arena, {x: v for x, v in before.items() if v is not None})
        for step in self._expansion.steps(at):
            if now(step.transition.guard).is_false:
                continue
            self._taken.setdefault(at, {})[step] = None
            after = dict(before)
            for x, value in step.transition.updates.items():
                if x.sort is INT and x is not self._counter:
                    result = now(value)
                    after[x] = result if result.is_constant else None
            self._join(step.target, after)

    def _join(self, at: At, new: dict[Term, Term | None]) -> None:
        old = self._values.get(at)
        if old is None:
            if len(self._values) >= MAX_LOCATIONS:
                raise TooLarge
            joined = new
        else:
            joined = {x: new[x] if x in old and x in new and old[x] is new[x] else None for x in {**old, **new}}
        if joined != old:
            self._values[at] = joined
            self.work.append(at)
