"""Bit-vectors of the chosen width hold every value."""

import pytest

from core.analysis.bounds import Intervals
from core.decision.bounding import bounded_part
from core.decision.widening import width
from core.limits import SolverUndecided
from core.program import Range
from core.program.semantics import range_facts
from core.solver.bitwuzla_solver import BitwuzlaFactory
from core.solver.contract import BitMethod, Unsat
from core.solver.cvc5_solver import Cvc5Factory
from core.solver.evidence import EvidenceFactory
from core.terms import BOOL, INT, INT_ARRAY, Arena, Term, evaluate, subterms
from core.terms.float_functions import FloatOperation, float_function
from core.terms.floats import FLOAT, of_integer
from tests.support.random_terms import RandomTerms

BOUNDS = Range(-4, 4)
_BY_BITS = (BitMethod.BITS, BitMethod.CASES)


def bounds_of(symbol: Term) -> Range | None:
    return None if symbol.sort is BOOL else BOUNDS


@pytest.mark.long
@pytest.mark.parametrize("count", [30, pytest.param(160, marks=pytest.mark.slow)])
@pytest.mark.parametrize("method", BitMethod)
@pytest.mark.parametrize("make", [Cvc5Factory, EvidenceFactory])
def test_bit_vectors_of_the_width_agree_with_integers(make: type[Cvc5Factory], method: BitMethod, count: int) -> None:
    """Over the same ranges both readings have the same answer."""
    refuted = []
    for seed in range(count):
        draw = RandomTerms(seed)
        formulas = [draw.formula(2) for _ in range(5)]
        formulas += range_facts(draw.arena, formulas, bounds_of)
        factory = make()
        bits = width(formulas, Intervals(bounds_of))
        if bits is None or bits > 24:
            continue
        solver = factory(effort=2000)
        solver.add(*formulas)
        try:
            refuted.append(isinstance(solver.check(), Unsat))
            assert factory.refutes_widened(formulas, bits, 100, method) == refuted[-1], formulas
        except SolverUndecided:
            continue
    assert min(refuted.count(True), refuted.count(False)) > 5


def test_cases_in_turn_have_the_answer_of_the_whole() -> None:
    answers = []
    for seed in range(40):
        draw = RandomTerms(seed)
        cases, others = [draw.formula(2) for _ in range(4)], [draw.formula(2) for _ in range(3)]
        formulas = [draw.arena.or_(*cases), *others]
        formulas += range_facts(draw.arena, formulas, bounds_of)
        bits = width(formulas, Intervals(bounds_of))
        if bits is not None and bits <= 24:
            whole, in_turn = (EvidenceFactory().refutes_widened(formulas, bits, 200, m) for m in _BY_BITS)
            own = Intervals(bounds_of)
            assert whole == in_turn == EvidenceFactory().refutes_exactly(formulas, bits, own), formulas
            answers.append(whole)
    assert min(answers.count(True), answers.count(False)) > 5


def test_floating_point_numbers_of_a_case_are_those_that_ieee_754_says() -> None:
    """Neither `x + x < x` nor `x · x < 0` has a solution among numbers from 1 to 2."""
    arena = Arena()
    x, limits = arena.symbol("x", INT), Range(of_integer(FLOAT, 1), of_integer(FLOAT, 2))
    total, product = (
        arena.compute(float_function(one, FLOAT), x, x) for one in (FloatOperation.ADD, FloatOperation.MULTIPLY)
    )
    for bound, expected in ((x, True), (arena.integer(limits.high), False)):
        formulas = [arena.or_(arena.lt(total, bound), arena.lt(product, bound))]
        formulas += range_facts(arena, formulas, lambda _: limits)
        intervals = Intervals(lambda _: limits)
        bits = width(formulas, intervals)
        assert bits is not None
        assert EvidenceFactory().refutes_exactly(formulas, bits, intervals) is expected


