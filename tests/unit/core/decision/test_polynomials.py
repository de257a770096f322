"""Polynomials modulo powers of two against the values of terms, and proofs by them against evaluation."""

from __future__ import annotations

from random import Random

import pytest

from core.analysis.bounds import Intervals
from core.decision.polynomials import Ideal
from core.decision.refutation import Refuter
from core.decision.ring import Polynomial, Ring, TooComplex
from core.program import Range
from core.terms import INT, Arena, Term, Value, evaluate
from tests.support.random_terms import RandomTerms

BITS = 8
SIGNED = Range(-(1 << (BITS - 1)), (1 << (BITS - 1)) - 1)


def value_of(p: Polynomial, values: dict[Term, Value], modulus: int) -> int:
    total = 0
    for monomial, c in p.items():
        for x in monomial:
            factor = evaluate(x, values)
            assert isinstance(factor, int)
            c *= factor
        total += c
    return total % modulus


@pytest.mark.parametrize("bits", [1, 3, 8, 32])
@pytest.mark.parametrize("seed", range(8))
def test_polynomials_have_the_values_of_terms(seed: int, bits: int) -> None:
    drawn = RandomTerms(seed)
    ring = Ring(drawn.arena, bits, Intervals(lambda _: None))
    for _ in range(10):
        term = drawn.integer(3)
        try:
            p = ring.of(term)
        except TooComplex:
            continue
        for _ in range(5):
            values = dict(drawn.values())
            value = evaluate(term, values)
            assert isinstance(value, int)
            assert value_of(p, values, 1 << bits) == value % (1 << bits), term


