"""Checks of undefined behaviour from the command line to the verdict."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.program.properties import SELECTABLE, CheckKind
from core.verdict import Status, Verdict
from frontend.lowering.checks.unchecked import UNCHECKED
from frontend.lowering.context import ALLOCATES, EXECUTED, RESTRICT
from interplay.commands.handlers import wrong_property
from interplay.session.request import ReplayMode, Request
from tests.support import prepared
from tests.support.prepared import command as main
from tests.support.verdicts import bare_verdict

HEAD = """#include <stdlib.h>
#include <string.h>
extern int __VERIFIER_nondet_int(void);
struct node { int value; struct node *next; };
int a[10]; int *local(int x) { int z = x; int *p = &z; return p; }
int half(int x) { if (x) return x / 2; }
int value_of(struct node n) { return n.value; } void set(int *p) { *p = 1; } \
_Noreturn void never(int x) { if (x) exit(1); } int four(int v[static 4]) { return v[0]; } \
int wide(long long w) { return w == 1; } void outside(int *p); \
int second(int n, ...) { __builtin_va_list l; __builtin_va_start(l, n); int r = __builtin_va_arg(l, int); \
if (n > 1) r = __builtin_va_arg(l, int); __builtin_va_end(l); return r; } \
void copy(int *restrict p, int *restrict q) { *p = *q; }
struct node node_of(int x) { struct node n; n.next = 0; if (x) n.value = x; return n; }
"""

BAD = {
    "overflow": "x = x + 1;",
    "bounds": "if (x >= 0 && x < 11) a[x] = 1;",
    "division": "if (x > -3 && x < 3) y = 7 % x;",
    "shift": "y = 1u << (x & 63);",
    "null": "struct node n = {0, 0}; struct node *p = &n; if (x) p = p->next; p->value = 1;",
    "dangling": "int *p = malloc(x ? 8 : 4); if (p) { p[0] = 1; p[1] = 1; } free(p);",
    "pointer": "int *p = a + 1; if (x >= 0 && x < 11) p = p + x;",
    "length": "if (x > -2 && x < 3) { int v[x]; y = sizeof v > 2; }",
    "uninitialized": "int v[4]; for (int i = 0; i < 3; i++) v[i] = i; if (x >= 0 && x < 4) y = v[x];",
    "return": "y = half(x);",
    "overlap": 'char s[8] = "abc"; if (x > 3) strcpy(s + 1, s);',
    "arguments": "y = x ? second(1, 2) : second(2, 3);",
    "const": "const int c = 1; int *p = x ? &y : (int *)&c; *p = 2;",
    "alignment": "char c[8] = {0}; struct node n; int *p = x ? (int *)&n : (int *)(c + 1);",
    "sequence": "int *p = x > 3 ? a : a + 1; *p = a[1]++;",
    "unsigned": "unsigned u = x > 3; u = u - 1;",
    "conversion": "unsigned char c = x & 511;",
    "enum": "enum { P, Q, R = 5 } e = x & 7;",
    "nonnull": "memcpy(x ? a : 0, a + 5, x ? 4 : 0);",
    "restrict": "copy(a, x > 0 ? a : a + 1);",
    "unreachable": "if (x == 3) __builtin_unreachable();",
    "noreturn": "never(x);",
    "call": "int (*f)(long long) = x ? (int (*)(long long))half : 0; if (f) y = f(x);",
    "boolean": "_Bool b; *(unsigned char *)&b = x & 3; y = b;",
    "float-conversion": "y = x ? (int)2e9f : (int)3e9;",
    "float-division": "double d = x & 3; y = x > 3 && 1 / d > 0.3;",
    "float-overflow": "float f = x ? 1e38f : 0; f *= 8; y = f > 1;",
    "nan": "double d = x > 3 ? 1e308 * 10 : 1; y = d - d > 0;",
}
"""A body of main with one flaw, for each kind."""

GOOD = {
    "overflow": "if (x < 2147483647) x++; y = (x >> 1) + (y >> 1);",
    "bounds": "for (int i = 0; i < 10; i++) a[i] = i;",
    "division": "if (x != 0 && y > 0) y = y / x;",
    "shift": "for (int i = 30; i < 32; i++) y = 1u << i;",
    "null": "struct node n = {0, 0}; struct node *p = &n; if (x) p = p->next; if (p) p->value = 1;",
    "dangling": "int *p = malloc(8); if (p) { p[0] = 1; p[1] = 1; } free(p);",
    "pointer": "int *p = a + 1; if (x >= 0 && x < 10) p = p + x; y = p - a > 3 && a <= p;",
    "length": "if (x > 0 && x < 3) { int v[x]; y = sizeof v > 2; }",
    "uninitialized": "int v[4]; for (int i = 0; i < 4; i++) v[i] = i; if (x >= 0 && x < 4) y = v[x];",
    "return": "half(x); if (x) y = half(x);",
    "overlap": 'char s[8] = "abc", t[8]; if (x > 3) strcpy(t, s); memcpy(a, a + 5, 5 * sizeof *a);',
    "arguments": "y = x ? second(1, 2) : second(2, 3, x);",
    "const": "const int c = 1; int *p = x ? &y : (int *)&c; if (x) *p = 2; y = *p;",
    "alignment": "struct node n; void *q = x ? (void *)&n : (void *)(a + 3); int *p = q; p = (int *)((char *)a + 8);",
    "sequence": "int *p = x > 3 ? a : a + 1; *p = a[2]++ + half(y = x);",
    "unsigned": "unsigned u = x > 3; if (u) u = u - 1; u = u + 7;",
    "conversion": "if (x >= 0 && x < 256) { unsigned char c = x; c = c < 255 ? c + 1 : 0; x = c; }",
    "enum": "enum { P, Q, R = 5 } e = x > 3 ? Q : x ? R : 0; y = e;",
    "nonnull": "int *p = x ? a : 0; if (p) memset(p, 0, 4);",
    "restrict": "copy(a, x > 0 ? a + 2 : a + 1);",
    "unreachable": "if (x == 3) { if (x > 3) __builtin_unreachable(); }",
    "noreturn": "if (x > 3) never(x);",
    "call": "int (*f)(int) = x ? half : (int (*)(int))value_of; if (x) y = f(x);",
    "boolean": "_Bool b; *(unsigned char *)&b = x & 1; y = b;",
    "float-conversion": "y = x ? (int)2e9f : (int)-0.5; if (x > 3 && x < 3) y = (int)3e9;",
    "float-division": "double d = x; y = d > 0 && 1 / d > 0.3;",
    "float-overflow": "double d = x; y = (float)(d * 8) > 1 / 0.0;",
    "nan": "double d = x; y = (d - d) * 1e308 > 0;",
}

WRONG = {
    "without a value": ("int z; int *p = &z; y = *p;", "def-behavior"),
    "no result": ("y = half(x);", "def-behavior"),
    "overlapping": ("__builtin_memcpy(a, a + 1, 12);", "def-behavior"),
    "the same object": ("int *p = x ? &y : &x; __builtin_memcpy(p, &y, sizeof y);", "def-behavior"),
    "a constant": ("const int c = 1; *(int *)&c = 2;", "def-behavior"),
    "a constant struct": ("static const struct node n = {1, 0}; memset((void *)&n, 0, sizeof n);", "def-behavior"),
    "a constant of a round": (
        "for (int i = 0; i < 2; i++) { const int c = i; int *p = (int *)&c; if (i) *p = 3; }",
        "def-behavior",
    ),
    "misaligned": ("char c[8] = {0}; int *p = (int *)(c + 1); y = *p;", "def-behavior"),
    "a packed member": (
        "struct { char c; int i; } __attribute__((packed)) s = {0}; int *p = &s.i; y = *p;",
        "def-behavior",
    ),
    "half of a block": ("char *c = malloc(8); int *p = (int *)(c + (x ? 4 : 2)); free(c);", "def-behavior"),
    "a length with effects": ("int v[x > 5 ? y-- : x++]; y = sizeof v > 2;", "def-behavior"),
    "two objects": ("int b[2] = {0, 0}; y = a - b > 3;", "def-behavior"),
    "an order of two": ("int b[2] = {0, 0}; if (x && (x > 3 || &b[1] < a)) y = 1;", "def-behavior"),
    "before its start": ("for (int *p = a + 3; p >= a; p--) y += *p == 0;", "def-behavior"),
    "after its life": ("int *p = malloc(4); *p = 1; free(p); y = *p;", "valid-deref"),
    "null on both sides": ("struct node n = {0, 0}, *p = x ? &n : 0; p->value += p->next == 0;", "valid-deref"),
    "before it": ("int *p = malloc(8); if (x) p--; *p = 1;", "valid-deref"),
    "behind an array": ("a[x & 15] = 1;", "valid-deref"),
    "a literal": ("char *s = \"abc\"; s[1] = 'x';", "valid-deref"),
    "after a function": ("int *p = local(x); y = *p;", "valid-deref"),
    "after its block": ("int *p = &y; if (x) { int z = 1; p = &z; } y = *p;", "valid-deref"),
    "after a round": ("int *p = 0; for (int i = 0; i < 2; i++) { int z = i; if (i) *p = 1; p = &z; }", "valid-deref"),
    "a copy of too much": ("int b[2] = {1, 2}, c[3]; __builtin_memcpy(c, b, 3 * sizeof(int));", "valid-deref"),
    "after realloc": ("int *p = malloc(8), *q = p; p = realloc(p, 4); *q = 1; free(p);", "valid-deref"),
    "twice": ("int *p = malloc(4); free(p); if (x) free(p);", "valid-free"),
    "not its start": ("int *p = malloc(8); free(p + 1);", "valid-free"),
    "not from the heap": ("free(&y);", "valid-free"),
    "a return that must not be": ("void (*f)(int) = never; f(x);", "def-behavior"),
    "another struct": ("int (*f)(char *) = (int (*)(char *))value_of; y = f((char *)a);", "def-behavior"),
    "more arguments": ("int (*f)() = x ? (int (*)())half : 0; if (f) y = f(x, x);", "def-behavior"),
    "a wider argument": ("int (*f)() = (int (*)())half; y = f(1LL);", "def-behavior"),
    "a union with a truth value": ("union { _Bool b; char c; } u; u.c = x & 2; if (u.b) y = 1;", "def-behavior"),
    "copied bytes": ("_Bool b; char c = 5; memcpy(&b, &c, 1); if (!b) y = 1;", "def-behavior"),
    "set bytes": ("_Bool b[2]; memset(b, 255, sizeof b); y = b[x & 1];", "def-behavior"),
    "copied bytes of a struct": (
        "struct { char c; _Bool b[2]; } s; unsigned char c[3] = {1, 2, x}; memcpy(&s, c, sizeof s); y = s.b[1];",
        "def-behavior",
    ),
    "some set bytes of a struct": ("struct { char c; _Bool b; } s = {0}; memset(&s, x, 2); y = s.b;", "def-behavior"),
    "a subscript that moves": ("int i = x & 1; a[i] = i++;", "def-behavior"),
    "arguments that move": ("int i = 0; y = second(i++, i);", "def-behavior"),
    "a constant member": ("struct { int i; const int m; } s = {1, 2}; ((int *)&s)[x & 1] = 2;", "def-behavior"),
    "one of an array": (
        "struct { const char c[2]; char d; } t[3] = {0}; char *p = (char *)t; if (x > 5 && x < 9) p[x] = 1;",
        "def-behavior",
    ),
    "a copy over one": (
        "static struct { int i; const int m; } s, t[2]; memcpy(&t[1], &s, sizeof s);",
        "def-behavior",
    ),
    "fewer elements": ("int v[3] = {0}; y = four(x ? a : v);", "def-behavior"),
    "null for elements": ("y = four(x ? a : 0);", "def-behavior"),
    "a struct over a part of itself": (
        "union { struct { int v[2]; } f[2]; int w[4]; } u = {0}; void *p = &u.w[1]; u.f[0] = *(__typeof__(u.f[0]) *)p;",
        "def-behavior",
    ),
    "left at exit": ("int *p = malloc(4); if (x) exit(1); free(p);", "valid-memcleanup"),
}
"""A body of main and the property that it violates."""

RIGHT = {
    "valid-deref": "char s[4] = \"abc\", *p = s; p[1] = 'x'; struct node n; struct node *q = &n; q->value = *(s + 3);",
    "valid-deref of what grows": "int *p = malloc(8); p[0] = 1; p = realloc(p, 12); p[2] = 3; y = p[0]; free(p);",
    "valid-free": "int *p = x ? malloc(4) : 0; free(p);",
    "valid-memcleanup": "for (int i = 0; i < 2; i++) { int *p = malloc(4); *p = i; if (x) free(p); else free(p); }",
}


def write(body: str, folder: Path) -> Path:
    path = folder / "program.c"
    declared = "int x = __VERIFIER_nondet_int(), y = __VERIFIER_nondet_int();"
    path.write_text(f"{HEAD}int main(void) {{ {declared}\n{body}\nreturn 0; }}\n")
    return path


def verdict(
    body: str, folder: Path, *checks: CheckKind, property: str | None = None, engine: str = "transition"
) -> Verdict:
    """The verdict of a session in this process; nothing is compiled."""
    return verdict_on(write(body, folder), *checks, property=property, engine=engine)


def verdict_on(path: Path, *checks: str, property: str | None = None, engine: str = "bmc") -> Verdict:
    """Likewise of a file."""
    request = Request(str(path), property, engine=engine, replay=ReplayMode.INTERPRETER, checks=checks)
    return bare_verdict(request)


def test_a_constant_literal_outside_of_functions_is_not_written_to(tmp_path: Path) -> None:
    path = tmp_path / "literal.c"
    path.write_text("const int *t = (const int[]){1, 2};\nint main(void) { int *p = (int *)t; p[1] = 3; return 0; }\n")
    assert str(verdict_on(path, property="def-behavior")) == "false(def-behavior)"


def test_every_kind_has_its_examples() -> None:
    assert set(BAD) == set(GOOD) == set(SELECTABLE)


@pytest.mark.parametrize("kind", BAD)
def test_a_flaw_is_found_and_confirmed(kind: str, tmp_path: Path) -> None:
    found = verdict(BAD[kind], tmp_path, CheckKind(kind))
    assert str(found) == f"false({kind})"
    assert found.confirmed_by == "interpreter of typed C"
    line = 7 if kind in ("arguments", "noreturn", "restrict") else 10
    assert [one.span.line for one in found.checks if one.status is Status.FALSE] == [line]


@pytest.mark.long
@pytest.mark.parametrize("kind", GOOD)
def test_its_absence_is_proved(kind: str, tmp_path: Path) -> None:
    engine = "bmc" if kind == "overlap" else "transition"  # copies are loops
    found = verdict(GOOD[kind], tmp_path, CheckKind(kind), engine=engine)
    assert found.status is Status.TRUE
    assert found.checks


@pytest.mark.long
@pytest.mark.parametrize("name", WRONG)
def test_a_memory_property_is_violated(name: str, tmp_path: Path) -> None:
    body, property_ = WRONG[name]
    found = verdict(body, tmp_path, property=property_)
    assert str(found) == f"false({property_})"
    assert found.confirmed_by == "interpreter of typed C"


@pytest.mark.parametrize("property_", RIGHT)
def test_a_memory_property_holds(property_: str, tmp_path: Path) -> None:
    found = verdict(RIGHT[property_], tmp_path, property=property_.partition(" ")[0])
    assert found.status is Status.TRUE
    assert found.checks


def test_all_kinds_discharge_the_assumptions(tmp_path: Path) -> None:
    body = "if (x >= 0 && x < 10) a[x] = x + 1;"
    assert verdict(body, tmp_path, CheckKind.SHIFT).assumptions
    found = verdict(body, tmp_path, *SELECTABLE)
    assert (found.status, found.assumptions) == (Status.TRUE, ())


def test_a_property_asks_for_its_kinds_only(tmp_path: Path) -> None:
    prp = tmp_path / "no-overflow.prp"
    prp.write_text("CHECK( init(main()), LTL(G ! overflow) )\n")
    assert str(verdict(BAD["overflow"], tmp_path, property=str(prp))) == "false(no-overflow)"
    found = verdict(f"{BAD['bounds']} if (x) __VERIFIER_error();", tmp_path, property="no-overflow")
    assert (found.status, found.checks) == (Status.TRUE, ())


def test_several_properties_are_asked_by_their_names(tmp_path: Path) -> None:
    body = "char *p = malloc(4); if (x) p[4] = 1; else p[0] = 1; free(p); if (x == 2) free(p);"
    found = verdict(body, tmp_path, property="valid-free,valid-deref")
    assert {one.property for one in found.checks} == {"valid-free", "valid-deref"}
    assert wrong_property("valid-free,valid-deref") is None
    assert wrong_property("valid-free,valid") is not None


COPIES = {
    "assigned": "*p = 2; t = s;",
    "initialised": "*p = 2; struct flag u = s; q = (unsigned char *)&u + 1;",
    "copied": "*p = 2; memcpy(&t, &s, sizeof s);",
    "copied as bytes": "unsigned char c[2] = {1, 2}; memcpy(&t, c, sizeof t);",
    "set": "memset(&t, 2, sizeof t);",
    "of an array": "struct { struct flag f[2]; } a, b; memset(&a, 2, 4); b = a; q = (unsigned char *)b.f + 3;",
}


@pytest.mark.parametrize("name", COPIES)
def test_a_struct_may_have_bytes_that_are_no_truth_values(name: str, tmp_path: Path) -> None:
    before = "struct flag { char c; _Bool b; } s = {0}, t = {0}; unsigned char *p = (unsigned char *)&s + 1, *q"
    found = verdict(f"{before} = (unsigned char *)&t + 1; {COPIES[name]} if (*q == 2) __VERIFIER_error();", tmp_path)
    assert str(found) == "false(unreach-call)"


BROKEN = {
    "outside of a row": ("int t[4][3] = {{0}}, i = 4; if (t[i][0] == 0) __VERIFIER_error();", "bounds"),
    "outside of an array": ("int b[2] = {0, 0}, i = 2; if (b[i] == 0) __VERIFIER_error();", "bounds"),
    "of a narrower argument": ("int (*f)() = (int (*)())wide; if (f(1)) __VERIFIER_error();", "call"),
    "of another byte": ("_Bool b; *(char *)&b = 2; if (b) __VERIFIER_error();", "boolean"),
    "outside of a block": ("int *p = malloc(4); *p = 1; if (p[1] == 9) __VERIFIER_error(); free(p);", "dangling"),
}
"""A body of main whose error is reached only after undefined behaviour, and the kind of it."""


@pytest.mark.parametrize("name", BROKEN)
def test_a_violation_that_rests_on_undefined_behaviour_is_none(name: str, tmp_path: Path) -> None:
    body, kind = BROKEN[name]
    found = verdict(body, tmp_path)
    assert found.status is Status.UNKNOWN
    assert f"--check {kind}" in found.reason
    assert found.checks[0].undefined
    assert verdict(body, tmp_path, CheckKind(kind)).status is Status.FALSE


LITERALS = {
    "an argument": ("y = wide(0) + *&(int){x};", Status.TRUE),
    "again": ("for (int i = 0; i < 3; i++) { int *p = i == 1 ? (int[]){x, i} : &(int){i}; y = *p; }", Status.TRUE),
    "a condition": ("int n = 0; while (*(int[]){n, 1} < 2) n++; y = n;", Status.TRUE),
    "behind its end": ("int *p = (int[]){x, 1}; y = p[2];", Status.FALSE),
    "behind its block": ("int *p = 0; if (x) { p = (int[]){x, 1}; } if (p) y = *p;", Status.FALSE),
    "behind a selection": ("int *p = 0; if (x) p = &(int){x}; if (p) y = *p;", Status.UNKNOWN),
}
"""A body of main with compound literals, and the verdict on accesses; replays let the last one live longer."""


@pytest.mark.parametrize("name", LITERALS)
def test_a_compound_literal_lives_as_long_as_its_block(name: str, tmp_path: Path) -> None:
    body, status = LITERALS[name]
    assert verdict(body, tmp_path, CheckKind.DANGLING).status is status


def test_nor_is_a_proof_beside_it(tmp_path: Path) -> None:
    body, _ = BROKEN["outside of an array"]
    found = verdict(f"{body} if (x != x) __VERIFIER_error();", tmp_path)
    assert {one.status for one in found.checks} == {Status.UNKNOWN}
    assert any("an execution runs into undefined behaviour" in one.reason for one in found.checks)


def test_a_function_from_outside_may_return_anything(tmp_path: Path) -> None:
    body = "typedef int handler(void); handler *given(void); handler *h = given(); if (h && h()) __VERIFIER_error();"
    found = verdict(body, tmp_path)
    assert str(found) == "false(unreach-call)"
    assert found.confirmed_by == "interpreter of typed C"


def test_a_number_without_magnitude(tmp_path: Path) -> None:
    assert str(verdict("y = abs(x);", tmp_path, CheckKind.OVERFLOW)) == "false(overflow)"
    assert verdict("if (x != -2147483647 - 1) y = abs(x);", tmp_path, CheckKind.OVERFLOW).status is Status.TRUE


UNSET = {
    "a variable": "int z; if (x) z = 1; y = z;",
    "through a pointer": "int z; int *p = &z; y = *p;",
    "the heap": "int *p = malloc(8); p[0] = 1; y = p[x == 3]; free(p);",
    "what realloc adds": "int *p = malloc(4); p[0] = 1; p = realloc(p, 8); y = p[1]; free(p);",
    "a member": "struct node n; n.next = 0; struct node *p = &n; y = p->value;",
    "a copied member": "struct node n, m; n.next = 0; m = n; y = m.value;",
    "a member that is passed": "struct node n; n.next = 0; y = value_of(n);",
    "a member that is returned": "y = node_of(x).value;",
    "a copied block": "int v[3], w[3]; v[0] = v[1] = 1; __builtin_memcpy(w, v, sizeof v); y = w[2];",
    "copied to a static object": "int v[10]; v[0] = 1; __builtin_memcpy(a, v, sizeof v); y = a[x != 0];",
    "copied characters": "char v[2], w[2]; v[0] = 1; for (int i = 0; i < 2; i++) w[i] = v[i]; y = w[1];",
    "the end of a string": "char *s = malloc(2); s[0] = 'a'; y = strlen(s); free(s);",
    "part of a union": "union { char c[4]; int i; } u; u.c[0] = 1; y = u.i;",
    "a bit-field": "struct { unsigned low : 4, high : 4; } b; b.low = 1; y = b.high;",
    "in the next round": "for (int i = 0; i < 2; i++) { int z; if (i == 0) z = 1; y = z; }",
    "declared again": "int *p = 0; again:; int z; if (p) { y = *p; return 0; } z = 1; p = &z; goto again;",
    "an operand": "int z; if (x > 3) z = 2; z += 1;",
    "a variable that could be in a register": "unsigned char z; y = z + 0;",
}
"""A body of main that reads what has no value, on some path."""

SET = {
    "after a choice": "int z; if (x) z = 1; else z = 2; y = z;",
    "on the same condition": "int z, *p = &z; if (x) *p = 1; if (x) y = z;",
    "by a function": "int z; set(&z); y = z;",
    "a list": "struct node *p = malloc(sizeof *p); p->next = 0; p->value = x; y = p->value; free(p);",
    "one of two blocks": "int *p = malloc(4), *q = malloc(4); *p = *q = 1; y = *p + *q; free(p); free(q);",
    "calloc": "int *p = calloc(4, 4); y = p[x & 3]; free(p);",
    "what realloc keeps": "int *p = malloc(4); p[0] = 1; p = realloc(p, 8); y = p[0]; free(p);",
    "a struct that is copied": "struct node n, m; n.value = 1; m = n; y = m.value;",
    "bytes": "struct node n, m; n.value = 1; unsigned char *p = (void *)&m, *q = (void *)&n;"
    "for (unsigned i = 0; i < sizeof n; i++) p[i] = q[i]; y = m.value;",
    "unsigned characters in memory": "unsigned char v[2]; y = v[0] == v[1];",
    "static objects": "static struct node n; int *p = x ? &n.value : malloc(4); if (!x) *p = 1; y = *p;",
    "a discarded value": "int z; (void)z;",
    "an undefined function": "int z; outside(&z); y = z;",
}
"""A body of main that reads only what has a value."""


@pytest.mark.long
@pytest.mark.parametrize("name", UNSET)
def test_a_read_without_a_value_is_found(name: str, tmp_path: Path) -> None:
    found = verdict(UNSET[name], tmp_path, CheckKind.UNINITIALIZED)
    assert str(found) == "false(uninitialized)"
    assert found.confirmed_by == "interpreter of typed C"


@pytest.mark.long
@pytest.mark.parametrize("name", SET)
def test_reads_of_values_are_proved(name: str, tmp_path: Path) -> None:
    assert verdict(SET[name], tmp_path, CheckKind.UNINITIALIZED).status is Status.TRUE


BEYOND = {
    "a floating-point number": "double d, e; e = d;",
}
"""A body of main with undefined behaviour that no check is about."""


@pytest.mark.parametrize("name", BEYOND)
def test_def_behavior_is_shown_only_where_all_of_it_is(name: str, tmp_path: Path) -> None:
    found = verdict(BEYOND[name], tmp_path, property="def-behavior")
    assert found.status is not Status.TRUE


@pytest.mark.parametrize(
    "body",
    [
        "int s = 0; for (int i = 0; i < 10; i++) s += a[i] == i;",
        "int v[4]; for (int i = 0; i < 4; i++) v[i] = i; y = v[3];",
        "int *p = malloc(8); p[0] = 1; p[1] = 2; y = p[0] + p[1]; free(p);",
        "struct node *h = 0, *n; for (int i = 0; i < 2; i++) { n = malloc(sizeof *n); n->value = i; n->next = h;"
        "h = n; } while (h) { n = h->next; free(h); h = n; }",
        'const int c[2] = {1, 2}; int d[2]; memcpy(d, c, sizeof d); char s[4]; strcpy(s, "ab"); y = d[1] + s[1];',
        "_Alignas(4) char c[8]; int *p = (int *)(c + 4); y = p == 0;",
        "struct { const int k; int v; } t[2] = {{1, 2}, {3, 4}}; int *p = &t[x & 1].v; *p = 3; y = t[0].k;",
        "union { struct { int v[2]; } f; struct { int pad; struct { int v[2]; } s; } o; } u = {{{1, 2}}}; "
        "memmove(&u.f, &u.o.s, sizeof u.f); y = four(a);",
    ],
)
def test_def_behavior_is_shown(body: str, tmp_path: Path) -> None:
    found = verdict(body, tmp_path, property="def-behavior", engine="bmc")
    assert found.status is Status.TRUE
    assert UNCHECKED.issuperset(one for one in found.assumptions if one != ALLOCATES)


@pytest.mark.long
def test_a_process_of_its_own(tmp_path: Path) -> None:
    path = write(f"{BAD['division']} {GOOD['bounds']}", tmp_path)
    found = prepared.verify(path, check=["bounds", "division"], time_limit=60)
    assert (found.status, found.property) == ("false", "division")
    assert {(one.property, one.status) for one in found.checks} == {("bounds", "true"), ("division", "false")}


@pytest.mark.long
def test_exit_codes(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "program.c"
    path.write_text("int main(int n, char **p) { return n + 1; }\n")
    assert main(["verify", str(path), "--check", "overflow,shift"]) == 10
    assert main(["verify", str(path), "--property", "termination"]) == 4
    assert "--property:1: error: the property termination is not supported" in capsys.readouterr().err
    assert main(["verify", str(path), "--check", "magic"]) == 2


@pytest.mark.parametrize(
    ("body", "status"),
    [
        ("int main(void) { struct n *p = get(); return p->v; }", "false"),
        ("int main(void) { struct n *p = get(); return p ? p->v : 0; }", "true"),
        ("extern int *q; int main(void) { if (q) *q = 1; return 0; }", "true"),
        ("int main(void) { int r = 0; for (struct n *p = get(); p; p = p->next) r |= p->v; return r; }", "true"),
        (
            "int main(void) { struct n *p = get(); if (!p || !p->next) return 0; p->next = p->next->next;"
            " return p->next ? p->next->v : 0; }",
            "true",
        ),
        ("int main(void) { struct n *p = get(); if (!p) return 0; p->at = p->base + 1; return *p->at; }", "false"),
        ("int main(int c, char **v, char **e) { return *e ? **e : 0; }", "true"),
        ("int main(int c, char **v) { return c > 1 ? v[1][0] : 0; }", "true"),
        ("int main(int c, char **v) { return v[c][0]; }", "false"),
        ("int main(int c, char **v) { return v[1][0]; }", "false"),
    ],
    ids=[
        "unasked", "asked", "extern", "list", "list that is written", "beside null", "environment", "argument",
        "one more argument", "no argument",
    ],
)  # fmt: skip
def test_a_pointer_from_outside_that_is_not_null_is_no_null_pointer(body: str, status: str, tmp_path: Path) -> None:
    path = tmp_path / "program.c"
    path.write_text(f"struct n {{ struct n *next; int w, v, *base, *at; }}; struct n *get(void);\n{body}\n")
    assert str(verdict_on(path, "null").status) == status


@pytest.mark.parametrize("use", ["*e ? **e : 0", "c > 1 ? v[1][0] : 0", "v[c] != 0"])
def test_arguments_of_main_are_objects(use: str, tmp_path: Path) -> None:
    path = tmp_path / "program.c"
    path.write_text(f"int main(int c, char **v, char **e) {{ return {use}; }}\n")
    assert verdict_on(path, "bounds", "null", "dangling").status != Status.FALSE


@pytest.mark.parametrize(
    ("kind", "body"),
    [
        ("unsigned", "unsigned x = n, y = x - 1; assert(y != 0xFFFFFFFFu);"),
        ("conversion", "unsigned char c = n; assert(c == n);"),
        ("enum", "enum e { A, B } x = n; assert(x < 2);"),
    ],
)
def test_nothing_is_proved_behind_what_c_defines(kind: str, body: str, tmp_path: Path) -> None:
    """Where numbers wrap around, executions go on, but are not followed there."""
    (tmp_path / "a.c").write_text(
        f"extern int nondet(void);\nint main(void) {{ int n = nondet(); {body} return 0; }}\n"
    )
    found = prepared.verify(tmp_path / "a.c", engine="bmc", check=[kind], no_native_replay=True)
    assert (found.status, found.property) == ("false", kind)
    statuses = {one.property: one.status for one in found.checks}
    assert statuses["assertion"] in ("unknown", "false")


def test_a_violation_does_not_rest_on_what_its_execution_may_break(tmp_path: Path) -> None:
    """What `restrict` says is assumed by proofs; an execution shows what it shows."""
    file = tmp_path / "a.c"
    text = (
        "void reach_error(void) {} int x; void f(int *restrict p, int *q) { int *r = p; *p = 1; *q = 7; "
        "if (*r == N) reach_error(); }"
    )
    found = []
    for number in (7, 8):
        file.write_text(f"{text.replace('N', str(number))} int main(void) {{ f(&x, &x); return 0; }}")
        found.append(prepared.verify(file, vacuity=0.0))
    assert [(one.status, EXECUTED in one.assumptions, RESTRICT in one.assumptions) for one in found] == [
        ("false", True, False),
        ("true", False, True),
    ]
