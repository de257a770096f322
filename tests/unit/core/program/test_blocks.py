"""Large blocks do what the statement paths through them do, no more and no less."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from random import Random

import pytest

from core.program import Program, Range
from core.program.blocks import MAX_PATHS, BlockEncoding, cuts
from core.program.expansion import At, Expansion, Step
from core.program.loops import loop_heads
from core.terms import Term, Value, evaluate
from tests.support.program_builder import ProgramBuilder
from tests.support.random_graphs import random_program

State = dict[Term, Value]


def after(step: Step, state: Mapping[Term, Value]) -> State | None:
    if not evaluate(step.transition.guard, state):
        return None
    return {**state, **{x: evaluate(v, state) for x, v in step.transition.updates.items()}}


class Paths:
    """The statement paths from one cut to the next, in one state."""

    def __init__(self, program: Program) -> None:
        self._ends = cuts(program, loop_heads(program))
        self._fine = Expansion(program, BlockEncoding.STATEMENTS)

    def of(self, at: At, state: State) -> Iterator[tuple[At, tuple[int, ...], State]]:
        """The end of each possible path, its edges, and the state then."""
        stack: list[tuple[At, tuple[int, ...], State]] = [(at, (), state)]
        while stack:
            place, edges, now = stack.pop()
            for step in self._fine.steps(place):
                reached = after(step, now)
                if reached is not None:
                    longer = (step.target, (*edges, *(edge.id for edge in step.edges)), reached)
                    if step.target.location in self._ends:
                        yield longer
                    else:
                        stack.append(longer)


@pytest.mark.long
@pytest.mark.parametrize("seed", range(40))
def test_a_large_block_does_what_its_paths_do(seed: int) -> None:
    program, random = random_program(seed, 7), Random(seed)
    paths, expansion = Paths(program), Expansion(program, BlockEncoding.LARGE)
    work, seen = [expansion.start], {expansion.start}
    while work and len(seen) < 60:
        at = work.pop()
        for step in expansion.steps(at):
            if step.target not in seen:
                seen.add(step.target)
                work.append(step.target)
        symbols = frozenset[Term]().union(
            *(s.transition.reads | s.transition.updates.keys() for s in expansion.steps(at))
        )
        for _ in range(12):
            _compare(expansion, paths, at, _random_state(program, expansion, symbols, random))


def _random_state(program: Program, expansion: Expansion, symbols: frozenset[Term], random: Random) -> State:
    every = sorted({*program.variables, *program.inputs, *symbols}, key=lambda s: s.id)
    bounds = {s: expansion.range_of(s) or Range(-3, 4) for s in every}
    return {s: random.randint(b.low, b.high) for s, b in bounds.items()}


def _compare(expansion: Expansion, paths: Paths, at: At, state: State) -> None:
    expected = sorted(paths.of(at, dict(state)), key=lambda found: found[1])
    found = []
    for step in expansion.steps(at):
        reached = after(step, state)
        if reached is not None:
            route = expansion.route(step, lambda condition: evaluate(condition, state) is True)
            assert set(route) <= set(step.edges)
            found.append((step.target, tuple(edge.id for edge in route), reached))
    assert sorted(found, key=lambda one: one[1]) == expected


def choices(number: int, overlapping: bool = False) -> Program:
    """`number` branches one after the other, each of which adds one or two."""
    b = ProgramBuilder()
    a, x, y = b.arena, b.variable("main::x", Range(0, 7)), b.variable("main::y", Range(0, 7))
    at = [b.location() for _ in range(number + 1)]
    for i in range(number):
        once, twice = b.location(), b.location()
        b.assume(at[i], once, a.le(x, a.integer(i)))
        b.assume(at[i], twice, a.le(a.zero, x) if overlapping else a.gt(x, a.integer(i)))
        b.assign(once, at[i + 1], (y, a.add(y, a.one)))
        b.assign(twice, at[i + 1], (y, a.add(y, a.integer(2))))
    b.function("main", at[0], at[-1], (), (x, y))
    return b.program()


def test_joins_are_inside_of_blocks_until_many_paths_meet() -> None:
    all_inside = Expansion(choices(4), BlockEncoding.LARGE)
    [step] = all_inside.steps(all_inside.start)
    assert len(step.edges) == 4 * 4
    divided = Expansion(choices(7), BlockEncoding.LARGE)
    [first] = divided.steps(divided.start)
    [second] = divided.steps(first.target)
    assert len(first.edges) == 4 * 5
    assert MAX_PATHS == 2**4
    assert len(second.edges) == 4 * 2


def test_branches_that_overlap_are_kept_apart() -> None:
    program = choices(2, overlapping=True)
    expansion = Expansion(program, BlockEncoding.LARGE)
    assert [len(step.edges) for step in expansion.steps(expansion.start)] == [2, 2]
    paths, random = Paths(program), Random(0)
    for _ in range(20):
        _compare(expansion, paths, expansion.start, _random_state(program, expansion, frozenset(), random))
