"""Abstract paths as a propositional problem: V at every position, T̂ of every step.

Jhala and McMillan, "Interpolant-based transition relation approximation", sections 4 and 6.1.

Each step has variables of its own for what it sets. Where a layer has several steps, all that T̂ says of one holds if
the path takes it, and so do the equations between what it sets and the variables of the next position.

Frames are implicit: a predicate has a new variable only after steps that affect it, or on which it loses its meaning.
So nothing is refuted here that exploration, which projects such predicates away, would find again.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from core.program.expansion import Step
from core.terms import Term, atoms
from methods.domains.predicate import Abstraction, ApproximateTransition, Constraint, PredicateScope, TransitionClause
from methods.engines.transition.layers import Choices, Layers
from methods.engines.transition.tseitin import encoded
from sat.cnf import GateEncoder
from sat.solver import Satisfiable, SatSolver


class PropositionalPaths:
    """The valuations of the predicates along the paths of some layers that T̂ allows; refined by clauses."""

    def __init__(self, layers: Layers, abstraction: Abstraction, scope: PredicateScope) -> None:
        self._layers = layers
        self._abstraction = abstraction
        self._scope = scope
        self._solver = SatSolver()
        self._variables = 0
        self._gates = GateEncoder(self._variable, self._solver.add)
        self._choices = Choices(layers, self._variable)
        self._occurrences: dict[ApproximateTransition, list[tuple[int, Step]]] = {}
        # names[i][p] is the variable of predicate p at position i; set_by[i][step][p] that of its value after a step
        self._names: list[dict[int, int]] = [{p: self._variable() for p in range(len(abstraction.predicates))}]
        self._set_by: list[dict[Step, dict[int, int]]] = []
        self._add_axioms(self._names[0], [], scope.tracked(layers[0][0].source), frozenset(self._names[0]))
        for position, layer in enumerate(layers):
            self._add_layer(position, layer)
        for clause in self._choices.clauses():
            self._solver.add(clause)

    def _variable(self) -> int:
        self._variables += 1
        return self._variables

    @staticmethod
    def _signed(variable: int, sign: bool) -> int:
        return variable if sign else -variable

    def _add_layer(self, position: int, layer: Sequence[Step]) -> None:
        before, changed, set_by = self._names[position], set[int](), dict[Step, dict[int, int]]()
        for step in layer:
            op = self._abstraction.operation(step.transition)
            self._occurrences.setdefault(op, []).append((position, step))
            set_by[step] = {**before, **{p: self._variable() for p in sorted(op.affected)}}
            changed |= op.affected | self._scope.lost(step)
        self._set_by.append(set_by)
        self._names.append({**before, **{p: self._carried(p, position, layer) for p in sorted(changed)}})
        for step in layer:
            self._add_step(position, step, self._abstraction.operation(step.transition))

    def _carried(self, p: int, position: int, layer: Sequence[Step]) -> int:
        """The variable of a predicate at the position after a layer."""
        carrying = [step for step in layer if p not in self._scope.lost(step)]
        values = {self._set_by[position][step][p] for step in carrying}
        if len(carrying) == len(layer) and len(values) == 1:
            return values.pop()
        variable = self._variable()
        for step in carrying:
            unless, value = self._choices.unless[position][step], self._set_by[position][step][p]
            self._solver.add([*unless, -variable, value])
            self._solver.add([*unless, variable, -value])
        return variable

    def _add_step(self, position: int, step: Step, op: ApproximateTransition) -> None:
        before, after, unless = self._around(position, step)
        for guard in op.guards:
            self._solver.add([*unless, self._encode(guard, before)])
        for p, formula in op.effects.items():
            self._gates.equate(after[p], self._encode(formula, before))
        for clause in op.clauses:
            self._solver.add(self._instance(clause, position, step))
        for constraint in op.constraints:
            self._solver.add([*unless, self._constrained(constraint, position, step)])
        tracked = self._scope.tracked(step.target)
        self._add_axioms(after, unless, tracked, op.affected | (tracked - self._scope.tracked(step.source)))

    def _around(self, position: int, step: Step) -> tuple[dict[int, int], dict[int, int], list[int]]:
        """The variables of V before a step and of what it sets, and the literals unless which they are related."""
        return self._names[position], self._set_by[position][step], self._choices.unless[position][step]

    def _add_axioms(
        self, names: Mapping[int, int], unless: Sequence[int], tracked: frozenset[int], new: frozenset[int]
    ) -> None:
        """The axioms over tracked predicates that mention a `new` one; the others hold already."""
        for axiom in self._abstraction.axioms if new else ():
            if all(p in tracked for p, _ in axiom) and any(p in new for p, _ in axiom):
                self._solver.add([*unless, *(self._signed(names[p], sign) for p, sign in axiom)])

    def _instance(self, clause: TransitionClause, position: int, step: Step) -> list[int]:
        before, after, unless = self._around(position, step)
        return [*unless, *(self._signed((after if primed else before)[p], sign) for p, primed, sign in clause.literals)]

    def _constrained(self, constraint: Constraint, position: int, step: Step) -> int:
        """The literal of a formula over V ∪ V' at one step."""
        before, after, _ = self._around(position, step)

        def literal(variable: int) -> int:
            p, primed = Constraint.meaning(abs(variable))
            return self._signed((after if primed else before)[p], variable > 0)

        return constraint.circuit.fold(literal, self._gates.conjunction, self._gates.disjunction)

    def learn(self, op: ApproximateTransition, clause: TransitionClause) -> None:
        """Add a clause wherever `op` occurs."""
        for position, step in self._occurrences[op]:
            self._solver.add(self._instance(clause, position, step))

    def learn_axiom(self, clause: TransitionClause) -> None:
        """Add a clause over V at every position where all its predicates are tracked."""
        for names, unless, tracked in self._places():
            if all(p in tracked for p, _, _ in clause.literals):
                self._solver.add([*unless, *(self._signed(names[p], sign) for p, _, sign in clause.literals)])

    def _places(self) -> Iterator[tuple[dict[int, int], list[int], frozenset[int]]]:
        """At the start and after each step: the variables of V, unless which literals they are it, what is tracked."""
        yield self._names[0], [], self._scope.tracked(self._layers[0][0].source)
        for position, layer in enumerate(self._layers):
            for step in layer:
                _, after, unless = self._around(position, step)
                yield after, unless, self._scope.tracked(step.target)

    def valuation(self) -> PathAssignment | None:
        """A valuation of a whole path that T̂ allows, or None if there is none left."""
        answer = self._solver.solve()
        return PathAssignment(self, self._choices.taken(answer), answer) if isinstance(answer, Satisfiable) else None

    def close(self) -> None:
        """Release the solver."""
        self._solver.close()

    def before(self, position: int, step: Step, model: Satisfiable) -> dict[int, bool]:
        names = self._names[position]
        return {p: model.value(names[p]) for p in self._scope.around(step).before}

    def after(self, position: int, step: Step, model: Satisfiable) -> dict[int, bool]:
        names = self._set_by[position][step]
        return {p: model.value(names[p]) for p in self._scope.around(step).after}

    def _encode(self, formula: Term, names: Mapping[int, int]) -> int:
        """The literal of a Boolean combination of predicates."""
        index = self._abstraction.index
        return encoded(formula, {atom: names[index[atom]] for atom in atoms(formula)}, self._gates)


class PathAssignment:
    """One path, and an assignment to V at every position of it."""

    def __init__(self, paths: PropositionalPaths, steps: tuple[Step, ...], model: Satisfiable) -> None:
        self.steps = steps
        self._paths = paths
        self._model = model

    def before(self, position: int) -> dict[int, bool]:
        """The predicates before a step that are tracked there and connected with it."""
        return self._paths.before(position, self.steps[position], self._model)

    def after(self, position: int) -> dict[int, bool]:
        """The predicates after a step that are tracked there and affected by it."""
        return self._paths.after(position, self.steps[position], self._model)
