"""Runs without inputs: what depends on nothing from outside ends, what does depend on it is seen."""

from __future__ import annotations

import pytest

from frontend.api import parse_program
from frontend.interpreter import DependentRun, ErrorReached, Exited, LimitExceeded, UndefinedBehaviour, run_closed
from frontend.interpreter.outcome import Budget, RunOutcome
from frontend.properties.errors import UnreachCall
from frontend.replay.policy import error_policy
from frontend.typed.ctype import DataModel

HEAD = """
typedef __SIZE_TYPE__ size_t; typedef __UINTPTR_TYPE__ uintptr_t;
extern int printf(const char *, ...); extern void *malloc(size_t); extern void *calloc(size_t, size_t);
extern void *realloc(void *, size_t); extern void free(void *); extern void *alloca(size_t);
extern void *memcpy(void *, const void *, size_t); extern void *memset(void *, int, size_t);
extern int memcmp(const void *, const void *, size_t); extern size_t strlen(const char *);
extern int strcmp(const char *, const char *); extern char *strncpy(char *, const char *, size_t);
extern char *strchr(const char *, int); extern void *memchr(const void *, int, size_t);
extern int __VERIFIER_nondet_int(void); extern void reach_error(void); extern void abort(void);
struct P { char c; int i; struct P *next; }; struct B { unsigned a : 3, b : 7, c : 20; };
"""


def end_of(text: str, model: DataModel = DataModel.LP64, steps: int = 1_000_000) -> RunOutcome | DependentRun:
    unit = parse_program(HEAD + text, "small.c", model)
    return run_closed(unit, error_policy(unit, UnreachCall()), Budget(steps)).outcome


ENDING = {
    "one literal": 'int main() { const char *s = "abc", *t = s; return s == t; }',
    "numbers": "int main() { int s = 0; for (int i = 0; i < 9; i++) s += i; return s; }",
    "a value that comes later": "int main() { int x, y; x = y = 2; int a[2]; a[0] = 1; if (x + a[0] == 3) return 1; }",
    "a value that nothing needs": "int main() { unsigned x; unsigned y = x + 1; y = y * 2; return 0; }",
    "argc that nothing needs": "int main(int argc, char **argv) { return 0; }",
    "a list": "int main() { struct P *h = 0; for (int i = 0; i < 5; i++) { struct P *n = malloc(sizeof *n); n->i = i; "
    "n->next = h; h = n; } while (h) { struct P *n = h->next; free(h); h = n; } return 0; }",
    "structs with padding": "struct P f(struct P p) { p.i++; return p; } int main() { struct P p, q, *r = &q; p.c = 1; "
    "p.i = 2; p.next = &p; *r = f(p); struct P a[2]; memcpy(&a[1], r, sizeof q); "
    "return a[1].next == &p && a[1].i == 3; }",
    "bit-fields": "int main() { struct B b; b.a = 5; b.c = 7; b.b = 3; return b.a + b.b + b.c; }",
    "pointers in their object": "int main() { int a[4] = {0}, *e = a + 4; for (int *p = a; p != e; p++) *p = e - p; "
    "return a[1] < a[0] && &a[1] > &a[0]; }",
    "null": "int main() { int *p = 0; long n = (long)p; int *q = (int *)n; if (!p && q == p) return 1; }",
    "pointers to two objects": "int x, y; int f(void) { return 1; } int g(void) { return 2; } "
    "int main() { int *p = &x; int (*h)(void) = f; if (p == &y || h == g) return 1; if (!p) return 2; return h(); }",
    "strings": 'int main() { char s[9]; strncpy(s, "abc", 5); if (strlen(s) != 3 || strcmp(s, "abd") >= 0) return 1; '
    "return strchr(s, 'c') == s + 2 && memchr(s, 'b', 3) == s + 1; }",
    "memory of the heap": "int main() { int *p = calloc(4, 4); p[1] = 2; p = realloc(p, 32); p[5] = p[1] + p[3]; "
    "char *q = malloc(3); memset(q, 1, 3); return p[5] + q[2]; }",
    "output": 'int main() { int x = 3; if (printf("%d %% %p\\n", x, &x), 1) return 0; }',
    "globals": "int a[3]; int *p = &a[1]; struct P s = { 'x', 2, &s }; static int z; "
    "int main() { *p = 4; return a[1] + s.next->i + z; }",
    "an object of each round": "int main() { for (int i = 0; i < 3; i++) { int x; x = i; int *p = &x; "
    "if (*p > i) return 1; } }",
    "lengths that vary": "int main() { int n = 3, a[n]; for (int i = 0; i < n; i++) a[i] = i; return a[2]; }",
    "unions of numbers": "union { int i; unsigned char c[4]; } u; int main() { u.i = 258; return u.c[1]; }",
    "abort": "int main() { abort(); }",
}


