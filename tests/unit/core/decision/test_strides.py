"""Rows and columns that indices mean."""

import pytest

from core.decision.strides import Stride, row_and_column, stride, without_wraps
from core.terms import INT, Arena, Term


@pytest.fixture
def arena() -> Arena:
    return Arena()


def symbols(t: Arena, names: str) -> list[Term]:
    return [t.symbol(name, INT) for name in names]


def test_strides_are_numbers_or_products(arena: Arena) -> None:
    k, l, m = symbols(arena, "klm")  # noqa: E741 (the name in the paper)
    pattern = arena.linear([(4, arena.multiply(m, k)), (4, l)], 8)
    assert stride(pattern, k) == Stride(4, (m,))
    assert stride(pattern, l) == Stride(4)
    assert stride(arena.multiply(k, k), k) is None


@pytest.mark.parametrize(
    ("row", "column", "constant"),
    [((1, 0), (0, 1), 0), ((1, 0), (0, 1), 100), ((1, 0), (0, 1), -1), ((0, 1), (1, 0), 0), ((-1, 0), (0, -1), 99)],
)
def test_rows_and_columns_are_read_from_coefficients(
    arena: Arena, row: tuple[int, int], column: tuple[int, int], constant: int
) -> None:
    i, j, k, l, base = symbols(arena, "ijklb")  # noqa: E741
    pattern = arena.linear([(100, k), (1, l), (1, base)])
    index = arena.linear([(100 * row[0] + column[0], i), (100 * row[1] + column[1], j), (1, base)], constant)
    found = row_and_column(arena, pattern, k, l, index)
    assert found is not None
    assert arena.linear([(100, found[0]), (1, found[1]), (1, base)]) is index
    rest = constant - (round(constant / 100) * 100)
    assert found[1] is arena.linear([(column[0], i), (column[1], j)], rest)


def test_rows_of_symbolic_length_and_exchanged_symbols(arena: Arena) -> None:
    i, j, k, l, m = symbols(arena, "ijklm")  # noqa: E741
    pattern = arena.add(arena.multiply(m, l), k)
    index = arena.linear([(1, arena.multiply(m, i)), (1, m), (1, j)], -1)
    found = row_and_column(arena, pattern, k, l, index)
    assert found == (arena.add(j, arena.integer(-1)), arena.add(i, arena.one))


def test_rows_of_squares(arena: Arena) -> None:
    i, j, k, l, m = symbols(arena, "ijklm")  # noqa: E741
    square = arena.multiply(m, m)
    pattern = arena.add(arena.multiply(square, k), l)
    whole, part = arena.add(arena.multiply(square, i), j), arena.add(arena.multiply(m, i), j)
    assert row_and_column(arena, pattern, k, l, whole) == (i, j)
    assert row_and_column(arena, pattern, k, l, part) == (arena.zero, part)


def test_indices_of_other_shapes_have_no_place(arena: Arena) -> None:
    i, k, l = symbols(arena, "ikl")  # noqa: E741
    assert row_and_column(arena, arena.linear([(8, k), (4, l)]), k, l, arena.linear([(2, i)])) is None
    assert row_and_column(arena, arena.linear([(4, k), (4, l)]), k, l, arena.linear([(4, i)])) is None
    assert row_and_column(arena, k, k, l, i) is None


def test_wrap_around_is_left_out_of_indices(arena: Arena) -> None:
    i, m = symbols(arena, "im")
    body, size, half = arena.multiply(m, i), arena.integer(1 << 32), arena.integer(1 << 31)
    wrapped = arena.subtract(arena.modulo(arena.add(body, half), size), half)
    choice = arena.ite(arena.lt(wrapped, half), wrapped, arena.subtract(wrapped, size))
    assert without_wraps(arena, choice) is body
