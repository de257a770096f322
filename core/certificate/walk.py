"""Paths between the annotated locations of a certificate, in a statement-level view of a program with ghosts.

Every execution is a sequence of such paths. Inputs that a path consumes more than once get copies, since each
execution of an edge has its own. Ghosts change along a path as their rules say.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import replace
from functools import cached_property
from typing import Protocol

from core.certificate.ghosts import GhostReading, GhostState
from core.dataclass import dataclass
from core.program import Check, Edge, Range
from core.program.blocks import exclude_each_other, merged
from core.program.expansion import At, Step
from core.program.semantics import Transition, identity
from core.terms import Arena, Substitution, Term, literals

DEEPEST_CALLS = 200  # calls entered between annotated locations; unannotated recursion would enter them for ever


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
class InductionPath:
    """A path from a cut point, so far to `target`, as one transition. `heads` are the loop heads before `target`."""

    source: At
    target: At
    edges: tuple[Edge, ...]
    transition: Transition
    heads: frozenset[At]
    inputs: frozenset[Term]  # all inputs, or copies of them, that the path has consumed
    ghosts: tuple[GhostState, ...] = ()  # one for each rule

    @property
    def ids(self) -> tuple[int, ...]:
        """The ids of the edges."""
        return tuple(edge.id for edge in self.edges)

    @cached_property
    def after(self) -> Substitution:
        """The substitution from a term over the state at the end to the equal term over the one at the beginning."""
        values = {ghost: reading for state in self.ghosts for ghost, reading in state.values.items()}
        if not values:
            return self.transition.after
        return GhostReading(self.transition.arena, self.transition.updates, values)

    def then(self, last: Transition) -> Transition:
        """The transition of the path with one more step."""
        whole = self.transition.then(last)
        if all(last.reads.isdisjoint(state.values) for state in self.ghosts):
            return whole
        updates = {x: self.after(last.updates[x]) if x in last.updates else value for x, value in whole.updates.items()}
        guard = whole.arena.and_(self.transition.guard, self.after(last.guard))
        return Transition(whole.arena, guard, updates)


class GhostRule(Protocol):
    """The meaning of ghosts of a certificate: their values at first, their updates, and what is known of them.

    *Required*: the values are total functions of those before, of the state and of the inputs of a step. The
    `facts` of a location hold at first there, and after steps to there if the state says so and its demands hold.
    """

    @property
    def symbols(self) -> tuple[Term, ...]:
        """The ghosts."""
        ...

    @property
    def changed_by(self) -> Collection[str]:
        """The functions whose calls may change the ghosts."""
        ...

    def first(self) -> GhostState:
        """The values when executions begin."""
        ...

    def begin(self, at: At) -> GhostState:
        """The values with which paths from an annotated location begin: those that the symbols have there."""
        ...

    def facts(self, at: At) -> Sequence[Term]:
        """The formulas that hold at a location, beside what is claimed."""
        ...

    def after(
        self, state: GhostState, path: InductionPath, step: Step, last: Transition, longer: InductionPath
    ) -> GhostState:
        """The values after a step at the end of `path`, whose inputs in `last` are its own; `longer` has it."""
        ...


class Walker:
    """Extends paths step by step, and knows the ranges of all symbols that can occur in them."""

    def __init__(self, view: TransitionSystem, rules: Sequence[GhostRule] = ()) -> None:
        self._view = view
        self._rules = rules
        self._copies: dict[tuple[Term, int], Term] = {}
        self._originals: dict[Term, Term] = {}  # a copy of an input -> the input

    def range_of(self, symbol: Term) -> Range | None:
        return self._view.range_of(self._originals.get(symbol, symbol))

    def input_range(self, symbol: Term) -> Range | None:
        return self.range_of(symbol) if self.is_input(symbol) else None

    def is_input(self, symbol: Term) -> bool:
        return symbol in self._originals or self._view.is_input(symbol)

    def begin(self, source: At) -> InductionPath:
        return self._empty(source, tuple(rule.begin(source) for rule in self._rules))

    def begin_first(self) -> InductionPath:
        """The path of no step with which executions begin."""
        return self._empty(self._view.start, tuple(rule.first() for rule in self._rules))

    def _empty(self, source: At, ghosts: tuple[GhostState, ...]) -> InductionPath:
        return InductionPath(source, source, (), identity(self._view.arena), frozenset(), frozenset(), ghosts)

    def extensions(self, path: InductionPath) -> list[tuple[InductionPath, Transition]]:
        """Each path that is one step longer and possible, with the transition of its last step."""
        result = []
        for step in self._view.steps(path.target):
            last = self._with_own_inputs(path, step)
            # The first step's own transition is kept: it remembers the substitutions that other paths made with it.
            whole = last if self._begins(path) else path.then(last)
            if not whole.guard.is_false:
                result.append((self._extended(path, step, last, whole), last))
        return result

    def merged(self, paths: Sequence[InductionPath]) -> InductionPath:
        """One path for several between the same places, none of which has ghosts, and no two are possible at once.

        What the guards of all say is said once, so that what was decided between them is forgotten where they meet.
        """
        if len(paths) == 1:
            return paths[0]
        arena = self._view.arena
        guards = [dict.fromkeys(literals(path.transition.guard)) for path in paths]
        common = [one for one in guards[0] if all(one in guard for guard in guards)]
        apart = [
            Transition(arena, arena.and_(*(one for one in guard if one not in common)), path.transition.updates)
            for guard, path in zip(guards, paths, strict=True)
        ]
        whole = merged(arena, apart)
        return replace(
            paths[0],
            edges=tuple(dict.fromkeys(edge for path in paths for edge in path.edges)),
            transition=Transition(arena, arena.and_(*common, whole.guard), whole.updates),
            heads=frozenset[At]().union(*(path.heads for path in paths)),
            inputs=frozenset[Term]().union(*(path.inputs for path in paths)),
        )

    def order(self, source: At, is_end: Callable[[At], bool]) -> tuple[At, ...] | None:
        """The places that paths from `source` leave, each behind those from which they come; None where these cannot be
        merged: they may lead back, or two of them be possible at once.
        """
        order: dict[At, None] = {}
        entered: set[At] = set()
        stack = [source]
        while stack:
            at = stack.pop()
            if at in entered:
                order.setdefault(at)
                continue
            steps = self._view.steps(at)
            if not exclude_each_other(self._view.arena, [step.transition.guard for step in steps]):
                return None
            entered.add(at)
            stack.append(at)
            for target in {step.target: None for step in steps if not is_end(step.target)}:
                leads_back = target in entered and target not in order
                if leads_back or len(target.stack) > len(source.stack) + DEEPEST_CALLS:
                    return None
                if target not in entered:
                    stack.append(target)
        return tuple(reversed(order))

    def visits(self, order: Sequence[At], is_end: Callable[[At], bool]) -> int:
        """The visits of the places of an order, if its paths are walked one by one."""
        paths = {order[0]: 1}
        for at in order:
            for step in self._view.steps(at):
                if not is_end(step.target):
                    paths[step.target] = paths.get(step.target, 0) + paths[at]
        return sum(paths.values())

    def _begins(self, path: InductionPath) -> bool:
        """Whether the path does nothing yet: a step has edges, or as the first of a function takes snapshots."""
        is_first = not path.edges and not path.transition.updates and path.transition.guard.is_true
        return is_first and not any(state.values for state in path.ghosts)

    def _extended(self, path: InductionPath, step: Step, last: Transition, whole: Transition) -> InductionPath:
        consumed = frozenset(s for s in last.reads if self.is_input(s))
        longer = InductionPath(
            path.source,
            step.target,
            path.edges + step.edges,
            whole,
            path.heads | {path.target} if self._view.is_loop_head(path.target) else path.heads,
            path.inputs | consumed,
            path.ghosts,
        )
        if not self._rules:
            return longer
        states = zip(self._rules, path.ghosts, strict=True)
        ghosts = tuple(rule.after(state, path, step, last, longer) for rule, state in states)
        made = {ghost: value for state in ghosts for ghost, value in state.made.items()}
        if made:
            whole = Transition(whole.arena, whole.guard, {**whole.updates, **made})
        return replace(longer, transition=whole, ghosts=ghosts)

    def _with_own_inputs(self, path: InductionPath, step: Step) -> Transition:
        used = sorted((s for s in step.transition.reads if s in path.inputs), key=lambda s: s.id)
        if not used:
            return step.transition
        rename = Substitution(self._view.arena, {s: self._copy(s, path.inputs) for s in used})
        updates = {x: rename(value) for x, value in step.transition.updates.items()}
        return Transition(self._view.arena, rename(step.transition.guard), updates)

    def _copy(self, original: Term, taken: frozenset[Term]) -> Term:
        """The first copy of an input that is not `taken`."""
        copies = 0
        while True:
            copy = self._copies.get((original, copies))
            if copy is None:
                copy = self._copies[original, copies] = self._view.arena.fresh(original.name, original.sort)
                self._originals[copy] = original
            if copy not in taken:
                return copy
            copies += 1
