"""Obligations with quantifiers over addresses, as a solver decides them that instantiates quantifiers itself.

Integers have no width here, and of ranges those of inputs alone are used.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence

from core.decision.prover import Decided, Obligation, ObligationResult, Open, Proved, Reading, Refuted
from core.limits import Limits, SolverUndecided
from core.program import Range
from core.program.semantics import range_facts
from core.solver.contract import Sat, Solver, SolverFactory
from core.terms import Arena, Term, literals


class QuantifiedProver:
    """Decides obligations of which many share hypotheses: those that are known where paths begin."""

    def __init__(
        self,
        arena: Arena,
        factory: SolverFactory,
        effort: int,
        limits: Limits,
        input_range: Callable[[Term], Range | None],
    ) -> None:
        self._arena, self._factory, self._effort, self._limits = arena, factory, effort, limits
        self._input_range = input_range
        self._known: tuple[Term, ...] = ()
        self._solver: Solver | None = None  # that has what is known
        self._proved: dict[Obligation, Decided] = {}  # of what is known: facts and goal
        self.tally: Counter[str] = Counter()
        """The questions that each tool has decided."""

    def prove(self, hypotheses: tuple[Term, ...], facts: Sequence[Term], goal: Term) -> ObligationResult:
        """Whether `goal` holds wherever all `hypotheses` and `facts` do."""
        if self._solver is None or hypotheses != self._known:
            self._known, self._solver, self._proved = hypotheses, self._factory(self._effort), {}
            self._solver.add(*hypotheses)
        parts: list[Decided] = []
        for conjunct in literals(goal):
            # To refute a quantified formula, its symbols, which occur nowhere else, stand for a counterexample.
            opened = conjunct.args[0] if conjunct.is_quantified else conjunct
            if opened.is_true or opened in facts:
                continue
            answer = self._decided(self._solver, tuple(facts), opened)
            if not isinstance(answer, Decided):
                return answer
            parts.append(answer)
        return Proved(tuple(parts))

    def _decided(self, solver: Solver, facts: tuple[Term, ...], goal: Term) -> Decided | Refuted | Open:
        found = self._proved.get((facts, goal))
        if found is not None:
            return found
        formulas = [*facts, self._arena.not_(goal)]
        try:
            with solver.scope():
                solver.add(*range_facts(self._arena, formulas, self._input_range), *formulas)
                answer = solver.check()
        except SolverUndecided as undecided:
            self._limits.check()
            return Open(str(undecided))
        if isinstance(answer, Sat):
            return Refuted("cvc5")
        self.tally["cvc5"] += 1
        proof = self._proved[facts, goal] = Decided(((*self._known, *facts), goal), "cvc5", Reading.INTEGERS)
        return proof
