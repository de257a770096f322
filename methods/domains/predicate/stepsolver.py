"""Solvers for single steps: one per transition, with its guard and the ranges of the variables that come up."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from core.limits import SolverUndecided
from core.parameters import parameter
from core.program.expansion import Expansion
from core.program.semantics import range_facts
from core.solver.contract import Model, Solver, SolverFactory, Unsat
from core.terms import Term
from methods.domains.predicate.abstraction import ApproximateTransition
from methods.inference.cores import minimal

STEP_EFFORT = parameter("domains.predicate.stepsolver.step-effort")
MAX_SOLVERS = parameter("domains.predicate.stepsolver.max-solvers")


class StepSolvers:
    """A cache of the solvers of the transitions used last."""

    def __init__(self, expansion: Expansion, solvers: SolverFactory) -> None:
        self._expansion = expansion
        self._solvers = solvers
        self._by_operation: OrderedDict[ApproximateTransition, StepSolver] = OrderedDict()

    def of(self, op: ApproximateTransition) -> StepSolver:
        """The solver of `op`."""
        found = self._by_operation.get(op)
        if found is None:
            found = self._by_operation[op] = StepSolver(self._expansion, self._solvers, op.transition.guard)
            if len(self._by_operation) > MAX_SOLVERS:
                self._by_operation.popitem(last=False)
        self._by_operation.move_to_end(op)
        return found


class StepSolver:
    """A solver of one step: its guard is asserted, and the ranges of every term when it first comes."""

    def __init__(self, expansion: Expansion, solvers: SolverFactory, guard: Term) -> None:
        self._expansion = expansion
        self._solver: Solver = solvers(STEP_EFFORT)
        self._known: set[Term] = set()
        self._bound([guard])
        self._solver.add(guard)

    def _bound(self, terms: Sequence[Term]) -> None:
        new = [t for t in terms if t not in self._known]
        if new:
            self._known.update(new)
            self._solver.add(*range_facts(self._expansion.arena, new, self._expansion.range_of))

    @contextmanager
    def within(self, states: Term, about: Sequence[Term]) -> Iterator[None]:
        """Restrict the steps, inside the scope, to those from `states`; `model` may be asked `about` these terms."""
        # Ranges are facts of every state: asserted inside the scope, they would be forgotten with it.
        self._bound([states, *about])
        with self._solver.scope():
            self._solver.add(states)
            yield

    def model(self, assumptions: list[Term]) -> Model | None:
        """A possible step under the assumptions, negated or not. Raises `SolverUndecided`."""
        answer = self._solver.check(assumptions)
        return None if isinstance(answer, Unsat) else answer.model

    def core(self, assumptions: Sequence[Term]) -> list[Term] | None:
        """An unsatisfiable subset of the assumptions; None if they are satisfiable. Raises `SolverUndecided`."""
        self._bound(assumptions)
        answer = self._solver.check(assumptions)
        return list(answer.core) if isinstance(answer, Unsat) else None

    def core_or_none(self, assumptions: Sequence[Term]) -> list[Term] | None:
        """The result of `core`, but None also where the solver gives up."""
        try:
            return self.core(assumptions)
        except SolverUndecided:
            return None

    def minimal_core(self, assumptions: Sequence[Term]) -> list[Term] | None:
        """The result of `core`, made minimal by deletion as far as the solver decides."""
        core = self.core(assumptions)
        return None if core is None else minimal(reversed(core), self.core_or_none)
