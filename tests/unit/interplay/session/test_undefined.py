"""Checks of undefined behaviour from the command line to the verdict."""

from __future__ import annotations

from pathlib import Path

import pytest

import interplay
from core.program.properties import SELECTABLE, CheckKind
from core.verdict import Status, Verdict
from interplay.commands.cli import main
from interplay.session.context import Steering
from interplay.session.default_services import DefaultServices
from interplay.session.request import ReplayMode, Request
from interplay.session.session import Session
from interplay.session.storage import NoStorage

HEAD = """#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
struct node { int value; struct node *next; };
int a[10]; int *local(int x) { int z = x; int *p = &z; return p; }
int half(int x) { if (x) return x / 2; }
"""

BAD = {
    "overflow": "x = x + 1;",
    "bounds": "if (x >= 0 && x < 11) a[x] = 1;",
    "division": "if (x > -3 && x < 3) y = 7 % x;",
    "shift": "y = 1u << (x & 63);",
    "null": "struct node n = {0, 0}; struct node *p = &n; if (x) p = p->next; p->value = 1;",
    "dangling": "int *p = malloc(x ? 8 : 4); p[0] = 1; p[1] = 1; free(p);",
    "pointer": "int *p = a + 1; if (x >= 0 && x < 11) p = p + x;",
    "length": "if (x > -2 && x < 3) { int v[x]; y = sizeof v > 2; }",
}
"""A body of main with one flaw, for each kind."""

GOOD = {
    "overflow": "if (x < 2147483647) x++; y = (x >> 1) + (y >> 1);",
    "bounds": "for (int i = 0; i < 10; i++) a[i] = i;",
    "division": "if (x != 0 && y > 0) y = y / x;",
    "shift": "for (int i = 0; i < 32; i++) y = 1u << i;",
    "null": "struct node n = {0, 0}; struct node *p = &n; if (x) p = p->next; if (p) p->value = 1;",
    "dangling": "int *p = malloc(8); p[0] = 1; p[1] = 1; free(p);",
    "pointer": "int *p = a + 1; if (x >= 0 && x < 10) p = p + x; y = p - a > 3 && a <= p;",
    "length": "if (x > 0 && x < 3) { int v[x]; y = sizeof v > 2; }",
}

WRONG = {
    "a length with effects": ("int v[x > 5 ? y-- : x++]; y = sizeof v > 2;", "def-behavior"),
    "two objects": ("int b[2] = {0, 0}; y = a - b > 3;", "def-behavior"),
    "an order of two": ("int b[2] = {0, 0}; if (x && (x > 3 || &b[1] < a)) y = 1;", "def-behavior"),
    "before its start": ("for (int *p = a + 3; p >= a; p--) y += *p == 0;", "def-behavior"),
    "after its life": ("int *p = malloc(4); *p = 1; free(p); y = *p;", "valid-deref"),
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


def verdict(body: str, folder: Path, *checks: CheckKind, property: str | None = None) -> Verdict:
    """The verdict of a session in this process; nothing is compiled."""
    request = Request(str(write(body, folder)), property, replay=ReplayMode.INTERPRETER, checks=checks)
    return Session(request, DefaultServices(), lambda _: None, Steering(), NoStorage()).run().verdict


def test_every_kind_has_its_examples() -> None:
    assert set(BAD) == set(GOOD) == set(SELECTABLE)


@pytest.mark.parametrize("kind", BAD)
def test_a_flaw_is_found_and_confirmed(kind: str, tmp_path: Path) -> None:
    found = verdict(BAD[kind], tmp_path, CheckKind(kind))
    assert str(found) == f"false({kind})"
    assert found.confirmed_by == "interpreter of typed C"
    assert [one.span.line for one in found.checks if one.status is Status.FALSE] == [7]


@pytest.mark.long
@pytest.mark.parametrize("kind", GOOD)
def test_its_absence_is_proved(kind: str, tmp_path: Path) -> None:
    found = verdict(GOOD[kind], tmp_path, CheckKind(kind))
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


BROKEN = {
    "outside of a row": ("int t[4][3] = {{0}}, i = 4; if (t[i][0] == 0) __VERIFIER_error();", "bounds"),
    "outside of an array": ("int b[2] = {0, 0}, i = 2; if (b[i] == 0) __VERIFIER_error();", "bounds"),
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


def test_nor_is_a_proof_beside_it(tmp_path: Path) -> None:
    body, _ = BROKEN["outside of an array"]
    found = verdict(f"{body} if (x != x) __VERIFIER_error();", tmp_path)
    assert {one.status for one in found.checks} == {Status.UNKNOWN}
    assert any("an execution runs into undefined behaviour" in one.reason for one in found.checks)


def test_a_number_without_magnitude(tmp_path: Path) -> None:
    assert str(verdict("y = abs(x);", tmp_path, CheckKind.OVERFLOW)) == "false(overflow)"
    assert verdict("if (x != -2147483647 - 1) y = abs(x);", tmp_path, CheckKind.OVERFLOW).status is Status.TRUE


BEYOND = {
    "without a value": "int z; int *p = &z; y = *p;",
    "the heap without a value": "int *p = malloc(4); y = *p; free(p);",
    "a constant": "const int c = 1; *(int *)&c = 2;",
    "misaligned": "char c[8] = {0}; int *p = (int *)(c + 1); y = *p;",
    "overlapping": "__builtin_memcpy(a, a + 1, 12);",
    "no result": "y = half(x);",
}
"""A body of main with undefined behaviour that no check is about."""


@pytest.mark.parametrize("name", BEYOND)
def test_def_behavior_is_shown_only_where_all_of_it_is(name: str, tmp_path: Path) -> None:
    found = verdict(BEYOND[name], tmp_path, property="def-behavior")
    assert found.status is not Status.TRUE


def test_def_behavior_is_shown(tmp_path: Path) -> None:
    found = verdict("int s = 0; for (int i = 0; i < 10; i++) s += a[i] == i;", tmp_path, property="def-behavior")
    assert found.status is Status.TRUE
    assert len(found.assumptions) == 1


@pytest.mark.long
def test_a_process_of_its_own(tmp_path: Path) -> None:
    path = write(f"{BAD['division']} {GOOD['bounds']}", tmp_path)
    found = interplay.verify(path, check=["bounds", "division"], time_limit=60)
    assert (found.status, found.property) == ("false", "division")
    assert {(one.property, one.status) for one in found.checks} == {("bounds", "true"), ("division", "false")}


@pytest.mark.long
def test_exit_codes(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "program.c"
    path.write_text("int main(int n, char **p) { return n + 1; }\n")
    assert main(["verify", str(path), "--check", "overflow,shift"]) == 10
    assert main(["verify", str(path), "--property", "termination"]) == 4
    assert "--property:1: error: the property termination is not supported" in capsys.readouterr().err
    with pytest.raises(SystemExit) as ended:
        main(["verify", str(path), "--check", "magic"])
    assert ended.value.code == 2
