"""Candidates from the turns of loops: they hold in every state of a loop, and nothing is said about others."""

from __future__ import annotations

from core.program import Program
from core.program.blocks import BlockEncoding
from core.program.expansion import Expansion, Step
from core.terms import Term, atoms
from methods.discovery.acceleration import Acceleration
from tests.support.program_builder import ProgramBuilder


def two_phases() -> tuple[Program, Term, Term]:
    """`x = 0; y = 50; while (x < 100) if (x < 50) x += 2; else { x += 2; y += 2; }`, then an error if y = 7."""
    b = ProgramBuilder()
    a, x, y = b.arena, b.variable("x"), b.variable("y")
    start, head, body, first, second, done = (b.location(loop=k == 1) for k in range(6))
    two = a.integer(2)
    b.assign(start, head, (x, a.zero), (y, a.integer(50)))
    b.assume(head, body, a.lt(x, a.integer(100)))
    b.assume(body, first, a.lt(x, a.integer(50)))
    b.assume(body, second, a.ge(x, a.integer(50)))
    b.assign(first, head, (x, a.add(x, two)))
    b.assign(second, head, (x, a.add(x, two)), (y, a.add(y, two)))
    b.assume(head, done, a.ge(x, a.integer(100)))
    b.assume(done, b.error(), a.equals(y, a.integer(7)))
    b.function("main", start, done)
    return b.program(), x, y


def path(expansion: Expansion, turns: int) -> list[Step]:
    """A path that goes through the first way of the loop `turns` times, and on to the error."""
    at, steps = expansion.start, list[Step]()
    while expansion.check(at) is None:
        options = expansion.steps(at)
        inside = at.location == 1 and turns > 0
        turns -= at.location == 1
        steps.append(options[0] if inside or len(options) == 1 else options[-1] if at.location == 1 else options[0])
        at = steps[-1].target
    return steps


def test_what_turns_keep_is_proposed_at_the_loop_head() -> None:
    program, x, y = two_phases()
    expansion, a = Expansion(program, BlockEncoding.STATEMENTS), program.arena
    steps = path(expansion, 2)
    found = Acceleration(expansion).candidates(steps)
    assert found is not None
    heads = [i for i, step in enumerate(steps) if step.source.location == 1]
    assert len(heads) == 3
    for i in heads:
        proposed = set(atoms(found.formulas[i]))
        # x never falls below 0, is even, and ends at 101 at most; from 50 on, x and y grow together.
        assert {
            a.le(x, a.integer(-1)),
            a.le(x, a.integer(101)),
            a.equals(a.modulo(x, a.integer(2)), a.zero),
        } <= proposed
        assert {a.le(a.subtract(x, y), a.integer(k)) for k in (0, -1)} <= proposed


def test_behind_the_loop_what_the_error_needs_is_proposed() -> None:
    program, _, y = two_phases()
    expansion = Expansion(program, BlockEncoding.STATEMENTS)
    steps = path(expansion, 1)
    found = Acceleration(expansion).candidates(steps)
    assert found is not None
    assert len(found.formulas) == len(steps) + 1
    assert program.arena.equals(y, program.arena.integer(7)) in set(atoms(found.formulas[-2]))


def test_a_path_without_a_turn_has_no_candidates() -> None:
    program, _, _ = two_phases()
    expansion = Expansion(program, BlockEncoding.STATEMENTS)
    assert Acceleration(expansion).candidates(path(expansion, 0)) is None


def test_loops_with_many_long_ways_are_left_alone() -> None:
    """Thirty branches in a row are 2^30 ways through the body: the search ends all the same."""
    b = ProgramBuilder()
    a, x = b.arena, b.variable("x")
    start, head = b.location(), b.location(loop=True)
    b.assign(start, head, (x, a.zero))
    here = head
    for k in range(30):
        after = b.location()
        b.assume(here, after, a.le(x, a.integer(k)))
        b.assume(here, after, a.gt(x, a.integer(k)))
        here = after
    b.assume(here, head, a.true)
    b.assume(head, b.error(), a.equals(x, a.one))
    b.function("main", start, here)
    expansion = Expansion(b.program(), BlockEncoding.STATEMENTS)
    steps, at = list[Step](), expansion.start
    while len(steps) < 40:
        steps.append(expansion.steps(at)[0])
        at = steps[-1].target
    found = Acceleration(expansion).candidates(steps)
    assert found is None or len(found.formulas) == len(steps) + 1
