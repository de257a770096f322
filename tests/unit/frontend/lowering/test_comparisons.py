"""Comparisons of pointers that depend on where objects lie: any result is tried, and others are exact."""

from __future__ import annotations

from pathlib import Path

import pytest

import interplay.api
from core.program import Program
from core.program.properties import CheckKind, Kinds
from core.verdict import Safe, Unsafe
from frontend.api import parse_program
from frontend.lowering import UnreachCall, lower
from frontend.typed.casts import LAYOUT
from frontend.typed.ctype import DataModel
from methods.engines.bmc.engine import BmcEngine
from tests.support import prepared
from tests.support.contexts import RecordingContext

DECLARED = """
#include <stdlib.h>
void reach_error(void); int a[2], b[2], zero, grid[2][3]; struct pair { int x[2]; int y; } pair; int *from(int *);
struct node { struct node *next; }; struct flexible { int n; int rest[]; };
const int *shared = (const int[]){7}, *other_shared = (const int[]){7};
static int same(void *p, void *q) { return p == q; }
static int count(int *p, int *end) { int n = 0; while (p != end) { p++; n++; } return n; }
"""


def lowered(text: str, model: DataModel = DataModel.LP64, kinds: Kinds | None = None) -> Program:
    unit = parse_program(f"{DECLARED}int main(void) {{ {text} return 0; }}\n", "t.c", model)
    return lower(unit, UnreachCall(), kinds=kinds or {})


def outcomes(text: str, kinds: Kinds | None = None) -> tuple[bool, bool]:
    """Whether the condition may be false, and whether it may be true."""
    found = []
    for condition in ("!(CONDITION)", "CONDITION"):
        *before, asked = text.rsplit(";", 1)
        body = "; ".join([*before, f"if ({condition.replace('CONDITION', asked)}) reach_error();"])
        program = lowered(body, kinds=kinds)
        wanted = [one.id for one in program.checks if one.property == "unreach-call"]
        result = BmcEngine().run(program, wanted, RecordingContext())
        assert set(map(type, result.values())) <= {Safe, Unsafe}
        found.append(any(isinstance(one, Unsafe) for one in result.values()))
    return found[0], found[1]


EITHER, NEVER, ALWAYS = (True, True), (True, False), (False, True)


@pytest.mark.sampled
@pytest.mark.long
@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a + 2 == b", EITHER),
        ("b == &a[2]", EITHER),
        ("(long)(a + 2) == (long)b", EITHER),
        ("a + zero + 2 != b", EITHER),
        ("int *p = a; p += 2; same(p, b)", EITHER),
        ("int c[2]; c + 2 == a || a + 2 == c", EITHER),
        ("int *p = malloc(8), *q = malloc(8); p + 2 == q", EITHER),
        ("int *p = malloc(8); p + 2 == b", EITHER),
        ("struct flexible *p = malloc(4); p->rest == b", EITHER),
        ("from(a) == b", EITHER),
        ("pair.x + 2 == &pair.y", ALWAYS),
        ("grid[0] + 3 == grid[1]", ALWAYS),
        ("&grid[1][3] == grid[0]", NEVER),
        ("a == b", NEVER),
        ("a + 1 == b", NEVER),
        ("a + 2 == a", NEVER),
        ("&a[2] == a + 2", ALWAYS),
        ("int *p = a; p += 2; p == 0", NEVER),
        ("count(a, a + 2) == 2 && count(b, b + 2) == 2", ALWAYS),
        ("int *p = malloc(8), *q = malloc(12); count(p, p + 2) == 2 && count(q, q + 3) == 3", ALWAYS),
        ("struct node *p = malloc(8), *q = malloc(8); p->next = q; p->next == p || q == p", NEVER),
    ],
)
def test_the_end_of_one_object_may_be_the_begin_of_another(text: str, expected: tuple[bool, bool]) -> None:
    assert outcomes(text) == expected
    if "from" not in text:
        assert outcomes(text, {CheckKind.DANGLING: "valid-deref"}) == expected


