"""The certificate check as the session calls it, and the main engine under the session, on a program built by hand."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field

from core.analysis.scalars import ScalarView, scalar_view
from core.limits import Limits
from core.program import Program
from core.program.expansion import At
from core.program.span import Span
from core.solver.contract import SolverFactory
from core.solver.z3_solver import Z3Factory
from core.terms import Term
from core.verdict import Certificate, CheckResult, Confirmer, Shortened, Unsafe
from interplay.session.context import Emit, Steering
from interplay.session.endings import Ending
from interplay.session.examiners import certify
from interplay.session.member_storage import NoStorage
from interplay.session.request import ReplayMode, Request
from interplay.session.services import (
    EvidenceAccepted,
    EvidenceRejected,
    EvidenceVerdict,
    Reaching,
    ReadEvidence,
    ReadFile,
    Services,
)
from interplay.session.session import Session
from methods.engine import Engine
from methods.engines.transition.engine import TransitionEngine
from runs.events import Event, EvidenceStep, InvariantShown, LemmaAdded, Level, NodeAdded
from runs.events_json import encode
from runs.runview import RunView
from tests.support.fakes import ShortenedAtOnce
from tests.support.small_programs import counting_loop


def examined(program: Program, bound: int) -> tuple[EvidenceVerdict, list[Event]]:
    """The verdict of the check about `i ≤ bound` at the loop head."""
    events: list[Event] = []
    i = next(x for x in program.variables if x.name == "main::i")
    arena = program.arena
    invariant = arena.and_(arena.le(i, arena.integer(bound)), arena.ge(i, arena.zero))
    certificate = Certificate({At((0,), 4): invariant})
    return certify(program, certificate, (0,), 0, Limits(), events.append), events


def test_a_right_invariant_is_confirmed() -> None:
    found, events = examined(counting_loop(10), 10)
    assert isinstance(found, EvidenceAccepted)
    assert "SAT" in found.by
    assert any(isinstance(event, EvidenceStep) for event in events)


def test_a_wrong_invariant_is_not() -> None:
    for program, bound in ((counting_loop(10), 9), (counting_loop(10), 11), (counting_loop(11), 11)):
        found, _ = examined(program, bound)
        assert isinstance(found, EvidenceRejected)
        assert "small.c:" in found.reason


@dataclass
class HandmadeTask:
    program: Program
    sources: Mapping[str, str] = field(default_factory=dict)
    asked: bool = True
    unshown: tuple[str, ...] = ()
    data_model: str = ""

    @property
    def scalars(self) -> ScalarView:
        return scalar_view(self.program)

    def premises(self, limits: Limits) -> tuple[str, ...]:
        return ()

    def assumptions(self, results: Iterable[CheckResult]) -> tuple[str, ...]:
        return self.program.assumptions

    def reachability_of_start(self) -> None:
        return None

    def certify(self, certificate: Certificate, checks: Sequence[int], limits: Limits, emit: Emit) -> EvidenceVerdict:
        return certify(self.program, certificate, checks, 0, limits, emit)

    def repeat(self, checks: Sequence[int], limits: Limits) -> EvidenceVerdict:
        return EvidenceRejected("no C")

    def simplified(self, formulas: Sequence[Term], limits: Limits) -> Mapping[Term, Term]:
        return {}

    def reaching(
        self, services: Services, checks: Sequence[int], evidence: ReadEvidence, seconds: float
    ) -> AbstractContextManager[Reaching]:
        raise OSError("no process can be made")

    def unexamined(self) -> int:
        return 0

    def uncalled(self) -> Sequence[tuple[Span, str]]:
        return ()

    def shortening(self, check: int, claim: Unsafe, seconds: float) -> ShortenedAtOnce:
        return ShortenedAtOnce(Shortened(claim, True))

    def replay(self, check: int, claim: Unsafe, how: ReplayMode, limits: Limits, emit: Emit) -> EvidenceVerdict:
        return EvidenceAccepted("nobody", Confirmer.INVARIANT)


@dataclass
class HandmadeServices:
    program: Program

    def load(self, request: Request, files: ReadFile, phase: Callable[[str], None]) -> HandmadeTask:
        return HandmadeTask(self.program)

    def engine(self, name: str) -> Engine:
        return TransitionEngine()

    def solver(self, request: Request, program: Program) -> SolverFactory:
        return Z3Factory(request.seed)


def run(program: Program) -> tuple[Ending, list[Event]]:
    events: list[Event] = []
    request = Request("small.c", level=Level.STATES)
    session = Session(request, HandmadeServices(program), events.append, Steering(), NoStorage())
    return session.run(), events


def test_the_main_engine_proves_and_its_invariant_is_shown() -> None:
    ending, events = run(counting_loop(10))
    assert ending.string == "true"
    kinds = {type(event) for event in events}
    assert kinds >= {NodeAdded, LemmaAdded, EvidenceStep, InvariantShown}


def test_the_main_engine_refutes() -> None:
    assert run(counting_loop(3))[0].string == "false(unreach-call)"


def test_the_same_seed_gives_the_same_bytes() -> None:
    first, second = ([encode(event) for event in run(counting_loop(10))[1]] for _ in range(2))
    assert first == second


def test_the_events_fold() -> None:
    view = RunView()
    for event in run(counting_loop(10))[1]:
        view.add(event)
    last = view.attempt.rounds[-1].number
    assert view.state_at(last).nodes
    assert view.verdict is not None
