"""Induction with preconditions that go through loops which copy or fill blocks of memory.

What must hold at a loop head (`methods.engines.bmc.map_loops`) is asked for symbols that stand for any input; Houdini
drops what is not inductive, and a check is proved where none of its clauses was dropped. In the certificate, these
symbols are bound by quantifiers, and only loop heads have invariants.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from core.analysis.intervals import Simplified
from core.program import Range
from core.program.expansion import At, Expansion
from core.solver.contract import GrowingSolver
from core.solver.z3_solver import Z3Factory
from core.terms import Term
from core.verdict import Certificate
from methods.engine import Context
from methods.engines.bmc.complete_unrolling import closed
from methods.engines.bmc.induction import EFFORT, Induction, Invariants
from methods.engines.bmc.map_loops import CheckedClause, LoopPreconditions
from methods.paths.patient_solver import PatientSolver, share_of_bitwuzla


class MapInduction(Induction):
    """Finds a proof in which loops that copy and fill have the preconditions of what follows them as invariants."""

    def __init__(
        self,
        large: Expansion,
        basic: Expansion,
        simplified: Simplified,
        roots: Sequence[At],
        checks: Collection[int],
        context: Context,
    ) -> None:
        self._found = LoopPreconditions(large, checks, context.limits)
        self._clauses: dict[At, tuple[CheckedClause, ...]] = {at: self._found.before(at) for at in reversed(roots[1:])}
        suggested = {at: [one.formula for one in own] for at, own in self._clauses.items()}
        super().__init__(large, basic, simplified, roots, suggested, context)

    def is_large(self) -> bool:
        """Whether there are so many clauses that none is worth a question."""
        return self._found.is_large

    def _solver(self, root: At) -> GrowingSolver:
        """A solver as of the search for what leads to a loop, which is a whole program; over integers for its rounds.

        What a round keeps is arithmetic of places, whatever operators the rest of the program has.
        """
        context, large = self._context, self._large
        if root is not self._roots[0]:
            return Z3Factory(context.seed)(EFFORT)

        def range_of(symbol: Term) -> Range | None:
            return self._block(root).unrolling.range_of(symbol) if root in self._blocks else large.range_of_copy(symbol)

        share = share_of_bitwuzla(large.program)
        return PatientSolver(context.solver, EFFORT, range_of, context.limits, context.seed, share=share)

    def _lengthen(self, checks: Collection[int]) -> None:
        """There is nothing to add: the clauses are about all that follows."""

    def _not_excluded(self, kept: Invariants, checks: Collection[int]) -> set[int]:
        start = self._roots[0]
        failing = {
            check
            for check, error in self._errors(start, checks)
            if self._core(self._block(start), kept, [error.guard]) is None
        }
        for at, own in self._clauses.items():
            failing |= {check for clause in own if clause.formula not in kept[at] for check in clause.checks}
        return failing

    def _needed(self, kept: Invariants, proved: Collection[int]) -> Invariants:
        """The clauses of the checks that are proved."""
        needed = {
            at: {one.formula: None for one in own if one.formula in kept[at] and not one.checks.isdisjoint(proved)}
            for at, own in self._clauses.items()
        }
        self._report(needed)
        return needed

    def _certificate(self, needed: Invariants, proved: Collection[int]) -> Certificate:
        arena = self._basic.arena
        rigid = tuple(self._found.rigid)
        # Between loop heads nothing is claimed.
        invariants: dict[At, Term | None] = dict.fromkeys(self._basic.reached())
        for at, formulas in needed.items():
            invariants[at] = arena.and_(*(arena.forall(rigid, formula) for formula in formulas))
        return Certificate(closed(self._basic, self._simplified, invariants))
