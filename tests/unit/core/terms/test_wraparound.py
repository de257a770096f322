"""Wrap-around found again in terms has the value of the terms, and reads as a person would write it."""

import random
from collections.abc import Mapping

import pytest

from core.terms import INT, INT_ARRAY, Arena, Op, Term, evaluate, lift_choices, subterms, to_math, to_readable_c
from core.terms.wraparound import (
    IntegerCast,
    LinearLiteral,
    Sum,
    chosen_literal,
    chosen_sum,
    plain_sum,
    with_conversions,
)

RANGES = {
    "a": (-(2**31), 2**31 - 1),
    "b": (-(2**31), 2**31 - 1),
    "u": (0, 2**32 - 1),
    "s": (0, 2**64 - 1),
    "c": (-128, 127),
}
TYPES = ((32, True), (32, False), (64, False), (8, True), (8, False))


def bounds(symbol: Term) -> tuple[int, int] | None:
    return RANGES.get(symbol.name)


def value_of(one: Sum, values: Mapping[Term, int]) -> int:
    return one.constant + sum(factor * _part(part, values) for factor, part in one.parts)


def _part(part: Term | IntegerCast, values: Mapping[Term, int]) -> int:
    if isinstance(part, Term):
        found = evaluate(part, values)
        assert isinstance(found, int)
        return found
    low = part.type.low
    return (value_of(part.value, values) - low) % (1 << part.type.bits) + low


def holds(literal: LinearLiteral, values: Mapping[Term, int]) -> bool:
    value = value_of(literal.body, values)
    return (value <= 0 if literal.op is Op.LE else value == 0) is not literal.negated


def wrapped(arena: Arena, t: Term, bits: int, is_signed: bool, draw: random.Random) -> Term:
    """As lowering does it: what may turn once is a choice, else it is a remainder."""
    low, span = (-(1 << (bits - 1)) if is_signed else 0), 1 << bits
    shape = draw.randrange(3)
    if shape == 0:
        return arena.add(arena.modulo(arena.subtract(t, arena.integer(low)), arena.integer(span)), arena.integer(low))
    if shape == 1:
        return arena.ite(arena.gt(t, arena.integer(low + span - 1)), arena.subtract(t, arena.integer(span)), t)
    return arena.ite(arena.lt(t, arena.integer(low)), arena.add(t, arena.integer(span)), t)


def sum_of(arena: Arena, draw: random.Random) -> Term:
    symbols = [arena.symbol(name, INT) for name in draw.sample(list(RANGES), 2)]
    return arena.linear([(draw.choice((-1, 1, 1, 2)), x) for x in symbols[: draw.randint(1, 2)]], draw.randint(-3, 3))


def some_values(arena: Arena, draw: random.Random) -> dict[Term, int]:
    """Near the ends of the ranges, where things wrap around."""
    return {
        arena.symbol(name, INT): draw.choice((low + draw.randint(0, 4), high - draw.randint(0, 4), 0, 1))
        for name, (low, high) in RANGES.items()
    }


@pytest.mark.long
def test_what_is_found_has_the_value_of_the_term() -> None:
    found = 0
    for seed in range(600):
        draw, arena = random.Random(seed), Arena()
        turned = wrapped(arena, sum_of(arena, draw), *draw.choice(TYPES), draw)
        compare = draw.choice((arena.le, arena.lt, arena.equals))
        formula = lift_choices(arena, compare(turned, sum_of(arena, draw)))
        values = [some_values(arena, draw) for _ in range(12)]
        for t in (*subterms(turned), *subterms(formula)):
            for one in values:
                if t.op is Op.ITE and t.sort is not INT and (literal := chosen_literal(t, bounds)) is not None:
                    assert holds(literal, one) == evaluate(t, one), (seed, t)
                    found += 1
                elif t.op is Op.ITE and t.sort is INT and (whole := chosen_sum(t, bounds)) is not None:
                    assert value_of(whole, one) == evaluate(t, one), (seed, t)
                    found += 1
                elif t.sort is INT:
                    converted = with_conversions(plain_sum(t), lambda _: False)
                    assert value_of(converted, one) == evaluate(t, one), (seed, t)
                    found += converted != plain_sum(t)
    assert found > 4_000


