"""`\\reach` and `\\list` in annotations, from text to verdict."""

import re
from pathlib import Path

import pytest

from tests.support import prepared

pytestmark = pytest.mark.long

EVERY_HEAP = """struct node { int h; struct node *n; };
static struct node a[3];
int main(void) {
  for (int i = 0; i < 3; i++) a[i].h = i;
  for (int heap = 0; heap < 64; heap++)
    for (int pair = 0; pair < 16; pair++) {
      int rest = heap, leads = 0;
      for (int i = 0; i < 3; i++) { a[i].n = rest % 4 == 3 ? 0 : a + rest % 4; rest /= 4; }
      struct node *x = pair % 4 == 3 ? 0 : a + pair % 4, *y = pair / 4 == 3 ? 0 : a + pair / 4, *p = x;
      for (int k = 0; k < 4; k++) { leads = leads || p == y; p = p ? p->n : 0; }
      //@ assert \\reach(n, x, y) <==> leads != 0;
      //@ assert y == \\null ==> (\\list(n, x) <==> leads != 0);
      int has = 0;
      p = x;
      for (int k = 0; k < 4; k++) { has = has || (p && p->h == 2); p = p ? p->n : 0; }
      //@ assert (\\forall struct node *z; \\reach(n, x, z) && z != \\null ==> z->h < 2) ==> !has;
      //@ assert has ==> (\\exists struct node *z; \\reach(n, x, z) && z != \\null && z->h == 2);
      //@ assert (\\forall struct node *z; \\reach(n, x, z) && z != \\null ==> \\reach(n, z, y)) ==> !x || leads;
    }
  return 0;
}
"""
TURNED = """extern void *malloc(unsigned long);
extern int __VERIFIER_nondet_int(void);
struct node { int h; struct node *n; };
/*@ requires \\list(n, h);
    ensures \\list(n, \\result) && (h != \\null ==> \\reach(n, \\result, h)); */
struct node *turned(struct node *h) {
  struct node *r = 0;
  while (h) { struct node *q = h->n; h->n = r; r = h; h = q; }
  return r;
}
int main(void) {
  struct node *h = 0, *last = 0;
  while (__VERIFIER_nondet_int()) {
    struct node *p = malloc(sizeof(struct node));
    p->n = h; h = p; if (!last) last = p;
  }
  h = turned(h);
  //@ assert last == \\null || (\\reach(n, last, h) ==> last == h);
  //@ assert h == last;
  return 0;
}
"""


def status(text: str, folder: Path, engine: str = "portfolio") -> str:
    file = folder / "a.c"
    file.write_text(text)
    return prepared.verify(file, engine=engine, data_model="LP64", time_limit=30).status


def test_they_mean_reachability_on_every_heap_of_three_nodes(tmp_path: Path) -> None:
    assert status(EVERY_HEAP, tmp_path, "concrete") == "true"


def test_a_formula_that_is_read_several_times_speaks_of_one_node_each_time(tmp_path: Path) -> None:
    every = "\\forall struct node *z; \\reach(n, x, z) && z != \\null ==> \\reach(n, z, x) || z->h == 2"
    text = f"""struct node {{ int h; struct node *n; }} b = {{ 2, 0 }}, a = {{ 1, &b }};
int main(void) {{ struct node *x = &a;
//@ assert x == \\null <==> (x == \\null <==> ({every}));
return 0; }}
"""
    assert status(text, tmp_path, "bmc") == "true"
    assert status(text.replace("b = { 2,", "b = { 1,"), tmp_path, "bmc") == "false"


def test_a_contract_about_lists_of_any_length_is_proved(tmp_path: Path) -> None:
    assert status(TURNED, tmp_path, "pdr") == "true"


@pytest.mark.sampled
@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        ("p->n = h; h = p;", "p->n = p; h = p;"),  # the caller breaks `requires`
        ("return r;", "return h;"),  # it does not reach the first node any more
        ("h->n = r; r = h;", "h->n = r ? r : h; r = h;"),  # a cycle
        ("h == last", "\\reach(n, last, h) && h == last && h != last"),
    ],
)
def test_what_does_not_hold_is_found(right: str, wrong: str, tmp_path: Path) -> None:
    assert right in TURNED
    assert status(TURNED.replace(right, wrong, 1), tmp_path, "concrete") == "false"


NODES = """extern void *malloc(unsigned long); extern void free(void *);
struct node { int c; struct node *n; };
/*@ requires \\list(n, h) && (\\forall struct node *x; \\reach(n, h, x) && x != \\null ==> x->c == 0 || x->c == 1);
    ensures \\list(n, \\result);
    ensures \\forall struct node *x; \\reach(n, \\result, x) && x != \\null ==> x->c == 1; */
struct node *filter(struct node *h) {
  struct node *i = h, *j = 0;
  while (i) {
    struct node *t = i->n;
    if (i->c) j = i; else if (j) j->n = t; else h = t;
    i = t;
  }
  return h;
}
/*@ requires \\list(n, h);
    ensures \\forall struct node *x, *y; \\old(\\reach(n, h, x)) && x != \\null &&
            \\old(\\reach(n, x, y)) && y != \\null ==> \\reach(n, \\result, y) && \\reach(n, y, x);
    ensures h != \\null ==> \\old(h != \\null && \\list(n, h)); */
struct node *turned(struct node *h) {
  struct node *r = 0;
  while (h) { struct node *q = h->n; h->n = r; r = h; h = q; }
  return r;
}
/*@ requires \\list(n, h);
    ensures \\forall struct node *x; \\old(\\reach(n, h, x)) && x != \\null ==> \\reach(n, \\result, x);
    ensures h != \\null ==> \\old(h != \\null && \\list(n, h)); */
struct node *moved(struct node *h) {
  struct node *q = h ? h->n : 0;
  if (!q) return h;
  h->n = q->n;
  q->n = h;
  return q;
}
/*@ requires \\valid(h) && \\valid(a + (0 .. k)) && k < 5;
    ensures \\valid(h) && \\allocated(\\result) && (k < 0 || \\valid(a + k)); */
struct node *fill(struct node *h, int *a, int k) {
  struct node *p = malloc(sizeof(struct node));
  if (k >= 0) a[k] = 1;
  return h->c == k ? p : h;
}
"""


