"""Inputs are eliminated exactly: compared with trying all their values."""

from __future__ import annotations

from random import Random

import pytest

from core.program import Range
from core.terms import BOOL, INT, INT_ARRAY, Arena, Term, evaluate
from methods.discovery.elimination import for_all

RANGE = Range(-4, 9)


def random_formula(arena: Arena, draw: Random, symbols: list[Term], depth: int) -> Term:
    if depth == 0:
        parts = [(draw.choice((-1, 0, 1)), s) for s in symbols]
        term = arena.linear(parts, draw.randint(-5, 5))
        return draw.choice((arena.le, arena.equals))(term, arena.integer(draw.randint(-3, 3)))
    left, right = (random_formula(arena, draw, symbols, depth - 1) for _ in range(2))
    return draw.choice((arena.and_, arena.or_, arena.implies, arena.iff))(left, right)


@pytest.mark.long
@pytest.mark.parametrize("seed", range(60))
def test_formulas_with_unit_coefficients(seed: int) -> None:
    arena, draw = Arena(), Random(seed)
    x, y, z = (arena.symbol(name, INT) for name in "xyz")
    formula = random_formula(arena, draw, [x, y, z], 2)
    result = for_all(arena, formula, [(x, RANGE)])
    assert result is not None
    assert x not in result.symbols()
    for a in range(-6, 7, 2):
        for b in range(-7, 8, 3):
            values = [evaluate(formula, {x: v, y: a, z: b}) for v in range(RANGE.low, RANGE.high + 1)]
            assert evaluate(result, {y: a, z: b}) is all(values)


def test_an_input_without_range_is_any_integer() -> None:
    arena = Arena()
    x, y = arena.symbol("x", INT), arena.symbol("y", INT)
    formula = arena.or_(arena.le(x, y), arena.ge(x, arena.integer(3)))  # for all x: y >= 2
    result = for_all(arena, formula, [(x, None)])
    assert result is not None
    assert [evaluate(result, {y: v}) for v in (1, 2, 3)] == [False, True, True]


def test_few_values_are_tried_whatever_the_formula() -> None:
    arena = Arena()
    x, y = arena.symbol("x", INT), arena.symbol("y", INT)
    result = for_all(arena, arena.le(arena.multiply(x, y), arena.integer(4)), [(x, Range(0, 2))])
    assert result is not None
    assert [evaluate(result, {y: v}) for v in (2, 3)] == [True, False]


def test_booleans() -> None:
    arena = Arena()
    p, q = arena.symbol("p", BOOL), arena.symbol("q", BOOL)
    assert for_all(arena, arena.or_(p, q), [(p, None)]) is q


def test_what_is_not_linear_in_the_input_is_left() -> None:
    arena = Arena()
    x, y, a = arena.symbol("x", INT), arena.symbol("y", INT), arena.symbol("a", INT_ARRAY)
    for term in (arena.multiply(x, y), arena.modulo(x, arena.integer(7)), arena.select(a, x), arena.linear([(3, x)])):
        assert for_all(arena, arena.le(arena.add(term, y), arena.zero), [(x, RANGE)]) is None
    assert for_all(arena, arena.le(arena.select(a, y), arena.zero), [(a, RANGE)]) is None


def test_what_a_formula_assumes_of_an_input_replaces_it() -> None:
    arena = Arena()
    x, y, z = (arena.symbol(name, INT) for name in "xyz")
    product = arena.le(arena.multiply(x, y), z)
    result = for_all(arena, arena.implies(arena.equals(x, arena.add(y, arena.one)), product), [(x, RANGE)])
    assert result is not None
    assert evaluate(result, {y: 2, z: 5}) is False
    assert evaluate(result, {y: 2, z: 6}) is True
    assert evaluate(result, {y: 20, z: 0}) is True  # no such x
