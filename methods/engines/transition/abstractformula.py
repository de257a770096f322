"""The bounded model checking formula of abstract paths, as clauses each of which comes from one step.

Jhala and McMillan, "Interpolant-based transition relation approximation", sections 4, 5, 6.1 and 6.2. For a path π,
the set A = {T̄(π_i)⟨i⟩} has one formula per step, in terms of the weakest precondition (guard g, assignment σ):

    ∧_p (v_p⟨i⟩ ⇔ p)  ∧  g  ∧  ∧_p (v_p⟨i+1⟩ ⇔ p[σ])

For all paths of some layers it has one for each step of each layer: `s ⇒` that formula, where s says that the path
takes the step (the program counter); and one more, which says what is a path. The interpolant of a step is then
`s ⇒ T̂_i`: where s is false, the step says nothing.

The first-order symbols are private to the step. So is then every atom: it gets a variable of its own in each step where
it occurs, and a theory lemma, a clause over atoms that holds in the theory, belongs to one step. Only the v_p⟨i⟩ are
shared, by neighbours; a propositional refutation is all that interpolation needs (end of section 4).

Deviations. Predicates are tracked by location: v_p⟨i⟩ is there where p has no dead variable. A theory lemma found in
one step is instantiated, as a clause of theirs, in all steps that have its atoms, on this path and on later ones.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import field

from core.dataclass import dataclass
from core.program.expansion import Step
from core.terms import Term, atoms, lift_choices, literals
from methods.domains.predicate import Abstraction, ApproximateTransition, Constraint, PredicateScope
from methods.engines.transition.layers import Choices, Layers
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


@dataclass(frozen=True)
class StepOfLayer:
    """A step of a layer: one part of the formula. `position` is that before it."""

    position: int
    step: Step
    operation: ApproximateTransition


class AbstractPathFormula:
    """The formula A of the paths of some layers; it grows by theory lemmas. Position i is before layer i."""

    def __init__(self, layers: Layers, abstraction: Abstraction, scope: PredicateScope, lemmas: TheoryLemmas) -> None:
        self._abstraction = abstraction
        self._scope = scope
        self._solver = SatSolver()
        self._lemmas = lemmas
        self._variables = 0
        self.clauses: list[tuple[int, Clause]] = []  # each with its part
        self.parts = [
            StepOfLayer(i, step, abstraction.operation(step.transition))
            for i, layer in enumerate(layers)
            for step in layer
        ]
        self._choices = Choices(layers, self._new)
        self._shared_by: dict[int, tuple[int, int]] = {}  # the variable v_p⟨i⟩ -> (i, p)
        self._atoms: list[dict[Term, int]] = []  # per part, the variable of each atom
        ends = [{layers[0][0].source}, *({step.target for step in layer} for layer in layers)]
        tracked = [frozenset[int]().union(*map(scope.tracked, at)) for at in ends]
        self._v = [{p: self._shared(i, p) for p in sorted(known)} for i, known in enumerate(tracked)]
        for number, part in enumerate(self.parts):
            self._add_step(number, part)
        for clause in self._choices.clauses():
            self._add(len(self.parts), clause)

    def close(self) -> None:
        """Release the solver."""
        self._solver.close()

    def variable(self, i: int, p: int) -> int:
        """The variable v_p⟨i⟩ of a predicate that is tracked at position i."""
        return self._v[i][p]

    def atom(self, number: int, atom: Term) -> int:
        """The variable of an atom in a part."""
        return self._atoms[number][atom]

    def model(self) -> Satisfiable | None:
        """An assignment that all clauses so far allow."""
        answer = self._solver.solve()
        return answer if isinstance(answer, Satisfiable) else None

    def taken(self, model: Satisfiable) -> tuple[Step, ...]:
        """The steps of the path that a model takes."""
        return self._choices.taken(model)

    def atoms(self, number: int, model: Satisfiable) -> list[tuple[Term, bool]]:
        """The atoms of a part with their values."""
        return [(atom, model.value(variable)) for atom, variable in self._atoms[number].items()]

    def learn(self, lemma: TheoryLemma) -> None:
        """Add a clause that holds in the theory to every part that has its atoms."""
        self._lemmas.add(lemma)
        for number, known in enumerate(self._atoms):
            if all(atom in known for atom, _ in lemma):
                self._add_lemma(number, lemma)

    def interpolant(self, circuit: Circuit, number: int) -> Circuit:
        """The interpolant of a part, without primes, for paths that take its step."""
        part = self.parts[number]
        unless = self._choices.unless[part.position][part.step]
        return self.shifted(circuit.where_false(unless), part.position)

    def shifted(self, circuit: Circuit, i: int) -> Circuit:
        """A formula over V⟨i⟩ ∪ V⟨i+1⟩ without its i primes: over V ∪ V', numbered as in `Constraint`."""

        def without_primes(literal: int) -> int:
            position, p = self._shared_by[abs(literal)]
            number = Constraint.input_of(p, position > i)
            return number if literal > 0 else -number

        return circuit.renamed(without_primes)

    # The clauses of a step

    def _add_step(self, number: int, part: StepOfLayer) -> None:
        gates = GateEncoder(self._new, lambda clause: self._add(number, clause))
        unless, op = self._choices.unless[part.position][part.step], part.operation
        predicates, names = self._abstraction.predicates, dict[Term, int]()
        before, after = self._v[part.position], self._v[part.position + 1]
        self._atoms.append(names)

        def equate(v: int, formula: Term) -> None:
            value = self._encode(formula, names, gates)
            self._add(number, [*unless, -v, value])
            self._add(number, [*unless, v, -value])

        for p in sorted(self._scope.tracked(part.step.source)):
            equate(before[p], predicates[p])
        for conjunct in literals(lift_choices(self._abstraction.arena, op.transition.guard)):
            self._add(number, [*unless, self._encode(conjunct, names, gates)])
        for p in sorted(self._scope.tracked(part.step.target)):
            equate(after[p], op.after.get(p, predicates[p]))
        for lemma in self._lemmas.over(names):
            self._add_lemma(number, lemma)

    def _encode(self, formula: Term, names: dict[Term, int], gates: GateEncoder) -> int:
        names.update((atom, self._new()) for atom in atoms(formula) if atom not in names)
        return encoded(formula, names, gates)

    def _add_lemma(self, number: int, lemma: TheoryLemma) -> None:
        names = self._atoms[number]
        self._add(number, [names[atom] if sign else -names[atom] for atom, sign in lemma])

    def _add(self, number: int, clause: Iterable[int]) -> None:
        added = tuple(clause)
        self.clauses.append((number, added))
        self._solver.add(added)

    def _new(self) -> int:
        self._variables += 1
        return self._variables

    def _shared(self, i: int, p: int) -> int:
        variable = self._new()
        self._shared_by[variable] = (i, p)
        return variable
