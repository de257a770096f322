"""Short and canonical counterexamples: fewest rounds of loops and recursive calls, then smallest inputs.

All executions are unrolled (`methods.paths.unrolling`) to a bound that grows by one until one of them reaches the
error.
Of the paths that lead there within this bound the first one is taken, in an order that the program gives, and of its
executions the smallest (`methods.paths.smallest`). What was found before plays no part in it, so that the result is the
same whichever engine found the violation. Every question to the solver has an effort in the solver's own steps, and
their number is bounded.

A long execution is first made shorter without a solver (`methods.paths.fewer_rounds`), since the search may not end.

Limitations: where effort runs out, that execution stays, with smallest inputs; a path with parts left out stays as it
is.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from core.analysis.intervals import simplify
from core.limits import Limits, SolverUndecided
from core.parameters import parameter, real_parameter
from core.program import Program
from core.program.blocks import BlockEncoding
from core.program.expansion import Expansion, Step
from core.solver.contract import Sat, SolverFactory
from core.terms import Term, store_layers
from core.verdict import Shortened, Unsafe
from methods.paths.fewer_rounds import with_fewer_rounds
from methods.paths.smallest import EFFORT, smallest_execution
from methods.paths.unrolling import KNOWN, Instance, Unrolling

INSTANCES = parameter("paths.canonical.instances")
FEW_INSTANCES = parameter("paths.canonical.few-instances")
QUESTIONS = parameter("paths.canonical.questions")
STORES = parameter("paths.canonical.stores")

LONGEST = parameter("paths.canonical.longest")
ROUNDS = real_parameter("paths.canonical.rounds")


def shortened(
    program: Program, check: int, claim: Unsafe, solvers: SolverFactory, limits: Limits
) -> Iterator[Shortened]:
    """Counterexamples to `check` in place of `claim`, each better than the one before.

    Raises `LimitReached` and `Interrupted`.
    """
    if not claim.inputs:
        yield Shortened(claim, True)  # there is one execution
        return
    shortest = claim
    for shortest in () if claim.gaps else _with_fewer_rounds(program, check, claim, solvers, limits):
        yield Shortened(shortest, False)
    expansion = Expansion(simplify(program).program, BlockEncoding.LARGE)
    try:
        search = _PathSearch(expansion, check, solvers, limits)
        steps = search.path(FEW_INSTANCES, 0) if claim.gaps else search.path(INSTANCES, KNOWN)
        if steps is not None:
            yield Shortened(*smallest_execution(expansion, steps, solvers))
            return
    except SolverUndecided:
        limits.check()
    yield Shortened(shortest, False)


def _with_fewer_rounds(
    program: Program, check: int, claim: Unsafe, solvers: SolverFactory, limits: Limits
) -> Iterator[Unsafe]:
    """An execution with few rounds of loops, then the same with smallest inputs where they can be told."""
    expansion = Expansion(program, BlockEncoding.STATEMENTS)
    found = with_fewer_rounds(expansion, check, claim, limits.part(ROUNDS))
    if found is None:
        return
    steps, shorter = found
    if len(shorter.path) < len(claim.path):
        yield shorter
    if len(steps) <= LONGEST:
        try:
            yield smallest_execution(expansion, steps, solvers, shorter)[0]
        except SolverUndecided:
            limits.check()


class _PathSearch:
    """The search for the first path to a check within the least bound that has one."""

    def __init__(self, expansion: Expansion, check: int, solvers: SolverFactory, limits: Limits) -> None:
        self._expansion = expansion
        self._check = check
        self._solvers = solvers
        self._solver = solvers(EFFORT)
        self._limits = limits
        self._questions = 0
        self._instances = 0
        self._stores = 0

    def path(self, instances: int, most: int) -> tuple[Step, ...] | None:
        """The path; None where so many instances are not enough. `most` is that of `Unrolling`.

        Raises `SolverUndecided`.
        """
        bound = 0
        while self._instances < instances and self._stores < STORES:
            bound += 1
            self._solver = self._solvers(EFFORT)
            unrolling = Unrolling(self._expansion, self._expansion.start, self._solver, self._limits, most)
            errors = [one for one in unrolling.unroll(bound) if self._is_asked(one)]
            if self._ask([self._expansion.arena.or_(*(error.guard for error in errors))]) is not None:
                return self._first(errors)
            if not unrolling.frontier:
                return None
            self._instances += len(unrolling.instances)
            self._stores += sum(_stores(value) ** 2 for one in unrolling.instances for value in one.values.values())
        return None

    def _is_asked(self, error: Instance) -> bool:
        check = self._expansion.check(error.at)
        return check is not None and check.id == self._check

    def _first(self, errors: Sequence[Instance]) -> tuple[Step, ...]:
        """The first path to the first error that is reached, in the order in which steps arrive, from its end."""
        found = ((error, self._ask([error.guard])) for error in errors)
        error, answer = next((error, answer) for error, answer in found if answer is not None)
        steps: list[Step] = []
        fixed = [error.guard]
        instance = error
        while instance.arriving:
            for arc in instance.arriving:
                if answer.model.value(arc.taken) is True:
                    break
                other = self._ask([*fixed, arc.taken])
                if other is not None:
                    answer = other
                    break
            else:
                raise SolverUndecided("no step arrives")
            fixed.append(arc.taken)
            steps.append(arc.step)
            instance = arc.source
        return tuple(reversed(steps))

    def _ask(self, assumptions: Sequence[Term]) -> Sat | None:
        """A model; None where there is none. Raises `SolverUndecided`."""
        self._limits.check()
        self._questions += 1
        if self._questions > QUESTIONS:
            raise SolverUndecided("the effort is used up")
        answer = self._solver.check(assumptions)
        return answer if isinstance(answer, Sat) else None


def _stores(value: Term) -> int:
    """The writes at unknown indices in an array."""
    return sum(t.is_store and not t.args[1].is_constant for t in store_layers(value))
