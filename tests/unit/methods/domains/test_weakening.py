"""Weakened states prove as much as the reached states, and say little."""

from __future__ import annotations

from dataclasses import dataclass, field
from random import Random

import pytest

from bdd import Bdd, best_manager
from core.limits import Limits
from core.program import Program
from core.program.blocks import BlockEncoding
from core.program.expansion import At, Expansion
from core.terms import to_math
from core.verdict import Safe
from methods.domains.predicate import Abstraction, PredicateDomain, weakened, weakening
from methods.engines.transition import engine
from methods.engines.transition.engine import TransitionEngine
from methods.refinement.reachability_graph import ReachabilityGraph
from tests.support.certified import is_certified
from tests.support.contexts import RecordingContext
from tests.support.program_builder import ProgramBuilder
from tests.support.random_graphs import random_program, without_recursion

States = dict[At, Bdd]


class Explored:
    """All abstract states of a program under an abstraction by `predicates` random equalities, or by none."""

    def __init__(self, program: Program, seed: int = 0, predicates: int = 0) -> None:
        self.expansion = Expansion(program, BlockEncoding.BASIC)
        self.abstraction = Abstraction(program.arena, best_manager())
        self.manager = self.abstraction.manager
        self.domain = PredicateDomain(self.expansion, self.abstraction)
        random, a = Random(seed), program.arena
        for _ in range(predicates):
            self.abstraction.add(a.equals(random.choice(list(program.variables)), a.integer(random.randint(-2, 2))))

    def reached(self) -> States:
        graph = ReachabilityGraph(self.expansion, self.domain, self.abstraction, RecordingContext())
        assert graph.explore(()) is None
        return {at: states for at, [states] in graph.states().items()}

    def weakened(self, reached: States) -> States:
        """The weakened states for all checks whose error was not reached."""
        errors = {self.expansion.check(at) for at in reached}
        checks = [check.id for check in self.expansion.program.checks if check not in errors]
        required = weakened(self.expansion, self.domain, self.abstraction, reached, checks, Limits())
        return {at: self.manager.conjoin(*parts) for at, parts in required.items()}


SEEDS = without_recursion(range(80), 5)


@pytest.mark.sampled
@pytest.mark.long
@pytest.mark.parametrize("most", [weakening.MAX_BAD, 0])
@pytest.mark.parametrize("seed", SEEDS)
def test_what_is_required_contains_the_reached_states_and_is_kept_by_every_step(
    seed: int, most: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(weakening, "MAX_BAD", most)
    explored = Explored(random_program(seed, 5), seed, 8)
    reached, manager = explored.reached(), explored.manager
    required = explored.weakened(reached)
    assert required.keys() == reached.keys()
    for at, states in required.items():
        assert manager.implies(reached[at], states)
        for step in explored.expansion.steps(at):
            for successor in explored.domain.successors(states, step, explored.abstraction):
                assert manager.implies(successor, required[step.target])


@dataclass(frozen=True)
class Flags:
    """Each of three variables becomes 0 or 1; that the first does not become 2 is the property."""

    builder: ProgramBuilder = field(default_factory=ProgramBuilder)

    def explored(self) -> Explored:
        b, a = self.builder, self.builder.arena
        at, error = [b.location() for _ in range(5)], b.error()
        variables = [b.variable(name) for name in "xyz"]
        for i, x in enumerate(variables):
            b.assign(at[i], at[i + 1], (x, a.zero))
            b.assign(at[i], at[i + 1], (x, a.one))
        b.assume(at[3], error, a.equals(variables[0], a.integer(2)))
        b.assume(at[3], at[4], a.equals(variables[1], variables[2]))
        b.function("main", at[0], at[4])
        explored = Explored(b.program())
        for x in variables:
            for k in range(3):
                explored.abstraction.add(a.equals(x, a.integer(k)))
        return explored


def test_little_is_required_where_the_errors_depend_on_little() -> None:
    explored = Flags().explored()
    reached = explored.reached()
    required = explored.weakened(reached)
    predicates = explored.abstraction.predicates
    at_the_join = At((), 3)
    assert len(explored.manager.support(reached[at_the_join])) > 1
    assert [to_math(predicates[p]) for p in explored.manager.support(required[at_the_join])] == ["x = 2"]
    assert explored.manager.is_true(required[At((), 0)])
    assert explored.manager.is_true(required[At((), 4)])


def test_all_is_required_where_bad_states_are_large(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(weakening, "MAX_BAD", 0)
    explored = Flags().explored()
    reached = explored.reached()
    required = explored.weakened(reached)
    assert [at.location for at in reached if required[at] == reached[at]] == [0, 1, 2, 3]
    assert explored.manager.is_true(required[At((), 4)])


def test_states_that_a_step_leaves_are_required_as_they_are() -> None:
    explored = Flags().explored()
    reached = explored.reached()
    two = explored.manager.var(2)
    reached[At((), 3)] = explored.manager.conjoin(reached[At((), 3)], two)
    assert explored.weakened(reached) == reached


@pytest.mark.sampled
@pytest.mark.long
@pytest.mark.parametrize("seed", SEEDS)
def test_certificates_of_what_is_required_are_accepted(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engine, "LARGE", 0)
    program = random_program(seed, 5)
    checks = [check.id for check in program.checks]
    for check, outcome in TransitionEngine().run(program, checks, RecordingContext()).items():
        if isinstance(outcome, Safe):
            assert is_certified(program, [check], outcome.certificate)
