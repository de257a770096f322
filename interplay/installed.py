"""The real toolbox: the front end, the engines and the solvers, each imported when it is first used."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from core.claims import WITNESS
from core.engine import Engine
from core.limits import Limits
from core.program import Program
from core.solver.contract import SolverFactory
from core.verdict import Certificate, Unsafe
from frontend.choice import ArithmeticChoice
from frontend.tree import TranslationUnit
from interplay.context import Emit
from interplay.loading import Question, read_question
from interplay.plan import Plan, features_of, plan
from interplay.request import ENGINES, Replay, Request
from interplay.toolbox import Confirmed, Examined, Files, Refuted


class Installed:
    """Implements `Toolbox`."""

    def load(self, request: Request, files: Files, phase: Callable[[str], None]) -> LoadedTask:
        from frontend.api import parse_program
        from frontend.lowering.unit import lower

        phase("parse")
        question = read_question(request, files)
        if question.witness is not None:
            from interplay.witnessed import load

            return load(question, question.witness, request, phase)
        unit = parse_program(question.text, question.file, question.data_model, question.acsl())
        phase("lower")
        program = lower(unit, question.property, request.arithmetic, question.kinds)
        return LoadedTask(question, unit, program, request.seed)

    def plan(self, program: Program) -> Plan:
        return plan(features_of(program), ENGINES)

    def engine(self, name: str) -> Engine:
        match name:
            case "transition":
                from core.engines.transition import TransitionEngine

                return TransitionEngine()
            case "chc":
                from core.engines.chc import ChcEngine

                return ChcEngine()
            case "claims":
                from core.engines.claims import ClaimsEngine

                return ClaimsEngine()
            case "guided":
                from core.engines.guided import GuidedEngine

                return GuidedEngine()
            case "bmc":
                from core.engines.bmc import BmcEngine

                return BmcEngine()
            case "concrete":
                from core.engines.concrete import ConcreteEngine

                return ConcreteEngine()
            case "explicit":
                from core.engines.explicit import ExplicitEngine
                from core.engines.transition import predicate_refinement

                return ExplicitEngine(predicate_refinement)
            case _:
                raise KeyError(name)

    def solver(self, request: Request, program: Program) -> SolverFactory:
        from core.solver.z3_solver import Z3Factory

        if request.arithmetic is not ArithmeticChoice.BITVECTORS and not program.uses_bits:
            return Z3Factory(request.seed)
        return Z3Factory(request.seed, lambda symbol: program.range_of(program.arena.original(symbol)))


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
        from interplay.evidence import certify

        return certify(self.program, certificate, checks, self.seed, limits, emit)

    def replay(self, check: int, claim: Unsafe, how: Replay, limits: Limits, emit: Emit) -> Examined:
        from frontend.interpreter import Budget
        from frontend.replay import Confirmed as Reached
        from frontend.replay import Native, confirm, error_policy, replayable

        limits.check()
        asked = self.program.checks[check]
        unit = self.unit if self.plain is None or asked.property == WITNESS else self.plain
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
