"""The states of a re-examination: stored evidence that is examined again on request."""

from __future__ import annotations

from core.dataclass import dataclass
from runs.events import CheckDecided


@dataclass(frozen=True)
class NotAsked:
    """Not requested yet. `obstacle` says why it cannot be, and is empty where it can."""

    obstacle: str = ""


@dataclass(frozen=True)
class Examining:
    """In progress; `doing` is the current activity."""

    doing: str


@dataclass(frozen=True)
class Examined:
    """Finished after so many seconds on the clock: the results of all checks and the `verdict`."""

    verdict: str
    checks: tuple[CheckDecided, ...]
    seconds: float
    reason: str = ""

    def check(self, check: int) -> CheckDecided | None:
        return next((one for one in self.checks if one.check == check), None)


@dataclass(frozen=True)
class Broken:
    """Failed: no worker could be started, or its output was invalid."""

    why: str


Reexamination = NotAsked | Examining | Examined | Broken
