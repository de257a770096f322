"""Weakening of the reached states to what a proof needs: invariants over few predicates.

The reached states R(l) tell apart all that the paths to l told apart; most of that excludes no error. From the errors
backwards, as in property-directed reachability (A. R. Bradley, "SAT-based model checking without unrolling", VMCAI
2011), but with reached states in place of frames: what is required at the target of a step gives the bad states before
it. R(l) has none of them, and neither has its projection to the predicates that are needed for that; that projection is
then required at l.

What is required contains R(l), is preserved by every step under T̂ and the axioms, and excludes the errors: so it is an
invariant that proves as much. Nothing rests on this: certificates are checked.

Heuristic: where nearly all predicates matter, bad states become large diagrams; there, and at all that leads there,
R(l) itself is required.
"""

from __future__ import annotations

import heapq
from collections.abc import Collection, Mapping, Sequence

from bdd import Bdd, few_variables
from core.limits import Limits
from core.parameters import parameter
from core.program.expansion import At, Expansion, Step
from core.program.exploration_order import ExplorationOrder
from methods.domains.predicate.abstraction import Abstraction
from methods.domains.predicate.domain import PredicateDomain

MAX_BAD = parameter("domains.predicate.weakening.max-bad")
MAX_PROJECTED = parameter("domains.predicate.weakening.max-projected")

Required = dict[At, list[Bdd]]  # what is required at each reached location, as a conjunction


def weakened(
    expansion: Expansion,
    domain: PredicateDomain,
    abstraction: Abstraction,
    reached: Mapping[At, Bdd],
    checks: Collection[int],
    limits: Limits,
) -> Required:
    """Weaker sets than the `reached` states that still show that no check in `checks` (ids) can fail.

    The reached states themselves, where these are not inductive under T̂ alone (a hybrid image is stronger). Raises as
    `limits` do.
    """
    weakening = _Weakening(expansion, domain, abstraction, reached)
    weakening.require_at_ends(checks)
    try:
        while weakening.open:
            limits.check()
            weakening.look_at_latest()
    except _NotInductive:
        return {at: [states] for at, states in reached.items()}
    return weakening.required


class _NotInductive(Exception):
    """A step leads out of the reached states."""


class _Weakening:
    """The worklist: for each location, the latest in the exploration order first, what its steps must establish."""

    def __init__(
        self, expansion: Expansion, domain: PredicateDomain, abstraction: Abstraction, reached: Mapping[At, Bdd]
    ) -> None:
        self._expansion = expansion
        self._domain = domain
        self._abstraction = abstraction
        self._manager = abstraction.manager
        self._reached = reached
        self.required: Required = {at: [] for at in reached}
        self._whole: set[At] = set()  # where all of the reached states is required
        self._entering: dict[At, list[Step]] = {}
        for at in reached:
            for step in expansion.steps(at):
                self._entering.setdefault(step.target, []).append(step)
        self._order = sorted(reached, key=ExplorationOrder(expansion.program).position, reverse=True)
        self._rank = {at: rank for rank, at in enumerate(self._order)}
        self.open: list[int] = []  # ranks of the locations with something to establish: a heap
        self._goals: dict[At, dict[Step, list[Bdd]]] = {}
        self._support: dict[At, frozenset[int]] = {}
        self._projections: dict[tuple[At, frozenset[int]], Bdd] = {}

    def require_at_ends(self, checks: Collection[int]) -> None:
        """Require that what was not reached stays so: errors, and locations of which nothing else is known."""
        for at in self._entering:
            check = self._expansion.check(at)
            if at not in self._reached and (check is None or check.id in checks):
                self._to_establish(at, [self._manager.false])

    def _to_establish(self, at: At, required: Sequence[Bdd]) -> None:
        for step in self._entering.get(at, ()):
            goals = self._goals.setdefault(step.source, {})
            if not goals:
                heapq.heappush(self.open, self._rank[step.source])
            goals.setdefault(step, []).extend(required)

    def look_at_latest(self) -> None:
        """Process the latest location: require there what its steps must establish. Raises `_NotInductive`."""
        at = self._order[heapq.heappop(self.open)]
        goals = self._goals.pop(at)
        if at in self._whole:
            return
        known = len(self.required[at])
        if any(step.target in self._whole for step in goals) or not self._establish(at, goals):
            self._whole.add(at)
            known, self.required[at] = 0, [self._reached[at]]
        if len(self.required[at]) > known:
            self._to_establish(at, self.required[at][known:])

    def _establish(self, at: At, goals: Mapping[Step, Sequence[Bdd]]) -> bool:
        """Require at `at` what its steps need for their goals; False if that is not said in few predicates."""
        for step, required in goals.items():
            bad = self._bad(at, step, self._manager.conjoin(*required))
            if self._manager.is_false(bad):
                continue
            states = self._projected(at, bad)
            if self._manager.size(bad) > MAX_BAD or self._manager.size(states) > MAX_PROJECTED:
                return False
            self.required[at].append(few_variables(self._manager, states, self._manager.negate(bad)))
        return True

    def _bad(self, at: At, step: Step, goal: Bdd) -> Bdd:
        """The required states from which `step` may miss its `goal`: none was reached. Raises `_NotInductive`."""
        m = self._manager
        outside = m.negate(goal)
        before = self._abstraction.operation(step.transition).relation(m).preimage(outside)
        bad = m.conjoin(before, *self.required[at])
        if not self._meet(self._projected(at, bad), bad):
            return bad
        # Only axioms about the target keep the reached states within the goal; with all of them diagrams are larger.
        within = self._domain.backward(bad, step, outside, self._abstraction)
        if within is None:
            return m.false
        if self._meet(self._projected(at, within), within):
            raise _NotInductive
        return within

    def _meet(self, a: Bdd, b: Bdd) -> bool:
        return not self._manager.is_false(self._manager.conjoin(a, b))

    def _projected(self, at: At, bad: Bdd) -> Bdd:
        """The reached states over the predicates of `bad`: they meet `bad` just where these meet."""
        states = self._reached[at]
        if at not in self._support:
            self._support[at] = self._manager.support(states)
        kept = self._support[at] & self._manager.support(bad)
        if (at, kept) not in self._projections:
            self._projections[at, kept] = self._manager.exists(self._support[at] - kept, states)
        return self._projections[at, kept]
