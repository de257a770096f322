"""Tables of constants for solvers: choices over the bits of a position, or over integers, between pieces."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from core.parameters import parameter
from core.terms import ConstantTable

MAX_ENTRIES = parameter("solver.multiplexers.max-entries")


def is_small(table: ConstantTable) -> bool:
    """Whether a table is told number by number; larger ones are functions that are only ones."""
    return 0 < len(table.values) <= MAX_ENTRIES


def least_width(table: ConstantTable) -> int:
    """The bits of a signed position that tell all positions of a table from each other."""
    return (len(table.values) - 1).bit_length() + 1


def looked_up(
    table: ConstantTable,
    bits: Sequence[Any],
    number: Callable[[int], Any],
    choice: Callable[[Any, Any, Any], Any],
) -> Any:
    """The node of the number of a table at the position with these `bits`, the lowest first, of which it has at least
    the `least_width`. Equal parts of the table are one node.
    """
    below = least_width(table) - 1
    level = [table.value(position) for position in range(1 << below)]
    nodes = {value: number(value) for value in level}
    for bit in bits[:below]:
        pairs = list(zip(level[::2], level[1::2], strict=True))
        places = {pair: place for place, pair in enumerate(dict.fromkeys(pairs))}
        nodes = {
            place: nodes[even] if even == odd else choice(bit, nodes[odd], nodes[even])
            for (even, odd), place in places.items()
        }
        level = [places[pair] for pair in pairs]
    node = nodes[level[0]]
    for bit in bits[below:]:
        node = choice(bit, number(0), node)  # beyond the table, or negative
    return node


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
