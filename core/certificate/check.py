"""The check of a certificate, from the program alone: initiation, every step, every range, exclusion of the errors.

Trusted are the terms, the expansion of calls, the modular view, the semantics of steps, and the solvers. The
certificate's lemmas are hints: they are used only after they were shown valid. By induction over executions, every
reachable state lies within the ranges and satisfies the invariant of its location; an error location to be excluded
cannot be entered. Contracts are part of that induction: see `contracts`. What holds for all indices of arrays is a
conjunct of an invariant: see `instances`. Ghost arrays that sum up arrays get their values on the way: see `folds`.

Limitation: paths between annotated locations are enumerated, so a certificate must annotate joins to be checked fast.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Collection, Iterator, Mapping

import sat
from core.certificate.contracts import ContractedView, claims, wrong_contracts
from core.certificate.folds import arrival, bound_obligations, wrong_folds
from core.certificate.heap import check_heap_certificate
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
from core.certificate.symbols import wrong_symbols
from core.certificate.unrolled import check_unrolled
from core.certificate.walk import PathSegment, TransitionSystem, Walker
from core.decision.instances import has_quantifier, wrong_quantifier
from core.decision.prover import (
    DEFAULT_EFFORT,
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
from core.evidence_steps import EvidenceRepeated, EvidenceStep
from core.limits import Limits
from core.program import Program
from core.program.blocks import BlockEncoding
from core.program.expansion import At, Expansion
from core.program.semantics import Transition
from core.solver.contract import WideningFactory
from core.terms import BOOL, Term, literals
from core.verdict import Certificate, Fold

_DEEPEST_CALLS = 200  # calls entered between annotated locations; unannotated recursion would enter them for ever


def check_certificate(
    program: Program,
    checks: Collection[int],
    certificate: Certificate,
    factory: WideningFactory,
    limits: Limits,
    on_step: OnStep,
    effort: Effort = DEFAULT_EFFORT,
    on_obligation: OnObligation = not_stated,
) -> CertificateResult:
    """Check whether `certificate` shows that no check in `checks` (ids) can fail.

    All obligations are told to `on_obligation` once they are proved. Raises `LimitReached` and `Interrupted`.
    """
    wrong = _malformed(program, checks, certificate)
    if wrong is not None:
        return wrong
    if certificate.heap is not None:
        return check_heap_certificate(program, checks, certificate, factory, limits, on_step, effort, on_obligation)
    if certificate.rounds is not None:
        return check_unrolled(program, checks, certificate, factory, limits, on_step, effort, on_obligation)
    view: TransitionSystem = Expansion(program, BlockEncoding.STATEMENTS)
    invariants = certificate.invariants
    if certificate.contracts:
        modular = view = ContractedView(Expansion(program, BlockEncoding.STATEMENTS), certificate.contracts)
        invariants = claims(modular, certificate)
        mistake = wrong_contracts(modular, certificate)
        if mistake is not None:
            return Rejected(None, mistake)
    walker = Walker(view)
    with sat.SatSolver() as propositions:
        prover = Prover(program.arena, walker.range_of, factory, propositions, limits, effort)
        lemmas = certificate.lemmas
        folds = certificate.folds
        check = _Check(view, walker, prover, invariants, lemmas, folds, frozenset(checks), limits, on_step)
        result = check.run()
        if isinstance(result, Certified):
            check.state(on_obligation)
        return result


def _malformed(program: Program, checks: Collection[int], certificate: Certificate) -> Rejected | None:
    """The defects found before any reasoning: unknown checks, empty ranges, formulas over the wrong symbols."""
    unknown = sorted(set(checks).difference(check.id for check in program.checks))
    if unknown:
        return Rejected(None, f"the program has no check {unknown[0]}")
    for symbol in (*program.variables, *program.inputs):
        bounds = program.range_of(symbol)
        if bounds is not None and bounds.low > bounds.high:
            return Rejected(None, f"the range of {symbol.name} is empty")
    contracts = [formula for c in certificate.contracts.values() for formula in (c.pre, c.post)]
    for at, formula in (*certificate.invariants.items(), *((None, formula) for formula in contracts)):
        if formula.sort is not BOOL:
            return Rejected(at, "the invariant is not a formula")
        wrong = wrong_quantifier(formula)
        if wrong is not None:
            return Rejected(at, wrong)
    wrong_symbol = wrong_symbols(program, certificate)
    if wrong_symbol is not None:
        return wrong_symbol
    mistake = wrong_folds(certificate)
    if mistake is not None:
        return Rejected(None, mistake)
    if any(lemma.sort != BOOL for lemma in certificate.lemmas):
        return Rejected(None, "a lemma is not a formula")
    if has_quantifier((*contracts, *certificate.lemmas)):
        return Rejected(None, "a contract or a lemma has a quantifier")
    return None


class _Check:
    """One run of the check. Its state is what was proved so far."""

    def __init__(
        self,
        view: TransitionSystem,
        walker: Walker,
        prover: Prover,
        invariants: Mapping[At, Term],
        lemmas: tuple[Term, ...],
        folds: tuple[Fold, ...],
        checks: frozenset[int],
        limits: Limits,
        on_step: OnStep,
    ) -> None:
        self._view = view
        self._walker = walker
        self._prover = prover
        self._invariants = invariants
        self._lemmas = lemmas
        self._folds = folds
        self._ghosts = frozenset(s for fold in folds for s in fold.symbols)
        self._checks = checks
        self._limits = limits
        self._on_step = on_step
        self._proofs: list[tuple[str, tuple[int, ...], Proved]] = []  # with their subjects and edges
        self._repeated: frozenset[Obligation] = frozenset()  # over bit-vectors, of those that were proved over integers
        self._steps = 0  # that were reported
        self._integral: dict[int, Proved] = {}  # of them, by number, those that are not bit-precise

    def run(self) -> CertificateResult:
        self._report(EvidenceStep("certificate", "well-formed", "syntax"))  # what follows is timed without the start-up
        lemmas = self._learn()
        failure = self._bounds() or self._begin() or self._walk()
        if failure is not None:
            return failure
        self._repeated = self._repeat()
        over_integers: dict[int, dict[Obligation, None]] = {}
        for _, edges, proof in self._proofs:
            for edge in edges:
                over_integers.setdefault(edge, {}).update(dict.fromkeys(proof.over_integers))
        readings = {edge: _reading(o, self._repeated) for edge, o in over_integers.items()}
        return Certified(readings, lemmas, self._prover.tally)

    def state(self, on_obligation: OnObligation) -> None:
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

    def _bounds(self) -> Rejected | Inconclusive | None:
        """Check what is claimed of all elements of ghost arrays."""
        for fold in self._folds:
            for hypotheses, goal in bound_obligations(self._view.arena, fold):
                answer = self._prover.prove(hypotheses, goal)
                place = self._walker.begin(fold.at)
                subject = f"bounds of {fold.symbol.name}"
                self._show(answer, subject, place)
                failure = self._judged(answer, subject, place, "a ghost array may leave its bounds")
                if failure is not None:
                    return failure
        return None

    def _begin(self) -> Rejected | Inconclusive | None:
        """Check that executions begin within the invariant."""
        start = self._walker.begin(self._view.start)
        if not self._is_target(start.at):
            return None
        answer = self._prover.prove((), self._required(start.at))
        self._show(answer, "start", start)
        return self._judged(answer, "start", start, "the start does not satisfy the invariant")

    def _repeat(self) -> frozenset[Obligation]:
        """Repeat the proofs that are not bit-precise, step by step; returns the obligations that then are."""
        all_precise: set[Obligation] = set()
        proofs = {} if self._folds else self._integral  # elements of ghost arrays have no width
        repeated = self._prover.repeated(proof.over_integers for proof in proofs.values())
        for (number, proof), precise in zip(proofs.items(), repeated, strict=True):
            self._on_step(EvidenceRepeated(self._steps - number, proof.with_bits(precise).reading.value))
            all_precise |= precise
        return frozenset(all_precise)

    def _walk(self) -> Rejected | Inconclusive | None:
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

    def _leave(self, source: At) -> Iterator[At | Rejected | Inconclusive]:
        """Check every path from `source` to the next locations that require something; yields these, or the failure."""
        invariant = self._invariants.get(source, self._view.arena.true)
        if invariant.is_false or self._view.check(source) is not None:
            return
        stack = [self._walker.begin(source)]
        while stack:
            self._limits.check()
            longer: list[PathSegment] = []
            for path, last in self._walker.extensions(stack.pop()):
                failure = self._step(invariant, path, last)
                if failure is not None:
                    yield failure
                elif self._is_target(path.at):
                    yield path.at
                elif self._view.check(path.at) is None:
                    longer.append(path)
            stack.extend(reversed(longer))

    def _step(self, invariant: Term, path: PathSegment, last: Transition) -> Rejected | Inconclusive | None:
        """The obligations of the last step of `path`: its new values are in range, and what its target requires."""
        hypotheses = (*literals(invariant), *literals(path.transition.guard))
        if not self._ghosts.isdisjoint((*last.updates, *last.reads)):
            return Rejected(path.at, "a ghost array is a variable of the program", _ids(path))
        for x in last.updates:
            bounds = self._walker.range_of(x)
            if bounds is not None:
                answer = self._prover.prove_range(hypotheses, path.transition.updates.get(x, x), bounds)
                subject = f"range of {x.name}"
                if not (isinstance(answer, Proved) and answer.tool in WITHOUT_SOLVER):  # one for each assignment
                    self._show(answer, subject, path)
                failure = self._judged(answer, subject, path, f"a value of {x.name} may leave its range")
                if failure is not None:
                    return failure
        if self._is_target(path.at):
            required = path.transition.after(self._required(path.at))
            here = arrival(self._view.arena, self._folds, path, required)
            answer = self._prover.prove((*hypotheses, *here.known), here.goal)
            subject = "; ".join(edge.text for edge in path.edges)
            self._show(answer, subject, path)
            return self._judged(answer, subject, path, "the step does not establish what its target requires")
        if path.at in path.heads:  # every cycle passes through a loop head
            return Rejected(path.at, "a cycle without an invariant", _ids(path))
        if len(path.at.stack) > len(path.source.stack) + _DEEPEST_CALLS:
            return Inconclusive(path.at, "deep recursion without an invariant", _ids(path))
        return None

    def _show(self, answer: ObligationResult, subject: str, path: PathSegment) -> None:
        """Report a step; if its proof is not bit-precise, it is going to be repeated."""
        if isinstance(answer, Proved) and answer.over_integers:
            self._integral[self._steps] = answer
        self._report(_evidence(answer, subject, path))

    def _report(self, step: EvidenceStep) -> None:
        self._steps += 1
        self._on_step(step)

    def _is_target(self, at: At) -> bool:
        """Whether reaching `at` requires anything."""
        check = self._view.check(at)
        return at in self._invariants if check is None else check.id in self._checks

    def _required(self, at: At) -> Term:
        """The formula that must hold at the target `at`: its invariant, or false at an error location."""
        return self._view.arena.false if self._view.check(at) else self._invariants[at]

    def _judged(
        self, answer: ObligationResult, subject: str, path: PathSegment, refuted: str
    ) -> Rejected | Inconclusive | None:
        """Note a proof; or the failure that another answer is, with the reason `refuted`."""
        match answer:
            case Proved():
                self._proofs.append((subject, _ids(path), answer))
                return None
            case Refuted():
                return Rejected(path.at, refuted, _ids(path))
            case Open(reason):
                return Inconclusive(path.at, reason, _ids(path))


def _ids(path: PathSegment) -> tuple[int, ...]:
    return tuple(edge.id for edge in path.edges)


def _reading(obligations: Collection[Obligation], repeated: Collection[Obligation]) -> Reading:
    """The reading of proofs of which `obligations` were over integers and `repeated` were repeated over bit-vectors."""
    return Reading.BIT_PRECISE if all(o in repeated for o in obligations) else Reading.INTEGERS


def _evidence(answer: ObligationResult, subject: str, path: PathSegment) -> EvidenceStep:
    match answer:
        case Proved():
            return EvidenceStep(subject, answer.reading.value, answer.tool, _ids(path))
        case Refuted(tool):
            return EvidenceStep(subject, "refuted", tool, _ids(path))
        case Open():
            return EvidenceStep(subject, "undecided", "cvc5", _ids(path))
