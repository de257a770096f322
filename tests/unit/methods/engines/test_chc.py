"""The engine `chc` beside the contract of engines: recursion of any depth, and the clauses as text."""

import time
from collections.abc import Callable, Mapping
from threading import Thread

import psutil
import pytest
import z3

from core.limits import Interrupted
from core.program import Program, Range
from core.verdict import Outcome, Safe, Unsafe
from methods.clauses.smtlib import to_clauses
from methods.engines.chc.engine import ChcEngine
from runs.events import LemmaAdded, Level, NodeAdded
from tests.contract.test_engines import Replay, calling, counting, recursive, straight, swapping
from tests.support.certified import is_certified
from tests.support.contexts import RecordingContext
from tests.support.contracted import Claim, asking, assigning, counting_down, remembering
from tests.support.program_builder import ProgramBuilder
from tests.support.random_graphs import random_program
from tests.support.reference import failing_checks

SMALL: Mapping[str, Callable[[], Program]] = {
    **{make.__name__: make for make in (straight, counting, swapping, calling, recursive)},
    "random 12": lambda: random_program(12, 4),
    "random 22": lambda: random_program(22, 4),
}


def outcomes(program: Program, summaries: str) -> dict[int, Outcome]:
    context = RecordingContext(options={"summaries": summaries})
    return dict(ChcEngine().run(program, [check.id for check in program.checks], context))


def examined(program: Program, check: int, outcome: Outcome) -> bool:
    """Whether the evidence of an outcome holds."""
    match outcome:
        case Safe(certificate):
            return is_certified(program, (check,), certificate)
        case Unsafe(inputs, path):
            return Replay(program, inputs).ends_at(path) == program.checks[check].location
        case _:
            return False


@pytest.mark.long
@pytest.mark.parametrize("summaries", ["recursive", "all"])
@pytest.mark.parametrize("seed", [*range(30, 41), 117])
def test_random_programs_are_decided_rightly(seed: int, summaries: str) -> None:
    program = random_program(seed, 4)
    failing = failing_checks(program)
    for check, outcome in outcomes(program, summaries).items():
        assert isinstance(outcome, Unsafe) == (check in failing)
        assert examined(program, check, outcome)


@pytest.mark.parametrize("summaries", ["recursive", "all"])
def test_recursion_of_any_depth_is_proved(summaries: str) -> None:
    program = counting_down().program
    [outcome] = outcomes(program, summaries).values()
    assert isinstance(outcome, Safe)
    assert "f" in outcome.certificate.contracts
    assert examined(program, 0, outcome)


@pytest.mark.parametrize("summaries", ["recursive", "all"])
@pytest.mark.parametrize("make", [assigning, asking, remembering])
def test_errors_behind_and_inside_calls_are_reached(make: Callable[[], Claim], summaries: str) -> None:
    claim = make()
    [outcome] = outcomes(claim.program, summaries).values()
    assert isinstance(outcome, Unsafe)
    assert examined(claim.program, 0, outcome)


def test_relations_and_their_conjuncts_are_nodes_and_lemmas() -> None:
    context = RecordingContext(Level.STATES)
    ChcEngine().run(counting(), [0], context)
    assert any(isinstance(event, NodeAdded) for event in context.events)
    assert any(isinstance(event, LemmaAdded) and event.role == "invariant" for event in context.events)


@pytest.mark.parametrize("name", SMALL)
def test_exported_clauses_are_read_back(name: str) -> None:
    program = SMALL[name]()
    solver = z3.SolverFor("HORN")
    solver.from_string(to_clauses(program))
    assert str(solver.check()) == ("unsat" if failing_checks(program) else "sat")


def test_exported_recursion_is_read_back() -> None:
    solver = z3.SolverFor("HORN")
    text = to_clauses(counting_down().program)
    assert "; R0: f returns: f.result, f::p" in text
    solver.from_string(text)
    assert str(solver.check()) == "sat"


def test_variables_may_have_the_names_of_predefined_symbols() -> None:
    b = ProgramBuilder()
    a = b.arena
    names = [b.variable(name, Range(0, 9)) for name in ("true", "false", "mod", "R0", "select")]
    entry, head, done = b.location(), b.location(loop=True), b.location()
    b.assign(entry, head, *((x, a.zero) for x in names))
    b.assign(head, head, *((x, y) for x, y in zip(names, [*names[1:], names[0]], strict=True)))
    wrong = a.not_(a.equals(a.add(*names), a.zero))
    b.assume(head, b.error(), wrong)
    b.assume(head, done, a.not_(wrong))
    b.function("main", entry, done)
    program = b.program()
    assert examined(program, 0, outcomes(program, "recursive")[0])


def test_a_question_is_interrupted_while_spacer_works() -> None:
    b = ProgramBuilder()
    a, x, y = b.arena, b.variable("x"), b.variable("y")
    entry, head, done = b.location(), b.location(loop=True), b.location()
    b.assign(entry, head, (x, a.zero), (y, a.zero))
    b.assign(
        head, head, (x, a.modulo(a.add(x, a.one), a.integer(100_000))), (y, a.modulo(a.add(y, x), a.integer(9973)))
    )
    b.assume(head, b.error(), a.and_(a.equals(x, a.integer(99_999)), a.equals(y, a.integer(5))))
    b.assume(head, done, a.true)
    b.function("main", entry, done)
    context = RecordingContext()
    before = set(psutil.Process().children())

    def stop_when_it_works() -> None:
        while set(psutil.Process().children()) <= before:
            time.sleep(0.01)
        context.limits.stop()

    Thread(target=stop_when_it_works, daemon=True).start()
    with pytest.raises(Interrupted):
        ChcEngine().run(b.program(), [0], context)
    assert context.limits.running == 0
