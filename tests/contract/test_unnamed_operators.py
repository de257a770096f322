"""Solvers and engines on an operator that they do not know: nothing that they say of it is wrong."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import pytest

from core.limits import LimitReached, NoAnswer, SolverUndecided
from core.program import Program, Range
from core.program.semantics import range_facts
from core.solver.bitwuzla_solver import BitwuzlaFactory
from core.solver.contract import Sat, Solver, Unsat
from core.solver.cvc5_solver import Cvc5Factory
from core.solver.z3_solver import Z3Factory
from core.terms import INT, Arena, Op, Term
from core.terms.smtlib_script import satisfiability_script
from core.verdict import Executed, Safe, Unknown, Unsafe
from methods.engine import Supported
from methods.registry import ENGINES, create_engine
from tests.support.certified import is_certified
from tests.support.contexts import RecordingContext
from tests.support.program_builder import ProgramBuilder
from tests.support.reference import failing_checks
from tests.support.synthetic import applied, new_operator, value

SMALL = Range(-4, 4)


@pytest.fixture
def synthetic(monkeypatch: pytest.MonkeyPatch) -> Op:
    return new_operator(monkeypatch)


def equal_arguments(op: Op, arena: Arena) -> list[Term]:
    """Formulas that no function satisfies: equal arguments with different results."""
    x, y = arena.symbol("x", INT), arena.symbol("y", INT)
    formulas = [
        arena.equals(arena.add(x, arena.one), y),
        arena.lt(applied(op, arena, arena.add(x, arena.one), x), applied(op, arena, y, arena.subtract(y, arena.one))),
    ]
    return [*range_facts(arena, formulas, lambda _: SMALL), *formulas]


SOLVERS: Mapping[str, Callable[[], Solver]] = {
    "z3": lambda: Z3Factory()(effort=2000),
    "z3 bits": lambda: Z3Factory(0, lambda _: SMALL)(effort=2000),
    "cvc5": lambda: Cvc5Factory()(effort=2000),
}


@pytest.mark.parametrize("name", SOLVERS)
class TestSolversOfUnknownFunctions:
    def test_equal_arguments_give_equal_results(self, name: str, synthetic: Op) -> None:
        solver = SOLVERS[name]()
        solver.add(*equal_arguments(synthetic, Arena()))
        assert isinstance(solver.check(), Unsat)

    def test_a_model_has_the_values_of_the_function(self, name: str, synthetic: Op) -> None:
        arena = Arena()
        x, y = arena.symbol("x", INT), arena.symbol("y", INT)
        term = applied(synthetic, arena, x, y)
        solver = SOLVERS[name]()
        solver.add(arena.between(0, x, 3), arena.equals(y, arena.one))
        for number in range(-1, 8):
            with solver.scope():
                solver.add(arena.equals(term, arena.integer(number)))
                try:
                    answer = solver.check()
                except SolverUndecided:
                    continue
                if isinstance(answer, Sat):
                    found = answer.model.value(x)
                    assert isinstance(found, int)
                    assert value(found, 1) == number == answer.model.value(term)
        with solver.scope():  # what a scope said is forgotten with it
            solver.add(arena.equals(x, arena.zero))
            answer = solver.check()
            assert isinstance(answer, Sat)
            assert answer.model.value(term) == value(0, 1)


def test_questions_about_bits_know_that_it_is_a_function(synthetic: Op) -> None:
    formulas = equal_arguments(synthetic, Arena())
    assert Cvc5Factory().refutes(formulas, effort=2000)
    assert Cvc5Factory().refutes_widened(formulas, 16, effort=2000)
    assert BitwuzlaFactory().refutes(formulas, 16, effort=2000)
    for bits in (None, 16):
        script = satisfiability_script(formulas, bits)
        assert script.count("(declare-fun synthetic (") == 1
        assert "UF" in script.splitlines()[0]


def twice(op: Op, b: ProgramBuilder, x: Term, y: Term) -> Term:
    """The error that two equal calls have other results: never."""
    a = b.arena
    return a.and_(a.equals(x, y), a.not_(a.equals(applied(op, a, x, a.one), applied(op, a, y, a.one))))


def beyond(op: Op, b: ProgramBuilder, x: Term, y: Term) -> Term:
    """The error that a result is beyond its interval: never."""
    return b.arena.gt(applied(op, b.arena, x, y), b.arena.integer(6))


def one_value(op: Op, b: ProgramBuilder, x: Term, y: Term) -> Term:
    """The error that a result is 3: it can be."""
    return b.arena.equals(applied(op, b.arena, x, y), b.arena.integer(3))


def other_value(op: Op, b: ProgramBuilder, x: Term, y: Term) -> Term:
    """The error that the result of constants is not what it is: never, but only its values say so."""
    a = b.arena
    known = applied(op, a, a.integer(2), a.one)
    return a.and_(a.le(x, y), a.not_(a.equals(known, a.integer(value(2, 1)))))


def looping(op: Op, error: Callable[[Op, ProgramBuilder, Term, Term], Term]) -> Program:
    """`x = y = nondet; i = 0; while (i < 3) { x = op(x, i); y = op(y, i); i++; }`, then the error."""
    b, small = ProgramBuilder(), Range(0, 7)
    a = b.arena
    x, y, i = (b.variable(f"main::{name}", small) for name in "xyi")
    entry, head, body, behind, done = (b.location(loop=k == 1) for k in range(5))
    start = b.input("nondet", small)
    b.assign(entry, head, (x, start), (y, start), (i, a.zero))
    b.assume(head, body, a.lt(i, a.integer(3)))
    b.assign(body, head, (x, applied(op, a, x, i)), (y, applied(op, a, y, i)), (i, a.add(i, a.one)))
    b.assume(head, behind, a.ge(i, a.integer(3)))
    wrong = error(op, b, x, y)
    b.assume(behind, b.error(), wrong)
    b.assume(behind, done, a.not_(wrong))
    b.function("main", entry, done, (), (x, y, i))
    return b.program()


DECIDING = ("bmc", "explicit")
"""Engines that decide what follows from its being a function, and from its range."""


@pytest.mark.long
@pytest.mark.parametrize("error", [twice, beyond, one_value, other_value], ids=lambda error: error.__name__)
@pytest.mark.parametrize("name", list(ENGINES))
def test_engines_say_nothing_wrong_of_an_operator_that_they_do_not_know(
    name: str, error: Callable[[Op, ProgramBuilder, Term, Term], Term], synthetic: Op
) -> None:
    program, engine = looping(synthetic, error), create_engine(name)
    if not isinstance(engine.supports(program), Supported):
        return
    try:
        outcome = engine.run(program, [0], RecordingContext(seconds=1))[0]
    except (LimitReached, NoAnswer):
        return
    fails = error is one_value
    assert fails == (0 in failing_checks(program))
    match outcome:
        case Safe(certificate):
            assert not fails
            assert is_certified(program, [0], certificate) or error is other_value  # values of constants are not proved
        case Executed():
            assert not fails
        case Unsafe():
            assert fails
        case _:
            assert isinstance(outcome, Unknown)
    if name in DECIDING and error in (twice, beyond):
        assert not isinstance(outcome, Unknown)
