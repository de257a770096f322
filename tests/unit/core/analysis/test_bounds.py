"""Intervals contain every value."""

from random import Random

import pytest

from core.analysis.bounds import Interval, Intervals
from core.program import Range
from core.solver.cvc5_solver import Cvc5Factory
from core.terms import BOOL, INT, Arena, Op, Term, Value, evaluate, subterms
from tests.support.random_terms import RandomTerms

BOUNDS = Range(-4, 4)


def bounds_of(symbol: Term) -> Range | None:
    return None if symbol.sort is BOOL else BOUNDS


@pytest.mark.long
def test_every_value_lies_in_its_interval() -> None:
    for seed in range(300):
        draw = RandomTerms(seed)
        term = draw.integer(4)
        assumed = [draw.formula(depth) for depth in (1, 1, 3)]
        for _ in range(5):
            values = draw.values()
            holding = [f if evaluate(f, values) else draw.arena.not_(f) for f in assumed]
            intervals = Intervals(bounds_of)
            for where in (intervals, intervals.assuming(holding)):
                for t in subterms(term):
                    if t.sort is INT:
                        check_contains(where(t), t, values[t] if t.op is Op.SYMBOL else evaluate(t, values))


def check_contains(interval: Interval, t: Term, value: object) -> None:
    assert isinstance(value, int)
    assert interval.low is None or interval.low <= value, t
    assert interval.high is None or value <= interval.high, t


def test_wrap_around_stays_in_range() -> None:
    arena = Arena()
    x, word = arena.symbol("x", INT), Range(-128, 127)
    high, low = arena.integer(127), arena.integer(-128)
    total = arena.linear([(3, x)], 5)
    wrapped = arena.ite(
        arena.gt(total, high),
        arena.linear([(1, total)], -256),
        arena.ite(arena.lt(total, low), arena.linear([(1, total)], 256), total),
    )
    assert Intervals(lambda _: Range(-40, 60))(wrapped).within(word)
    assert not Intervals(lambda _: Range(-400, 60))(wrapped).within(word)


def test_cases_are_joined() -> None:
    """Of cases is known what each says; one within another, too."""
    arena = Arena()
    x, y = arena.symbol("x", INT), arena.symbol("y", INT)
    three, five, zero = (arena.equals(x, arena.integer(k)) for k in (3, 5, 0))
    cases = arena.or_(arena.and_(three, arena.le(y, x)), arena.and_(arena.or_(five, zero), arena.ge(y, x)))
    known = Intervals(lambda _: None).assuming([cases])
    assert (known(x), known(y)) == (Interval(0, 5), Interval(None, None))
    assert Intervals(lambda _: None).assuming([arena.not_(arena.and_(*map(arena.not_, (three, five))))])(x) == Interval(
        3, 5
    )


@pytest.mark.parametrize("entries", [5, 100, 3000])
def test_a_table_lies_between_its_least_and_its_greatest_entry(entries: int) -> None:
    arena = Arena()
    index, table = arena.symbol("index", INT), arena.integer(entries)
    for k in range(entries):
        table = arena.ite(arena.equals(index, arena.integer(k)), arena.integer(7 * k % entries), table)
    assert Intervals(lambda _: Range(0, entries))(table) == Interval(0, entries)
    assert Intervals(lambda _: Range(0, entries))(arena.add(table, index)) == Interval(0, 2 * entries)


def test_conditions_on_the_way_to_a_leaf_narrow_it() -> None:
    """`x < 0 ? 0 : x > 9 ? 9 : x`, whose inner choice alone may be less."""
    arena = Arena()
    x = arena.symbol("x", INT)
    inner = arena.ite(arena.lt(arena.integer(9), x), arena.integer(9), x)
    clamped = arena.ite(arena.lt(x, arena.zero), arena.zero, inner)
    bounds = Intervals(lambda _: Range(-100, 100))
    assert (bounds(inner), bounds(clamped)) == (Interval(-100, 9), Interval(0, 9))


def test_guards_narrow() -> None:
    arena = Arena()
    x, y = arena.symbol("x", INT), arena.symbol("y", INT)
    intervals = Intervals(lambda _: Range(0, 255))
    difference = arena.subtract(x, y)
    guarded = intervals.assuming([arena.ge(x, y), arena.lt(x, arena.integer(10))])
    assert guarded(difference) == Interval(0, 9)
    assert guarded(arena.linear([(-2, difference)], 1)).high == 1
    assert guarded(x) == Interval(0, 9)


def test_facts_about_a_part_narrow_a_sum() -> None:
    arena = Arena()
    z, x, y = (arena.symbol(name, INT) for name in "zxy")
    known = Intervals(lambda _: Range(1, 255)).assuming([arena.le(arena.linear([(2, x), (-3, y)]), arena.integer(7))])
    assert known(arena.linear([(2, x), (-3, y), (5, z)], 1)) == Interval(2 - 3 * 255 + 5 + 1, 7 + 5 * 255 + 1)
    assert known(arena.linear([(-4, x), (6, y), (-2, z)])).low == -14 - 2 * 255
    assert known(arena.linear([(2, x), (-4, y), (1, z)])).high == 3 * 255 - 4


@pytest.mark.parametrize("seed", range(10))
def test_sums_lie_in_their_intervals_where_facts_about_parts_hold(seed: int) -> None:
    random, arena = Random(seed), Arena()
    symbols = [arena.symbol(name, INT) for name in "wxyz"]
    for _ in range(100):
        related = random.sample(symbols, random.randint(2, 3))
        part = arena.linear([(random.randint(-3, 3), x) for x in related])
        others = [(random.randint(-3, 3), x) for x in symbols if random.random() < 0.2 or x not in related]
        whole = arena.linear([(random.randint(-2, 2), part), *others], random.randint(-4, 4))
        values: dict[Term, Value] = {x: random.randint(1, 4) for x in symbols}
        fact = random.choice((arena.le, arena.ge, arena.equals))(part, arena.integer(random.randint(-9, 9)))
        known = Intervals(lambda _: Range(1, 4)).assuming([fact if evaluate(fact, values) else arena.not_(fact)])
        check_contains(known(whole), whole, evaluate(whole, values))


def test_division_by_zero_follows_a_convention() -> None:
    """The remainder is the dividend, the quotient -1 or (of a negative dividend) 0: so it is in any bit-vectors."""
    arena = Arena()
    x, y = arena.symbol("x", INT), arena.symbol("y", INT)
    intervals = Intervals(lambda _: Range(0, 9))
    assert intervals(arena.modulo(x, y)) == Interval(0, 9)
    assert intervals(arena.divide(x, y)) == Interval(-9, 9)
    small = Intervals(lambda s: Range(-20, -10) if s is x else Range(0, 3))
    assert small(arena.modulo(x, y)) == Interval(-20, 2)
    assert small(arena.divide(arena.zero, y)) == Interval(-1, 0)
    factory = Cvc5Factory()
    remainder = arena.equals(arena.modulo(x, y), x)
    quotient = arena.equals(arena.divide(x, y), arena.ite(arena.lt(x, arena.zero), arena.zero, arena.integer(-1)))
    for width in (8, 24, 64):
        for law in (remainder, quotient):
            assert factory.refutes_widened([arena.equals(y, arena.zero), arena.not_(law)], width)
    assert intervals(arena.divide(x, arena.integer(2))) == Interval(0, 4)
    assert intervals(arena.modulo(x, arena.integer(20))) == Interval(0, 9)
    assert intervals(arena.modulo(x, arena.integer(4))) == Interval(0, 3)
