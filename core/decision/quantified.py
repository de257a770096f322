"""Obligations with quantifiers over addresses: by instances and a SAT solver, else by one that finds instances itself.

Integers have no width here, and of ranges those of inputs alone are used.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from functools import cached_property

from core.decision.grounding import GroundProver
from core.decision.prover import Decided, Obligation, ObligationResult, Open, Proved, Reading, Refuted
from core.limits import Limits, SolverUndecided
from core.parameters import parameter
from core.program import Range
from core.program.semantics import range_facts
from core.solver.contract import Sat, Solver, SolverFactory
from core.terms import Arena, Term, literals

PATIENCE = parameter("decision.quantified.patience")


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
        self._patience = PATIENCE
        self._ground: GroundProver | None = None  # that has what is known
        self._proved: dict[Obligation, Decided] = {}  # of what is known: facts and goal
        self.tally: Counter[str] = Counter()
        """The questions that each tool has decided."""

    def close(self) -> None:
        """Release native memory."""
        if self._ground is not None:
            self._ground.close()
            self._ground = None
        self.__dict__.pop("_solver", None)

    @cached_property
    def _solver(self) -> Solver:
        """A solver that has what is known."""
        solver = self._factory(self._effort)
        solver.add(*self._known)
        return solver

    def prove(self, hypotheses: tuple[Term, ...], facts: Sequence[Term], goal: Term) -> ObligationResult:
        """Whether `goal` holds wherever all `hypotheses` and `facts` do."""
        if self._ground is None or hypotheses != self._known:
            self.close()
            self._known, self._proved = hypotheses, {}
            self._ground = GroundProver(self._arena, hypotheses, self._limits.check)
        parts: list[Decided] = []
        for conjunct in literals(goal):
            # To refute a quantified formula, its symbols, which occur nowhere else, stand for a counterexample.
            opened = conjunct.args[0] if conjunct.is_quantified else conjunct
            if opened.is_true or opened in facts:
                continue
            answer = self._decided(tuple(facts), opened)
            if not isinstance(answer, Decided):
                return answer
            parts.append(answer)
        return Proved(tuple(parts))

    def _decided(self, facts: tuple[Term, ...], goal: Term) -> Decided | Refuted | Open:
        found = self._proved.get((facts, goal))
        if found is not None:
            return found
        answer = self._asked(facts, goal)
        if not isinstance(answer, str):
            return answer
        self.tally[answer] += 1
        proof = self._proved[facts, goal] = Decided(((*self._known, *facts), goal), answer, Reading.INTEGERS)
        return proof

    def _asked(self, facts: tuple[Term, ...], goal: Term) -> str | Refuted | Open:
        """The tool that proves a goal: instances and a SAT solver, or a solver that finds instances itself."""
        formulas = [*facts, self._arena.not_(goal)]
        if self._patience and self._ground is not None:
            if self._ground.refutes(formulas):
                return "sat"
            self._patience -= 1
        try:
            with self._solver.scope():
                self._solver.add(*range_facts(self._arena, formulas, self._input_range), *formulas)
                answer = self._solver.check()
        except SolverUndecided as undecided:
            self._limits.check()
            return Open(str(undecided))
        return Refuted("cvc5") if isinstance(answer, Sat) else "cvc5"
