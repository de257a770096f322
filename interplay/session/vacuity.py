"""The words for a true that is empty, and what is asked for them: see `interplay.session.reaching` for how."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from core.limits import Cause, Limits, NoAnswer
from core.parameters import real_parameter
from core.program.span import Span
from core.verdict import ANSWERS, CheckResult, Reachability, Status, Verdict
from interplay.session.context import Emit, Steering
from interplay.session.request import Request
from interplay.session.services import KnownReach, PreparedTask, ReadEvidence, Services
from runs.events import PhaseStarted

NO_START = "no start is admitted"
_REST = real_parameter("session.vacuity.rest")
_NAMED = 5  # places in the first lines of an answer


def reach(
    task: PreparedTask,
    services: Services,
    request: Request,
    verdict: Verdict,
    evidence: ReadEvidence,
    steering: Steering,
    emit: Emit,
) -> tuple[CheckResult, ...]:
    """The results of a verdict with what is known of the executions that come to the checks.

    It is asked about those that are not violated, and nothing changes an answer: where time is up, it is not known. Nor
    is it known that there is none where a check is not decided: it ends paths behind which executions may go on.
    """
    seconds = min(request.vacuity_seconds(), _REST * Limits(request.time_limit).remaining())
    if request.vacuity_seconds() <= 0 or verdict.status not in (*ANSWERS, Status.UNKNOWN):
        return verdict.checks
    asked = [one.check for one in verdict.checks if one.status is not Status.FALSE and not one.reach]
    limits, reached = Limits(), dict[int, KnownReach]()
    steering.on_cancel(limits.stop)
    if asked and seconds > 0:
        emit(PhaseStarted("reach"))
        try:
            with task.reaching(services, asked, evidence, seconds) as question:
                reached = dict(question.result(limits))
        except (NoAnswer, OSError):
            pass  # it is not known
    if any(one.status is Status.UNKNOWN for one in verdict.checks):
        reached = {check: one for check, one in reached.items() if one.reach is not Reachability.UNREACHED}
    return tuple(
        _of_violation(one)
        if one.status is Status.FALSE
        else replace(one, reach=reached[one.check].reach, reached_by=reached[one.check].by)
        if one.check in reached
        else replace(one, reach=one.reach or Reachability.NOT_KNOWN)
        for one in verdict.checks
    )


def unreached(checks: Sequence[CheckResult]) -> tuple[str, ...]:
    """The line that names the checks that are true since no execution comes there; none where there are none.

    A place to which an execution comes for another check is none of them.
    """
    others = (one.span for one in checks if one.status is Status.FALSE or one.reach == Reachability.REACHED)
    begun = set(map(_begin, others))
    empty = [one for one in checks if one.status is Status.TRUE and one.reach == Reachability.UNREACHED]
    if empty and all(one.reached_by == NO_START for one in empty):
        return (f"{NO_START}: no argument or heap meets what the function requires, so nothing was tested",)
    # With the column: something else on the line may be reached.
    told = [_begin(one.span) for one in empty if _begin(one.span) not in begun]
    places = dict.fromkeys(f"{file}:{line}:{column}" for file, line, column in told)
    if not places:
        return ()
    return (f"no execution reaches {_listed(list(places))}: what stands there was not tested",)


def _begin(span: Span) -> tuple[str, int, int]:
    return span.file, span.line, span.column


def uncalled(task: PreparedTask, request: Request, verdict: Verdict) -> tuple[str, ...]:
    """The line that names the claims in functions that nothing calls; none where nobody asked what was not tested."""
    is_told = verdict.status in ANSWERS or verdict.reason == Cause.NOTHING_TO_CHECK
    found = sorted(task.uncalled()) if is_told and request.vacuity_seconds() > 0 else []
    if not found:
        return ()
    places = dict.fromkeys(f"{name} ({span.file}:{span.line})" for span, name in found)
    return (f"nothing calls {_listed(list(places))}: what is claimed there was not tested",)


def unexamined(task: PreparedTask, request: Request, verdict: Verdict) -> tuple[str, ...]:
    """The line that says of how many functions a true says nothing, since no execution enters them."""
    count = task.unexamined() if verdict.status is Status.TRUE else 0
    start, several = request.entry or "main", "s" * (count > 1)
    told = f"{count} function{several} that {start} never calls, directly or through others"
    return (f"{told}, {'were' if several else 'was'} not examined",) if count else ()


def _listed(places: Sequence[str]) -> str:
    if len(places) > _NAMED:
        return f"{', '.join(places[:_NAMED])} and {len(places) - _NAMED} other places"
    return " and ".join((", ".join(places[:-1]), places[-1])) if len(places) > 1 else places[0]


def _of_violation(result: CheckResult) -> CheckResult:
    return replace(result, reach=Reachability.REACHED, reached_by="its counterexample")
