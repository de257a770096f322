"""Programs with volatile objects: what may change between two accesses violates, and its twin holds."""

from __future__ import annotations

from pathlib import Path

import pytest

from interplay.api import RunVerdict
from interplay.session.request import VOLATILE_ARBITRARY, VOLATILE_MEMORY
from tests.support import prepared

pytestmark = pytest.mark.long

PORT = "typedef struct { volatile unsigned cr, sr; unsigned n; short h[3]; } port;\n#define P1 ((port *)0x40011000)\n"
SET = "static void set(volatile char *p) { *p = 0; }"
PAIR = "struct s { int a; volatile int r; } s, *p = &s;"
BITS = "struct s { volatile unsigned b : 3; } s;"

CASES = {
    "a read": ("volatile int v;", "int a = v, b = v; assert(a == b);", "int a = v, b = a; assert(a == b);"),
    "a write": ("volatile int v;", "v = 3; assert(v == 3);", "int a = (v = 3); assert(a == 3);"),
    "a local": (
        "volatile int *kept;",
        "volatile int v = 3; kept = &v; assert(v == 3);",
        "volatile int v = 3; assert(v == 3);",
    ),
    "a static local": ("", "static volatile int v; assert(v == 0);", "static int v; assert(v == 0);"),
    "an increment": (
        "volatile unsigned char v;",
        "unsigned a = v++; assert(v == (unsigned char)(a + 1));",
        "unsigned a = v++; assert(a <= 255);",
    ),
    "an assignment": ("volatile int v;", "v &= 7; assert(v <= 7);", "int a = (v &= 7); assert(a >= 0 && a <= 7);"),
    "a step": (
        "volatile int v;",
        "int n = 0; for (v = 0; v < 2; v++) if (++n > 5) break; assert(n <= 2);",
        "int n = 0; for (v = 0; v < 2; v++) if (++n > 5) break; assert(n <= 6);",
    ),
    "a member": (PAIR, "s.r = 1; assert(s.r == 1);", "s.a = 1; assert(s.a == 1);"),
    "a member through a pointer": (PAIR, "p->r = 1; assert(p->r == 1);", "p->a = 1; assert(p->a == 1);"),
    "a pointer": (
        "int x;",
        "volatile int *q = &x; *q = 1; assert(*q == 1);",
        "volatile int *q = &x; *q = 1; assert(x == 1);",
    ),
    "a cast": (
        "int x;",
        "x = 4; int a = *(volatile int *)&x; assert(a == x);",
        "int y = 4; int a = *(volatile int *)&y; assert(a == y);",
    ),
    "a struct": (
        "struct s { int a, b; }; volatile struct s s;",
        "struct s t = s, u = s; assert(t.b == u.b);",
        "struct s t = s, u = t; assert(t.b == u.b);",
    ),
    "a struct with a member": (
        PAIR,
        "struct s t = s, u = s; assert(t.r == u.r);",
        "struct s t = s, u = s; assert(t.a == u.a);",
    ),
    "an array": ("volatile int a[4]; int b[4];", "a[1] = 5; assert(a[1] == 5);", "b[1] = 5; assert(b[1] == 5);"),
    "a truth value": ("volatile _Bool b;", "assert(b == b);", "int a = b; assert(a == 0 || a == 1);"),
    "a bit-field": (BITS, "unsigned a = s.b; assert(a <= 6);", "unsigned a = s.b++; assert(a <= 7);"),
    "a character": (
        "volatile signed char c;",
        "int a = c; assert(a > -128);",
        "int a = c; assert(a >= -128 && a <= 127);",
    ),
    "an enumeration": (
        "enum e { A, B }; volatile enum e e;",
        "int a = e == A, b = e == A; assert(a == b);",
        "enum e a = e; assert((a == A) == (a == A));",
    ),
    "a register": (
        "#define R (*(volatile unsigned *)0x40011004)",
        "R = 1; assert(R == 1);",
        "R = 1; unsigned a = (R |= 4); assert(a & 4);",
    ),
    "a member of a device": (PORT, "P1->cr = 1; assert(P1->cr == 1);", "unsigned a = P1->sr & 1; assert(a <= 1);"),
    "a member that is plain": (PORT, "assert(P1->n != 7);", "P1->n = 1; P1->cr = 2; assert(P1->n == 1);"),
    "a plain element of a member": (
        PORT,
        "if (P1->n == 5) assert(P1->h[1] != -3 || P1->sr < 3);",
        "int i = 1; P1->h[i] = 4; P1->h[2] = 5; P1->h[1]++; assert(P1->h[i] == 5);",
    ),
    "a device as a whole": (
        PORT,
        "port t = *P1, u = *P1; assert(t.cr == u.cr);",
        "port t = *P1, u = *P1; assert(t.n == u.n); t.n = 9; *P1 = t; assert(P1->n == 9);",
    ),
    "a device behind a pointer": (
        PORT + "void set(port *p) { p->n = 4; p->cr = 5; }",
        "set(P1); assert(P1->cr == 5);",
        "set(P1); assert(P1->n == 4);",
    ),
    "a constant pointer": (
        "static volatile unsigned *const r = (volatile unsigned *)(0x40000000UL + 4);",
        "*r = 1; assert(*r == 1);",
        "unsigned a = *r; assert(a == (*r, a));",
    ),
    "a pointer to a register": (
        "volatile unsigned *r = (volatile unsigned *)0x40000000;",
        "*r = 1; assert(*r == 1);",
        "unsigned a = *r; assert(a == (*r, a));",
    ),
    "the address of a register": (
        "struct port { volatile unsigned cr, sr, b[4]; };\n#define P ((struct port *)0x40011000)\n",
        "assert((unsigned)&P->sr == 0x40011008);",
        "volatile unsigned *p = &P->sr; P->cr = (unsigned)p; *p = 1; "
        "assert((unsigned)p == 0x40011004 && p == &P->cr + 1 && P->b == (unsigned *)0x40011008);",
    ),
    "elements of a register": (
        "#define R ((volatile unsigned *)0x40000000)",
        "int i = 3; R[i] = 1; assert(R[i] == 1);",
        "int i = 3; unsigned a = (R[i++] = 1); assert(a == 1 && i == 4);",
    ),
    "a wait": (
        "volatile int ready;",
        "ready = 0; while (!ready) { } assert(0);",
        "ready = 0; if (ready > 3) assert(ready || 1);",
    ),
    "a wait with a bound": (
        "volatile unsigned v;",
        "unsigned n = 0; while (!(v & 1)) if (++n == 9) return 1; assert(v & 1);",
        "unsigned n = 0; while (!(v & 1)) if (++n == 9) return 1; assert(n < 9);",
    ),
    "an order": (
        "volatile int v; int f(void) { return v; }",
        "int a = v - f(); assert(a == 0);",
        "int k = v; int a = k - (f(), k); assert(a == 0);",
    ),
    "a typedef": ("typedef volatile unsigned char reg8; reg8 r;", "r = 1; assert(r == 1);", "assert(r <= 255);"),
    "one of two": (
        "volatile int v; int x;",
        "volatile int *q = x ? &v : &x; *q = 0; assert(*q == 0);",
        "volatile int *q = x ? &v : &x; *q = 0; assert(x == 0);",
    ),
    "a parameter": (
        "int twice(volatile int *q) { return *q - *q; } int once(int k) { return k - k; } int x;",
        "assert(twice(&x) == 0);",
        "assert(once(x) == 0);",
    ),
    "a constant": ("const volatile int r = 1; const int c = 1;", "assert(r == 1);", "assert(c == 1);"),
    "a union": (
        "union u { volatile unsigned w; unsigned char b[4]; } u;",
        "u.w = 1; assert(u.w == 1);",
        "u.b[0] = 1; assert(u.b[0] == 1);",
    ),
    "a wide one": ("volatile unsigned long long t;", "assert(t <= t);", "unsigned long long a = t; assert(a <= a);"),
    "a handler of interrupts": (
        "static volatile int t; void isr(void) { t++; }",
        "int a = t; while (t - a < 3) { } assert(t - a >= 3);",
        "int a = t; int b = t; if (a == b) assert(a - b == 0);",
    ),
}


