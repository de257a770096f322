"""A function without `main` is started on everything that its `requires` admits."""

import shutil
import subprocess
from pathlib import Path

import pytest

import interplay
from core.verdict import Status
from frontend.api import parse_program
from frontend.elaboration.entry import start_of
from frontend.source import FrontendError
from frontend.typed.ctype import DataModel
from interplay.session import session
from interplay.session.context import Steering
from interplay.session.default_services import DefaultServices
from interplay.session.member_storage import NoStorage
from interplay.session.request import read_request
from runs.runfile import open_run
from tests.support import prepared
from tests.support.prepared import command as main

pytestmark = pytest.mark.long

HEAD = """extern void reach_error(void);
struct node { int d; struct node *next; };
struct list { struct node *head; int length; };
struct item { int *data; struct item *next; };
struct nested { struct node *sub; struct nested *next; };
static int calls; int table[4]; struct point { int x, y; } origin;
static int stamp; static int *shown(void) { return &stamp; }
static int count, behind; static int read(void) { return count; }
static int (*const reader[])(void) = { read }; static int *const const_pointer = &behind;
"""
TURNED = """struct node { int h; struct node *n; };
/*@ requires \\list(n, h);
    ensures \\list(n, \\result) && (h != \\null ==> \\reach(n, \\result, h)); */
struct node *turned(struct node *h) {
  struct node *r = 0;
  while (h) { struct node *q = h->n; h->n = r; r = h; h = q; }
  return r;
}
"""
DRIVER = """#include <stdio.h>
int given[24], next, count;
int __VERIFIER_nondet_choice(void) { return next < count ? given[next++] : 0; }
void interplay_reached(void) { }
void f(struct node *a, struct node *b) {
  int la = 0, lb = 0, s = 0;
  for (struct node *p = a; p; p = p->next) for (struct node *q = b; q; q = q->next) if (p == q) { s++; }
  for (; a; a = a->next) la++;
  for (; b; b = b->next) lb++;
  printf("%d %d %d\\n", la - s, lb - s, s);
}
int main(void) {
  for (int length = 0; length <= 6; length++)
    for (int word = 0; word < 1 << 2 * length; word++) {
      for (int k = 0; k < length; k++) { given[2 * k] = 1; given[2 * k + 1] = word >> 2 * k & 3; }
      next = 0; count = 2 * length; start();
    }
  return 0;
}
"""


def verdict(text: str, folder: Path, entry: str, **options: object) -> interplay.RunVerdict:
    file = folder / "a.c"
    file.write_text(text)
    return prepared.verify(file, entry=entry, data_model="LP64", **options)


def test_a_contract_about_lists_of_any_length_is_proved(tmp_path: Path) -> None:
    found = verdict(TURNED, tmp_path, "turned", engine="pdr")
    assert (found.status, "a start is found: native replay" in found.confirmed_by) == ("true", True)
    assert not any("acyclic" in one for one in (*found.assumptions, *found.premises))  # the contract says so


@pytest.mark.parametrize(("right", "wrong"), [("return r;", "return h;"), ("\\list(n, \\result)", "\\result != h")])
def test_what_does_not_hold_is_replayed_on_a_heap_that_is_built(right: str, wrong: str, tmp_path: Path) -> None:
    found = verdict(TURNED.replace(right, wrong), tmp_path, "turned", engine="bmc")
    assert (found.status, found.property) == ("false", "acsl")


