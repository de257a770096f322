"""Tables as choices over the bits of a position."""

import pytest

from core.program import Range
from core.solver.bitwuzla_search import BitwuzlaSearch
from core.solver.bitwuzla_solver import BitwuzlaFactory
from core.solver.contract import Sat, Unsat
from core.solver.multiplexers import MAX_ENTRIES, is_small, least_width, looked_up, nest_of, pieces
from core.solver.z3_solver import Z3Factory
from core.terms import INT, Arena, ConstantTable, Term, evaluate


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
    width = least_width(table.values) + more
    for position in range(-(1 << (width - 1)), 1 << (width - 1)):
        assert value(table, position, width) == table.value(position)


def test_equal_parts_of_a_table_are_one_node() -> None:
    made: list[tuple[int, str, str]] = []

    def choice(bit: int, one: str, zero: str) -> str:
        made.append((bit, one, zero))
        return f"by {bit}"

    table = ConstantTable((1, 2) * 64)
    looked_up(table, range(least_width(table.values)), str, choice)
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


WORD = Range(-4, 40)


def a_nest(arena: Arena, position: Term) -> Term:
    """A choice between 20 numbers, of which one is twice there and three are missing."""
    nest = arena.integer(-7)
    for number in [5, *(i for i in range(20) if i not in (0, 7, 9))]:
        nest = arena.ite(arena.equals(position, arena.integer(number)), arena.integer((11 * number) % 5), nest)
    return nest


def test_solvers_of_bits_know_each_number_of_a_nest() -> None:
    arena = Arena()
    position = arena.symbol("position", INT)
    nest = a_nest(arena, position)
    assert nest_of(nest) is not None
    factory = BitwuzlaFactory()
    search = BitwuzlaSearch(0, lambda _: WORD, 1000, lambda: False)
    bits = Z3Factory(0, lambda _: WORD)()
    for number in range(WORD.low or 0, (WORD.high or 0) + 1):
        found = evaluate(nest, {position: number})
        assert isinstance(found, int)
        here = arena.equals(position, arena.integer(number))
        right = arena.equals(nest, arena.integer(found))
        wrong = arena.not_(right)
        assert factory.refutes([here, wrong], 16)
        assert not factory.refutes([here, right], 16)
        for solver in (search, bits):
            assert isinstance(solver.check([here, right]), Sat)
            assert isinstance(solver.check([here, wrong]), Unsat)


def test_a_nest_may_be_behind_another_and_have_any_values() -> None:
    arena = Arena()
    position, value = arena.symbol("position", INT), arena.symbol("value", INT)
    nest = a_nest(arena, arena.add(position, value))
    for number in range(16):
        nest = arena.ite(arena.equals(value, arena.integer(number)), arena.add(position, arena.integer(number)), nest)
    factory = BitwuzlaFactory()
    for a, b in ((3, 4), (3, 30), (-2, 20), (-4, -4), (0, 16), (9, 15)):
        found = evaluate(nest, {position: a, value: b})
        assert isinstance(found, int)
        case = [arena.equals(position, arena.integer(a)), arena.equals(value, arena.integer(b))]
        assert factory.refutes([*case, arena.not_(arena.equals(nest, arena.integer(found)))], 16)
        assert not factory.refutes([*case, arena.equals(nest, arena.integer(found))], 16)
