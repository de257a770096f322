"""Formulas with bit operators: z3, cvc5 and Bitwuzla, each with a translation of its own, against enumeration."""

from itertools import product

import pytest

from core.analysis.bounds import Intervals
from core.decision.widening import width
from core.limits import SolverUndecided
from core.program import Range
from core.program.semantics import range_facts
from core.solver.bitwuzla_solver import BitwuzlaFactory
from core.solver.contract import Sat, Solver, Unsat
from core.solver.cvc5_solver import Cvc5Factory
from core.solver.z3_solver import Z3Factory
from core.terms import INT, Arena, ArrayValue, Term, Value, evaluate, subterms
from tests.support.random_bits import SMALL, WIDE, RandomBits


def constrained(draw: RandomBits, *formulas: Term) -> list[Term]:
    return [*range_facts(draw.arena, formulas, draw.range_of), *formulas]


def z3_with(draw: RandomBits, *formulas: Term) -> Solver:
    solver = Z3Factory(0, draw.range_of)(effort=2000)
    solver.add(*constrained(draw, *formulas))
    return solver


def is_satisfiable(draw: RandomBits, formula: Term) -> bool:
    domains = [range(bounds.low, bounds.high + 1) for bounds in draw.ranges.values()]
    return any(evaluate(formula, dict(zip(draw.symbols, values, strict=True))) for values in product(*domains))


@pytest.mark.long
@pytest.mark.parametrize("count", [20, pytest.param(80, marks=pytest.mark.slow)])
def test_all_solvers_agree_with_enumeration(count: int) -> None:
    answers = []
    undecided = 0
    for seed in range(count):
        draw = RandomBits(seed, SMALL)
        formula = draw.arena.and_(*(draw.formula(2) for _ in range(3)))
        expected = is_satisfiable(draw, formula)
        answers.append(expected)
        assert isinstance(z3_with(draw, formula).check(), Sat) == expected, (seed, formula)
        formulas = constrained(draw, formula)
        bits = width(formulas, Intervals(draw.range_of))
        assert bits is not None
        assert BitwuzlaFactory().refutes(formulas, bits) != expected, (seed, formula)
        own = Intervals(draw.range_of)
        assert BitwuzlaFactory().refutes_exactly(formulas, bits, own) != expected, (seed, formula)
        try:
            assert Cvc5Factory(0).refutes_widened(formulas, bits, effort=300) != expected, (seed, formula)
        except SolverUndecided:  # products are hard for it
            undecided += 1
    assert min(answers.count(True), answers.count(False)) > count // 6
    assert undecided < count // 2


@pytest.mark.long
def test_values_of_wide_terms() -> None:
    """Under fixed values of the symbols, a term has its value and no other one: in both solvers."""
    for seed in range(100):
        draw = RandomBits(seed, WIDE)
        term, values = draw.integer(3), draw.values()
        value = evaluate(term, values)
        assert isinstance(value, int)
        arena = draw.arena
        fixed = [arena.equals(s, arena.integer(v)) for s, v in values.items() if isinstance(v, int)]
        other = arena.not_(arena.equals(term, arena.integer(value)))
        assert isinstance(z3_with(draw, *fixed, other).check(), Unsat), (seed, term)
        formulas = constrained(draw, *fixed, other)
        bits = width(formulas, Intervals(draw.range_of))
        if bits is not None:
            assert Cvc5Factory(0).refutes_widened(formulas, bits, effort=2000), (seed, term)
            assert BitwuzlaFactory().refutes(formulas, bits, effort=2000), (seed, term)
            own = Intervals(draw.range_of)
            assert BitwuzlaFactory().refutes_exactly(formulas, bits, own, effort=2000), (seed, term)
            same = arena.equals(term, arena.integer(value))
            assert not BitwuzlaFactory().refutes_exactly(constrained(draw, *fixed, same), bits, own), (seed, term)


@pytest.mark.long
def test_models_satisfy_and_lie_within_ranges() -> None:
    found = 0
    for seed in range(80):
        draw = RandomBits(seed, WIDE, ["r"])
        formula = draw.arena.and_(draw.formula(2), draw.formula(2))
        try:
            answer = z3_with(draw, formula).check()
        except SolverUndecided:
            continue
        if isinstance(answer, Unsat):
            continue
        values: dict[Term, Value] = {s: answer.model.value(s) for s in draw.symbols}
        for symbol, value in values.items():
            bounds = draw.ranges[symbol]
            assert (
                isinstance(value, ArrayValue) or bounds.low <= value <= bounds.high or symbol not in formula.symbols()
            )
        assert evaluate(formula, values) is True, (seed, formula)
        terms = [t for t in subterms(formula) if t.sort == INT]
        assert [answer.model.value(t) for t in terms] == [evaluate(t, values) for t in terms]
        found += 1
    assert found > 30


def test_cores_and_scopes_work_over_bit_vectors() -> None:
    draw = RandomBits(0, SMALL)
    arena, (a, b, c) = draw.arena, draw.symbols
    odd = arena.equals(arena.bit_and(a, arena.one), arena.one)
    even = arena.equals(arena.modulo(a, arena.integer(2)), arena.zero)
    irrelevant = arena.equals(arena.bit_xor(b, c), arena.zero)
    solver = z3_with(draw)
    assert solver.check([irrelevant, odd, even]) == Unsat((odd, even))
    with solver.scope():
        solver.add(odd)
        assert isinstance(solver.check([even]), Unsat)
    assert isinstance(solver.check([even]), Sat)


def test_copies_have_the_range_of_their_original() -> None:
    draw = RandomBits(0, SMALL)
    arena, (a, *_) = draw.arena, draw.symbols
    later = arena.copy(arena.copy(a, "a#1"), "a#1@3")
    factory = Z3Factory(0, lambda s: draw.range_of(arena.original(s)))
    solver = factory()
    solver.add(arena.gt(later, arena.integer(7)))
    assert isinstance(solver.check(), Unsat)


def answer(solver: Solver, formula: Term) -> Sat | Unsat:
    solver.add(formula)
    return solver.check()


@pytest.mark.parametrize("make", [Z3Factory, Cvc5Factory])
def test_over_integers_bit_operators_are_refused(make: type[Z3Factory] | type[Cvc5Factory]) -> None:
    arena = Arena()
    x, y = arena.symbol("x", INT), arena.symbol("y", INT)
    with pytest.raises(SolverUndecided, match="bit operations"):
        answer(make(0)(), arena.equals(arena.bit_and(x, y), arena.zero))


def test_numbers_without_bounds_are_refused() -> None:
    arena = Arena()
    x = arena.symbol("x", INT)
    with pytest.raises(SolverUndecided, match="without bounds"):
        answer(Z3Factory(0, dict[Term, Range]().get)(), arena.lt(x, arena.zero))
    draw = RandomBits(0, SMALL)
    a, b, *_ = draw.symbols
    for shift in (draw.arena.shift_left, draw.arena.shift_right):
        with pytest.raises(SolverUndecided, match=r"negative|without bounds"):
            z3_with(draw, draw.arena.equals(shift(a, b), draw.arena.one)).check()
    with pytest.raises(SolverUndecided, match="quantifier"):
        z3_with(draw, draw.arena.forall([a], draw.arena.lt(a, b))).check()
