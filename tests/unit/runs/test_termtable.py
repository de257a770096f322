"""Numbered terms: definitions come before uses, once each, and rebuild the same terms."""

import pytest

from core.terms import BOOL, INT, INT_ARRAY, Arena, ArraySort, ArrayValue, Op, Term, Value, evaluate
from runs.events import TermDefined
from runs.jsondata import Malformed
from runs.termtable import TermReader, TermTable, TermWriter, read_sort, read_table


def samples(arena: Arena) -> list[Term]:
    x, y, a = arena.symbol("f::x", INT), arena.symbol("y", INT), arena.symbol("a", INT_ARRAY)
    b, k = arena.symbol("b", BOOL), arena.fresh("k", INT)
    total = arena.linear([(2, x), (-3, y)], 7)
    return [
        arena.true,
        arena.integer(-5),
        arena.le(total, arena.zero),
        arena.iff(b, arena.equals(x, y)),
        arena.ite(b, total, arena.multiply(x, arena.multiply(y, y))),
        arena.and_(arena.not_(b), arena.or_(arena.lt(x, y), arena.equals(arena.modulo(x, arena.integer(4)), y))),
        arena.divide(x, arena.integer(3)),
        arena.select(arena.store(a, x, y), y),
        arena.select(a, x),
        arena.store(arena.const_array(INT_ARRAY, arena.zero), x, total),
        arena.forall([k], arena.implies(arena.le(k, x), arena.equals(arena.select(a, k), y))),
    ]


def test_rows_come_before_their_uses_and_once() -> None:
    rows: list[TermDefined] = []
    writer = TermWriter(rows.append)
    terms = samples(Arena())
    numbers = [writer.id(t) for t in terms]
    assert [row.number for row in rows] == list(range(len(rows)))
    assert all(a < row.number for row in rows for a in row.args)
    assert [writer.id(t) for t in terms] == numbers
    assert len({(row.op, row.args, row.payload, row.sort) for row in rows}) == len(rows)


def test_terms_are_rebuilt_in_their_own_arena() -> None:
    arena = Arena()
    table = TermTable()
    numbers = [table.id(t) for t in samples(arena)]
    reader = read_table(table.rows, arena)
    for number, term in zip(numbers, samples(arena), strict=True):
        if term.op.name != "FORALL":  # a second call of `fresh` gives another symbol
            assert reader.term(number) is term


def test_terms_keep_their_values_in_another_arena() -> None:
    """Normal forms follow the order of creation, so in another arena a term may look different; it means the same."""
    arena, other = Arena(), Arena()
    table = TermTable()
    terms = [t for t in samples(arena) if not isinstance(t.sort, ArraySort) and not t.symbols() - named(arena)]
    numbers = [table.id(t) for t in terms if t.op is not Op.FORALL]
    reader = read_table(table.rows, other)
    for x, y, b in ((0, 0, False), (3, -2, True), (-7, 5, False)):
        for number, term in zip(numbers, terms, strict=False):
            assert evaluate(reader.term(number), values(other, x, y, b)) == evaluate(term, values(arena, x, y, b))


def named(arena: Arena) -> frozenset[Term]:
    return frozenset(values(arena, 0, 0, False))


def values(arena: Arena, x: int, y: int, b: bool) -> dict[Term, Value]:
    symbols = (arena.symbol("f::x", INT), arena.symbol("y", INT), arena.symbol("a", INT_ARRAY), arena.symbol("b", BOOL))
    return dict(zip(symbols, (x, y, ArrayValue(1, {0: 4, 5: -3}), b), strict=True))


@pytest.mark.long
def test_deep_terms_need_no_recursion() -> None:
    arena = Arena()
    t = arena.symbol("x", INT)
    for n in range(20_000):
        t = arena.modulo(arena.add(t, arena.integer(n)), arena.integer(7))
    table = TermTable()
    assert read_table(table.rows, arena).term is not None
    number = table.id(t)
    assert read_table(table.rows, arena).term(number) is t


@pytest.mark.parametrize(
    "row",
    [
        ["frobnicate", [], "", "Int"],
        ["not", [0], "", "Bool"],
        ["not", [5], "", "Bool"],
        ["not", [-1], "", "Bool"],
        ["not", [], "", "Bool"],
        ["le", [0], "x", "Bool"],
        ["linear", [0], "1", "Int"],
        ["linear", [0], "1,2;0", "Int"],
        ["select", [0, 0], "", "Int"],
        ["constant", [], "maybe", "Int"],
        ["constant", [], "maybe", "Bool"],
        ["constant", [], "9" * 5000, "Int"],
        ["symbol", [], "x", "(Array Int"],
        ["symbol", [], "x", "Real"],
        ["multiply", [], "", "Int"],
        ["forall", [1], "9", "Bool"],
        ["linear", [0], "1;0", "Bool"],
    ],
    ids=str,
)
def test_rows_of_strangers_are_checked(row: list[object]) -> None:
    with pytest.raises(Malformed):
        read_table([["symbol", [], "x", "Int"], ["constant", [], "true", "Bool"], row], Arena()).term(2)


def test_undefined_numbers_are_refused() -> None:
    with pytest.raises(Malformed):
        TermReader(Arena()).term(0)


def test_sorts() -> None:
    for sort in (BOOL, INT, INT_ARRAY, ArraySort(INT, INT_ARRAY)):
        assert read_sort(str(sort)) == sort
