"""Paths from one loop head to the next, or to an error: one by one, with nothing merged."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from core.dataclass import dataclass
from core.limits import Limits
from core.parameters import parameter
from core.program.expansion import At, Expansion, Step
from core.program.semantics import Transition, identity
from core.program.unwinding import closes_cycle
from core.terms import Substitution

MAX_PATHS = parameter("bmc.cut-paths.max-paths")
MAX_STEPS = parameter("bmc.cut-paths.max-steps")


@dataclass(frozen=True, eq=False)
class ComposedPath:
    """A path without cut points inside, from the cut point `source` to the cut point or error location `target`."""

    source: At
    target: At
    transition: Transition


@dataclass(frozen=True)
class CutPaths:
    """All paths between cut points, and the locations that they pass."""

    all: Sequence[ComposedPath]
    passed: Sequence[At]


def cut_paths(expansion: Expansion, roots: Sequence[At], limits: Limits) -> CutPaths | None:
    """The paths that leave `roots`; None where there are too many."""
    paths: list[ComposedPath] = []
    passed: dict[At, None] = {}
    steps = 0
    for root in roots:
        stack = [ComposedPath(root, root, identity(expansion.arena))]
        while stack:
            limits.check()
            for step, longer in _extended(expansion, stack.pop(), steps):
                steps += 1
                passed[step.target] = None
                is_end = expansion.check(step.target) is not None or closes_cycle(expansion, step)
                (paths if is_end else stack).append(longer)
            if steps > MAX_STEPS or len(paths) > MAX_PATHS:
                return None
    return CutPaths(paths, list(passed))


def _extended(expansion: Expansion, path: ComposedPath, number: int) -> Iterator[tuple[Step, ComposedPath]]:
    """Each path that is one step longer and possible. Its inputs are its own: `number` tells steps apart."""
    arena = expansion.arena
    for step in expansion.steps(path.target):
        change = step.transition
        inputs = sorted((s for s in change.reads if expansion.is_input(s)), key=lambda s: s.id)
        if inputs:
            rename = Substitution(arena, {s: arena.copy(s, f"{s.name}@path{number}") for s in inputs})
            updates = {x: rename(value) for x, value in change.updates.items()}
            change = Transition(arena, rename(change.guard), updates)
        whole = path.transition.then(change)
        if not whole.guard.is_false:
            yield step, ComposedPath(path.source, step.target, whole)
