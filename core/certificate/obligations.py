"""Proof obligations `hypotheses ⇒ goal`, decided propositionally where lemmas suffice, else by the SMT solver.

A proof has a *reading*. It is bit-precise if it also stands when integers are read as bit-vectors of a width in which
nothing overflows; such a proof trusts neither the solver's arithmetic of integers nor its preprocessing of it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum

import sat
from core.certificate.intervals import Intervals
from core.certificate.propositional import Propositional
from core.certificate.widening import width
from core.limits import Limits, SolverUndecided
from core.program import Range
from core.semantics import range_fact, range_facts
from core.solver.contract import Sat, WideningFactory
from core.terms import BIT_OPERATORS, INT, Arena, Op, Term, literals, subterms

_WIDENED_BATCH = 16
_SMALL = 100  # nodes of a formula from which arithmetic may follow


class Reading(StrEnum):
    """How a proof reads integers."""

    BIT_PRECISE = "bit-precise"
    INTEGERS = "integers"

    def both(self, other: Reading) -> Reading:
        """The reading of a proof that consists of two."""
        return self if self is other else Reading.INTEGERS


@dataclass(frozen=True)
class Proved:
    """`tool` says what decided it: `syntax`, `intervals`, `sat` or `cvc5`."""

    reading: Reading
    tool: str

    def both(self, other: Proved) -> Proved:
        """The proof that consists of two."""
        return Proved(self.reading.both(other.reading), max(self.tool, other.tool, key=_TOOLS.index))


@dataclass(frozen=True)
class Refuted:
    """Some state within range satisfies the hypotheses and not the goal."""


@dataclass(frozen=True)
class Open:
    """No answer, for the `reason` given."""

    reason: str


Answer = Proved | Refuted | Open

_TOOLS = ("syntax", "intervals", "sat", "cvc5")  # from cheap to dear

_TRIVIAL = Proved(Reading.BIT_PRECISE, "syntax")
_BOUNDED = Proved(Reading.BIT_PRECISE, "intervals")


@dataclass(frozen=True)
class Effort:
    """Bounds of single queries: conflicts of the SAT solver, units of effort of the SMT solver.

    `widened` bounds a query over bit-vectors. After `widened_queries` of them, or as soon as `widened_failures` had no
    answer, the remaining proofs are read over integers only: comparisons of sums are hard for bit-vectors.
    """

    conflicts: int = 20_000
    query: int = 3_000
    widened: int = 10
    widened_queries: int = 80
    widened_failures: int = 4


DEFAULT_EFFORT = Effort()


@dataclass
class Prover:
    """Decides obligations about the states whose values lie in the ranges that `range_of` gives."""

    arena: Arena
    range_of: Callable[[Term], Range | None]
    factory: WideningFactory
    propositions: sat.Solver
    limits: Limits
    effort: Effort

    def __post_init__(self) -> None:
        self._intervals = Intervals(self.range_of)
        self._solver = self.factory(self.effort.query)
        self._propositional = Propositional(self.arena, self._intervals, self.propositions, self.effort.conflicts)
        self._precise = self._propositional.new_group()
        self._integral = self._propositional.new_group()
        self._widened = 0  # queries over bit-vectors
        self._failures = 0  # of them
        self._known: dict[tuple[tuple[Term, ...], Term], Answer] = {}

    def learn(self, lemmas: Sequence[Term]) -> tuple[Term, ...]:
        """Add the lemmas that are valid; returns those that are not shown to be so."""
        # One by one: the negation of many lemmas is a disjunction, on which cvc5 took up to 50 s instead of 0.3 s.
        valid: list[Term] = []
        dropped: list[Term] = []
        for lemma in lemmas:
            self.limits.check()
            match self._query((), lemma):
                case Proved(Reading.BIT_PRECISE):
                    self._propositional.learn(self._precise, lemma)
                case Proved():
                    valid.append(lemma)
                case _:
                    dropped.append(lemma)
        self._add(tuple(valid))
        return tuple(dropped)

    def _add(self, lemmas: tuple[Term, ...]) -> None:
        """Learn lemmas that are valid over the integers, each with the best reading that is found."""
        stack = [lemmas[i : i + _WIDENED_BATCH] for i in range(0, len(lemmas), _WIDENED_BATCH)][::-1]
        while stack:
            batch = stack.pop()
            precise = self._read_widened((), self.arena.and_(*batch)) is Reading.BIT_PRECISE
            if precise or len(batch) == 1:
                for lemma in batch:
                    self._propositional.learn(self._precise if precise else self._integral, lemma)
            else:
                middle = len(batch) // 2
                stack += [batch[middle:], batch[:middle]]

    def prove(self, hypotheses: Sequence[Term], goal: Term) -> Answer:
        """Whether `goal` holds wherever all `hypotheses` do."""
        key = (tuple(hypotheses), goal)
        if key not in self._known:
            self.limits.check()
            self._known[key] = self._prove(*key)
        return self._known[key]

    def prove_range(self, hypotheses: Sequence[Term], value: Term, bounds: Range) -> Answer:
        """Whether `value` (every element, of an array) lies within `bounds` wherever all `hypotheses` hold."""
        if self._intervals(value).within(bounds) or self._intervals.assuming(hypotheses)(value).within(bounds):
            return _BOUNDED
        if value.sort is INT:
            return self.prove(hypotheses, range_fact(self.arena, value, bounds))
        result = _BOUNDED
        for part in _stored(value):
            if part.sort is INT:
                answer = self.prove_range(hypotheses, part, bounds)
            else:
                answer = _BOUNDED if self._intervals(part).within(bounds) else Open(f"the elements of {part!r}")
            if not isinstance(answer, Proved):
                return answer
            result = result.both(answer)
        return result

    def _prove(self, hypotheses: tuple[Term, ...], goal: Term) -> Answer:
        known = frozenset(hypotheses)
        if self.arena.false in known:
            return _TRIVIAL
        open_goals = [g for g in literals(goal) if g not in known]
        if not open_goals:
            return _TRIVIAL
        if len(open_goals) > 1:
            together = self._propositionally(hypotheses, self.arena.and_(*open_goals))
            if together is not None:
                return together
        return self._each(hypotheses, open_goals)

    def _each(self, hypotheses: tuple[Term, ...], goals: Sequence[Term]) -> Answer:
        result = _TRIVIAL
        for goal in goals:
            answer = (
                self._propositionally(hypotheses, goal)
                or self._from_small(hypotheses, goal)
                or self._from_all(hypotheses, goal)
            )
            if not isinstance(answer, Proved):
                return answer
            result = result.both(answer)
        return result

    def _from_small(self, hypotheses: Sequence[Term], goal: Term) -> Proved | None:
        """A proof from the small hypotheses, such as guards; it is remembered, as other steps are likely to need it.

        Invariants can be large, and arithmetic rarely needs all of one.
        """
        small = [h for h in hypotheses if h.size <= _SMALL]
        if len(small) == len(hypotheses) or goal.size > _SMALL:
            return None
        answer = self._from_all(small, goal)
        if not isinstance(answer, Proved):
            return None
        group = self._precise if answer.reading is Reading.BIT_PRECISE else self._integral
        self._propositional.learn(group, self.arena.implies(self.arena.and_(*small), goal))
        return answer

    def _from_all(self, hypotheses: Sequence[Term], goal: Term) -> Answer:
        answer = self._query(hypotheses, goal)
        if not isinstance(answer, Proved) or answer.reading is Reading.BIT_PRECISE:
            return answer
        return Proved(self._read_widened(hypotheses, goal), "cvc5")

    def _propositionally(self, hypotheses: Sequence[Term], goal: Term) -> Proved | None:
        if self._propositional.implies(hypotheses, goal, [self._precise]):
            return Proved(Reading.BIT_PRECISE, "sat")
        if self._propositional.implies(hypotheses, goal, [self._precise, self._integral]):
            return Proved(Reading.INTEGERS, "sat")
        return None

    def _query(self, hypotheses: Sequence[Term], goal: Term) -> Answer:
        """The answer of the SMT solver; its reading is not determined yet."""
        formulas = self._negated(hypotheses, goal)
        if _has_bits(formulas):
            return self._query_widened(formulas)
        try:
            with self._solver.scope():
                self._solver.add(*formulas)
                answer = self._solver.check()
        except SolverUndecided as undecided:
            return Open(str(undecided))
        return Refuted() if isinstance(answer, Sat) else Proved(Reading.INTEGERS, "cvc5")

    def _query_widened(self, formulas: Sequence[Term]) -> Answer:
        """The answer over bit-vectors in which nothing overflows: the only reading that bit operators have."""
        bits = width(formulas, self._intervals)
        if bits is None:
            return Open("bit operations on numbers without bounds")
        try:
            refuted = self.factory.refutes_widened(formulas, bits, self.effort.query)
        except SolverUndecided as undecided:
            return Open(str(undecided))
        return Proved(Reading.BIT_PRECISE, "cvc5") if refuted else Refuted()

    def _read_widened(self, hypotheses: Sequence[Term], goal: Term) -> Reading:
        """The reading of a proof that exists over integers."""
        formulas = self._negated(hypotheses, goal)
        spent = self._widened >= self.effort.widened_queries or self._failures >= self.effort.widened_failures
        bits = None if spent else width(formulas, self._intervals)
        if bits is None:
            return Reading.INTEGERS
        self._widened += 1
        try:
            if self.factory.refutes_widened(formulas, bits, self.effort.widened):
                return Reading.BIT_PRECISE
        except SolverUndecided:
            self._failures += 1
        return Reading.INTEGERS

    def _negated(self, hypotheses: Sequence[Term], goal: Term) -> list[Term]:
        """What a counterexample satisfies."""
        formulas = [*hypotheses, self.arena.not_(goal)]
        return [*range_facts(self.arena, formulas, self.range_of), *formulas]


def _has_bits(formulas: Sequence[Term]) -> bool:
    return any(t.op in BIT_OPERATORS for t in subterms(*formulas))


def _stored(array: Term) -> Iterator[Term]:
    """The elements written in an array term, and the arrays on which it is based, innermost last."""
    seen: set[Term] = set()
    stack = [array]
    while stack:
        t = stack.pop()
        if t in seen:
            continue
        seen.add(t)
        if t.op is Op.STORE:
            stack += [t.args[0], t.args[2]]
        elif t.op is Op.ITE and t.sort is not INT:
            stack += [t.args[1], t.args[2]]
        elif t.op is Op.CONST_ARRAY:
            stack.append(t.args[0])
        else:
            yield t
