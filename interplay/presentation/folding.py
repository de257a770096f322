"""Folding of steps, and inputs, that repeat: of many equal rounds of a loop, or of a recursion, the first and the last
are shown.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Sequence
from dataclasses import replace
from typing import TypeVar

from core.program.given import GivenInput

_T = TypeVar("_T")

LONGEST_TRACE = 60  # lines of a trace or a table; the middle of a longer one is left out
LEAST = 4  # rounds that are folded
LONGEST = 30  # steps of such a round
_UNLIKE = 3  # names that are told


def folded(keys: Sequence[Hashable]) -> Iterator[tuple[range, int]]:
    """The positions that are shown, in pieces; behind each piece, how often more its last steps are repeated there.

    Where that is not 0, the piece is one round, and the next piece begins with the last round.
    """
    begin = position = 0
    while position < len(keys):
        length, rounds = _rounds(keys, position)
        if rounds < LEAST:
            position += 1
            continue
        if begin < position:
            yield range(begin, position), 0
        yield range(position, position + length), rounds - 2
        begin = position + (rounds - 1) * length
        position = begin + length
    if begin < position:
        yield range(begin, position), 0


def repeated(steps: int, times: int, word: str = "step", changes: Iterable[tuple[str, str]] = ()) -> str:
    """The text in place of the rounds that are not shown; `changes` are the names and values of all of them, in order:
    those that are not alike are told.
    """
    values: dict[str, list[str]] = {}
    for name, value in changes:
        values.setdefault(name, []).append(value)
    unlike = [f"{name} = {found[0]}, …, {found[-1]}" for name, found in values.items() if len(set(found)) > 1]
    told = f", with {', '.join(unlike[:_UNLIKE])}" if unlike else ""
    return f"… the same {word if steps == 1 else f'{steps} {word}s'}, {times} more times{told} …"


def _rounds(keys: Sequence[Hashable], begin: int) -> tuple[int, int]:
    """The length of the rounds that begin at a position, and their number, where these cover most."""
    best = 1, 1
    for length in range(1, min(LONGEST, (len(keys) - begin) // LEAST) + 1):
        first, rounds = keys[begin : begin + length], 1
        while keys[begin + rounds * length : begin + (rounds + 1) * length] == first:
            rounds += 1
        if rounds >= LEAST and rounds * length > best[0] * best[1]:
            best = length, rounds
    return best


def folded_inputs(inputs: Sequence[GivenInput]) -> Iterator[GivenInput | str]:
    """The inputs; of equal ones in a row, as a loop reads them, the first and the last, and a text between them."""
    for piece, times in folded([(one.place, str(replace(one, times=1))) for one in inputs]):
        yield from (inputs[position] for position in piece)
        if times:
            yield repeated(len(piece), times, "input")


def both_ends(items: Sequence[_T], most: int = LONGEST_TRACE) -> list[_T | None]:
    """The items, or of many the first and the last ones with None for the others between."""
    if len(items) <= most:
        return list(items)
    half = most // 2
    return [*items[:half], None, *items[-half:]]
