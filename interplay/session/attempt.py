"""An attempt: runs one engine on some checks of a task and examines its evidence.

A fifth of the time limit is kept for the examination.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from core.analysis.scalars import ScalarView
from core.dataclass import dataclass
from core.limits import Cause, Enough, Limits, NoAnswer, cause_of
from core.parameters import real_parameter
from core.program import Check, Program
from core.terms import computes_with_floats
from core.verdict import CheckResult, Outcome, Status, Unknown
from interplay.session.context import Emit, RunContext, Steering, Watchdog, reader
from interplay.session.endings import unanswered
from interplay.session.examination import Examiner, decision, result_of
from interplay.session.member_storage import MemberStorage
from interplay.session.request import Request
from interplay.session.scalar_outcomes import Translator
from interplay.session.services import ExaminedTask, Services
from methods.engine import NotSupported
from methods.options import WrongOption
from methods.registry import ENGINES
from runs.evidence_json import encode_evidence
from runs.jsondata import Malformed

RESERVED = real_parameter("session.attempt.reserved")


@dataclass(frozen=True)
class _Evidence:
    """The evidence of an attempt, which is examined as soon as the engine reports it."""

    request: Request
    examiner: Examiner
    translator: Translator
    checks: int

    def examine(self, outcomes: Mapping[int, Outcome]) -> bool:
        """Examine outcomes; tells whether any check is left. Raises `Enough` where one violation is wanted."""
        self.examiner.examine(self.translator.outcomes(outcomes))
        results = self.examiner.examined
        if self.request.ends_at_first() and any(one.status is Status.FALSE for one in results.values()):
            raise Enough
        return len(results) < self.checks


def _view(engine: str, task: ExaminedTask) -> ScalarView:
    """The view of a program that an engine gets; engines that examine a witness see the program itself."""
    known = ENGINES.get(engine)
    return ScalarView(task.program, {}) if known is None or known.reasons_about_arrays else task.scalars


_LIMITS_OF_ENGINES = (Cause.NO_PREDICATES, Cause.NO_PROGRESS, Cause.SOLVER_UNDECIDED)


def _explained(program: Program, engine: str, outcome: Outcome) -> Outcome:
    return (
        replace(outcome, reason=_with_limit(program, engine, outcome.reason))
        if isinstance(outcome, Unknown)
        else outcome
    )


def _with_limit(program: Program, engine: str, reason: str) -> str:
    """The reason of a missing answer, with what the engine cannot do where the program computes with such numbers."""
    limit = ENGINES[engine].floats if engine in ENGINES and computes_with_floats(program.terms()) else ""
    return f"{reason}{'; ' if ': ' in reason else ': '}{limit}" if limit else reason


@dataclass(frozen=True)
class AttemptRunner:
    """Runs an attempt with the engine and the limits of `request`; time counts from the start of this process.

    `used` are the CPU seconds that other work had before: of those that are left, a part is kept for evidence.
    """

    request: Request
    services: Services
    emit: Emit
    steering: Steering
    storage: MemberStorage
    used: float = 0.0

    def run(self, task: ExaminedTask, checks: Sequence[Check]) -> tuple[CheckResult, ...]:
        """One result for each of `checks`, after emitting it. Raises `Malformed` for options that the engine lacks."""
        engine = self.services.engine(self.request.engine)
        view = _view(self.request.engine, task)
        supported = engine.supports(view.program)
        if isinstance(supported, NotSupported):
            return self._none(checks, Status.UNKNOWN, f"engine {engine.name}: {supported.text}")
        limits = self._limits(1 - RESERVED)
        solver = self.services.solver(self.request, view.program)
        options = dict(self.request.options)
        request = self.request
        context = RunContext(
            self.emit,
            request.level,
            limits,
            request.seed,
            solver,
            options,
            self.steering,
            lambda place, text: view.replaced(reader(task.program)(place, text)),
            request.edits,
            view.original,
        )
        self.steering.on_cancel(solver.interrupt)
        examiner = self._examiner(task, context)
        evidence = _Evidence(request, examiner, Translator(task.program, view), len(checks))
        context.report_to(evidence.examine)
        try:
            with Watchdog(limits, solver.interrupt):
                outcomes = engine.run(view.program, tuple(check.id for check in checks), context)
            evidence.examine({check: _explained(view.program, engine.name, one) for check, one in outcomes.items()})
        except WrongOption as error:
            raise Malformed(f"engine {engine.name}: {error}") from None
        except NoAnswer as error:
            status, reason = unanswered(error, limits)
            if cause_of(reason) in _LIMITS_OF_ENGINES:
                reason = _with_limit(view.program, engine.name, reason)
            return examiner.results(checks, status, reason)
        return examiner.results(checks)

    def _examiner(self, task: ExaminedTask, context: RunContext) -> Examiner:
        """The examiner of what the engine finds; half of the time that is kept for it is not for shortening."""
        shortening = self._limits(1 - RESERVED / 2)
        self.steering.on_conclude(shortening.stop)
        seconds = self.request.shortening_seconds()
        whole = self._limits(1)
        return Examiner(task, self.request.replay, whole, self.emit, context.term, self._keep, seconds, shortening)

    def _keep(self, outcomes: Mapping[int, Outcome]) -> None:
        self.storage.document("evidence.json", lambda: encode_evidence(outcomes))

    def _limits(self, part: float) -> Limits:
        """A part of the time limit; the run can be cancelled."""
        whole = self.request.time_limit
        limits = Limits(None if whole is None else self.used + part * (whole - self.used))
        self.steering.on_cancel(limits.stop)
        return limits

    def _none(self, checks: Sequence[Check], status: Status, reason: str) -> tuple[CheckResult, ...]:
        """End every check without an answer, with the same reason."""
        results = tuple(result_of(check, status, reason=reason) for check in checks)
        for result in results:
            self.emit(decision(result))
        return results
