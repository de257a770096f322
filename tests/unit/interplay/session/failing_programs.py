"""Programs on allocation that fails: a body of main that is wrong where it does, and one that is right."""

HEAD = """#include <assert.h>
#include <stdlib.h>
#include <string.h>
struct node { int value; struct node *next; };
struct pair { char *first, *second; };
"""

SHIM = """
#include <stdint.h>
static unsigned failing, allocated;
static int fails(void) { return failing >> allocated++ & 1; }
static void *made_by_malloc(size_t n) { return fails() ? 0 : malloc(n); }
static void *made_by_calloc(size_t n, size_t m) { return fails() ? 0 : calloc(n, m); }
static void *made_by_realloc(void *p, size_t n) { return fails() ? 0 : realloc(p, n); }
static char *made_by_strdup(const char *s) { return fails() ? 0 : strdup(s); }
static char *made_by_strndup(const char *s, size_t n) { return fails() ? 0 : strndup(s, n); }
static void *made_by_aligned_alloc(size_t a, size_t n) { return fails() ? 0 : aligned_alloc(a, n); }
static int made_by_posix_memalign(void **p, size_t a, size_t n) { return fails() ? 12 : posix_memalign(p, a, n); }
#define malloc made_by_malloc
#define aligned_alloc made_by_aligned_alloc
#define posix_memalign made_by_posix_memalign
#define calloc made_by_calloc
#define realloc made_by_realloc
#define strdup made_by_strdup
#define strndup made_by_strndup
#define main(...) program(void)
"""
"""Text for gcc, behind the head: of the allocations, in their order, those fail whose bits are set in `failing`."""

START = """
#undef main
int fork(void);
int waitpid(int process, int *status, int options);
int dprintf(int file, const char *format, ...);
int main(int count, char **arguments) {
    for (unsigned mask = 0, all = strtoul(arguments[1], 0, 10); mask < all; mask++) {
        int status, process = fork();
        if (!process) { failing = mask; program(); exit(0); }
        waitpid(process, &status, 0);
        dprintf(1, "%d\\n", status);
    }
    return 0;
}
"""
"""Text for gcc, behind the program: each choice of allocations that fail ends a process of its own with a status."""

LIST = "struct node *h = 0; for (int i = 0; i < 3; i++) { struct node *e = malloc(sizeof *e); "
GROWN = "int *p = malloc(4); if (!p) return 0; p[0] = 7; "

