"""Orders of evaluation that C leaves open: each is tried, and what has no order at all is undefined."""

from __future__ import annotations

import pytest

from core.program.properties import CheckKind
from core.verdict import Safe, Unsafe
from frontend.api import parse_program
from frontend.lowering import UnreachCall, lower
from frontend.lowering.context import UNSEQUENCED
from frontend.source import Unsupported
from frontend.typed.ctype import DataModel
from methods.engines.bmc.engine import BmcEngine
from tests.support import prepared
from tests.support.contexts import RecordingContext
from tests.support.orders import outcomes

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
static int g, t[9]; struct pair { int a, b; }; extern int nondet(void);
static int next(void) { return ++g; }
static int twice(int k) { ++g; return 2 * k; }
static int *at(int i) { g = i; return t + i; }
static struct pair pair(int a, int b) { struct pair p = {a, b}; return p; }
static int same(int k) { return k; }
static int negated(int k) { return -k; }
static int (*choose(int k))(int) { return k ? same : negated; }
static int zero(void) { g = 7; return 0; }
static int spins(void) { for (;;) g = 1; }
static int fails(void) { reach_error(); return 0; }
void *malloc(unsigned long); void free(void *); static int gone(int *p) { free(p); return 1; }
static const int fixed = 2; _Noreturn static void never(void) {} static int comes_back(void) { never(); return 0; }
static int unreached(void) { __builtin_unreachable(); return 0; } static int without(int k) { if (k) return 1; }
static int needs(int *p) __attribute__((nonnull)); static int needs(int *p) { return 0; }
enum one { ONE }; static enum one one; static int named(int k) { one = k; return 0; }
static int listed(enum one e) { return 0; } static int (*nothing)(void); static int four(int p[static 4]) { return 0; }
static int begins(int k) { enum one e = k; return 0; } static int early(int k) { if (k) return; return 1; }
static int *none(void) __attribute__((returns_nonnull)); static int *none(void) { return 0; }
static int both_needed(int *p, int k) __attribute__((nonnull)); static int both_needed(int *p, int k) { return 0; }
static int again(void) { do g = 1; while (1); } static int back(void) { here: goto here; }
static int waits(void) { while (!y); return 0; } static int leaves(void) { for (;;) if (y) break; return 0; }
static int chosen(void) { while (1) switch (y) { case 0: break; } } static int once(void) { do g = 1; while (0); }
static int counts(void) { for (int i = 0; i < 3; i++) g = i; return 0; }
static int retries(void) { again: if (++g < 3) goto again; return 0; }
struct inner { int u[3]; }; union two { struct { int z; struct inner t; } x; struct { int z[2]; struct inner t; } y; };
union two w;
static int variable(int k, ...) { __builtin_va_list l; __builtin_va_start(l, k); return __builtin_va_arg(l, int); }
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
        ("x = 3; int n = a[x] + ends();", CheckKind.BOUNDS, True),
        ("x = 2; int n = a[x] + ends();", CheckKind.BOUNDS, False),
        ("x = 3; a[x] = ends();", CheckKind.BOUNDS, False),  # the store comes last
        ("y = 1; int n = 1 / (y - 1) + ends();", CheckKind.DIVISION, True),
        ("x = 2; a[x] = both();", CheckKind.BOUNDS, False),
        ("x = 3; a[x] = both();", CheckKind.BOUNDS, True),
        ("int *p = malloc(4); if (p) { *p = 3; x = *p + gone(p); }", CheckKind.DANGLING, True),
        ("int *p = malloc(4); if (p) { *p = 3; x = *p; x += gone(p); }", CheckKind.DANGLING, False),
        ("x = ends() + (a[3] = 1);", CheckKind.BOUNDS, True),
        ("x = ends() + (*(int *)&fixed = 1);", CheckKind.CONST, True),
        ("x = ends() + comes_back();", CheckKind.NORETURN, True),
        ("x = ends() + unreached();", CheckKind.UNREACHABLE, True),
        ("x = ends() + unreached();", CheckKind.NORETURN, False),
        ("x = ends() + without(0);", CheckKind.RETURN, True),
        ("x = ends() + without(1);", CheckKind.RETURN, False),
        ("x = ends() + ((int (*)(long))same)(1);", CheckKind.CALL, True),
        ("x = ends() + ((int (*)(int))same)(1);", CheckKind.CALL, False),
        ("x = ends() + needs(0);", CheckKind.NONNULL, True),
        ("x = ends() + needs(&x);", CheckKind.NONNULL, False),
        ("y = nondet(); x = ends() + (unsigned char)y;", CheckKind.CONVERSION, True),
        ("x = ends() + (int)1e10;", CheckKind.FLOAT_CONVERSION, True),
        ("x = ends() + named(5);", CheckKind.ENUM, True),
        ("x = ends() + named(0);", CheckKind.ENUM, False),
        ("x = ends() + ((long *)((char *)a + 1) != 0);", CheckKind.ALIGNMENT, True),
        ("x = ends() + (a + 4 != 0);", CheckKind.POINTER, True),
        ("x = ends() + variable(1);", CheckKind.ARGUMENTS, True),
        ("x = 4; y = ends() + (&a[x] != 0);", CheckKind.BOUNDS, True),
        ("x = -1; y = ends() + ({ int b[x]; 0; });", CheckKind.LENGTH, True),
        ("x = ends() + begins(7);", CheckKind.ENUM, True),
        ("x = ends() + nothing();", CheckKind.NULL, True),
        ("x = ends() + nothing();", CheckKind.DANGLING, True),
        ("x = ends() + four(a);", CheckKind.DANGLING, True),
        ("x = ends() + early(1);", CheckKind.RETURN, True),
        ("x = ends() + (none() != 0);", CheckKind.NONNULL, True),
        ("x = ends() + (w.y.t = w.x.t).u[0];", CheckKind.OVERLAP, True),
        ("x = ends() + (w.y.t = w.y.t).u[0];", CheckKind.OVERLAP, False),
        ("x = both() + (((union two *)&w)->y.t = w.x.t).u[0];", CheckKind.OVERLAP, True),
        ("both_needed(0, ends());", CheckKind.NONNULL, False),  # there is no call
    ],
)
def test_undefined_behaviour_in_either_order_is_seen(text: str, kind: CheckKind, expected: bool) -> None:
    assert can_fail(text, kind) is expected


