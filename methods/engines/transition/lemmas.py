"""Formulas of what the transition relation T̂ has learned: clauses and circuits over predicates as terms."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from core.terms import Arena, Term, substitute
from methods.domains.predicate import Abstraction, ApproximateTransition, Constraint, TransitionClause
from sat.circuit import Circuit

TransitionLemma = TransitionClause | Constraint
"""A clause or a formula over V ∪ V' that a step implies."""


class LemmaFormulas:
    """Translates lemmas over the predicates of `abstraction`."""

    def __init__(self, arena: Arena, abstraction: Abstraction) -> None:
        self._arena = arena
        self._abstraction = abstraction

    def valid(self) -> Iterator[Term]:
        """All that was learned, as formulas that are valid within ranges: the hints of a certificate."""
        for axiom in self._abstraction.axioms:
            yield self._arena.or_(*(self._signed(self._abstraction.predicates[p], sign) for p, sign in axiom))
        for op in self._abstraction.operations():
            learned: list[TransitionLemma] = [*op.clauses, *op.constraints]
            for lemma in learned:
                yield self._arena.implies(op.transition.guard, self.before(op, lemma))

    def before(self, op: ApproximateTransition, lemma: TransitionLemma) -> Term:
        """A lemma as a formula over the state before the step."""

        def atom(p: int, primed: bool) -> Term:
            return op.after[p] if primed else self._abstraction.predicates[p]

        match lemma:
            case TransitionClause(literals):
                return self._arena.or_(*(self._signed(atom(p, primed), sign) for p, primed, sign in literals))
            case Constraint(circuit):
                return self._combined(circuit, atom)

    def primed(self, constraint: Constraint) -> Term:
        """A constraint as a formula in which primed predicates are over primed variables."""
        arena, predicates = self._arena, self._abstraction.predicates

        def atom(p: int, primed: bool) -> Term:
            symbols = sorted(predicates[p].symbols(), key=lambda s: s.id) if primed else ()
            return substitute(arena, predicates[p], {s: arena.copy(s, f"{s.name}'") for s in symbols})

        return self._combined(constraint.circuit, atom)

    def _combined(self, circuit: Circuit, atom: Callable[[int, bool], Term]) -> Term:
        """A circuit as a formula over the atoms that stand for v_p and v'_p."""
        return circuit.fold(
            lambda x: self._signed(atom(*Constraint.meaning(abs(x))), x > 0),
            lambda args: self._arena.and_(*args),
            lambda args: self._arena.or_(*args),
        )

    def _signed(self, atom: Term, sign: bool) -> Term:
        return atom if sign else self._arena.not_(atom)