PROGRAMS = {
    "malloc": ("int *p = malloc(4); *p = 1; free(p);", "int *p = malloc(4); if (p) *p = 1; free(p);"),
    "calloc": (
        "int *p = calloc(3, sizeof *p); p[2]++; free(p);",
        "int *p = calloc(3, sizeof *p); if (p) assert(p[2] == 0); free(p);",
    ),
    "strdup": (
        "char *s = strdup(\"abc\"); s[0] = 'x'; free(s);",
        "char *s = strdup(\"abc\"); if (s) assert(s[0] == 'a' && s[3] == 0); free(s);",
    ),
    "strndup": (
        "char *s = strndup(\"abc\", 2); s[1] = 'x'; free(s);",
        'char *s = strndup("abc", 2); if (!s) return 1; assert(s[2] == 0); free(s);',
    ),
    "realloc into its own variable": (
        GROWN + "p = realloc(p, 8); p[1] = 1; free(p);",
        GROWN + "int *q = realloc(p, 8); if (q) { q[1] = q[0]; p = q; } assert(p[0] == 7); free(p);",
    ),
    "the old object is still there": (
        GROWN + "int *q = realloc(p, 8); if (!q) free(p); else p = q; free(p);",
        GROWN + "int *q = realloc(p, 8); if (!q) { free(p); return 1; } free(q);",
    ),
    "the old object is used": (
        GROWN + "int *q = realloc(p, 8); int r = p[0]; free(q ? q : p); return r != 7;",
        GROWN + "int *q = realloc(p, 8); int r = q ? q[0] : p[0]; assert(r == 7); free(q ? q : p);",
    ),
    "contents of the old object": (
        GROWN + "int *q = realloc(p, 8); if (!q) { assert(p[0] == 8); free(p); return 0; } free(q);",
        GROWN + "int *q = realloc(p, 8); if (!q) { assert(p[0] == 7); free(p); return 0; } free(q);",
    ),
    "a list": (
        LIST + "e->value = i; e->next = h; h = e; }",
        LIST
        + "if (!e) break; e->value = i; e->next = h; h = e; } if (h && h->next) assert(h->value > h->next->value);",
    ),
    "how many were made": (
        "int made = 0; for (int i = 0; i < 3; i++) if (malloc(4)) made++; assert(made == 0 || made == 3);",
        "int made = 0; for (int i = 0; i < 3; i++) if (malloc(4)) made++; assert(made >= 0 && made <= 3);",
    ),
    "one of two": (
        "char *p = malloc(1), *q = malloc(1); assert(!p || q);",
        "char *p = malloc(1), *q = malloc(1); assert(!p || p != q);",
    ),
    "the first is released": (
        "char *p = malloc(1); if (!p) return 0; *p = 1; char *q = malloc(1); if (!q) free(p); assert(*p == 1);",
        "char *p = malloc(1); if (!p) return 0; *p = 1; char *q = malloc(1); if (!q) free(p); else assert(*p == 1);",
    ),
    "nothing to release": (
        "char *p, *q; if (!(p = malloc(1)) || !(q = malloc(1))) { free(q); return 1; } free(p);",
        "char *p = 0, *q = 0; if (!(p = malloc(1)) || !(q = malloc(1))) { free(q); free(p); return 1; } free(p);",
    ),
    "one exit": (
        "struct pair *p = malloc(sizeof *p); if (!p) goto end; if (!(p->first = malloc(1))) goto end;"
        " if (!(p->second = malloc(1))) { free(p->first); goto end; } free(p->second); end: free(p->first); free(p);",
        "struct pair *p = malloc(sizeof *p); if (!p) goto end; if (!(p->first = malloc(1))) goto end;"
        " if ((p->second = malloc(1))) free(p->second); free(p->first); end: free(p);",
    ),
    "once more": (
        "char *p = malloc(1); if (!p) p = malloc(1); *p = 1; free(p);",
        "char *p = malloc(1); if (!p) p = malloc(1); if (!p) exit(1); *p = 1; free(p);",
    ),
    "copied to": (
        'char *p = malloc(4); memcpy(p, "abc", 4); free(p);',
        "char *p = malloc(4); if (p) { memcpy(p, \"abc\", 4); assert(p[2] == 'c'); } free(p);",
    ),
    "with an alignment": (
        "int *p = aligned_alloc(16, 16); *p = 1; free(p);",
        "int *p = aligned_alloc(16, 16); if (p) { p[3] = 1; assert(p[3] == 1); } free(p);",
    ),
    "where a pointer leads": (
        "int *p = 0; int r = posix_memalign((void **)&p, 16, 8); *p = r; free(p);",
        "int *p = 0; int r = posix_memalign((void **)&p, 16, 8); assert(r ? !p : !!p); if (p) p[1] = 1; free(p);",
    ),
    "no bytes": (
        "char *p = malloc(0); assert(p); free(p);",
        "char *p = malloc(0); if (p) free(p); else p = malloc(1); free(p == 0 ? p : 0);",
    ),
    "through a pointer": (
        "void *(*make)(size_t) = malloc; int *p = make(4); *p = 1; free(p);",
        "void *(*make)(size_t) = malloc; int *p = make(4); if (p) { *p = 1; assert(*p == 1); } free(p);",
    ),
}

TREE = (
    "struct tree { struct tree *l, *r; }; struct tree *make(int d) { if (!d) return 0;"
    " struct tree *t = malloc(sizeof *t); if (!t) return 0; t->l = make(d - 1); t->r = make(d - 1); return t; }"
)
PUSH = "struct vector { int *data; int size, room; }; int push(struct vector *v, int x) { if (v->size == v->room) {"
PUSHED = (
    " v->data[v->size++] = x; return 0; }"
    " int main(void) { struct vector v = {0, 0, 0};"
    " for (int i = 0; i < 3; i++) push(&v, i); free(v.data); return 0; }"
)

FUNCTIONS = {
    "wrapped": (
        "void *make(size_t n) { return malloc(n); } int main(void) { int *p = make(4); *p = 1; free(p); return 0; }",
        "void *make(size_t n) { void *p = malloc(n); if (!p) exit(1); return p; }"
        " int main(void) { int *p = make(4); *p = 1; free(p); return 0; }",
    ),
    "a tree": (
        TREE + " int main(void) { struct tree *t = make(2); if (t) assert(!t->l == !t->r); return 0; }",
        TREE
        + " int main(void) { struct tree *t = make(2); if (t && t->l) assert(t->l != t->r && !t->l->l); return 0; }",
    ),
    "a vector": (
        PUSH
        + " v->room += 2; int *new = realloc(v->data, v->room * sizeof(int)); if (!new) return 1; v->data = new; }"
        + PUSHED,
        PUSH
        + " int *new = realloc(v->data, (v->room + 2) * sizeof *new); if (!new) return 1;"
        + " v->data = new; v->room += 2; }"
        + PUSHED,
    ),
}
"""Likewise whole programs."""


def every_program() -> dict[str, tuple[str, bool]]:
    """Each program without its head, and whether it is right."""
    mains = {
        name: tuple(f"int main(void) {{ {body} return 0; }}\n" for body in bodies) for name, bodies in PROGRAMS.items()
    }
    found: dict[str, tuple[str, bool]] = {}
    for name, texts in {**mains, **FUNCTIONS}.items():
        found.update({f"{name}, wrong": (texts[0], False), f"{name}, right": (texts[1], True)})
    return found
