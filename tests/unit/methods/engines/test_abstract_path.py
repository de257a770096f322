"""Refutation of abstract paths: lemmas are implied, and what is refuted is not explored again."""

from __future__ import annotations

from contextlib import closing
from random import Random

import pytest

from bdd import best_manager
from core.program import Program
from core.program.blocks import BlockEncoding
from core.program.expansion import At, Expansion, Step
from core.program.semantics import range_facts
from core.solver.contract import Unsat
from core.solver.z3_solver import Z3Factory
from core.terms import Op, Term
from core.verdict import Safe
from methods.domains.predicate import (
    Abstraction,
    ApproximateTransition,
    PredicateDomain,
    PredicateScope,
    TransitionClause,
)
from methods.engines.transition.abstractpath import PathAssignment, PropositionalPaths
from methods.engines.transition.engine import TransitionEngine
from methods.engines.transition.layers import alone
from methods.engines.transition.oracle import StepOracle
from methods.paths.pathformula import Infeasible, check_path
from tests.support.contexts import RecordingContext
from tests.support.program_builder import ProgramBuilder
from tests.support.random_graphs import random_program


class Setting:
    """A random path, random predicates, and the loop that strengthens T̂ until the path is refuted or possible."""

    def __init__(self, seed: int) -> None:
        self.random = Random(seed)
        self.expansion = Expansion(random_program(seed, 6), BlockEncoding.BASIC)
        self.abstraction = Abstraction(self.expansion.arena, best_manager())
        self.scope = PredicateScope(self.expansion, self.abstraction)
        self.oracle = StepOracle(self.expansion, self.abstraction, Z3Factory(0))
        self.path = self._path()
        self.lemmas: list[tuple[ApproximateTransition, TransitionClause]] = []
        for _ in range(8):
            self.abstraction.add(self._atom())

    def _path(self) -> list[Step]:
        at, path = self.expansion.start, list[Step]()
        while len(path) < 20 and self.expansion.steps(at):
            path.append(self.random.choice(self.expansion.steps(at)))
            at = path[-1].target
        return path

    def _atom(self) -> Term:
        a, draw = self.expansion.arena, self.random
        x, y = draw.sample(list(self.expansion.program.variables), 2)
        atom = draw.choice((a.le, a.equals))(draw.choice((x, x, a.subtract(x, y))), a.integer(draw.randint(-2, 2)))
        return atom.args[0] if atom.op is Op.NOT else atom

    def refuted(self) -> bool:
        """Whether the path is impossible under T̂, after learning all there is to learn about it."""
        with closing(PropositionalPaths(alone(self.path), self.abstraction, self.scope)) as path:
            while (valuation := path.valuation()) is not None:
                learned = [self._learn(path, i, op, valuation) for i, op in enumerate(self.operations())]
                if not any(learned):
                    return False
            return True

    def _learn(
        self, path: PropositionalPaths, position: int, op: ApproximateTransition, valuation: PathAssignment
    ) -> bool:
        clause = self.oracle.impossible(op, valuation.before(position), valuation.after(position))
        if clause is None:
            return False
        self.lemmas.append((op, clause))
        if self.oracle.is_axiom(clause):
            path.learn_axiom(clause)
            return self.abstraction.learn_axiom(tuple((p, sign) for p, _, sign in clause.literals))
        path.learn(op, clause)
        return self.abstraction.learn(op, clause)

    def operations(self) -> list[ApproximateTransition]:
        return [self.abstraction.operation(step.transition) for step in self.path]

    def reaches(self) -> bool:
        """Whether exploration along the path alone, from the start, arrives."""
        domain = PredicateDomain(self.expansion, self.abstraction)
        states = [domain.initial(self.expansion.start, self.abstraction)]
        for step in self.path:
            states = [s for state in states for s in domain.successors(state, step, self.abstraction)]
        return bool(states)

    def formula(self, op: ApproximateTransition, clause: TransitionClause) -> Term:
        arena, predicates = self.expansion.arena, self.abstraction.predicates
        atoms = ((op.after[p] if primed else predicates[p], sign) for p, primed, sign in clause.literals)
        return arena.or_(*(atom if sign else arena.not_(atom) for atom, sign in atoms))


