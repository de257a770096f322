"""Propositional implications are real ones, and the kernel replays why."""

from collections.abc import Callable
from random import Random

import pytest

from core.decision.kernel import Kernel
from core.decision.propositional import Propositional, _Decided
from core.decision.solver_record import SolverRecord
from core.program import Range
from core.solver.cvc5_solver import Cvc5Factory
from core.terms import BOOL, INT, Arena, Term, evaluate
from sat.proof_trace import ProvingSolver
from tests.support.random_terms import RandomTerms

BOUNDS = Range(-4, 4)


def bounds_of(symbol: Term) -> Range | None:
    return None if symbol.sort is BOOL else BOUNDS


class Implications:
    """Asks what follows, and whether the kernel agrees."""

    def __init__(self, arena: Arena, range_of: Callable[[Term], Range | None], solver: ProvingSolver) -> None:
        self.arena = arena
        self.kernel = Kernel(arena, range_of, SolverRecord(Cvc5Factory()))
        self.base = Propositional(arena, self.kernel, solver, conflicts=1000)
        self.group = self.base.new_group()

    def implies(self, hypotheses: list[Term], goal: Term) -> bool:
        facts = [*hypotheses, self.arena.not_(goal)]
        by = self.base.closed(facts, self.group)
        assert by is None or self.kernel.check(by, hypotheses, goal)
        return by is not None


@pytest.mark.long
def test_implications_are_valid() -> None:
    """Implications that are found hold: no assignment is a counterexample."""
    found = 0
    for seed in range(150):
        draw = RandomTerms(seed)
        values = [draw.values() for _ in range(40)]
        with ProvingSolver() as solver:
            base = Implications(draw.arena, bounds_of, solver)
            for _ in range(15):
                hypotheses, goal = [draw.formula(1) for _ in range(3)], draw.formula(1)
                if base.implies(hypotheses, goal):
                    found += 1
                    for v in values:
                        assert not all(evaluate(h, v) for h in hypotheses) or evaluate(goal, v)
    assert found > 50


def test_choices_are_made_on_what_facts_and_their_bounds_decide() -> None:
    """Also on conditions that hold together, and within conditions; nothing is lifted for that."""
    arena = Arena()
    x, y, z = (arena.symbol(name, INT) for name in "xyz")
    p = arena.symbol("p", BOOL)
    inner = arena.ite(arena.and_(p, arena.le(x, arena.integer(9))), y, z)
    outer = arena.ite(arena.le(inner, arena.integer(5)), inner, x)
    low = arena.le(arena.add(y, outer), arena.integer(7))
    known = [p, arena.le(x, arena.integer(3)), arena.le(y, arena.integer(5))]
    made = arena.le(arena.add(y, y), arena.integer(7))
    with ProvingSolver() as solver:
        base = Implications(arena, lambda _: None, solver)
        assert base.implies([low, *known], made)
        assert base.implies([made, *known], low)
        assert not base.implies([low, *known[:2]], made)
        assert not base.implies([low, *known[1:]], made)


def test_few_of_many_choices_are_split() -> None:
    """Each number is a choice between those before it; that a step computes what a claim repeats needs one split each,
    although with their choices outside, the last numbers would be of 2^30 cases.
    """
    arena = Arena()
    numbers = [arena.symbol(name, INT) for name in "xy"]
    parts: list[Term] = []
    for k in range(30):
        condition = arena.le(arena.add(numbers[-1], arena.symbol(f"c{k}", INT)), numbers[-2])
        value, other = arena.add(numbers[-1], numbers[-2]), arena.add(numbers[-1], arena.integer(k))
        made = arena.ite(condition, value, other)
        parts.append(arena.ite(condition, arena.equals(made, value), arena.equals(made, other)))
        numbers.append(made)
    with ProvingSolver() as solver:
        base = Implications(arena, lambda _: None, solver)
        assert base.implies([], arena.and_(*parts))
        assert len(base.base._clauses) < 2_000
        wrong = arena.equals(numbers[-1], numbers[-2])
        assert not base.implies([], arena.and_(*parts, wrong))


def test_intervals_decide_atoms_where_facts_hold() -> None:
    """Facts say nothing of the atoms of a choice by themselves; without one of them, the bound may be missed."""
    arena = Arena()
    p = arena.symbol("p", BOOL)
    x, y = arena.symbol("x", INT), arena.symbol("y", INT)
    total = arena.ite(p, arena.add(x, y), arena.subtract(x, y))
    small = [arena.between(0, x, 5), arena.between(0, y, 5)]
    with ProvingSolver() as solver:
        base = Implications(arena, lambda _: None, solver)
        assert base.implies(small, arena.le(total, arena.integer(10)))
        assert base.implies([*small, p], arena.ge(total, arena.zero))
        assert not base.implies(small, arena.ge(total, arena.zero))
        assert not base.implies([small[0], p], arena.le(total, arena.integer(10)))