def verdict(head: str, body: str, folder: Path, **options: object) -> RunVerdict:
    file = folder / "volatile.c"
    file.write_text(f"#include <assert.h>\n{head}\nint main(void) {{ {body} return 0; }}\n")
    return prepared.verify(str(file), **options)


@pytest.mark.sampled
@pytest.mark.slow
@pytest.mark.parametrize("name", CASES)
def test_what_may_change_violates_and_is_replayed(name: str, tmp_path: Path) -> None:
    head, wrong, right = CASES[name]
    found = verdict(head, wrong, tmp_path, engine="bmc")
    assert (found.status, bool(found.confirmed_by)) == ("false", True)
    assert verdict(head, right, tmp_path, engine="bmc").status == "true"


UNCHANGED = "objects that are volatile are memory, which only the program changes"
REGISTERS = "there are objects at the constant addresses that the program accesses"
POINTERS = "pointers that are volatile are memory, which only the program changes"


@pytest.mark.parametrize("body", ["int a = v, b = v; assert(a == b);", "v = 1; v++; assert(v == 2);"])
def test_memory_is_what_the_program_has_written(body: str, tmp_path: Path) -> None:
    found = verdict("volatile int v;", body, tmp_path, volatile="memory")
    assert (found.status, UNCHANGED in found.assumptions) == ("true", True)
    assert VOLATILE_MEMORY in found.premises
    found = verdict("volatile int v;", body, tmp_path)
    assert UNCHANGED not in found.assumptions
    assert VOLATILE_ARBITRARY in found.premises


