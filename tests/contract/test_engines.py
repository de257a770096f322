"""The contract of engines, run against every engine: outcomes are right, and their evidence holds.

Programs are small enough that their states can be enumerated; that is the truth.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass

import pytest

from core.limits import Interrupted, LimitReached, NoAnswer, SolverUndecided
from core.program import Program, Range
from core.program.expansion import At
from core.program.span import Span
from core.solver.contract import Sat, Unsat
from core.terms import Term, Value
from core.verdict import Executed, InputValue, Outcome, Safe, Unknown, Unsafe
from methods.engine import Edit, EditAction, Engine, Supported
from methods.registry import ENGINES, create_engine
from runs.events import Event, Level
from tests.support.certified import is_certified
from tests.support.contexts import RecordingContext, solver_for
from tests.support.program_builder import ProgramBuilder
from tests.support.random_graphs import random_bit_program, random_program
from tests.support.reference import Configuration, Interpreter, failing_checks

COMPLETE = ("transition", "explicit", "bmc", "chc")
"""Engines that decide every check here but for some; of the others, whatever they answer must be right."""

UNDECIDED = {("chc", "lowest bits"), ("chc", "rotating")}
"""Programs on which an engine has no answer to some check; what it answers must be right."""

SMALL = Range(0, 7)
BIT_SEEDS = (0, 1, 2, 4, 6, 7, 8, 9, 10, 13, 14, 17, 22)


# Programs


def straight() -> Program:
    """`x = nondet; if (x > 3) { y = x - 1; } else { y = x; }` check 0: y > 6, check 1: y == 3."""
    b = ProgramBuilder()
    a, x, y = b.arena, b.variable("main::x", SMALL), b.variable("main::y", SMALL)
    entry, read, high, low, joined, after, done = (b.location() for _ in range(7))
    b.assign(entry, read, (x, b.input("nondet", SMALL)))
    b.assume(read, high, a.gt(x, a.integer(3)))
    b.assume(read, low, a.le(x, a.integer(3)))
    b.assign(high, joined, (y, a.subtract(x, a.one)))
    b.assign(low, joined, (y, x))
    b.assume(joined, b.error(), a.gt(y, a.integer(6)))
    b.assume(joined, after, a.le(y, a.integer(6)))
    b.assume(after, b.error(), a.equals(y, a.integer(3)))
    b.assume(after, done, a.not_(a.equals(y, a.integer(3))))
    b.function("main", entry, done, (), (x, y))
    return b.program()


def counting() -> Program:
    """`n = nondet; i = s = 0; while (i < n) { i++; s++; }` check 0: i != s, check 1: i == 5."""
    b = ProgramBuilder()
    a = b.arena
    n, i, s = (b.variable(f"main::{name}", SMALL) for name in "nis")
    entry, head, body, behind, last, done = (b.location(loop=k == 1) for k in range(6))
    b.assign(entry, head, (n, b.input("nondet", SMALL)), (i, a.zero), (s, a.zero))
    b.assume(head, body, a.lt(i, n))
    b.assign(body, head, (i, a.add(i, a.one)), (s, a.add(s, a.one)))
    b.assume(head, behind, a.ge(i, n))
    b.assume(behind, b.error(), a.not_(a.equals(i, s)))
    b.assume(behind, last, a.equals(i, s))
    b.assume(last, b.error(), a.equals(i, a.integer(5)))
    b.assume(last, done, a.not_(a.equals(i, a.integer(5))))
    b.function("main", entry, done, (), (n, i, s))
    return b.program()


def swapping() -> Program:
    """`x = 1; y = 2; while (nondet) swap(x, y)` by simultaneous assignment; check 0: x == y."""
    b = ProgramBuilder()
    a, x, y, again = b.arena, *(b.variable(f"main::{name}", SMALL) for name in ("x", "y", "again"))
    entry, head, body, behind, done = (b.location(loop=k == 1) for k in range(5))
    b.assign(entry, head, (x, a.one), (y, a.integer(2)), (again, b.input("nondet", SMALL)))
    b.assume(head, body, a.gt(again, a.zero))
    b.assign(body, head, (x, y), (y, x), (again, b.input("nondet'", SMALL)))
    b.assume(head, behind, a.le(again, a.zero))
    b.assume(behind, b.error(), a.equals(x, y))
    b.assume(behind, done, a.not_(a.equals(x, y)))
    b.function("main", entry, done, (), (x, y, again))
    return b.program()


def calling() -> Program:
    """`f(p) { result = (p + 1) % 8; }`, called twice, first with an input; check 0: off by one, check 1: it is 6."""
    b = ProgramBuilder()
    a, x, p, result = b.arena, b.variable("main::x", SMALL), b.variable("f::p", SMALL), b.variable("f.result", SMALL)
    at = [b.location() for _ in range(7)]
    inside, back = b.location("f"), b.location("f")
    few = Range(0, 4)
    b.call(at[0], at[1], "f", b.input("nondet", few))
    b.assign(at[1], at[2], (x, result))
    b.call(at[2], at[3], "f", x)
    b.assume(at[3], b.error(), a.not_(a.equals(result, a.add(x, a.one))))
    b.assume(at[3], at[4], a.equals(result, a.add(x, a.one)))
    b.assume(at[4], b.error(), a.equals(result, a.integer(6)))
    b.assume(at[4], at[5], a.not_(a.equals(result, a.integer(6))))
    b.assign(inside, back, (result, a.modulo(a.add(p, a.one), a.integer(8))))
    b.function("main", at[0], at[5], (), (x,))
    b.function("f", inside, back, (p,))
    return b.program()


def recursive() -> Program:
    """`f(p) { l = p; if (p > 0) f(p - 1); check l == 1; }` called with 3: the locals of activations stay apart."""
    b = ProgramBuilder()
    a, p, local = b.arena, b.variable("f::p", Range(-1, 7)), b.variable("f::l", Range(-1, 7))
    entry, exit_ = b.location(), b.location()
    at = [b.location("f") for _ in range(5)]
    b.call(entry, exit_, "f", a.integer(3))
    b.assign(at[0], at[1], (local, p))
    b.assume(at[1], at[2], a.gt(p, a.zero))
    b.assume(at[1], at[3], a.le(p, a.zero))
    b.call(at[2], at[3], "f", a.subtract(p, a.one))
    b.assume(at[3], b.error("f"), a.equals(local, a.one))
    b.assume(at[3], at[4], a.not_(a.equals(local, a.one)))
    b.function("main", entry, exit_)
    b.function("f", at[0], at[4], (p,), (local,))
    return b.program()


def lowest_bits() -> Program:
    """`x = y = nondet; n = 0; while (y) { y &= y - 1; n++; }` check 0: a power of two with n != 1, check 1: n == 3."""
    b = ProgramBuilder()
    a = b.arena
    x, y, n = (b.variable(f"main::{name}", SMALL) for name in "xyn")
    entry, copied, head, body, behind, last, done = (b.location(loop=k == 2) for k in range(7))
    b.assign(entry, copied, (x, b.input("nondet", SMALL)), (n, a.zero))
    b.assign(copied, head, (y, x))
    b.assume(head, body, a.gt(y, a.zero))
    b.assign(body, head, (y, a.bit_and(y, a.subtract(y, a.one))), (n, a.modulo(a.add(n, a.one), a.integer(8))))
    b.assume(head, behind, a.le(y, a.zero))
    single = a.and_(a.equals(a.bit_and(x, a.subtract(x, a.one)), a.zero), a.gt(x, a.zero))
    wrong = a.and_(single, a.not_(a.equals(n, a.one)))
    b.assume(behind, b.error(), wrong)
    b.assume(behind, last, a.not_(wrong))
    b.assume(last, b.error(), a.equals(n, a.integer(3)))
    b.assume(last, done, a.not_(a.equals(n, a.integer(3))))
    b.function("main", entry, done, (), (x, y, n))
    return b.program()


def rotating() -> Program:
    """Rotates three bits left by n and right by n. Check 0: that changes them, check 1: the parity of 6 comes out."""
    b = ProgramBuilder()
    a = b.arena
    x, y, n = b.variable("main::x", SMALL), b.variable("main::y", SMALL), b.variable("main::n", Range(0, 2))
    at = [b.location() for _ in range(6)]

    def rotated(value: Term, left: Term, right: Term) -> Term:
        return a.modulo(a.bit_or(a.shift_left(value, left), a.shift_right(value, right)), a.integer(8))

    def opposite() -> Term:
        return a.modulo(a.subtract(a.integer(3), n), a.integer(4))

    b.assign(at[0], at[1], (x, b.input("nondet", SMALL)), (n, b.input("distance", Range(0, 2))))
    b.assign(at[1], at[2], (y, rotated(x, n, opposite())))
    b.assign(at[2], at[3], (y, rotated(y, opposite(), n)))
    b.assume(at[3], b.error(), a.not_(a.equals(y, x)))
    b.assume(at[3], at[4], a.equals(y, x))
    parity = a.modulo(a.bit_xor(y, a.bit_xor(a.divide(y, a.integer(2)), a.divide(y, a.integer(4)))), a.integer(2))
    b.assume(at[4], b.error(), a.and_(a.equals(parity, a.zero), a.equals(x, a.integer(6))))
    b.assume(at[4], at[5], a.true)
    b.function("main", at[0], at[5], (), (x, y, n))
    return b.program()


PROGRAMS: Mapping[str, Callable[[], Program]] = {
    "straight": straight,
    "counting": counting,
    "swapping": swapping,
    "calling": calling,
    "recursive": recursive,
    "lowest bits": lowest_bits,
    "rotating": rotating,
    **{f"random {seed}": (lambda seed=seed: random_program(seed, 4)) for seed in (2, 10, 12, 13, 18, 21, 22, 25, 28)},  # type: ignore[misc]
}


PROGRAMS = {
    **PROGRAMS,
    **{f"random bits {seed}": (lambda seed=seed: random_bit_program(seed, 4)) for seed in BIT_SEEDS},  # type: ignore[misc]
}


# Evidence


@dataclass
class Replay:
    """A run of the program along a path of edges on given inputs, by the interpreter with a stack."""

    program: Program
    inputs: Sequence[InputValue]

    def ends_at(self, path: Sequence[int]) -> int:
        """The location reached; every edge of `path` must be possible."""
        interpreter = Interpreter(self.program)
        c, used = interpreter.start(), dict[tuple[str, Span], int]()
        for edge in path:
            c = self._follow(interpreter, c, edge, used)
        return c.location

    def _follow(self, of: Interpreter, c: Configuration, edge: int, used: dict[tuple[str, Span], int]) -> Configuration:
        chosen: Configuration | None = None
        consumed: Sequence[Term] = ()
        for step, inputs, after in of.steps(c):
            if step.id == edge and all(self._value(s, used) == v for s, v in inputs.items()):
                chosen, consumed = after, tuple(inputs)
        assert chosen is not None, f"edge {edge} cannot be taken"
        for symbol in consumed:
            known = self.program.inputs[symbol]
            used[known.name, known.span] = used.get((known.name, known.span), 0) + 1
        return chosen

    def _value(self, symbol: Term, used: Mapping[tuple[str, Span], int]) -> Value:
        known = self.program.inputs[symbol]
        occurrence = used.get((known.name, known.span), 0)
        [value] = [
            i.value for i in self.inputs if (i.name, i.span, i.occurrence) == (known.name, known.span, occurrence)
        ]
        return value


class Hopeless:
    """A solver that never knows."""

    def __call__(self, effort: int | None = None) -> Hopeless:
        return self

    def add(self, *formulas: Term) -> None: ...

    def scope(self) -> AbstractContextManager[None]:
        return nullcontext()

    def check(self, assumptions: Sequence[Term] = ()) -> Sat | Unsat:
        raise SolverUndecided("hopeless")

    def interrupt(self) -> None: ...


@pytest.fixture(params=list(ENGINES))
def engine(request: pytest.FixtureRequest) -> Engine:
    return create_engine(request.param)


@pytest.fixture(params=COMPLETE)
def deciding(request: pytest.FixtureRequest) -> Engine:
    """An engine that decides every check of the programs here."""
    return create_engine(request.param)


def _outcomes(engine: Engine, program: Program, checks: Sequence[int]) -> Mapping[int, Outcome]:
    """The answer of an engine; one that need not decide everything is not waited for."""
    if engine.name in COMPLETE:
        return engine.run(program, checks, RecordingContext(solver=solver_for(program)))
    try:
        return engine.run(program, checks, RecordingContext(solver=solver_for(program), seconds=0.5))
    except LimitReached:
        return dict.fromkeys(checks, Unknown("out of time"))


class TestEngine:
    @pytest.mark.long
    @pytest.mark.parametrize("name", list(PROGRAMS))
    def test_outcomes_are_right_and_their_evidence_holds(self, engine: Engine, name: str) -> None:
        program = PROGRAMS[name]()
        if not isinstance(engine.supports(program), Supported):
            pytest.skip("not supported")
        checks = [check.id for check in program.checks]
        outcomes = _outcomes(engine, program, checks)
        assert sorted(outcomes) == checks
        failing = failing_checks(program)
        for check, outcome in outcomes.items():
            if not isinstance(outcome, Unknown) or (engine.name in COMPLETE and (engine.name, name) not in UNDECIDED):
                self._examine(program, check, outcome, check in failing)

    @staticmethod
    def _examine(program: Program, check: int, outcome: Outcome, fails: bool) -> None:
        match outcome:
            case Safe(certificate):
                assert not fails
                assert is_certified(program, [check], certificate)
            case Executed():
                assert not fails
            case Unsafe(inputs, path):
                assert fails
                assert Replay(program, inputs).ends_at(path) == program.checks[check].location
            case Unknown(reason):
                pytest.fail(f"check {check}: {reason}")

    def test_only_the_checks_asked_for_are_answered(self, deciding: Engine) -> None:
        program = straight()
        assert isinstance(deciding.run(program, [0], RecordingContext())[0], Safe)
        assert set(deciding.run(program, [1], RecordingContext())) == {1}

    def test_a_certificate_of_one_check_does_not_depend_on_the_failure_of_another(self, deciding: Engine) -> None:
        program = counting()
        outcomes = deciding.run(program, [0, 1], RecordingContext())
        assert isinstance(outcomes[1], Unsafe)
        assert isinstance(outcomes[0], Safe)
        assert is_certified(program, [0], outcomes[0].certificate)
        assert not is_certified(program, [0, 1], outcomes[0].certificate)

    @pytest.mark.long
    def test_the_same_run_twice_gives_the_same_events(self, engine: Engine) -> None:
        def events(program: Program) -> Sequence[Event]:
            context = RecordingContext(Level.STATES)
            create_engine(engine.name).run(program, [check.id for check in program.checks], context)
            return context.events

        programs: list[Callable[[], Program]] = [counting, calling]
        if engine.name in COMPLETE:
            programs.append(lambda: random_program(12, 4))
        for make in programs:
            assert events(make()) == events(make())

    def test_without_a_solver_nothing_false_is_claimed(self, engine: Engine) -> None:
        program = counting()
        try:
            outcomes = engine.run(program, [0, 1], RecordingContext(solver=Hopeless()))
        except NoAnswer:
            return
        assert not isinstance(outcomes[1], Safe)
        assert not isinstance(outcomes[0], Unsafe)

    def test_a_run_without_time_has_no_outcome(self, engine: Engine) -> None:
        with pytest.raises(LimitReached):
            engine.run(counting(), [0, 1], RecordingContext(seconds=0))

    def test_a_stopped_run_has_no_outcome(self, deciding: Engine) -> None:
        context = RecordingContext(edits={1: [Edit(EditAction.STOP, None, None)]})
        with pytest.raises(Interrupted):
            deciding.run(counting(), [0, 1], context)
        stopped = RecordingContext()
        stopped.limits.stop()
        with pytest.raises(Interrupted):
            deciding.run(counting(), [0, 1], stopped)

    def test_a_solver_that_was_interrupted_ends_the_run_and_decides_nothing(self, deciding: Engine) -> None:
        context = RecordingContext()

        class Interrupting(Hopeless):
            def check(self, assumptions: Sequence[Term] = ()) -> Sat | Unsat:
                context.limits.stop()
                raise SolverUndecided("canceled")

        context.solver = Interrupting()
        with pytest.raises(Interrupted):
            deciding.run(counting(), [1], context)

    def test_edits_change_no_outcome(self, deciding: Engine) -> None:
        program = counting()
        a, i = program.arena, next(iter(program.variables))
        silly = a.and_(a.le(i, a.integer(2)), a.not_(a.equals(i, a.one)))
        edits = [Edit(EditAction.ADD_PREDICATE, silly, None), Edit(EditAction.REMOVE_PREDICATE, a.le(i, a.one), None)]
        undone = [Edit(EditAction.REMOVE_PREDICATE, silly, None)]
        outcomes = deciding.run(program, [0, 1], RecordingContext(edits={0: edits, 1: edits, 2: undone}))
        assert isinstance(outcomes[0], Safe)
        assert isinstance(outcomes[1], Unsafe)
        assert is_certified(program, [0], outcomes[0].certificate)

    def test_rounds_are_numbered_in_order(self, engine: Engine) -> None:
        context = RecordingContext()
        engine.run(counting(), [0, 1], context)
        assert context.rounds == list(range(len(context.rounds)))

    def test_an_invariant_of_a_place_that_is_never_reached_is_false(self, deciding: Engine) -> None:
        program = straight()
        outcome = deciding.run(program, [0], RecordingContext())[0]
        assert isinstance(outcome, Safe)
        error = At((), program.checks[0].location)
        assert error not in outcome.certificate.invariants or outcome.certificate.invariants[error].is_false
