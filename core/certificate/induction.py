"""The induction that a certificate claims: initiation, every step, every range, exclusion of the errors.

By induction over executions, every reachable state lies within the ranges and satisfies the invariant of its location,
also of the program with ghosts; an error location to be excluded cannot be entered. Contracts are part of that
induction: see `contracts`. What holds for all indices of arrays is a conjunct of an invariant: see
`core.decision.instances`, and where ghosts for lists take part, `core.decision.grounding`. Lemmas are hints: they are
used only after they were shown valid.

Paths between annotated locations are walked one by one; where they are many they are merged where they meet.

Limitation: paths with ghosts, or of which two are possible at once, are not merged, so a certificate must
annotate joins there to be checked fast.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import closing

from core.certificate.folds import FoldRule, bound_obligations
from core.certificate.heap import HeapRule
from core.certificate.results import (
    CertificateResult,
    Certified,
    Inconclusive,
    OnObligation,
    OnStep,
    Rejected,
    StatedObligation,
    not_stated,
)
from core.certificate.walk import DEEPEST_CALLS, InductionPath, TransitionSystem, Walker
from core.dataclass import dataclass
from core.decision.prover import (
    WITHOUT_SOLVER,
    Effort,
    Obligation,
    ObligationResult,
    Open,
    Proved,
    Prover,
    Reading,
    Refuted,
)
from core.decision.quantified import QuantifiedProver
from core.evidence_steps import EvidenceRepeated, EvidenceStep
from core.limits import Limits
from core.parameters import parameter
from core.program.expansion import At
from core.program.semantics import Transition
from core.solver.contract import WideningFactory
from core.terms import Term, literals
from sat.proof_trace import ProvingSolver

VISITS = parameter("certificate.induction.visits")

_Failure = Rejected | Inconclusive


@dataclass(frozen=True, eq=False)
class InductiveClaim:
    """The claim that executions of `view`, with ghosts as `rules` say, satisfy invariants and fail none of `checks`."""

    view: TransitionSystem
    invariants: Mapping[At, Term]
    lemmas: tuple[Term, ...]
    rules: tuple[HeapRule | FoldRule, ...]
    checks: frozenset[int]


class InductionCheck:
    """One run of the check of a claim. Its state is what was proved so far."""

    def __init__(
        self,
        claim: InductiveClaim,
        factory: WideningFactory,
        propositions: ProvingSolver,
        limits: Limits,
        on_step: OnStep,
        effort: Effort,
    ) -> None:
        self._view, self._invariants, self._lemmas = claim.view, claim.invariants, claim.lemmas
        self._rules, self._checks = claim.rules, claim.checks
        self._limits, self._on_step = limits, on_step
        self._arena = arena = claim.view.arena
        self._walker = walker = Walker(claim.view, claim.rules)
        self._prover = Prover(arena, walker.range_of, factory, propositions, limits, effort)
        self._quantified = QuantifiedProver(arena, factory, effort.query, limits, walker.input_range)
        self._heaps = [rule for rule in claim.rules if isinstance(rule, HeapRule)]
        self._folds = [rule.fold for rule in claim.rules if isinstance(rule, FoldRule)]
        self._addressed = frozenset(s for rule in self._heaps for s in rule.symbols)
        self._proofs: list[tuple[str, tuple[int, ...], Proved]] = []  # with their subjects and edges
        self._repeated: frozenset[Obligation] = frozenset()  # over bit-vectors, of those that were proved over integers
        self._steps = 0  # that were reported
        self._integral: dict[int, Proved] = {}  # of them, by number, those that are not bit-precise

    def run(self, on_obligation: OnObligation) -> CertificateResult:
        self._report(EvidenceStep("certificate", "well-formed", "syntax"))  # what follows is timed without the start-up
        lemmas = self._learn()
        with closing(self._quantified):
            failure = self._show_rules() or self._begin() or self._walk()
        if failure is not None:
            return failure
        self._repeated = self._repeat()
        self._state(on_obligation)
        over_integers: dict[int, dict[Obligation, None]] = {}
        for _, edges, proof in self._proofs:
            for edge in edges:
                over_integers.setdefault(edge, {}).update(dict.fromkeys(proof.over_integers))
        readings = {edge: _reading(o, self._repeated) for edge, o in over_integers.items()}
        return Certified(readings, lemmas, self._prover.tally + self._quantified.tally)

    def _state(self, on_obligation: OnObligation) -> None:
        """Tell all obligations, with the lemmas, which were proved."""
        if on_obligation is not_stated:
            return
        lemmas = ("lemma", (), Proved(tuple(self._prover.lemmas)))
        for subject, edges, proof in (lemmas, *self._proofs):
            for one in proof.with_bits(self._repeated).parts:
                formulas, width = self._prover.question(one.obligation)
                on_obligation(StatedObligation(subject, edges, formulas, width, one.tool, one.reading))

    def _learn(self) -> int:
        """Prove the lemmas and add the valid ones; returns how many."""
        lemmas = tuple(dict.fromkeys(self._lemmas))
        dropped = self._prover.learn(lemmas)
        valid = len(lemmas) - len(dropped)
        if lemmas:
            tool = Proved(tuple(self._prover.lemmas)).tool
            self._report(EvidenceStep("lemmas", f"{valid} of {len(lemmas)} valid", tool))
        for lemma in dropped:
            self._report(EvidenceStep(f"lemma {lemma!r}", "dropped", "cvc5"))
        return valid

    def _show_rules(self) -> _Failure | None:
        """Show what is claimed of ghosts whatever the program does: of all elements of folds, and of lists."""
        for fold in self._folds:
            for hypotheses, goal in bound_obligations(self._arena, fold):
                answer = self._prover.prove(hypotheses, goal)
                subject = f"bounds of {fold.symbol.name}"
                self._show(answer, subject)
                failure = self._judged(answer, subject, fold.at, "a ghost array may leave its bounds")
                if failure is not None:
                    return failure
        for lemma in (lemma for rule in self._heaps for lemma in rule.lemmas()):
            answer = self._quantified.prove(lemma.hypotheses, (), self._arena.and_(*lemma.goals))
            subject = f"{lemma.form} keeps lists"
            self._show(answer, subject)
            failure = self._judged(answer, subject, None, f"{lemma.form} breaks the lists")
            if failure is not None:
                return failure
        return None

    def _begin(self) -> _Failure | None:
        """Check that executions begin within the invariant."""
        start = self._walker.begin_first()
        return self._arrive(start, (), "start", "the start does not satisfy the invariant")

    def _repeat(self) -> frozenset[Obligation]:
        """Repeat the proofs that are not bit-precise, step by step; returns the obligations that then are."""
        all_precise: set[Obligation] = set()
        proofs = {} if self._rules else self._integral  # elements of ghosts have no width
        repeated = self._prover.repeated(proof.over_integers for proof in proofs.values())
        for (number, proof), precise in zip(proofs.items(), repeated, strict=True):
            self._on_step(EvidenceRepeated(self._steps - number, proof.with_bits(precise).reading.value))
            all_precise |= precise
        return frozenset(all_precise)

    # Paths

    def _walk(self) -> _Failure | None:
        """Check all steps from the start and from every annotated location that is reached."""
        reached = {self._view.start: None}
        sources = deque(reached)
        while sources:
            source = sources.popleft()
            for outcome in self._leave(source):
                if not isinstance(outcome, At):
                    return outcome
                if outcome not in reached:
                    reached[outcome] = None
                    sources.append(outcome)
        return None

    def _leave(self, source: At) -> Iterator[At | _Failure]:
        """Check every path from `source` to the next locations that require something; yields these, or the failure."""
        invariant = self._invariants.get(source, self._arena.true)
        if invariant.is_false or self._view.check(source) is not None:
            return
        if self._is_target(source):
            facts = (*literals(invariant), *(formula for rule in self._rules for formula in rule.facts(source)))
            first = self._walker.begin(source)
        else:  # the start, of which nothing is required
            facts, first = (), self._walker.begin_first()
        order = None if self._rules else self._walker.order(source, self._is_end)
        if order is not None and self._walker.visits(order, self._is_end) > VISITS * len(order):
            merged = list(self._along(order, facts, first))
            if not any(isinstance(outcome, Inconclusive) for outcome in merged):
                yield from merged
                return
        stack = [first]
        while stack:
            self._limits.check()
            longer: list[InductionPath] = []
            for path, last in self._walker.extensions(stack.pop()):
                failure = self._step(facts, path, last)
                if failure is not None:
                    yield failure
                elif self._is_target(path.target):
                    yield path.target
                elif not self._is_end(path.target):
                    longer.append(path)
            stack.extend(reversed(longer))

    def _along(self, order: Iterable[At], facts: tuple[Term, ...], first: InductionPath) -> Iterator[At | _Failure]:
        """The same for all paths at once that lead through places in `order`, merged at each; ends with a failure."""
        arrived = {first.source: [first]}
        for at in order:
            self._limits.check()
            if at not in arrived:
                continue
            for path, last in self._walker.extensions(self._walker.merged(arrived[at])):
                failure = self._step(facts, path, last)
                if failure is not None:
                    yield failure
                    return
                if self._is_target(path.target):
                    yield path.target
                elif not self._is_end(path.target):
                    arrived.setdefault(path.target, []).append(path)

    def _step(self, facts: tuple[Term, ...], path: InductionPath, last: Transition) -> _Failure | None:
        """The obligations of the last step of `path`: its new values are in range, and what its target requires."""
        hypotheses = self._unaddressed((*facts, *literals(path.transition.guard)))
        for x in last.updates:
            bounds = self._walker.range_of(x)
            if bounds is not None:
                answer = self._prover.prove_range(hypotheses, path.transition.updates.get(x, x), bounds)
                subject = f"range of {x.name}"
                if not (isinstance(answer, Proved) and answer.tool in WITHOUT_SOLVER):  # one for each assignment
                    self._show(answer, subject, path.ids)
                failure = self._judged(
                    answer, subject, path.target, f"a value of {x.name} may leave its range", path.ids
                )
                if failure is not None:
                    return failure
        if self._is_target(path.target):
            subject = "; ".join(edge.text for edge in path.edges)
            return self._arrive(path, facts, subject, "the step does not establish what its target requires")
        if path.target in path.heads:  # every cycle passes through a loop head
            return Rejected(path.target, "a cycle without an invariant", path.ids)
        if len(path.target.stack) > len(path.source.stack) + DEEPEST_CALLS:
            return Inconclusive(path.target, "deep recursion without an invariant", path.ids)
        return None

    def _arrive(self, path: InductionPath, hypotheses: tuple[Term, ...], subject: str, refuted: str) -> _Failure | None:
        """Check that a path from where the `hypotheses` hold establishes what its end requires, of ghosts too."""
        if not self._is_target(path.target):
            return None
        required = self._required(path.target)
        guard = literals(path.transition.guard)
        facts = tuple(fact for state in path.ghosts for fact in state.facts)
        if not self._is_addressed(path, (*hypotheses, required, *guard)):
            answer = self._prover.prove((*hypotheses, *guard, *facts), path.after(required))
        else:
            failure = self._describe(path, hypotheses, subject)
            if failure is not None:
                return failure
            answer = self._addressed_goal(path, hypotheses, literals(required) or (required,), facts)
        self._show(answer, subject, path.ids)
        return self._judged(answer, subject, path.target, refuted, path.ids)

    def _addressed_goal(
        self, path: InductionPath, known: tuple[Term, ...], goals: Sequence[Term], facts: tuple[Term, ...]
    ) -> ObligationResult:
        """Prove what the end of a path requires, of ghosts of the heap too.

        What is required of other ghosts that get their values there is shown from `facts` about these.
        """
        guard, both = literals(path.transition.guard), self._arena.and_
        made = frozenset(ghost for state in path.ghosts for ghost in state.made)
        others = [goal for goal in self._unaddressed(goals) if not made.isdisjoint(goal.symbols())]
        rest = [goal for goal in goals if goal not in others]
        first = self._quantified.prove(known, guard, path.after(both(*rest)))
        if not others or not isinstance(first, Proved):
            return first
        hypotheses = (*self._unaddressed((*known, *guard)), *facts)
        second = self._prover.prove(hypotheses, path.after(both(*others)))
        return first.both(second) if isinstance(second, Proved) else second

    def _is_addressed(self, path: InductionPath, formulas: Collection[Term]) -> bool:
        """Whether ghosts of the heap take part in what the end of a path requires."""
        if not self._heaps:
            return False
        is_described = any(rule.facts(path.target) for rule in self._heaps)
        return is_described or any(not self._addressed.isdisjoint(formula.symbols()) for formula in formulas)

    def _describe(self, path: InductionPath, facts: tuple[Term, ...], subject: str) -> _Failure | None:
        """Check that what is known of ghosts where a path ends is so."""
        for rule, state in zip(self._rules, path.ghosts, strict=True):
            if not rule.facts(path.target):
                continue
            if not state.is_described:
                return Rejected(path.target, "the ghost variables need not describe the heap", path.ids)
            for demand in state.demands:
                answer = self._quantified.prove(facts, demand.facts, demand.formula)
                failure = self._judged(answer, subject, path.target, demand.reason, demand.edges)
                if failure is not None:
                    return failure
        return None

    def _unaddressed(self, formulas: Collection[Term]) -> tuple[Term, ...]:
        """The formulas that do not speak of ghosts of the heap."""
        return tuple(f for f in formulas if self._addressed.isdisjoint(f.symbols())) if self._heaps else tuple(formulas)

    def _is_target(self, at: At) -> bool:
        """Whether reaching `at` requires anything."""
        check = self._view.check(at)
        return at in self._invariants if check is None else check.id in self._checks

    def _is_end(self, at: At) -> bool:
        """Whether paths end at `at`."""
        return self._is_target(at) or self._view.check(at) is not None

    def _required(self, at: At) -> Term:
        """The formula that must hold at the target `at`: its invariant, or false at an error location."""
        return self._arena.false if self._view.check(at) else self._invariants[at]

    # Results

    def _show(self, answer: ObligationResult, subject: str, edges: tuple[int, ...] = ()) -> None:
        """Report a step; if its proof is not bit-precise, it is going to be repeated."""
        if isinstance(answer, Proved) and answer.over_integers:
            self._integral[self._steps] = answer
        self._report(_evidence(answer, subject, edges))

    def _report(self, step: EvidenceStep) -> None:
        self._steps += 1
        self._on_step(step)

    def _judged(
        self, answer: ObligationResult, subject: str, at: At | None, refuted: str, edges: tuple[int, ...] = ()
    ) -> _Failure | None:
        """Note a proof; or the failure that another answer is, with the reason `refuted`."""
        match answer:
            case Proved():
                self._proofs.append((subject, edges, answer))
                return None
            case Refuted():
                return Rejected(at, refuted, edges)
            case Open(reason):
                return Inconclusive(at, reason, edges)


def _reading(obligations: Collection[Obligation], repeated: Collection[Obligation]) -> Reading:
    """The reading of proofs of which `obligations` were over integers and `repeated` were repeated over bit-vectors."""
    return Reading.BIT_PRECISE if all(o in repeated for o in obligations) else Reading.INTEGERS


def _evidence(answer: ObligationResult, subject: str, edges: tuple[int, ...]) -> EvidenceStep:
    match answer:
        case Proved():
            return EvidenceStep(subject, answer.reading.value, answer.tool, edges)
        case Refuted(tool):
            return EvidenceStep(subject, "refuted", tool, edges)
        case Open():
            return EvidenceStep(subject, "undecided", "cvc5", edges)
