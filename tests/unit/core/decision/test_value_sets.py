"""Symbols that stand for one of a few numbers: sums, choices, guards, and arrays that are read and written there."""

from __future__ import annotations

from itertools import product

import pytest

from core.analysis.bounds import Intervals
from core.decision.value_sets import MAX, ValueSetAnalysis
from core.program import Range
from core.terms import INT, Arena, ArraySort, Op, SplitAtIndices, Substitution, Term, store_layers

ARRAY = ArraySort(INT, INT)


@pytest.fixture
def arena() -> Arena:
    return Arena()


def noted(arena: Arena, **numbers: set[int]) -> tuple[ValueSetAnalysis, dict[str, Term]]:
    choices = ValueSetAnalysis(arena, Intervals(lambda _: None))
    symbols = {name: arena.symbol(name, INT) for name in numbers}
    for name, symbol in symbols.items():
        choices.note(symbol, frozenset(numbers[name]))
    return choices, symbols


def test_values_of_terms(arena: Arena) -> None:
    choices, symbols = noted(arena, i={0, 1, 2}, k={5, 7})
    i, k, other = symbols["i"], symbols["k"], arena.symbol("x", INT)
    unknown = arena.le(other, arena.zero)
    assert choices.of(arena.add(i, arena.integer(3)), {}) == frozenset({3, 4, 5})
    assert choices.of(arena.subtract(k, i), {}) == frozenset({3, 4, 5, 6, 7})
    assert choices.of(arena.ite(arena.le(i, arena.one), i, arena.integer(9)), {}) == frozenset({0, 1, 9})
    assert choices.of(arena.ite(unknown, i, k), {}) == frozenset({0, 1, 2, 5, 7})
    assert choices.of(arena.add(arena.ite(unknown, i, k), k), {i: frozenset({1})}) == frozenset({6, 8, 10, 12, 14})
    assert choices.of(other, {}) is None
    assert choices.of(arena.add(i, other), {}) is None


def test_too_many_numbers_are_not_known(arena: Arena) -> None:
    choices, symbols = noted(arena, i=set(range(MAX)), k={0, 100})
    assert choices.of(arena.add(symbols["i"], symbols["k"]), {}) is None


def test_guards_leave_numbers_out(arena: Arena) -> None:
    choices, symbols = noted(arena, i={0, 1, 2, 3}, k={2, 3, 9})
    i, k, other = symbols["i"], symbols["k"], arena.symbol("x", INT)
    assert choices.within(arena.lt(i, arena.integer(2)), {}) == {i: frozenset({0, 1})}
    assert choices.within(arena.and_(arena.lt(k, i), arena.le(arena.zero, other)), {}) == {
        i: frozenset({3}),
        k: frozenset({2}),
    }
    assert choices.within(arena.lt(arena.integer(5), i), {}) is None
    assert choices.within(arena.lt(i, arena.one), {i: frozenset({2, 3})}) is None
    assert choices.joined([{i: frozenset({0})}, {i: frozenset({2})}]) == {i: frozenset({0, 2})}
    assert choices.joined([{i: frozenset({0})}, {}]) == {}


@pytest.mark.parametrize("first", [(), (1,), (1, 3)])
def test_arrays_have_the_same_elements(arena: Arena, first: tuple[int, ...]) -> None:
    """For all numbers that symbols may be, reads and writes are what they are without this knowledge."""
    choices, symbols = noted(arena, i={1, 2, 4}, k={2, 3})
    i, k, array, value = symbols["i"], symbols["k"], arena.symbol("a", ARRAY), arena.symbol("v", INT)
    here, there = arena.symbol("here", INT), arena.symbol("there", INT)
    before = array
    for index in first:
        before = arena.store(before, arena.integer(index), arena.integer(-index))
    term = arena.select(arena.store(array, here, value), there)
    written = arena.store(arena.store(array, here, value), there, arena.integer(7))
    replaced = {array: before, here: i, there: k}
    clever, plain = (
        SplitAtIndices(arena, replaced, lambda index: choices.indices(index, {})),
        Substitution(arena, replaced),
    )
    assert all(layer.op is not Op.STORE or layer.args[1].op is Op.CONSTANT for layer in store_layers(clever(written)))
    for a, b in product((1, 2, 4), (2, 3)):
        fixed = Substitution(arena, {i: arena.integer(a), k: arena.integer(b)})
        assert fixed(clever(term)) is fixed(plain(term))
        for position in map(arena.integer, range(6)):
            assert fixed(arena.select(clever(written), position)) is fixed(arena.select(plain(written), position))


def test_of_choices_nested_too_deeply_nothing_is_known(arena: Arena) -> None:
    analysis = ValueSetAnalysis(arena, Intervals(lambda _: None))
    chain = arena.integer(0)
    for number in range(3_000):
        chain = arena.ite(arena.lt(arena.symbol(f"x{number}", INT), arena.integer(0)), arena.integer(number), chain)
    assert analysis.of(chain, {}) is None


def test_an_index_in_a_short_interval_is_one_of_its_numbers(arena: Arena) -> None:
    analysis = ValueSetAnalysis(arena, Intervals(lambda _: Range(0, 255)))
    byte = arena.symbol("byte", INT)
    assert analysis.of_index(arena.modulo(byte, arena.integer(4)), {}) == frozenset({0, 1, 2, 3})
    assert analysis.of_index(byte, {}) is None


def test_choices_that_share_their_parts_are_not_looked_into_on_all_ways(arena: Arena) -> None:
    """Each level doubles the ways to the one below it."""
    analysis = ValueSetAnalysis(arena, Intervals(lambda _: None))
    term = arena.integer(0)
    for level in range(45):
        chosen = arena.lt(arena.symbol(f"x{level}", INT), arena.integer(level))
        term = arena.ite(chosen, arena.add(term, arena.integer(1)), arena.add(term, arena.integer(2)))
    assert analysis.of(term, {}) is None
