"""Calls of undefined functions that are given pointers."""

from __future__ import annotations

import pytest

from core.program import Input, Program
from core.program.simulate import Reached, simulate
from core.terms import ArraySort, ArrayValue, Value
from core.verdict import InputValue, Safe, Unsafe
from frontend.api import parse_program
from frontend.lowering import UnreachCall, lower
from frontend.options import SourceFile
from frontend.properties.errors import policy
from frontend.replay.confirm import confirm
from frontend.replay.results import Reproduced
from frontend.source import Unsupported
from frontend.typed.ctype import DataModel
from methods.engines.bmc.engine import BmcEngine
from tests.support.contexts import RecordingContext

DECLARED = """void reach_error(void); int f(int *p); void fill(void *p, int n); char *get(char *p); void call(void *p);
struct s { int x; struct s *next; }; void use(struct s *p); void number(unsigned long n);
extern int __VERIFIER_nondet_memory(void *p, unsigned long n);
"""


def program(text: str) -> Program:
    return lower(parse_program(DECLARED + text, "t.c", DataModel.LP64), UnreachCall())


def fails(of: Program, contents: int) -> bool:
    """Whether the error is reached where undefined functions leave the given contents."""

    def draw(asked: Input) -> Value:
        return ArrayValue(contents) if isinstance(asked.symbol.sort, ArraySort) else 0

    return isinstance(simulate(of, draw, 10_000), Reached)


@pytest.mark.parametrize(
    "text",
    [
        "int x = 1; f(&x); if (x == 5) reach_error();",
        "int v[3] = {1, 2, 3}; fill(v, 3); if (v[2] == 5) reach_error();",
        "int v[3] = {1, 2, 3}; f(v + 1); if (v[0] == 5) reach_error();",
        "struct s m = {1, 0}; use(&m); if (m.x == 5) reach_error();",
        "struct s m = {1, 0}; f(&m.x); if (m.x == 5) reach_error();",
        "int x = 1; number((unsigned long) &x); if (x == 5) reach_error();",
        "char t[4] = {1}; char *p = get(t); if (t[1] == 5) reach_error();",
        "int x = 1; __VERIFIER_nondet_memory(&x, sizeof x); if (x == 5) reach_error();",
        "static int g = 1; int *p = &g; f(p); if (g == 5) reach_error();",
        "int x = 1; int (*h)(int *) = f; h(&x); if (x == 5) reach_error();",
    ],
)
def test_contents_are_arbitrary_afterwards(text: str) -> None:
    of = program(f"int main(void) {{ {text} }}")
    assert fails(of, 5)
    assert not fails(of, 6)
    assert any("changes at most what its arguments lead to" in one for one in of.assumptions)
    assert any("changes at most what its arguments lead to" in one for one in of.warnings)


def test_what_arguments_do_not_lead_to_stays() -> None:
    of = program('int main(void) { int x = 1, y = 2; int *p = &y; f(&x); f(0); get("a"); if (*p != 2) reach_error(); }')
    assert not fails(of, 5)


def test_results_may_point_to_what_was_given() -> None:
    text = "int main(void) { char t[2] = {1, 2}; char *p = get(t); *p = 7; if (t[0] == 7) reach_error(); }"
    of = program(text)
    address = next(
        number
        for number in range(1 << 20, (1 << 20) + 256)
        if isinstance(simulate(of, lambda asked, n=number: _drawn(asked, n), 10_000), Reached)  # type: ignore[misc]
    )
    assert address >= 1 << 20


def _drawn(asked: Input, number: int) -> Value:
    return ArrayValue(1) if isinstance(asked.symbol.sort, ArraySort) else number


@pytest.mark.parametrize(
    ("text", "can_fail"),
    [
        ("struct s m, n; m.next = &n; n.next = 0; use(&m); if (m.next == 0) reach_error();", True),
        ("struct s m, n; m.next = &n; n.next = 0; use(&m); if (m.next == &m) reach_error();", True),
        ("struct s m, n; m.next = &n; n.next = 0; n.x = 3; use(&m); if (n.x != 3) reach_error();", True),
        ("struct s m, n, o; m.next = &n; o.x = 3; n.next = 0; use(&m); if (o.x != 3) reach_error();", False),
        ("struct s m, n; m.next = &n; use(&m); m.next->x = 2; if (n.x == 2) reach_error();", True),
        ("struct s m; m.next = 0; m.x = 7; use(&m); if (m.next) { m.next->x = 8; if (m.x == 7) reach_error(); }", True),
        (
            "struct s m; m.next = 0; use(&m); m.x = 7; if (m.next) { m.next->x = 8; if (m.x != 7) reach_error(); }",
            True,
        ),
        ("int x = 1, y = 2; int *p[2] = {&x, &y}; call(p); *p[0] = 5; if (y == 5 && x != 5) reach_error();", True),
        ("int x = 1, y = 2; int *p = &x, *q = &y; two(&p, &q); *p = 5; if (y == 5) reach_error();", True),
        ("int x = 1, y = 2, z = 3; int *p = &x, *r = &z; call(&p); *p = 5; if (*r != 3) reach_error();", False),
        (
            "struct { int v, *p; } t; int w; t.p = &w; call(&t); t.v = 1; *t.p = 9; if (t.v == 9) reach_error();",
            True,
        ),
        ("int x = 1; int *p = &x, **pp = &p; call(&pp); **pp = 6; if (x == 6) reach_error();", True),
        (
            "char t[2] = {0}; struct { char *p; int n; } b = {t}; call(&b); *b.p = 1; if (t[1]) reach_error();",
            True,
        ),
    ],
)
def test_pointers_lead_to_anything_that_was_given_afterwards(text: str, can_fail: bool) -> None:
    """A proof would have to hold for every function that C allows; no violation is confirmed by what is made up."""
    of = program(f"void two(int **p, int **q); int main(void) {{ {text} }}")
    (found,) = BmcEngine().run(of, [0], RecordingContext()).values()
    assert isinstance(found, Unsafe if can_fail else Safe)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            "struct o { int (*h)(int *); } o = {0}; call(&o); return o.h(0);",
            "t.c:4:57: call is not defined, and may change pointers to functions",
        ),
        ("call(main);", "t.c:4:18: call is not defined, and may call a function that its arguments lead to"),
    ],
)
def test_refused(text: str, message: str) -> None:
    with pytest.raises(Unsupported) as refused:
        program(f"int main(void) {{ {text} }}")
    assert message in str(refused.value)


def test_a_floating_point_number_leads_to_nothing() -> None:
    """A pointer to functions that stands in the expression of a number does not escape with it."""
    text = "double g(double x); struct o { double (*h)(double); double x; } o = {g};"
    program(f"{text} double get_x(struct o *p) {{ return p->x; }} int main(void) {{ o.h(get_x(&o)); return 0; }}")


def test_a_counterexample_that_needs_a_change_is_not_confirmed() -> None:
    for condition, confirmed in (("x != 1", False), ("x == 1", True)):
        text = f"{DECLARED}int main(void) {{ int x = 1; f(&x); if ({condition}) reach_error(); }}\n"
        unit = parse_program(text, "t.c", DataModel.LP64)
        of = lower(unit, UnreachCall())
        recorded = [
            InputValue(one.kind, one.name, one.span, 0, ArrayValue(5) if isinstance(symbol.sort, ArraySort) else 0)
            for symbol, one in of.inputs.items()
        ]
        errors = policy(UnreachCall(), frozenset({"reach_error"}))
        assert (
            isinstance(confirm([SourceFile(unit.file, text)], unit, errors, of.checks[0], recorded), Reproduced)
            is confirmed
        )
