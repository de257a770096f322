"""Tests of definite assignment, on bodies of a function with a parameter k."""

from __future__ import annotations

import pytest

from frontend.api import parse_program
from frontend.typed.ctype import DataModel
from frontend.typed.definite_assignment import definite_assignment

HEAD = """extern void abort(void); struct pair { int x, y; }; struct both { int a; struct pair b; int c[2]; };
union word { int a; char b[4]; };
"""

ASSIGNED = [
    "int x; if (k) x = 1; else abort(); return x;",
    "int x; while (1) { if (k > 3) { x = 1; break; } k++; } return x;",
    "int x, r = 0; if (k) goto out; x = 2; r = x; out: return r;",
    "int x; switch (k) { case 1: x = 1; break; case 2: x = 3; break; default: return 0; } return x;",
    "struct both s; s.a = 1; s.b.x = 2; s.b.y = 3; return s.a + s.b.x + s.b.y;",
    "int x; goto set; get: return x; set: x = k; goto get;",
    "int x; x = k, k = x; return k ? (x = 2) + k : x;",
    "do { int x = k; if (x) return x; } while (1);",
    "struct pair p = {1}, q = p; int a[3] = {0}; return q.y + a[k & 1];",
    "int x; for (;;) { x = 1; if (k) continue; return x; }",
]

UNASSIGNED = [
    ("int x; if (k) x = 1; return x;", ["x"]),
    ("int x; int *p = &x; return *p;", ["x"]),
    ("int a[3]; a[0] = 1; return a[0];", ["a"]),
    ("struct both s, t; s.a = 1; t = s; return t.a;", ["s"]),
    ("union word u; u.a = 1; return u.b[0];", ["u"]),
    ("int x = x + 1; return x;", ["x"]),
    ("int x; goto l; m: return x; l: if (k) goto m; x = 1; goto m;", ["x"]),
    ("for (int i = 0; i < 3; i++) { int x; if (i == 0) x = 1; k += x; } return k;", ["x"]),
    ("int x; k && (x = 1); return x;", ["x"]),
    ("switch (k) { int x = 1; case 1: return x; } return 0;", ["x"]),
    ("int x; x++; return x;", ["x"]),
    ("int x; switch (k) { case 1: x = 1; } return x;", ["x"]),
    ("if (k) goto in; { int x = 1; in: return x; }", ["x"]),
]


@pytest.mark.parametrize("body", ASSIGNED)
def test_all_is_assigned(body: str) -> None:
    assert _unassigned(body) == ([], False)


@pytest.mark.parametrize(("body", "names"), UNASSIGNED)
def test_what_may_be_unassigned(body: str, names: list[str]) -> None:
    assert _unassigned(body) == (names, False)


@pytest.mark.parametrize(
    "body", ["if (k) return 1;", "while (k) return 1;", "switch (k) { default: break; }", "for (;;) { if (k) break; }"]
)
def test_the_end_may_be_reached(body: str) -> None:
    assert _unassigned(body) == ([], True)


def _unassigned(body: str) -> tuple[list[str], bool]:
    unit = parse_program(f"{HEAD}int f(int k) {{ {body} }}\n", "f.c", DataModel.ILP32)
    function = unit.functions["f"].body
    assert function is not None
    found = definite_assignment(function, lambda name: name == "abort")
    return [one.source_name for one, _ in found.unassigned], found.may_end