@pytest.mark.sampled
@pytest.mark.parametrize(
    "body",
    [
        "int x) { if (x == 77) reach_error(); return 0; }",
        "struct list *l) { if (l && l->head && l->head->next && l->length == 3) reach_error(); return 0; }",
        "struct node **at) { if (at && *at && (*at)->d == 77) reach_error(); return 0; }",
        "struct item *i) { if (i && i->next && i->next->data && *i->next->data == 5) reach_error(); return 0; }",
        "struct nested *t) { if (t && t->next && t->next->sub && t->next->sub->next) reach_error(); return 0; }",
        "int *a, int *b) { if (a && a == b && a[3] == 4) reach_error(); return 0; }",
        "int *a, int *b) { if (a && b && a != b && a[3] > b[4]) reach_error(); return 0; }",
        "struct node *a, struct node *b) { if (a && b && a != b && a->next == b) reach_error(); return 0; }",
        "const char *s, struct point p) { if (s && s[0] == 'a' && p.x == 2) reach_error(); return 0; }",
        "int a[3][4], struct list v) { if (a && a[1][2] == 4 && v.head && v.length == 2) reach_error(); return 0; }",
        "void) { if (calls == 4 && table[2] == 9 && origin.y == 3) reach_error(); return 0; }",
        "enum e { A, B } x, _Bool b, long long z) { if (x == B && b && z == 1LL << 40) reach_error(); return 0; }",
        "int main) { if (main == 2) reach_error(); return 0; }",
        "int *a, int **b) { if (a == table && b && *b == table) reach_error(); return 0; }",
        "int *a) { if (a == &stamp) reach_error(); return shown() != &stamp; }",
        "struct point *p) { if (p == &origin) reach_error(); return 0; }",
        "void) { if (reader[0]() == 8 && *const_pointer == 9) reach_error(); return 0; }",
    ],
)
def test_every_start_is_tried(body: str, tmp_path: Path) -> None:
    text = HEAD + "int f(" + body + "\nint main(void) { return 0; }\n"
    found = verdict(text, tmp_path, "f", engine="bmc")
    assert (found.status, found.confirmed_by) == ("false", "native replay (gcc -m64)")


def test_a_static_object_whose_address_is_not_taken_is_not_led_to(tmp_path: Path) -> None:
    text = "int g;\n//@ ensures g == \\old(g);\nvoid f(int *p) { if (p) *p = 5; }\nvoid set(int x) { g = x; }\n"
    assert verdict(f"static {text}", tmp_path, "f", engine="bmc").status == "true"
    assert verdict(text, tmp_path, "f", engine="bmc").status == "false"


@pytest.mark.parametrize(
    ("requires", "given", "read", "status"),
    [
        ("\\valid(g)", "void", "*g", "true"),  # a pointer at file scope may lead to an empty object
        ("g != \\null", "void", "*g", "false"),
        ("p[n] == 0 && \\valid(p + (0 .. n)) && n >= 0", "char *p, int n", "p[n]", "true"),  # no program reads p[-1]
        ("\\valid(p) && \\valid(p->next)", "struct node *p", "p->next->d", "true"),
        ("\\valid(p)", "struct node *p", "p->next->d", "false"),
    ],
)
def test_what_requires_reads_is_no_access(requires: str, given: str, read: str, status: str, tmp_path: Path) -> None:
    text = f"int *g; struct node {{ int d; struct node *next; }};\n/*@ requires {requires}; */\n"
    text += f"int f({given}) {{ return {read}; }}\n"
    assert verdict(text, tmp_path, "f", engine="bmc", property="valid-deref").status == status


def test_every_pair_of_acyclic_lists_is_built(tmp_path: Path) -> None:
    if shutil.which("gcc") is None:
        pytest.skip("gcc is not installed")
    text = "struct node { int d; struct node *next; }; void f(struct node *a, struct node *b) { }"
    start = start_of(parse_program(text, "a.c", DataModel.LP64), "f", are_sizes_seen=False).start.text
    typed = text.partition("; void")[0] + "; void f(struct node *a, struct node *b);\n"
    (tmp_path / "b.c").write_text(f"{typed}{start.replace('main(void)', 'start(void)')}{DRIVER}")
    subprocess.run(["gcc", "-w", "-D__interplay_malloc=malloc", "-o", tmp_path / "b", tmp_path / "b.c"], check=True)
    printed = subprocess.run([tmp_path / "b"], check=True, capture_output=True, text=True).stdout
    found = {tuple(map(int, line.split())) for line in printed.splitlines()}
    wanted = {(a, b, s) for a in range(4) for b in range(4) for s in range(4) if a + b + s <= 3}
    assert wanted <= found


