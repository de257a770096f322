"""A solver that asks z3 with little effort first, and then Bitwuzla, where all is bits: the search of an unrolling.

z3 is quick on many small questions and keeps what it learned; behind symbolic indices and over bit operations Bitwuzla
is often ten times as fast. Where formulas have no exact bit-vectors, z3 is asked once more, with all its effort.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress

from core.limits import Limits, NoAnswer, SolverUndecided
from core.parameters import parameter
from core.program import Range
from core.solver.bitwuzla_search import BitwuzlaSearch
from core.solver.contract import GrowingSolver, Sat, Unsat
from core.terms import Term

FIRST = parameter("paths.patient-solver.first")


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
        self._quick = solvers(min(effort, FIRST))
        self._is_hard = False  # whether a question was too hard for it: then those behind it are, too
        self._added: list[Term] = []
        self._bits: BitwuzlaSearch | None = None  # the solver that is asked second
        self._has_bits = effort > FIRST
        self._whole: GrowingSolver | None = None  # z3 with all its effort
        self._told = 0  # of what was added, to the one that is asked second

    def add(self, *formulas: Term) -> None:
        self._quick.add(*formulas)
        self._added += formulas

    def check(self, assumptions: Sequence[Term] = ()) -> Sat | Unsat:
        """Decide what was added together with `assumptions`. Raises `SolverUndecided`."""
        if not self._is_hard:
            try:
                return self._quick.check(assumptions)
            except SolverUndecided:
                self._limits.check()
                if self._effort <= FIRST:
                    raise
            self._is_hard = True
        return self._second().check(assumptions)

    def _second(self) -> GrowingSolver:
        if self._has_bits:
            with suppress(SolverUndecided):
                if self._bits is None:
                    self._bits = BitwuzlaSearch(self._seed, self._range_of, self._effort, self._stops)
                self._tell(self._bits)
                return self._bits
            self._has_bits, self._bits, self._told = False, None, 0
        if self._whole is None:
            self._whole = self._solvers(self._effort)
        self._tell(self._whole)
        return self._whole

    def _tell(self, solver: GrowingSolver) -> None:
        solver.add(*self._added[self._told :])
        self._told = len(self._added)

    def _stops(self) -> bool:
        try:
            self._limits.check()
        except NoAnswer:
            return True
        return False
