"""A solver that asks z3 and Bitwuzla in turns, with more effort each time: the search of an unrolling.

z3 is quick on many small questions and keeps what it learned; behind symbolic indices and over bit operations Bitwuzla
is often ten times as fast, and z3 over sums and orders of numbers. Which it is, only asking tells. Where formulas have
no exact bit-vectors, z3 is asked alone.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from core.limits import Limits, NoAnswer, SolverUndecided
from core.parameters import parameter
from core.program import Range
from core.solver.bitwuzla_search import BitwuzlaSearch
from core.solver.contract import GrowingSolver, Sat, Unsat
from core.terms import Term

FIRST = parameter("paths.patient-solver.first")
STEP = parameter("paths.patient-solver.step")
BITS = parameter("paths.patient-solver.bits")


class PatientSolver:
    """A solver of growing assertions, each check of which has `effort`, bounded by `limits`."""

    def __init__(
        self,
        solvers: Callable[[int], GrowingSolver],
        effort: int,
        range_of: Callable[[Term], Range | None],
        limits: Limits,
        seed: int,
    ) -> None:
        self._solvers, self._effort = solvers, effort
        self._range_of, self._limits, self._seed = range_of, limits, seed
        self._added: list[Term] = []
        self._told = 0  # of what was added, to the solver that is asked
        self._others = self._ladder(0)
        self._asked = next(self._others)
        self.is_hard = False  # whether a question was too hard for z3 with little effort

    def raise_effort(self, effort: int) -> None:
        """Answer later checks with so much effort: for those that were too hard."""
        self._others, self._effort = self._ladder(self._effort), effort

    def add(self, *formulas: Term) -> None:
        self._added += formulas

    def check(self, assumptions: Sequence[Term] = ()) -> Sat | Unsat:
        """Decide what was added together with `assumptions`. Raises `SolverUndecided`."""
        while True:
            try:
                self._asked.add(*self._added[self._told :])
                self._told = len(self._added)
                return self._asked.check(assumptions)
            except SolverUndecided:
                self._limits.check()
                other = next(self._others, None)
                if other is None:
                    raise
                self.is_hard = True
                self._asked, self._told = other, 0  # for later questions, too: they are hardly easier

    def _ladder(self, effort: int) -> Iterator[GrowingSolver]:
        """The solvers in the order in which they are asked, after those that had some `effort`.

        Bitwuzla has the effort that z3 had before: then no wrong choice costs many times what the right one does.
        """
        if not effort:
            effort = min(FIRST, self._effort)
            yield self._solvers(effort)
        while effort < self._effort:
            yield BitwuzlaSearch(self._seed, self._range_of, BITS * effort, self._stops)
            effort = min(STEP * effort, self._effort)
            yield self._solvers(effort)

    def _stops(self) -> bool:
        try:
            self._limits.check()
        except NoAnswer:
            return True
        return False
