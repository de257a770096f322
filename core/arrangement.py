"""An order of variables for decision diagrams: variables that the program relates through few others come together.

Heuristic. A guarded assignment `if (p) lock = 1;` correlates `p` and `lock`; where the two are far apart in the order,
a diagram over n such pairs has 2^n nodes. Affinity counts small steps more, and the order follows it greedily.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from core.expansion import Expansion
from core.semantics import sequence
from core.terms import Term

_LARGEST_STEP = 6  # variables; larger steps relate everything with everything


def arrangement(expansion: Expansion) -> dict[Term, int]:
    """The position of each variable that some step reads or writes."""
    affinity: dict[Term, dict[Term, Fraction]] = {}
    for step in _steps(expansion):
        for x in step:
            near = affinity.setdefault(x, {})
            for y in step if len(step) <= _LARGEST_STEP else ():
                if y is not x:
                    near[y] = near.get(y, Fraction(0)) + Fraction(1, len(step) ** 2)
    order: dict[Term, int] = {}
    for x in affinity:
        last: Term | None = x if x not in order else None
        while last is not None:
            order[last] = len(order)
            unplaced = [(weight, -y.id, y) for y, weight in affinity[last].items() if y not in order]
            last = max(unplaced)[2] if unplaced else None
    return order


def _steps(expansion: Expansion) -> Iterator[tuple[Term, ...]]:
    """The variables of each step inside a function, without repetition, in the order of the program."""
    for location in expansion.program.locations:
        for chain in expansion.chains(location.id):
            t = sequence(expansion.arena, chain)
            variables = [s for s in sorted(t.reads, key=lambda s: s.id) if not expansion.is_input(s)]
            yield tuple(dict.fromkeys([*variables, *t.updates]))
