"""Calls that may change what other operands of an expression read: C leaves the order of the two open."""

from __future__ import annotations

import pytest

import interplay
from core.engines.bmc.engine import BmcEngine
from core.program.properties import CheckKind
from core.verdict import Safe, Unsafe
from frontend.api import parse_program
from frontend.lowering import UnreachCall, lower
from frontend.source import Unsupported
from frontend.typed.ctype import DataModel
from tests.support.contexts import RecordingContext

DECLARED = """void reach_error(void); void stop(void) __attribute__((noreturn)); int x, y, a[3];
struct list { int used; int rows[4]; int *at; struct list *next; };
static int row(struct list *l) { l->used++; return 7; }
static int both(void) { x = 1; y = 1; return 0; }
static int forget(struct list *l) { l->at = 0; return 0; }
static struct list *after(struct list *l) { l->next = l->next->next; return l; }
static int ends(void) { x = 5; stop(); return 0; }
static int sum(int a, int b, int c) { return 100 * a + 10 * b + c; }
static double half(struct list *l) { l->used++; return 0.5; }
static int scaled(int a, double b) { return a; }
"""


def can_fail(text: str, kind: CheckKind | None = None) -> bool:
    """Whether the error, or the last check of the kind, can happen in an order that C allows."""
    unit = parse_program(f"{DECLARED}int main(void) {{ {text} return 0; }}\n", "t.c", DataModel.LP64)
    program = lower(unit, UnreachCall(), kinds={} if kind is None else {kind: kind.value})
    wanted = [one.id for one in program.checks if kind is None or one.property == kind.value]
    found = BmcEngine().run(program, wanted, RecordingContext())
    assert set(map(type, found.values())) <= {Safe, Unsafe}
    return any(isinstance(one, Unsafe) for one in found.values())


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("struct list l = {0}; l.rows[l.used] = row(&l); if (l.rows[0] != 7) reach_error();", True),
        ("struct list l = {0}; l.rows[l.used] = row(&l); if (l.rows[1] != 7) reach_error();", True),
        ("struct list l = {0}; l.rows[l.used] = row(&l); if (l.rows[0] + l.rows[1] != 7) reach_error();", False),
        *((f"if (sum(x, y, both()) == {one}) reach_error();", True) for one in (0, 10, 100, 110)),
        ("int n = sum(x, y, both()); if (n % 10 || n > 110) reach_error();", False),
        ("int n = x - both(); if (n != 0 && n != 1) reach_error();", False),
        (
            "struct list k = {3}, m = {2, {0}, 0, &k}, l = {1, {0}, 0, &m}; int n = l.next->used + after(&l)->used;"
            "if (n != 3 && n != 4) reach_error();",
            False,
        ),
        (
            "struct list k = {3}, m = {2, {0}, 0, &k}, l = {1, {0}, 0, &m}; int n = l.next->used + after(&l)->used;"
            "if (n != 3) reach_error();",
            True,
        ),
        ("struct list l = {1}; int n = scaled(l.used, half(&l)); if (n != 1 && n != 2) reach_error();", False),
        ("struct list l = {1}; int n = scaled(l.used, half(&l)); if (n == 2) reach_error();", True),
    ],
)
def test_both_orders_are_tried(text: str, expected: bool) -> None:
    assert can_fail(text) is expected


@pytest.mark.parametrize(
    ("text", "kind", "expected"),
    [
        ("int z = 1; struct list l = {0, {0}, &z}; z = *l.at + forget(&l);", CheckKind.NULL, True),
        ("int z = 1; struct list l = {0, {0}, &z}; z = *l.at + row(&l);", CheckKind.NULL, False),
        ("x = 3; a[x] = ends();", CheckKind.BOUNDS, True),
        ("x = 2; a[x] = ends();", CheckKind.BOUNDS, False),
        ("x = 2; a[x] = both();", CheckKind.BOUNDS, False),
        ("x = 3; a[x] = both();", CheckKind.BOUNDS, True),
    ],
)
def test_undefined_behaviour_in_either_order_is_seen(text: str, kind: CheckKind, expected: bool) -> None:
    assert can_fail(text, kind) is expected


@pytest.mark.parametrize(
    "text",
    [
        "int n = x++ + both();",  # undefined
        "x += both();",
        "int n = (x && y) + both();",
        "int n = sum(x, both(), both());",
    ],
)
def test_other_orders_are_refused(text: str) -> None:
    with pytest.raises(Unsupported, match="the order in which this expression reads and writes"):
        can_fail(text)


@pytest.mark.long
def test_a_violation_in_the_order_of_the_replay_alone_is_confirmed(tmp_path: object) -> None:
    path = f"{tmp_path}/a.c"
    body = "struct list l = {{0}}; l.rows[l.used] = row(&l); if (l.rows[{}] != 7) reach_error();"
    verdicts = []
    for index in (0, 1):
        with open(path, "w") as file:
            file.write(f"{DECLARED}int main(void) {{ {body.format(index)} return 0; }}\n")
        verdicts.append(interplay.verify(path, engine="bmc", time_limit=60))
    assert sorted(one.status for one in verdicts) == ["false", "unknown"]
    (unknown,) = (one for one in verdicts if one.status == "unknown")
    assert "C leaves the order open in which it evaluates the expression at" in unknown.reason