@pytest.mark.parametrize(
    ("expression", "values"),
    [
        ("next() - next()", {-1, 1}),
        ("(next() - next()) * -1", {-1, 1}),
        ("next() ^ ~next()", {~3}),
        ("next() - (1 < (next() == 3))", {1, 2}),
        ("next() >> ((2 & (next() >= next())) & 7)", {1, 2, 3}),
        ("sum(next(), next(), next())", {123, 132, 213, 231, 312, 321}),
        ("sum(next(), (next(), next()), 0)", {130, 230, 320}),
        ("10 * twice(next()) + next()", {23, 22, 41}),  # next() may come between the argument and the call
        ("g + next()", {1, 2}),
        ("g++ + 10 * next()", {20, 11}),
        ("(g = 5) + 10 * next()", {15, 65}),
        ("(g && next()) + 10 * next()", {10, 11}),
        ("(next() ? g : 0) - next()", {-1, 0, 1}),
        ("(next(), g) + 10 * next()", {21, 22, 12}),
        ("g += next()", {2}),  # the operation is one evaluation, which the call comes before (C11 6.5.16.2)
        ("t[g] += next()", {9 + 1, 8 + 1}),
        ("*at(0) + *at(1)", {9 + 8}),
        ("pair(next(), next()).b - next()", {-2, -1, 1, 2}),
        ("({ struct pair p = {next(), next()}; p.a - p.b; })", {-1, 1}),
        ("({ int u[2] = {g, next()}; u[0]; })", {0, 1}),
        ("choose(g)(next())", {-1, 1}),
        ("zero() + zero()", {0}),
    ],
)
def test_the_values_of_all_orders_and_no_others(expression: str, values: set[int]) -> None:
    """`next` counts how often it was called, `twice` also changes the count."""
    text = f"{DECLARED}int main(void) {{ t[0] = 9; t[1] = 8; return {expression}; }}\n"
    unit = parse_program(text, "t.c", DataModel.LP64)
    assert outcomes(unit, lower(unit, UnreachCall())) == values


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("ends() + fails();", True),  # C may call fails() first
        ("int n = fails() + ends();", True),
        ("int n = spins() + fails();", True),
        *((f"int n = {name}() + fails();", True) for name in ("again", "back", "waits", "leaves", "chosen")),
        ("int n = (x && ends()) + fails();", True),
        ("int n = ends() && fails();", False),
        ("y = sum(0, 0, fails() + (x = 5));", True),
    ],
)
def test_a_call_that_ends_the_program_may_come_after_an_error(text: str, expected: bool) -> None:
    assert can_fail(text) is expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("int i = 0; i = i++;", True),
        ("int i = 0; i = i + 1;", False),
        ("int i = 0; a[i] = i++;", True),
        ("int i = 0; i = a[i++];", True),
        ("int i = 0; sum(i++, i, 0);", True),
        ("int i = 0; sum((i++, 1), 0, i);", True),
        ("int i = 0, j = 0; a[i++] = j++;", False),
        ("int i = 0; i = (i++, 3);", False),
        ("int i = 0; i++ && i--;", False),
        ("int i = 0; i = x ? i++ : 0;", False),  # x is 0
        ("int i = 0; i = x ? 0 : i++;", True),
        ("int i = nondet(), j = nondet(); if (0 <= i && i < j && j < 3) a[i] = a[j]++;", False),
        ("int i = nondet(), j = nondet(); if (0 <= i && i <= j && j < 3) a[i] = a[j]++;", True),
        ("int *p = a, *q = a + nondet() % 2; *p = (*q)++;", True),
        ("int *p = a, *q = a + 1; *p = (*q)++;", False),
        ("struct list l = {0}; l.used = l.rows[0]++;", False),
        ("struct list l = {0}, *k = &l; l.used = k->used++;", True),
        ("x = next() + next();", False),  # calls have an order, whichever
        ("g = next();", False),
        ("int n[2] = {g++, g++};", False),  # and so have initialisers
        ("int i, j; i = j = 0;", False),
        ("int i = 0; x = ends() + (i = i++);", True),  # before the program ends
        ("int i = 0; x = ends() + (i + i++);", True),
        ("int i = 0; sum(ends(), i++, i);", True),
        ("int i = 0; sum(i, i++, ends());", True),
        ("int i = 0; x = (i = ends()) + i++;", False),  # behind it
        ("int i = 0; x = ends() ? i + i++ : 0;", False),
        ("int i = nondet(), j = nondet(); if (0 <= i && i < j && j < 3) x = ends() + (a[i] = a[j]++);", False),
        ("int i = nondet(), j = nondet(); if (0 <= i && i <= j && j < 3) x = ends() + (a[i] = a[j]++);", True),
    ],
)
def test_what_has_no_order_at_all_is_undefined(text: str, expected: bool) -> None:
    assert can_fail(text, CheckKind.SEQUENCE) is expected


