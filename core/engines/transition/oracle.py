"""Which steps are impossible: minimal cores of one step, as clauses over V ∪ V' (Jhala and McMillan, sections 4 and 6).

A valuation of the predicates before and after a step is a set of assumptions for its solver. Answers are cached by
valuation.
"""

from __future__ import annotations

from collections.abc import Mapping

from core.domains.predicate import Abstraction, Clause, Literal, Operation, StepSolver, StepSolvers
from core.expansion import Expansion
from core.limits import SolverUndecided
from core.solver.contract import SolverFactory
from core.terms import Term


class StepOracle:
    """Decides valuations of the predicates around one step."""

    def __init__(self, expansion: Expansion, abstraction: Abstraction, solvers: SolverFactory) -> None:
        self._expansion = expansion
        self._abstraction = abstraction
        self._solvers = StepSolvers(expansion, solvers)
        self._free = StepSolver(expansion, solvers, expansion.arena.true)
        self._possible: set[tuple[Operation, frozenset[Literal]]] = set()

    def impossible(self, op: Operation, before: Mapping[int, bool], after: Mapping[int, bool]) -> Clause | None:
        """A clause that `op` implies and that this valuation violates; None if the step is possible or undecided.

        `before` values tracked predicates, `after` those of them that the step affects.
        """
        valuation = {(p, False, sign) for p, sign in self._connected(op, before, after)}
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
        return Clause(tuple((p, primed, not sign) for p, primed, sign in sorted(literals[t] for t in core)))

    def is_axiom(self, clause: Clause) -> bool:
        """Whether a clause over V holds in every state within ranges, not just before the step it came from."""
        if any(primed for _, primed, _ in clause.literals):
            return False
        negation = [self._signed(self._abstraction.predicates[p], not sign) for p, _, sign in clause.literals]
        return self._free.core_or_none(negation) is not None

    def _term(self, op: Operation, literal: Literal) -> Term:
        p, primed, sign = literal
        return self._signed(op.after[p] if primed else self._abstraction.predicates[p], sign)

    def _signed(self, atom: Term, sign: bool) -> Term:
        return atom if sign else self._expansion.arena.not_(atom)

    def _connected(
        self, op: Operation, before: Mapping[int, bool], after: Mapping[int, bool]
    ) -> list[tuple[int, bool]]:
        """The predicates that share symbols, directly or not, with the guard or with a changed predicate."""
        predicates = self._abstraction.predicates
        symbols = set(op.transition.guard.symbols()).union(*(op.after[p].symbols() for p in after))
        rest, connected = dict(before), list[tuple[int, bool]]()
        grown = True
        while grown:
            near = [p for p in rest if not symbols.isdisjoint(predicates[p].symbols())]
            connected += [(p, rest.pop(p)) for p in near]
            symbols.update(*(predicates[p].symbols() for p in near))
            grown = bool(near)
        return connected
