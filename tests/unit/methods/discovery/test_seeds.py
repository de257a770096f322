"""Predicates to begin with."""

from __future__ import annotations

from core.program.blocks import BlockEncoding
from core.program.expansion import Expansion
from methods.discovery.seeds import MAX_SEEDS, seed_predicates
from tests.support.program_builder import ProgramBuilder
from tests.support.random_graphs import random_program


def test_comparisons_with_constants_are_seeds_also_of_what_is_copied() -> None:
    """`state = next; if (state == 3) …` makes `next == 3` a seed too; a comparison of two variables is none."""
    b = ProgramBuilder()
    a, state, following = b.arena, b.variable("main::state"), b.variable("main::next")
    parameter = b.variable("f::p")
    at = [b.location() for _ in range(5)]
    inside = b.location("f")
    b.assign(at[0], at[1], (state, following))
    b.assume(at[1], at[2], a.equals(state, a.integer(3)))
    b.assume(at[2], at[3], a.lt(state, following))
    b.call(at[3], at[4], "f", following)
    b.assume(inside, inside, a.lt(parameter, a.integer(9)))
    b.function("main", at[0], at[4], (), (state, following))
    b.function("f", inside, inside, (parameter,))
    seeds = seed_predicates(Expansion(b.program(), BlockEncoding.BASIC))
    three, eight = a.integer(3), a.integer(8)
    expected = {a.equals(state, three), a.equals(following, three), a.le(parameter, eight), a.le(following, eight)}
    assert len(seeds) == len(expected)
    assert set(seeds) == expected


def test_a_guard_makes_the_constants_that_it_asks_for_seeds() -> None:
    """`n = 5; m = 5; i = 0; while (i < n) i = i + 1;`: of n alone, as i changes and m is never asked for."""
    b = ProgramBuilder()
    a, (n, m, i) = b.arena, (b.variable(f"main::{name}") for name in "nmi")
    entry, head, body, done = (b.location(loop=k == 1) for k in range(4))
    five = a.integer(5)
    b.assign(entry, head, (n, five), (m, five), (i, a.zero))
    b.assume(head, body, a.lt(i, n))
    b.assign(body, head, (i, a.add(i, a.one)))
    b.assume(head, done, a.ge(i, n))
    b.function("main", entry, done, (), (n, m, i))
    assert seed_predicates(Expansion(b.program(), BlockEncoding.BASIC)) == [a.equals(n, five)]


def test_elements_at_places_that_stay_are_seeds_too() -> None:
    """`p->state` is one place as long as `p` does not move; `a[i]` is none where `i` does."""
    b = ProgramBuilder()
    a, p, i = b.arena, b.variable("f::p"), b.variable("f::i")
    states, nexts, others = b.array("state"), b.array("next"), b.array("other")
    start, ready, done = b.location(), b.location(), b.location()
    at = [b.location("f") for _ in range(6)]
    field = a.add(p, a.integer(4))
    state, following = a.select(states, field), a.select(nexts, p)
    b.assign(start, ready, (i, a.zero))
    b.call(ready, done, "f", i)
    b.assign(at[0], at[1], (states, a.store(states, field, following)))
    b.assume(at[1], at[2], a.equals(state, a.integer(3)))
    b.assume(at[2], at[3], a.le(a.select(others, i), a.integer(9)))
    b.assign(at[3], at[4], (i, a.add(i, a.one)))
    b.assume(at[4], at[5], a.le(a.add(state, following), a.one))
    b.function("main", start, done)
    b.function("f", at[0], at[5], (p,), (i,))
    seeds = seed_predicates(Expansion(b.program(), BlockEncoding.BASIC))
    assert seeds == [a.equals(state, a.integer(3)), a.equals(following, a.integer(3))]


def test_seeds_are_few_and_distinct_and_mention_no_input() -> None:
    for seed in range(20):
        expansion = Expansion(random_program(seed), BlockEncoding.BASIC)
        seeds = seed_predicates(expansion)
        assert len(seeds) == len(set(seeds)) <= MAX_SEEDS
        assert not any(expansion.is_input(s) for atom in seeds for s in atom.symbols())


def test_there_are_never_too_many() -> None:
    b = ProgramBuilder()
    x = b.variable("main::x")
    here = b.location()
    for k in range(MAX_SEEDS + 50):
        b.assume(here, here, b.arena.equals(x, b.arena.integer(k)))
    b.function("main", here, here, (), (x,))
    assert len(seed_predicates(Expansion(b.program(), BlockEncoding.BASIC))) == MAX_SEEDS