def test_what_is_undefined_is_assumed_not_to_be_where_nobody_asks() -> None:
    unit = parse_program(f"{DECLARED}int main(void) {{ int i = 0; i = i++; return i; }}\n", "t.c", DataModel.LP64)
    assert UNSEQUENCED in lower(unit, UnreachCall()).assumptions
    assert UNSEQUENCED not in lower(unit, UnreachCall(), kinds={CheckKind.SEQUENCE: "sequence"}).assumptions


def test_two_objects_of_other_shapes_may_be_one_and_are_refused_where_it_is_asked() -> None:
    text = f"{DECLARED}union u {{ int i; struct {{ short h; }} s; }} u; int main(void) {{ u.i = u.s.h++; return 0; }}"
    unit = parse_program(text, "t.c", DataModel.LP64)
    assert UNSEQUENCED in lower(unit, UnreachCall()).assumptions
    with pytest.raises(Unsupported, match=r"whether .* meet is not decided"):
        lower(unit, UnreachCall(), kinds={CheckKind.SEQUENCE: "sequence"})


@pytest.mark.parametrize(("name", "chooses"), [("waits", True), ("once", False), ("counts", False), ("retries", False)])
def test_a_loop_counts_as_one_without_end_where_nothing_changes_its_conditions(name: str, chooses: bool) -> None:
    unit = parse_program(f"{DECLARED}int main(void) {{ return {name}() + fails(); }}\n", "t.c", DataModel.LP64)
    program = lower(unit, UnreachCall())
    assert bool(program.orders.conflicts) is chooses


@pytest.mark.long
def test_the_interpreter_confirms_a_violation_in_an_order_that_gcc_does_not_take(tmp_path: object) -> None:
    path = f"{tmp_path}/a.c"
    body = "struct list l = {{0}}; l.rows[l.used] = row(&l); if (l.rows[{}] != 7) reach_error();"
    verdicts = []
    for index in (0, 1):
        with open(path, "w") as file:
            file.write(f"{DECLARED}int main(void) {{ {body.format(index)} return 0; }}\n")
        verdicts.append(prepared.verify(path, engine="bmc", time_limit=60))
    assert [one.status for one in verdicts] == ["false", "false"]
    confirmed = [one.confirmed_by.partition(";")[0].partition(" (")[0] for one in verdicts]
    assert sorted(confirmed) == ["interpreter of typed C", "native replay"]
