"""A task that was parsed and lowered, with the examiners of evidence about it."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from functools import cached_property
from typing import TYPE_CHECKING

from core.dataclass import dataclass
from core.limits import Limits
from core.program import InputKind, Program
from core.program.properties import CheckKind, PropertyKind
from core.program.span import Span
from core.terms import Term
from core.verdict import Certificate, CheckResult, Status, Unsafe
from frontend.typed.tree import TranslationUnit
from interplay.session.context import Emit
from interplay.session.request import (
    ARGUMENTS,
    DEFAULT_MODEL,
    MALLOC_FAILS,
    MALLOC_SUCCEEDS,
    VOLATILE_ARBITRARY,
    VOLATILE_MEMORY,
    ReplayMode,
)
from interplay.session.services import (
    EvidenceAccepted,
    EvidenceRejected,
    EvidenceVerdict,
    Reaching,
    ReadEvidence,
    Services,
    Shortening,
)
from interplay.session.verification_task import VerificationTask

if TYPE_CHECKING:
    from core.analysis.scalars import ScalarView
    from frontend.properties.errors import ErrorPolicy
    from frontend.replay.results import ReplayResult
    from interplay.session.obligations import ObligationFiles


_SHARE = 0.2
"""The part of the time of a run that must be left for reading the program again, under another data model."""


@dataclass(frozen=True)
class LoadedTask:
    """A parsed and lowered task (`PreparedTask`)."""

    task: VerificationTask
    unit: TranslationUnit
    program: Program
    seed: int
    plain: TranslationUnit | None = None  # what runs, where the unit has more than its text says
    start: VerificationTask | None = None  # the question whether a start in a function admits anything
    told: tuple[str, ...] = ()  # what the start assumes
    obligations: ObligationFiles | None = None

    @cached_property
    def scalars(self) -> ScalarView:
        from core.analysis.scalars import scalar_view  # which takes parameters

        return scalar_view(self.program)

    @property
    def sources(self) -> Mapping[str, str]:
        return self.task.sources

    @property
    def asked(self) -> bool:
        return self.task.property is not None or bool(self.task.kinds)

    @property
    def unshown(self) -> tuple[str, ...]:
        if PropertyKind.DEF_BEHAVIOR not in self.task.kinds.values():
            return ()
        from frontend.lowering.context import UNDEFINED
        from frontend.properties.unshown import unshown

        found = unshown(self.unit, self.program.functions)
        return (*map(str, found), *(f"assumed: {one}" for one in self.program.assumptions if one in UNDEFINED))

    def premises(self, limits: Limits) -> tuple[str, ...]:
        settings = *self._arguments(), *self._malloc(), *self._volatile()
        return (*self.told, *settings, *self._data_model_by_default(limits))

    def assumptions(self, results: Iterable[CheckResult]) -> tuple[str, ...]:
        from frontend.lowering.context import EXECUTED, RESTRICT

        found = self.program.assumptions
        statuses = {one.status for one in results}
        if Status.FALSE not in statuses or Status.TRUE in statuses:
            return found
        return tuple(EXECUTED if one == RESTRICT else one for one in found)  # the execution may break it

    def _arguments(self) -> tuple[str, ...]:
        """The number of arguments, where the program uses them."""
        from frontend.lowering.context import ONE_ARGUMENT

        return (ARGUMENTS,) if ONE_ARGUMENT in self.program.assumptions else ()

    def _malloc(self) -> tuple[str, ...]:
        """Whether allocation may fail, where that matters."""
        from frontend.libc.texts import FAILURE
        from frontend.lowering.context import ALLOCATES

        if any(one.name.endswith(FAILURE) for one in self.program.inputs.values()):
            return (MALLOC_FAILS,)
        return (MALLOC_SUCCEEDS,) if ALLOCATES in self.program.assumptions else ()

    def _volatile(self) -> tuple[str, ...]:
        """The premise about reads of volatile objects, where there are any."""
        from frontend.lowering.checks.unchecked import UNCHANGED

        if any(one.kind is InputKind.VOLATILE for one in self.program.inputs.values()):
            return (VOLATILE_ARBITRARY,)
        return (VOLATILE_MEMORY,) if UNCHANGED in self.program.assumptions else ()

    def _data_model_by_default(self, limits: Limits) -> tuple[str, ...]:
        if not self.task.is_default:
            return ()
        if limits.remaining() < _SHARE * (limits.cpu_seconds or 0):
            return (DEFAULT_MODEL,)
        from interplay.session.lowered import depends_on_sizes

        unit = self.unit if self.plain is None else self.plain
        return (DEFAULT_MODEL,) if depends_on_sizes(self.task, unit, self.program) else ()

    @property
    def data_model(self) -> str:
        return str(self.task.data_model)

    def reachability_of_start(self) -> LoadedTask | None:
        if self.start is None:
            return None
        from frontend.lowering.unit import lower

        unit = self.start.parsed()
        return LoadedTask(self.start, unit, lower(unit, self.start.property), self.seed)

    def certify(self, certificate: Certificate, checks: Sequence[int], limits: Limits, emit: Emit) -> EvidenceVerdict:
        from interplay.session.examiners import certify

        if self.obligations is None:
            return certify(self.program, certificate, checks, self.seed, limits, emit)
        result = certify(self.program, certificate, checks, self.seed, limits, emit, self.obligations.write)
        self.obligations.write_index()
        return result

    def repeat(self, checks: Sequence[int], limits: Limits) -> EvidenceVerdict:
        from frontend.interpreter import Budget
        from frontend.replay.policy import error_policy
        from frontend.replay.repetition import repeat

        limits.check()
        policy = error_policy(self.unit, self.task.property, self.task.kinds)
        claimed = [one for one in self.program.checks if one.id in checks]
        others = [one for one in self.program.checks if one.id not in checks]
        result = repeat(self._ordered(self.unit), policy, claimed, others, Budget(seconds=limits.remaining()))
        limits.check_again()
        return _verdict(result)

    def _ordered(self, unit: TranslationUnit) -> TranslationUnit:
        """The unit with the choices of orders that the program has, of the trees that were lowered."""
        from frontend.large_stack import run_on_large_stack
        from frontend.lowering.sequencing.rewriting import with_orders
        from frontend.typed.named_arrays import with_named_arrays

        if CheckKind.BOUNDS in self.task.kinds:
            unit = with_named_arrays(unit)
        conflicts = self.program.orders.conflicts
        return run_on_large_stack(lambda: with_orders(unit, conflicts, self.task.kinds)) if conflicts else unit

    def simplified(self, formulas: Sequence[Term], limits: Limits) -> Mapping[Term, Term]:
        from interplay.session.examiners import simplify

        return simplify(self.program, formulas, self.seed, limits)

    def shortening(self, check: int, claim: Unsafe, seconds: float) -> AbstractContextManager[Shortening]:
        from interplay.session.shortening import AsFound, ShorteningApart

        if not claim.inputs or not seconds:  # there is one execution, or no time for another one: no copy is made
            return nullcontext(AsFound(claim, is_minimal=not claim.inputs))
        return ShorteningApart(self.program, check, claim, seconds)

    def reaching(
        self, services: Services, checks: Sequence[int], evidence: ReadEvidence, seconds: float
    ) -> AbstractContextManager[Reaching]:
        from interplay.session.reaching import ReachingApart

        return ReachingApart(self, services, checks, evidence, seconds)

    def replayed(self) -> tuple[TranslationUnit, ErrorPolicy]:
        """The program that the interpreter runs where no check is asked about, and what its errors are."""
        from frontend.replay.policy import error_policy

        unit = self._ordered(self.unit if self.plain is None else self.plain)
        return unit, error_policy(unit, self.task.property, self.task.kinds)

    def unexamined(self) -> int:
        from frontend.properties.uncalled import unexamined

        return sum(function.span.file in self._files for _, function in unexamined(*self._entered))

    def uncalled(self) -> Sequence[tuple[Span, str]]:
        from frontend.properties.uncalled import uncalled

        if self.task.entry != "main":
            return ()  # what others call is another question
        return [one for one in uncalled(*self._entered) if one[0].file in self._files]

    @cached_property
    def _entered(self) -> tuple[TranslationUnit, ErrorPolicy, Collection[str]]:
        """The program, what its errors are, and the functions that executions enter, by its form."""
        from frontend.lowering.guards import guards
        from frontend.properties.errors import error_functions
        from frontend.replay.policy import error_policy

        entered = {*self.program.functions, *guards(self.unit, error_functions(self.task.property))}
        return self.unit, error_policy(self.unit, self.task.property, self.task.kinds), entered

    @cached_property
    def _files(self) -> frozenset[str]:
        """The C files, without what these include."""
        return frozenset(one.file for one in self.task.inputs)

    def replay(self, check: int, claim: Unsafe, how: ReplayMode, limits: Limits, emit: Emit) -> EvidenceVerdict:
        from frontend.interpreter import Budget
        from frontend.interpreter.main_arguments import command
        from frontend.replay.confirm import Native, confirm
        from frontend.replay.contents import replayable
        from frontend.replay.policy import error_policy
        from frontend.replay.results import Reproduced

        limits.check()
        asked = self.program.checks[check]
        unit = self._ordered(self.unit if self.plain is None or asked.property == CheckKind.WITNESS else self.plain)
        inputs = replayable(self.program, self.unit.data_model, claim)
        result = confirm(
            self.task.inputs,
            unit,
            error_policy(unit, self.task.property, self.task.kinds),
            asked,
            inputs,
            Native.ALLOWED if how is ReplayMode.NATIVE else Native.REFUSED,
            budget=Budget(seconds=min(Budget().seconds, limits.remaining())),
            read=self.task.header,
        )
        if isinstance(result, Reproduced) and (words := command(unit, inputs)):
            return EvidenceAccepted(f"{result.by}; started as: {words}", result.confirmer)
        return _verdict(result)


def _verdict(result: ReplayResult) -> EvidenceVerdict:
    from frontend.replay.results import NotAvailable, NotReproduced, Reproduced

    match result:
        case Reproduced(by, confirmer):
            return EvidenceAccepted(by, confirmer)
        case NotReproduced(reason, undefined, advice):
            return EvidenceRejected(reason, undefined, advice)
        case NotAvailable(reason):
            return EvidenceRejected(reason)
