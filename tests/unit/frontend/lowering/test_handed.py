"""Calls of undefined functions that are given pointers."""

from __future__ import annotations

import pytest

from core.program import Input, Program
from core.program.simulate import Reached, simulate
from core.terms import ArraySort, ArrayValue, Value
from core.verdict import InputValue
from frontend.api import parse_program
from frontend.lowering import UnreachCall, lower
from frontend.options import SourceFile
from frontend.properties.errors import policy
from frontend.replay import Reproduced, confirm
from frontend.source import Unsupported
from frontend.typed.ctype import DataModel

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
    ("text", "message"),
    [
        ("struct s m, n; m.next = &n; use(&m); return m.next->x;", "t.c:4:46: use is not defined, and may change poin"),
        ("call(main);", "t.c:4:18: call is not defined, and may call a function that its arguments lead to"),
        ("int x = 1; return x + f(&x);", "t.c:4:36: the order in which this expression reads and writes"),
    ],
)
def test_refused(text: str, message: str) -> None:
    with pytest.raises(Unsupported) as refused:
        program(f"int main(void) {{ {text} }}")
    assert message in str(refused.value)


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