@pytest.mark.long
@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('(void *)"abc" == (void *)"abc"', EITHER),
        ('"abc" + 1 == (char *)"bc"', EITHER),
        ('char *s = "abc"; char *t = "bc"; s + 1 == t', EITHER),
        ('char *s = "abc"; char *t = s; s == t', ALWAYS),
        ('char *s = zero ? "abc" : "abc"; s == s', EITHER),
        ('char *s = "abc"; char *t = "xyz"; s == t', NEVER),
        ('char *s = "abc"; char *t = "bc"; s == t', NEVER),
        ('char *s = "abc"; char *t = ""; s + 3 == t', EITHER),
        ('char *s = "ab\\0"; char *t = "\\0c"; s + 2 == t || s + 3 == t', EITHER),
        ('char *s = "abc"; char c[4] = "abc"; s == c', NEVER),
        ('char *s = "abc"; char c[4] = "abc"; s + 4 == c', EITHER),
    ],
)
def test_string_literals_may_share_bytes(text: str, expected: tuple[bool, bool]) -> None:
    assert outcomes(text) == expected


@pytest.mark.long
@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("(const int[2]){1, 2} == (const int[2]){1, 2}", EITHER),
        ("const int *p = (const int[2]){1, 2}, *q = (const int[2]){1, 2}; p + 1 == q + 1", EITHER),
        ('(const void *)(const char[]){"abc"} == (const void *)"abc"', EITHER),
        ("shared == other_shared", EITHER),
        ("int *p = (int[2]){1, 2}, *q = (int[2]){1, 2}; p == q", NEVER),
        ("const int *p = (const int[2]){1, 2}; p == p", ALWAYS),
        ("const int *p = (const int[2]){1, 2}; p == a", NEVER),
        ("const int *p = (const int[2]){1, 2}; p == p + 1", NEVER),
        ("const int *p = (const int[2]){1, 2}; count((int *)p, (int *)p + 2) == 2", ALWAYS),
    ],
)
def test_compound_literals_of_constant_type_may_share_bytes(text: str, expected: tuple[bool, bool]) -> None:
    assert outcomes(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "struct node *h = 0; for (int i = 0; i < 3; i++) { struct node *n = malloc(8); n->next = h; h = n; }"
        "for (struct node *p = h; p != 0; p = p->next) if (p->next == h) reach_error();",
        "for (int *p = a; p != a + 2; p++) *p = 1; for (int *p = a + 2; p != a; p--) ; if (a[1] != 1) reach_error();",
        "int *p = a; int *q = &a[1]; if (p == q || q == b) reach_error();",
        "if (((long)(a + 2) & 7) && a + 2 == b) reach_error();",  # addresses are numbers: it is named where they lie
    ],
)
def test_other_comparisons_ask_nothing(text: str) -> None:
    program = lowered(text)
    assert not any(one.name == LAYOUT for one in program.inputs.values())
    assert not any(one.name.startswith("memory.sizes") for one in program.variables.values())


def verdict_of(path: Path, condition: str, replay: bool) -> interplay.api.RunVerdict:
    path.write_text(f"{DECLARED}int main(void) {{ if ({condition}) reach_error(); return 0; }}\n")
    return prepared.verify(str(path), engine="bmc", time_limit=60, no_native_replay=not replay)


@pytest.mark.long
def test_a_violation_is_confirmed_where_objects_lie_so(tmp_path: Path) -> None:
    found = [verdict_of(tmp_path / "a.c", one, replay=True) for one in ("a + 2 == b", "b + 2 == a")]
    assert sorted(one.status for one in found) == ["false", "unknown"]
    (unknown,) = (one for one in found if one.status == "unknown")
    assert "C leaves open where objects lie" in unknown.reason


@pytest.mark.long
@pytest.mark.parametrize(
    ("condition", "expected"),
    [
        ("a + 2 == b && b + 2 == pair.x", "false"),
        ("a + 2 == b && b + 2 == a", "unknown"),
        ("a + 2 == b && a + 2 == pair.x", "unknown"),
        ("a + 2 == b && b != a + 2", "unknown"),
        ('"abc" + 1 == (char *)"bc" && "bc" + 1 == (char *)"c"', "false"),
        ("shared == other_shared", "false"),
        ("(const int[]){1} == (const int[]){1}", "false"),
        ("(const int[]){1} == (const int[]){2}", "unknown"),
        ('"abc" + 3 == (char *)"" && "abc" + 4 == (char *)""', "unknown"),
    ],
)
def test_the_interpreter_takes_a_layout_that_is_possible(tmp_path: Path, condition: str, expected: str) -> None:
    assert verdict_of(tmp_path / "a.c", condition, replay=False).status == expected
