"""Live variable analysis: the variables that may still be read at each location.

Classical backward data flow (Kennedy 1978): of locals per function, of globals and results through calls, without
contexts. A predicate over a dead variable says nothing that matters.
"""

from __future__ import annotations

from core.program import Assign, Assume, Call, Edge, Program
from core.program.expansion import At, Expansion
from core.terms import Substitution, Term


class Liveness:
    """The live locals at every location of an expansion."""

    def __init__(self, expansion: Expansion) -> None:
        self._expansion = expansion
        self._local = _live_locals(expansion.program)
        self._live: dict[At, frozenset[Term]] = {}
        self._global: list[frozenset[Term]] | None = None

    def locals_at(self, at: At) -> frozenset[Term]:
        """Live locals of all activations on the stack of `at`, under the names of their frames."""
        live = self._live.get(at)
        if live is None:
            rename: Substitution = self._expansion.in_frame(at)
            live = frozenset(rename(x) for x in self._local[at.location])
            if at.stack:
                call = self._expansion.program.edges[at.stack[-1]]
                live |= self.locals_at(At(at.stack[:-1], call.target))
            self._live[at] = live
        return live

    def at(self, at: At) -> frozenset[Term]:
        """The live variables, globals and results included."""
        if self._global is None:
            self._global = _live_globals(self._expansion.program, self._local)
        return self.locals_at(at) | self._global[at.location]


def _live_locals(program: Program) -> list[frozenset[Term]]:
    locals_ = program.locals()
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


def _before(edge: Edge, after: frozenset[Term], locals_: frozenset[Term]) -> frozenset[Term]:
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


def _matters(x: Term, after: frozenset[Term], locals_: frozenset[Term]) -> bool:
    return x in after or x not in locals_


def _live_globals(program: Program, local: list[frozenset[Term]]) -> list[frozenset[Term]]:
    """The live globals at every location; `local` gives the live locals."""
    globals_ = frozenset(program.globals())
    live: list[frozenset[Term]] = [frozenset()] * len(program.locations)
    calls: dict[str, list[Edge]] = {name: [] for name in program.functions}
    for edge in program.edges:
        if isinstance(edge.operation, Call):
            calls[edge.operation.function].append(edge)
    entries = {function.entry: name for name, function in program.functions.items()}
    exits = {function.exit: name for name, function in program.functions.items()}
    work = dict.fromkeys(range(len(program.locations) - 1, -1, -1))
    while work:
        location = next(iter(work))
        del work[location]
        callers = calls[exits[location]] if location in exits else []
        now = frozenset[Term]().union(*(live[call.target] for call in callers))
        for edge in program.out_edges[location]:
            now |= _globals_before(program, edge, live, local) & globals_
        if now != live[location]:
            live[location] = now
            for edge in program.in_edges[location]:
                work[edge.source] = None
                if isinstance(edge.operation, Call):
                    work[program.functions[edge.operation.function].exit] = None
            if location in entries:
                work.update(dict.fromkeys(call.source for call in calls[entries[location]]))
    return live


def _globals_before(
    program: Program, edge: Edge, live: list[frozenset[Term]], local: list[frozenset[Term]]
) -> frozenset[Term]:
    """The variables that an edge makes live before it; locals may be among them."""
    after = live[edge.target]
    match edge.operation:
        case Assume(condition):
            return after | condition.symbols()
        case Assign(updates):
            needed = after | local[edge.target]
            read = frozenset[Term]().union(*(v.symbols() for x, v in updates if x in needed))
            return (after - {x for x, _ in updates}) | read
        case Call(function, arguments):
            callee = program.functions[function]
            passed = zip(callee.parameters, arguments, strict=True)
            return live[callee.entry].union(*(a.symbols() for p, a in passed if p in local[callee.entry]))