@pytest.mark.parametrize("requires", ["x > 3 && x < 2", "\\list(next, h) && h != \\null && h->next == h"])
def test_a_precondition_that_admits_nothing_proves_nothing(
    requires: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(session, "_SEARCH", 0.5)  # of a start, for which there is all this time
    file = tmp_path / "a.c"
    file.write_text(
        f"{HEAD}/*@ requires {requires}; ensures \\false; */ int f(int x, struct node *h) {{ return 0; }}\n"
    )
    engine = "pdr" if "h" in requires else "bmc"
    request = read_request({"task": str(file), "entry": "f", "engine": engine, "data_model": "LP64"})
    found = session.Session(request, DefaultServices(), lambda _: None, Steering(), NoStorage()).run().verdict
    assert found.status is Status.UNKNOWN
    assert "no argument or heap was found with which f can start" in found.reason


@pytest.mark.long
def test_the_annotation_of_another_function_does_not_make_objects_short(tmp_path: Path) -> None:
    """Where nothing asks about sizes, what a pointer leads to is long enough, so that a violation is confirmed."""
    swap = "void swap(int *a, int *b) { int x = *a; *a ^= *b; *b ^= *a; *a ^= *b; assert(*b == x); }"
    file = tmp_path / "swap.c"
    file.write_text(
        f"#include <assert.h>\n{swap}\n//@ requires \\valid(p);\nint first(const int *p) {{ return *p; }}\n"
    )
    found = prepared.verify(str(file), entry="swap", time_limit=60)
    assert (found.status, bool(found.confirmed_by)) == ("false", True)


def test_calls_within_the_function_must_satisfy_its_precondition(tmp_path: Path) -> None:
    text = "/*@ requires n >= 0; */ int f(int n) { return n == 0 ? 0 : f(n - 2); }\n"
    assert verdict(text, tmp_path, "f", engine="bmc").status == "false"
    assert verdict(text.replace("n - 2", "n - 1"), tmp_path, "f", engine="chc").status == "true"


@pytest.mark.parametrize(
    ("function", "message"),
    [
        (
            "typedef int (*fn)(int); int f(fn g) { return g(1); }",
            "a.c:1:34: no start is made of f: g is a pointer to a",
        ),
        ("struct t { struct t *l, *r; }; int f(struct t *x) { return 0; }", "x leads to struct t by l and r; "),
        ("typedef struct { int x; } t; int f(t *x) { return 0; }", "give the type of x a tag"),
        ("int f(struct t *x) { return 0; }", "struct t * is incomplete"),
        ("int f(int n, ...) { return n; }", "f cannot be started: its arguments are not declared"),
        ("union u { int *p; long l; }; int f(union u x) { return 0; }", "x is of type union u"),
        (
            "struct b; struct a { struct b *b; }; struct b { struct a *a; }; int f(struct a *x) { return 0; }",
            "by way of other records",
        ),
        ("int g(void) { return 0; }", "--entry:1: there is no function f with a body"),
    ],
)
def test_what_no_start_is_made_of(function: str, message: str) -> None:
    with pytest.raises(FrontendError) as found:
        start_of(parse_program(function, "a.c", DataModel.LP64), "f", are_sizes_seen=False)
    assert message in str(found.value)


def test_checks_about_callers_are_left_out_by_name(tmp_path: Path) -> None:
    text = "int f(int x) { return x; }"
    found = verdict(text, tmp_path, "f", check=["uninitialized", "bounds"], property="valid-memcleanup")
    assert (found.status, found.assumptions[0]) == ("true", "not decided with --entry: uninitialized, cleanup")
    assert verdict(text, tmp_path, "f", property="valid-memcleanup").reason.startswith("--entry:1: ")


def test_run_files_and_witnesses_name_the_start(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file, run, witness = tmp_path / "a.c", tmp_path / "a.ip", tmp_path / "a.yml"
    file.write_text(HEAD + "int f(struct node *h) { if (h && h->d == 3) reach_error(); return 0; }\n")
    words = ["verify", str(file), "--entry", "f", "--engine", "bmc", "--output", str(run), "--witness", str(witness)]
    assert main(words) == 10
    assert "it starts in f, with all arguments and objects that it admits" in capsys.readouterr().out
    assert "init(f())" in witness.read_text()
    assert "__interplay_malloc" in dict(open_run(run).document("sources.json"))["<start of f>"]  # type: ignore[call-overload]
    assert main(["check", str(run)]) == 10
    assert "Start: f" in capsys.readouterr().out


def test_a_project_names_the_start(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "a.c").write_text("static int g(int x) { return x * x; }")
    (tmp_path / "b.c").write_text("//@ ensures \\result > 0;\nint f(int x) { return x > 0 ? x : 1; }")
    (tmp_path / "interplay.toml").write_text('entry = "f"\nengine = "bmc"\n')
    assert main(["verify", str(tmp_path)]) == 0
    assert "it starts in f" in capsys.readouterr().out
