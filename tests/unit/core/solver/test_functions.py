"""Functions that solvers do not know: facts exclude wrong values until a question is refuted or a model is right."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from random import Random

import pytest

from core.limits import SolverUndecided
from core.solver.contract import Sat, SolverFactory, Unsat
from core.solver.cvc5_solver import Cvc5Factory
from core.solver.functions import Boxes
from core.solver.z3_solver import Z3Factory
from core.terms import INT, Arena, Term, Value, evaluate
from core.terms.float_functions import FloatOperation, float_function
from core.terms.floats import DOUBLE, of_text
from core.terms.interval import Interval

FACTORIES: list[Callable[[], SolverFactory]] = [Z3Factory, Cvc5Factory]
ADD = float_function(FloatOperation.ADD, DOUBLE)


class Question:
    """Two numbers of an interval, and their sum."""

    def __init__(self, low: str = "0.5", high: str = "10.0") -> None:
        self.arena = Arena()
        self.x, self.y = (self.arena.symbol(name, INT) for name in "xy")
        self.sum = self.arena.compute(ADD, self.x, self.y)
        bounds = of_text(DOUBLE, low), of_text(DOUBLE, high)
        self.facts = [self.arena.between(bounds[0], one, bounds[1]) for one in (self.x, self.y)]

    def at_most(self, t: Term, text: str) -> Term:
        return self.arena.le(t, self.arena.integer(of_text(DOUBLE, text)))


@pytest.mark.parametrize("factory", FACTORIES)
def test_bounds_of_a_sum_follow_from_those_of_its_parts(factory: Callable[[], SolverFactory]) -> None:
    q = Question()
    solver = factory()(1000)
    solver.add(*q.facts)
    assert isinstance(solver.check([q.arena.not_(q.at_most(q.sum, "40.0"))]), Unsat)
    assert isinstance(solver.check([q.at_most(q.sum, "0.25")]), Unsat)


@pytest.mark.parametrize("factory", FACTORIES)
def test_a_model_has_exact_values(factory: Callable[[], SolverFactory]) -> None:
    q = Question()
    solver = factory()(1000)
    total = q.arena.symbol("total", INT)
    solver.add(*q.facts, q.arena.equals(total, q.sum))
    answer = solver.check()
    assert isinstance(answer, Sat)
    values = {one: answer.model.value(one) for one in (q.x, q.y, total)}
    assert all(evaluate(fact, values) is True for fact in q.facts)
    assert values[total] == evaluate(q.sum, values)


@pytest.mark.parametrize("factory", FACTORIES)
def test_what_is_computed_again_is_the_same_in_either_order(factory: Callable[[], SolverFactory]) -> None:
    """The order of arguments is that of their ages, so equal arguments of other ages may stand in another one."""
    q = Question()
    solver = factory()(1000)
    copy = q.arena.symbol("copy", INT)
    other = q.arena.compute(ADD, q.y, copy)
    solver.add(*q.facts, q.arena.equals(copy, q.x))
    assert isinstance(solver.check([q.arena.not_(q.arena.equals(q.sum, other))]), Unsat)


def test_twice_a_number_is_the_sum_with_a_copy_of_it() -> None:
    """Terms have the first as a product, and the second as a sum; the engines' solver knows both as sums."""
    q = Question()
    solver = Z3Factory()(1000)
    copy = q.arena.symbol("copy", INT)
    twice, other = q.arena.compute(ADD, q.x, q.x), q.arena.compute(ADD, q.x, copy)
    solver.add(*q.facts, q.arena.equals(copy, q.x))
    assert isinstance(solver.check([q.arena.not_(q.arena.equals(twice, other))]), Unsat)
    thrice = q.arena.compute(
        float_function(FloatOperation.MULTIPLY, DOUBLE), q.x, q.arena.integer(of_text(DOUBLE, "3"))
    )
    answer = solver.check(
        [q.arena.not_(q.arena.equals(thrice, other)), q.at_most(q.x, "9"), q.arena.le(q.arena.one, q.x)]
    )
    assert isinstance(answer, Sat)


@pytest.mark.parametrize("factory", FACTORIES)
def test_an_assumption_alone_may_have_functions(factory: Callable[[], SolverFactory]) -> None:
    q = Question()
    solver = factory()(1000)
    solver.add(*q.facts)
    wrong = q.arena.not_(q.at_most(q.sum, "19.99"))
    try:
        answer = solver.check([wrong])
    except SolverUndecided:
        return
    assert isinstance(answer, Sat)
    values = {one: answer.model.value(one) for one in (q.x, q.y)}
    assert evaluate(wrong, values) is True


def lies(number: int, ends: Interval) -> bool:
    return (ends.low is None or ends.low <= number) and (ends.high is None or number <= ends.high)


class Assignment:
    """A model with these values, whatever functions give."""

    def __init__(self, values: Mapping[Term, int]) -> None:
        self._values = values

    def value(self, term: Term) -> Value:
        return self._values[term]


@pytest.mark.parametrize("seed", range(20))
def test_facts_hold_wherever_arguments_lie_within_them(seed: int) -> None:
    random = Random(seed)
    q = Question()

    def number(low: int | None = None, high: int | None = None) -> int:
        ends = DOUBLE.minimum if low is None else low, DOUBLE.nan if high is None else high
        return random.choice([*ends, random.randint(*ends)])

    x, y = number(), number()
    wrong = random.choice([number(), ADD.value(x, y) + random.choice([-1, 1])])
    model = Assignment({q.x: x, q.y: y, q.sum: wrong})
    facts = list(Boxes().facts(model, [q.at_most(q.sum, "1.0")]))
    assert bool(facts) is (wrong != ADD.value(x, y))
    for fact in facts:
        arguments = dict(zip(fact.term.args, fact.arguments, strict=True))
        assert lies(x, arguments[q.x])
        assert lies(y, arguments[q.y])
        for _ in range(40):
            given = [number(arguments[one].low, arguments[one].high) for one in (q.x, q.y)]
            assert lies(ADD.value(*given), fact.value)
    assert not any(lies(wrong, fact.value) for fact in facts[:1])
