"""Proofs by cases: what follows, by enumeration, and what is left to others."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from random import Random

import pytest

from core.decision import cases
from core.decision.cases import closed_by_cases
from core.terms import INT, INT_ARRAY, Arena, ArrayValue, Term, evaluate, literals
from tests.support.justified import accepted

ARENA = Arena()
X, Y = (ARENA.symbol(name, INT) for name in "xy")
A = ARENA.symbol("a", INT_ARRAY)
CELLS = [ARENA.select(A, ARENA.integer(k)) for k in range(2)]
PLACES = (X, Y, *CELLS)
STATES = [
    {X: x, Y: y, A: ArrayValue(0, {0: p, 1: q})} for x, y, p, q in product(range(-1, 3), range(3), range(3), range(3))
]


@pytest.fixture(autouse=True)
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Split small disjunctions, too."""
    monkeypatch.setattr(cases, "SMALLEST_SPLIT", 0)
    monkeypatch.setattr(cases, "FEWEST_CASES", 2)


def holds(t: Term, state: dict[Term, object]) -> bool:
    return evaluate(t, state) is True  # type: ignore[arg-type]


def proved(hypotheses: Sequence[Term], goal: Term) -> bool:
    """Whether a proof is found; the kernel accepts each."""
    by = closed_by_cases(ARENA, hypotheses, goal, literals(goal), lambda: None)
    assert by is None or accepted(ARENA, by, hypotheses, goal)
    return by is not None


def literal(draw: Random) -> Term:
    x, y = draw.sample(PLACES, 2)
    left = draw.choice((x, ARENA.subtract(x, y), ARENA.add(x, y), ARENA.select(A, X)))
    t = draw.choice((ARENA.le, ARENA.equals))(left, ARENA.integer(draw.randint(-1, 2)))
    return t if draw.random() < 0.8 else ARENA.not_(t)


def partitions(draw: Random) -> Term:
    """A disjunction of conjunctions, most of which fix `x`."""
    parts = []
    for x in draw.sample(range(-1, 3), 3):
        fixed = [ARENA.equals(X, ARENA.integer(x))] if draw.random() < 0.8 else []
        parts.append(ARENA.and_(*fixed, *(literal(draw) for _ in range(draw.randint(0, 3)))))
    return ARENA.or_(*parts)


@pytest.mark.parametrize("seed", range(8))
def test_only_what_holds_is_proved(seed: int) -> None:
    draw, answers = Random(seed), []
    for _ in range(60):
        hypotheses = [partitions(draw), literal(draw)]
        goal = partitions(draw) if draw.random() < 0.6 else literal(draw)
        found = proved(hypotheses, goal)
        answers.append(found)
        if found:
            assert all(holds(goal, state) for state in STATES if all(holds(h, state) for h in hypotheses))
    assert True in answers
    assert False in answers


def _equal(x: Term, value: int) -> Term:
    return ARENA.equals(x, ARENA.integer(value))


def test_values_that_are_excluded() -> None:
    excluded, zero = ARENA.not_(_equal(Y, 0)), _equal(X, 0)
    cases_ = ARENA.or_(ARENA.and_(zero, excluded, ARENA.ge(Y, ARENA.zero)), _equal(X, 1))
    assert proved([cases_, zero], ARENA.ge(Y, ARENA.one))
    assert proved([cases_, zero, ARENA.ge(CELLS[0], Y)], ARENA.not_(_equal(CELLS[0], 0)))
    assert not proved([cases_, zero], ARENA.not_(_equal(Y, 1)))


def test_a_value_is_excluded_of_an_element_at_an_index_that_the_case_gives() -> None:
    read = ARENA.select(A, X)
    parts = ARENA.or_(*(ARENA.and_(_equal(X, k), ARENA.ge(CELLS[k], ARENA.zero)) for k in range(2)))
    assert proved([parts, ARENA.not_(_equal(read, 0))], ARENA.ge(read, ARENA.one))
    assert not proved([parts, ARENA.not_(_equal(read, 1))], ARENA.ge(read, ARENA.one))


def test_a_step_between_partitions() -> None:
    """`x = 0 ∧ a[0] ≤ y ∨ x = 1 ∧ a[1] ≤ y`: after `x := x + 1`, of an array read at `x`."""
    before = ARENA.or_(*(ARENA.and_(_equal(X, k), ARENA.le(CELLS[k], Y)) for k in range(2)))
    read = ARENA.select(A, X)
    assert proved([before], ARENA.le(read, Y))
    assert not proved([before], ARENA.lt(read, Y))
    after = ARENA.or_(*(ARENA.and_(_equal(ARENA.add(X, ARENA.one), k + 1), ARENA.le(CELLS[k], Y)) for k in range(2)))
    assert proved([before], after)
    assert not proved([before], ARENA.or_(*after.args[:1]))


def test_sums_of_bounds_and_contradictions() -> None:
    p, q = CELLS
    chain = [ARENA.le(p, q), ARENA.le(q, Y), ARENA.le(Y, ARENA.one)]
    parts = ARENA.or_(*(ARENA.and_(_equal(X, k), *chain) for k in range(3)))
    assert proved([parts], ARENA.le(p, ARENA.one))
    assert not proved([parts], ARENA.le(p, ARENA.zero))
    assert proved([parts, ARENA.lt(Y, p)], ARENA.false)
    assert proved([parts, _equal(X, 7)], ARENA.false)
    assert not proved([parts], ARENA.false)


def test_without_partitions_nothing_is_decided() -> None:
    nested = ARENA.or_(ARENA.and_(_equal(X, 1), ARENA.or_(_equal(Y, 1), _equal(Y, 2))), _equal(X, 2))
    assert not proved([nested], ARENA.le(X, ARENA.integer(2)))
    assert not proved([_equal(X, 1)], ARENA.le(X, ARENA.one))
