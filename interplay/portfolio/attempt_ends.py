"""Ends of the attempts of the portfolio."""

from __future__ import annotations

from core.dataclass import dataclass
from core.limits import Cause
from core.verdict import Status
from runs.events import AttemptResult


@dataclass(frozen=True)
class AttemptEnd:
    """The end of an attempt. `status` is the answer to the checks that it leaves open, `reason` explains it."""

    result: AttemptResult
    reason: str = ""
    status: Status = Status.UNKNOWN


DECIDED = AttemptEnd(AttemptResult.DECIDED)
NOT_NEEDED = AttemptEnd(AttemptResult.STOPPED, "another engine decided")
FIRST_VIOLATION = AttemptEnd(AttemptResult.STOPPED, Cause.FIRST_VIOLATION)
UNDEFINED = AttemptEnd(AttemptResult.STOPPED, "an execution runs into undefined behaviour")
INTERRUPTED = AttemptEnd(AttemptResult.STOPPED, Cause.INTERRUPTED)
TIME_IS_UP = AttemptEnd(AttemptResult.STOPPED, Cause.TIME_LIMIT, Status.TIMEOUT)
TOO_SLOW = AttemptEnd(AttemptResult.FAILED, Cause.TIME_LIMIT, Status.TIMEOUT)
TOO_LARGE = AttemptEnd(AttemptResult.FAILED, Cause.MEMORY, Status.OUT_OF_MEMORY)
STANDSTILL = AttemptEnd(AttemptResult.FAILED, "it waits for something that does not come")


def failed(reason: str) -> AttemptEnd:
    return AttemptEnd(AttemptResult.FAILED, reason)
