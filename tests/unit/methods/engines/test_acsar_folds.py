"""Ghost arrays of the engine `acsar`: sums and counts of unknown contents."""

from pathlib import Path

import pytest

from core.terms import INT, INT_ARRAY, Arena, ArrayValue, evaluate
from core.terms.term import Term
from methods.discovery.horn import Application, HornSystem, Rule
from methods.engines.acsar.prefix_ghosts import loop_rules
from methods.engines.acsar.sums import Total, difference, total_of
from tests.support import prepared

HEAD = "extern int __VERIFIER_nondet_int(void); extern void reach_error(void);\n"
SUM_TWICE = """
int main(void) {
  int n = __VERIFIER_nondet_int(); if (n < 1 || n > 100000) return 0;
  int a[n]; long long sum = 0; int i;
  for (i = 0; i < n; i++) sum += a[i];
  for (i = 0; i < n; i++) sum -= a[i]%s;
  if (sum != 0) reach_error();
}
"""
COUNTED = """
int count(int n, int *a) { int c = 0; for (int i = 0; i < n; i++) if (a[i] > 3) c++; return c; }
int main(void) {
  int n = __VERIFIER_nondet_int(); if (n < 2) return 0;
  int a[n]; int first = count(n, a);
  int t = a[0]; a[0] = a[1]; a[1] = %s;
  if (count(n, a) != first) reach_error();
}
"""


def verdict(tmp_path: Path, text: str, time_limit: float = 120) -> str:
    (tmp_path / "program.c").write_text(HEAD + text)
    return prepared.verify(tmp_path / "program.c", engine="acsar", time_limit=time_limit).status


@pytest.mark.long
def test_a_sum_of_unknown_contents(tmp_path: Path) -> None:
    assert verdict(tmp_path, SUM_TWICE % "") == "true"


@pytest.mark.slow
@pytest.mark.parametrize(("text", "right", "wrong"), [(SUM_TWICE, "", " + 1"), (COUNTED, "t", "t + 1")])
def test_results_of_permuted_arrays(tmp_path: Path, text: str, right: str, wrong: str) -> None:
    assert verdict(tmp_path, text % right) == "true"
    assert verdict(tmp_path, text % wrong) != "true"


def _wrapped(t: Arena, x: Term, bits: int) -> Term:
    half = 1 << (bits - 1)
    return t.subtract(t.modulo(t.add(x, t.integer(half)), t.integer(2 * half)), t.integer(half))


def test_what_is_added_is_found_again() -> None:
    t = Arena()
    x, y, z = (t.symbol(name, INT) for name in "xyz")
    whole = t.add(x, y)
    clipped = t.ite(t.le(whole, t.integer(2**31 - 1)), whole, t.subtract(whole, t.integer(2**32)))
    assert difference(t, whole, x) is y
    assert difference(t, clipped, x) is y
    assert difference(t, _wrapped(t, t.add(whole, z), 32), x) is t.add(y, z)
    choice = difference(t, t.ite(t.le(y, z), t.add(x, t.one), t.subtract(x, t.one)), x)
    assert choice is not None
    assert evaluate(choice, {y: 0, z: 1}) == 1
    assert evaluate(choice, {y: 1, z: 0}) == -1
    for other in (y, t.linear([(2, x)]), t.multiply(x, y), t.ite(t.le(x, y), y, x), t.modulo(x, t.integer(7))):
        assert difference(t, other, x) is None


def test_rules_enter_a_loop_or_stay_in_it() -> None:
    """An outer loop enters the inner one."""
    t = Arena()
    outer, inner = Application(0, ()), Application(1, ())
    rules = (
        Rule((), t.true, outer),
        Rule((outer,), t.true, inner),
        Rule((inner,), t.true, inner),
        Rule((inner,), t.true, outer),
    )
    system = HornSystem(((), ()), rules)
    assert loop_rules(system, 0) == ([0], [3])
    assert loop_rules(system, 1) == ([1], [2])


WITH_COUNTERS = """
int sum(int *a) { long long s = 0; for (int i = 0; i < 1000; i++) s = s + i + a[i]; return s; }
int main(void) {
  int a[1000];
  for (int i = 0; i < 1000; i++) a[i] = __VERIFIER_nondet_int();
  int first = sum(a);
  int t = a[0]; a[0] = a[1]; a[1] = %s;
  if (sum(a) != first) reach_error();
}
"""


@pytest.mark.slow
def test_sums_of_elements_and_counters(tmp_path: Path) -> None:
    assert verdict(tmp_path, WITH_COUNTERS % "t") == "true"


@pytest.mark.slow
def test_sums_of_elements_and_counters_that_differ_are_not_proved(tmp_path: Path) -> None:
    assert verdict(tmp_path, WITH_COUNTERS % "t + 1", time_limit=10) != "true"


@pytest.mark.long
def test_an_array_that_is_filled_from_its_end(tmp_path: Path) -> None:
    text = """int main(void) {
      int n = __VERIFIER_nondet_int(); if (n < 1) return 0;
      int a[n], i, j;
      for (i = 0, j = n - 1; i < n; i++, j--) a[j] = i;
      for (i = 0; i < n; i++) if (a[i] != n - 1 - i) reach_error();
    }"""
    assert verdict(tmp_path, text) == "true"


def test_the_total_of_elements_and_counters() -> None:
    arena = Arena()
    y, i, index = (arena.symbol(name, INT) for name in ("y", "i", "index"))
    a = arena.symbol("a", INT_ARRAY)
    added = arena.linear([(1, y), (3, arena.select(a, i)), (2, i)], 5)
    found = total_of(arena, y, [added], {arena.integer(7)}, {i: arena.add(index, arena.one)}, index)
    assert found == Total(7, 3, 2, 7)
    assert total_of(arena, y, [arena.add(y, arena.select(a, i))], {arena.zero}, {i: index}, index) is None
    elements, sums = [4, -1, 6, 2], [0]
    for element in elements:
        sums.append(sums[-1] + element)
    for count in range(5):
        added_up = 7 + sum(3 * elements[k] + 2 * (k + 1) + 5 for k in range(count))
        ghost = ArrayValue(0, dict(enumerate(sums)))
        assert evaluate(found.doubled(arena, a, arena.integer(count)), {a: ghost}) == 2 * added_up
