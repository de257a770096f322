"""Candidates hold where executions were, and have the forms that are looked for."""

from __future__ import annotations

from core.limits import Limits
from core.program import Program, Range
from core.program.blocks import BlockEncoding
from core.program.expansion import At, Expansion
from core.terms import INT, INT_ARRAY, Arena, Term, evaluate
from methods.discovery.candidates import CandidateInvariants, equations, quadratic_equations
from methods.discovery.executions import Executions
from tests.contract.test_engines import counting
from tests.support.program_builder import ProgramBuilder


def strides() -> Program:
    """`n = nondet; i = j = 0; while (i < n) { i += 3; j += 6; }` without a check."""
    b = ProgramBuilder()
    a = b.arena
    n, i, j = (b.variable(f"main::{name}", Range(0, 1000)) for name in "nij")
    entry, head, body, behind = (b.location(loop=k == 1) for k in range(4))
    b.assign(entry, head, (n, b.input("nondet", Range(0, 90))), (i, a.zero), (j, a.zero))
    b.assume(head, body, a.lt(i, n))
    b.assign(body, head, (i, a.add(i, a.integer(3))), (j, a.add(j, a.integer(6))))
    b.assume(head, behind, a.ge(i, n))
    b.assume(behind, b.error(), a.gt(j, i))
    b.function("main", entry, behind, (), (n, i, j))
    return b.program()


def explored(program: Program) -> tuple[Expansion, Executions]:
    expansion = Expansion(program, BlockEncoding.BASIC)
    return expansion, Executions(expansion, 0, Limits())


def test_equations_are_a_basis_of_what_holds() -> None:
    arena = Arena()
    x, y, z, w = (arena.symbol(name, INT) for name in "xyzw")
    columns = {x: [0, 1, 2, 5], y: [1, 3, 5, 11], z: [4, 4, 7, 1], w: [9, 2, 2, 3]}
    assert list(equations(arena, columns)) == [arena.equals(y, arena.linear([(2, x)], 1))]


def test_equations_with_fractions_are_whole() -> None:
    arena = Arena()
    x, y, z = (arena.symbol(name, INT) for name in "xyz")
    columns = {x: [0, 3, 6, 0], y: [0, 2, 4, 2], z: [0, 0, 0, 5]}
    expected = {x: 15, y: 0, z: 0}
    [only] = equations(arena, columns)
    assert all(evaluate(only, {s: columns[s][i] for s in columns}) for i in range(4))
    assert not evaluate(only, expected)