@pytest.mark.parametrize("model", [DataModel.ILP32, DataModel.LP64])
@pytest.mark.parametrize("name", list(ENDING))
def test_what_depends_on_nothing_ends(name: str, model: DataModel) -> None:
    assert type(end_of(ENDING[name], model)).__name__ == ("Aborted" if name == "abort" else "Exited")


DEPENDENT = {
    "an input": "int main() { return __VERIFIER_nondet_int() > 2; }",
    "a function without body": "int f(void); int main() { f(); }",
    "equal literals": 'int main() { if ((void *)"abc" == (void *)"abc") return 1; }',
    "a literal in another one": 'int main() { if ("abc" + 1 == (char *)"bc") return 1; }',
    "argc": "int main(int argc, char **argv) { return argc > 1 ? 1 : 0; }",
    "argv": "int main(int argc, char **argv) { return argv[0][0]; }",
    "an object from elsewhere": "extern int x; int main() { if (x) return 1; }",
    "an array from elsewhere": "extern int x[3]; int main() { if (x[1]) return 1; }",
    "a local": "int main() { int x; if (x) return 1; }",
    "a local whose address is taken": "int main() { int x, *p = &x; if (*p) return 1; }",
    "a local of each round": "int main() { for (int i = 0; i < 3; i++) { int x; "
    "if (i > 0 && x == 7) return 1; x = 7; } }",
    "a block of each round": "int main() { for (int i = 0; i < 3; i++) { int x, *p = &x; "
    "if (i > 0 && *p == 7) return 1; *p = 7; } }",
    "a jump past a value": "int main() { goto l; int x = 3; l: if (x == 3) return 1; }",
    "an index": "int main() { int i; int a[3] = {0}; return a[i]; }",
    "a case": "int main() { int i; switch (i) { case 0: return 1; } }",
    "an argument": "int f(int x) { return x > 3; } int main() { int x; return f(x); }",
    "an element": "int main() { int a[3]; a[0] = a[2] = 1; return a[1]; }",
    "a member": "int main() { struct P p, q; p.i = 1; q = p; if (q.c) return 1; }",
    "a bit-field": "int main() { struct B b; b.a = 1; b.c = 2; if (b.b) return 1; }",
    "padding": "int main() { struct P p, q; p.c = q.c = 1; p.i = q.i = 2; p.next = q.next = 0; "
    "return memcmp(&p, &q, sizeof p); }",
    "memory of malloc": "int main() { int *p = malloc(8); return p[1]; }",
    "memory of realloc": "int main() { int *p = calloc(1, 4); p = realloc(p, 8); return p[1]; }",
    "memory of alloca": "int main() { int *p = alloca(8); return p[1]; }",
    "a pointer of malloc": "int main() { struct P *p = malloc(sizeof *p); return p->next != 0; }",
    "a copy": "int main() { char a[4], b[4]; memcpy(b, a, 4); return b[2]; }",
    "a string": 'int main() { char s[4]; s[0] = 1; s[3] = 0; return strcmp(s, "x"); }',
    "a length": "int main() { char s[4]; s[3] = 0; return strlen(s); }",
    "no result": "int f(int x) { if (x) return 1; } int main() { if (f(0)) return 1; }",
    "no struct": "struct P f(int x) { struct P p = {0}; if (x) return p; } int main() { return f(0).i; }",
    "the number of an address": "int main() { int x; return (uintptr_t)&x & 1024 ? 1 : 0; }",
    "the number of a static address": "int x; uintptr_t n = (uintptr_t)&x; int main() { return n > 4096; }",
    "an address of a number": "int main() { int *p = (int *)1048576; return *p; }",
    "the bytes of an address": "int main() { int x, *p = &x; unsigned char *q = (unsigned char *)&p; return q[1]; }",
    "an address in a union": "union { int *p; uintptr_t n; } u; int main() { u.p = (int *)&u; return u.n > 99; }",
    "an address of bytes": "union { int *p; uintptr_t n; } u; int main() { u.n = 1048576; return *u.p; }",
    "the order of the bytes of addresses": "int x, y; int main() { int *p = &x, *q = &y; return memcmp(&p, &q, 4); }",
    "an address as an argument": "int f(p) long p; { return p > 4096; } int main() { int x; return f(&x); }",
    "an address through a pointer": "int f(long p) { return p > 4096; } int main() { int x; "
    "int (*g)(int *) = (int (*)(int *))f; return g(&x); }",
    "an address as a result": "int x; long f(void) { return 0; } int *h(void) { return &x; } "
    "int main() { long (*g)(void) = (long (*)(void))h; return g() > 4096; }",
    "strings that may be one": 'int main() { return "ab" + 1 == "b"; }',
    "what lies behind": "int a[2], b[2]; int main() { return a + 2 == b; }",
    "dead objects": "int main() { int *p = malloc(4); free(p); int *q = malloc(4); return p == q; }",
    "a half of an address": "int main() { int x, y, *p = &x, *q = &y; memcpy(&p, &q, 2); return p == &x; }",
    "the length of output": 'int main() { if (printf("abc") == 3) return 1; }',
    "output that counts": 'int main() { int n = 0; printf("abc%n", &n); return n; }',
}