@pytest.mark.parametrize(
    ("shift", "bits", "is_signed", "text"),
    [
        (1, 32, True, "(int)(a + 1) > b"),
        (-1, 32, True, "(int)(a - 1) > b"),
        (1, 32, False, "(unsigned)(u + 1) > b"),
        (-1, 32, False, "(unsigned)(u - 1) > b"),
    ],
)
def test_a_counter_that_wraps_around(shift: int, bits: int, is_signed: bool, text: str) -> None:
    arena = Arena()
    x, b = arena.symbol("a" if is_signed else "u", INT), arena.symbol("f::b", INT)
    low, span = (-(1 << (bits - 1)) if is_signed else 0), 1 << bits
    t = arena.add(x, arena.integer(shift))
    over = arena.ite(arena.gt(t, arena.integer(low + span - 1)), arena.subtract(t, arena.integer(span)), t)
    under = arena.ite(arena.lt(t, arena.integer(low)), arena.add(t, arena.integer(span)), t)
    formula = lift_choices(arena, arena.gt(over if shift > 0 else under, b))
    assert to_readable_c(formula, bounds) == text
    assert "?" in to_readable_c(formula)  # without its range, a variable may be anything


def test_an_own_choice_that_turns_twice_stays() -> None:
    """`a > 2³¹ - 2 ? a + a - 2³² : a + a` is not the conversion of the sum: it may be below the type."""
    arena = Arena()
    a = arena.symbol("a", INT)
    double = arena.linear([(2, a)])
    limit = arena.integer(2**31 - 1)
    t = arena.ite(arena.gt(double, limit), arena.subtract(double, arena.integer(2**32)), double)
    assert "?" in to_readable_c(t, bounds)


def test_two_bounds_that_come_to_an_equation_are_one_for_people() -> None:
    arena = Arena()
    a, b, c = (arena.symbol(name, INT) for name in ("a", "b", "c"))
    apart = arena.or_(arena.lt(a, b), arena.gt(c, arena.zero), arena.gt(a, b))
    assert to_readable_c(apart) == "a != b || c > 0"
    assert to_readable_c(arena.and_(arena.le(a, b), arena.ge(a, b), arena.lt(c, a))) == "a == b && a > c"
    assert to_readable_c(arena.or_(arena.lt(a, b), arena.gt(a, arena.add(b, arena.one)))) == "a < b || a > b + 1"
    assert to_readable_c(arena.and_(arena.le(a, b), arena.gt(a, arena.zero))) == "0 < a <= b"
    same = arena.iff(arena.le(a, b), arena.lt(a, b))
    assert to_readable_c(same) == "a != b"
    assert to_readable_c(arena.not_(same)) == "a == b"
    assert to_readable_c(arena.iff(arena.le(a, b), arena.gt(a, b))) == to_readable_c(arena.false)
    assert to_readable_c(arena.iff(arena.le(a, b), arena.lt(b, c))) == "(a <= b) == (b < c)"


def test_numbers_and_remainders_for_people() -> None:
    arena = Arena()
    s, u, c = (arena.symbol(name, INT) for name in ("s", "u", "c"))
    array = arena.symbol("slots", INT_ARRAY)

    def text(t: Term) -> str:
        return to_readable_c(t, bounds)

    assert text(arena.le(s, arena.integer(2**64 - 1))) == "s < 2⁶⁴"
    assert text(arena.gt(s, arena.integer(2**63 - 1))) == "s >= 2⁶³"
    assert text(arena.le(s, arena.integer(5 * 2**63 - 4))) == "s <= 5*2⁶³ - 4"
    assert text(arena.le(c, arena.integer(-(2**31)))) == "c <= -2³¹"
    assert text(arena.equals(s, arena.integer(4_000_000_000))) == "s == 4000000000"
    assert text(arena.linear([(2**32, s)], -(2**31) + 2)) == "2³²*s - 2³¹ + 2"
    assert text(arena.linear([(2**32 - 1, s)])) == "(2³² - 1)*s"
    product = arena.multiply(u, arena.add(u, arena.integer(2**64 - 1)))
    assert text(arena.modulo(product, arena.integer(2**64))) == "(uint64_t)(u*(u - 1))"
    assert text(arena.modulo(c, arena.integer(256))) == "(unsigned char)c"
    assert text(arena.modulo(u, arena.integer(256))) == "u % 256"
    half = arena.integer(2**31)
    turned = arena.subtract(arena.modulo(arena.add(product, half), arena.integer(2**32)), half)
    assert text(arena.le(turned, u)) == "u >= (int)(u*(u - 1))"
    assert text(arena.select(array, turned)) == "slots[(int)(u*(u - 1))]"
    assert to_math(arena.le(s, arena.integer(2**64 - 1))) == f"s ≤ {2**64 - 1}"
