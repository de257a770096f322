"""Tables as choices over the bits of a position."""

import pytest

from core.solver.multiplexers import MAX_ENTRIES, is_small, least_width, looked_up, pieces
from core.terms import ConstantTable


def value(table: ConstantTable, position: int, width: int) -> int:
    """The number at a position of so many bits, with truth values as nodes."""
    bits = [bool(position >> bit & 1) for bit in range(width)]
    found = looked_up(table, bits, lambda number: number, lambda bit, one, zero: one if bit else zero)
    assert isinstance(found, int)
    return found


@pytest.mark.parametrize("length", [1, 2, 3, 7, 8, 9])
@pytest.mark.parametrize("more", [0, 2])
def test_every_position_has_its_number_and_others_have_0(length: int, more: int) -> None:
    table = ConstantTable(tuple((5 * i) % 4 - 7 for i in range(length)))
    width = least_width(table) + more
    for position in range(-(1 << (width - 1)), 1 << (width - 1)):
        assert value(table, position, width) == table.value(position)


def test_equal_parts_of_a_table_are_one_node() -> None:
    made: list[tuple[int, str, str]] = []

    def choice(bit: int, one: str, zero: str) -> str:
        made.append((bit, one, zero))
        return f"by {bit}"

    table = ConstantTable((1, 2) * 64)
    looked_up(table, range(least_width(table)), str, choice)
    assert made == [(0, "2", "1"), (7, "0", "by 0")]


def test_what_is_too_large_or_empty_is_not_told() -> None:
    assert not is_small(ConstantTable(()))
    assert not is_small(ConstantTable((1,) * (MAX_ENTRIES + 1)))
    assert is_small(ConstantTable((1,) * MAX_ENTRIES))


@pytest.mark.parametrize(
    "values", [(5,), (0, 1, 2, 7, 7, 7, 8, 3), (9, 8, 7), tuple(i + 32 * (65 <= i <= 90) for i in range(256))]
)
def test_pieces_give_every_number(values: tuple[int, ...]) -> None:
    table = ConstantTable(values)
    parts = list(pieces(table))
    for position in range(-2, len(values) + 1):
        slope, constant = next((slope, constant) for last, slope, constant in parts if position <= last)
        assert slope * position + constant == table.value(position)


def test_letters_in_lower_case_have_few_pieces() -> None:
    assert len(list(pieces(ConstantTable(tuple(i + 32 * (65 <= i <= 90) for i in range(256)))))) == 5