@pytest.mark.parametrize("model", [DataModel.ILP32, DataModel.LP64])
@pytest.mark.parametrize("name", list(DEPENDENT))
def test_what_depends_on_something_is_seen(name: str, model: DataModel) -> None:
    assert isinstance(end_of(DEPENDENT[name], model), DependentRun)


UNDEFINED = {
    "a pointer out of its object": "int main() { int a[2], *p = a + 3; return 0; }",
    "the order of two objects": "int x, y; int main() { return &x < &y; }",
    "an element out of its row": "int main() { int a[2][2] = {0}; int i = 3; return a[0][i]; }",
    "a length": "int main() { int n = 0; int a[n]; return 0; }",
    "a dead object": "int *f(void) { int x = 1; return &x; } int main() { return *f(); }",
    "an overlap": "int main() { char a[4] = {0}; memcpy(a, a + 1, 2); return a[0]; }",
}


@pytest.mark.parametrize("name", list(UNDEFINED))
def test_undefined_behaviour_is_seen(name: str) -> None:
    assert isinstance(end_of(UNDEFINED[name]), UndefinedBehaviour)


def test_steps_are_counted() -> None:
    unit = parse_program(HEAD + "int main() { for (int i = 0; i < 100000; i++); }", "small.c", DataModel.LP64)
    run = run_closed(unit, error_policy(unit, UnreachCall()))
    assert run.outcome == Exited(0)
    assert 300_000 <= run.steps <= 300_010


@pytest.mark.long
def test_limits_end_a_run() -> None:
    assert isinstance(end_of("int main() { while (1); }"), LimitExceeded)
    assert isinstance(end_of("int main() { while (1) malloc(100000); }"), LimitExceeded)
    assert isinstance(end_of("int f(int n) { return f(n + 1); } int main() { return f(0); }"), LimitExceeded)


def test_errors_are_reached() -> None:
    assert isinstance(end_of("int main() { int x = 2; if (x == 2) reach_error(); }"), ErrorReached)
