"""Tables of constants for solvers: choices over the bits of a position, or over integers, between pieces."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Sequence
from typing import Any, TypeVar

from core.dataclass import dataclass
from core.parameters import parameter
from core.terms import ConstantTable, Term

MAX_ENTRIES = parameter("solver.multiplexers.max-entries")
LEAST_NEST = parameter("solver.multiplexers.least-nest")


def is_small(table: ConstantTable) -> bool:
    """Whether a table is told number by number; larger ones are functions that are only ones."""
    return 0 < len(table.values) <= MAX_ENTRIES


def least_width(values: Sequence[object]) -> int:
    """The bits of a signed position that tell all positions of values from each other."""
    return (len(values) - 1).bit_length() + 1


def looked_up(
    table: ConstantTable,
    bits: Sequence[Any],
    number: Callable[[int], Any],
    choice: Callable[[Any, Any, Any], Any],
) -> Any:
    """The node of the number of a table at the position with these `bits`, the lowest first, of which it has at least
    the `least_width`.
    """
    return multiplexed(table.values, 0, number, bits, choice)


_Value = TypeVar("_Value", bound=Hashable)


def multiplexed(
    values: Sequence[_Value],
    other: _Value,
    node: Callable[[_Value], Any],
    bits: Sequence[Any],
    choice: Callable[[Any, Any, Any], Any],
) -> Any:
    """The node of the value at the position with these `bits`, and of `other` beyond; equal parts are one node."""
    below = least_width(values) - 1
    level: list[Hashable] = [*values, *[other] * ((1 << below) - len(values))]
    nodes: dict[Hashable, Any] = {value: node(value) for value in dict.fromkeys([*values, other])}
    beyond = nodes[other]
    for bit in bits[:below]:
        pairs = list(zip(level[::2], level[1::2], strict=True))
        places = {pair: place for place, pair in enumerate(dict.fromkeys(pairs))}
        nodes = {
            place: nodes[even] if even == odd else choice(bit, nodes[odd], nodes[even])
            for (even, odd), place in places.items()
        }
        level = [places[pair] for pair in pairs]
    found = nodes[level[0]]
    for bit in bits[below:]:
        found = choice(bit, beyond, found)
    return found


@dataclass(frozen=True, slots=True)
class Nest:
    """A choice between `values` by the number that `position` is, and `other` for other numbers."""

    position: Term
    values: tuple[Term, ...]
    other: Term


def nest_of(t: Term) -> Nest | None:
    """The nest that a choice is, if it is one between many numbers that lie close together."""
    position = t.args[0].args[0] if t.args[0].is_equation else None
    found: dict[int, Term] = {}
    while t.is_choice and t.args[0].is_equation and t.args[0].args[0] is position:
        found.setdefault(t.args[0].value, t.args[1])
        t = t.args[2]
    size = max(found, default=-1) + 1
    if position is None or len(found) < LEAST_NEST or min(found) < 0 or size > 2 * len(found):
        return None
    return Nest(position, tuple(found.get(i, t) for i in range(size)), t)


def pieces(table: ConstantTable) -> Iterator[tuple[int, int, int]]:
    """The last position of each piece of a table, and how its numbers follow from positions: `(last, slope, constant)`
    for `slope * position + constant`, where the slope is 0 or 1. The first piece and the last are beyond the table.
    """
    values, begin = table.values, 0
    yield -1, 0, 0
    while begin < len(values):
        first, end = values[begin], begin + 1
        slope = int(values[end : end + 1] == (first + 1,))
        while end < len(values) and values[end] == first + slope * (end - begin):
            end += 1
        yield end - 1, slope, first - slope * begin
        begin = end
    yield len(values), 0, 0
