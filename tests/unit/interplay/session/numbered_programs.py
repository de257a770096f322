"""Programs that make numbers of pointers and pointers of numbers: each pair differs in one flaw of the second one."""

from __future__ import annotations

_HEAD = """#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <stddef.h>
#include <assert.h>
struct pair { int n; char *text; };
struct node { int v; struct node *next; };
struct item { int v; struct node link; };
union cell { int *p; unsigned char b[sizeof(int *)]; };
static int g(void) { return 3; }
static int last;
static void take(void *u) { last = (int)(intptr_t)u; }
static void follow(void *u) { last = *(int *)u; }
static char pool[64]; static unsigned used;
static void *get(unsigned n) { if (n <= sizeof pool - used) { used += n; return pool + used - n; } return malloc(n); }
static int inside(const void *p) { uintptr_t x = (uintptr_t)p, b = (uintptr_t)pool; return x >= b && x < b + 64; }
static int *slots[16];
static unsigned hash(const void *p) { return (unsigned)((uintptr_t)p / 16 % 16); }
static void *tag(void *p) { return (void *)((uintptr_t)p | 1u); }
static void *untag(void *p) { return (void *)((uintptr_t)p & ~(uintptr_t)1u); }
#define PAIRS ((struct node *)0xdeadbeefu)
"""

_PAIRS: dict[str, tuple[str, str, str]] = {
    "alignment": (
        "char *p = malloc(8); if ((uintptr_t)p & 3u) { free(p); return 1; } ((int *)p)[1] = 2; free(p);",
        "[1]",
        "[2]",
    ),
    "hash": (
        "int *a = malloc(4); *a = 3; slots[hash(a)] = a; int *b = slots[hash(a)]; int r = *b; free(b); return r - 3;",
        "int r = *b;",
        "free(a); int r = *b;",
    ),
    "number": ("void (*f)(void *) = take; f((void *)(intptr_t)42); return last - 42;", "= take", "= follow"),
    "range": (
        "char *p = get(48), *q = get(48); *p = *q = 1; if (inside(p)) pool[(uintptr_t)p - (uintptr_t)pool] = 1; "
        "if (inside(q)) pool[(uintptr_t)q - (uintptr_t)pool] = 1; return 0;",
        "if (inside(q))",
        "if (!inside(q))",
    ),
    "copy": (
        "char *raw = malloc(sizeof(struct pair)); char buf[4] = {1, 2, 3, 4}; struct pair m = {1, buf}, back; "
        "memcpy(raw, &m, sizeof m); memcpy(&back, raw, sizeof back); free(raw); return back.text[back.n] - 2;",
        "{1, buf}",
        "{4, buf}",
    ),
    "bytes": (
        "union cell a, c; int x = 5; a.p = &x; c.p = 0; "
        "c.b[0] = a.b[0]; c.b[1] = a.b[1]; c.b[2] = a.b[2]; c.b[3] = a.b[3]; *c.p = 7; return x - 7;",
        "a.b[2];",
        "a.b[2] ^ 1;",
    ),
    "container": (
        "struct item x = {5, {1, 0}}; struct node *p = &x.link; "
        "struct item *q = (struct item *)((char *)p - offsetof(struct item, link)); return q->v - 5;",
        "struct item x = {5, {1, 0}}; struct node *p = &x.link;",
        "struct node x = {1, 0}, *p = &x;",
    ),
    "tag": (
        "struct node *p = malloc(sizeof *p); p->v = 4; p->next = 0; "
        "void *t = tag(p); struct node *q = untag(t); int r = q->v; free(q); return r - 4;",
        "int r = q->v;",
        "free(p); int r = q->v;",
    ),
    "sentinel": (
        "int x = 1; slots[0] = &x; slots[1] = (int *)-1; "
        "return slots[0] != (int *)-1 ? *slots[0] - 1 : 0;",
        "slots[0] != (int *)-1 ? *slots[0]",
        "slots[1] ? *slots[1]",
    ),
    "constant": (
        "struct node a = {1, PAIRS}, *p = a.next; return p != PAIRS ? p->v : 0;",
        "p != PAIRS",
        "p",
    ),
    "zeros": (
        "struct { int n; int *p; int *q; } v; int x = 3; memset(&v, 0, sizeof v); if (!v.p) v.p = &x; return *v.p - 3;",
        "!v.p",
        "v.q",
    ),
    "handle": (
        "unsigned long h = (unsigned long)(uintptr_t)malloc(4); *(int *)h = 4; "
        "int r = *(int *)h; free((void *)h); return r - 4;",
        "int r = *(int *)h; free((void *)h);",
        "free((void *)h); int r = *(int *)h;",
    ),
    "kept bytes": (
        "int x = 1, *p = &x, *q; char buf[sizeof p]; memcpy(buf, &p, sizeof p); "
        "memcpy(&q, buf, sizeof q); *q = 2; return x - 2;",
        "memcpy(buf, &p, sizeof p);",
        "p = 0; memcpy(buf, &p, sizeof p);",
    ),
    "function": (
        "uintptr_t f = (uintptr_t)g | 0; int (*h)(void) = (int (*)(void))f; return h() - 3;",
        "| 0",
        "+ 1",
    ),
    "stack": (
        "uintptr_t top = (uintptr_t)(pool + 64) & ~(uintptr_t)15; char *sp = (char *)top; *--sp = 1; return 0;",
        "*--sp",
        "*sp",
    ),
    "distance": (
        "int a[8] = {0}; uintptr_t lo = (uintptr_t)a, hi = (uintptr_t)(a + 8); "
        "int *p = a; p += (hi - lo) / 4 - 1; *p = 1;",
        "/ 4 - 1",
        "/ 4",
    ),
}  # fmt: skip


