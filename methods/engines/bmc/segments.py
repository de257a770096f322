"""Paths from one loop head to the next, or to an error: one by one, with nothing merged."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from core.dataclass import dataclass
from core.limits import Limits
from core.program.expansion import At, Expansion, Step
from core.program.semantics import Transition, identity
from core.terms import Substitution
from methods.paths.unrolling import closes_cycle

MAX_SEGMENTS = 400
MAX_STEPS = 4_000


@dataclass(frozen=True, eq=False)
class LoopPath:
    """A path from `source`, where a layer begins, to `target`, where the next one does, or which is an error."""

    source: At
    target: At
    transition: Transition


@dataclass(frozen=True)
class Segments:
    """All segments, and the locations that they pass."""

    all: Sequence[LoopPath]
    passed: Sequence[At]


def segments(expansion: Expansion, roots: Sequence[At], limits: Limits) -> Segments | None:
    """The segments that leave `roots`; None where there are too many."""
    found: list[LoopPath] = []
    passed: dict[At, None] = {}
    steps = 0
    for root in roots:
        stack = [LoopPath(root, root, identity(expansion.arena))]
        while stack:
            limits.check()
            for step, longer in _extended(expansion, stack.pop(), steps):
                steps += 1
                passed[step.target] = None
                is_end = expansion.check(step.target) is not None or closes_cycle(expansion, step)
                (found if is_end else stack).append(longer)
            if steps > MAX_STEPS or len(found) > MAX_SEGMENTS:
                return None
    return Segments(found, list(passed))


def _extended(expansion: Expansion, segment: LoopPath, number: int) -> Iterator[tuple[Step, LoopPath]]:
    """Each path that is one step longer and possible. Its inputs are its own: `number` tells steps apart."""
    arena = expansion.arena
    for step in expansion.steps(segment.target):
        change = step.transition
        inputs = sorted((s for s in change.reads if expansion.is_input(s)), key=lambda s: s.id)
        if inputs:
            rename = Substitution(arena, {s: arena.copy(s, f"{s.name}@path{number}") for s in inputs})
            updates = {x: rename(value) for x, value in change.updates.items()}
            change = Transition(arena, rename(change.guard), updates)
        whole = segment.transition.then(change)
        if not whole.guard.is_false:
            yield step, LoopPath(segment.source, step.target, whole)