def test_a_property_is_about_memory(tmp_path: Path) -> None:
    head, body = "void reach_error(void); volatile int v;", "v = 1; if (v != 1) reach_error();"
    found = verdict(head, body, tmp_path, property="unreach-call")
    assert (found.status, UNCHANGED in found.assumptions) == ("true", True)
    assert verdict(head, body, tmp_path).status == "false"
    assert verdict(head, body, tmp_path, property="unreach-call", volatile="arbitrary").status == "false"


def test_pointers_are_moved_among_registers(tmp_path: Path) -> None:
    body = "volatile unsigned *r = (volatile unsigned *)0x40000004; *(r + %d) = 1;"
    kinds = ("pointer", "dangling")
    assert verdict("", body % 4, tmp_path, check=kinds).status == "true"
    assert verdict("", body % 4096, tmp_path, check=kinds).status == "false"


@pytest.mark.parametrize("cast", ["volatile int *", "int *"])
def test_first_contents_at_constant_addresses_are_replayed_where_they_are_memory(cast: str, tmp_path: Path) -> None:
    found = verdict("", f"assert(*({cast})0x4000 != 77);", tmp_path, engine="bmc", volatile="memory")
    assert (found.status, bool(found.confirmed_by)) == ("false", True)


def test_what_is_assumed_of_registers_and_pointers_is_named(tmp_path: Path) -> None:
    found = verdict("int x, *volatile p = &x;", "assert(*(volatile int *)0x4000 <= 0x7fffffff && p == &x);", tmp_path)
    assert (found.status, {REGISTERS, POINTERS} <= set(found.assumptions)) == ("true", True)
    found = verdict("int x;", "int *volatile p = &x; assert(p == &x);", tmp_path)
    assert (found.status, {REGISTERS, POINTERS} & set(found.assumptions)) == ("true", set())


@pytest.mark.parametrize(
    ("head", "body"),
    [
        ("", "*(volatile int *)0x4000 = 1; assert(*(volatile char *)0x4001 == 0);"),
        (PORT, "P1->sr = 1; assert(*(volatile unsigned *)0x40011004 == 1);"),
        (
            PORT,
            "port *p = P1; *(volatile unsigned *)0x40011004 = 1; p->sr = 2; assert(*&P1->cr);",
        ),
        (SET, "*(volatile int *)0x4000 = 1; set((volatile char *)0x4001); assert(*(volatile int *)0x4000 == 1);"),
        (
            PORT,
            "port b = {0}; *(volatile unsigned *)0x40011004 = 1; *(volatile port *)P1 = b; "
            "assert(*(volatile unsigned *)0x40011004);",
        ),
    ],
)
def test_registers_of_two_widths_are_no_memory(head: str, body: str, tmp_path: Path) -> None:
    found = verdict(head, body, tmp_path, volatile="memory")
    assert (found.status, "is accessed in several ways" in found.reason) == ("ERROR", True)
    assert verdict(head, body, tmp_path).status == "false"


