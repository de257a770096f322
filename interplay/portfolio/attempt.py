"""An attempt of the portfolio: a turn of the plan, its process once it has begun, and its answers."""

from __future__ import annotations

from dataclasses import field

from core.dataclass import dataclass
from core.parameters import real_parameter
from core.program import Check
from core.verdict import ANSWERS, Status
from interplay.portfolio import attempt_ends
from interplay.portfolio.attempt_ends import AttemptEnd
from interplay.portfolio.fork import Fork
from interplay.portfolio.schedule import ScheduledTurn
from interplay.process.monitor import StallDetector
from runs.events import RUN, AttemptResult, CheckDecided

LEAST = real_parameter("portfolio.attempt.least")


@dataclass(eq=False)
class PortfolioAttempt(ScheduledTurn):
    """An attempt. `decided` are its own decisions, by check; `id` is `RUN` before it begins."""

    id: int = RUN
    fork: Fork | None = None
    checks: tuple[Check, ...] = ()
    decided: dict[int, CheckDecided] = field(default_factory=dict)
    memory: float = 0.0  # megabytes
    stall: StallDetector = field(default_factory=lambda: StallDetector(LEAST))
    end: AttemptEnd | None = None

    def answer(self, check: int) -> CheckDecided | None:
        found = self.decided.get(check)
        return found if found is not None and found.status in ANSWERS else None

    def has_met_undefined(self, check: int) -> bool:
        found = self.decided.get(check)
        return found is not None and bool(found.undefined)

    @property
    def is_successful(self) -> bool:
        return all(self.answer(check.id) for check in self.checks)

    @property
    def has_found_violation(self) -> bool:
        return any(one.status == Status.FALSE for one in self.decided.values())

    def own_end(self) -> AttemptEnd:
        """The end of an attempt that ended by itself; its reason is that of the first check left open."""
        if self.is_successful:
            return attempt_ends.DECIDED
        for decided in self.decided.values():
            if decided.status not in ANSWERS:
                return AttemptEnd(AttemptResult.UNDECIDED, decided.reason, Status(decided.status))
        return AttemptEnd(AttemptResult.UNDECIDED, "it says nothing")
