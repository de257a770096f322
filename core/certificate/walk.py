"""Paths between the annotated locations of a certificate, in a statement-level view of a program.

Every execution is a sequence of such paths. Inputs that a path consumes more than once get copies, since each
execution of an edge has its own.
"""

from __future__ import annotations

from typing import Protocol

from core.dataclass import dataclass
from core.program import Check, Edge, Range
from core.program.expansion import At, Step
from core.program.semantics import Transition, identity
from core.terms import Arena, Substitution, Term


class TransitionSystem(Protocol):
    """The transition system that is walked: an expansion, or a modular view of one."""

    arena: Arena

    @property
    def start(self) -> At: ...

    def steps(self, at: At) -> tuple[Step, ...]: ...

    def check(self, at: At) -> Check | None: ...

    def is_loop_head(self, at: At) -> bool: ...

    def is_input(self, symbol: Term) -> bool: ...

    def range_of(self, symbol: Term) -> Range | None: ...


@dataclass(frozen=True, eq=False)
class PathSegment:
    """The part of a path from `source` to `at`, as one transition. `heads` are the loop heads passed, `at` excluded."""

    source: At
    at: At
    edges: tuple[Edge, ...]
    transition: Transition
    heads: frozenset[At]
    inputs: frozenset[Term]  # all inputs, or copies of them, that the path has consumed


class Walker:
    """Extends paths step by step, and knows the ranges of all symbols that can occur in them."""

    def __init__(self, view: TransitionSystem) -> None:
        self._view = view
        self._copies: dict[tuple[Term, int], Term] = {}
        self._originals: dict[Term, Term] = {}  # a copy of an input -> the input

    def range_of(self, symbol: Term) -> Range | None:
        return self._view.range_of(self._originals.get(symbol, symbol))

    def is_input(self, symbol: Term) -> bool:
        return symbol in self._originals or self._view.is_input(symbol)

    def begin(self, source: At) -> PathSegment:
        return PathSegment(source, source, (), identity(self._view.arena), frozenset(), frozenset())

    def extensions(self, path: PathSegment) -> list[tuple[PathSegment, Transition]]:
        """Each path that is one step longer and possible, with the transition of its last step."""
        result = []
        for step in self._view.steps(path.at):
            last = self._with_own_inputs(path, step)
            # The first step's own transition is kept: it remembers the substitutions that other paths made with it.
            whole = last if self._begins(path) else path.transition.then(last)
            if not whole.guard.is_false:
                result.append((self._extended(path, step, last, whole), last))
        return result

    def _begins(self, path: PathSegment) -> bool:
        """Whether the path does nothing yet: a step has edges, or as the first of a function takes snapshots."""
        return not path.edges and not path.transition.updates and path.transition.guard.is_true

    def _extended(self, path: PathSegment, step: Step, last: Transition, whole: Transition) -> PathSegment:
        consumed = frozenset(s for s in last.reads if self.is_input(s))
        return PathSegment(
            path.source,
            step.target,
            path.edges + step.edges,
            whole,
            path.heads | {path.at} if self._view.is_loop_head(path.at) else path.heads,
            path.inputs | consumed,
        )

    def _with_own_inputs(self, path: PathSegment, step: Step) -> Transition:
        used = sorted((s for s in step.transition.reads if s in path.inputs), key=lambda s: s.id)
        if not used:
            return step.transition
        rename = Substitution(self._view.arena, {s: self._copy(s, path.inputs) for s in used})
        updates = {x: rename(value) for x, value in step.transition.updates.items()}
        return Transition(self._view.arena, rename(step.transition.guard), updates)

    def _copy(self, original: Term, taken: frozenset[Term]) -> Term:
        """The first copy of an input that is not `taken`."""
        number = 0
        while True:
            copy = self._copies.get((original, number))
            if copy is None:
                copy = self._copies[original, number] = self._view.arena.fresh(original.name, original.sort)
                self._originals[copy] = original
            if copy not in taken:
                return copy
            number += 1
