"""Functions that are started on pointers into one object: what only overlap, views or kept state violate is found.

Each violation is reached natively, too, by a `main` beside the function; its twin, which holds, is proved.
"""

import shutil
import subprocess
from pathlib import Path

import pytest

import interplay
from frontend.api import parse_program
from frontend.elaboration.entry import start_of
from frontend.options import Aliasing
from frontend.source import FrontendError
from frontend.typed.ctype import DataModel
from tests.support import prepared

pytestmark = pytest.mark.long

POINT = "struct p { int x; int y; int z[3]; };\n"
BUFFER = "struct b { char *data; int len; };\n"
ITEM = "struct i { int *data; int v; struct i *next; };\n"
INNER = "struct q { int a; struct { int u, w; } in[2]; };\n"
NODE = "struct n { int d; struct n *next; };\n"

CASES = {
    "overlap": (
        "int f(int *a, int *b) {",
        "if (!a || !b || a == b) return 0; a[2] = 5; b[0] = 6; if (a[2] != 5) reach_error(); return 0; }",
        "if (!a || !b || a == b) return 0; b[0] = 6; a[2] = 5; if (a[2] != 5) reach_error(); return 0; }",
        "int x[4]; f(x, x + 2);",
    ),
    "overlap backwards": (
        "int f(int *a, int *b) {",
        "if (!a || !b) return 0; b[3] = 5; a[0] = 6; if (b[3] == 6) reach_error(); return 0; }",
        "if (!a || !b) return 0; b[3] = 5; a[0] = 6; if (b[3] != 5 && b[3] != 6) reach_error(); return 0; }",
        "int x[4]; f(x + 3, x);",
    ),
    "before the pointer": (
        "int f(int *a) {",
        "if (a && a[-1] == 4 && a[0] == 5) reach_error(); return 0; }",
        "if (a && a[-1] == 4 && a[-1] == 5) reach_error(); return 0; }",
        "int x[2] = { 4, 5 }; f(x + 1);",
    ),
    "a byte": (
        "int f(unsigned *a, unsigned char *b) {",
        "if (!a || !b) return 0; *a = 0; *b = 1; if (*a == 65536) reach_error(); return 0; }",
        "if (!a || !b) return 0; *a = 0; *b = 1; if (*a > 16777216) reach_error(); return 0; }",
        "unsigned x; f(&x, 2 + (unsigned char *)&x);",
    ),
    "memory": (
        "#include <string.h>\nint f(int *a, void *b) {",
        "if (!a || !b) return 0; *a = 5; memset(b, 0, 4); if (*a == 0) reach_error(); return 0; }",
        "if (!a || !b) return 0; memset(b, 0, 4); *a = 5; if (*a == 0) reach_error(); return 0; }",
        "int x; f(&x, &x);",
    ),
    "bytes of two types": (
        "int f(char *c, int *a, short *b) {",
        "if (!a || !b || !c) return 0; *a = *b = 1; c[0] = c[6] = 0; if (!*a && !*b) reach_error(); return 0; }",
        "if (!a || !b || !c) return 0; c[0] = c[6] = 0; *a = *b = 1; if (!*a || !*b) reach_error(); return 0; }",
        "struct { int a; short k; short b; } s; f((char *)&s, &s.a, &s.b);",
    ),
    "signs": (
        "int f(int *a, unsigned *b) {",
        "if (!a || !b) return 0; *a = 1; *b = 9; if (*a == 9) reach_error(); return 0; }",
        "if (!a || !b) return 0; *a = 1; *b = 9; if (*a != 9 && *a != 1) reach_error(); return 0; }",
        "int x; f(&x, (unsigned *)&x);",
    ),
    "a member": (
        POINT + "int f(int *q, struct p *r) {",
        "if (!r || !q) return 0; r->y = 4; *q = 5; if (r->y == 5) reach_error(); return 0; }",
        "if (!r || !q) return 0; *q = 5; r->y = 4; if (r->y == 5) reach_error(); return 0; }",
        "struct p r; f(&r.y, &r);",
    ),
    "a member of a member": (
        INNER + "int f(struct q *s, int *p) {",
        "if (!s || !p) return 0; s->in[1].w = 1; *p = 3; if (s->in[1].w == 3) reach_error(); return 0; }",
        "if (!s || !p) return 0; *p = 3; s->in[1].w = 1; if (s->in[1].w == 3) reach_error(); return 0; }",
        "struct q s; f(&s, &s.in[1].w);",
    ),
    "a record of an array": (
        POINT + "int f(struct p *a, struct p *b) {",
        "if (!a || !b) return 0; a[1].x = 4; b->x = 5; if (a[1].x == 5) reach_error(); return 0; }",
        "if (!a || !b) return 0; a[1].x = 4; b->y = 5; if (a[1].x == 5) reach_error(); return 0; }",
        "struct p r[2]; f(r, r + 1);",
    ),
    "rows": (
        "int f(int a[][3], int *b) {",
        "if (!a || !b) return 0; a[1][2] = 1; *b = 2; if (a[1][2] == 2) reach_error(); return 0; }",
        "if (!a || !b) return 0; *b = 2; a[1][2] = 1; if (a[1][2] == 2) reach_error(); return 0; }",
        "int m[2][3]; f(m, &m[1][2]);",
    ),
    "const": (
        "int f(const int *a, int *b) {",
        "if (!a || !b) return 0; int k = *a; *b = k + 1; if (*a != k) reach_error(); return 0; }",
        "if (!a || !b) return 0; int k = *a; if (*a != k) reach_error(); *b = k + 1; return 0; }",
        "int x = 1; f(&x, &x);",
    ),
    "a shared buffer": (
        BUFFER + "int f(struct b *x, struct b *y) {",
        "if (!x || !y || x == y || !x->data || !y->data) return 0;"
        "*x->data = 1; *y->data = 2; if (*x->data == 2) reach_error(); return 0; }",
        "if (!x || !y || x == y) return 0; x->len = 1; y->len = 2; if (x->len == 2) reach_error(); return 0; }",
        "char c; struct b x = { &c, 1 }, y = { &c, 1 }; f(&x, &y);",
    ),
    "a number of a list": (
        ITEM + "int f(struct i *h, int *p) {",
        "if (!h || !p) return 0; h->v = 1; *p = 2; if (h->v == 2) reach_error(); return 0; }",
        "if (!h || !p) return 0; *p = 2; h->v = 1; if (h->v == 2) reach_error(); return 0; }",
        "struct i a = { 0, 0, 0 }; f(&a, &a.v);",
    ),
    "data that nodes share": (
        ITEM + "int f(struct i *h) {",
        "if (!h || !h->next || !h->data || !h->next->data) return 0;"
        "*h->data = 1; *h->next->data = 2; if (*h->data == 2) reach_error(); return 0; }",
        "if (!h || !h->next || !h->data) return 0; h->v = 1; if (h->v == 2) reach_error(); return 0; }",
        "int k; struct i b = { &k, 0, 0 }, a = { &k, 0, &b }; f(&a);",
    ),
    "a link": (
        NODE + "int f(struct n *h, struct n **pp) {",
        "if (!h || !pp || !h->next) return 0; *pp = 0; if (!h->next) reach_error(); return 0; }",
        "if (!h || !pp || !h->next) return 0; *pp = 0; if (*pp) reach_error(); return 0; }",
        "struct n b = { 0, 0 }, a = { 0, &b }; f(&a, &a.next);",
    ),
    "a node in a record": (
        NODE + "struct w { int k; struct n first; };\nint f(struct w *w, struct n *p) {",
        "if (!w || !p) return 0; w->first.d = 1; p->d = 2; if (w->first.d == 2) reach_error(); return 0; }",
        "if (!w || !p) return 0; p->d = 2; w->first.d = 1; if (w->first.d == 2) reach_error(); return 0; }",
        "struct w w; f(&w, &w.first);",
    ),
    "pointers to pointers": (
        "int f(int **pp, int *q) {",
        "if (!pp || !q || !*pp) return 0; **pp = 1; *q = 2; if (**pp == 2) reach_error(); return 0; }",
        "if (!pp || !q || !*pp) return 0; *q = 2; **pp = 1; if (**pp == 2) reach_error(); return 0; }",
        "int x, *p = &x; f(&p, &x);",
    ),
    "several strings": (
        "int f(char **a) {",
        "if (!a || !a[0] || !a[1]) return 0; a[0][0] = 1; a[1][0] = 2; if (a[0][0] == 2) reach_error(); return 0; }",
        "if (!a || !a[0]) return 0; a[0][0] = 1; if (a[0][0] == 2) reach_error(); return 0; }",
        "char c, *a[2] = { &c, &c }; f(a);",
    ),
    "void": (
        "struct c { int n; };\nint f(void *v, int *k) { struct c *c = v;",
        "if (!c || !k) return 0; c->n = 1; *k = 2; if (c->n == 2) reach_error(); return 0; }",
        "if (!c || !k) return 0; *k = 2; c->n = 1; if (c->n == 2) reach_error(); return 0; }",
        "struct c c; f(&c, &c.n);",
    ),
    "the middle of an array of the file": (
        "int t[8];\nint f(int *p) {",
        "if (!p) return 0; t[3] = 1; *p = 2; if (t[3] == 2) reach_error(); return 0; }",
        "if (!p) return 0; *p = 2; t[3] = 1; if (t[3] == 2) reach_error(); return 0; }",
        "f(t + 3);",
    ),
    "a member of an object of the file": (
        "struct g { int a, b; } gg;\nint f(char *p) {",
        "if (!p) return 0; gg.b = 0; *p = 2; if (gg.b == 512) reach_error(); return 0; }",
        "if (!p) return 0; *p = 2; gg.b = 0; if (gg.b == 512) reach_error(); return 0; }",
        "f(1 + (char *)&gg.b);",
    ),
    "a pointer of the file": (
        "static int *kept; void keep(int *p) { kept = p; }\nint f(int *x) {",
        "if (!x || !kept) return 0; *x = 1; *kept = 2; if (*x == 2) reach_error(); return 0; }",
        "if (!x || !kept) return 0; *kept = 2; *x = 1; if (*x == 2) reach_error(); return 0; }",
        "int k; keep(&k); f(&k);",
    ),
    "a static number": (
        "int f(void) { static int n;",
        "n++; if (n == 7) reach_error(); return n; }",
        "if (n < 0 || n > 5) n = 0; n++; if (n == 7) reach_error(); return n; }",
        "for (int i = 0; i < 8; i++) f();",
    ),
    "a static pointer": (
        "int f(int *x) { static int *last;",
        "if (x && last) { x[1] = 1; *last = 2; if (x[1] == 2) reach_error(); } last = x; return 0; }",
        "if (x && last) { *last = 2; x[1] = 1; if (x[1] == 2) reach_error(); } last = x; return 0; }",
        "int k[2]; f(k + 1); f(k);",
    ),
    "a static array": (
        "int f(int i) { static int seen[4]; if (i < 0 || i > 3) return 0;",
        "if (seen[i] == 2) reach_error(); seen[i]++; return 0; }",
        "seen[i] = 1; if (seen[i] == 2) reach_error(); return 0; }",
        "f(1); f(1); f(1);",
    ),
}


