"""Live variables: which variables may still be read. Globals and results count as always live.

Classical backward data flow per function (Kennedy 1978). A predicate over a dead variable says nothing that matters.
"""

from __future__ import annotations

from core.expansion import At, Expansion
from core.program import Assign, Assume, Call, Edge, Program
from core.terms import Substitution, Term


class Liveness:
    """The live locals at every location of an expansion."""

    def __init__(self, expansion: Expansion) -> None:
        self._expansion = expansion
        self._local = _live_locals(expansion.program)
        self._live: dict[At, frozenset[Term]] = {}

    def locals_at(self, at: At) -> frozenset[Term]:
        """Live locals of all activations on the stack of `at`, under the names of their frames."""
        found = self._live.get(at)
        if found is None:
            rename: Substitution = self._expansion.in_frame(at)
            found = frozenset(rename(x) for x in self._local[at.location])
            if at.stack:
                call = self._expansion.program.edges[at.stack[-1]]
                found |= self.locals_at(At(at.stack[:-1], call.target))
            self._live[at] = found
        return found


def _live_locals(program: Program) -> list[frozenset[Term]]:
    locals_ = {x for function in program.functions.values() for x in (*function.parameters, *function.locals)}
    live: list[frozenset[Term]] = [frozenset()] * len(program.locations)
    work = dict.fromkeys(range(len(program.locations) - 1, -1, -1))
    while work:
        location = next(iter(work))
        del work[location]
        now = frozenset().union(*(_before(edge, live[edge.target], locals_) for edge in program.out_edges[location]))
        if now != live[location]:
            live[location] = now
            work.update(dict.fromkeys(edge.source for edge in program.in_edges[location]))
    return live


def _before(edge: Edge, after: frozenset[Term], locals_: set[Term]) -> frozenset[Term]:
    match edge.operation:
        case Assume(condition):
            return after | (condition.symbols() & locals_)
        case Assign(updates):
            read: frozenset[Term] = frozenset().union(
                *(v.symbols() & locals_ for x, v in updates if _matters(x, after, locals_))
            )
            return (after - {x for x, _ in updates}) | read
        case Call(_, arguments):
            return after.union(*(a.symbols() & locals_ for a in arguments))


def _matters(x: Term, after: frozenset[Term], locals_: set[Term]) -> bool:
    return x in after or x not in locals_
