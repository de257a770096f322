"""Small programs with known truth, and what the whole checker says about each."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from core.limits import cpu_used
from interplay.session.attempt import RESERVED
from interplay.session.context import Steering
from interplay.session.default_services import DefaultServices
from interplay.session.member_storage import NoStorage
from interplay.session.request import ReplayMode, Request
from interplay.session.session import Session
from runs.events import Event, VerdictReached

_SECONDS = 10.0  # CPU seconds that a program gets; a mutant may loop
_PRELUDE = """extern int __VERIFIER_nondet_int(void);
extern unsigned char __VERIFIER_nondet_uchar(void);
extern void reach_error(void);
extern void *malloc(unsigned);
extern void free(void *);
"""


@dataclass(frozen=True)
class Small:
    """A small program. `expected` is the verdict that is right on the property that it `asks` for."""

    body: str
    expected: str
    asks: str = "unreach-call"

    @property
    def text(self) -> str:
        return _PRELUDE + self.body


def _main(body: str, before: str = "") -> str:
    return f"{before}\nint main(void) {{ {body} return 0; }}\n"


_SAFE, _UNSAFE = "true", "false(unreach-call)"

PROGRAMS: Mapping[str, Small] = {
    "byte wraps": Small(
        _main("unsigned char x = __VERIFIER_nondet_uchar(), y = x + 1; if (y == 0) reach_error();"), _UNSAFE
    ),
    "int wraps": Small(_main("int x = __VERIFIER_nondet_int(); if (x + 1 < x) reach_error();"), _UNSAFE),
    "minus one is large": Small(_main("int x = __VERIFIER_nondet_int(); if (x < 0 && x > 7u) reach_error();"), _UNSAFE),
    "sum of bytes": Small(
        _main("unsigned char a = 200, b = __VERIFIER_nondet_uchar(); if (a + b == 300) reach_error();"), _UNSAFE
    ),
    "fall through": Small(
        _main(
            "int x = __VERIFIER_nondet_int(), y = 0;"
            " switch (x) { case 1: y++; case 2: y++; } if (y == 2) reach_error();"
        ),
        _UNSAFE,
    ),
    "short circuit": Small(
        _main("int x = __VERIFIER_nondet_int(), y = 0; if (x && y++ > 5) y = 9; if (!x && y == 1) reach_error();"),
        _SAFE,
    ),
    "division truncates": Small(
        _main("int x = __VERIFIER_nondet_int(); if (x == -7 && x / 2 != -3) reach_error();"), _SAFE
    ),
    "remainder is negative": Small(
        _main("int x = __VERIFIER_nondet_int(); if (x < 0 && x % 2 == 1) reach_error();"), _SAFE
    ),
    "postfix": Small(_main("int x = __VERIFIER_nondet_int(), y = x++; if (y != x - 1) reach_error();"), _SAFE),
    "division ends": Small(
        _main("int x = __VERIFIER_nondet_int(); int y = 6 / x; if (x == 0 && y != 1) reach_error();"), _SAFE
    ),
    "recursion": Small(
        _main(
            "if (f(1) == 1) reach_error();",
            "int f(int n) { int m = n; if (n == 0) return 0; f(n - 1); return m; }",
        ),
        _UNSAFE,
    ),
    "in a row": Small(
        _main(
            "int x, y = __VERIFIER_nondet_int(); if (y > 100) return 0; x = y; y = x + 1; if (x >= y) reach_error();"
        ),
        _SAFE,
    ),
    "copy": Small(
        _main("int x = 0, y = 0; while (x < 3) { x = x + 1; y = x; if (x != y) reach_error(); }"),
        _SAFE,
    ),
    "toggle": Small(_main("int a = 0, n = 0; while (n < 3) { a = !a; n++; if (n == 2 && a) reach_error(); }"), _SAFE),
    "lock": Small(
        _main(
            "int served = 0, seen; do { if (locked) reach_error(); locked = 1; seen = served;"
            " if (__VERIFIER_nondet_int()) { locked = 0; served++; } } while (served != seen);",
            "int locked = 0;",
        ),
        _SAFE,
    ),
    "late bug": Small(_main("int i = 0, x = 0; while (i < 4) { i++; x = x + 2; } if (x == 8) reach_error();"), _UNSAFE),
    "two reads": Small(
        _main(
            "int i, sum = 0; for (i = 0; i < 2; i++) { int x = __VERIFIER_nondet_int(); if (x < 1 || x > 2) return 0;"
            " sum = 3 * sum + x; } if (sum == 5) reach_error();"
        ),
        _UNSAFE,
    ),
    "ranges": Small(
        _main("int x = __VERIFIER_nondet_int(), y = 0; if (x > 5) y = 1; if (x > 3 && x < 5 && y) reach_error();"),
        _SAFE,
    ),
    "global in a call": Small(
        _main(
            "g = 0; check(); g = 1; check(); if (g > 1) reach_error();", "int g; void check(void) { if (g > 1) g = 5; }"
        ),
        _SAFE,
    ),
    "suspended": Small(
        _main(
            "int x = __VERIFIER_nondet_int(); while (g < 3) { step(); if (g > 3) reach_error(); }",
            "short g; void step(void) { g++; if (g > 100) reach_error(); }",
        ),
        _SAFE,
    ),
    "array": Small(
        _main("int a[3] = {1, 2, 3}; int i = __VERIFIER_nondet_uchar() % 3; a[i] = 7; if (a[i] != 7) reach_error();"),
        _SAFE,
    ),
    "least number": Small(
        _main("int x = __VERIFIER_nondet_int(); if (x < -2147483647) x = -x;"), "false(no-overflow)", "no-overflow"
    ),
    "one byte short": Small(
        _main("char *p = malloc(6); *(int *)(p + 3) = 1; free(p);"), "false(valid-deref)", "valid-deref"
    ),
    "after its end": Small(
        _main("int *p = malloc(4); free(p); *p = 1;"),
        "false(valid-deref)",
        "valid-deref",
    ),
    "released twice": Small(
        _main("int *p = malloc(4), *q = p; free(p); if (__VERIFIER_nondet_int()) free(q);"),
        "false(valid-free)",
        "valid-free",
    ),
    "never released": Small(
        _main("int *p = malloc(4); if (__VERIFIER_nondet_int()) free(p);"),
        "false(valid-memcleanup)",
        "valid-memcleanup",
    ),
    "released": Small(
        _main("for (int i = 0; i < 2; i++) { int *p = malloc(4); *p = i; free(p); }"), _SAFE, "valid-memcleanup"
    ),
}


@dataclass(frozen=True)
class Said:
    verdict: str
    reason: str


def said(program: Small, folder: Path) -> Said:
    """The verdict of the checker, in this process and without native replay, about a program."""
    file = folder / "small.c"
    file.write_text(program.text)
    # Limits count the processor time of the process, whatever it did before.
    limit = (cpu_used() + _SECONDS) / (1 - RESERVED)
    request = Request(
        str(file), program.asks, time_limit=limit, replay=ReplayMode.INTERPRETER, shorten=0.0, vacuity=0.0
    )
    seen: list[Event] = []
    Session(request, DefaultServices(), seen.append, Steering(), NoStorage()).run()
    last = seen[-1]
    assert isinstance(last, VerdictReached)
    return Said(last.verdict, last.reason)
