"""Predicate abstraction as an abstract domain: states are BDDs over predicates, merged per location.

Jhala and McMillan (see `abstraction`), sections 5 and 6: images are Boolean image computations under T̂, optionally met
with the strongest Cartesian postcondition (the hybrid image of section 6.3; preimages stay those of T̂). Deviation:
predicates over dead variables are projected away at each step, so every location has its own set of predicates.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from bdd import Bdd, Manager
from core.domains.predicate.abstraction import Abstraction
from core.domains.predicate.cartesian import CartesianPostcondition
from core.expansion import At, Expansion, Step
from core.liveness import Liveness
from core.terms import Term

REORDER_ABOVE = 3_000  # nodes of one set of states; heuristic


class PredicateDomain:
    """Implements `Domain[Bdd, Abstraction]`; all states of one location are merged into one."""

    def __init__(
        self, expansion: Expansion, abstraction: Abstraction, cartesian: CartesianPostcondition | None = None
    ) -> None:
        """With `cartesian`, images are hybrid."""
        self._cartesian = cartesian
        self._expansion = expansion
        self._manager: Manager = abstraction.manager
        self._abstraction = abstraction
        self._scope = Scope(expansion, abstraction)
        self._terms: dict[Bdd, Term] = {}
        self._reorder_above = REORDER_ABOVE

    def initial(self, at: At, precision: Abstraction) -> Bdd:
        return self._scope.axioms(at)

    def successors(self, state: Bdd, step: Step, precision: Abstraction) -> Iterable[Bdd]:
        m, op = self._manager, precision.operation(step.transition)
        image = m.exists(self._scope.lost(step), op.relation(m).image(state))
        image = m.conjoin(image, self._scope.axioms(step.target))
        if self._cartesian is not None and not m.is_false(image):
            image = self._hybrid(self._cartesian, state, step, image)
        self._reorder_if_large(image)
        return () if m.is_false(image) else (image,)

    def _hybrid(self, cartesian: CartesianPostcondition, state: Bdd, step: Step, image: Bdd) -> Bdd:
        """The image under T̂, met with the strongest Cartesian postcondition."""
        m = self._manager
        literals = {p: m.var(p) for p in sorted(self._scope.tracked(step.target))}
        unsettled = [p for p, v in literals.items() if not m.implies(image, v) and not m.implies(image, m.negate(v))]
        operation = self._abstraction.operation(step.transition)
        cube = cartesian.cube(state, self.formula(state), operation, unsettled)
        return m.false if cube is None else m.conjoin(image, m.cube(cube))

    def _reorder_if_large(self, states: Bdd) -> None:
        if self._manager.size(states) > self._reorder_above:
            self._manager.reorder()
            self._reorder_above = max(2 * self._manager.size(states), REORDER_ABOVE)

    def merge(self, new: Bdd, old: Bdd) -> Bdd:
        return self._manager.disjoin(new, old)

    def covered(self, state: Bdd, reached: Sequence[Bdd]) -> bool:
        return any(self._manager.implies(state, other) for other in reached)

    def meet(self, a: Bdd, b: Bdd) -> Bdd | None:
        common = self._manager.conjoin(a, b)
        return None if self._manager.is_false(common) else common

    def backward(self, state: Bdd, step: Step, target: Bdd, precision: Abstraction) -> Bdd | None:
        # The target may have been computed before some axioms were known.
        op, goal = precision.operation(step.transition), self._manager.conjoin(target, self._scope.axioms(step.target))
        return self.meet(state, op.relation(self._manager).preimage(goal))

    def formula(self, state: Bdd) -> Term:
        """The formula over the predicates, sharing subterms as the BDD shares nodes."""
        arena, known = self._expansion.arena, self._terms
        stack = [state]
        while stack:
            u = stack[-1]
            branch = self._manager.branch(u) if u not in known else None
            if branch is None:
                stack.pop()
                if u not in known:
                    known[u] = arena.boolean(self._manager.is_true(u))
                continue
            predicate, then, otherwise = branch
            missing = [v for v in (then, otherwise) if v not in known]
            if missing:
                stack.extend(missing)
            else:
                known[u] = arena.ite(self._abstraction.predicates[predicate], known[then], known[otherwise])
        return known[state]


class Scope:
    """Which predicates mean something where: those without dead variables."""

    def __init__(self, expansion: Expansion, abstraction: Abstraction) -> None:
        self._abstraction = abstraction
        self._liveness = Liveness(expansion)
        program = expansion.program
        locals_ = {x for function in program.functions.values() for x in (*function.parameters, *function.locals)}
        self._globals = frozenset(program.variables).difference(locals_)
        self._tracked: dict[At, tuple[int, frozenset[int]]] = {}
        self._axioms: dict[frozenset[int], tuple[tuple[int, int], Bdd]] = {}
        self._lost: dict[Step, tuple[int, frozenset[int]]] = {}

    def live(self, at: At) -> frozenset[Term]:
        """The variables that may still be read."""
        return self._liveness.locals_at(at) | self._globals

    def tracked(self, at: At) -> frozenset[int]:
        """The predicates over live variables at `at`."""
        predicates = self._abstraction.predicates
        seen, known = self._tracked.get(at, (0, frozenset[int]()))
        if seen < len(predicates):
            live = self.live(at)
            known |= {p for p in range(seen, len(predicates)) if predicates[p].symbols() <= live}
            self._tracked[at] = (len(predicates), known)
        return known

    def axioms(self, at: At) -> Bdd:
        """What holds of the tracked predicates in every concrete state."""
        tracked = self.tracked(at)
        version = (len(self._abstraction.predicates), len(self._abstraction.axioms))
        known = self._axioms.get(tracked)
        if known is None or known[0] != version:
            known = self._axioms[tracked] = version, self._abstraction.axioms_over(tracked)
        return known[1]

    def lost(self, step: Step) -> frozenset[int]:
        """The predicates that a step carries or sets, but whose variables die on it."""
        count, known = self._lost.get(step, (-1, frozenset[int]()))
        if count != len(self._abstraction.predicates):
            affected = self._abstraction.operation(step.transition).affected
            known = (self.tracked(step.source) | affected) - self.tracked(step.target)
            self._lost[step] = (len(self._abstraction.predicates), known)
        return known
