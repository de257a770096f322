"""Programs built by hand, for tests that need a program and no front end."""

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
    Range,
    Variable,
)
from core.program.source import SourceType
from core.program.span import Span
from core.terms import INT, Arena

INT32 = Range(-(2**31), 2**31 - 1)


def at(line: int, column: int = 1, file: str = "small.c") -> Span:
    return Span(file, line, column, line, column + 1)


def counting_loop(bound: int) -> Program:
    """`x = nondet(); i = 0; while (i < bound) i++; assert(i == 10);`, called from a start function."""
    arena = Arena()
    i, x = arena.symbol("main::i", INT), arena.symbol("main::x", INT)
    read = arena.symbol("nondet!0", INT)
    limit, ten = arena.integer(bound), arena.integer(10)
    operations: list[tuple[int, int, Operation, Span | None, str]] = [
        (0, 1, Call("main", ()), None, ""),
        (2, 3, Assign(((x, read),)), at(3, 11), "x = __VERIFIER_nondet_int()"),
        (3, 4, Assign(((i, arena.zero),)), at(4), "i = 0"),
        (4, 5, Assume(arena.lt(i, limit)), at(5), "i < bound"),
        (5, 4, Assign(((i, arena.add(i, arena.one)),)), at(5, 9), "i++"),
        (4, 6, Assume(arena.ge(i, limit)), at(5), "!(i < bound)"),
        (6, 7, Assume(arena.not_(arena.equals(i, ten))), at(6), "!(i == 10)"),
        (6, 8, Assume(arena.equals(i, ten)), at(6), "i == 10"),
    ]
    functions = ("start", "start", "main", "main", "main", "main", "main", "main", "main")
    return Program(
        arena=arena,
        functions={
            "start": Function("start", (), (), None, 0, 1, None),
            "main": Function("main", (), (i, x), None, 2, 8, at(2)),
        },
        locations=tuple(Location(n, name, at(5) if n == 4 else None, n == 4) for n, name in enumerate(functions)),
        edges=tuple(Edge(n, *rest) for n, rest in enumerate(operations)),
        variables={
            i: Variable(i, "i", "main", SourceType("int"), INT32),
            x: Variable(x, "x", "main", SourceType("int"), INT32),
        },
        inputs={read: Input(read, InputKind.NONDET, "__VERIFIER_nondet_int", at(3, 11), INT32)},
        checks=(Check(0, "unreach-call", 7, at(6, 5), "assertion i == 10"),),
        start="start",
        assumptions=("no signed overflow",),
    )
