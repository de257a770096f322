"""Blocks of memory that leave the member where they begin: the members behind it are a part of them."""

from __future__ import annotations

import pytest

from core.verdict import Safe, Unsafe
from frontend.api import parse_program
from frontend.lowering import lower
from frontend.typed.ctype import DataModel
from methods.engines.bmc.engine import BmcEngine
from tests.support.contexts import RecordingContext

HEAD = """extern void *malloc(unsigned);
extern void *memset(void *, int, unsigned); extern void *memcpy(void *, const void *, unsigned);
extern int memcmp(const void *, const void *, unsigned); extern void reach_error(void);
struct S { int a; short b; signed char c[6]; int d; }; struct P { int a; int *p; int d; };
"""
HOLD = {
    "zeros": "struct S s; s.c[3] = 5; s.d = 1; memset(&s.b, 0, 8); if (s.c[3] || s.d != 1) reach_error();",
    "other bytes": "struct S s; s.c[0] = s.c[3] = 5; memset(&s.b, -1, 4); "
    "if (s.c[0] != -1 || s.c[3] != 5) reach_error();",
    "a copy": "struct S s, t; t.b = 1; t.c[3] = 6; s.c[3] = 5; memcpy(&s.b, &t.b, 8); if (s.c[3] != 6) reach_error();",
    "of one type": "struct { int a, b, c; } s; s.b = 5; s.c = 6; memset(&s.a, 0, 8); "
    "if (s.b || s.c != 6) reach_error();",
    "through a pointer": "struct S s, *p = &s; s.c[1] = 5; memset(&p->b, 0, 8); if (s.c[1]) reach_error();",
    "from an element": "struct S s; s.c[5] = 5; s.d = 6; memset(&s.c[4], 0, 6); if (s.c[5] || s.d) reach_error();",
    "in an array": "struct S s[2]; s[1].c[1] = 5; memset(&s[1].b, 0, 8); if (s[1].c[1]) reach_error();",
    "a window on more": "struct W { int n; char d[]; } *p = malloc(12); memset(p->d, 0, 8); "
    "if (p->d[7]) reach_error();",
    "a comparison": "struct S s = {1, 2, {3}, 4}, t = {1, 2, {4}, 4}; if (!memcmp(&s.b, &t.b, 8)) reach_error();",
}


@pytest.mark.long
@pytest.mark.parametrize("negated", [False, True])
@pytest.mark.parametrize("name", list(HOLD))
def test_what_lies_behind_a_member_is_a_part(name: str, negated: bool) -> None:
    condition = (
        HOLD[name].replace("if (", "if (!(").replace(") reach_error", ")) reach_error") if negated else HOLD[name]
    )
    program = lower(parse_program(HEAD + f"int main() {{ {condition} return 0; }}", "a.c", DataModel.ILP32), None)
    (outcome,) = BmcEngine().run(program, [0], RecordingContext()).values()
    assert isinstance(outcome, Unsafe if negated else Safe)


def test_what_pointers_become_as_bytes_is_not_known() -> None:
    """The copy is a call of an undefined function then, of which no violation may need anything."""
    text = "int main() { struct P s; s.p = &s.a; memset(&s.a, 0, 8); if (s.p) reach_error(); }"
    program = lower(parse_program(HEAD + text, "a.c", DataModel.ILP32), None)
    assert any("memset is not defined" in one for one in program.warnings)
    (outcome,) = BmcEngine().run(program, [0], RecordingContext()).values()
    assert isinstance(outcome, Unsafe)  # which is not confirmed
