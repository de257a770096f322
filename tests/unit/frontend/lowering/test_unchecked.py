"""Assumptions about undefined behaviour that no kind of check asks about: where they are named, and where not."""

from __future__ import annotations

import pytest

from core.program.properties import NO_KINDS, SELECTABLE, Kinds, selected
from frontend.api import parse_program
from frontend.lowering import lower
from frontend.lowering.checks.unchecked import (
    CONSTANT_PARTS,
    COPIED_STRUCTS,
    DEAD_POINTERS,
    EFFECTIVE_TYPES,
    INNER_ARRAYS,
    MAIN_FORM,
    PRECONDITIONS,
    RESERVED,
    SMALL_NUMBERS,
    UNCHANGED,
    UNCHECKED,
    VARIABLE_ARRAYS,
    VOLATILE,
)
from frontend.lowering.context import RESTRICT
from frontend.properties.errors import NoReach
from frontend.source import Unsupported
from frontend.typed.ctype import DataModel

ALL = selected(tuple(SELECTABLE))
SETS = "void set(int *{0}a, int *{0}b) {{ *a = 1; *b = 2; }} int main(void) {{ int x; set(&x, &x); return x; }}"


def assumed(text: str, kinds: Kinds = ALL) -> frozenset[str]:
    program = lower(parse_program(text, "test.c", DataModel.LP64), NoReach(), kinds=kinds)
    return UNCHECKED.intersection(program.assumptions)


@pytest.mark.parametrize("kinds", [NO_KINDS, selected(("dangling", "overflow"))])
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
    ("body", "is_followed"),
    [
        ("*a = 1; b[2] = 3; a++; *a-- += *b++; while (a && *a < *(b + 1)) --a;", True),
        ("for (int i = 0; i < 3; i++) a[i] = __VERIFIER_nondet_int(); if (a == b || b - a > 3) *a = 1;", True),
        ("((char *)a)[1] = *(short *)b;", True),
        ("int *c = a; *c = 1;", False),
        ("*a = 1; abort();", False),
        ("*a = 1; exit(1);", True),
        ("a = b; *a = 1;", False),
        ("h(a);", False),
        ("h(0); *a = 1;", False),
        ("*a = g;", False),
        ("*a = 1; int t[2]; t[1] = 2; int *c = t; *c = 3;", False),
        ("if (*a) return; { int *restrict d = b; *d = 1; }", False),
        ("int **p = &a; **p = 1;", False),
    ],
)
def test_accesses_beside_restrict_are_followed_where_the_text_shows_them(body: str, is_followed: bool) -> None:
    text = (
        "int g, __VERIFIER_nondet_int(void); void h(int *p) { } void exit(int); "
        "void abort(void) { g = 1; } void f(int *restrict a, int *restrict b) "
        f"{{ {body} }} int main(void) {{ int x[9] = {{0}}; f(x, x + 4); return 0; }}"
    )
    assert (RESTRICT not in assumed(text)) is is_followed
    assert RESTRICT in assumed(text, NO_KINDS)


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
        ("int n = 2, a[n]; int (*p)[3] = &a; return p == 0;", {VARIABLE_ARRAYS}),
        ("int a[2]; int (*p)[2] = &a; return p == 0;", set()),
        ("volatile int v = 1; int *p = (int *)&v; return *p;", {VOLATILE, UNCHANGED}),
        ("volatile int v = 1; return v;", {UNCHANGED}),
    ],
)
def test_what_else_is_assumed_where_all_is_asked(body: str, expected: set[str]) -> None:
    prelude = "void *malloc(unsigned long); void free(void *); int isalpha(int); int abs(int);"
    text = f"{prelude} int main(void) {{ {body} }}"
    assert assumed(text) - {DEAD_POINTERS} == expected - {DEAD_POINTERS}
    assert expected <= assumed(text)
    assert assumed(text, selected(("null",))) == expected & {UNCHANGED}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("int main(int n, char **a, char **e) { return n; }", set()),
        ("void main(void) { }", set()),
        ("int main(unsigned n) { return n > 3; }", {MAIN_FORM}),
        ("int abs(int x) { return 3; } int main(void) { return abs(1); }", {RESERVED}),
        ("int abs(int x) { return 3; } int main(void) { return 0; }", set()),
        ("int f(int n, ...) { return n; } int main(void) { return f(1, 2); }", set()),
    ],
)
def test_what_names_and_forms_of_functions_promise(text: str, expected: set[str]) -> None:
    assert assumed(text) == expected


@pytest.mark.parametrize("value", ["f()", "y", "a[y]", "&a[y] - a", "(y = 2, 1)", "__builtin_popcount(3)"])
def test_initialisers_of_static_objects_are_constant(value: str) -> None:
    before = "int f(void) { return 1; } int y, a[3];"
    for text in (f"{before} int x = {value}; int main(void) {{", f"{before} int main(void) {{ static int x = {value};"):
        with pytest.raises(Unsupported, match="not constant"):
            assumed(f"{text} return x; }}")


@pytest.mark.parametrize("value", ["c", "k[1]", "1 || y", "sizeof(y++)", '"abc"[1]', "__builtin_expect(3, 1)"])
def test_what_gcc_folds_is_constant(value: str) -> None:
    before = "int y; const int c = 1, k[2] = {1, 2};"
    assert assumed(f"{before} int x = {value}; int main(void) {{ static int z = {value}; return x + z; }}") <= UNCHECKED


def test_dead_pointers_are_named_where_accesses_are_checked() -> None:
    """An allocator may give the same address again."""
    text = "void *malloc(unsigned long); void free(void *);\n"
    text += "int main(void) { char *p = malloc(8); free(p); char *q = malloc(8); return p == q; }"
    assert DEAD_POINTERS in assumed(text, selected(("dangling",)))
    assert DEAD_POINTERS not in assumed(text, selected(("null",)))


@pytest.mark.parametrize("kinds", [NO_KINDS, ALL])
def test_that_only_the_program_changes_volatile_objects_is_named(kinds: Kinds) -> None:
    """Hardware, handlers of interrupts and other units may change them."""
    text = "static {0}int ticks; int main(void) {{ int a = ticks, b = ticks; return a == b; }}"
    assert UNCHANGED in assumed(text.format("volatile "), kinds)
    assert UNCHANGED not in assumed(text.format(""), kinds)


@pytest.mark.parametrize(("type_", "is_named"), [("char", True), ("int", True), ("long", False), ("_Bool", False)])
def test_a_number_that_may_not_hold_a_pointer_is_named(type_: str, is_named: bool) -> None:
    text = f"int main(void) {{ int x = 1, *p = &x; {type_} n = ({type_})p; return n == 0; }}"
    assert (SMALL_NUMBERS in assumed(text)) is is_named


@pytest.mark.parametrize(
    ("declared", "is_named"),
    [
        ("struct { int a; const unsigned b : 4; } v;", True),
        ("struct { union { const int a; int b; } u[2]; } v[3];", True),
        ("struct { const int a; unsigned b : 4; } v;", False),
        ("const struct { int a; } v;", False),
    ],
)
@pytest.mark.parametrize("place", ["{} int main(void) {{ return 0; }}", "int main(void) {{ {} return 0; }}"])
def test_constant_parts_that_are_not_followed_are_named(place: str, declared: str, is_named: bool) -> None:
    text = place.format(declared)
    assert (CONSTANT_PARTS in assumed(text, selected(("const",)))) is is_named
    assert CONSTANT_PARTS not in assumed(text, selected(("null",)))
