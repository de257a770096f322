"""Bounded search for executions that reach an error, in `methods.paths.unrolling`.

It ends where nothing is left to unroll."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from core.limits import SolverUndecided
from core.parameters import parameter
from core.program.expansion import Expansion
from core.solver.contract import Sat, Unsat
from core.terms import BOOL, Term, computes_with_floats
from core.verdict import Unsafe
from methods.engine import Context
from methods.paths.pathformula import Infeasible, check_path
from methods.paths.patient_solver import PatientSolver, begins_with_bitwuzla, share_of_bitwuzla
from methods.paths.unrolling import Instance, Unrolling
from runs.events import NOT_KNOWN, Counter, PathFound, Progress

EFFORT = parameter("bmc.search.effort")
ENDING = parameter("bmc.search.ending")


class BoundedSearch:
    """The search over all executions from the start up to a bound; `before` are the instances up to the last bound."""

    def __init__(self, expansion: Expansion, bound: int, context: Context, effort: int, before: int = 0) -> None:
        self._expansion = expansion
        self._context = context
        self._solver = PatientSolver(
            context.solver,
            effort,
            lambda symbol: self.unrolling.range_of(symbol),
            context.limits,
            context.seed,
            share=share_of_bitwuzla(expansion.program),
            begins_with_bitwuzla=begins_with_bitwuzla(expansion.program),
            computes=computes_with_floats(expansion.program.terms()),
        )
        self.unrolling = Unrolling(expansion, expansion.start, self._solver, context.limits)
        self._errors = self.unrolling.unroll(bound)
        self.size = len(self.unrolling.instances)
        context.emit(Counter("instances", self.size))
        growth = 100 * self.size // before if before else NOT_KNOWN
        context.emit(Progress(self.unrolling.ended, len(self.unrolling.frontier), growth, NOT_KNOWN))

    def raise_effort(self) -> None:
        """Answer later questions with all effort, where the search was cheap before."""
        self._solver.raise_effort(EFFORT)

    def failures(self, checks: Iterable[int]) -> dict[int, Unsafe]:
        """Violations of `checks` within the bound, by check. Raises `SolverUndecided`."""
        failing: dict[int, list[Instance]] = {}
        for error in self._errors:
            check = self._expansion.check(error.at)
            if check is not None:
                failing.setdefault(check.id, []).append(error)
        found = {check: self._failure(check, failing.get(check, ())) for check in checks}
        return {check: failure for check, failure in found.items() if failure is not None}

    def is_exhausted(self) -> bool:
        """Whether no execution goes beyond the bound. Then checks that do not fail within it never fail."""
        frontier = self.unrolling.frontier
        return not frontier or isinstance(self._some(instance.guard for instance in frontier), Unsat)

    def is_hard(self) -> bool:
        """Whether its questions took more than little effort of one solver."""
        return self._solver.is_hard

    def is_ending(self) -> bool:
        """Whether all loops have ended, or most: then a larger bound is likely to show all that there is."""
        frontier = len(self.unrolling.frontier)
        return not frontier or self.unrolling.ended > ENDING * frontier

    def is_determined(self) -> bool:
        """Whether the bound only cut off the one execution that there is so far: a larger one shows little more."""
        frontier = self.unrolling.frontier
        return bool(frontier) and all(instance.guard.is_true for instance in frontier)

    def _failure(self, check: int, errors: Sequence[Instance]) -> Unsafe | None:
        """An execution that reaches one of `errors`; None if there is none."""
        guards = [error.guard for error in errors]
        if not guards:
            return None
        answer = self._some(guards)
        if isinstance(answer, Unsat):
            self._solver.add(*map(self._expansion.arena.not_, guards))  # which helps with checks behind it
            return None
        reached = next(error for error in errors if answer.model.value(error.guard) is True)
        execution = check_path(
            self._expansion, self.unrolling.path_to(reached, answer.model), self._context.solver, EFFORT
        )
        if isinstance(execution, Infeasible):
            raise SolverUndecided("the path of a model is infeasible")
        self._context.emit(PathFound(check, execution.path, "feasible"))
        return execution

    def _some(self, guards: Iterable[Term]) -> Sat | Unsat:
        """Whether some of the instances with these guards is reached."""
        self._context.limits.check()
        arena = self._expansion.arena
        some = arena.fresh("some", BOOL)
        self.unrolling.tell(arena.implies(some, arena.or_(*guards)))
        return self._solver.check([some])
