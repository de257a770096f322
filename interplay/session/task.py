"""A task that was read and lowered, with the examiners of evidence about it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from core.limits import Limits
from core.program import Program
from core.program.properties import CheckKind
from core.verdict import Certificate, Unsafe
from frontend.typed.tree import TranslationUnit
from interplay.session.context import Emit
from interplay.session.question import Question
from interplay.session.request import Replay
from interplay.session.services import Confirmed, Examined, Refuted


@dataclass(frozen=True)
class LoadedTask:
    """Implements `Task`."""

    question: Question
    unit: TranslationUnit
    program: Program
    seed: int
    plain: TranslationUnit | None = None  # what runs, where the unit has more than its text says

    @property
    def sources(self) -> Mapping[str, str]:
        return self.question.sources

    @property
    def asked(self) -> bool:
        return self.question.property is not None or bool(self.question.kinds)

    def certify(self, certificate: Certificate, checks: Sequence[int], limits: Limits, emit: Emit) -> Examined:
        from interplay.session.examiners import certify

        return certify(self.program, certificate, checks, self.seed, limits, emit)

    def replay(self, check: int, claim: Unsafe, how: Replay, limits: Limits, emit: Emit) -> Examined:
        from frontend.interpreter import Budget
        from frontend.replay import Confirmed as Reached
        from frontend.replay import Native, confirm, error_policy, replayable

        limits.check()
        asked = self.program.checks[check]
        unit = self.unit if self.plain is None or asked.property == CheckKind.WITNESS else self.plain
        result = confirm(
            self.question.text,
            unit,
            error_policy(unit, self.question.property, self.question.kinds),
            asked,
            replayable(self.program, self.unit.data_model, claim),
            Native.ALLOWED if how is Replay.NATIVE else Native.REFUSED,
            budget=Budget(seconds=min(Budget().seconds, limits.remaining())),
        )
        return Confirmed(result.by) if isinstance(result, Reached) else Refuted(result.reason)
