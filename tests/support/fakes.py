"""A toolbox without front end and solvers: tasks are texts of one word, and the engine says what the word asks for."""

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from core.engine import Context, Engine, Reason, Supported
from core.events import Counter, EvidenceStep, LemmaAdded, Level, NodeAdded, NodesRemoved, PathFound, RoundStarted
from core.expansion import At
from core.limits import LimitReached, Limits, NoProgress, SolverUndecided
from core.program import InputKind, Program
from core.solver.contract import Solver, SolverFactory
from core.terms import Sort
from core.verdict import Certificate, InputValue, Outcome, Safe, Unknown, Unsafe
from frontend.source import ParseError, Unsupported, point
from interplay.context import Emit
from interplay.request import Replay, Request
from interplay.toolbox import Confirmed, Examined, Files, Refuted
from tests.support.small_programs import at, counting_loop

PATH = (0, 1, 2, 3, 4, 5, 6)


@dataclass
class FakeTask:
    word: str
    program: Program
    sources: Mapping[str, str]
    asked: bool = False
    examined: list[str] = field(default_factory=list)

    def certify(self, certificate: Certificate, checks: Sequence[int], limits: Limits, emit: Emit) -> Examined:
        self.examined.append(f"certify {list(checks)}")
        if self.word == "late":
            raise LimitReached("time limit reached")
        emit(EvidenceStep("loop", "bit-precise", "cvc5", (4,)))
        return Refuted("edge 4 is undecided") if self.word == "weak" else Confirmed("a certificate")

    def replay(self, check: int, claim: Unsafe, how: Replay, limits: Limits, emit: Emit) -> Examined:
        self.examined.append(f"replay {how}")
        return Refuted("the run ends normally") if self.word == "phantom" else Confirmed("native replay")


class FakeFactory:
    def __init__(self) -> None:
        self.interrupted = False

    def __call__(self, effort: int | None = None) -> Solver:
        raise SolverUndecided("no solver here")

    def interrupt(self) -> None:
        self.interrupted = True


class FakeEngine:
    name = "transition"

    def __init__(self, word: str) -> None:
        self._word = word

    def supports(self, program: Program) -> Supported | Reason:
        return Reason("it has a word that fakes do not take") if self._word == "hard" else Supported()

    def run(self, program: Program, checks: Sequence[int], context: Context) -> Mapping[int, Outcome]:
        self._report(program, context)
        if self._word in ("false", "phantom"):
            claim = Unsafe((InputValue(InputKind.NONDET, "__VERIFIER_nondet_int", at(3, 11), 0, 7),), PATH)
            return dict.fromkeys(checks, claim)
        return _answer(self._word, program, checks, context)

    def _report(self, program: Program, context: Context) -> None:
        """Two rounds: the second begins with a new predicate after the nodes of the first have died."""
        zero = program.arena.ge(program.arena.symbol("main::i", _int(program)), program.arena.zero)
        for number in (0, 1):
            context.emit(RoundStarted(number, "start" if number == 0 else "refined"))
            if self._word == "slow":
                time.sleep(0.3)
            context.between_rounds(number)
            formula = context.term(zero) if context.wants(Level.STATES) else -1
            if number:
                context.emit(LemmaAdded(0, "predicate", "core", formula, (), ((0,), 4)))
            context.emit(NodeAdded(2 * number, -1, ((), 0), (), formula))
            context.emit(NodeAdded(2 * number + 1, 2 * number, ((0,), 4), (0, 1, 2), formula))
            if number == 0:
                context.emit(PathFound(0, PATH, "refuted", (5,)))
                context.emit(NodesRemoved((0, 1)))
        context.emit(Counter("abstract states", 4))


def _answer(word: str, program: Program, checks: Sequence[int], context: Context) -> Mapping[int, Outcome]:
    match word:
        case "spin":
            while True:
                context.limits.check()
        case "sleep":
            time.sleep(60)
        case "stuck":
            raise NoProgress("the same path twice")
        case "bug":
            raise ValueError("seeded")
        case "memory":
            raise MemoryError
        case "silent":
            return {}
        case "unknown":
            return dict.fromkeys(checks, Unknown("no more rounds", (0, 1)))
        case _:
            pass
    i = program.arena.symbol("main::i", _int(program))
    return dict.fromkeys(checks, Safe(Certificate({At((0,), 4): program.arena.le(i, program.arena.integer(10))})))


def _int(program: Program) -> Sort:
    return program.arena.zero.sort


class FakeToolbox:
    """Words: true, false, weak, phantom, spin, sleep, stuck, bug, memory, silent, unknown, hard, late, empty, …"""

    def __init__(self) -> None:
        self.task: FakeTask | None = None
        self.factory = FakeFactory()

    def load(self, request: Request, files: Files, phase: Callable[[str], None]) -> FakeTask:
        phase("parse")
        text = files(request.task)
        word = text.strip()
        if word == "garbage":
            raise ParseError(point(request.task, 1, 3), "expected a word")
        if word == "floats":
            raise Unsupported(point(request.task, 2, 5), "floating-point arithmetic")
        phase("lower")
        program = counting_loop(11 if word in ("false", "phantom") else 10)
        if word in ("empty", "asked"):
            program = without_checks(program)
        self.task = FakeTask(word, program, {request.task: text}, asked=word == "asked")
        return self.task

    def engine(self, name: str) -> Engine:
        assert self.task is not None
        return FakeEngine(self.task.word)

    def solver(self, request: Request, program: Program) -> SolverFactory:
        return self.factory


def without_checks(program: Program) -> Program:
    return Program(
        program.arena,
        program.functions,
        program.locations,
        program.edges,
        program.variables,
        program.inputs,
        (),
        program.start,
    )