@pytest.mark.parametrize(
    ("function", "engine"),
    [("filter", "pdr"), ("moved", "pdr"), ("fill", "bmc"), pytest.param("turned", "pdr", marks=pytest.mark.slow)],
)
def test_what_holds_of_all_nodes_is_proved(function: str, engine: str, tmp_path: Path) -> None:
    file = tmp_path / "a.c"
    file.write_text(NODES)
    aliasing = "separate" if function == "fill" else "any"  # a number of a node, as an element of an array, takes long
    found = prepared.verify(file, entry=function, engine=engine, aliasing=aliasing, data_model="LP64", time_limit=60)
    assert found.status == "true"


@pytest.mark.sampled
@pytest.mark.parametrize(
    ("function", "right", "wrong"),
    [
        ("filter", "x->c == 1; */", "x->c == 0; */"),
        ("filter", "x->c == 0 || x->c == 1", "x->c < 7"),
        ("filter", "else h = t", "else h = i"),
        ("turned", "r = h;", "if (h->c) r = h;"),
        ("moved", "q->n = h;", "q->n = 0;"),
        ("fill", "return h->c", "free(p); return h->c"),
        ("fill", "(k < 0 || \\valid(a + k))", "\\valid(a + (k + 1))"),
    ],
)
def test_what_does_not_hold_of_all_nodes_is_found(function: str, right: str, wrong: str, tmp_path: Path) -> None:
    file = tmp_path / "a.c"
    assert right in NODES
    file.write_text(NODES.replace(right, wrong))
    aliasing = "separate" if function == "fill" else "any"
    assert prepared.verify(file, entry=function, aliasing=aliasing, data_model="LP64").status == "false"


REVERSED = """extern void *malloc(unsigned long); extern void free(void *);
struct node { int c; struct node *n; };
/*@ requires \\list(n, h);
    ensures \\list(n, \\result);
    ensures \\forall struct node *x; \\old(\\reach(n, h, x)) && x != \\null ==> \\reach(n, \\result, x);
    ensures \\forall struct node *x; \\reach(n, \\result, x) && x != \\null ==> \\old(\\reach(n, h, x)); */
struct node *reverse(struct node *h) {
  struct node *r = 0;
  while (h) { struct node *q = h->n; h->n = r; r = h; h = q; }
  return r;
}
/*@ requires \\list(n, h);
    ensures \\forall struct node *x; \\old(\\reach(n, h, x)) && x != \\null ==> !\\allocated(x); */
void delete_all(struct node *h) { while (h) { struct node *q = h->n; free(h); h = q; } }
"""


@pytest.mark.parametrize("function", ["reverse", "delete_all"])
def test_contracts_of_the_paper_of_pdr_are_proved(function: str, tmp_path: Path) -> None:
    file = tmp_path / "a.c"
    file.write_text(REVERSED)
    found = prepared.verify(file, entry=function, engine="pdr", data_model="LP64", time_limit=60)
    assert found.status == "true"


@pytest.mark.parametrize(
    ("function", "right", "wrong"),
    [
        ("reverse", "*r = 0;", "*r = malloc(sizeof(struct node)); r->n = 0;"),  # a node more
        ("reverse", "r = h;", "if (h->c) r = h;"),
        ("delete_all", "free(h);", "if (h->c) free(h);"),
        ("reverse", "\\old(\\reach(n, h, x)); */", "!\\old(\\reach(n, h, x)); */"),
    ],
)
def test_contracts_of_the_paper_of_pdr_are_not_proved_where_they_fail(
    function: str, right: str, wrong: str, tmp_path: Path
) -> None:
    assert right in REVERSED
    file = tmp_path / "a.c"
    file.write_text(REVERSED.replace(right, wrong))
    found = prepared.verify(file, entry=function, engine="pdr", data_model="LP64", time_limit=60)
    assert found.status in ("false(acsl)", "false", "unknown")


@pytest.mark.parametrize(
    ("formula", "message"),
    [
        ("\\forall struct node *x; x->c == 1", "the list of x is not named"),
        ("\\forall struct node *x; \\reach(n, h, x) ==> x->c == 1", "the list of x is not named"),
        (
            "\\forall struct item *x; \\reach(n, h, x) && x != \\null ==> \\true",
            "x is of type struct item",
        ),
        ("\\forall node x; \\true", "only integers, and nodes of lists"),
        (
            "\\forall struct node *x; \\reach(n, h, x) && x != \\null ==> \\old(\\reach(n, x, h))",
            "of this bound variable is not decided",
        ),
        ("\\valid(h->c)", "leads to no object"),
        ("\\valid(h + (0 .. 3) + 1)", "expected"),
    ],
)
def test_what_is_not_decided_is_located(formula: str, message: str, tmp_path: Path) -> None:
    file = tmp_path / "a.c"
    file.write_text(
        f"struct node {{ int c; struct node *n; }};\n/*@ ensures {formula}; */\nint f(struct node *h) {{ return 0; }}\n"
    )
    found = prepared.verify(file, entry="f")
    assert (found.status, f"{file}:2:" in found.reason) == ("ERROR", True)
    assert re.search(message, found.reason)
