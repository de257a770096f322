"""Proof obligations `hypotheses ⇒ goal`, decided propositionally where lemmas suffice, else by the SMT solver.

A proof has a *reading*. It is bit-precise if it also stands when integers are read as bit-vectors of a width in which
nothing overflows: the formulas that the solver then refutes are about bit-vectors and wrap around at that width. First
everything is proved, over integers where that is simpler; then proofs over integers are repeated over bit-vectors, of
lemmas only those that a step needs, as long as there is effort left (`Prover.repeated`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Container, Iterable, Iterator, Sequence
from dataclasses import replace
from enum import StrEnum

import sat
from core.analysis.bounds import Intervals
from core.dataclass import dataclass
from core.decision.cases import follows_by_cases
from core.decision.instances import Ground, ground, has_quantifier
from core.decision.propositional import Propositional
from core.decision.refutation import Refuter, has_products
from core.decision.widening import bounded_part, has_bits, width
from core.limits import Limits, SolverUndecided
from core.program import Range
from core.program.semantics import range_fact, range_facts
from core.solver.contract import BitMethod, Sat, Solver, WideningFactory
from core.terms import INT, Arena, ArraySort, Op, Term, Treatment, literals, parts_of_array, subterms
from core.terms.traversal import is_larger

OTHER_OPERATORS = Treatment.EXACT

_WIDENED_BATCH = 16
_SMALL = 100  # nodes of a formula from which arithmetic may follow
_LARGE = 4_000  # nodes of formulas that are not read over bit-vectors
_LARGEST_REPEATED = 100_000  # nodes of an obligation for which lemmas that are bit-precise are sought

Obligation = tuple[tuple[Term, ...], Term]  # hypotheses, goal


class Reading(StrEnum):
    """The reading of integers in a proof."""

    BIT_PRECISE = "bit-precise"
    INTEGERS = "integers"


@dataclass(frozen=True)
class Decided:
    """An obligation that holds, how its proof reads integers, and the tool that found the proof.

    `tool` is `syntax`, `intervals`, `differences`, `sat`, `equations`, `bitwuzla` or `cvc5`.
    """

    obligation: Obligation
    tool: str
    reading: Reading = Reading.BIT_PRECISE


@dataclass(frozen=True)
class Proved:
    """The obligation holds, as its `parts` do."""

    parts: tuple[Decided, ...]

    @property
    def tool(self) -> str:
        """The most expensive tool that was needed."""
        return max((one.tool for one in self.parts), key=TOOLS.index, default="syntax")

    @property
    def over_integers(self) -> tuple[Obligation, ...]:
        """The parts that are not bit-precise."""
        return tuple(one.obligation for one in self.parts if one.reading is Reading.INTEGERS)

    @property
    def reading(self) -> Reading:
        return Reading.INTEGERS if self.over_integers else Reading.BIT_PRECISE

    def with_bits(self, repeated: Container[Obligation]) -> Proved:
        """This proof after those in `repeated` were repeated over bit-vectors."""
        precise = Reading.BIT_PRECISE
        return Proved(tuple(replace(o, reading=precise) if o.obligation in repeated else o for o in self.parts))

    def both(self, other: Proved) -> Proved:
        """The proof that consists of two."""
        return Proved(tuple(dict.fromkeys((*self.parts, *other.parts))))


def _by(tool: str, obligation: Obligation, reading: Reading = Reading.BIT_PRECISE) -> Proved:
    """The proof of a single obligation."""
    return Proved((Decided(obligation, tool, reading),))


@dataclass(frozen=True)
class Refuted:
    """The obligation fails, `tool` says: some state within range satisfies the hypotheses and not the goal."""

    tool: str


@dataclass(frozen=True)
class Open:
    """The obligation was not decided, for the `reason` given."""

    reason: str


ObligationResult = Proved | Refuted | Open

TOOLS = ("syntax", "intervals", "differences", "sat", "equations", "bitwuzla", "cvc5")
"""The tools that decide obligations, the cheapest first."""

WITHOUT_SOLVER = ("syntax", "intervals")
_NOTHING = Proved(())


@dataclass(frozen=True)
class Effort:
    """Bounds of single queries: conflicts of the SAT solver, units of effort of SMT solvers.

    A query is tried over bit-vectors with effort `bits`, over integers with effort `quick`, then likewise with effort
    `query`; a proof that is repeated over bit-vectors, with `repeated`, by remainders with `remainders`, and the first
    `long_queries` that are open then with `long`; `unrolled` is for the question about a complete unrolling, which is
    asked over bit-vectors with `unrolled_bits`, over integers with `query`, and once more. After
    `widened_queries` of those that repeat, or as soon as `widened_failures` had no answer, the remaining proofs stay
    over the integers; also when half of the time is used up that was left when repeating began.
    """

    conflicts: int = 20_000
    quick: int = 300
    query: int = 3_000
    unrolled: int = 1_000_000
    unrolled_bits: int = 20_000
    bits: int = 20
    repeated: int = 100
    remainders: int = 50
    long: int = 2_000
    long_queries: int = 4
    widened_queries: int = 400
    widened_failures: int = 12


DEFAULT_EFFORT = Effort()


@dataclass
class Prover:
    """Decides obligations about the states whose values lie in the ranges that `range_of` gives."""

    arena: Arena
    range_of: Callable[[Term], Range | None]
    factory: WideningFactory
    propositions: sat.SatSolver
    limits: Limits
    effort: Effort

    def __post_init__(self) -> None:
        self._intervals = Intervals(self.range_of)
        self._quick, self._solver = self.factory(self.effort.quick), self.factory(self.effort.query)
        self._refuter = Refuter(self.arena, self._intervals, self.limits.check)
        self._propositional = Propositional(self.arena, self._intervals, self.propositions, self.effort.conflicts)
        self._precise = self._propositional.new_group()
        self._integral = self._propositional.new_group()  # all lemmas, also the bit-precise ones
        self._propositional.include(self._integral, self._precise)
        self._lemmas: dict[int, Term] = {}  # by groups of their own: those that are not shown to be bit-precise
        self._stuck: set[int] = set()  # of them, those for which that failed
        self._widened = 0  # queries over bit-vectors
        self._failures = 0  # of them
        self._long = 0  # of them, those with the most effort
        self._known: dict[Obligation, ObligationResult] = {}
        self.lemmas: list[Decided] = []
        """The lemmas that were proved."""
        self.tally: Counter[str] = Counter()
        """The questions that each tool has decided, those about lemmas and those that repeat a proof among them."""

    def learn(self, lemmas: Sequence[Term]) -> tuple[Term, ...]:
        """Add the lemmas that are valid; returns those that are not shown to be so."""
        # One by one: the negation of many lemmas is a disjunction, on which cvc5 took up to 50 s instead of 0.3 s.
        dropped: list[Term] = []
        for lemma in lemmas:
            self.limits.check()
            match self._query((), lemma):
                case Proved() as proof:
                    self._add(lemma, proof.reading)
                    self.lemmas += self._counted(proof).parts
                case _:
                    dropped.append(lemma)
        return tuple(dropped)

    def _add(self, lemma: Term, reading: Reading) -> None:
        """Add a lemma that is valid."""
        if reading is Reading.BIT_PRECISE:
            self._propositional.learn(self._precise, lemma)
            return
        group = self._propositional.new_group()
        self._propositional.learn(group, lemma)
        self._propositional.include(self._integral, group)
        self._lemmas[group] = lemma

    def prove(self, hypotheses: Sequence[Term], goal: Term) -> ObligationResult:
        """Whether `goal` holds wherever all `hypotheses` do."""
        key = (tuple(hypotheses), goal)
        if key not in self._known:
            self.limits.check()
            answer = self._prove(*key)
            self._known[key] = self._counted(answer) if isinstance(answer, Proved) else answer
        return self._known[key]

    def _counted(self, proof: Proved) -> Proved:
        self.tally.update(one.tool for one in proof.parts)
        return proof

    def prove_range(self, hypotheses: Sequence[Term], value: Term, bounds: Range) -> ObligationResult:
        """Whether `value` (every element, of an array) lies within `bounds` wherever all `hypotheses` hold."""
        parts = tuple(_stored(value)) if isinstance(value.sort, ArraySort) else (value,)
        if self._intervals(value).within(bounds) or self._intervals.assuming(hypotheses)(value).within(bounds):
            facts = [range_fact(self.arena, part, bounds) for part in parts if part.sort is INT]
            return self._counted(Proved(tuple(Decided((tuple(hypotheses), fact), "intervals") for fact in facts)))
        if value.sort is INT:
            return self.prove(hypotheses, range_fact(self.arena, value, bounds))
        result = _NOTHING
        for part in parts:
            if part.sort is INT:
                answer = self.prove_range(hypotheses, part, bounds)
            else:
                answer = _NOTHING if self._intervals(part).within(bounds) else Open(f"the elements of {part!r}")
            if not isinstance(answer, Proved):
                return answer
            result = result.both(answer)
        return result

    def _prove(self, hypotheses: tuple[Term, ...], goal: Term) -> ObligationResult:
        known = frozenset(hypotheses)
        open_goals = [g for g in literals(goal) if g not in known]
        if self.arena.false in known or not open_goals:
            return _by("syntax", (hypotheses, goal))
        if follows_by_cases(self.arena, hypotheses, open_goals, self.limits.check):
            return _by("differences", (hypotheses, goal), Reading.INTEGERS)
        if has_quantifier([*hypotheses, goal]):
            return self._each_by_instances(hypotheses, open_goals)
        if len(open_goals) > 1:
            together = self._propositionally(hypotheses, self.arena.and_(*open_goals))
            if together is not None:
                return together
        return self._each(hypotheses, open_goals)

    def _each_by_instances(self, hypotheses: tuple[Term, ...], goals: Sequence[Term]) -> ObligationResult:
        result = _NOTHING
        for goal in goals:
            obligation = ground(self.arena, hypotheses, goal)
            if has_quantifier([*obligation.hypotheses, obligation.goal]):
                return Open("a quantifier is not a conjunct of its own")
            bounds = self._bounds(obligation)
            answer = self.prove((*obligation.hypotheses, *bounds), obligation.goal)
            if isinstance(answer, Refuted) and obligation.weakened:
                return Open("not proved with the instances taken of what holds for all indices")
            if not isinstance(answer, Proved):
                return answer
            result = result.both(answer)
        return result

    def _bounds(self, obligation: Ground) -> list[Term]:
        """The bounds of the constants of an obligation that follow from its hypotheses, so that widths are known."""
        intervals = self._intervals.assuming(obligation.hypotheses)
        found: list[Term] = []
        for h in obligation.hypotheses:
            atom, holds = (h.args[0], False) if h.op is Op.NOT else (h, True)
            if atom.op is not Op.LE or atom.args[0].op is not Op.LINEAR:
                continue
            body = atom.args[0]
            for factor, x in zip(body.coefficients, body.args, strict=True):
                rest = intervals(self.arena.linear([(1, body), (-factor, x)]))
                limit = rest.low if holds else rest.high
                if x in obligation.constants and limit is not None:
                    bound = self.arena.integer(atom.value - limit)
                    side = self.arena.le(self.arena.linear([(factor, x)]), bound)
                    found.append(side if holds else self.arena.not_(side))
        return found

    def _each(self, hypotheses: tuple[Term, ...], goals: Sequence[Term]) -> ObligationResult:
        result = _NOTHING
        for goal in goals:
            answer = (
                self._propositionally(hypotheses, goal)
                or self._by_equations(hypotheses, goal)
                or self._from_small(hypotheses, goal)
                or self._query(hypotheses, goal)
            )
            if not isinstance(answer, Proved):
                return answer
            result = result.both(answer)
        return result

    def _by_equations(self, hypotheses: Sequence[Term], goal: Term) -> Proved | None:
        """A proof by equations modulo powers of two: bit-precise, as these hold modulo any smaller power."""
        formulas = [*hypotheses, self.arena.not_(goal)]
        if is_larger(formulas, _LARGE) or not has_products(formulas):
            return None
        return _by("equations", (tuple(hypotheses), goal)) if self._refuter.refutes(formulas) else None

    def _from_small(self, hypotheses: Sequence[Term], goal: Term) -> Proved | None:
        """A proof from the small hypotheses, such as guards; it is remembered, as other steps are likely to need it.

        Invariants can be large, and arithmetic rarely needs all of one.
        """
        small = [h for h in hypotheses if h.size <= _SMALL]
        if len(small) == len(hypotheses) or goal.size > _SMALL:
            return None
        answer = self._query(small, goal)
        if not isinstance(answer, Proved):
            return None
        self._add(self.arena.implies(self.arena.and_(*small), goal), answer.reading)
        return answer

    def _propositionally(self, hypotheses: Sequence[Term], goal: Term) -> Proved | None:
        obligation = tuple(hypotheses), goal
        if self._propositional.implies(hypotheses, goal, [self._precise]):
            return _by("sat", obligation)
        if self._propositional.implies(hypotheses, goal, [self._integral]):
            return _by("sat", obligation, Reading.INTEGERS)
        return None

    def _query(self, hypotheses: Sequence[Term], goal: Term) -> ObligationResult:
        """The answer of an SMT solver: the quick ones in turn, then again with more effort."""
        obligation = tuple(hypotheses), goal
        formulas = self._negated(hypotheses, goal)
        if has_bits(formulas):
            return self._query_widened(obligation, formulas, self.effort.query)
        is_small = not is_larger(formulas, _LARGE)
        for solver, quick in ((self._quick, True), (self._solver, False)):
            if is_small:
                answer = self._query_widened(obligation, formulas, self.effort.bits if quick else self.effort.query)
                if not isinstance(answer, Open):
                    return answer
            answer = self._query_integers(solver, obligation, formulas)
            if not isinstance(answer, Open):
                return answer
        return answer

    def _query_integers(self, solver: Solver, obligation: Obligation, formulas: Sequence[Term]) -> ObligationResult:
        try:
            with solver.scope():
                solver.add(*formulas)
                answer = solver.check()
        except SolverUndecided as undecided:
            return Open(str(undecided))
        return Refuted("cvc5") if isinstance(answer, Sat) else _by("cvc5", obligation, Reading.INTEGERS)

    def _query_widened(self, obligation: Obligation, formulas: Sequence[Term], effort: int) -> ObligationResult:
        """The answer over bit-vectors in which nothing overflows: the only reading that bit operators have."""
        bounded, bits, is_exact = self._bounded(formulas)
        if bits is None:
            return Open("numbers without bounds have no width")
        try:
            refuted = self.factory.refutes_widened(bounded, bits, effort)
        except SolverUndecided as undecided:
            return Open(str(undecided))
        if refuted:
            return _by("bitwuzla", obligation)
        return Refuted("bitwuzla") if is_exact else Open("numbers without bounds matter")

    # Repeating proofs over bit-vectors

    def repeated(self, groups: Iterable[Collection[Obligation]]) -> Iterator[frozenset[Obligation]]:
        """The obligations of each group, all proved over integers, that are bit-precise after all."""
        enough = self.limits.remaining() / 2
        precise: dict[Obligation, bool] = {}
        for group in groups:
            for obligation in group:
                if obligation not in precise:
                    precise[obligation] = self._repeat(*obligation, enough)
            yield frozenset(o for o in group if precise[o])

    def _repeat(self, hypotheses: tuple[Term, ...], goal: Term, enough: float) -> bool:
        """Whether `goal` follows from bit-precise lemmas, or by a bit-precise proof of its own."""
        if is_larger((*hypotheses, goal), _LARGEST_REPEATED):
            return False
        while True:
            groups = [self._precise, *(g for g in self._lemmas if g not in self._stuck)]
            used = self._propositional.used(hypotheses, goal, groups)
            if used is None:
                return self._refuted_widened(self._negated(hypotheses, goal), enough)
            needed = [g for g in used if g in self._lemmas]
            if not needed:
                return True
            for i in range(0, len(needed), _WIDENED_BATCH):
                self._repeat_lemmas(needed[i : i + _WIDENED_BATCH], enough)

    def _repeat_lemmas(self, groups: Sequence[int], enough: float) -> None:
        """Make lemmas bit-precise, or note that this does not work."""
        stack = [groups]
        while stack:
            batch = stack.pop()
            if self._refuted_widened(self._negated((), self.arena.and_(*(self._lemmas[g] for g in batch))), enough):
                for group in batch:
                    self._propositional.include(self._precise, group)
                    del self._lemmas[group]
            elif len(batch) == 1:
                self._stuck.update(batch)
            else:
                middle = len(batch) // 2
                stack += [batch[middle:], batch[:middle]]

    def _bounded(self, formulas: Sequence[Term]) -> tuple[Sequence[Term], int | None, bool]:
        """Formulas whose refutation refutes `formulas`, with their width, and whether a model is one of `formulas`."""
        bits = width(formulas, self._intervals)
        if bits is not None:
            return formulas, bits, True
        bits = width(formulas, self._intervals.assuming(formulas))
        return (formulas, bits, False) if bits else (*bounded_part(self.arena, formulas, self._intervals), False)

    def _refuted_widened(self, formulas: Sequence[Term], enough: float) -> bool:
        """Whether `formulas` have no model among bit-vectors in which none of their models overflows."""
        exhausted = self._widened >= self.effort.widened_queries or self._failures >= self.effort.widened_failures
        if exhausted or self.limits.remaining() < enough or is_larger(formulas, _LARGE):
            return False
        bounded, bits, _ = self._bounded(formulas)
        if bits is None:
            return False
        for method, effort in self._stages(bounded):
            self._widened += 1
            try:
                is_refuted = self.factory.refutes_widened(bounded, bits, effort, method)
            except SolverUndecided:
                continue
            self.tally["bitwuzla" if method is BitMethod.BITS else "cvc5"] += 1
            return is_refuted
        self._failures += 1
        return False

    def _stages(self, formulas: Sequence[Term]) -> Iterator[tuple[BitMethod, int]]:
        """The methods for one question with their effort, each asked for when those before it gave no answer.

        Where it reads arrays, much effort does not pay: such proofs are over the integers for the most part.
        """
        yield BitMethod.BITS, self.effort.repeated
        yield BitMethod.REMAINDERS, self.effort.remainders
        if self._long < self.effort.long_queries and all(t.op is not Op.SELECT for t in subterms(*formulas)):
            self._long += 1
            yield BitMethod.BITS, self.effort.long

    def question(self, obligation: Obligation) -> tuple[Sequence[Term], int | None]:
        """The formulas that refute an obligation if they have a model, and the width of their bit operators, if any."""
        formulas = self._negated(*obligation)
        return self._bounded(formulas)[:2] if has_bits(formulas) else (formulas, None)

    def _negated(self, hypotheses: Sequence[Term], goal: Term) -> list[Term]:
        """The formulas that a counterexample satisfies."""
        formulas = [*hypotheses, self.arena.not_(goal)]
        return [*range_facts(self.arena, formulas, self.range_of), *formulas]


def _stored(array: Term) -> Iterator[Term]:
    """The values written in an array term, and the arrays on which it is based; of a constant array its value."""
    for t in parts_of_array(array):
        yield t.args[2] if t.op is Op.STORE else t.args[0] if t.op is Op.CONST_ARRAY else t
