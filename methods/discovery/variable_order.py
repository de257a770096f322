"""An order of variables for decision diagrams: variables that the program relates through few others come together.

Heuristic. A guarded assignment `if (p) lock = 1;` correlates `p` and `lock`; where the two are far apart in the order,
a diagram over n such pairs has 2^n nodes. Affinity counts small steps more, and the order follows it greedily.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction

from core.parameters import parameter
from core.program import Edge
from core.program.expansion import Expansion
from core.program.semantics import transition
from core.terms import Term

_LARGEST_STEP = parameter("discovery.variable-order.largest-step")


def variable_order(expansion: Expansion) -> dict[Term, int]:
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
    transitions = _Transitions(expansion)
    for location in expansion.program.locations:
        for chain in expansion.chains(location.id):
            yield transitions.variables(chain)


class _Transitions:
    """The reads and writes of edges: composing a chain from each of its edges on costs the square of its length."""

    def __init__(self, expansion: Expansion) -> None:
        self._expansion = expansion
        self._known: dict[int, tuple[tuple[Term, ...], tuple[Term, ...]]] = {}

    def variables(self, chain: Sequence[Edge]) -> tuple[Term, ...]:
        """The variables that a chain reads from the state before it, by age, then those that it writes."""
        read: set[Term] = set()
        written: dict[Term, None] = {}
        for edge in chain:
            reads, writes = self._of(edge)
            read.update(x for x in reads if x not in written)
            written.update(dict.fromkeys(writes))
        return tuple(dict.fromkeys([*sorted(read, key=lambda x: x.id), *written]))

    def _of(self, edge: Edge) -> tuple[tuple[Term, ...], tuple[Term, ...]]:
        found = self._known.get(edge.id)
        if found is None:
            t = transition(self._expansion.arena, edge.operation)
            reads = tuple(x for x in t.reads if not self._expansion.is_input(x))
            found = self._known[edge.id] = reads, tuple(t.updates)
        return found
