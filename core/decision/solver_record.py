"""The solvers that are believed: what they are asked, and which questions they have refuted."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from core.solver.contract import BitMethod, Sat, Solver, WideningFactory
from core.solver.subdivision import decided
from core.terms import Term

_Question = tuple[frozenset[Term], int | None]  # formulas; the width of bit-vectors


class SolverRecord:
    """Asks solvers, and remembers what they have refuted. All methods that ask may raise `SolverUndecided`."""

    def __init__(self, factory: WideningFactory) -> None:
        self._factory = factory
        self._solvers: dict[int, Solver] = {}  # by effort
        self._refuted: set[_Question] = set()

    def refutes(self, formulas: Sequence[Term], effort: int) -> bool:
        """Whether `formulas` have no model among the integers."""
        if effort not in self._solvers:
            self._solvers[effort] = self._factory(effort)
        solver = self._solvers[effort]
        with solver.scope():
            solver.add(*formulas)
            is_refuted = not isinstance(solver.check(), Sat)
        return self._noted(is_refuted, formulas, None)

    def refutes_widened(
        self, formulas: Sequence[Term], width: int, effort: int, method: BitMethod = BitMethod.BITS
    ) -> bool:
        """Whether `formulas` have no model among bit-vectors of `width` bits."""
        return self._noted(self._factory.refutes_widened(formulas, width, effort, method), formulas, width)

    def refutes_in_parts(
        self, formulas: Sequence[Term], effort: int, tick: Callable[[], None], *, is_first: bool
    ) -> bool:
        """Whether `formulas` have no model among the integers, by intervals that are cut into parts."""
        answer = decided(formulas, effort, tick, is_first=is_first)
        return self._noted(not isinstance(answer, Sat), formulas, None)

    def has_refuted(self, formulas: Sequence[Term], width: int | None) -> bool:
        """Whether a solver has refuted this question."""
        return (frozenset(formulas), width) in self._refuted

    def _noted(self, is_refuted: bool, formulas: Sequence[Term], width: int | None) -> bool:
        """`is_refuted`, which is remembered."""
        if is_refuted:
            self._refuted.add((frozenset(formulas), width))
        return is_refuted