def test_a_condition_may_be_true_in_a_model_where_its_parts_are_not() -> None:
    """What a formula is made of is only said to the solver in the direction that facts have asked for so far."""
    arena = Arena()
    p, q, r = (arena.symbol(name, BOOL) for name in "pqr")
    x, y = arena.symbol("x", INT), arena.symbol("y", INT)
    both = arena.and_(p, q)
    chosen = arena.le(arena.ite(both, x, y), arena.integer(3))
    with ProvingSolver() as solver:
        base = Implications(arena, lambda _: None, solver)
        facts = [arena.or_(arena.not_(both), r), arena.not_(p), chosen]
        assert base.implies(facts, arena.le(y, arena.integer(3)))
        assert not base.implies(facts, arena.le(x, arena.integer(3)))


def test_choices_in_lemmas_are_split_where_facts_leave_a_model() -> None:
    arena = Arena()
    p, q = arena.symbol("p", BOOL), arena.symbol("q", BOOL)
    x, y = arena.symbol("x", INT), arena.symbol("y", INT)
    lemma = arena.or_(q, arena.le(arena.ite(p, x, y), arena.integer(3)))
    facts = [p, arena.not_(q)]
    with ProvingSolver() as solver:
        one = Implications(arena, lambda _: None, solver)
        one.base.include(one.group, one.base.learn(lemma))
        refuted = arena.not_(arena.le(x, arena.integer(4)))
        assert one.base._refutation((one.group,), _Decided(one.kernel, [*facts, refuted])) is not None
        assert one.base._refutation((one.group,), _Decided(one.kernel, facts)) is None


def test_order_of_bounds_needs_no_lemma() -> None:
    arena = Arena()
    x, y = arena.symbol("x", INT), arena.symbol("y", INT)
    sums = [arena.add(x, y), arena.subtract(x, y), x]
    random = Random(1)
    with ProvingSolver() as solver:
        base = Implications(arena, lambda _: None, solver)
        for _ in range(200):
            body, k, m = random.choice(sums), random.randint(-9, 9), random.randint(-9, 9)
            less, least = arena.le(body, arena.integer(k)), arena.ge(body, arena.integer(m))
            same = arena.equals(body, arena.integer(m))
            assert base.implies([less], arena.not_(least)) == (k < m)
            assert base.implies([same], less) == (m <= k)
            assert base.implies([less, arena.ge(body, arena.integer(k))], same) == (k == m)


def test_ranges_decide_bounds() -> None:
    arena = Arena()
    x = arena.symbol("x", INT)
    with ProvingSolver() as solver:
        base = Implications(arena, lambda _: Range(0, 1), solver)
        assert base.implies([arena.not_(arena.equals(x, arena.zero))], arena.equals(x, arena.one))
        assert not base.implies([], arena.equals(x, arena.one))


def test_facts_that_deny_each_other_need_no_clause() -> None:
    arena = Arena()
    p, q = arena.symbol("p", BOOL), arena.symbol("q", BOOL)
    with ProvingSolver() as solver:
        base = Implications(arena, bounds_of, solver)
        assert base.implies([p, arena.not_(p)], q)
        assert base.implies([arena.false], q)


def test_lemmas_count_where_their_group_is_used() -> None:
    arena = Arena()
    p, q, r = (arena.symbol(name, BOOL) for name in "pqr")
    with ProvingSolver() as solver:
        one = Implications(arena, lambda s: Range(0, 1) if s.sort is INT else None, solver)
        x = arena.symbol("x", INT)
        lemma = arena.ge(x, arena.zero)
        group = one.base.learn(lemma)
        assert not one.implies([arena.implies(lemma, p)], q)
        one.base.include(one.group, group)
        assert one.implies([arena.implies(lemma, p)], p)
        assert one.base.used([arena.not_(arena.or_(lemma, r))], [group]) is not None
        assert not one.implies([p, r], q)


def test_what_was_derived_is_replayed_once() -> None:
    """All choices of signs of three symbols contradict each other, whatever else is a fact."""
    arena = Arena()
    p, q, r = (arena.symbol(name, BOOL) for name in "pqr")
    signs = [arena.or_(*parts) for parts in _signs(arena, [p, q, r])]
    with ProvingSolver() as solver:
        one = Implications(arena, bounds_of, solver)
        assert one.implies(signs, arena.symbol("s", BOOL))
        accepted = len(one.kernel._clauses)
        assert one.implies(signs, arena.symbol("t", BOOL))
        assert len(one.kernel._clauses) <= accepted + 1


def _signs(arena: Arena, symbols: list[Term]) -> list[list[Term]]:
    if not symbols:
        return [[]]
    first, *others = symbols
    return [[literal, *rest] for rest in _signs(arena, others) for literal in (first, arena.not_(first))]
