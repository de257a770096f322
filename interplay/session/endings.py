"""The ending of a run: its verdict, the verdict string, the exit code, and advice after an unknown.

`unanswered` is the one place where an exception that ends an engine becomes a verdict.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from enum import IntEnum, StrEnum

from core.dataclass import dataclass
from core.limits import Cause, Enough, Interrupted, LimitReached, Limits, NoAnswer, NoProgress
from core.verdict import EXIT_CODES, CheckResult, Status, Verdict
from runs.events import VerdictReached


class ExitCode(IntEnum):
    """Exit codes beside those of `core.verdict.EXIT_CODES`."""

    COMMAND_LINE = 2
    NOT_PARSED = 3
    UNSUPPORTED = 4
    INTERNAL = 70
    INTERRUPTED = 130


class Termination(StrEnum):
    """The reason why a run was ended from outside, in the terms of BenchExec."""

    CPUTIME = "cputime"
    WALLTIME = "walltime"  # it did not compute any more
    MEMORY = "memory"
    KILLED = "killed"  # by someone else
    FAILED = "failed"  # it crashed, or said what no run says


@dataclass(frozen=True)
class Ending:
    """A verdict with the string and the exit code that state it."""

    verdict: Verdict
    string: str
    exit_code: int

    def event(self) -> VerdictReached:
        v = self.verdict
        evidence = v.assumptions, v.confirmed_by, v.reason, v.advice
        return VerdictReached(self.string, self.exit_code, *evidence, v.premises, v.data_model, v.untested)


def ending(verdict: Verdict, from_engines: bool = True) -> Ending:
    """The ending that states `verdict`, with advice added to an answer that is none.

    Where evidence was examined, no engine took part whose run could say more.
    """
    if not verdict.advice:
        verdict = replace(verdict, advice=_advice(verdict, from_engines))
    if verdict.status is Status.UNKNOWN and verdict.reason == Cause.INTERRUPTED:
        return Ending(verdict, f"{verdict} ({Cause.INTERRUPTED})", ExitCode.INTERRUPTED)
    if verdict.status is Status.UNKNOWN and verdict.reason == Cause.NOTHING_TO_CHECK:
        return Ending(verdict, f"{verdict} ({Cause.NOTHING_TO_CHECK})", EXIT_CODES[verdict.status])
    return Ending(verdict, str(verdict), EXIT_CODES[verdict.status])


def refused(code: ExitCode, reason: str, kind: str) -> Ending:
    """The ending for rejected input or an internal error: there is no verdict on the task."""
    advice = "please report this, with the run file that --output writes" if code is ExitCode.INTERNAL else ""
    verdict = Verdict(Status.ERROR, "", (), reason=reason, advice=advice)
    return Ending(verdict, f"ERROR ({kind})", code)


def combined(checks: Iterable[CheckResult], assumptions: tuple[str, ...]) -> Verdict:
    """The verdict of a run: false if a violation is confirmed, true if every check is, else without an answer.

    Where answers are missing, undefined behaviour explains it first, then lack of time or memory; what is true of some
    checks rests on the assumptions all the same.
    """
    results = tuple(checks)
    for result in results:
        if result.status is Status.FALSE:
            return Verdict(Status.FALSE, result.property, results, assumptions, result.confirmed_by)
    if all(result.status is Status.TRUE for result in results):
        by = ", ".join(dict.fromkeys(result.confirmed_by for result in results))
        return Verdict(Status.TRUE, "", results, assumptions, by)
    assumed = assumptions if any(result.status is Status.TRUE for result in results) else ()
    for result in results:
        if result.undefined:
            return Verdict(Status.UNKNOWN, "", results, assumed, reason=result.reason, advice=result.advice)
    for status in (Status.TIMEOUT, Status.OUT_OF_MEMORY, Status.UNKNOWN):
        missing = [result for result in results if result.status is status]
        if missing:
            return Verdict(status, "", results, assumed, reason=missing[0].reason, advice=missing[0].advice)
    raise AssertionError(results)


def unanswered(error: NoAnswer, limits: Limits) -> tuple[Status, str]:
    """The status and the reason of checks that an engine or an examination left open by raising `error`."""
    if isinstance(error, LimitReached) or (not isinstance(error, Interrupted | Enough) and limits.remaining() <= 0):
        return Status.TIMEOUT, Cause.TIME_LIMIT
    if isinstance(error, Interrupted):
        return Status.UNKNOWN, Cause.INTERRUPTED
    if isinstance(error, Enough):
        return Status.UNKNOWN, Cause.FIRST_VIOLATION
    if isinstance(error, NoProgress):
        return Status.UNKNOWN, f"{Cause.NO_PROGRESS}: {error}"
    return Status.UNKNOWN, f"{Cause.SOLVER_UNDECIDED}: {error}"


_SHORTAGE = (
    *("out of memory", "Cannot allocate memory", "can't start new thread", "bad_alloc"),
    *("failed to map segment", "libz3.so"),  # z3 names its library only where that could not be loaded
)


def is_memory_shortage(error: BaseException) -> bool:
    """Whether `error` reports exhausted memory; native libraries and threads have errors of their own for that."""
    return isinstance(error, MemoryError) or is_memory_complaint(str(error))


def is_memory_complaint(text: str) -> bool:
    """Whether the last error output of a process reports exhausted memory."""
    return any(words in text for words in (*_SHORTAGE, "MemoryError"))


def _advice(verdict: Verdict, from_engines: bool) -> str:
    match verdict.status:
        case Status.TIMEOUT if not from_engines:
            return "try a larger --time-limit"
        case Status.TIMEOUT:
            return "try a larger --time-limit; `interplay show` of a run file (`--output RUN`) has what took the time"
        case Status.OUT_OF_MEMORY:
            return "try a larger --memory-limit"
        case Status.UNKNOWN if verdict.reason == Cause.NOTHING_TO_CHECK:
            return "add an assertion, call reach_error(), name a --property, or ask with --check-ub"
        case Status.UNKNOWN if from_engines and verdict.reason != Cause.INTERRUPTED:
            return "`interplay show` prints the last path and the predicates of a run file (`--output RUN`)"
        case _:
            return ""
