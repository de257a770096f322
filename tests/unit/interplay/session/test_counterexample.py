"""The trace of a counterexample: frames of recursive calls, values that are not known, arrays."""

from dataclasses import replace

from core.program import Assign, Call, Edge, Function, Location, Program, Variable
from core.program.source import SourceType
from core.terms import INT, INT_ARRAY
from core.verdict import Gap, Unsafe
from interplay.session.counterexample import trace_event
from tests.support.small_programs import INT32, at, counting_loop


def test_each_activation_has_its_own_locals() -> None:
    """`f(n) { m = n; f(n + 1); m = m + 10; }`, entered twice by the same call edge and left twice."""
    base = counting_loop(1)
    arena = base.arena
    n, m = arena.symbol("f::n", INT), arena.symbol("f::m", INT)
    program = Program(
        arena,
        {
            "start": Function("start", (), (), None, 0, 1, None),
            "f": Function("f", (n,), (m,), None, 2, 5, None),
        },
        tuple(Location(i, "start" if i < 2 else "f", None) for i in range(6)),
        (
            Edge(0, 0, 1, Call("f", (arena.integer(1),)), at(1), ""),
            Edge(1, 2, 3, Assign(((m, n),)), at(2), ""),
            Edge(2, 3, 4, Call("f", (arena.add(n, arena.one),)), at(3), ""),
            Edge(3, 4, 5, Assign(((m, arena.add(m, arena.integer(10))),)), at(4), ""),
            Edge(4, 3, 5, Assign(()), at(5), ""),
        ),
        {x: Variable(x, x.name[3:], "f", SourceType("int"), INT32) for x in (n, m)},
        {},
        base.checks,
        "start",
    )
    trace = trace_event(program, base.checks[0], Unsafe((), (0, 1, 2, 1, 4, 2, 3, 0)))
    assert [changes for _, changes in trace.steps] == [
        (("n", "1"),),
        (("m", "1"),),
        (("n", "2"),),
        (("m", "2"),),
        (),
        (),
        (("m", "11"),),
        (),
    ]


def test_what_depends_on_unknown_values_is_left_out() -> None:
    program = counting_loop(11)
    trace = trace_event(program, program.checks[0], Unsafe((), (0, 1, 2)))
    assert [changes for _, changes in trace.steps] == [(), (), (("i", "0"),)]


def test_arrays_show_the_elements_that_change() -> None:
    base = counting_loop(1)
    arena = base.arena
    a = arena.symbol("a", INT_ARRAY)
    zeros = arena.const_array(INT_ARRAY, arena.zero)
    edges = (
        replace(base.edges[0], operation=Assign(((a, zeros),))),
        replace(base.edges[1], operation=Assign(((a, arena.store(a, arena.integer(3), arena.one)),))),
    )
    variables = {**base.variables, a: Variable(a, "a", None, SourceType("int", (5,)), INT32, 5)}
    program = replace(base, edges=edges + base.edges[2:], variables=variables)
    trace = trace_event(program, base.checks[0], Unsafe((), (0, 1)))
    assert [changes for _, changes in trace.steps] == [(("a", "{others = 0}"),), (("a[3]", "1"),)]


def test_a_call_that_is_left_out_gives_what_the_same_call_gave() -> None:
    """`f(1); f(1); n = r;` where `f(n) { r = n + 1; }` is entered once."""
    base = counting_loop(1)
    arena = base.arena
    n, result = arena.symbol("f::n", INT), arena.symbol("f::return", INT)
    call = Call("f", (arena.one,))
    program = Program(
        arena,
        {
            "start": Function("start", (), (), None, 0, 2, None),
            "f": Function("f", (n,), (), result, 3, 4, None),
        },
        tuple(Location(i, "start" if i < 3 else "f", None) for i in range(5)),
        (
            Edge(0, 0, 1, call, at(1), ""),
            Edge(1, 1, 2, call, at(2), ""),
            Edge(2, 3, 4, Assign(((result, arena.add(n, arena.one)),)), at(3), ""),
            Edge(3, 2, 2, Assign(((n, result),)), at(4), ""),
        ),
        {
            n: Variable(n, "n", "f", SourceType("int"), INT32),
            result: Variable(result, "r", None, SourceType("int"), INT32),
        },
        {},
        base.checks,
        "start",
    )
    trace = trace_event(program, base.checks[0], Unsafe((), (0, 2, 0, 1, 1, 3)))
    changes = [changes for _, changes in trace.steps]
    assert changes == [(("n", "1"),), (("r", "2"),), (), (("n", "1"),), (), (("n", "2"),)]


def test_behind_a_gap_only_that_is_known_which_it_says() -> None:
    program = counting_loop(11)
    path = (0, 1, 2, 3, 4, 3, 4)
    trace = trace_event(program, program.checks[0], Unsafe((), path, (Gap(5),)))
    assert trace.steps[4][1] == (("i", "1"),)
    assert trace.steps[6][1] == ()
    i = program.arena.symbol("main::i", INT)
    trace = trace_event(program, program.checks[0], Unsafe((), path, (Gap(5, {i: 8}),)))
    assert [changes for _, changes in trace.steps[4:]] == [(("i", "8 (rounds later)"),), (), (("i", "9"),)]
