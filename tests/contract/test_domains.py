"""The laws of `methods.domains.contract`, by enumeration of the concrete states of small programs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from random import Random

import pytest

from bdd import Bdd, best_manager
from core.program.blocks import BlockEncoding
from core.program.expansion import At, Expansion, Step
from core.solver.z3_solver import Z3Factory
from core.terms import Op, Term, Value, evaluate
from methods.domains.predicate import Abstraction, PredicateDomain, PredicateScope, TransitionClause
from methods.engines.transition.oracle import StepOracle
from tests.support.random_graphs import SMALL, random_program

State = Mapping[Term, Value]


class Setting:
    """The predicate domain of a random program, with random predicates and clauses learned for random steps."""

    def __init__(self, seed: int) -> None:
        self.random = Random(seed)
        self.program = random_program(seed, 4)
        self.expansion = Expansion(self.program, BlockEncoding.BASIC)
        self.precision = Abstraction(self.program.arena, best_manager())
        self.domain = PredicateDomain(self.expansion, self.precision)
        self.variables = [x for x in self.program.variables if "#" not in x.name]
        self.steps = self._some_steps()
        for _ in range(6):
            self.precision.add(self._atom())
        for step in self.random.sample(self.steps, min(8, len(self.steps))):
            self._learn(step)

    def _some_steps(self) -> list[Step]:
        found: list[Step] = []
        work, seen = [self.expansion.start], {self.expansion.start}
        while work and len(found) < 60:
            for step in self.expansion.steps(work.pop(0)):
                found.append(step)
                if step.target not in seen:
                    seen.add(step.target)
                    work.append(step.target)
        return [s for s in found if self.expansion.frame(s.source) == self.expansion.frame(s.target) == 0]

    def _atom(self) -> Term:
        a, draw = self.program.arena, self.random
        x, y = draw.sample(self.variables, 2)
        left = draw.choice((x, a.subtract(x, y), a.add(x, y)))
        atom = draw.choice((a.le, a.equals))(left, a.integer(draw.randint(-2, 3)))
        return atom.args[0] if atom.op is Op.NOT else atom

    def _learn(self, step: Step) -> None:
        """A clause as a refinement would learn it: one that an impossible valuation violates."""
        op = self.precision.operation(step.transition)
        scope = PredicateScope(self.expansion, self.precision)
        oracle = StepOracle(self.expansion, self.precision, Z3Factory(0))
        for _ in range(4):
            before = {p: self.random.random() < 0.5 for p in sorted(scope.tracked(step.source))}
            after = {p: self.random.random() < 0.5 for p in sorted(op.affected & scope.tracked(step.target))}
            clause = oracle.impossible(op, before, after)
            if clause is not None and oracle.is_axiom(clause):
                self.precision.learn_axiom(tuple((p, sign) for p, _, sign in clause.literals))
            elif clause is not None:
                self.precision.learn(op, clause)

    def states(self, number: int, symbols: Sequence[Term]) -> Iterator[State]:
        for _ in range(number):
            yield {s: self.random.randint(SMALL.low, SMALL.high) for s in symbols}

    def abstract(self, at: At) -> Bdd:
        """A random set of abstract states, over predicates that mean something at `at`."""
        tracked = sorted(PredicateScope(self.expansion, self.precision).tracked(at))
        m = self.precision.manager
        some = [p for p in tracked if self.random.random() < 0.5]
        return m.disjoin(*(m.cube({p: self.random.random() < 0.5 for p in some}) for _ in range(2)))

    def holds(self, s: Bdd, state: State) -> bool:
        return evaluate(self.domain.formula(s), state) is True


@pytest.fixture(params=range(12))
def setting(request: pytest.FixtureRequest) -> Setting:
    return Setting(request.param)


def concrete(step: Step, state: State) -> State | None:
    if not evaluate(step.transition.guard, state):
        return None
    return {**state, **{x: evaluate(v, state) for x, v in step.transition.updates.items()}}


class TestPredicateDomain:
    def test_initial_contains_every_state(self, setting: Setting) -> None:
        s = setting.domain.initial(setting.expansion.start, setting.precision)
        assert all(setting.holds(s, state) for state in setting.states(30, setting.variables))

    @pytest.mark.long
    def test_successors_and_backward_lose_no_step(self, setting: Setting) -> None:
        d, p = setting.domain, setting.precision
        for step in setting.steps:
            source = setting.abstract(step.source)
            results = list(d.successors(source, step, p))
            symbols = [*setting.variables, *setting.program.inputs]
            for state in setting.states(40, symbols):
                after = concrete(step, state)
                if after is None or not setting.holds(source, state):
                    continue
                assert any(setting.holds(r, after) for r in results)
                back = d.backward(source, step, setting.precision.manager.disjoin(*results), p)
                assert back is not None
                assert setting.holds(back, state)

    def test_every_result_has_a_predecessor(self, setting: Setting) -> None:
        """Required of exploration: under one precision, no state is without an abstract origin."""
        for step in setting.steps:
            source = setting.abstract(step.source)
            for result in setting.domain.successors(source, step, setting.precision):
                assert setting.domain.backward(source, step, result, setting.precision) is not None

    def test_merge_covered_and_meet(self, setting: Setting) -> None:
        d = setting.domain
        for step in setting.steps[:10]:
            a, b = setting.abstract(step.source), setting.abstract(step.source)
            merged = d.merge(a, b)
            assert merged is not None
            assert d.covered(a, [merged])
            assert d.covered(b, [a, merged])
            common = d.meet(a, b)
            for state in setting.states(40, setting.variables):
                in_a, in_b = setting.holds(a, state), setting.holds(b, state)
                assert setting.holds(merged, state) or not (in_a or in_b)
                assert not (in_a and in_b) or (common is not None and setting.holds(common, state))
                assert in_b or not in_a or not d.covered(a, [b])

    def test_states_speak_about_what_is_live_only(self, setting: Setting) -> None:
        scope = PredicateScope(setting.expansion, setting.precision)
        for step in setting.steps:
            for result in setting.domain.successors(setting.abstract(step.source), step, setting.precision):
                assert setting.precision.manager.support(result) <= scope.tracked(step.target)

    def test_clauses_and_axioms_are_implied(self, setting: Setting) -> None:
        arena = setting.program.arena
        predicates = setting.precision.predicates

        def signed(atom: Term, sign: bool) -> Term:
            return atom if sign else arena.not_(atom)

        def formula(clause: TransitionClause, after: Mapping[int, Term]) -> Term:
            literals = (signed(after[p] if primed else predicates[p], sign) for p, primed, sign in clause.literals)
            return arena.or_(*literals)

        for axiom in setting.precision.axioms:
            valid = arena.or_(*(signed(predicates[p], sign) for p, sign in axiom))
            for values in product(range(SMALL.low, SMALL.high + 1), repeat=len(valid.symbols())):
                assert evaluate(valid, dict(zip(sorted(valid.symbols(), key=lambda s: s.id), values, strict=True)))
        for op in setting.precision.operations():
            for clause in op.clauses:
                implied = arena.implies(op.transition.guard, formula(clause, op.after))
                for state in setting.states(60, sorted(implied.symbols(), key=lambda s: s.id)):
                    assert evaluate(implied, state)
