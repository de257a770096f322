"""Bounded search for executions that reach an error, in `core.paths.unrolling`.

It ends where nothing is left to unroll."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from core.engine import Context
from core.limits import SolverUndecided
from core.paths.pathformula import Infeasible, check_path
from core.paths.unrolling import Instance, Unrolling
from core.program.expansion import Expansion
from core.run.events import Counter, PathFound
from core.solver.contract import Sat, Unsat
from core.terms import BOOL, Term
from core.verdict import Unsafe

EFFORT = 60_000
SPARE = 8  # instances that a layer may have more than twice those of the last that was pruned


class BoundedSearch:
    """The search over all executions from the start up to a bound that grows."""

    def __init__(self, expansion: Expansion, checks: Sequence[int], context: Context) -> None:
        self._expansion = expansion
        self._context = context
        self._solver = context.solver(EFFORT)
        self.unrolling = Unrolling(expansion, expansion.start, self._solver, context.limits)
        self._open: dict[int, list[Instance]] = {check: [] for check in checks}  # errors not examined yet
        self._layers = 0
        self._pruned_at = 1

    @property
    def exhausted(self) -> bool:
        """Whether no execution is longer than the bound. Then checks without outcome never fail."""
        return not self.unrolling.frontier

    def deepen(self, bound: int, undecided: Iterable[int]) -> dict[int, Unsafe]:
        """Unroll up to `bound` layers; the checks that fail within them. Raises `SolverUndecided`."""
        while self._layers < bound and self.unrolling.frontier:
            self._context.limits.check()
            for error in self.unrolling.advance():
                check = self._expansion.check(error.at)
                if check is not None and check.id in self._open:
                    self._open[check.id].append(error)
            self._layers += 1
            self._context.emit(Counter("layers", self._layers))
            if len(self.unrolling.frontier) > 2 * self._pruned_at + SPARE:
                self._prune()
        found = {check: self._failure(check, self._open.pop(check)) for check in list(undecided) if check in self._open}
        self._open.update((check, []) for check, failure in found.items() if failure is None)
        self._prune()
        return {check: failure for check, failure in found.items() if failure is not None}

    def _failure(self, check: int, errors: Sequence[Instance]) -> Unsafe | None:
        """An execution that reaches one of `errors`; None if there is none."""
        guards = [error.guard for error in errors]
        if not guards:
            return None
        arena = self._expansion.arena
        some = arena.fresh(f"fails@{check}", BOOL)
        self.unrolling.tell(arena.implies(some, arena.or_(*guards)))
        answer = self._check(some)
        if isinstance(answer, Unsat):
            return None
        reached = next(error for error in errors if answer.model.value(error.guard) is True)
        execution = check_path(
            self._expansion, self.unrolling.path_to(reached, answer.model), self._context.solver, EFFORT
        )
        if isinstance(execution, Infeasible):
            raise SolverUndecided("the path of a model is infeasible")
        self._context.emit(PathFound(check, execution.path, "feasible"))
        return execution

    def _check(self, literal: Term) -> Sat | Unsat:
        self._context.limits.check()
        return self._solver.check([literal])

    def _prune(self) -> None:
        """Drop the instances that no execution reaches."""
        self.unrolling.prune([instance for instance in self.unrolling.frontier if self._is_unreachable(instance)])
        self._pruned_at = len(self.unrolling.frontier)

    def _is_unreachable(self, instance: Instance) -> bool:
        if instance.guard.is_true:
            return False
        try:
            return isinstance(self._check(instance.guard), Unsat)
        except SolverUndecided:
            self._context.limits.check()
            return False