def right(name: str) -> str:
    """The program of this name without a flaw."""
    return f"{_HEAD}int main(void) {{ {_PAIRS[name][0]} return 0; }}\n"


def wrong(name: str) -> str:
    """The program of this name with its flaw."""
    body, old, new = _PAIRS[name]
    assert body.count(old) == 1
    return f"{_HEAD}int main(void) {{ {body.replace(old, new)} return 0; }}\n"


NAMES = tuple(_PAIRS)

REGISTERS = """
typedef struct { volatile unsigned control, data; } device;
#define UART ((device *)0x40011000u)
static device *const same = UART;
static void put(device *to, char c) { if (to->control & 1) to->data = c; }
int main(void) { UART->control = 1; same->data = 2; put(UART, 'x'); return 0; }
"""
"""A program that passes on a pointer to registers."""

ANYWHERE = {
    "order": "int a = 1, b = 2; assert((uintptr_t)&a < (uintptr_t)&b);",
    "page": "char *p = malloc(8); uintptr_t x = (uintptr_t)p; free(p); assert(x % 256 == 0);",
    "static": "assert((uintptr_t)pool % 32 == 0);",
    "low": "int a = 1, b = 1; assert((uintptr_t)&a > 0x7fffffff || (uintptr_t)&b > 0x7fffffff);",
    "truncated": "int a = 1; assert((unsigned char)(uintptr_t)&a != 0x40);",
    "byte": "int x = 1; union cell c; c.p = &x; assert(c.b[1] != 7);",
}
"""Assertions that fail where objects lie in some way."""

WHEREVER = {
    "aligned": "int a[2] = {1, 2}; assert((uintptr_t)&a[1] % sizeof(int) == 0 && (uintptr_t)a != 0);",
    "distance": "int a[2] = {1, 2}; assert((uintptr_t)&a[1] - (uintptr_t)a == sizeof(int));",
    "apart": "int a = 1, b = 2; uintptr_t x = (uintptr_t)&a, y = (uintptr_t)&b; assert(x != y);",
    "back": "int a = 1; uintptr_t x = (uintptr_t)&a; int *p = (int *)(x + 4 - 4); *p = 3; assert(a == 3);",
}
"""Assertions that hold wherever objects lie."""


def asserting(body: str) -> str:
    """The program with this body."""
    return f"{_HEAD}int main(void) {{ {body} return 0; }}\n"