@pytest.mark.parametrize("seed", range(12))
def test_remainders_and_quotients_have_their_values_where_the_facts_hold(seed: int) -> None:
    """Of sums, by constants, with a fact about the remainder; many values of two unknowns are tried."""
    random, arena = Random(seed), Arena()
    x, y = (arena.symbol(name, INT) for name in "xy")
    for _ in range(12):
        divisor = arena.integer(random.choice((-3, 2, 3, 4, 6, 8)))
        base = arena.linear([(random.randint(-9, 9), x), (random.randint(-2, 2), y)])
        small = arena.le(arena.modulo(base, divisor), arena.integer(random.randrange(abs(divisor.value))))
        fact = random.choice((small, arena.not_(small)))
        whole = arena.add(base, arena.integer(random.randint(-9, 9)))
        bits = random.choice((1, 3, 8))
        ring = Ring(arena, bits, Intervals(lambda _: None).assuming([fact]))
        for number in range(-40, 40):
            values: dict[Term, Value] = {x: number // 5, y: number % 5 - 2}
            if evaluate(fact, values) is True:
                for t in (arena.modulo(whole, divisor), arena.divide(whole, divisor)):
                    value = evaluate(t, values)
                    assert isinstance(value, int)
                    assert value_of(ring.of(t), values, 1 << bits) == value % (1 << bits), (t, fact)


@pytest.mark.parametrize("seed", range(20))
def test_normal_forms_are_congruent_where_the_equations_hold(seed: int) -> None:
    """All values of three unknowns modulo 8 are tried."""
    random, arena = Random(seed), Arena()
    ring = Ring(arena, 3, Intervals(lambda _: None))
    unknowns = [arena.symbol(name, INT) for name in "xyz"]

    def drawn() -> Polynomial:
        monomials = [tuple(sorted(random.choices(unknowns, k=random.randint(0, 2)), key=lambda s: s.id)) for _ in "abc"]
        return ring.sum([(random.randrange(8), {monomial: 1}) for monomial in monomials])

    equations = [drawn(), drawn()]
    ideal = Ideal(ring, equations)
    p = drawn()
    normal = ideal.normal(p)
    for number in range(512):
        values: dict[Term, Value] = {x: number >> 3 * i & 7 for i, x in enumerate(unknowns)}
        if all(value_of(equation, values, 8) == 0 for equation in equations):
            assert ideal.contradiction is None
            assert value_of(p, values, 8) == value_of(normal, values, 8)


@pytest.mark.parametrize("seed", range(30))
def test_nothing_is_refuted_that_has_a_model(seed: int) -> None:
    """Formulas over machine integers of few bits, and an assignment that satisfies them."""
    drawn, random = RandomTerms(seed), Random(seed)
    arena = drawn.arena
    bounds = Range(-8, 7)

    def operand() -> Term:
        return random.choice((drawn.integer(1), wrapped(arena, drawn.integer(2), 4), drawn.integer(2)))

    formulas = [arena.equals(operand(), operand()) for _ in range(2)] + [drawn.formula(2)]
    refuter = Refuter(arena, Intervals(lambda _: bounds), lambda: None)
    for _ in range(20):
        values: dict[Term, Value] = dict(drawn.values())
        values.update({x: random.randint(-8, 7) for x in drawn.integers})
        holding = [f if evaluate(f, values) is True else arena.not_(f) for f in formulas]
        if all(s.sort is not INT or s in drawn.integers for f in holding for s in f.symbols()):
            assert not refuter.refutes(holding), values


def wrapped(arena: Arena, t: Term, bits: int) -> Term:
    """The signed machine integer of that many bits that `t` is converted to."""
    low = arena.integer(-(1 << (bits - 1)))
    return arena.add(arena.modulo(arena.subtract(t, low), arena.integer(1 << bits)), low)


class Machine:
    """Terms over variables of 8 bits, and what is proved of them."""

    def __init__(self) -> None:
        self.arena = Arena()
        self.x, self.y, self.z, self.n = (self.arena.symbol(name, INT) for name in "xyzn")
        self._refuter = Refuter(self.arena, Intervals(lambda _: SIGNED), lambda: None)

    def number(self, value: int) -> Term:
        return self.arena.integer(value)

    def sum(self, *terms: Term) -> Term:
        return wrapped(self.arena, self.arena.add(*terms), BITS)

    def times(self, a: Term, b: Term, bits: int = BITS) -> Term:
        return wrapped(self.arena, self.arena.multiply(a, b), bits)

    def proves(self, hypotheses: list[Term], a: Term, b: Term) -> bool:
        return self._refuter.refutes([*hypotheses, self.arena.not_(self.arena.equals(a, b))])


def test_an_invariant_of_squares_is_inductive() -> None:
    m = Machine()
    step = m.sum(m.n, m.number(1))
    square = m.sum(m.x, m.times(m.number(2), m.n), m.number(1))
    assert m.proves([m.arena.equals(m.x, m.times(m.n, m.n))], square, m.times(step, step))
    assert not m.proves([m.arena.equals(m.x, m.times(m.n, m.n))], m.sum(square, m.number(1)), m.times(step, step))


def test_remainders_by_less_than_the_range_are_no_equality() -> None:
    """A product that wraps at 4 bits is not one that wraps at 8, but the other way round."""
    m = Machine()
    product = m.times(m.x, m.y)
    assert not m.proves([], m.times(m.x, m.y, 4), product)
    assert m.proves([], m.times(product, m.number(1), 4), m.times(m.x, m.y, 4))


def test_sums_that_do_not_wrap_are_not_equal_to_those_that_do() -> None:
    m = Machine()
    product = m.arena.multiply(m.x, m.y)
    assert not m.proves([], product, m.times(m.x, m.y))


def test_an_even_coefficient_has_no_inverse() -> None:
    """2x = 2y modulo 2^8 does not make x equal to y; an odd factor does."""
    m = Machine()
    doubled = m.arena.equals(m.times(m.number(2), m.x), m.times(m.number(2), m.y))
    tripled = m.arena.equals(m.times(m.number(3), m.x), m.times(m.number(3), m.y))
    assert not m.proves([doubled], m.times(m.x, m.z), m.times(m.y, m.z))
    assert m.proves([tripled], m.times(m.x, m.z), m.times(m.y, m.z))


def test_a_half_of_an_even_number_doubled() -> None:
    m = Machine()
    two = m.number(2)
    half = m.arena.divide(m.x, two)
    even = m.arena.equals(m.arena.modulo(m.x, two), m.number(0))
    double = m.times(two, m.y)
    assert m.proves([even], m.times(half, double), m.times(m.x, m.y))
    assert not m.proves([m.arena.not_(even)], m.times(half, double), m.times(m.x, m.y))


def test_a_quotient_of_a_sum_by_the_remainder() -> None:
    m = Machine()
    four = m.number(4)
    rest = m.arena.modulo(m.x, four)
    quotient = m.arena.divide(m.arena.add(m.x, m.number(2)), four)
    below = m.arena.linear([(4, m.arena.divide(m.x, four))])
    assert m.proves([m.arena.le(rest, m.number(1))], m.times(quotient, m.times(four, m.y)), m.times(below, m.y))
    above = m.arena.linear([(1, below)], 4)
    assert m.proves(
        [m.arena.not_(m.arena.le(rest, m.number(1)))], m.times(quotient, m.times(four, m.y)), m.times(above, m.y)
    )
    assert not m.proves([m.arena.le(rest, m.number(2))], m.times(quotient, m.times(four, m.y)), m.times(below, m.y))


def test_bounds_that_meet_are_an_equation() -> None:
    m = Machine()
    least = m.arena.not_(m.arena.le(m.arena.subtract(m.n, m.x), m.number(0)))
    most = m.arena.le(m.arena.subtract(m.n, m.x), m.number(1))
    following = m.sum(m.x, m.number(1))
    assert m.proves([least, most], m.times(m.n, m.y), m.times(following, m.y))
    assert not m.proves([most], m.times(m.n, m.y), m.times(following, m.y))


def test_a_choice_is_split() -> None:
    m = Machine()
    negative = m.arena.le(m.x, m.number(-1))
    size = m.arena.ite(negative, m.times(m.number(-1), m.x), m.x)
    assert m.proves([], m.times(size, size), m.times(m.x, m.x))
    other = m.arena.ite(negative, m.times(m.number(-1), m.x), m.y)
    assert not m.proves([], m.times(other, other), m.times(m.x, m.x))
    assert m.proves([m.arena.or_(negative, m.arena.equals(m.x, m.y))], m.times(other, other), m.times(m.x, m.x))


def test_equations_without_a_solution_are_refuted() -> None:
    m = Machine()
    product = m.arena.equals(m.times(m.x, m.y), m.number(1))
    assert m.proves([product, m.arena.equals(m.x, m.number(0))], m.times(m.y, m.z), m.n)
    assert not m.proves([product, m.arena.equals(m.x, m.number(1))], m.times(m.y, m.z), m.n)


def test_what_decides_a_choice_is_still_known_afterwards() -> None:
    m = Machine()
    positive = m.arena.not_(m.arena.le(m.x, m.number(0)))
    chosen = m.arena.ite(positive, m.y, m.number(7))
    hypotheses = [positive, m.arena.le(m.number(0), m.y), m.arena.equals(m.z, chosen)]
    impossible = m.arena.le(m.arena.add(m.x, m.y), m.number(0))
    assert m.proves([*hypotheses, m.arena.or_(impossible, m.arena.equals(m.n, m.z))], m.n, m.y)
    assert not m.proves([*hypotheses[1:], m.arena.or_(impossible, m.arena.equals(m.n, m.z))], m.n, m.y)
