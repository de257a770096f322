"""Annotations about arrays of any length: contracts of functions with pointers, and what trying values decides."""

from itertools import combinations
from pathlib import Path

import pytest

from frontend.api import parse_program
from frontend.options import Acsl
from frontend.source import Unsupported
from frontend.typed.ctype import DataModel
from tests.support import prepared

INIT = """/*@ requires n >= 0 && \\valid(a + (0..n-1));
    assigns a[0..n-1];
    ensures \\forall integer k; 0 <= k < n ==> a[k] == 0; */
void f(int *a, int n) {
  /*@ loop invariant 0 <= i <= n;
      loop invariant \\forall integer k; 0 <= k < i ==> a[k] == 0;
      loop assigns i, a[0..n-1];
      loop variant n - i; */
  for (int i = 0; i < n; i++) a[i] = 0;
}
"""
SORTED = """/*@ requires n >= 1 && \\valid_read(a + (0..n-1));
    ensures \\result == 1 ==> \\forall integer i, j; 0 <= i < j < n ==> a[i] <= a[j]; */
int f(const int *a, int n) {
  for (int k = 1; k < n; k++) if (a[k - 1] > a[k]) return 0;
  return 1;
}
"""
SWAP = """/*@ requires \\valid(a + (0..n-1)) && 0 <= i < n && 0 <= j < n;
    ensures a[i] == \\old(a[j]) && a[j] == \\old(a[i]);
    ensures \\forall integer k; 0 <= k < n && k != i && k != j ==> a[k] == \\old(a[k]); */
void f(int *a, int n, int i, int j) { int t = a[i]; a[i] = a[j]; a[j] = t; }
"""
REVERSE = """/*@ requires n >= 0 && \\valid_read(a + (0..n-1)) && \\valid(b + (0..n-1));
    requires \\separated(a + (0..n-1), b + (0..n-1));
    ensures \\forall integer k; 0 <= k < n ==> b[k] == a[n - 1 - k]; */
void f(const int *a, int *b, int n) { for (int i = 0; i < n; i++) b[n - 1 - i] = a[i]; }
"""
EXCHANGE = """/*@ requires \\valid(p) && \\valid(q);
    ensures *p == \\old(*q) && *q == \\old(*p); */
void f(int *p, int *q) { *p = *p + *q; *q = *p - *q; *p = *p - *q; }
"""


def verdict(text: str, folder: Path, **options: object) -> str:
    file = folder / "a.c"
    file.write_text(text)
    return prepared.verify(file, time_limit=60, **options).status


@pytest.mark.long
@pytest.mark.parametrize("text", [INIT, SORTED, REVERSE], ids=["init", "sorted", "reverse"])
def test_contracts_about_all_elements_hold(text: str, tmp_path: Path) -> None:
    assert verdict(text, tmp_path, entry="f", engine="acsar") == "true"


@pytest.mark.sampled
@pytest.mark.long
@pytest.mark.parametrize(
    ("text", "right", "wrong"),
    [
        (INIT, "i = 0; i < n", "i = 1; i < n"),
        (SORTED, "k = 1;", "k = 2;"),
        (SORTED, "a[i] <= a[j]", "a[i] < a[j]"),
        (REVERSE, "a[n - 1 - k]", "a[k]"),
        (SWAP, "a[j] = t;", "a[j] = a[i];"),
        (SWAP, "k != i && k != j", "k != i"),
        (EXCHANGE, "*q = *p - *q", "*q = *p - *q"),  # nothing says that they are two
    ],
)
def test_wrong_contracts_are_violated(text: str, right: str, wrong: str, tmp_path: Path) -> None:
    assert right in text
    assert verdict(text.replace(right, wrong), tmp_path, entry="f") == "false"


