"""Promises of declarations: calls that never return, arguments that are never null, what is constant."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.unit.interplay.session.test_undefined import verdict_on

HEAD = """
#include <stdlib.h>
#include <string.h>
static int x; static void back(int k) { } static void ends(int k) { exit(k); } static int one(int *p) { return 1; }
static int needs(int *p) __attribute__((nonnull(1))), takes(int *p); static int needs(int *p) { return 1; }
static int takes(int *p) { return 1; } typedef void (*handler)(int) __attribute__((noreturn));
struct table { void __attribute__((noreturn)) (*end)(int); }; static void run(handler h) { h(1); }
static void named(void (__attribute__((noreturn)) *end)(int)) { end(2); } enum sign { PLUS, MINUS };
static const int *fixed = (const int[]){1, 2}; static int *free_one = (int[]){1, 2};
static int unread(int k, enum sign s) { return k; } static int stored(enum sign s) { enum sign *p = &s; return 0; }
"""


@pytest.mark.parametrize(
    ("body", "kind", "is_violated"),
    [
        ("void (*f)(int) __attribute__((noreturn)) = back; f(1);", "noreturn", True),
        ("void (*f)(int) __attribute__((noreturn)) = ends; f(1);", "noreturn", False),
        ("void (*f)(int) = back; f(1);", "noreturn", False),
        ("struct table t = {back}; t.end(1);", "noreturn", True),
        ("run(back);", "noreturn", True),
        ("run(ends);", "noreturn", False),
        ("named(back);", "noreturn", True),
        ("void (*f)(int) __attribute__((noreturn)) = ends; f(1); __builtin_unreachable();", "unreachable", False),
        ("int (*f)(int *) = needs; f(0);", "nonnull", True),
        ("int (*f)(int *) = needs; f(&x);", "nonnull", False),
        ("int (*f)(int *) __attribute__((nonnull)) = one; f(0);", "nonnull", True),
        ("int (*f)(int *) = one; f(0);", "nonnull", False),
        ("unsigned long (*f)(const char *) = strlen; f(0);", "nonnull", True),
        ("needs(0);", "nonnull", True),
        ("takes(0);", "nonnull", False),
        ("unread(1, 2);", "enum", True),
        ("unread(2, 1);", "enum", False),
        ("stored(3);", "enum", True),
        ("((int *)fixed)[1] = 3;", "const", True),
        ("free_one[1] = 3 + fixed[0];", "const", False),
    ],
)
def test_what_calls_promise(body: str, kind: str, is_violated: bool, tmp_path: Path) -> None:
    path = tmp_path / "a.c"
    path.write_text(f"{HEAD}int main(void) {{ {body} return 0; }}\n")
    found = verdict_on(path, kind)
    assert str(found) == (f"false({kind})" if is_violated else "true")