@pytest.mark.parametrize("volatile", ["arbitrary", "memory"])
@pytest.mark.parametrize(
    "body",
    [
        "P1->n = 1; *(volatile unsigned *)0x40011008 = 4; assert(P1->n == 1);",
        "port *p = P1; p->n = 1; *(volatile unsigned *)0x40011008 = 4; assert(p->n == 1);",
        "P1->h[0] = 1; *(volatile short *)0x4001100c = 4; assert(P1->h[0] == 1);",
        "P1->n = 1; *(unsigned *)0x40011008 = 4; assert(P1->n == 1);",
        "*(int *)0x4000 = 1; *(char *)0x4001 = 4; assert(*(int *)0x4000 == 1);",
    ],
)
def test_memory_at_a_constant_address_is_accessed_in_one_way(body: str, volatile: str, tmp_path: Path) -> None:
    for head in (PORT, PORT.replace("volatile", "")):
        found = verdict(head, body, tmp_path, volatile=volatile)
        assert (found.status, "is accessed in several ways" in found.reason) == ("ERROR", True)


@pytest.mark.parametrize(
    ("head", "body"),
    [
        (PORT + "static void set(port *p) { p->sr = 1; }", "int a = 1; set(P1); P1->sr = 2; assert(a == 1);"),
        (SET, "int a = 1; set((volatile char *)0x4000); *(volatile int *)0x8000 = 2; assert(a == 1);"),
    ],
)
def test_pointers_to_registers_may_be_passed_on(head: str, body: str, tmp_path: Path) -> None:
    assert verdict(head, body, tmp_path, volatile="memory").status == "true"


@pytest.mark.parametrize(
    ("head", "body", "message"),
    [
        ("volatile _Bool b;", "int a = b++; assert(a);", "the value of ++ behind a volatile _Bool"),
        (
            "volatile union u { int a; char b; } u;",
            "union u w = u; assert(w.a);",
            "a read of a volatile union u as a whole",
        ),
        ("", "int *p = *(int *volatile *)0x4000; assert(p);", "a pointer that is read at a constant address"),
        ("volatile int v;", "\n//@ assert v == v;\n", "an annotation about a volatile object"),
    ],
)
def test_what_is_refused_has_a_place(head: str, body: str, message: str, tmp_path: Path) -> None:
    found = verdict(head, body, tmp_path)
    assert (found.status, message in found.reason, "volatile.c:" in found.reason) == ("ERROR", True, True)


def test_accesses_are_checked_as_any_others(tmp_path: Path) -> None:
    head, body = "volatile int a[4]; volatile unsigned v;", "unsigned k = v; int b = a[k % 5]; a[k & 3] = b;"
    assert verdict(head, body, tmp_path, check=("bounds",)).status == "false"
    assert verdict(head, body.replace("5", "4"), tmp_path, check=("bounds",)).status == "true"


HANDLED = """#include <signal.h>
#include <stdlib.h>
#include <unistd.h>
volatile sig_atomic_t flag; int x;
void h(int s) { flag = 1; x = s; } void g(int s) { x = -s; } void k(int s) { assert(s != SIGABRT); }"""
HANDLERS = "handlers of signals run only where the program calls raise, abort, or kill with its own getpid()"


@pytest.mark.parametrize(
    ("body", "status"),
    [
        ("signal(SIGINT, h); raise(SIGINT); assert(flag == 0);", "false"),
        ("flag = 0; signal(SIGINT, h); assert(flag == 0);", "false"),
        ("signal(SIGINT, h); raise(SIGINT); assert(x == SIGINT);", "true"),
        ("signal(SIGINT, h); raise(SIGINT); assert(x == 0);", "false"),
        ("signal(SIGINT, h); raise(SIGTERM); assert(0);", "true"),
        ("signal(SIGINT, h); raise(SIGCHLD); assert(x == 0);", "true"),
        ("signal(SIGINT, h); assert(signal(SIGINT, g) == h); raise(SIGINT); assert(x == -2);", "true"),
        ("signal(SIGINT, h); signal(SIGINT, SIG_IGN); raise(SIGINT); assert(x == 0);", "true"),
        ("assert(signal(SIGKILL, h) != SIG_ERR);", "false"),
        ("signal(SIGINT, h); signal(SIGTERM, g); raise(SIGTERM); assert(x >= 0);", "false"),
        ("signal(SIGINT, h); kill(getpid(), SIGINT); assert(x == 0);", "false"),
        ("signal(SIGINT, h); if (!kill(getpid(), SIGINT)) assert(x == SIGINT);", "true"),
        ("signal(SIGINT, h); kill(getpid(), SIGTERM); assert(0);", "true"),
        ("signal(SIGABRT, k); abort();", "false"),
        ("signal(SIGABRT, k); __builtin_abort();", "false"),
        ("signal(SIGABRT, k); signal(SIGABRT, SIG_DFL); abort();", "true"),
        ("signal(SIGABRT, k); raise(SIGTERM);", "true"),
        ("signal(SIGABRT, h); abort(); assert(0);", "true"),
        ("void (*end)(void) = abort; signal(SIGABRT, k); end();", "false"),
    ],
)
def test_handlers_of_signals(body: str, status: str, tmp_path: Path) -> None:
    found = verdict(HANDLED, body, tmp_path, engine="bmc")
    assert (found.status, HANDLERS in found.assumptions) == (status, True)


