"""Questions about addresses decided by instances: a SAT solver gets instances of hypotheses where its models need them.

Formulas become clauses whose atoms are relations between elements (`relational`); what is said of all addresses is a
cube that no elements satisfy. Divisions are functions of elements, with laws (`quotients`). Of each model, equal
elements are made one class: elements of a class must be alike, and no classes may satisfy such a cube. What the model
violates becomes clauses: instances of hypotheses, and laws of equality and of order. When the clauses contradict each
other, so do the formulas. A model that violates nothing is no answer, since little of arithmetic is here.

Formulas about lists have a prefix ∃*∀*, so that instances for the elements that they name suffice: S. Itzhaky et al.,
"Effectively-propositional reasoning about reachability in linked data structures", CAV 2013.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import islice

from core.decision.class_models import ClassModel
from core.decision.ground_clauses import GroundClauses
from core.decision.instance_search import InstanceSearch
from core.decision.quotients import Quotients, divisor_of
from core.decision.relational import Applied, DeniedCube, denied_cubes
from core.parameters import parameter
from core.terms import Arena, Term
from sat.solver import ConflictLimitReached, Unsatisfiable

ROUNDS = parameter("decision.grounding.rounds")
CONFLICTS = parameter("decision.grounding.conflicts")
MAX_INSTANCES = parameter("decision.grounding.max-instances")


class GroundProver:
    """Refutes formulas of which many share hypotheses. Close it: it holds native memory."""

    def __init__(self, arena: Arena, hypotheses: Sequence[Term], tick: Callable[[], None]) -> None:
        self._tick = tick
        self._ground = GroundClauses(arena)
        divisor = divisor_of(hypotheses)
        self._quotients = None if divisor is None else Quotients(arena, divisor)
        if self._quotients is not None:
            hypotheses = [*self._quotients.with_laws(hypotheses), *self._quotients.laws()]
        denied: list[DeniedCube] = []
        for one in hypotheses:
            if one.is_quantified:
                denied += denied_cubes(arena, one)
        for cube in denied:
            for x in (x for one in cube.literals for x in one.args if isinstance(x, Applied)):
                self._ground.know(x.cell)
        self._always: frozenset[int] = frozenset({self._ground.zero})
        self._ground.addresses |= self._always
        for one in hypotheses:
            if not one.is_quantified:
                literal, elements = self._ground.formula(one)
                self._ground.add([literal])
                self._always |= elements
        self._searches = [InstanceSearch(cube, self._ground) for cube in denied]
        self._always = self._always.union(*(search.elements for search in self._searches))

    def close(self) -> None:
        self._ground.close()

    def refutes(self, formulas: Sequence[Term]) -> bool:
        """Whether formulas are found to contradict the hypotheses."""
        if self._quotients is not None:
            formulas = self._quotients.with_laws(formulas)
        encoded = [self._ground.formula(one) for one in formulas]
        elements = self._always.union(*(one.elements for one in encoded))
        assumptions = [one.literal for one in encoded]
        for _ in range(ROUNDS):
            self._tick()
            try:
                answer = self._ground.solver.solve(assumptions, CONFLICTS)
            except ConflictLimitReached:
                return False
            if isinstance(answer, Unsatisfiable):
                return True
            model = ClassModel(self._ground, answer.model, elements)
            new = list(model.violated()) or self._instances(model)
            if not new:
                return False
            for clause in new:
                self._ground.add(clause)
        return False

    def _instances(self, model: ClassModel) -> list[list[int]]:
        return [clause for search in self._searches for clause in islice(search.clauses(model), MAX_INSTANCES)]
