"""The relevant part of a counterexample: dependences of data and of control, activations, occurrences of inputs."""

from core.program import (
    Assign,
    Assume,
    Call,
    Check,
    Edge,
    Function,
    Input,
    InputKind,
    Location,
    Operation,
    Program,
    Variable,
)
from core.program.source import SourceType
from core.terms import INT, Arena, Term
from interplay.presentation.slicing import slice_of
from runs.events import TraceShown
from tests.support.small_programs import INT32, at

A = Arena()
X, Y, Z, P = (A.symbol(f"f::{name}", INT) for name in "xyzp")
N, M = A.symbol("nondet!0", INT), A.symbol("nondet!1", INT)


def program(operations: list[tuple[int, int, Operation]], exit_: int) -> Program:
    """Edges between locations from 2 on of a function f(p), which the start function calls by edge 0 with 7."""
    rows: list[tuple[int, int, Operation]] = [(0, 1, Call("f", (A.integer(7),))), *operations]
    count = 1 + max(max(source, target) for source, target, _ in rows)
    return Program(
        A,
        {
            "start": Function("start", (), (), None, 0, 1, None),
            "f": Function("f", (P,), (X, Y, Z), None, 2, exit_, None),
        },
        tuple(Location(i, "start" if i < 2 else "f", None) for i in range(count)),
        tuple(Edge(i, *row, at(i), "") for i, row in enumerate(rows)),
        {x: Variable(x, x.name, "f", SourceType("int"), INT32) for x in (X, Y, Z, P)},
        {n: Input(n, InputKind.NONDET, "nondet", at(i, 5), INT32) for i, n in enumerate((N, M))},
        (Check(0, "unreach-call", count - 1, at(9), "check"),),
        "start",
    )


def names(of: Program, path: tuple[int, ...]) -> list[set[str]]:
    return [{name.removeprefix("f::") for name in step} for step in slice_of(of, trace(path)).changes]


def trace(path: tuple[int, ...], *values: tuple[str, int, int, int]) -> TraceShown:
    """A trace over these edges, in which inputs, by name, column and occurrence, have these values."""
    inputs = tuple(("nondet", name, "small.c", 0, column, time, str(value)) for name, column, time, value in values)
    return TraceShown(0, tuple((number, ()) for number in path), inputs)


def small(x: Term) -> Assume:
    return Assume(A.lt(x, A.integer(3)))


def large(x: Term) -> Assume:
    return Assume(A.ge(x, A.integer(3)))


def branch(inside: Operation) -> Program:
    """`x = N; y = M; if (y < 3) inside; assert(x < 3);`"""
    return program(
        [
            (2, 3, Assign(((X, N),))),
            (3, 4, Assign(((Y, M),))),
            (4, 5, small(Y)),
            (4, 6, large(Y)),
            (5, 6, inside),
            (6, 7, small(X)),
            (6, 8, large(X)),
        ],
        7,
    )


def test_a_branch_without_influence_does_not_count() -> None:
    for path in ((0, 1, 2, 3, 5, 7), (0, 1, 2, 4, 7)):
        found = slice_of(branch(Assign(((Z, Y),))), trace(path))
        assert [set(step) for step in found.changes[:3]] == [set(), {"f::x"}, set()]
        assert found.inputs == {("nondet", "nondet", "small.c", 0, 5, 0)}


def test_a_branch_that_could_have_changed_something_counts() -> None:
    of = branch(Assign(((X, A.zero),)))
    assert names(of, (0, 1, 2, 4, 7))[1:3] == [{"x"}, {"y"}]


def test_a_branch_whose_other_way_ends_counts() -> None:
    """`y = M; assume(y < 3); error`"""
    of = program([(2, 3, Assign(((Y, M),))), (3, 4, small(Y))], 4)
    assert names(of, (0, 1, 2)) == [set(), {"y"}, set()]


def test_a_branch_around_a_call_that_changes_nothing_does_not_count() -> None:
    of = branch(Call("f", (X,)))
    assert names(of, (0, 1, 2, 4, 7))[2] == set()


def test_a_loop_without_influence_does_not_count() -> None:
    """`x = N; y = 0; while (y < 3) y++; assert(x < 3);`"""
    of = program(
        [
            (2, 3, Assign(((X, N),))),
            (3, 4, Assign(((Y, A.zero),))),
            (4, 5, small(Y)),
            (5, 4, Assign(((Y, A.add(Y, A.one)),))),
            (4, 6, large(Y)),
            (6, 7, small(X)),
            (6, 8, large(X)),
        ],
        7,
    )
    assert names(of, (0, 1, 2, 3, 4, 5, 7)) == [set(), {"x"}, set(), set(), set(), set(), set()]


def test_parameters_and_activations() -> None:
    """`f(p) { x = p; if (…) f(x + 1); assert(p < 3) }`: the inner activation does not matter to the outer one."""
    of = program(
        [
            (2, 3, Assign(((X, P),))),
            (3, 4, Call("f", (A.add(X, A.one),))),
            (3, 4, Assign(())),
            (4, 5, small(P)),
            (4, 6, large(P)),
        ],
        5,
    )
    assert names(of, (0, 1, 2, 1, 3, 4, 2, 5)) == [{"p"}, set(), set(), set(), set(), set(), set(), set()]


def test_each_execution_of_an_input_is_one() -> None:
    """`x = N` twice; the second counts."""
    of = program([(2, 3, Assign(((X, N),))), (3, 2, Assign(())), (3, 4, large(X))], 3)
    found = slice_of(of, trace((0, 1, 2, 1, 3)))
    assert found.changes[1] == frozenset()
    assert found.changes[3] == {"f::x"}
    assert found.inputs == {("nondet", "nondet", "small.c", 0, 5, 1)}
