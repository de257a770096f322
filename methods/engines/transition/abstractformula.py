"""The bounded model checking formula of an abstract path, as clauses each of which comes from one step.

Jhala and McMillan, "Interpolant-based transition relation approximation", sections 5, 6.1 and 6.2. For a path π, the
set A = {T̄(π_i)⟨i⟩} has one formula per step, in terms of the weakest precondition (guard g, assignment σ):

    ∧_p (v_p⟨i⟩ ⇔ p)  ∧  g  ∧  ∧_p (v_p⟨i+1⟩ ⇔ p[σ])

The first-order symbols are private to the step. So is then every atom: it gets a variable of its own in each step where
it occurs, and a theory lemma, a clause over atoms that holds in the theory, belongs to one step. Only the v_p⟨i⟩ are
shared, by neighbours; a propositional refutation is all that interpolation needs (end of section 4).

Deviations. Predicates are tracked by location: v_p⟨i⟩ is there where p has no dead variable. A theory lemma found in
one step is instantiated, as a clause of theirs, in all steps that have its atoms, on this path and on later ones.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import field

from core.dataclass import dataclass
from core.program.expansion import Step
from core.terms import Term, atoms, lift_choices, literals
from methods.domains.predicate import Abstraction, ApproximateTransition, Constraint, PredicateScope
from methods.engines.transition.tseitin import encoded
from sat.circuit import Circuit
from sat.cnf import GateEncoder
from sat.solver import Clause, Satisfiable, SatSolver

TheoryLemma = tuple[tuple[Term, bool], ...]  # a disjunction of atoms and negated atoms that holds in the theory


@dataclass
class TheoryLemmas:
    """The theory lemmas found so far, by their latest atom."""

    _by_atom: dict[Term, dict[TheoryLemma, None]] = field(default_factory=dict)

    def add(self, lemma: TheoryLemma) -> None:
        latest = max((atom for atom, _ in lemma), key=lambda atom: atom.id)
        self._by_atom.setdefault(latest, {})[lemma] = None

    def over(self, values: Mapping[Term, int]) -> Iterator[TheoryLemma]:
        """The lemmas over `values` atoms."""
        for atom in values:
            for lemma in self._by_atom.get(atom, ()):
                if all(a in values for a, _ in lemma):
                    yield lemma


class AbstractPathFormula:
    """The formula A of one path; it grows by theory lemmas. Position i is before step i."""

    def __init__(
        self, steps: Sequence[Step], abstraction: Abstraction, scope: PredicateScope, lemmas: TheoryLemmas
    ) -> None:
        self._abstraction = abstraction
        self._solver = SatSolver()
        self._lemmas = lemmas
        self._variables = 0
        self.clauses: list[tuple[int, Clause]] = []  # each with its step
        self.operations: list[ApproximateTransition] = [abstraction.operation(step.transition) for step in steps]
        self._shared_by: dict[int, tuple[int, int]] = {}  # the variable v_p⟨i⟩ -> (i, p)
        self._atoms: list[dict[Term, int]] = []  # per step, the variable of each atom
        ends = [steps[0].source, *(step.target for step in steps)]
        self._v = [{p: self._shared(i, p) for p in sorted(scope.tracked(at))} for i, at in enumerate(ends)]
        for i, op in enumerate(self.operations):
            self._add_step(i, op)

    def close(self) -> None:
        """Release the solver."""
        self._solver.close()

    def variable(self, i: int, p: int) -> int:
        """The variable v_p⟨i⟩ of a predicate that is tracked at position i."""
        return self._v[i][p]

    def atom(self, i: int, atom: Term) -> int:
        """The variable of an atom in step i."""
        return self._atoms[i][atom]

    def model(self) -> Satisfiable | None:
        """An assignment that all clauses so far allow."""
        answer = self._solver.solve()
        return answer if isinstance(answer, Satisfiable) else None

    def atoms(self, i: int, model: Satisfiable) -> list[tuple[Term, bool]]:
        """The atoms of step i with their values."""
        return [(atom, model.value(variable)) for atom, variable in self._atoms[i].items()]

    def learn(self, lemma: TheoryLemma) -> None:
        """Add a clause that holds in the theory to every step that has its atoms."""
        self._lemmas.add(lemma)
        for i, known in enumerate(self._atoms):
            if all(atom in known for atom, _ in lemma):
                self._add_lemma(i, lemma)

    def shifted(self, circuit: Circuit, i: int) -> Circuit:
        """A formula over V⟨i⟩ ∪ V⟨i+1⟩ without its i primes: over V ∪ V', numbered as in `Constraint`."""

        def without_primes(literal: int) -> int:
            position, p = self._shared_by[abs(literal)]
            number = Constraint.input_of(p, position > i)
            return number if literal > 0 else -number

        return circuit.renamed(without_primes)

    # The clauses of a step

    def _add_step(self, i: int, op: ApproximateTransition) -> None:
        gates = GateEncoder(self._new, lambda clause: self._add(i, clause))
        predicates, names = self._abstraction.predicates, dict[Term, int]()
        self._atoms.append(names)
        for p, v in self._v[i].items():
            gates.equate(v, self._encode(predicates[p], names, gates))
        for conjunct in literals(lift_choices(self._abstraction.arena, op.transition.guard)):
            self._add(i, [self._encode(conjunct, names, gates)])
        for p, v in self._v[i + 1].items():
            gates.equate(v, self._encode(op.after.get(p, predicates[p]), names, gates))
        for lemma in self._lemmas.over(names):
            self._add_lemma(i, lemma)

    def _encode(self, formula: Term, names: dict[Term, int], gates: GateEncoder) -> int:
        names.update((atom, self._new()) for atom in atoms(formula) if atom not in names)
        return encoded(formula, names, gates)

    def _add_lemma(self, i: int, lemma: TheoryLemma) -> None:
        names = self._atoms[i]
        self._add(i, [names[atom] if sign else -names[atom] for atom, sign in lemma])

    def _add(self, i: int, clause: Iterable[int]) -> None:
        added = tuple(clause)
        self.clauses.append((i, added))
        self._solver.add(added)

    def _new(self) -> int:
        self._variables += 1
        return self._variables

    def _shared(self, i: int, p: int) -> int:
        variable = self._new()
        self._shared_by[variable] = (i, p)
        return variable
