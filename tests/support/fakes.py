"""Services without front end and solvers: tasks are texts of one word, and the engine answers as the word asks.

For the portfolio a text has several: each is an engine. `word:0.2` gives it an opening of 0.2 CPU seconds.
"""

from __future__ import annotations

import math
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field, replace
from pathlib import Path

from core.analysis.scalars import ScalarView, scalar_view
from core.limits import LimitReached, Limits, NoProgress, SolverUndecided
from core.program import Check, InputKind, Program
from core.program.expansion import At
from core.program.span import Span
from core.solver.contract import Solver, SolverFactory
from core.terms import Sort, Term
from core.verdict import Certificate, CheckResult, Confirmer, InputValue, Outcome, Safe, Shortened, Unknown, Unsafe
from frontend.source import ParseError, Unsupported, point
from interplay.portfolio.plan import Plan, Turn
from interplay.session.apart import Apart
from interplay.session.context import Emit
from interplay.session.request import ReplayMode, Request
from interplay.session.services import (
    EvidenceAccepted,
    EvidenceRejected,
    EvidenceVerdict,
    Reaching,
    ReadEvidence,
    ReadFile,
    Services,
    Shortening,
)
from methods.engine import Context, Engine, NotSupported, Supported
from runs.events import Counter, EvidenceStep, LemmaAdded, Level, NodeAdded, NodesRemoved, PathFound, RoundStarted
from tests.support.small_programs import at, counting_loop

PATH = (0, 1, 2, 3, 4, 5, 6)
PHANTOM = 99
GATE = "gate"  # a file beside the tasks: before it is there, those with this word do not go on


@dataclass
class FakeTask:
    word: str
    program: Program
    sources: Mapping[str, str]
    asked: bool = False
    unshown: tuple[str, ...] = ()
    data_model: str = ""
    examined: list[str] = field(default_factory=list)

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
        self.examined.append(f"certify {list(checks)}")
        if self.word == "late":
            raise LimitReached("time limit reached")
        emit(EvidenceStep("loop", "bit-precise", "cvc5", (4,)))
        return (
            EvidenceRejected("edge 4 is undecided")
            if certificate.lemmas
            else EvidenceAccepted("a certificate", Confirmer.INVARIANT)
        )

    def repeat(self, checks: Sequence[int], limits: Limits) -> EvidenceVerdict:
        self.examined.append(f"repeat {list(checks)}")
        return EvidenceAccepted("a run", Confirmer.EXECUTION)

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

    def shortening(self, check: int, claim: Unsafe, seconds: float) -> AbstractContextManager[Shortening]:
        return LastingShortening(seconds) if "lasting" in self.word else ShortenedAtOnce(Shortened(claim, True))

    def replay(self, check: int, claim: Unsafe, how: ReplayMode, limits: Limits, emit: Emit) -> EvidenceVerdict:
        self.examined.append(f"replay {how}")
        return (
            EvidenceRejected("the run ends normally")
            if claim.inputs[0].value == PHANTOM
            else EvidenceAccepted("native replay", Confirmer.NATIVE_REPLAY)
        )


@dataclass
class ShortenedAtOnce:
    """A search for a short counterexample (`Shortening`) that has ended."""

    found: Shortened | None

    def __enter__(self) -> ShortenedAtOnce:
        return self

    def __exit__(self, *_: object) -> None:
        pass

    def result(self, limits: Limits, seconds: float = math.inf) -> Shortened | None:
        return self.found


class LastingShortening:
    """A search for a short counterexample (`Shortening`) that computes and finds nothing."""

    def __init__(self, seconds: float) -> None:
        self._apart = Apart(_endless, seconds)

    def __enter__(self) -> LastingShortening:
        return self

    def __exit__(self, *details: object) -> None:
        self._apart.__exit__(*details)

    def result(self, limits: Limits, seconds: float = math.inf) -> Shortened | None:
        assert self._apart.result(limits, seconds) is None
        return None


def _endless(limits: Limits) -> Iterator[bytes]:
    while limits.remaining() > 0:
        pass
    yield from ()


class FakeFactory:
    def __init__(self) -> None:
        self.interrupted = False

    def __call__(self, effort: int | None = None) -> Solver:
        raise SolverUndecided("no solver here")

    def interrupt(self) -> None:
        self.interrupted = True


