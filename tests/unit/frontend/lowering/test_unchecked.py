"""Assumptions about undefined behaviour that no kind of check asks about: where they are named, and where not."""

from __future__ import annotations

import pytest

from core.program.properties import NO_KINDS, SELECTABLE, Kinds, selected
from frontend.api import parse_program
from frontend.lowering import lower
from frontend.lowering.checks.unchecked import (
    COPIED_STRUCTS,
    DEAD_POINTERS,
    EFFECTIVE_TYPES,
    INNER_ARRAYS,
    PRECONDITIONS,
    UNCHECKED,
)
from frontend.lowering.context import RESTRICT
from frontend.properties.errors import NoReach
from frontend.typed.ctype import DataModel

ALL = selected(tuple(SELECTABLE))
SETS = "void set(int *{0}a, int *{0}b) {{ *a = 1; *b = 2; }} int main(void) {{ int x; set(&x, &x); return x; }}"


def assumed(text: str, kinds: Kinds = ALL) -> frozenset[str]:
    program = lower(parse_program(text, "test.c", DataModel.LP64), NoReach(), kinds=kinds)
    return UNCHECKED.intersection(program.assumptions)


@pytest.mark.parametrize("kinds", [NO_KINDS, ALL])
@pytest.mark.parametrize("word", ["restrict ", "__restrict ", "__restrict__ const "])
def test_restrict_is_named_whatever_is_asked(word: str, kinds: Kinds) -> None:
    assert RESTRICT in assumed(SETS.format(word), kinds)
    assert RESTRICT not in assumed(SETS.format(""), kinds)


@pytest.mark.parametrize(
    ("text", "is_named"),
    [
        ("int (*f(int *restrict a))(int) { *a = 1; return 0; } int main(void) { int x; f(&x); return x; }", True),
        ("int x, *restrict p = &x; int main(void) { *p = 1; return x; }", True),
        ("int x, (*restrict p)[1]; int main(void) { return p == 0; }", True),
        ("typedef int *restrict q; int main(void) { return 0; }", True),
        ("struct s { int *restrict p; }; int main(void) { return 0; }", True),
        ("int f(a) int *restrict a; { return *a; } int main(void) { int x = 0; return f(&x); }", True),
        ("int f(int a[restrict]) { return *a; } int main(void) { int x = 0; return f(&x); }", True),
        ("int main(void) { int x = 0, *restrict p = &x; return *p; }", True),
        ("int f(int *restrict a); int f(int *a) { return *a; } int main(void) { int x = 0; return f(&x); }", False),
        ("typedef void (*g)(int *restrict); void f(int *restrict a) { *a = 1; } int main(void) { return 0; }", False),
    ],
)
def test_restrict_is_named_where_reachable_code_has_it(text: str, is_named: bool) -> None:
    assert (RESTRICT in assumed(text, NO_KINDS)) is is_named


@pytest.mark.parametrize(
    ("body", "is_named"),
    [
        ("int x = 1; float *f = (float *)&x; return *f > 0;", True),
        ("long x = 1; int *p = (int *)&x; return *p;", True),
        ("long x = 1; long long *p = (long long *)&x; return *p > 0;", True),
        ("int x = 1; void *v = &x; short *p = v; *p = 2; return x;", True),
        ("int *x = 0; void **p = (void **)&x; *p = 0; return x == 0;", True),
        ("int x = 1, *p = &x; return *p;", False),
        ("int x = 1; unsigned *p = (unsigned *)&x; return *p > 0;", False),
    ],
)
def test_effective_types_are_named_where_types_meet_in_memory(body: str, is_named: bool) -> None:
    text = f"int main(void) {{ {body} }}"
    assert (EFFECTIVE_TYPES in assumed(text)) is is_named
    assert EFFECTIVE_TYPES not in assumed(text, NO_KINDS), "that memory is used as what it was made for is assumed then"


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("int x = 1; return x + 1;", set()),
        ("free(malloc(4)); return 0;", {DEAD_POINTERS}),
        ("struct s { int a[2], b[2]; } s, t; int *p = s.a; p++; t = s; return *p;", {INNER_ARRAYS, COPIED_STRUCTS}),
        ("return isalpha(1000);", {PRECONDITIONS}),
        ("return abs(3);", {PRECONDITIONS}),
    ],
)
def test_what_else_is_assumed_where_all_is_asked(body: str, expected: set[str]) -> None:
    prelude = "void *malloc(unsigned long); void free(void *); int isalpha(int); int abs(int);"
    text = f"{prelude} int main(void) {{ {body} }}"
    assert assumed(text) - {DEAD_POINTERS} == expected - {DEAD_POINTERS}
    assert expected <= assumed(text)
    assert assumed(text, selected(("null",))) == set()