IN_EVERY_RUN = ("overlap", "a byte", "a static number")
ALIKE = [pytest.param(name, marks=pytest.mark.slow) for name in ("a byte", "a member", "a shared buffer")]
SOME_CASES = [pytest.param(name, marks=() if name in IN_EVERY_RUN else pytest.mark.slow) for name in CASES]


def verdict(text: str, folder: Path, **options: object) -> interplay.RunVerdict:
    (folder / "a.c").write_text(f"extern void reach_error(void);\n{text}\n")
    return prepared.verify(folder / "a.c", entry="f", time_limit=60, **options)


@pytest.mark.parametrize("name", SOME_CASES)
def test_what_shared_objects_violate_is_found(name: str, tmp_path: Path) -> None:
    head, wrong, _, main = CASES[name]
    found = verdict(f"{head} {wrong}", tmp_path, engine="bmc")
    assert (found.status, found.property) == ("false", "unreach-call"), found.reason
    if shutil.which("gcc") is None:
        pytest.skip("gcc is not installed")
    reached = "#include <stdlib.h>\nvoid reach_error(void) { exit(7); }\n"
    (tmp_path / "b.c").write_text(f"{reached}{head} {wrong}\nint main(void) {{ {main} return 0; }}\n")
    subprocess.run(["gcc", "-w", "-m32", "-o", tmp_path / "b", tmp_path / "b.c"], check=True)
    assert subprocess.run([tmp_path / "b"], check=False).returncode == 7


