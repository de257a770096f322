"""Bit operators of integers: their normal forms mean what Python means, their bounds hold, their texts can be read."""

from collections.abc import Callable

import pytest

from core.analysis.bounds import Intervals
from core.terms import INT, Arena, Op, Term, evaluate, rebuild, subterms, to_c, to_math, to_smtlib
from core.terms.smtlib import SmtlibReader
from runs.events import TermDefined
from runs.termtable import TermReader as TableReader
from runs.termtable import TermWriter
from tests.support.random_bits import SMALL, WIDE, RandomBits

Meaning = Callable[[int, int], int]

OPERATORS: dict[str, tuple[Callable[[Arena, Term, Term], Term], Meaning]] = {
    "&": (Arena.bit_and, lambda a, b: a & b),
    "|": (Arena.bit_or, lambda a, b: a | b),
    "^": (Arena.bit_xor, lambda a, b: a ^ b),
    "<<": (Arena.shift_left, lambda a, b: a << b),
    ">>": (Arena.shift_right, lambda a, b: a >> b),
}


@pytest.mark.parametrize("name", OPERATORS)
def test_meaning(name: str) -> None:
    build, meaning = OPERATORS[name]
    arena = Arena()
    x, y = arena.symbol("x", INT), arena.symbol("y", INT)
    numbers = (-9, -2, -1, 0, 1, 2, 3, 7, 8, 12)
    for a in numbers:
        for b in numbers:
            if name in ("<<", ">>") and b < 0:
                continue
            expected, values = meaning(a, b), {x: a, y: b}
            ka, kb = arena.integer(a), arena.integer(b)
            for left, right in ((x, y), (ka, y), (x, kb), (ka, kb)):
                assert evaluate(build(arena, left, right), values) == expected, (name, left, right)
        if name not in ("<<", ">>"):
            assert evaluate(build(arena, x, x), {x: a}) == meaning(a, a)


def test_normal_forms() -> None:
    arena = Arena()
    x, y = arena.symbol("x", INT), arena.symbol("y", INT)
    assert arena.bit_and(x, y) is arena.bit_and(y, x)
    assert arena.bit_and(x, arena.integer(7)).op is Op.MODULO
    assert arena.bit_xor(x, arena.integer(-1)) is arena.subtract(arena.integer(-1), x)
    assert arena.shift_left(x, arena.integer(3)) is arena.multiply(x, arena.integer(8))
    assert arena.shift_right(x, arena.integer(3)) is arena.divide(x, arena.integer(8))


def test_rebuilding_changes_nothing() -> None:
    for seed in range(100):
        draw = RandomBits(seed, WIDE, ["r"])
        for t in subterms(draw.integer(4)):
            assert rebuild(draw.arena, t, t.args) is t


def test_values_lie_in_their_intervals() -> None:
    for seed in range(200):
        draw = RandomBits(seed, SMALL if seed % 2 else WIDE, ["r"])
        term = draw.integer(3)
        interval = Intervals(draw.range_of)(term)
        for _ in range(20):
            value = evaluate(term, draw.values())
            assert isinstance(value, int)
            assert interval.low is None or interval.low <= value, (seed, term)
            assert interval.high is None or value <= interval.high, (seed, term)


def test_texts_are_read_back() -> None:
    for seed in range(60):
        draw = RandomBits(seed, WIDE, ["r"])
        formula = draw.formula(3)
        reader = SmtlibReader(draw.arena, {s.name: s for s in draw.symbols})
        assert reader.read(to_smtlib(formula)) is formula
        rows: list[TermDefined] = []
        number = TermWriter(rows.append).id(formula)
        table = TableReader(draw.arena)
        for row in rows:
            table.define(row)
        assert table.term(number) is formula


def test_texts_for_people() -> None:
    arena = Arena()
    x, y = arena.symbol("f::x", INT), arena.symbol("y", INT)
    either = arena.bit_or(arena.bit_and(x, y), arena.add(x, arena.one))
    assert to_c(either) == "(x & y) | (x + 1)"
    assert to_c(arena.equals(either, arena.zero)) == "((x & y) | (x + 1)) == 0"
    assert to_math(arena.shift_left(arena.bit_xor(x, y), y)) == "(f::x ^ y) << y"