class FakeEngine:
    def __init__(self, name: str, word: str) -> None:
        self.name = name
        self._word = word

    def supports(self, program: Program) -> Supported | NotSupported:
        return NotSupported("it has a word that fakes do not take") if self._word == "hard" else Supported()

    def run(self, program: Program, checks: Sequence[int], context: Context) -> Mapping[int, Outcome]:
        self._report(program, context)
        value = PHANTOM if self._word == "phantom" else 7
        claim = Unsafe((InputValue(InputKind.NONDET, "__VERIFIER_nondet_int", at(3, 11), 0, value),), PATH)
        if self._word in ("false", "phantom", "lasting"):
            return dict.fromkeys(checks, claim)
        if self._word == "early":  # it has no answer to the others
            context.decided({checks[0]: claim})
            return _answer("spin", program, checks, context)
        return _answer(self._word, program, checks, context)

    def _report(self, program: Program, context: Context) -> None:
        """Two rounds: the second begins with a new predicate after the nodes of the first have died.

        If `steered`, the first does not go on before an edit has come.
        """
        zero = program.arena.ge(program.arena.symbol("main::i", _int(program)), program.arena.zero)
        for number in (0, 1):
            context.emit(RoundStarted(number, "start" if number == 0 else "refined"))
            edits = context.between_rounds(number)
            while self._word == "steered" and number == 0 and not edits:
                time.sleep(0.01)
                edits = context.between_rounds(number)
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
            time.sleep(600)
        case "helper":  # a process of its own that computes while this one waits
            subprocess.run(helper(), check=False)
        case "abort":
            os.write(2, b"terminate called\n")
            os.abort()
        case "kill":
            os.kill(os.getpid(), signal.SIGKILL)
        case "large":
            kept = bytearray()
            while True:
                context.limits.check()
                if len(kept) < 400 << 20:
                    _compute(0.02)
                    kept += b"x" * (40 << 20)
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
    arena = program.arena
    i = arena.symbol("main::i", _int(program))
    lemmas = (arena.le(i, arena.zero),) if word == "weak" else ()
    answered = {"first": checks[:1], "last": checks[-1:]}.get(word, checks)
    certificate = Certificate({At((0,), 4): arena.le(i, arena.integer(10))}, lemmas)
    return dict.fromkeys(answered, Safe(certificate))


def helper() -> list[str]:
    """The command of a process that computes for ever; it names the test that it belongs to."""
    return [sys.executable, "-c", "while True: pass", os.environ["PYTEST_CURRENT_TEST"]]


def _compute(seconds: float) -> None:
    end = time.process_time() + seconds
    while time.process_time() < end:
        pass


def _int(program: Program) -> Sort:
    return program.arena.zero.sort


class FakeServices:
    """Words: true, false, weak, phantom, spin, sleep, gate, stuck, bug, memory, silent, unknown, lasting, late, …"""

    def __init__(self) -> None:
        self.task: FakeTask | None = None
        self.factory = FakeFactory()

    def load(self, request: Request, files: ReadFile, phase: Callable[[str], None]) -> FakeTask:
        phase("parse")
        text = files(request.task)
        word = text.strip()
        if word == "gate":
            _pass(Path(request.task).with_name(GATE))
        if word.startswith("two "):
            word = word.removeprefix("two ")
        if word == "garbage":
            raise ParseError(point(request.task, 1, 3), "expected a word")
        if word == "floats":
            raise Unsupported(point(request.task, 2, 5), "floating-point arithmetic")
        phase("lower")
        program = counting_loop(11 if {"false", "phantom", "early"} & set(word.split()) else 10)
        if word in ("empty", "asked"):
            program = with_checks(program, ())
        if text.startswith("two "):
            program = with_checks(program, (program.checks[0], replace(program.checks[0], id=1)))
        self.task = FakeTask(word, program, {request.task: text}, asked=word == "asked")
        return self.task

    def plan(self, program: Program) -> Plan:
        assert self.task is not None
        words = [word.partition(":") for word in self.task.word.split()]
        turns = tuple(Turn(name, float(opening or 0), 1, f"it is {name}") for name, _, opening in words)
        return Plan(turns, (("other", "it does not fit"),), (("edges", len(program.edges)),))

    def engine(self, name: str) -> Engine:
        assert self.task is not None
        return FakeEngine(name, self.task.word if name == "transition" else name)

    def solver(self, request: Request, program: Program) -> SolverFactory:
        return self.factory


def _pass(gate: Path) -> None:
    """Wait until the file is there; a little is computed, so that nobody takes this for a process that hangs."""
    while not gate.exists():
        _compute(0.005)
        time.sleep(0.02)


def with_checks(program: Program, checks: tuple[Check, ...]) -> Program:
    return Program(
        program.arena,
        program.functions,
        program.locations,
        program.edges,
        program.variables,
        program.inputs,
        checks,
        program.start,
    )
