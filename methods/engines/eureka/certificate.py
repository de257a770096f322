"""Certificates of zones: invariants at locations, and contracts of recursive procedures."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from core.analysis.intervals import Simplified
from core.program.expansion import At
from core.program.modular import ModularView
from core.terms import Term
from core.verdict import Certificate, Contract
from methods.domains.zones import LinearState, ZoneDomain
from methods.engines.eureka.tabulation import Tabulation


def states_by_location(view: ModularView, domain: ZoneDomain, exploration: Tabulation) -> dict[At, Term]:
    """The states at each location that was reached, as one formula."""
    states: dict[At, dict[int, LinearState]] = {}
    for at, state in exploration.states():
        states.setdefault(at, {})[id(state)] = state
    return {at: view.arena.or_(*map(domain.formula, found.values())) for at, found in states.items()}


def certificate(view: ModularView, simplified: Simplified, states: Mapping[At, Term]) -> Certificate:
    """The certificate that `states` at locations of the view make: what has none is not reached."""
    return _Proof(view, simplified, states).certificate()


class _Proof:
    def __init__(self, view: ModularView, simplified: Simplified, states: Mapping[At, Term]) -> None:
        self._view = view
        self._arena = view.arena
        self._simplified = simplified
        self._states = states

    def certificate(self) -> Certificate:
        view = self._view
        special = {*map(view.entry, view.contracted), *map(view.exit, view.contracted)}
        invariants: dict[At, Term] = {}
        for at, formula in self._states.items():
            if view.check(at) is None:
                if at not in special:
                    invariants[at] = self._arena.and_(formula, self._simplified.bounds_at(view, at))
                for target in (step.target for step in view.steps(at)):
                    if target not in self._states and target not in special and view.check(target) is None:
                        invariants[target] = self._arena.false
        return Certificate(invariants, (), {name: self._contract(name) for name in view.contracted})

    def _contract(self, name: str) -> Contract:
        view, arena = self._view, self._arena
        entry, leave = view.entry(name), view.exit(name)
        globals_ = frozenset(view.globals)
        if entry not in self._states:
            return Contract(arena.false, arena.true)
        parameters = frozenset(view.program.functions[name].parameters)
        post = self._states.get(leave, arena.false)
        pre = arena.and_(self._states[entry], self._bounds(entry, globals_ | parameters))
        return Contract(pre, arena.and_(post, self._bounds(leave, globals_)))

    def _bounds(self, at: At, visible: Collection[Term]) -> Term:
        return self._simplified.visible_bounds(self._view, at, visible)
