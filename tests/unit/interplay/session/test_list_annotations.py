"""`\\reach` and `\\list` in annotations, from text to verdict."""

from pathlib import Path

import pytest

import interplay

pytestmark = pytest.mark.long

EVERY_HEAP = """struct node { int h; struct node *n; };
static struct node a[3];
int main(void) {
  for (int heap = 0; heap < 64; heap++)
    for (int pair = 0; pair < 16; pair++) {
      int rest = heap, leads = 0;
      for (int i = 0; i < 3; i++) { a[i].n = rest % 4 == 3 ? 0 : a + rest % 4; rest /= 4; }
      struct node *x = pair % 4 == 3 ? 0 : a + pair % 4, *y = pair / 4 == 3 ? 0 : a + pair / 4, *p = x;
      for (int k = 0; k < 4; k++) { leads = leads || p == y; p = p ? p->n : 0; }
      //@ assert \\reach(n, x, y) <==> leads != 0;
      //@ assert y == \\null ==> (\\list(n, x) <==> leads != 0);
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
    return interplay.verify(file, engine=engine, data_model="LP64", time_limit=30).status


def test_they_mean_reachability_on_every_heap_of_three_nodes(tmp_path: Path) -> None:
    assert status(EVERY_HEAP, tmp_path, "concrete") == "true"


def test_a_contract_about_lists_of_any_length_is_proved(tmp_path: Path) -> None:
    assert status(TURNED, tmp_path, "pdr") == "true"


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
    assert status(TURNED.replace(right, wrong, 1), tmp_path) == "false"
