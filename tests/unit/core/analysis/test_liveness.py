"""Liveness against its meaning: a variable that is not live has no influence on what an execution does."""

from __future__ import annotations

import pytest

from core.analysis.liveness import Liveness
from core.program import Assign, Assume, Call, Edge, Program
from core.program.blocks import BlockEncoding
from core.program.expansion import At, Expansion
from core.terms import Term
from tests.support.program_builder import ProgramBuilder
from tests.support.random_graphs import random_program


def reads(edge: Edge) -> frozenset[Term]:
    match edge.operation:
        case Assume(condition):
            return condition.symbols()
        case Assign(updates):
            return frozenset[Term]().union(*(v.symbols() for _, v in updates))
        case Call(_, arguments):
            return frozenset[Term]().union(*(a.symbols() for a in arguments))


def writes(edge: Edge) -> frozenset[Term]:
    return frozenset(x for x, _ in edge.operation.updates) if isinstance(edge.operation, Assign) else frozenset()


def may_be_read(program: Program, location: int, x: Term) -> bool:
    """Whether a path of the same function leads from `location` to a read of `x` with no write before."""
    work, seen = [location], {location}
    while work:
        for edge in program.out_edges[work.pop()]:
            if x in reads(edge):
                return True
            if x not in writes(edge) and edge.target not in seen:
                seen.add(edge.target)
                work.append(edge.target)
    return False


@pytest.mark.parametrize("seed", range(30))
def test_live_variables_are_among_those_that_may_be_read(seed: int) -> None:
    program = random_program(seed)
    liveness = Liveness(Expansion(program, BlockEncoding.BASIC))
    for location in program.locations:
        function = program.functions[location.function]
        live = liveness.locals_at(At((), location.id))
        for x in (*function.parameters, *function.locals):
            assert x not in live or may_be_read(program, location.id, x)


@pytest.mark.parametrize("seed", range(30))
def test_what_guards_and_live_variables_need_is_live_before(seed: int) -> None:
    """The equations that make the set sufficient, one step at a time, on the whole expansion (frames included)."""
    program = random_program(seed)
    expansion = Expansion(program, BlockEncoding.STATEMENTS)
    liveness = Liveness(expansion)
    always = frozenset(x for x in program.variables if "::" not in x.name)
    work, seen = [expansion.start], {expansion.start}
    while work and len(seen) < 300:
        at = work.pop()
        for step in expansion.steps(at):
            before, after = liveness.locals_at(at) | always, liveness.locals_at(step.target) | always
            updates = step.transition.updates
            needed = step.transition.guard.symbols() | (after - updates.keys())
            needed = needed.union(*(updates[x].symbols() for x in after & updates.keys()))
            inputs = {s for s in needed if expansion.is_input(s)}
            entered = len(step.target.stack) > len(at.stack)
            own = liveness.locals_at(step.target) - liveness.locals_at(At(at.stack, step.edges[-1].target))
            assert needed - inputs - (own if entered else frozenset()) <= before
            if step.target not in seen:
                seen.add(step.target)
                work.append(step.target)


def test_a_variable_dies_with_its_last_use() -> None:
    b = ProgramBuilder()
    x, y = b.variable("main::x"), b.variable("main::y")
    g = b.variable("g")
    at = [b.location() for _ in range(4)]
    b.assign(at[0], at[1], (x, g))
    b.assign(at[1], at[2], (y, x), (x, b.arena.zero))
    b.assign(at[2], at[3], (g, y))
    b.function("main", at[0], at[3], (), (x, y))
    liveness = Liveness(Expansion(b.program(), BlockEncoding.STATEMENTS))
    assert [liveness.locals_at(At((), k)) for k in at] == [frozenset(), {x}, {y}, frozenset()]