def test_terms_at_their_own_widths_have_their_values() -> None:
    """Under fixed values of the symbols, a term is equal to its value, and to no other number near it."""
    for seed in range(150):
        draw = RandomTerms(seed)
        arena, values = draw.arena, draw.values()
        term = draw.integer(4)
        value = evaluate(term, values)
        assert isinstance(value, int)
        fixed = [arena.equals(s, arena.integer(v)) for s, v in values.items() if s.sort is INT and isinstance(v, int)]
        fixed += [s if v else arena.not_(s) for s, v in values.items() if s.sort is BOOL]
        fixed += range_facts(arena, [*fixed, term], bounds_of)
        intervals = Intervals(bounds_of)
        for number in (value - 1, value, value + 1):
            formulas = [*fixed, arena.equals(term, arena.integer(number)), arena.le(term, arena.integer(number))]
            bits = width(formulas, intervals)
            if bits is not None and not any(t.sort is INT_ARRAY for t in subterms(term)):
                answer = EvidenceFactory().refutes_exactly(formulas, bits, intervals)
                assert answer == (number != value), (seed, term)


def test_a_quantifier_has_no_width() -> None:
    arena = Arena()
    x = arena.symbol("x", INT)
    assert width([arena.forall([x], arena.le(x, arena.one))], Intervals(bounds_of)) is None


@pytest.mark.parametrize("method", BitMethod)
@pytest.mark.parametrize("make", [Cvc5Factory, EvidenceFactory])
def test_bit_vectors_wrap_around_whatever_the_method(make: type[Cvc5Factory], method: BitMethod) -> None:
    """At a width that does not hold `x + y`, it may be negative where x and y are not; at one that does, it may not."""
    arena = Arena()
    x, y = arena.symbol("x", INT), arena.symbol("y", INT)
    large = [arena.ge(s, arena.integer(100)) for s in (x, y)]
    small = [arena.le(s, arena.integer(127)) for s in (x, y)]
    negative = arena.le(arena.add(x, y), arena.zero)
    assert not make().refutes_widened([*large, *small, negative], 8, method=method)
    assert make().refutes_widened([*large, *small, negative], 16, method=method)


def test_what_formulas_say_can_give_a_width() -> None:
    arena = Arena()
    p = arena.symbol("p", INT)
    formulas = [arena.ge(p, arena.zero), arena.le(p, arena.integer(100)), arena.le(arena.multiply(p, p), arena.zero)]
    assert width(formulas, Intervals(lambda _: None)) is None
    bits = width(formulas, Intervals(lambda _: None).assuming(formulas))
    assert bits is not None
    assert 1 << (bits - 1) > 10_000


def half_bounded(symbol: Term) -> Range | None:
    return None if symbol.sort is BOOL or symbol.name in "xa" else BOUNDS


@pytest.mark.long
def test_the_bounded_part_follows() -> None:
    """What holds of some values is never refuted, whichever symbols have bounds."""
    asked = 0
    for seed in range(200):
        draw = RandomTerms(seed)
        values = draw.values()
        drawn = (draw.formula(3) for _ in range(3))
        formulas = [f if evaluate(f, values) else draw.arena.not_(f) for f in drawn]
        formulas += range_facts(draw.arena, formulas, half_bounded)
        if all(evaluate(f, values) for f in formulas):
            part = bounded_part(draw.arena, formulas, Intervals(half_bounded))
            assert part.width is not None, formulas
            assert not BitwuzlaFactory().refutes(part.formulas, part.width), formulas
            asked += any(width([f], Intervals(half_bounded)) is None for f in formulas)
    assert asked > 50


def test_addresses_need_no_bounds() -> None:
    """An address that is one number in each case, an element at one that is not, and a comparison of both."""
    arena = Arena()
    p, q, n = (arena.symbol(name, INT) for name in "pqn")
    cells, place, zero = arena.symbol("cells", INT_ARRAY), arena.integer(1 << 40), arena.zero
    here = arena.or_(*(arena.and_(arena.equals(p, place), arena.equals(n, arena.integer(k))) for k in (1, 2)))
    formulas = [
        here,
        arena.equals(arena.select(cells, place), zero),
        arena.or_(arena.gt(arena.select(cells, p), zero), arena.lt(p, q)),
        arena.or_(arena.gt(arena.select(cells, q), n), arena.ge(p, q)),
        arena.le(arena.select(cells, q), zero),
    ]

    def range_of(symbol: Term) -> Range | None:
        return Range(0, 10) if symbol in (n, cells) else None

    formulas += range_facts(arena, formulas, range_of)
    intervals = Intervals(range_of)
    assert width(formulas, intervals.assuming(formulas)) is None
    part = bounded_part(arena, formulas, intervals)
    assert part.width is not None
    assert BitwuzlaFactory().refutes(part.formulas, part.width)