@pytest.mark.parametrize("name", SOME_CASES)
def test_what_holds_whatever_is_shared_is_proved(name: str, tmp_path: Path) -> None:
    head, _, right, _ = CASES[name]
    assert verdict(f"{head} {right}", tmp_path).status == "true"


@pytest.mark.parametrize(
    "name", ["overlap", "a static number", *(pytest.param(name, marks=pytest.mark.slow) for name in ALIKE)]
)
def test_separate_pointers_are_an_assumption_by_name(name: str, tmp_path: Path) -> None:
    head, wrong, _, _ = CASES[name]
    found = verdict(f"{head} {wrong}", tmp_path, aliasing="separate")
    assert found.status == "true"
    names = {"overlap": "a and b", "a byte": "a and b", "a member": "q and r", "a shared buffer": "x and y"}
    told = f"assumes that at the start of f, {names.get(name)} do not overlap, unless they are equal"
    assert (told in found.premises) == (name in names)


COPY = """int f(int *SRCd, int *SRCs) { int k = s[1];
d[0] = s[0]; d[1] = s[1]; if (d[1] != k) reach_error(); return 0; }"""


@pytest.mark.parametrize(
    ("requires", "restrict", "status"),
    [
        ("\\valid(d + (0..1)) && \\valid(s + (0..1))", "", "false"),
        ("\\valid(d + (0..1)) && \\valid(s + (0..1)) && \\separated(d + (0..1), s + (0..1))", "", "true"),
        ("\\valid(d + (0..1)) && \\valid(s + (0..1))", "restrict ", "true"),
    ],
)
def test_contracts_and_restrict_keep_pointers_apart(requires: str, restrict: str, status: str, tmp_path: Path) -> None:
    found = verdict(f"//@ requires {requires};\n{COPY.replace('SRC', restrict)}", tmp_path)
    told = "assumes that at the start of f, d and s do not overlap, as `requires` or `restrict` says"
    assert (found.status, told in found.premises) == (status, status == "true")


