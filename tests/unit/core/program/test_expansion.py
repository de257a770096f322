"""Expansions against an interpreter with an explicit stack of calls."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import islice
from random import Random

import pytest

from core.program import Program
from core.program.blocks import BlockEncoding
from core.program.expansion import At, Expansion, Step
from core.program.loops import loop_heads
from core.terms import Arena, Term, Value, evaluate
from tests.support.program_builder import ProgramBuilder
from tests.support.random_graphs import random_program
from tests.support.reference import Configuration, Interpreter

LENGTH = 60


def named(program: Program, c: Configuration) -> dict[Term, Value]:
    """The variables of a configuration; those of the k-th activation of a function under the names of its frame."""
    values = dict(c.globals)
    depth: dict[str, int] = {}
    for activation in c.stack:
        k = depth[activation.function] = depth.get(activation.function, -1) + 1
        for x, value in activation.values:
            values[_frame(program.arena, x, k)] = value
    return values


def _frame(arena: Arena, x: Term, k: int) -> Term:
    return arena.symbol(f"{x.name}#{k}", x.sort) if k else x


def taken(step: Step, state: Mapping[Term, Value]) -> dict[Term, Value] | None:
    if not evaluate(step.transition.guard, state):
        return None
    return {**state, **{x: evaluate(v, state) for x, v in step.transition.updates.items()}}


@pytest.mark.parametrize("seed", range(30))
def test_statements_are_the_steps_of_an_interpreter(seed: int) -> None:
    """In each configuration of a random run: the same edges can be taken, and lead to the same values."""
    program = random_program(seed, 6)
    interpreter, expansion = Interpreter(program), Expansion(program, BlockEncoding.STATEMENTS)
    random = Random(seed)
    c = interpreter.start()
    for _ in range(LENGTH):
        at, state = At(c.calls, c.location), named(program, c)
        following = list(interpreter.steps(c))
        for edge, inputs, after in following:
            target = At(after.calls, after.location)
            [step] = [s for s in expansion.steps(at) if s.edges == (edge,) and s.target == target]
            reached = taken(step, {**state, **inputs})
            assert reached is not None
            # A call leaves the locals of its callee as they are; the interpreter zeroes them.
            entered = len(after.stack) > len(c.stack)
            fresh = program.functions[after.stack[-1].function].locals if entered else ()
            unset = {_frame(program.arena, x, expansion.frame(target)) for x in fresh}
            assert {k: v for k, v in named(program, after).items() if k not in unset}.items() <= reached.items()
            assert set(expansion.inputs_of(edge)) >= set(inputs)
        possible = {edge.id for edge, _, _ in following}
        for step in expansion.steps(at):
            inputs_read = dict.fromkeys((s for s in step.transition.reads if expansion.is_input(s)), 0)
            assert step.edges[0].id in possible or taken(step, {**state, **inputs_read}) is None
        possible = {edge.id for edge, _, _ in following}
        assert all(s.edges[0].id in possible or taken(s, state) is None for s in expansion.steps(at))
        if len(following) == 0:
            return
        c = random.choice(following)[2]


@pytest.mark.parametrize("seed", range(30))
def test_blocks_are_sequences_of_statements(seed: int) -> None:
    """Every statement path between the ends of blocks is one block, and its transition is their composition."""
    program = random_program(seed, 6)
    fine, coarse = Expansion(program, BlockEncoding.STATEMENTS), Expansion(program, BlockEncoding.BASIC)
    random = Random(seed)
    work, seen = [coarse.start], {coarse.start}
    while work and len(seen) < 200:
        at = work.pop()
        for step in coarse.steps(at):
            _assert_composed(fine, at, step, random)
            if step.target not in seen:
                seen.add(step.target)
                work.append(step.target)


def _assert_composed(fine: Expansion, at: At, step: Step, random: Random) -> None:
    state: dict[Term, Value] = {s: random.randint(-3, 4) for s in step.transition.reads}
    after: dict[Term, Value] | None = dict(state)
    place = at
    for edge in step.edges:
        [one] = [s for s in fine.steps(place) if s.edges == (edge,)]
        for s in one.transition.reads:
            if after is not None:
                state.setdefault(s, after.setdefault(s, 0))
        after = None if after is None else taken(one, after)
        place = one.target
    reached = taken(step, state)
    assert place == step.target
    assert (reached is None) == (after is None)
    if reached is not None and after is not None:
        assert all(after[x] == value for x, value in reached.items())


@pytest.mark.parametrize("seed", range(30))
def test_no_cycle_avoids_loop_heads(seed: int) -> None:
    program = random_program(seed)
    heads = loop_heads(program)
    for blocks in BlockEncoding:
        expansion = Expansion(program, blocks)
        for location in range(len(program.locations)):
            work, seen = [location], set[int]()
            while work:
                v = work.pop()
                for chain in expansion.chains(v):
                    w = chain[-1].target
                    assert w != location or w in heads
                    if w not in seen and w not in heads:
                        seen.add(w)
                        work.append(w)


@pytest.mark.parametrize("seed", range(30))
def test_what_is_reached_is_what_steps_lead_to(seed: int) -> None:
    expansion = Expansion(random_program(seed), BlockEncoding.BASIC)
    first = list(islice(expansion.reached(), 200))  # there is no end where calls nest without end
    assert first[0] == expansion.start
    assert len(set(first)) == len(first)
    led_to = {step.target for at in first for step in expansion.steps(at)}
    assert set(first[1:]) <= led_to
    assert len(first) == 200 or led_to <= set(first)


def test_the_start_function_may_call_itself() -> None:
    """Its first activation is a frame too: the second has names of its own."""
    b = ProgramBuilder()
    x = b.variable("main::x")
    entry, middle, exit_ = (b.location() for _ in range(3))
    call = b.call(entry, middle, "main", b.arena.add(x, b.arena.one))
    b.assume(middle, exit_, b.arena.true)
    b.function("main", entry, exit_, (x,))
    expansion = Expansion(b.program(), BlockEncoding.STATEMENTS)
    [enter] = expansion.steps(expansion.start)
    inner = b.arena.symbol("main::x#1", x.sort)
    assert enter.target == At((call,), entry)
    assert dict(enter.transition.updates) == {inner: b.arena.add(x, b.arena.one)}
    assert expansion.range_of(inner) == expansion.range_of(x)


def test_arguments_may_read_inputs() -> None:
    b = ProgramBuilder()
    p, given = b.variable("f::p"), b.input("nondet")
    entry, exit_ = b.location(), b.location()
    inside = b.location("f")
    edge = b.call(entry, exit_, "f", b.arena.add(given, b.arena.one))
    b.function("main", entry, exit_)
    b.function("f", inside, inside, (p,))
    program = b.program()
    expansion = Expansion(program, BlockEncoding.BASIC)
    [enter] = expansion.steps(expansion.start)
    assert dict(enter.transition.updates) == {p: b.arena.add(given, b.arena.one)}
    assert expansion.inputs_of(program.edges[edge]) == (given,)
    [leave] = expansion.steps(enter.target)
    assert leave.target == At((), exit_)
    assert not leave.transition.updates
