"""The strongest Cartesian postcondition: Jhala and McMillan, section 6.3.

scp(φ) is the strongest cube over V that holds after every step from γ(φ). Deviation: it is computed for the predicates
that the image under T̂ leaves open only, since the cube is met with that image. A model of one possible step drops all
predicates at once that differ from what was hoped of them.

Limitation: what the solver does not decide is left out of the cube, which is then weaker and still sound.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from bdd import Bdd
from core.limits import SolverUndecided
from core.program.expansion import Expansion
from core.solver.contract import Model, SolverFactory
from core.terms import Arena, Term
from methods.domains.predicate.abstraction import Abstraction, ApproximateTransition
from methods.domains.predicate.stepsolver import StepSolver, StepSolvers


class CartesianPostcondition:
    """Computes the strongest Cartesian postconditions of steps, and remembers them."""

    def __init__(self, expansion: Expansion, abstraction: Abstraction, solvers: SolverFactory) -> None:
        self._arena: Arena = expansion.arena
        self._abstraction = abstraction
        self._solvers = StepSolvers(expansion, solvers)
        self._known: dict[tuple[ApproximateTransition, Bdd, frozenset[int]], Mapping[int, bool] | None] = {}

    def cube(
        self, states: Bdd, formula: Term, op: ApproximateTransition, over: Iterable[int]
    ) -> Mapping[int, bool] | None:
        """The values that predicates `over` have after every step of `op` from `states`; None if no step is possible.

        `formula` is γ(states).
        """
        key = (op, states, frozenset(over))
        if key not in self._known:
            self._known[key] = self._cube(formula, op, sorted(key[2]))
        return self._known[key]

    def _cube(self, formula: Term, op: ApproximateTransition, over: list[int]) -> Mapping[int, bool] | None:
        after = {p: op.after.get(p, self._abstraction.predicates[p]) for p in over}
        solver = self._solvers.of(op)
        with solver.within(formula, list(after.values())):
            try:
                model = solver.model([])
                return None if model is None else self._confirmed(solver, after, _values(model, after))
            except SolverUndecided:
                return {}

    def _confirmed(self, solver: StepSolver, after: Mapping[int, Term], hoped: dict[int, bool]) -> Mapping[int, bool]:
        """The part of the `hoped` values that every step gives."""
        sure: dict[int, bool] = {}
        while hoped:
            p, value = hoped.popitem()
            try:
                other = solver.model([self._arena.not_(after[p]) if value else after[p]])
                if other is None:
                    sure[p] = value
                else:
                    seen = _values(other, {q: after[q] for q in hoped})
                    hoped = {q: v for q, v in hoped.items() if seen[q] is v}
            except SolverUndecided:
                continue
        return sure


def _values(model: Model, terms: Mapping[int, Term]) -> dict[int, bool]:
    return {p: model.value(t) is True for p, t in terms.items()}
