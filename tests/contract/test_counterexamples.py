"""Counterexamples that rest on what memory held before the program wrote it: both replays must follow them."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from interplay.api import verify
from interplay.session.request import ReplayMode

pytestmark = pytest.mark.long

_HEADER = (
    "extern void *malloc(unsigned long); extern void *__VERIFIER_nondet_pointer(void); void reach_error(void) {}\n"
)

PROGRAMS = {
    "the third object of a malloc in a loop": """
        struct s { int a; char b; struct s *next; short c[3]; };
        int main(void) {
            for (int i = 0; i < 3; i++) {
                struct s *p = malloc(sizeof *p);
                if (i == 2 && p->a == 77 && p->b == -5 && p->next == 0 && p->c[1] == 300) reach_error();
                p->a = 5;
            }
        }""",
    "locals whose address is taken": """
        struct s { int a; int b; };
        int difference(struct s *p) { return p->a - p->b; }
        int main(void) { struct s x; int y; int *q = &y; if (difference(&x) == 12345 && *q == 7) reach_error(); }""",
    "arrays of main whose address is taken": """
        struct t { char c; short s; int t[2]; };
        int second(int *p) { return p[1]; }
        int main(void) {
            int a[3], b[2] = {1, 2}; struct t x, *q = &x;
            a[0] = b[1] = 3; q->s = 4;
            if (second(a) == 7 && second(b) == 3 && q->t[1] == -2 && q->c == 'x' && q->s == 4) reach_error();
        }""",
    "the rest of a union": """
        union u { char c; int i; };
        int main(void) { union u u; u.c = 1; if (u.i == 0x7f000201) reach_error(); }""",
    "a recursive function's local": """
        int zero(int *p) { return *p == 3; }
        int f(int n) { int x; if (n == 0) return zero(&x); return f(n - 1); }
        int main(void) { if (f(1)) reach_error(); }""",
    "a pointer that nobody set": """
        struct t { int k; char *s; }; struct s { struct t *t; };
        int main(void) { struct s *p = malloc(sizeof *p); if (p->t->k == 9 && *p->t->s == 'x') reach_error(); }""",
    "a pointer from outside": """
        int main(void) { int *p = __VERIFIER_nondet_pointer(); if (p && p[2] == 42) { p[1] = 1; reach_error(); } }""",
}


@pytest.mark.sampled
@pytest.mark.parametrize("how", list(ReplayMode))
@pytest.mark.parametrize("name", PROGRAMS)
def test_memory_of_a_counterexample(name: str, how: ReplayMode, tmp_path: Path) -> None:
    if how is ReplayMode.NATIVE and shutil.which("gcc") is None:
        pytest.skip("gcc is not installed")
    file = tmp_path / "a.c"
    file.write_text(_HEADER + PROGRAMS[name])
    verdict = verify(file, property="unreach-call", no_native_replay=how is ReplayMode.INTERPRETER)
    assert verdict.status == "false", verdict.reason
    assert verdict.confirmed_by.startswith("native" if how is ReplayMode.NATIVE else "interpreter")
