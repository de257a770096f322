"""Predicate abstraction as an abstract domain: states are BDDs over predicates, merged per location.

Jhala and McMillan (see `abstraction`), sections 5 and 6: images are Boolean image computations under T̂, optionally met
with the strongest Cartesian postcondition (the hybrid image of section 6.3; preimages stay those of T̂). Deviation:
predicates over dead variables are projected away at each step, so every location has its own set of predicates.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from bdd import Bdd, Manager
from core.analysis.liveness import Liveness
from core.dataclass import dataclass
from core.parameters import parameter
from core.program.expansion import At, Expansion, Step
from core.terms import Term
from methods.domains.contract import Shape, StateKey
from methods.domains.predicate.abstraction import Abstraction, ApproximateTransition
from methods.domains.predicate.cartesian import CartesianPostcondition

REORDER_ABOVE = parameter("domains.predicate.domain.reorder-above")
IMAGES = parameter("domains.predicate.domain.images")

# What an image depends on beside the state: T̂, which predicates are lost and tracked, axioms. Of these, that only grow,
# the counts; and which predicates were withdrawn.
_Version = tuple[int, int, int, int, frozenset[int], Bdd]


class PredicateDomain:
    """The domain of predicate abstraction: all states of one location are merged into one.

    Implements `Domain[Bdd, Abstraction]`.
    """

    def __init__(
        self, expansion: Expansion, abstraction: Abstraction, cartesian: CartesianPostcondition | None = None
    ) -> None:
        """Make the domain; with `cartesian`, images are hybrid."""
        self._cartesian = cartesian
        self._expansion = expansion
        self._manager: Manager = abstraction.manager
        self._abstraction = abstraction
        self._scope = PredicateScope(expansion, abstraction)
        self._images: dict[tuple[Bdd, Step], tuple[_Version, Bdd]] = {}
        self._reorder_above = REORDER_ABOVE

    def initial(self, at: At, precision: Abstraction) -> Bdd:
        return self._scope.axioms(at)

    def successors(self, state: Bdd, step: Step, precision: Abstraction) -> Iterable[Bdd]:
        """The image of `state`; remembered, since exploration after a refinement repeats most of what it did before."""
        op = precision.operation(step.transition)
        lost, axioms = self._scope.lost(step), self._scope.axioms(step.target)
        tracked, withdrawn = self._scope.tracked(step.target), self._abstraction.withdrawn
        version = (len(op.parts), len(op.after), len(lost), len(tracked), withdrawn, axioms)
        known = self._images.get((state, step))
        if known is None or known[0] != version:
            if len(self._images) >= IMAGES:
                self._images.clear()
            known = self._images[state, step] = version, self._image(state, step, op, lost, axioms)
        return () if self._manager.is_false(known[1]) else (known[1],)

    def _image(self, state: Bdd, step: Step, op: ApproximateTransition, lost: frozenset[int], axioms: Bdd) -> Bdd:
        m = self._manager
        image = m.conjoin(m.exists(lost, op.relation(m).image(state)), axioms)
        if self._cartesian is not None and not m.is_false(image):
            image = self._hybrid(self._cartesian, state, step, image)
        self._reorder_if_large(image)
        return image

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

    def shape(self, state: Bdd) -> Shape:
        return ()

    def key(self, state: Bdd, shape: Shape) -> StateKey:
        return ()

    def covered(self, state: Bdd, reached: Sequence[Bdd]) -> bool:
        return any(self._manager.implies(state, other) for other in reached)

    def meet(self, a: Bdd, b: Bdd) -> Bdd | None:
        common = self._manager.conjoin(a, b)
        return None if self._manager.is_false(common) else common

    def backward(self, state: Bdd, step: Step, target: Bdd, precision: Abstraction) -> Bdd | None:
        # The target may have been computed before some axioms were known.
        op, goal = precision.operation(step.transition), self._manager.conjoin(target, self._scope.axioms(step.target))
        preimage = op.relation(self._manager).preimage(goal)
        if self._abstraction.withdrawn:  # what exploration does not carry from step to step must not be carried back
            preimage = self._manager.exists(self._abstraction.withdrawn, preimage)
        return self.meet(state, preimage)

    def formula(self, state: Bdd) -> Term:
        return self._abstraction.decode(state)


@dataclass(frozen=True)
class StepPredicates:
    """The predicates around a step: `before` it the tracked ones connected with it, `after` it those it affects."""

    before: tuple[int, ...]
    after: tuple[int, ...]


class PredicateScope:
    """The predicates that are tracked at each location: those over live variables that were not withdrawn."""

    def __init__(self, expansion: Expansion, abstraction: Abstraction) -> None:
        self._abstraction = abstraction
        self._liveness = Liveness(expansion)
        self._globals = frozenset(expansion.program.globals())
        self._tracked: dict[At, tuple[int, frozenset[int]]] = {}
        self._axioms: dict[frozenset[int], tuple[tuple[int, int], Bdd]] = {}
        self._lost: dict[Step, tuple[tuple[int, frozenset[int]], frozenset[int]]] = {}
        self._around: dict[Step, tuple[tuple[int, frozenset[int]], StepPredicates]] = {}

    def live(self, at: At) -> frozenset[Term]:
        """The variables that may still be read."""
        return self._liveness.locals_at(at) | self._globals

    def tracked(self, at: At) -> frozenset[int]:
        """The predicates over live variables at `at`, but for those withdrawn."""
        predicates = self._abstraction.predicates
        seen, known = self._tracked.get(at, (0, frozenset[int]()))
        if seen < len(predicates):
            live = self.live(at)
            known |= {p for p in range(seen, len(predicates)) if predicates[p].symbols() <= live}
            self._tracked[at] = (len(predicates), known)
        withdrawn = self._abstraction.withdrawn
        return known - withdrawn if withdrawn else known

    def axioms(self, at: At) -> Bdd:
        """The axioms over the tracked predicates, which hold in every concrete state."""
        tracked = self.tracked(at)
        version = (len(self._abstraction.predicates), len(self._abstraction.axioms))
        known = self._axioms.get(tracked)
        if known is None or known[0] != version:
            known = self._axioms[tracked] = version, self._abstraction.axioms_over(tracked)
        return known[1]

    def lost(self, step: Step) -> frozenset[int]:
        """The predicates that a step carries or sets, but whose variables die on it; and all that were withdrawn."""
        withdrawn = self._abstraction.withdrawn
        version = (len(self._abstraction.predicates), withdrawn)
        found = self._lost.get(step)
        if found is None or found[0] != version:
            affected = self._abstraction.operation(step.transition).affected
            known = (self.tracked(step.source) | affected | withdrawn) - self.tracked(step.target)
            found = self._lost[step] = (version, known)
        return found[1]

    def around(self, step: Step) -> StepPredicates:
        """The predicates whose values decide whether `step` is possible."""
        version = (len(self._abstraction.predicates), self._abstraction.withdrawn)
        found = self._around.get(step)
        if found is None or found[0] != version:
            op = self._abstraction.operation(step.transition)
            after = sorted(op.affected & self.tracked(step.target))
            before = self._abstraction.connected(op, self.tracked(step.source), after)
            found = self._around[step] = (version, StepPredicates(tuple(sorted(before)), tuple(after)))
        return found[1]