def test_parts_of_elements_before_a_pointer_are_valid(tmp_path: Path) -> None:
    text = "//@ requires \\valid(a + (-1 .. 0));\nint f(int *a) { return a[-1]; }"
    assert verdict(text, tmp_path, property="valid-deref", engine="bmc").status == "true"
    assert verdict(text.replace("-1 .. 0", "0 .. 0"), tmp_path, property="valid-deref", engine="bmc").status == "false"


def test_pointers_to_parts_that_are_moved_confirm_nothing(tmp_path: Path) -> None:
    text = POINT + "int f(struct p *r, int *q) { if (r && q) { r->y = 1; q[1] = 2; if (r->y == 2) reach_error(); } }"
    found = verdict(text, tmp_path, engine="bmc")
    assert (found.status, "a pointer to a part of an object is moved" in found.reason) == ("unknown", True)


def test_misaligned_pointers_violate_nothing(tmp_path: Path) -> None:
    text = "int f(int *a, char *c) { if (a && c) { a[0] = a[1] = 0; *(int *)c = 1; if (a[0] > 1) reach_error(); } }"
    found = verdict(text, tmp_path)
    assert found.status == "true"
    assert any("pointers to bytes are aligned as int, to which some are converted" in one for one in found.premises)


@pytest.mark.parametrize(
    ("function", "message"),
    [
        (
            "struct n { struct n *next; }; int f(struct n *x) { return x[1].next == 0; }",
            "x leads to an array of struct n, which make lists; `--aliasing separate` starts it",
        ),
        (
            "int f(void *v, int x) { return x ? *(int *)v : *(long long *)v; }",
            "v is a pointer to void, and such are converted to int * and long long *; `--aliasing separate` starts it",
        ),
    ],
)
def test_what_only_separate_pointers_start(function: str, message: str) -> None:
    unit = parse_program(function, "a.c", DataModel.ILP32)
    with pytest.raises(FrontendError) as found:
        start_of(unit, "f", are_sizes_seen=False)
    assert message in str(found.value)
    assert start_of(unit, "f", are_sizes_seen=False, aliasing=Aliasing.SEPARATE).start.text


def test_pointers_that_are_apart_do_not_meet_in_a_third_object(tmp_path: Path) -> None:
    text = "//@ requires \\separated(a, b);\nint f(int *c, int *a, int *b) { if (!a || !b || !c) return 0;"
    text += " *a = 1; *b = 2; if (*a == 2) reach_error(); *c = 3; if (*a == 3 && c != a) reach_error(); return 0; }"
    found = verdict(text, tmp_path)
    assert found.status == "true"
    assert verdict(text.replace("\\separated(a, b)", "\\true"), tmp_path, engine="bmc").status == "false"


@pytest.mark.parametrize(
    "function",
    [
        "int f(int *a) __attribute__((nonnull(1)));\nint f(int *a) { return 1; }",
        "int f(int a[static 4]) { return a[3]; }",
    ],
)
def test_what_declarations_promise_of_arguments_holds(function: str, tmp_path: Path) -> None:
    checks = ["null", "dangling", "nonnull"]
    assert verdict(function, tmp_path, engine="bmc", check=checks).status == "true"
