"""Thresholds of widening: the bounds at which the intervals of a variable stop on their way to a fixed point."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence

from core.analysis.classes import Classes
from core.parameters import parameter
from core.program import Assign, Assume, Call, Program
from core.terms import Term, literals, subterms

_SINGLE_MOVES = parameter("analysis.thresholds.single-moves")

LowHigh = tuple[int | None, int | None]


def pushed(thresholds: Sequence[int], old: LowHigh, new: LowHigh, moves: int) -> LowHigh:
    """`new`, with every bound that moved pushed out to the next threshold, and over more of them after many moves."""
    low, high = new
    over = (1 << max(0, moves - _SINGLE_MOVES)) - 1
    if low != old[0] and low is not None:
        at = bisect_right(thresholds, low) - 1 - over
        low = thresholds[at] if at >= 0 else None
    if high != old[1] and high is not None:
        at = bisect_left(thresholds, high) + over
        high = thresholds[at] if at < len(thresholds) else None
    return low, high


def thresholds_of(program: Program) -> dict[Term, Sequence[int]]:
    """The bounds that a variable is likely to have: constants that guards compare with it, or with what it depends on.

    Those of other variables would be steps on the way, of which a large program has many.
    """
    related = Classes[Term]()
    for symbols in _related(program):
        for x in symbols[1:]:
            related.join(x, symbols[0])
    constants: dict[Term, set[int]] = {}
    for edge in program.edges:
        for t in subterms(edge.operation.condition) if isinstance(edge.operation, Assume) else ():
            if t.is_comparison:
                for x in list(t.symbols())[:1]:
                    constants.setdefault(related.find(x), set()).update((t.value - 1, t.value, t.value + 1))
    ordered = {x: sorted(found) for x, found in constants.items()}
    return {x: ordered.get(related.find(x), ()) for x in program.variables}


def _related(program: Program) -> Iterator[Sequence[Term]]:
    """Symbols of which one may have bounds that come from those of another."""
    for edge in program.edges:
        match edge.operation:
            case Assume(condition):
                yield from (list(one.symbols()) for one in literals(condition))
            case Assign(updates):
                yield from ([x, *value.symbols()] for x, value in updates)
            case Call(function, arguments):
                parameters = program.functions[function].parameters
                yield from ([x, *value.symbols()] for x, value in zip(parameters, arguments, strict=True))
