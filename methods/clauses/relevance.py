"""Relevant variables: at each location those that a later guard depends on, which a relation must have as arguments.

Strong liveness (R. Giegerich, U. Möncke, R. Wilhelm, 1981), over calls too: an assignment reads only if what it assigns
matters. A summary speaks about the globals that matter to some caller, and about what mattered when it was entered: the
snapshot of a variable that the function may change, else the variable itself.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from core.program.expansion import At
from core.terms import Term
from methods.clauses.clause_graph import Arc, ArcGraph


def relevant_variables(graph: ArcGraph, tick: Callable[[], None]) -> Mapping[At, tuple[Term, ...]]:
    """The relevant variables of each location, in a fixed order."""
    relevance = _Relevance(graph)
    relevance.run(tick)
    return {at: tuple(sorted(found, key=lambda s: s.id)) for at, found in relevance.relevant.items()}


class _Relevance:
    """The least fixed point; locations whose variables have grown wait in `_work`."""

    def __init__(self, graph: ArcGraph) -> None:
        self._graph = graph
        self._view = graph.view
        self._summarised = graph.summarised
        self._passed = {self._view.entry(name): self._passed_to(name) for name in self._view.contracted}
        self._exits = {self._view.exit(name): name for name in self._view.contracted}
        self._into: dict[At, list[Arc]] = {}
        self._users: dict[str, list[Arc]] = {}
        for arc in graph.arcs:
            self._into.setdefault(arc.target, []).append(arc)
            for use in arc.uses:
                self._users.setdefault(use.callee, []).append(arc)
        self.relevant: dict[At, set[Term]] = {at: set() for arc in graph.arcs for at in (arc.source, arc.target)}
        self._work = dict.fromkeys(self.relevant)

    def _passed_to(self, function: str) -> frozenset[Term]:
        """The variables that have a value when the function is called; its locals are arbitrary then."""
        return frozenset((*self._view.globals, *self._view.program.functions[function].parameters))

    def run(self, tick: Callable[[], None]) -> None:
        while self._work:
            tick()
            at = next(iter(self._work))
            del self._work[at]
            for arc in self._into.get(at, ()):
                self._add(arc.source, self._before(arc))
                for use in arc.uses:
                    changed = self._view.changed[use.callee]
                    wanted = (x for x in self.relevant[at] if x in changed and x in arc.transition.updates)
                    self._add(self._view.exit(use.callee), wanted)
            name = self._view.entered(at)
            if name is not None:
                self._add(self._view.exit(name), [self._summarised.before(name, x) for x in self.relevant[at]])
            if at in self._exits:
                for arc in self._users.get(self._exits[at], ()):
                    self._add(arc.source, self._before(arc))

    def _before(self, arc: Arc) -> set[Term]:
        after, updates = self.relevant[arc.target], arc.transition.updates
        read = set(arc.transition.guard.symbols())
        for x in after:
            read |= updates[x].symbols() if x in updates else {x}
        for use in arc.uses:
            for s in self.relevant.get(self._view.exit(use.callee), ()):
                read |= use.value(s).symbols()
        return {s for s in read if not self._graph.is_input(s)}

    def _add(self, at: At, symbols: Iterable[Term]) -> None:
        known = self.relevant.setdefault(at, set())
        size = len(known)
        passed = self._passed.get(at)
        known.update(s for s in symbols if passed is None or s in passed)
        if len(known) > size:
            self._work[at] = None
