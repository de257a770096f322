"""The examination of evidence: turns each claim of an engine, or of a run file, into the result of a check.

A claim is true or false only when separate code has confirmed its evidence. A certificate that several checks share is
examined once.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from core.dataclass import dataclass
from core.limits import Limits, NoAnswer
from core.parameters import real_parameter
from core.program import Check, Program
from core.program.expansion import At
from core.program.orders import ORDER
from core.program.properties import DEFINED, CheckKind
from core.terms import Term
from core.verdict import Certificate, CheckResult, Executed, Outcome, Safe, Shortened, Status, Unknown, Unsafe
from frontend.typed.casts import LAYOUT
from interplay.session.apart import WorkFailed
from interplay.session.context import Emit
from interplay.session.counterexample import NOT_MINIMAL, trace_event
from interplay.session.endings import unanswered
from interplay.session.request import SHORTENING, ReplayMode
from interplay.session.services import EvidenceAccepted, EvidenceRejected, EvidenceVerdict, ExaminedTask
from runs.events import (
    CALLED,
    NOT_KNOWN,
    CheckDecided,
    InvariantShown,
    Message,
    PhaseStarted,
    Progress,
    TraceShown,
)

Keep = Callable[[Mapping[int, Outcome]], None]

_NOT_CONFIRMED = "the counterexample is not confirmed"
_AT_ONCE = real_parameter("session.examination.at-once")


@dataclass(frozen=True)
class _NoProof:
    """An execution that was not confirmed."""

    reason: str
    undefined: str = ""
    status: Status = Status.UNKNOWN
    advice: str = ""


@dataclass(frozen=True)
class _Replayed:
    """A counterexample with the end of its replay."""

    counterexample: Shortened
    examined: EvidenceVerdict | NoAnswer

    @property
    def is_accepted(self) -> bool:
        return isinstance(self.examined, EvidenceAccepted)


class Examiner:
    """Examines outcomes of the checks of a task. `number` gives terms their numbers in the event stream.

    `keep` stores the evidence before each decision; where it is given, counterexamples of engines are shortened first,
    each for so many CPU `seconds` at most, within the limits `shortening`: what confirms them has more time than that.
    """

    def __init__(
        self,
        task: ExaminedTask,
        replay: ReplayMode,
        limits: Limits,
        emit: Emit,
        number: Callable[[Term], int],
        keep: Keep | None = None,
        seconds: float = SHORTENING,
        shortening: Limits | None = None,
    ) -> None:
        self._task = task
        self._replay = replay
        self._limits = limits
        self._emit = emit
        self._number = number
        self._keep = keep
        self._seconds = seconds
        self._shortening = shortening or limits
        self._outcomes: dict[int, Outcome] = {}
        self._certified: dict[int, EvidenceAccepted | _NoProof] = {}  # by check
        self._repeated: dict[int, EvidenceAccepted | _NoProof] = {}  # by check
        self._results: dict[int, CheckResult] = {}
        self._undefined = self._advice = ""  # of an execution that is no answer

    @property
    def examined(self) -> Mapping[int, CheckResult]:
        """The results so far, by check."""
        return self._results

    def examine(self, outcomes: Mapping[int, Outcome]) -> None:
        """Examine outcomes, violations first, and emit the decisions; checks that have a result keep it."""
        new = {check: outcome for check, outcome in outcomes.items() if check not in self._results}
        self._outcomes.update(new)
        for number in sorted(new, key=lambda one: (not isinstance(new[one], Unsafe), one)):
            result = self._result(self._task.program.checks[number], new[number])
            if self._keep is not None:
                self._keep(self._outcomes)
            self._decide(result)

    def results(
        self, checks: Sequence[Check], status: Status = Status.UNKNOWN, reason: str = "there is no evidence for it"
    ) -> tuple[CheckResult, ...]:
        """The result of each of `checks`, in order; those not examined have `status`, for `reason`."""
        for check in checks:
            known = self._results.get(check.id)
            result = resting_on(self._undefined, self._advice, known or result_of(check, status, reason=reason))
            if result != known:
                self._decide(result)
        return tuple(self._results[check.id] for check in checks)

    def _begin(self, phase: str, size: int) -> None:
        """Begin a phase that examines evidence of this size."""
        self._emit(PhaseStarted(phase))
        self._emit(Progress(NOT_KNOWN, NOT_KNOWN, NOT_KNOWN, size))

    def _decide(self, result: CheckResult) -> None:
        self._note_undefined(result)
        self._results[result.check] = resting_on(self._undefined, self._advice, result)
        self._emit(decision(self._results[result.check]))

    def _note_undefined(self, found: CheckResult | EvidenceRejected) -> None:
        if not self._undefined:
            self._undefined, self._advice = found.undefined, found.advice

    def _result(self, check: Check, outcome: Outcome) -> CheckResult:
        match outcome:
            case Safe(certificate):
                return self._safe(check, certificate)
            case Executed():
                return self._executed(check)
            case Unsafe():
                return self._unsafe(check, outcome)
            case Unknown(reason):
                return result_of(check, Status.UNKNOWN, reason=reason)

    def _safe(self, check: Check, certificate: Certificate) -> CheckResult:
        if check.id not in self._certified:
            self._begin("certify", certificate.size)
            self._certify(certificate)
        examined = self._certified[check.id]
        if isinstance(examined, EvidenceAccepted):
            return _answer(check, Status.TRUE, examined)
        return result_of(check, examined.status, reason=examined.reason)

    def _certify(self, certificate: Certificate) -> None:
        """Check a certificate for all the checks that rest on it, and were not examined before."""
        checks = [
            number
            for number, outcome in self._outcomes.items()
            if isinstance(outcome, Safe) and outcome.certificate is certificate and number not in self._results
        ]
        self._certified.update(dict.fromkeys(checks, self._certification(certificate, checks)))

    def _certification(self, certificate: Certificate, checks: Sequence[int]) -> EvidenceAccepted | _NoProof:
        try:
            examined: EvidenceVerdict = self._task.certify(certificate, checks, self._limits, self._emit)
        except NoAnswer as error:
            status, reason = unanswered(error, self._limits)
            return _NoProof(f"the certificate was not checked to the end: {reason}", status=status)
        if isinstance(examined, EvidenceAccepted):
            self._show_invariants(certificate)
            return examined
        return _NoProof(f"the certificate is not accepted: {examined.reason}")

    def _executed(self, check: Check) -> CheckResult:
        """Repeat the execution, once for all the checks that rest on it and were not examined before."""
        if check.id not in self._repeated:
            checks = [n for n, one in self._outcomes.items() if isinstance(one, Executed) and n not in self._results]
            self._begin("repeat", 0)
            self._repeated.update(dict.fromkeys(checks, self._repetition(checks)))
        examined = self._repeated[check.id]
        if isinstance(examined, EvidenceAccepted):
            return _answer(check, Status.TRUE, examined)
        reason = f"the execution is no proof: {examined.reason}"
        return result_of(check, examined.status, "", reason, examined.undefined, examined.advice)

    def _repetition(self, checks: Sequence[int]) -> EvidenceAccepted | _NoProof:
        try:
            examined = self._task.repeat(checks, self._limits)
        except NoAnswer as error:
            status, reason = unanswered(error, self._limits)
            return _NoProof(reason, status=status)
        match examined:
            case EvidenceAccepted():
                return examined
            case EvidenceRejected(reason, undefined, advice):
                return _NoProof(reason, undefined, advice=advice)

    def _show_invariants(self, certificate: Certificate) -> None:
        """The invariants at source loops, in the order of the program; then contracts, at entries and exits."""
        locations = self._task.program.locations
        invariants = [(at, formula) for at, formula in certificate.invariants.items() if locations[at.location].loop]
        shown = [((at.stack, at.location), formula) for at, formula in sorted(invariants, key=_place_of)]
        for name, contract in certificate.contracts.items():
            function = self._task.program.functions[name]
            shown += [((CALLED, function.entry), contract.pre), ((CALLED, function.exit), contract.post)]
        simplified = self._simplified([formula for _, formula in shown])
        for place, formula in shown:
            self._emit(InvariantShown(place, self._number(simplified.get(formula, formula))))

    def _simplified(self, formulas: Sequence[Term]) -> Mapping[Term, Term]:
        """Formulas for display; a limit ends their simplification, and nothing else."""
        try:
            return self._task.simplified(formulas, self._limits)
        except NoAnswer:
            return {}

    def _unsafe(self, check: Check, claim: Unsafe) -> CheckResult:
        whole = Shortened(claim, is_minimal=self._keep is None)
        if self._keep is None:  # stored evidence stays as it is
            self._begin("replay", len(claim.path))
            return self._violation(check, [self._replayed(check, whole)])
        self._begin("shorten", len(claim.path))
        confirmed: list[_Replayed] = []  # no events tell of it: it is made only if shortening takes long
        seconds = max(0.0, min(self._seconds, self._shortening.remaining()))
        with self._task.shortening(check.id, claim, seconds) as search:
            try:
                short = search.result(self._shortening, _AT_ONCE)
                if short is None:
                    confirmed.append(self._replayed(check, whole))
                    short = search.result(self._shortening)
            except NoAnswer as error:
                short = None
                if isinstance(error, WorkFailed):
                    self._emit(Message("error", f"a counterexample was not made shorter: {error}"))
        self._emit(PhaseStarted("replay"))
        if short is not None and (short.claim != claim or not confirmed):
            first = self._replayed(check, short)
            if first.is_accepted or short.claim == claim:
                return self._violation(check, [first])
            return self._violation(check, [first, *(confirmed or [self._replayed(check, whole)])])
        known = confirmed or [self._replayed(check, whole)]
        return self._violation(check, [replace(one, counterexample=short or whole) for one in known])

    def _replayed(self, check: Check, counterexample: Shortened) -> _Replayed:
        try:
            return _Replayed(
                counterexample,
                self._task.replay(check.id, counterexample.claim, self._replay, self._limits, self._emit),
            )
        except NoAnswer as error:
            return _Replayed(counterexample, error)

    def _violation(self, check: Check, replayed: Sequence[_Replayed]) -> CheckResult:
        """The result where a counterexample was replayed in these ways: the first that is confirmed counts."""
        for one in replayed:
            if isinstance(one.examined, EvidenceRejected):
                self._note_undefined(one.examined)
        shown = next((one for one in replayed if one.is_accepted), replayed[0])
        if isinstance(shown.examined, NoAnswer):
            status, reason = unanswered(shown.examined, self._limits)
            return result_of(check, status, reason=f"the counterexample was not replayed: {reason}")
        self._outcomes[check.id] = shown.counterexample.claim
        self._emit(self._trace(check, shown.counterexample))
        match shown.examined:
            case EvidenceAccepted():
                return _answer(check, Status.FALSE, shown.examined)
            case EvidenceRejected(why, undefined, advice):
                reason = f"{_NOT_CONFIRMED}: {why}{_order_taken(self._task.program, shown.counterexample.claim)}"
                return result_of(check, Status.UNKNOWN, "", reason, undefined, advice)

    def _trace(self, check: Check, found: Shortened) -> TraceShown:
        return trace_event(self._task.program, check, found.claim, "" if found.is_minimal else NOT_MINIMAL)


def resting_on(undefined: str, advice: str, result: CheckResult) -> CheckResult:
    """The result where an execution is known to run into undefined behaviour, against what a `true` assumes."""
    if not undefined or result.status is not Status.TRUE:
        return result
    reason = f"it holds unless there is undefined behaviour, but an execution runs into {undefined}"
    return replace(result, status=Status.UNKNOWN, confirmed_by="", confirmer="", reason=reason, advice=advice)


def not_followed(results: Sequence[CheckResult]) -> tuple[CheckResult, ...]:
    """The results where executions are not followed behind what C defines, such as unsigned wrap-around.

    Unless that is excluded, a `true` of another check says nothing about these executions, so it is none.
    """
    possible = [one for one in results if one.property in DEFINED and one.status is not Status.TRUE]
    if not possible:
        return tuple(results)

    def why(one: CheckResult) -> str:
        behind = _before(one, possible)
        return _not_followed(behind, f"where C says how they go on; without `--check {behind.property}` they are")

    return _without_true(results, why)


def _before(one: CheckResult, possible: Sequence[CheckResult]) -> CheckResult:
    """The last of the checks that ends in the text before this one does, else the first of all."""

    def end(other: CheckResult) -> tuple[int, int]:
        return other.span.end_line, other.span.end_column

    earlier = [other for other in possible if other.span.file == one.span.file and end(other) <= end(one)]
    return max(earlier, key=end, default=possible[0])


def not_excluded(results: Sequence[CheckResult]) -> tuple[CheckResult, ...]:
    """The results where a counterexample to an access was found that is not confirmed.

    It may be none, and then executions go on behind the access which were not followed, so a `true` is none.
    """
    found = next((one for one in results if one.status is Status.UNKNOWN and _is_access(one)), None)
    if found is None:
        return tuple(results)
    reason = _not_followed(found, "whose counterexample is not confirmed")
    return _without_true(results, lambda _: reason)


def _not_followed(behind: CheckResult, why: str) -> str:
    return f"executions are not followed behind {behind.description} ({behind.span.file}:{behind.span.line}), {why}"


def _without_true(results: Sequence[CheckResult], reason: Callable[[CheckResult], str]) -> tuple[CheckResult, ...]:
    """The results where nothing is true, since executions are not followed behind a check."""
    return tuple(
        replace(one, status=Status.UNKNOWN, confirmed_by="", confirmer="", reason=reason(one))
        if one.status is Status.TRUE
        else one
        for one in results
    )


def _is_access(result: CheckResult) -> bool:
    """Whether the check is about accesses, and its counterexample was not confirmed."""
    kinds = (one for one in CheckKind if one.row.needs_sizes and one is not CheckKind.CLEANUP)
    names = {name for one in kinds for name in (one.value, *map(str, one.row.properties))}
    return _NOT_CONFIRMED in result.reason and result.property in names


def result_of(
    check: Check,
    status: Status,
    confirmed_by: str = "",
    reason: str = "",
    undefined: str = "",
    advice: str = "",
    confirmer: str = "",
) -> CheckResult:
    """A result of a check, with its name and place."""
    about = check.id, check.property, check.description, check.span
    return CheckResult(*about, status, confirmed_by, reason, undefined, advice, confirmer=confirmer)


def _answer(check: Check, status: Status, examined: EvidenceAccepted) -> CheckResult:
    return result_of(check, status, confirmed_by=examined.by, confirmer=examined.confirmer)


def decision(r: CheckResult) -> CheckDecided:
    """The event that states a result."""
    return CheckDecided(
        r.check,
        r.property,
        r.description,
        r.span.file,
        r.span.line,
        r.span.column,
        r.status.value,
        r.confirmed_by,
        r.reason,
        r.undefined,
        r.advice,
        r.reach,
        r.reached_by,
        r.confirmer,
    )


def _place_of(item: tuple[At, Term]) -> tuple[int, tuple[int, ...]]:
    return item[0].location, item[0].stack


def _order_taken(program: Program, claim: Unsafe) -> str:
    """The choice of the counterexample that C leaves open: an order of evaluation, or where objects lie."""
    for one in claim.inputs:
        if one.name == ORDER:
            return f"; at {one.span} it takes {program.orders.taken(one.span, one.value)}"
        if one.name == LAYOUT:
            return f"; C leaves open where objects lie, and so the comparison at {one.span}"
    return ""