def test_products_of_independent_variables() -> None:
    arena = Arena()
    i, s, n = (arena.symbol(name, INT) for name in "isn")
    columns = {i: list(range(9)), s: [k * (k + 1) // 2 for k in range(9)], n: list(range(1, 10))}
    assert arena.equals(arena.add(arena.multiply(i, i), i), arena.linear([(2, s)])) in list(
        quadratic_equations(arena, columns)
    )


def test_candidates_hold_in_all_states_seen_and_say_what_is_wanted() -> None:
    program = strides()
    expansion, executions = explored(program)
    a = program.arena
    head = At((), next(location.id for location in program.locations if location.loop))
    variables, states = executions.at(head)
    found = CandidateInvariants(expansion, executions).at(head)
    assert len(states) > 10
    for formula in found:
        for state in states:
            assert evaluate(formula, dict(zip(variables, state, strict=True))) is True
    named = {v.name.split("::")[-1]: symbol for symbol, v in program.variables.items()}
    i, j = named["i"], named["j"]
    wanted: list[Term] = [
        a.equals(a.subtract(j, a.linear([(2, i)])), a.zero),
        a.equals(a.modulo(i, a.integer(3)), a.zero),
        a.le(a.zero, i),
    ]
    assert all(formula in found for formula in wanted)


def phases() -> Program:
    """`x = y = 0; while (x < 5000) { x++; if (x > 4000) y++; }`, whose second phase is far away."""
    b = ProgramBuilder()
    a = b.arena
    x, y = (b.variable(f"main::{name}", Range(0, 10_000)) for name in "xy")
    entry, head, body, counted, late, done = (b.location(loop=k == 1) for k in range(6))
    b.assign(entry, head, (x, a.zero), (y, a.zero))
    b.assume(head, body, a.lt(x, a.integer(5000)))
    b.assign(body, counted, (x, a.add(x, a.one)))
    b.assume(counted, head, a.le(x, a.integer(4000)))
    b.assume(counted, late, a.gt(x, a.integer(4000)))
    b.assign(late, head, (y, a.add(y, a.one)))
    b.assume(head, done, a.ge(x, a.integer(5000)))
    b.assume(done, b.error(), a.gt(y, a.integer(1000)))
    b.function("main", entry, b.location(), (), (x, y))
    return b.program()


def test_later_phases_of_long_loops_are_seen() -> None:
    program = phases()
    expansion, executions = explored(program)
    a = program.arena
    head = At((), next(location.id for location in program.locations if location.loop))
    variables, states = executions.at(head)
    x, y = (next(v for v in variables if v.name.endswith(name)) for name in "xy")
    seen = {dict(zip(variables, state, strict=True))[x] for state in states}
    assert {4000, 4001, 5000} <= seen
    assert len(states) < 60
    late = a.equals(a.subtract(x, y), a.integer(4000))
    assert a.implies(a.gt(x, a.integer(4000)), late) in CandidateInvariants(expansion, executions).at(head)


def test_guards_may_read_arrays() -> None:
    """`i = 0; while (i < 100) { assert a[i] == a[0]; i++; }`."""
    b = ProgramBuilder()
    a, i, cells = b.arena, b.variable("main::i", Range(0, 200)), b.array("main::a")
    entry, head, body, passed, done = (b.location(loop=k == 1) for k in range(5))
    same = a.equals(a.select(cells, i), a.select(cells, a.zero))
    b.assign(entry, head, (i, a.zero), (cells, a.const_array(INT_ARRAY, a.one)))
    b.assume(head, body, a.lt(i, a.integer(100)))
    b.assume(body, b.error(), a.not_(same))
    b.assume(body, passed, same)
    b.assign(passed, head, (i, a.add(i, a.one)))
    b.assume(head, done, a.ge(i, a.integer(100)))
    b.function("main", entry, done, (), (i, cells))
    _, executions = explored(b.program())
    variables, states = executions.at(At((), head))
    assert variables == (i,)
    assert (100,) in states


def test_a_place_that_no_execution_reached_has_no_candidates() -> None:
    program = counting()
    expansion, executions = explored(program)
    error = At((), program.checks[0].location)
    assert executions.at(error)[1] == []
    assert CandidateInvariants(expansion, executions).at(error) == []


def test_the_same_seed_gives_the_same_states() -> None:
    head = At((), next(location.id for location in counting().locations if location.loop))
    first, second = (explored(counting())[1].at(head) for _ in range(2))
    assert first[1] == second[1]


def test_guards_that_divide_are_passed_over_where_their_divisor_is_zero() -> None:
    b = ProgramBuilder()
    a = b.arena
    i, d = (b.variable(f"main::{name}", Range(0, 1000)) for name in "id")
    entry, head, body, divided, again, behind = (b.location(loop=k == 1) for k in range(6))
    b.assign(entry, head, (i, a.zero), (d, b.input("nondet", Range(0, 1))))
    b.assume(head, body, a.lt(i, a.integer(50)))
    b.assume(body, again, a.equals(d, a.zero))
    b.assume(body, divided, a.lt(a.zero, d))
    b.assume(divided, again, a.lt(a.divide(i, d), a.integer(60)))
    b.assign(again, head, (i, a.add(i, a.one)))
    b.assume(head, behind, a.ge(i, a.integer(50)))
    b.assume(behind, b.error(), a.lt(i, a.integer(50)))
    b.function("main", entry, behind, (), (i, d))
    expansion, executions = explored(b.program())
    assert list(CandidateInvariants(expansion, executions).at(At((), head)))
