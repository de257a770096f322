"""Proof obligations `hypotheses ⇒ goal`, decided: what `proof_search` finds counts once the kernel has replayed it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence

from core.decision.kernel import Kernel
from core.decision.proof_results import (
    DEFAULT_EFFORT,
    TOOLS,
    WITHOUT_SOLVER,
    Decided,
    Effort,
    Obligation,
    ObligationResult,
    Open,
    Proved,
    Reading,
    Refuted,
)
from core.decision.proof_search import Found, Search
from core.decision.solver_record import SolverRecord
from core.limits import Limits
from core.program import Range
from core.program.semantics import range_fact
from core.solver.contract import WideningFactory
from core.terms import INT, Arena, ArraySort, Op, Term, Treatment, parts_of_array
from sat.proof_trace import ProvingSolver

OTHER_OPERATORS = Treatment.EXACT

__all__ = [
    "DEFAULT_EFFORT",
    "TOOLS",
    "WITHOUT_SOLVER",
    "Decided",
    "Effort",
    "Obligation",
    "ObligationResult",
    "Open",
    "Proved",
    "Prover",
    "Reading",
    "Refuted",
]


class Prover:
    """Decides obligations about the states whose values lie in the ranges that `range_of` gives."""

    def __init__(
        self,
        arena: Arena,
        range_of: Callable[[Term], Range | None],
        factory: WideningFactory,
        propositions: ProvingSolver,
        limits: Limits,
        effort: Effort,
    ) -> None:
        self._arena, self._limits = arena, limits
        record = SolverRecord(factory)
        self._kernel = Kernel(arena, range_of, record)
        self._search = Search(arena, self._kernel, record, propositions, limits, effort)
        self._known: dict[Obligation, ObligationResult] = {}
        self.lemmas: list[Decided] = []
        """The lemmas that were proved."""

    @property
    def tally(self) -> Counter[str]:
        """The questions that each tool has decided, those about lemmas and those that repeat a proof among them."""
        return self._search.tally

    def learn(self, lemmas: Sequence[Term]) -> tuple[Term, ...]:
        """Add the lemmas that are valid; returns those that are not shown to be so."""
        # One by one: the negation of many lemmas is a disjunction, on which cvc5 took up to 50 s instead of 0.3 s.
        dropped: list[Term] = []
        for lemma in lemmas:
            self._limits.check()
            proof = self._search.learn(lemma)
            if proof is None:
                dropped.append(lemma)
            else:
                self.lemmas += proof.parts
        return tuple(dropped)

    def prove(self, hypotheses: Sequence[Term], goal: Term) -> ObligationResult:
        """Whether `goal` holds wherever all `hypotheses` do."""
        key = (tuple(hypotheses), goal)
        if key not in self._known:
            self._known[key] = self._replayed(*key)
        return self._known[key]

    def _replayed(self, hypotheses: tuple[Term, ...], goal: Term) -> ObligationResult:
        answer = self._search.prove(hypotheses, goal)
        if not isinstance(answer, Found):
            return answer
        if self._kernel.check(answer.justification, hypotheses, goal):
            return answer.proof
        return Open("what was found is no proof")

    def prove_range(self, hypotheses: Sequence[Term], value: Term, bounds: Range) -> ObligationResult:
        """Whether `value` (every element, of an array) lies within `bounds` wherever all `hypotheses` hold."""
        parts = tuple(_stored(value)) if isinstance(value.sort, ArraySort) else (value,)
        if self._kernel.lies_within(value, bounds, hypotheses):
            facts = [range_fact(self._arena, part, bounds) for part in parts if part.sort is INT]
            proof = Proved(tuple(Decided((tuple(hypotheses), fact), "intervals") for fact in facts))
            return self._search.counted(proof)
        if value.sort is INT:
            return self.prove(hypotheses, range_fact(self._arena, value, bounds))
        result = Proved(())
        for part in parts:
            if part.sort is INT:
                answer = self.prove_range(hypotheses, part, bounds)
            else:
                is_within = self._kernel.intervals(part).within(bounds)
                answer = Proved(()) if is_within else Open(f"the elements of {part!r}")
            if not isinstance(answer, Proved):
                return answer
            result = result.both(answer)
        return result

    def repeated(self, groups: Iterable[Collection[Obligation]]) -> Iterator[frozenset[Obligation]]:
        """The obligations of each group, all proved over integers, that are bit-precise after all."""
        return self._search.repeated(groups)

    def question(self, obligation: Obligation) -> tuple[Sequence[Term], int | None]:
        """The formulas that refute an obligation if they have a model, and the width of their bit operators, if any."""
        return self._search.question(obligation)


def _stored(array: Term) -> Iterator[Term]:
    """The values written in an array term, and the arrays on which it is based; of a constant array its value."""
    for t in parts_of_array(array):
        yield t.args[2] if t.op is Op.STORE else t.args[0] if t.op is Op.CONST_ARRAY else t
