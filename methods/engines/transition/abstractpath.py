"""The abstract path as a propositional problem: V at every position, T̂ of every step (Jhala and McMillan, section 6.1).

Frames are implicit: a predicate has a new variable only after steps that affect it, or on which it loses its meaning.
So nothing is refuted here that exploration, which projects such predicates away, would find again.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from core.program.expansion import Step
from core.terms import Term, atoms
from methods.domains.predicate import Abstraction, ApproximateTransition, Constraint, PredicateScope, TransitionClause
from methods.engines.transition.tseitin import encoded
from sat.cnf import GateEncoder
from sat.solver import Satisfiable, SatSolver


class PropositionalPath:
    """The valuations of the predicates along a path that T̂ allows; refined by clauses."""

    def __init__(self, steps: Sequence[Step], abstraction: Abstraction, scope: PredicateScope) -> None:
        self._abstraction = abstraction
        self._solver = SatSolver()
        self._variables = 0
        self._gates = GateEncoder(self._variable, self._solver.add)
        self.operations: list[ApproximateTransition] = [abstraction.operation(step.transition) for step in steps]
        self._around = [scope.around(step) for step in steps]
        self._tracked = [scope.tracked(step.source) for step in steps]
        self._tracked_after = [scope.tracked(step.target) for step in steps]
        # names[i][p] is the variable of predicate p before step i; set_by[i][p] that of the value that step i gives it
        self._names: list[dict[int, int]] = [{p: self._variable() for p in range(len(abstraction.predicates))}]
        self._set_by: list[dict[int, int]] = []
        self._add_axioms(self._names[0], scope.tracked(steps[0].source), frozenset(self._names[0]))
        for position, step in enumerate(steps):
            self._add_step(position, self.operations[position], scope.lost(step))

    def _variable(self) -> int:
        self._variables += 1
        return self._variables

    @staticmethod
    def _signed(variable: int, sign: bool) -> int:
        return variable if sign else -variable

    def _add_step(self, position: int, op: ApproximateTransition, lost: frozenset[int]) -> None:
        before = self._names[position]
        after = {**before, **{p: self._variable() for p in sorted(op.affected)}}
        self._set_by.append(after)
        self._names.append({**after, **{p: self._variable() for p in sorted(lost)}})
        for guard in op.guards:
            self._solver.add([self._encode(guard, before)])
        for p, formula in op.effects.items():
            self._gates.equate(after[p], self._encode(formula, before))
        for clause in op.clauses:
            self._solver.add(self._instance(clause, position))
        for constraint in op.constraints:
            self._solver.add([self._constrained(constraint, position)])
        tracked = self._tracked_after[position]
        self._add_axioms(after, tracked, op.affected | (tracked - self._tracked[position]))

    def _add_axioms(self, names: Mapping[int, int], tracked: frozenset[int], new: frozenset[int]) -> None:
        """The axioms over tracked predicates that mention a `new` one; the others hold already."""
        for axiom in self._abstraction.axioms if new else ():
            if all(p in tracked for p, _ in axiom) and any(p in new for p, _ in axiom):
                self._solver.add([self._signed(names[p], sign) for p, sign in axiom])

    def _instance(self, clause: TransitionClause, position: int) -> list[int]:
        before, after = self._names[position], self._set_by[position]
        return [self._signed((after if primed else before)[p], sign) for p, primed, sign in clause.literals]

    def _constrained(self, constraint: Constraint, position: int) -> int:
        """The literal of a formula over V ∪ V' at one step."""
        before, after = self._names[position], self._set_by[position]

        def literal(variable: int) -> int:
            p, primed = Constraint.meaning(abs(variable))
            return self._signed((after if primed else before)[p], variable > 0)

        return constraint.circuit.fold(literal, self._gates.conjunction, self._gates.disjunction)

    def learn(self, op: ApproximateTransition, clause: TransitionClause) -> list[int]:
        """Add a clause wherever `op` occurs on the path; returns the positions."""
        positions = [i for i, other in enumerate(self.operations) if other is op]
        for position in positions:
            self._solver.add(self._instance(clause, position))
        return positions

    def learn_axiom(self, clause: TransitionClause) -> None:
        """Add a clause over V at every position where all its predicates are tracked."""
        places = [*zip(self._names, self._tracked, strict=False), (self._names[-1], self._tracked_after[-1])]
        for names, tracked in places:
            if all(p in tracked for p, _, _ in clause.literals):
                self._solver.add([self._signed(names[p], sign) for p, _, sign in clause.literals])

    def valuation(self) -> PathAssignment | None:
        """A valuation of the whole path that T̂ allows, or None if there is none left."""
        answer = self._solver.solve()
        return PathAssignment(self, answer) if isinstance(answer, Satisfiable) else None

    def close(self) -> None:
        """Release the solver."""
        self._solver.close()

    def before(self, position: int, model: Satisfiable) -> dict[int, bool]:
        names = self._names[position]
        return {p: model.value(names[p]) for p in self._around[position].before}

    def after(self, position: int, model: Satisfiable) -> dict[int, bool]:
        names = self._names[position + 1]
        return {p: model.value(names[p]) for p in self._around[position].after}

    def _encode(self, formula: Term, names: Mapping[int, int]) -> int:
        """The literal of a Boolean combination of predicates."""
        index = self._abstraction.index
        return encoded(formula, {atom: names[index[atom]] for atom in atoms(formula)}, self._gates)


class PathAssignment:
    """One assignment to V at every position of a path."""

    def __init__(self, path: PropositionalPath, model: Satisfiable) -> None:
        self._path = path
        self._model = model

    def before(self, position: int) -> dict[int, bool]:
        """The predicates before a step that are tracked there and connected with it."""
        return self._path.before(position, self._model)

    def after(self, position: int) -> dict[int, bool]:
        """The predicates after a step that are tracked there and affected by it."""
        return self._path.after(position, self._model)
