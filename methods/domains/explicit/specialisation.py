"""Specialisation of steps to known values, by which explicit values strengthen the other part of a composite state.

The strengthening operator ↓ of composite analyses (D. Beyer, T. A. Henzinger, G. Théoduloz, CAV 2007, section 2.3), by
partial evaluation: what is known before a step replaces the variables that the step reads. So the other domain gets
every known value and needs no predicates about it.

Law: from the states in which the values hold, the specialised step leads where the step leads.

Limitation: cells of arrays are not replaced.
"""

from __future__ import annotations

from core.program.expansion import Step
from core.program.semantics import Transition
from core.terms import Arena, Substitution, Term
from methods.domains.explicit.cells import Cells, Explicit
from methods.domains.explicit.compiler import Values


class Specialisation:
    """A cache of specialised steps: equal values make the same step of a step, and the same transition of one."""

    def __init__(self, arena: Arena) -> None:
        self._arena = arena
        self._reads: dict[Transition, tuple[Term, ...]] = {}
        self._transitions: dict[tuple[Transition, tuple[Explicit | None, ...]], Transition] = {}
        self._steps: dict[tuple[Step, Transition], Step] = {}

    def step(self, values: Values, step: Step) -> Step:
        special = self._transition(values, step.transition)
        if special is step.transition:
            return step
        found = self._steps.get((step, special))
        if found is None:
            found = self._steps[step, special] = Step(step.source, step.target, step.edges, special)
        return found

    def _transition(self, values: Values, plain: Transition) -> Transition:
        reads = self._reads.get(plain)
        if reads is None:
            reads = self._reads[plain] = tuple(sorted(plain.reads, key=lambda x: x.id))
        known = tuple(None if isinstance(v := values.get(x), Cells) else v for x in reads)
        found = self._transitions.get((plain, known))
        if found is None:
            found = self._transitions[plain, known] = self._specialised(plain, reads, known)
        return found

    def _specialised(
        self, plain: Transition, reads: tuple[Term, ...], known: tuple[int | bool | None, ...]
    ) -> Transition:
        replaced = {x: self._constant(v) for x, v in zip(reads, known, strict=True) if v is not None}
        if not replaced:
            return plain
        insert = Substitution(self._arena, replaced)
        return Transition(self._arena, insert(plain.guard), {x: insert(v) for x, v in plain.updates.items()})

    def _constant(self, value: int | bool) -> Term:
        return self._arena.boolean(value) if isinstance(value, bool) else self._arena.integer(value)
