"""The images of predicate abstraction: concrete successors ⊆ exact image ⊆ hybrid image ⊆ image under T̂."""

from __future__ import annotations

from itertools import product

import pytest

from bdd import Bdd
from core.program.expansion import Step
from core.program.semantics import range_facts
from core.solver.contract import Sat
from core.solver.z3_solver import Z3Factory
from methods.domains.predicate import CartesianPostcondition, PredicateDomain, PredicateScope
from tests.contract.test_domains import Setting, concrete

SEEDS = range(10)


class Images:
    """The three images of random states over random steps."""

    def __init__(self, seed: int) -> None:
        self.setting = setting = Setting(seed)
        cartesian = CartesianPostcondition(setting.expansion, setting.precision, Z3Factory(0))
        self._hybrid = PredicateDomain(setting.expansion, setting.precision, cartesian)
        self.steps = setting.random.sample(setting.steps, min(6, len(setting.steps)))

    def relation(self, source: Bdd, step: Step) -> Bdd:
        return self._union(self.setting.domain, source, step)

    def hybrid(self, source: Bdd, step: Step) -> Bdd:
        return self._union(self._hybrid, source, step)

    def _union(self, domain: PredicateDomain, source: Bdd, step: Step) -> Bdd:
        precision = self.setting.precision
        return precision.manager.disjoin(*domain.successors(source, step, precision))

    def exact(self, source: Bdd, step: Step) -> Bdd:
        """Every valuation of the predicates that one concrete step from γ(source) ends in, each asked for alone."""
        precision, expansion = self.setting.precision, self.setting.expansion
        arena, m = expansion.arena, precision.manager
        tracked = sorted(PredicateScope(expansion, precision).tracked(step.target))
        after = {p: step.transition.after(precision.predicates[p]) for p in tracked}
        known = arena.and_(self.setting.domain.formula(source), step.transition.guard)
        solver = Z3Factory(0)()
        solver.add(known, *range_facts(arena, [known, *after.values()], expansion.range_of))
        found = []
        for values in product((False, True), repeat=len(tracked)):
            literals = [after[p] if v else arena.not_(after[p]) for p, v in zip(tracked, values, strict=True)]
            if isinstance(solver.check(literals), Sat):
                found.append(m.cube(dict(zip(tracked, values, strict=True))))
        return m.disjoin(*found)


@pytest.mark.long
@pytest.mark.parametrize("seed", SEEDS)
def test_each_image_contains_the_next(seed: int) -> None:
    images = Images(seed)
    m = images.setting.precision.manager
    for step in images.steps:
        source = images.setting.abstract(step.source)
        relation, hybrid = images.relation(source, step), images.hybrid(source, step)
        assert m.implies(hybrid, relation)
        assert m.implies(images.exact(source, step), hybrid)


@pytest.mark.long
@pytest.mark.parametrize("seed", SEEDS)
def test_the_hybrid_image_loses_no_concrete_successor(seed: int) -> None:
    images = Images(seed)
    setting = images.setting
    for step in images.steps:
        source = setting.abstract(step.source)
        image = images.hybrid(source, step)
        for state in setting.states(60, [*setting.variables, *setting.program.inputs]):
            after = concrete(step, state)
            if after is not None and setting.holds(source, state):
                assert setting.holds(image, after)


@pytest.mark.long
def test_the_hybrid_image_is_sometimes_the_stronger_one() -> None:
    stronger = 0
    for seed in SEEDS:
        images = Images(seed)
        for step in images.steps:
            source = images.setting.abstract(step.source)
            stronger += images.hybrid(source, step) != images.relation(source, step)
    assert stronger > 0


@pytest.mark.long
@pytest.mark.parametrize("seed", SEEDS)
def test_the_hybrid_image_knows_every_predicate_that_each_step_decides(seed: int) -> None:
    """It is within the strongest cube that contains the exact image."""
    images = Images(seed)
    m = images.setting.precision.manager
    for step in images.steps:
        source = images.setting.abstract(step.source)
        exact, hybrid = images.exact(source, step), images.hybrid(source, step)
        for p in m.support(exact) | m.support(hybrid):
            for literal in (m.var(p), m.negate(m.var(p))):
                assert m.implies(hybrid, literal) or not m.implies(exact, literal)
