"""The invariants of a certificate, from formulas that engines found at locations."""

from __future__ import annotations

from collections.abc import Mapping

from core.analysis.intervals import Simplified
from core.program.expansion import At, Expansion
from core.terms import Term


def inductive_invariants(expansion: Expansion, simplified: Simplified, formulas: Mapping[At, Term]) -> dict[At, Term]:
    """The `formulas` of locations, each within its bounds; false at locations that exploration never reached.

    Not inside basic blocks, whatever the steps are: a value may leave its range between a guard and what it guards.
    So where exploration ended inside one, the rest of it has the invariant false.
    """
    arena = expansion.arena
    invariants = {at: arena.and_(formula, simplified.invariant(expansion, at)) for at, formula in formulas.items()}
    passed = list(formulas)
    while passed:
        for target in [step.target for step in expansion.steps(passed.pop())]:
            if target not in invariants:
                invariants[target] = arena.false
                if expansion.is_inner(target):
                    passed.append(target)
    return {at: formula for at, formula in invariants.items() if not expansion.is_inner(at)}
