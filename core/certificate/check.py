"""The check of a certificate, from the program alone: initiation, every step, every range, exclusion of the errors.

What is trusted: the terms, the expansion of calls, the semantics of steps, and the solvers. The certificate's lemmas
are hints: they are used only after they were shown valid. By induction over executions, every reachable state lies
within the ranges and satisfies the invariant of its location; an error location to be excluded cannot be entered.

Limitation: paths between annotated locations are enumerated, so a certificate must annotate joins to be checked fast.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass

import sat
from core.certificate.obligations import DEFAULT_EFFORT, Answer, Effort, Open, Proved, Prover, Reading, Refuted
from core.certificate.walk import Path, Walker
from core.events import EvidenceStep
from core.expansion import At, Blocks, Expansion
from core.limits import Limits
from core.program import Program
from core.semantics import Transition
from core.solver.contract import WideningFactory
from core.terms import BOOL, Op, Term, literals, subterms
from core.verdict import Certificate

_DEEPEST_CALLS = 200  # calls entered between annotated locations; unannotated recursion would enter them for ever


@dataclass(frozen=True)
class Certified:
    """The certificate holds. `edges` gives the reading of the proofs in which each edge of the program took part."""

    edges: Mapping[int, Reading]
    lemmas: int  # that were shown valid


@dataclass(frozen=True)
class Rejected:
    """The certificate is wrong at `where` (None: as a whole), because of `why`; `edges` is the path of the step."""

    where: At | None
    why: str
    edges: tuple[int, ...] = ()


@dataclass(frozen=True)
class Undecided:
    """The step to `where` could not be decided."""

    where: At | None
    why: str
    edges: tuple[int, ...] = ()


CertificateResult = Certified | Rejected | Undecided


def check_certificate(
    program: Program,
    checks: Collection[int],
    certificate: Certificate,
    factory: WideningFactory,
    limits: Limits,
    on_step: Callable[[EvidenceStep], None],
    effort: Effort = DEFAULT_EFFORT,
) -> CertificateResult:
    """Whether `certificate` shows that no check in `checks` (ids) can fail. Raises `LimitReached` and `Interrupted`."""
    wrong = _malformed(program, checks, certificate)
    if wrong is not None:
        return wrong
    expansion = Expansion(program, Blocks.STATEMENTS)
    walker = Walker(expansion)
    with sat.Solver() as propositions:
        prover = Prover(program.arena, walker.range_of, factory, propositions, limits, effort)
        return _Check(expansion, walker, prover, certificate, frozenset(checks), limits, on_step).run()


def _malformed(program: Program, checks: Collection[int], certificate: Certificate) -> Rejected | None:
    """What is wrong before any reasoning: unknown checks, empty ranges, formulas that speak about the wrong things."""
    unknown = sorted(set(checks).difference(check.id for check in program.checks))
    if unknown:
        return Rejected(None, f"the program has no check {unknown[0]}")
    for symbol in (*program.variables, *program.inputs):
        bounds = program.range_of(symbol)
        if bounds is not None and bounds.low > bounds.high:
            return Rejected(None, f"the range of {symbol.name} is empty")
    for at, formula in certificate.invariants.items():
        if formula.sort is not BOOL:
            return Rejected(at, "the invariant is not a formula")
        if any(s in program.inputs for s in formula.symbols()):
            return Rejected(at, "the invariant speaks about an input")
    bound = (s for t in subterms(*certificate.invariants.values(), *certificate.lemmas) for s in _bound(t))
    for s in bound:
        if "#" in s.name or s in program.variables or s in program.inputs:
            return Rejected(None, f"a quantifier binds {s.name}, which the program uses")
    return None


def _bound(t: Term) -> tuple[Term, ...]:
    return t.bound if t.op is Op.FORALL else ()


class _Check:
    """One run of the check. Its state is what was proved so far."""

    def __init__(
        self,
        expansion: Expansion,
        walker: Walker,
        prover: Prover,
        certificate: Certificate,
        checks: frozenset[int],
        limits: Limits,
        on_step: Callable[[EvidenceStep], None],
    ) -> None:
        self._expansion = expansion
        self._walker = walker
        self._prover = prover
        self._invariants = certificate.invariants
        self._lemmas = certificate.lemmas
        self._checks = checks
        self._limits = limits
        self._on_step = on_step
        self._readings: dict[int, Reading] = {}

    def run(self) -> CertificateResult:
        lemmas = self._learn()
        start = self._walker.begin(self._expansion.start)
        if self._is_target(start.at):
            answer = self._prover.prove((), self._required(start.at))
            failure = self._judged(answer, start, "the start does not satisfy the invariant")
            if failure is not None:
                return failure
        failure = self._walk()
        return failure or Certified(self._readings, lemmas)

    def _learn(self) -> int:
        """Use the lemmas that are valid; returns how many."""
        lemmas = tuple(dict.fromkeys(self._lemmas))
        dropped = self._prover.learn(lemmas)
        for lemma in dropped:
            self._on_step(EvidenceStep(f"lemma {lemma!r}", "dropped", "cvc5"))
        valid = len(lemmas) - len(dropped)
        if lemmas:
            self._on_step(EvidenceStep("lemmas", f"{valid} of {len(lemmas)} valid", "cvc5"))
        return valid

    def _walk(self) -> Rejected | Undecided | None:
        """Check all steps from the start and from every annotated location that is reached."""
        reached = {self._expansion.start: None}
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

    def _leave(self, source: At) -> Iterator[At | Rejected | Undecided]:
        """Check every path from `source` to the next locations that require something; yields these, or the failure."""
        invariant = self._invariants.get(source, self._expansion.arena.true)
        if invariant.is_false or self._expansion.check(source) is not None:
            return
        stack = [self._walker.begin(source)]
        while stack:
            self._limits.check()
            longer: list[Path] = []
            for path, last in self._walker.extensions(stack.pop()):
                failure = self._step(invariant, path, last)
                if failure is not None:
                    yield failure
                elif self._is_target(path.at):
                    yield path.at
                elif self._expansion.check(path.at) is None:
                    longer.append(path)
            stack.extend(reversed(longer))

    def _step(self, invariant: Term, path: Path, last: Transition) -> Rejected | Undecided | None:
        """The obligations of the last step of `path`: its new values are in range, and what its target requires."""
        hypotheses = (*literals(invariant), *literals(path.transition.guard))
        for x in last.updates:
            bounds = self._walker.range_of(x)
            if bounds is not None:
                answer = self._prover.prove_range(hypotheses, path.transition.updates.get(x, x), bounds)
                failure = self._judged(answer, path, f"a value of {x.name} may leave its range")
                if failure is not None:
                    self._on_step(_evidence(answer, f"range of {x.name}", path))
                    return failure
        if self._is_target(path.at):
            goal = path.transition.after(self._required(path.at))
            answer = self._prover.prove(hypotheses, goal)
            self._on_step(_evidence(answer, "; ".join(edge.text for edge in path.edges), path))
            return self._judged(answer, path, "the step does not establish what its target requires")
        if path.at in path.heads:  # every cycle passes through a loop head
            return Rejected(path.at, "a cycle without an invariant", _ids(path))
        if len(path.at.stack) > len(path.source.stack) + _DEEPEST_CALLS:
            return Undecided(path.at, "deep recursion without an invariant", _ids(path))
        return None

    def _is_target(self, at: At) -> bool:
        """Whether reaching `at` requires anything."""
        check = self._expansion.check(at)
        return at in self._invariants if check is None else check.id in self._checks

    def _required(self, at: At) -> Term:
        """What must hold at the target `at`: its invariant; nothing can at an error location."""
        return self._expansion.arena.false if self._expansion.check(at) else self._invariants[at]

    def _judged(self, answer: Answer, path: Path, refuted: str) -> Rejected | Undecided | None:
        """Note a proof; or the failure that another answer is, with the reason `refuted`."""
        match answer:
            case Proved():
                for edge in path.edges:
                    self._readings[edge.id] = answer.reading.both(self._readings.get(edge.id, Reading.BIT_PRECISE))
                return None
            case Refuted():
                return Rejected(path.at, refuted, _ids(path))
            case Open(reason):
                return Undecided(path.at, reason, _ids(path))


def _ids(path: Path) -> tuple[int, ...]:
    return tuple(edge.id for edge in path.edges)


def _evidence(answer: Answer, subject: str, path: Path) -> EvidenceStep:
    match answer:
        case Proved(reading, tool):
            return EvidenceStep(subject, reading.value, tool, _ids(path))
        case Refuted():
            return EvidenceStep(subject, "refuted", "cvc5", _ids(path))
        case Open():
            return EvidenceStep(subject, "undecided", "cvc5", _ids(path))