@pytest.mark.long
@pytest.mark.parametrize("seed", range(60))
def test_a_refuted_path_is_excluded_from_exploration(seed: int) -> None:
    setting = Setting(seed)
    feasible = not isinstance(check_path(setting.expansion, setting.path, Z3Factory(0), None), Infeasible)
    refuted = setting.refuted()
    assert not (feasible and refuted)
    assert not (feasible and not setting.reaches())
    assert not (refuted and setting.reaches())


@pytest.mark.parametrize("seed", range(30))
def test_lemmas_are_implied_by_their_step(seed: int) -> None:
    setting = Setting(seed)
    setting.refuted()
    arena, solvers = setting.expansion.arena, Z3Factory(0)
    for op, clause in setting.lemmas:
        violation = arena.and_(op.transition.guard, arena.not_(setting.formula(op, clause)))
        solver = solvers()
        solver.add(violation, *range_facts(arena, [violation], setting.expansion.range_of))
        assert isinstance(solver.check(), Unsat)


def test_predicates_of_dead_variables_say_nothing_later() -> None:
    """Exploration forgets that x was 1 when x dies; a refutation must not use it, or the path would come again."""
    b = ProgramBuilder()
    a, x, y = b.arena, b.variable("main::x"), b.variable("main::y")
    at = [b.location() for _ in range(4)]
    b.assign(at[0], at[1], (x, a.one), (y, b.input("nondet")))
    b.assume(at[1], at[2], a.equals(x, a.one))
    b.assume(at[2], at[3], a.le(y, a.zero))
    b.function("main", at[0], at[3], (), (x, y))
    expansion = Expansion(b.program(), BlockEncoding.STATEMENTS)
    abstraction = Abstraction(a, best_manager())
    abstraction.add(a.equals(x, a.one))
    steps = [step for k in range(3) for step in expansion.steps(At((), at[k]))]
    with closing(PropositionalPaths(alone(steps), abstraction, PredicateScope(expansion, abstraction))) as path:
        op = abstraction.operation(steps[2].transition)
        path.learn(op, TransitionClause(((0, False, False),)))
        assert path.valuation() is not None


def figure_2() -> tuple[Program, list[Term]]:
    """The infeasible path of figure 2 of the paper, and its three predicates."""
    b = ProgramBuilder()
    a = b.arena
    array, x, y, z = b.array("a"), b.variable("x"), b.variable("y"), b.variable("z")
    at = [b.location() for _ in range(4)]
    b.assign(at[0], at[1], (array, a.store(array, x, y)))
    b.assign(at[1], at[2], (y, a.add(y, a.one)))
    b.assume(at[2], at[3], a.equals(z, x))
    less = a.equals(a.select(array, z), a.subtract(y, a.one))
    b.assume(at[3], b.error(), a.not_(less))
    b.function("main", at[0], at[3])
    return b.program(), [a.equals(x, z), a.equals(a.select(array, z), y), less]


def test_figure_2_is_refuted_with_the_predicates_of_the_paper() -> None:
    """Each of its transition interpolants follows without a solver: all of p[σ] and of the guards are predicates."""
    program, predicates = figure_2()
    expansion = Expansion(program, BlockEncoding.STATEMENTS)
    abstraction = Abstraction(program.arena, best_manager())
    for p in predicates:
        assert abstraction.add(p)
    path = [step for k in range(4) for step in expansion.steps(At((), k))]
    with closing(PropositionalPaths(alone(path), abstraction, PredicateScope(expansion, abstraction))) as abstract:
        assert abstract.valuation() is None
    write, increment, same, differ = (abstraction.operation(step.transition) for step in path)
    assert write.effects[1] is program.arena.or_(predicates[0], predicates[1])
    assert increment.effects[2] is predicates[1]
    assert same.guards == [predicates[0]]
    assert differ.guards == [program.arena.not_(predicates[2])]


def test_figure_2_is_proved() -> None:
    program, _ = figure_2()
    outcome = TransitionEngine().run(program, [0], RecordingContext())[0]
    assert isinstance(outcome, Safe)