@pytest.mark.parametrize(
    "body",
    [
        "int me = getpid(); kill(me, SIGINT);",
        "kill(0, SIGINT);",
        "int (*send)(int, int) = kill; send(getpid(), SIGINT);",
    ],
)
def test_signals_to_unknown_processes_beside_handlers_are_refused(body: str, tmp_path: Path) -> None:
    found = verdict(HANDLED, f"signal(SIGINT, h); {body} assert(x == 0);", tmp_path, engine="bmc")
    assert (found.status, "kill may signal the program" in found.reason) == ("ERROR", True)
    assert verdict(HANDLED, f"{body} assert(x == 0);", tmp_path, engine="bmc").status == "true"


def test_without_a_handler_nothing_is_assumed_of_handlers(tmp_path: Path) -> None:
    found = verdict(HANDLED, "signal(SIGINT, SIG_IGN); raise(SIGINT); assert(x == 0);", tmp_path, engine="bmc")
    assert (found.status, HANDLERS in found.assumptions) == ("true", False)


@pytest.mark.sampled
@pytest.mark.parametrize("volatile", ["arbitrary", "memory"])
@pytest.mark.parametrize(
    ("expression", "status"),
    [
        ("v + v", "false"),
        ("v + v++", "false"),
        ("b[i] + b[i]", "false"),
        ("v + w", "true"),
        ("v && v", "true"),
        ("f() + f()", "true"),
        ("f() + v", "true"),
        ("b[i] + b[!i]", "true"),
        ("(v = v + 1)", "true"),
        ("b[0] | b[1] << 1 | b[2] << 2 | b[3] << 3 | b[4] << 4 | b[5] << 5", "true"),
    ],
)
def test_two_reads_without_an_order_are_undefined(expression: str, status: str, volatile: str, tmp_path: Path) -> None:
    head = "volatile int v, w, b[6]; int i, x; int f(void) { return v; }"
    found = verdict(head, f"x = {expression};", tmp_path, check=("sequence",), volatile=volatile, engine="bmc")
    assert found.status == status


DROPPED = "objects that are volatile are not accessed through pointers to types that are not"


@pytest.mark.parametrize(
    ("body", "is_named"),
    [
        ("int a, b; memcpy(&a, (void *)&v, 4); memcpy(&b, (void *)&v, 4); assert(a == b);", True),
        ("int *p = (int *)&v; int a = *p; assert(a == *p);", True),
        ("int a = v; assert(a == a);", False),
        ("volatile int *p = &v; int a = *p; assert(a == a);", False),
        ("volatile int w = 3; assert(w == 3);", False),
    ],
)
def test_what_reads_volatile_objects_as_others_is_named(body: str, is_named: bool, tmp_path: Path) -> None:
    found = verdict("#include <string.h>\nvolatile int v;", body, tmp_path)
    assert (found.status, DROPPED in found.assumptions) == ("true", is_named)


def test_an_object_that_one_file_declares_volatile_is_so_in_all(tmp_path: Path) -> None:
    other = tmp_path / "other.c"
    other.write_text("int ready; int get(void) { return ready; }")
    file = tmp_path / "main.c"
    main = "int main(void) { ready = 0; assert(get() == 0); return 0; }"
    file.write_text(f"#include <assert.h>\nextern volatile int ready; int get(void); {main}")
    assert prepared.verify(str(other), str(file)).status == "false"
    assert prepared.verify(str(file), str(other)).status == "false"
