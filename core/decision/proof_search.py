"""The search for justifications: propositionally where lemmas suffice, else by the SMT solver; the cheapest first.

First everything is proved, over integers where that is simpler; then proofs over integers are repeated over
bit-vectors, of lemmas only those that a step needs, as long as there is effort left (`Search.repeated`). Nothing is
believed but what is said of readings: the kernel replays what is found.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from math import gcd

from core.dataclass import dataclass
from core.decision.bounding import Bounded, bounded_part
from core.decision.cases import closed_by_cases
from core.decision.instances import Ground, ground, meetings
from core.decision.justification import (
    Answered,
    Cases,
    Contradiction,
    Cut,
    Deduced,
    Deduction,
    InInterval,
    Justification,
    SumOfBounds,
)
from core.decision.kernel import Kernel, sum_of
from core.decision.proof_results import Decided, Effort, Obligation, Open, Proved, Reading, Refuted
from core.decision.propositional import Propositional
from core.decision.quantifiers import Quantifiers
from core.decision.refutation import Refuter, has_products
from core.decision.solver_record import SolverRecord
from core.decision.widening import has_bits, width
from core.limits import Limits, SolverUndecided
from core.parameters import parameter
from core.program.semantics import range_facts
from core.solver.contract import BitMethod
from core.terms import Arena, Term, computes_with_floats, literals, subterms
from core.terms.traversal import is_larger
from sat.proof_trace import ProvingSolver

_WIDENED_BATCH = parameter("decision.proof-search.widened-batch")
_MANY = parameter("decision.proof-search.many")
_SMALL = parameter("decision.proof-search.small")
_LARGE = parameter("decision.proof-search.large")
_LARGEST_REPEATED = parameter("decision.proof-search.largest-repeated")


@dataclass(frozen=True)
class Found:
    """A proof, and a justification that closes the hypotheses and the negation of the goal."""

    proof: Proved
    justification: Justification


SearchResult = Found | Refuted | Open


def _by(tool: str, obligation: Obligation, how: Justification, reading: Reading = Reading.BIT_PRECISE) -> Found:
    """The proof of a single obligation."""
    return Found(Proved((Decided(obligation, tool, reading),)), how)


class Search:
    """Searches for justifications that the kernel accepts."""

    def __init__(
        self,
        arena: Arena,
        kernel: Kernel,
        record: SolverRecord,
        propositions: ProvingSolver,
        limits: Limits,
        effort: Effort,
    ) -> None:
        self._arena, self._kernel, self._record = arena, kernel, record
        self._limits, self._effort = limits, effort
        self._intervals = kernel.intervals
        self._refuter = Refuter(arena, self._intervals, limits.check)
        self._propositional = Propositional(arena, kernel, propositions, effort.conflicts)
        self._precise = self._propositional.new_group()
        self._integral = self._propositional.new_group()  # all lemmas, also the bit-precise ones
        self._propositional.include(self._integral, self._precise)
        self._lemmas: dict[int, Term] = {}  # by groups of their own: those that are not shown to be bit-precise
        self._stuck: set[int] = set()  # of them, those for which that failed
        self._quantifiers = Quantifiers()
        self._widened = 0  # queries over bit-vectors
        self._failures = 0  # of them
        self._last_queries = 0  # of them, those with the most effort
        self._known: dict[Obligation, SearchResult] = {}
        self.tally: Counter[str] = Counter()
        """The questions that each tool has decided, those about lemmas and those that repeat a proof among them."""

    def counted(self, proof: Proved) -> Proved:
        self.tally.update(one.tool for one in proof.parts)
        return proof

    def learn(self, lemma: Term) -> Proved | None:
        """Show that a lemma is valid, and use it from now on; None where that is not found."""
        answer = self._query((), lemma)
        if not isinstance(answer, Found) or not self._add(lemma, answer):
            return None
        return self.counted(answer.proof)

    def _add(self, lemma: Term, result: Found) -> bool:
        """Add a lemma that is valid, if the kernel accepts it."""
        if not self._kernel.learn(result.justification, lemma):
            return False
        group = self._propositional.learn(lemma)
        if result.proof.reading is Reading.BIT_PRECISE:
            self._propositional.include(self._precise, group)
        else:
            self._propositional.include(self._integral, group)
            self._lemmas[group] = lemma
        return True

    def prove(self, hypotheses: Sequence[Term], goal: Term) -> SearchResult:
        """Search for a proof that `goal` holds wherever all `hypotheses` do."""
        key = (tuple(hypotheses), goal)
        if key not in self._known:
            self._limits.check()
            self._known[key] = answer = self._prove(*key)
            if isinstance(answer, Found):
                self.counted(answer.proof)
        return self._known[key]

    def _prove(self, hypotheses: tuple[Term, ...], goal: Term) -> SearchResult:
        known = frozenset(hypotheses)
        open_goals = [g for g in literals(goal) if g not in known]
        if self._arena.false in known or not open_goals:
            return _by("syntax", (hypotheses, goal), Contradiction(goal))
        by_cases = closed_by_cases(self._arena, hypotheses, goal, open_goals, self._limits.check)
        if by_cases is not None and self._kernel.check(by_cases, hypotheses, goal):  # else it is left to others
            return _by("differences", (hypotheses, goal), by_cases, Reading.INTEGERS)
        if self._quantifiers.are_in((*hypotheses, goal)):
            return self._together(goal, ((g, self._by_instances(hypotheses, g)) for g in open_goals))
        if len(open_goals) > 1:
            together = self._arena.and_(*open_goals)
            found = self._propositionally(hypotheses, together)
            if found is not None:
                return self._together(goal, [(together, found)])
        return self._together(goal, ((g, self._one(hypotheses, g)) for g in open_goals))

    def _together(self, goal: Term, answers: Iterable[tuple[Term, SearchResult]]) -> SearchResult:
        """The answer about a goal that consists of what was asked, and of hypotheses."""
        proof = Proved(())
        shown: list[tuple[Term, Justification]] = []
        for part, answer in answers:
            if not isinstance(answer, Found):
                return answer
            proof = proof.both(answer.proof)
            shown.append((part, answer.justification))
        is_whole = len(shown) == 1 and shown[0][0] is goal
        return Found(proof, shown[0][1] if is_whole else Cut(tuple(shown), Contradiction(goal)))

    def _by_instances(self, hypotheses: tuple[Term, ...], goal: Term) -> SearchResult:
        """Search for a proof by instances; where they would be many, first by few: those at the indices of the goal."""
        if meetings(hypotheses, goal) > _MANY:
            found = self._grounded(ground(self._arena, hypotheses, goal, rounds=int(goal.is_false)))
            if isinstance(found, Found):
                return found
        return self._grounded(ground(self._arena, hypotheses, goal))

    def _grounded(self, obligation: Ground) -> SearchResult:
        if self._quantifiers.are_in((*obligation.hypotheses, obligation.goal)):
            return Open("a quantifier is not a conjunct of its own")
        bounds, rules, sums = self._bounds(obligation)
        answer = self.prove((*obligation.hypotheses, *bounds), obligation.goal)
        if isinstance(answer, Refuted) and obligation.weakened:
            return Open("not proved with the instances taken of what holds for all indices")
        if not isinstance(answer, Found):
            return answer
        by = Deduced(tuple(rules), Deduced(tuple(sums), answer.justification)) if bounds else answer.justification
        return Found(answer.proof, obligation.closed(by))

    def _bounds(self, obligation: Ground) -> tuple[list[Term], list[Deduction], list[Deduction]]:
        """The bounds of the constants of an obligation that follow from its hypotheses, so that widths are known.

        With them the rules that give them: what is bounded beside a constant, and the sums of that with hypotheses.
        """
        arena = self._arena
        intervals = self._intervals.assuming(obligation.hypotheses)
        bounds: list[Term] = []
        rules: list[Deduction] = []
        sums: list[Deduction] = []
        for h in obligation.hypotheses:
            atom, holds = (h.args[0], False) if h.is_negation else (h, True)
            if not atom.is_bound or not atom.args[0].is_sum:
                continue
            body = atom.args[0]
            for factor, x in zip(body.coefficients, body.args, strict=True):
                rest = arena.linear([(1, body), (-factor, x)])
                limit = intervals(rest).low if holds else intervals(rest).high
                if x in obligation.constants and limit is not None:
                    compare = arena.ge if holds else arena.le
                    bound = compare(rest, arena.integer(limit))
                    parts = ((1, h), (gcd(*rest.coefficients) if rest.is_sum else 1, bound))
                    rules.append(InInterval(bound, obligation.hypotheses))
                    sums.append(SumOfBounds(parts))
                    bounds.append(sum_of(arena, parts))
        return bounds, rules, sums

    def _one(self, hypotheses: tuple[Term, ...], goal: Term) -> SearchResult:
        return (
            self._propositionally(hypotheses, goal)
            or self._by_equations(hypotheses, goal)
            or self._from_small(hypotheses, goal)
            or self._query(hypotheses, goal)
        )

    def _by_equations(self, hypotheses: Sequence[Term], goal: Term) -> Found | None:
        """A proof by equations modulo powers of two: bit-precise, as these hold modulo any smaller power."""
        formulas = [*hypotheses, self._arena.not_(goal)]
        computes = computes_with_floats(formulas)
        if is_larger(formulas, _LARGE) or not (computes or has_products(formulas)):
            return None
        by = self._refuter.closed(formulas)
        if by is None or not self._kernel.check(by, hypotheses, goal):
            return None
        return _by("intervals" if computes else "equations", (tuple(hypotheses), goal), by)

    def _from_small(self, hypotheses: Sequence[Term], goal: Term) -> Found | None:
        """A proof from the small hypotheses, such as guards; it is remembered, as other steps are likely to need it.

        Invariants can be large, and arithmetic rarely needs all of one.
        """
        small = [h for h in hypotheses if h.size <= _SMALL]
        if len(small) == len(hypotheses) or goal.size > _SMALL:
            return None
        answer = self._query(small, goal)
        if not isinstance(answer, Found):
            return None
        lemma = self._arena.implies(self._arena.and_(*small), goal)
        by = closed_denial(self._arena, lemma, (*small, self._arena.not_(goal)), answer.justification)
        self._add(lemma, Found(answer.proof, by))
        return answer

    def _propositionally(self, hypotheses: Sequence[Term], goal: Term) -> Found | None:
        for group, reading in ((self._precise, Reading.BIT_PRECISE), (self._integral, Reading.INTEGERS)):
            by = self._propositional.closed((*hypotheses, self._arena.not_(goal)), group)
            if by is not None:
                tool = "intervals" if isinstance(by, Deduced) else "sat"
                return _by(tool, (tuple(hypotheses), goal), by, reading)
        return None

    def _query(self, hypotheses: Sequence[Term], goal: Term) -> SearchResult:
        """The answer of a solver; about floating-point numbers maybe that of intervals."""
        obligation = tuple(hypotheses), goal
        formulas = self._negated(hypotheses, goal)
        if not computes_with_floats(formulas):
            return self._query_solvers(obligation, formulas)
        answer = self._query_in_parts(obligation, formulas, is_first=True)
        if isinstance(answer, Open):
            answer = self._query_solvers(obligation, formulas)
        return self._query_in_parts(obligation, formulas, is_first=False) if isinstance(answer, Open) else answer

    def _query_solvers(self, obligation: Obligation, formulas: Sequence[Term]) -> SearchResult:
        """The answer of an SMT solver: the quick ones in turn, then again with more effort."""
        if has_bits(formulas):
            return self._query_widened(obligation, formulas, self._effort.query)
        is_small = not is_larger(formulas, _LARGE)
        for effort, bits in (
            (self._effort.first_integers, self._effort.first_bits),
            (self._effort.query, self._effort.query),
        ):
            if is_small:
                answer = self._query_widened(obligation, formulas, bits)
                if not isinstance(answer, Open):
                    return answer
            answer = self._query_integers(obligation, formulas, effort)
            if not isinstance(answer, Open):
                return answer
        return answer

    def _query_in_parts(self, obligation: Obligation, formulas: Sequence[Term], *, is_first: bool) -> SearchResult:
        effort, tick = self._effort.intervals, self._limits.check
        try:
            is_refuted = self._record.refutes_in_parts(formulas, effort, tick, is_first=is_first)
        except SolverUndecided as undecided:
            return Open(str(undecided))
        return _by("intervals", obligation, Answered(tuple(formulas))) if is_refuted else Refuted("intervals")

    def _query_integers(self, obligation: Obligation, formulas: Sequence[Term], effort: int) -> SearchResult:
        try:
            is_refuted = self._record.refutes(formulas, effort)
        except SolverUndecided as undecided:
            return Open(str(undecided))
        return _by("cvc5", obligation, Answered(tuple(formulas)), Reading.INTEGERS) if is_refuted else Refuted("cvc5")

    def _query_widened(self, obligation: Obligation, formulas: Sequence[Term], effort: int) -> SearchResult:
        """The answer over bit-vectors in which nothing overflows: the only reading that bit operators have."""
        part, is_exact = self._bounded(formulas)
        if part.width is None:
            return Open("numbers without bounds have no width")
        try:
            is_refuted = self._record.refutes_widened(part.formulas, part.width, effort)
        except SolverUndecided as undecided:
            return Open(str(undecided))
        if is_refuted:
            return _by("bitwuzla", obligation, part.closed(Answered(tuple(part.formulas), part.width)))
        return Refuted("bitwuzla") if is_exact else Open("numbers without bounds matter")

    # Repeating proofs over bit-vectors

    def repeated(self, groups: Iterable[Collection[Obligation]]) -> Iterator[frozenset[Obligation]]:
        """The obligations of each group, all proved over integers, that are bit-precise after all."""
        enough = self._limits.remaining() / 2
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
            used = self._propositional.used((*hypotheses, self._arena.not_(goal)), groups)
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
            if self._refuted_widened(self._negated((), self._arena.and_(*(self._lemmas[g] for g in batch))), enough):
                for group in batch:
                    self._propositional.include(self._precise, group)
                    del self._lemmas[group]
            elif len(batch) == 1:
                self._stuck.update(batch)
            else:
                middle = len(batch) // 2
                stack += [batch[middle:], batch[:middle]]

    def _bounded(self, formulas: Sequence[Term]) -> tuple[Bounded, bool]:
        """Formulas whose refutation refutes `formulas`, with their width, and whether a model is one of `formulas`."""
        bits = width(formulas, self._intervals)
        if bits is not None:
            return Bounded(formulas, bits, _unchanged), True
        bits = width(formulas, self._intervals.assuming(formulas))
        if bits is not None:
            return Bounded(formulas, bits, _unchanged), False
        return bounded_part(self._arena, formulas, self._intervals), False

    def _refuted_widened(self, formulas: Sequence[Term], enough: float) -> bool:
        """Whether `formulas` have no model among bit-vectors in which none of their models overflows."""
        exhausted = self._widened >= self._effort.widened_queries or self._failures >= self._effort.widened_failures
        if exhausted or self._limits.remaining() < enough or is_larger(formulas, _LARGE):
            return False
        part = self._bounded(formulas)[0]
        if part.width is None:
            return False
        for method, effort in self._stages(part.formulas):
            self._widened += 1
            try:
                is_refuted = self._record.refutes_widened(part.formulas, part.width, effort, method)
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
        yield BitMethod.BITS, self._effort.repeated
        yield BitMethod.REMAINDERS, self._effort.remainders
        if self._last_queries < self._effort.last_queries and all(not t.is_select for t in subterms(*formulas)):
            self._last_queries += 1
            yield BitMethod.BITS, self._effort.last_bits

    def question(self, obligation: Obligation) -> tuple[Sequence[Term], int | None]:
        """The formulas that refute an obligation if they have a model, and the width of their bit operators, if any."""
        formulas = self._negated(*obligation)
        if not has_bits(formulas):
            return formulas, None
        part = self._bounded(formulas)[0]
        return part.formulas, part.width

    def _negated(self, hypotheses: Sequence[Term], goal: Term) -> list[Term]:
        """The formulas that a counterexample satisfies."""
        formulas = [*hypotheses, self._arena.not_(goal)]
        return [*range_facts(self._arena, formulas, self._kernel.range_of), *formulas]


def _unchanged(by: Justification) -> Justification:
    return by


def closed_denial(arena: Arena, lemma: Term, formulas: Sequence[Term], by: Justification) -> Justification:
    """A justification that closes the negation of a lemma, of one that closes `formulas`, into which it falls apart."""
    denied = [(f, f.args[0]) for f in formulas if f.is_negation and f.args[0].is_disjunction]
    shown = tuple((f, Cases(choice, tuple(map(Contradiction, choice.args)))) for f, choice in denied)
    by = Cut(shown, by) if shown else by
    return Cases(arena.not_(lemma), (by,)) if lemma.is_disjunction else by
