"""Annotated programs from text to verdict."""

from pathlib import Path

import pytest

from tests.support import prepared
from tests.support.prepared import command as main

pytestmark = pytest.mark.long

COUNT = """extern int __VERIFIER_nondet_int(void);
int calls;
/*@ requires n >= 0; ensures \\result == 2 * n && calls == \\old(calls) + 1; */
int twice(int n) { calls++; n += n; return n; }
int main(void) {
  int n = __VERIFIER_nondet_int(), i = 0;
  if (n < 0 || n > 1000) return 0;
  int s = twice(n);
  //@ assert s <= 2000;
  /*@ loop invariant 0 <= i <= 5; */
  while (i < 5) i++;
  return 0;
}
"""
FILL = """int main(void) {
  int a[3], i;
  for (i = 0; i < 3; i++) a[i] = i;
  //@ assert \\forall integer k; 0 <= k < 3 ==> a[k] == k;
  //@ assert \\exists integer k; 0 <= k < 3 && a[k] == 2;
  return 0;
}
"""


@pytest.mark.sampled
@pytest.mark.parametrize(
    ("text", "status"),
    [
        (COUNT, "true"),
        (COUNT.replace("n < 0 ||", "n < -1 ||"), "false"),
        (COUNT.replace("s <= 2000", "s < 2000"), "false"),
        (FILL, "true"),
        (FILL.replace("i < 3; i++", "i < 2; i++"), "false"),
        (FILL.replace("a[k] == 2", "a[k] == 7"), "false"),
        (FILL.replace("a[k] == 2", "(a[k] == 7 || a[3] == a[3])"), "false"),
        (FILL.replace("k < 3 ==>", "k < 4 ==> k == 3 && a[k] == a[k] ||"), "false"),
    ],
)
def test_verdicts(text: str, status: str, tmp_path: Path) -> None:
    file = tmp_path / "a.c"
    file.write_text(text)
    verdict = prepared.verify(file, time_limit=30)
    assert verdict.status == status, verdict
    if status == "false":
        assert verdict.property == "acsl"
        assert verdict.confirmed_by == "interpreter of typed C; no native replay: a claim is no code"


def test_arrays_of_any_size_are_never_wrong(tmp_path: Path) -> None:
    text = """extern unsigned __VERIFIER_nondet_uint(void);
    int a[100];
    int main(void) {
      unsigned n = __VERIFIER_nondet_uint(), i;
      if (n > 100) return 0;
      for (i = 0; i < n; i++) a[i] = 1;
      //@ assert \\forall integer k; 0 <= k < n ==> a[k] == 1;
      return 0;
    }
    """
    file = tmp_path / "a.c"
    file.write_text(text)
    assert prepared.verify(file, time_limit=3).status in ("true", "unknown", "TIMEOUT")


def test_with_a_property_annotations_are_comments(tmp_path: Path) -> None:
    file = tmp_path / "a.c"
    file.write_text("int main(void) {\n//@ assert 1 == 2;\nreturn 0; }")
    assert prepared.verify(file).status == "false"
    assert prepared.verify(file, property="unreach-call").status == "true"
    words = ["verify", str(file), "--property", "unreach-call", "--quiet"]
    assert [main(words), main([*words, "--acsl", "read"])] == [0, 10]