VALID = "requires n >= 1 && \\valid(a + (0..n-1));"
SAME = "\\forall integer k; 0 <= k < n ==> a[k] == \\old(a[k]);"
VIOLATED = {
    "a parameter that changes": f"/*@ {VALID} ensures {SAME} */ void f(int *a, int n) {{ a[n - 1] = 5; n = 0; }}",
    "a guard about one": """/*@ requires 1 <= n <= m && \\valid(a + (0..m-1)); */ void f(int *a, int n, int m) {
      //@ loop invariant \\forall integer k; n <= k < m ==> a[k] == \\at(a[k], Pre);
      while (n > 0) { n--; a[n] = 0; } }""",
    "outside of the array": f"int a[4]; /*@ ensures {SAME.replace('< n', '< 8')} */ void f(int x) {{ x = 1; }}",
    "all of requires": f"""/*@ {VALID} requires \\forall integer k; 0 <= k < n ==> a[k] > 0;
      ensures \\forall integer k; 0 <= k < n ==> a[k] > 1; */ void f(int *a, int n) {{ }}""",
    "some of ensures": f"""/*@ {VALID} ensures \\exists integer k; 0 <= k < n && a[k] == 7; */
      void f(int *a, int n) {{ if (n > 2) a[2] = 7; }}""",
}


@pytest.mark.sampled
@pytest.mark.long
@pytest.mark.parametrize("text", VIOLATED.values(), ids=VIOLATED.keys())
def test_values_before_are_those_of_the_elements(text: str, tmp_path: Path) -> None:
    assert verdict(text, tmp_path, entry="f") == "false"


def test_old_of_a_variable_that_takes_several_values_is_refused() -> None:
    some = "(\\exists integer k; 0 <= k < 3 && \\old(a[k]) == 1)"
    text = f"/*@ {VALID} ensures {SAME[:-1]} && {some}; */ void f(int *a, int n) {{ }}"
    with pytest.raises(Unsupported, match="of this bound variable"):
        parse_program(text, "a.c", DataModel.LP64, Acsl.READ)


@pytest.mark.long
def test_old_elements_of_a_bound_variable(tmp_path: Path) -> None:
    assert verdict(SWAP, tmp_path, entry="f", engine="transition") == "true"
    apart = EXCHANGE.replace("\\valid(q);", "\\valid(q) && \\separated(p, q);")
    assert verdict(apart, tmp_path, entry="f", engine="bmc") == "true"


ELEMENTS = tuple(x * x % 11 for x in range(10))
CLAIMS = {
    "\\exists integer k; 0 <= k < n && a[k] == 9": 9 in ELEMENTS,
    "\\exists integer k; 0 <= k < n && a[k] == 8": 8 in ELEMENTS,
    "\\exists integer k; 0 < k && k <= n - 2 && a[k] == 0": 0 in ELEMENTS[1:-1],
    "!(\\forall integer k; 0 <= k < n ==> a[k] < 9)": max(ELEMENTS) >= 9,
    "(\\forall integer k; n > k >= 0 ==> a[k] >= 1) <==> n < 0": min(ELEMENTS) < 1,
    "\\exists integer i, j; 0 <= i < j < n && a[i] == a[j]": len(set(ELEMENTS)) < len(ELEMENTS),
    "\\exists integer i, j; 0 <= i < j < n && a[i] == a[j] + 7": any(x == y + 7 for x, y in combinations(ELEMENTS, 2)),
    "\\exists integer k; 5 <= k <= 4 + n - n && a[k] == a[k]": False,
    "\\forall integer k; 0 <= k < n ==> a[k] == \\at(a[k], Pre)": False,
    "\\separated(a + (0..n-1), b + (0..n-1)) && \\separated(a + (0..4), a + (5..9)) && \\separated(a + 1, a)": True,
    "\\separated(a + (0..4), a + (4..n-1))": False,
    "\\separated(a + (4..9), b, a + (2..4))": False,
    "\\separated(a + (4..9), a + (9..8), c + (0..4)) && \\separated(c + 7, a, a + (2..9), c + (5..6))": True,
    "\\separated(c + (0..4), a + 1)": False,
}


@pytest.mark.sampled
@pytest.mark.long
@pytest.mark.parametrize(("claim", "holds"), CLAIMS.items(), ids=range(len(CLAIMS)))
def test_claims_mean_what_they_say(claim: str, holds: bool, tmp_path: Path) -> None:
    """The ranges that types give are large, so that values are tried, where no witness stands for all of them."""
    text = f"""int a[10], b[10]; {"char *c = (char *)a;" if "c + " in claim else ""}
void g(int n) {{
  for (int i = 0; i < n; i++) a[i]--;
  /*@ assert {claim}; */
}}
int main(void) {{
  for (int i = 0; i < 10; i++) a[i] = i * i % 11 + 1;
  g(10);
}}
"""
    assert verdict(text, tmp_path, engine="bmc") == ("true" if holds else "false")
