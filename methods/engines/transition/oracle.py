"""The oracle of impossible steps: minimal cores of one step, as clauses over V ∪ V'.

Jhala and McMillan, "Interpolant-based transition relation approximation", sections 4 and 6.

A valuation of the predicates before and after a step is a set of assumptions for its solver. Answers are cached by
valuation.
"""

from __future__ import annotations

from collections.abc import Mapping

from core.limits import SolverUndecided
from core.program.expansion import Expansion
from core.program.semantics import range_facts
from core.solver.contract import Solver, SolverFactory, Unsat
from core.terms import Term
from methods.domains.predicate import (
    STEP_EFFORT,
    Abstraction,
    ApproximateTransition,
    PredicateLiteral,
    StepSolvers,
    TransitionClause,
)


class StepOracle:
    """Decides valuations of the predicates around one step."""

    def __init__(self, expansion: Expansion, abstraction: Abstraction, solvers: SolverFactory) -> None:
        self._expansion = expansion
        self._abstraction = abstraction
        self._solvers = StepSolvers(expansion, solvers)
        self._free: Solver = solvers(STEP_EFFORT)
        self._possible: set[tuple[ApproximateTransition, frozenset[PredicateLiteral]]] = set()

    def impossible(
        self, op: ApproximateTransition, before: Mapping[int, bool], after: Mapping[int, bool]
    ) -> TransitionClause | None:
        """A clause that `op` implies and that this valuation violates; None if the step is possible or undecided.

        `before` values tracked predicates, `after` those of them that the step affects (see `PredicateScope.around`).
        """
        valuation = {(p, False, sign) for p, sign in before.items()}
        valuation |= {(p, True, sign) for p, sign in after.items()}
        key = (op, frozenset(valuation))
        if key in self._possible:
            return None
        literals = {self._term(op, literal): literal for literal in sorted(valuation)}
        try:
            core = self._solvers.of(op).minimal_core(list(literals))
        except SolverUndecided:
            return None  # T̂ stays weak here; another step or more predicates may exclude the path
        if core is None:
            self._possible.add(key)
            return None
        return TransitionClause(tuple((p, primed, not sign) for p, primed, sign in sorted(literals[t] for t in core)))

    def is_axiom(self, clause: TransitionClause) -> bool:
        """Whether a clause over V holds in every state within ranges, not just before the step it came from."""
        if any(primed for _, primed, _ in clause.literals):
            return False
        negation = [self._signed(self._abstraction.predicates[p], not sign) for p, _, sign in clause.literals]
        facts = range_facts(self._expansion.arena, negation, self._expansion.range_of)
        with self._free.scope():  # nothing stays, so that it costs the same for every clause
            self._free.add(*facts, *negation)
            try:
                return isinstance(self._free.check(), Unsat)
            except SolverUndecided:
                return False

    def _term(self, op: ApproximateTransition, literal: PredicateLiteral) -> Term:
        p, primed, sign = literal
        return self._signed(op.after[p] if primed else self._abstraction.predicates[p], sign)

    def _signed(self, atom: Term, sign: bool) -> Term:
        return atom if sign else self._expansion.arena.not_(atom)
