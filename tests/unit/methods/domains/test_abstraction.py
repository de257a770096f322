"""Predicates and approximations: the exact seeds say what the transition does, and the order axioms hold."""

from __future__ import annotations

from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bdd import Bdd, Manager, best_manager
from core.program.semantics import Transition
from core.terms import INT, Arena, ArraySort, Op, Term, atoms, evaluate, lift_choices
from methods.domains.predicate import Abstraction
from tests.support.random_terms import RandomTerms


def value(manager: Manager, u: Bdd, valuation: dict[int, bool]) -> bool:
    """The value of a function of current copies."""
    return manager.implies(manager.cube(valuation), u)


@given(st.integers(0, 2**32))
def test_lifting_choices_changes_no_value_and_leaves_no_choice(seed: int) -> None:
    draw = RandomTerms(seed)
    formula = draw.formula(2)
    lifted = lift_choices(draw.arena, formula)
    for _ in range(10):
        values = draw.values()
        assert evaluate(lifted, values) == evaluate(formula, values)


@pytest.mark.long
@given(st.integers(0, 2**32))
def test_an_encoded_formula_has_the_value_of_the_formula(seed: int) -> None:
    draw = RandomTerms(seed)
    formula = draw.formula(2)
    abstraction = Abstraction(draw.arena, best_manager())
    for atom in atoms(formula):
        abstraction.add(atom)
    encoded = abstraction.encode(formula)
    for _ in range(5):
        values = draw.values()
        valuation = {i: evaluate(p, values) is True for i, p in enumerate(abstraction.predicates)}
        assert value(abstraction.manager, encoded, valuation) is evaluate(formula, values)


@pytest.mark.long
@given(st.integers(0, 2**32))
def test_seeds_are_exact(seed: int) -> None:
    """A guard over predicates holds where its encoding does; an effect is the value of the predicate afterwards."""
    draw = RandomTerms(seed)
    updates = {x: draw.integer(1) for x in draw.random.sample(draw.integers, 2)}
    t = Transition(draw.arena, draw.formula(1), updates)
    abstraction = Abstraction(draw.arena, best_manager())
    post = draw.formula(1)
    for formula in (t.guard, post, t.after(post)):
        for atom in atoms(lift_choices(draw.arena, formula)):
            abstraction.add(atom)
    op = abstraction.operation(t)
    for _ in range(5):
        before = draw.values()
        after = {**before, **{x: evaluate(v, before) for x, v in updates.items()}}
        valuation = {i: evaluate(p, before) is True for i, p in enumerate(abstraction.predicates)}
        if evaluate(t.guard, before):
            assert all(value(abstraction.manager, abstraction.encode(g), valuation) for g in op.guards)
        for i, predicate in enumerate(abstraction.predicates):
            new = evaluate(predicate, after) is True
            assert i in op.affected or new is valuation[i]
            if i in op.effects:
                assert value(abstraction.manager, abstraction.encode(op.effects[i]), valuation) is new


def test_atoms_over_one_expression_are_ordered() -> None:
    """The axioms allow exactly the valuations that some number has."""
    arena = Arena()
    x = arena.symbol("x", INT)
    abstraction = Abstraction(arena, best_manager())
    predicates: list[Term] = []
    for atom in (arena.le(x, arena.integer(3)), arena.equals(x, arena.integer(5)), arena.le(x, arena.integer(7))):
        predicates.append(atom)
        assert abstraction.add(atom)
        assert not abstraction.add(atom)
        assert atom in abstraction
    possible = {tuple(evaluate(p, {x: n}) for p in predicates) for n in range(-2, 12)}
    allowed = {
        v
        for v in product((True, False), repeat=3)
        if all(any(v[p] is sign for p, sign in axiom) for axiom in abstraction.axioms)
    }
    assert possible == allowed


def test_predicates_that_come_later_are_looked_at() -> None:
    arena = Arena()
    x, y = arena.symbol("x", INT), arena.symbol("y", INT)
    abstraction = Abstraction(arena, best_manager())
    t = Transition(arena, arena.le(y, arena.zero), {x: y})
    small = arena.le(x, arena.zero)
    abstraction.add(small)
    op = abstraction.operation(t)
    assert op.affected == {0}
    assert not op.guards
    assert not op.effects
    abstraction.add(arena.le(y, arena.zero))
    assert abstraction.operation(t) is op
    assert op.guards == [arena.le(y, arena.zero)]
    assert op.effects == {0: arena.le(y, arena.zero)}
    m = abstraction.manager
    assert op.relation(m).image(m.true) == m.conjoin(m.var(0), m.var(1))


@pytest.mark.parametrize("bound", [0, 3])
def test_a_predicate_that_keeps_its_meaning_has_a_frame(bound: int) -> None:
    arena = Arena()
    x, y = arena.symbol("x", INT), arena.symbol("y", INT)
    abstraction = Abstraction(arena, best_manager())
    abstraction.add(arena.le(arena.subtract(x, y), arena.integer(bound)))
    both = Transition(arena, arena.true, {x: arena.add(x, arena.one), y: arena.add(y, arena.one)})
    op = abstraction.operation(both)
    assert not op.affected
    assert abstraction.predicates[0].op is Op.LE


def test_elements_at_different_constants_are_unrelated() -> None:
    """Pairs f[j], g[j] come together in the order, so that a diagram that relates them grows with their number only."""
    arena, number = Arena(), 16
    f, g = (arena.symbol(name, ArraySort(INT, INT)) for name in "fg")
    abstraction = Abstraction(arena, best_manager())
    for j in range(number):
        for array in (f, g):
            abstraction.add(arena.equals(arena.select(array, arena.integer(j)), arena.zero))
    m = abstraction.manager
    pairs = m.conjoin(*(m.iff(m.var(2 * j), m.var(2 * j + 1)) for j in range(number)))
    assert m.size(pairs) <= 4 * number
