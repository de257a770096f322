"""The results of the portfolio: one for each check from the answers of all attempts, with the evidence."""

from __future__ import annotations

from collections.abc import Sequence

from core.limits import Cause
from core.program import Check, Program
from core.verdict import CheckResult, Outcome, Status
from interplay.portfolio.attempt import PortfolioAttempt
from interplay.portfolio.attempt_ends import AttemptEnd
from interplay.session.examination import resting_on, result_of
from interplay.session.member_storage import MemberStorage
from runs.events import AttemptResult
from runs.evidence_json import decode_evidence, encode_evidence
from runs.jsondata import parse


def results_for(
    checks: Sequence[Check], begun: Sequence[PortfolioAttempt], stop: AttemptEnd | None
) -> tuple[CheckResult, ...]:
    """The result of each check, in order; `stop` is why nothing more was tried."""
    decided = (one for attempt in begun for one in attempt.decided.values())
    undefined, advice = next(((one.undefined, one.advice) for one in decided if one.undefined), ("", ""))
    return tuple(resting_on(undefined, advice, _result_for(check, begun, stop)) for check in checks)


def _result_for(check: Check, begun: Sequence[PortfolioAttempt], stop: AttemptEnd | None) -> CheckResult:
    """The answer of an attempt, or the reason why there is none; undefined behaviour says more than a limit."""
    for attempt in begun:
        found = attempt.answer(check.id)
        if found is not None:
            return result_of(check, Status(found.status), found.confirmed_by, found.reason, confirmer=found.confirmer)
    for attempt in begun:
        own = attempt.decided.get(check.id)
        if own is not None and own.undefined:
            return result_of(check, Status.UNKNOWN, reason=own.reason, undefined=own.undefined, advice=own.advice)
    if stop is not None:
        return result_of(check, stop.status, reason=stop.reason)
    status, reason = _why_open(check, begun)
    return result_of(check, status, reason=reason)


def _why_open(check: Check, begun: Sequence[PortfolioAttempt]) -> tuple[Status, str]:
    """The status and reason of a check without an answer; reasons that a user can act on come first."""
    ends = [(attempt, *_why_undecided(attempt, check.id)) for attempt in begun]
    statuses = [status for _, status, _ in ends]
    if Status.TIMEOUT in statuses:
        return Status.TIMEOUT, Cause.TIME_LIMIT
    told: dict[str, list[str]] = {}
    for attempt, _, reason in ends:
        told.setdefault(reason, []).append(attempt.turn.engine)
    texts = "; ".join(f"{', '.join(engines)}: {reason}" for reason, engines in told.items())
    if Status.OUT_OF_MEMORY in statuses:
        return Status.OUT_OF_MEMORY, texts
    return Status.UNKNOWN, texts or "no engine takes the program"


def _why_undecided(attempt: PortfolioAttempt, check: int) -> tuple[Status, str]:
    """The status and reason of an attempt without an answer."""
    assert attempt.end is not None
    own = attempt.decided.get(check)
    if attempt.end.result in (AttemptResult.FAILED, AttemptResult.STOPPED) or own is None:
        return attempt.end.status, attempt.end.reason
    return Status(own.status), own.reason


def keep_evidence(storage: MemberStorage, begun: Sequence[PortfolioAttempt], program: Program) -> None:
    """Store the evidence for each answer, whichever attempt gave it, and that of undefined behaviour.

    An attempt writes its evidence before it says what it decided; one that is ended in between has evidence for checks
    that it did not decide.
    """
    answers: dict[int, Outcome] = {}
    undefined: dict[int, Outcome] = {}
    for attempt in begun:
        found = storage.beside(attempt.id).read("evidence.json")
        if found is not None and any(attempt.answer(one.check) or one.undefined for one in attempt.decided.values()):
            evidence = decode_evidence(parse(found), program.arena)
            brought = evidence.outcomes()
            answers.update({check: one for check, one in brought.items() if attempt.answer(check)})
            undefined.update({check: one for check, one in brought.items() if attempt.has_met_undefined(check)})
    outcomes = {**undefined, **answers}
    if outcomes:
        storage.document("evidence.json", lambda: encode_evidence(outcomes))


def keep_traces_of_failures(storage: MemberStorage, begun: Sequence[PortfolioAttempt]) -> None:
    """Store the tracebacks of attempts that failed."""
    texts = ((attempt.turn.engine, storage.beside(attempt.id).read("trouble.txt")) for attempt in begun)
    troubles = [f"{engine}:\n{text}" for engine, text in texts if text]
    if troubles:
        storage.text("trouble.txt", "\n".join(troubles))
