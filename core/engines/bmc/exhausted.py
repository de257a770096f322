"""The certificate of a program that was unrolled completely.

Going backward over the instances gives when the rest of the unrolling is free of errors; an instance also says which
variables have constant values there. The invariant of a location is the disjunction over its instances.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping

from core.analysis.intervals import Simplified
from core.discovery.invariants import inductive_invariants
from core.engines.bmc.preconditions import precondition
from core.limits import Limits
from core.paths.unrolling import Instance, Unrolling
from core.program.expansion import At, Expansion
from core.terms import Arena, Op, Substitution, Term
from core.verdict import Certificate


def certificate(
    unrolling: Unrolling, simplified: Simplified, checks: Collection[int], limits: Limits
) -> Certificate | None:
    """A certificate that excludes `checks`; None where inputs cannot be eliminated at a loop head."""
    expansion = unrolling.expansion
    needed: dict[Instance, Term | None] = {}
    for instance in reversed(unrolling.instances):
        limits.check()
        needed[instance] = _needed(expansion, instance, needed, checks)
    found: dict[At, list[Term | None]] = {}
    for instance, formula in needed.items():
        found.setdefault(instance.at, []).append(formula)
    invariants = {at: _either(expansion.arena, formulas) for at, formulas in found.items()}
    if any(formula is None and expansion.is_loop_head(at) for at, formula in invariants.items()):
        return None
    return Certificate(closed(expansion, simplified, invariants))


def closed(expansion: Expansion, simplified: Simplified, found: dict[At, Term | None]) -> dict[At, Term]:
    """The invariants of a certificate; nothing where none was found, so that the checker walks through."""
    true = expansion.arena.true
    invariants = inductive_invariants(expansion, simplified, {at: f or true for at, f in found.items()})
    return {at: formula for at, formula in invariants.items() if found.get(at, true) is not None}


def _either(arena: Arena, formulas: list[Term | None]) -> Term | None:
    known = [f for f in formulas if f is not None]
    return arena.or_(*known) if len(known) == len(formulas) else None


def _needed(
    expansion: Expansion, instance: Instance, needed: Mapping[Instance, Term | None], checks: Collection[int]
) -> Term | None:
    """The constants of `instance`, and the condition under which no error is reached from it on."""
    arena = expansion.arena
    check = expansion.check(instance.at)
    if check is not None:
        return arena.boolean(check.id not in checks)
    followed = {arc.step: arc.target for arc in instance.leaving}
    parts: list[Term] = []
    for step in expansion.steps(instance.at):
        target = followed.get(step)
        # What was left out, because no execution goes there, must not be reached.
        post = arena.false if target is None else needed[target]
        part = None if post is None else precondition(expansion, step, post)
        if part is None:
            return None
        parts.append(part)
    constants = {x: value for x, value in instance.values.items() if value.op is Op.CONSTANT}
    facts = [arena.equals(x, value) for x, value in constants.items()]
    return arena.and_(*facts, Substitution(arena, constants)(arena.and_(*parts)))
