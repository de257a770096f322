"""Propositional implications are real ones."""

from random import Random

import pytest

from core.analysis.bounds import Intervals
from core.decision.propositional import Propositional
from core.program import Range
from core.terms import BOOL, INT, Arena, Term, evaluate
from sat.solver import SatSolver
from tests.support.random_terms import RandomTerms

BOUNDS = Range(-4, 4)


def bounds_of(symbol: Term) -> Range | None:
    return None if symbol.sort is BOOL else BOUNDS


@pytest.mark.long
def test_implications_are_valid() -> None:
    """Implications that are found hold: no assignment is a counterexample."""
    found = 0
    for seed in range(150):
        draw = RandomTerms(seed)
        values = [draw.values() for _ in range(40)]
        with SatSolver() as solver:
            base = Propositional(draw.arena, Intervals(bounds_of), solver, conflicts=1000)
            lemmas = base.new_group()
            for _ in range(15):
                hypotheses, goal = [draw.formula(1) for _ in range(3)], draw.formula(1)
                if base.implies(hypotheses, goal, [lemmas]):
                    found += 1
                    for v in values:
                        assert not all(evaluate(h, v) for h in hypotheses) or evaluate(goal, v)
    assert found > 50


def test_order_of_thresholds_needs_no_lemma() -> None:
    arena = Arena()
    x, y = arena.symbol("x", INT), arena.symbol("y", INT)
    sums = [arena.add(x, y), arena.subtract(x, y), x]
    random = Random(1)
    with SatSolver() as solver:
        base = Propositional(arena, Intervals(lambda _: None), solver, conflicts=1000)
        for _ in range(200):
            body, k, m = random.choice(sums), random.randint(-9, 9), random.randint(-9, 9)
            less, least = arena.le(body, arena.integer(k)), arena.ge(body, arena.integer(m))
            same = arena.equals(body, arena.integer(m))
            assert base.implies([less], arena.not_(least), []) == (k < m)
            assert base.implies([same], less, []) == (m <= k)
            assert base.implies([less, arena.ge(body, arena.integer(k))], same, []) == (k == m)


def test_ranges_decide_thresholds() -> None:
    arena = Arena()
    x = arena.symbol("x", INT)
    with SatSolver() as solver:
        base = Propositional(arena, Intervals(lambda _: Range(0, 1)), solver, conflicts=1000)
        assert base.implies([arena.not_(arena.equals(x, arena.zero))], arena.equals(x, arena.one), [])
        assert not base.implies([], arena.equals(x, arena.one), [])


def test_groups_count_only_where_they_are_used() -> None:
    arena = Arena()
    p, q = arena.symbol("p", BOOL), arena.symbol("q", BOOL)
    with SatSolver() as solver:
        base = Propositional(arena, Intervals(bounds_of), solver, conflicts=1000)
        group = base.new_group()
        base.include(group, base.learn(arena.implies(p, q)))
        assert base.implies([p], q, [group])
        assert not base.implies([p], q, [])
        assert base.implied([p, arena.or_(p, q)], q, group) == (p, arena.not_(q), arena.implies(p, q))
