"""Bounds of sums of elements, executions with sizes as they are, and remainders in what `acsar` proves."""

from collections.abc import Iterator
from itertools import product

import pytest

from core.terms import INT, INT_ARRAY, Arena, Term
from core.terms.evaluate import evaluate
from core.verdict import Safe, Unsafe
from methods.engines.acsar.cell_sums import CellSum, CellSumGuesses
from methods.engines.acsar.engine import AcsarEngine
from methods.engines.acsar.sample_tables import Table
from tests.support.contexts import RecordingContext
from tests.unit.methods.engines.test_concrete import program

BOUNDED = """
int main(void) {
  int n = __VERIFIER_nondet_int();
  if (n < 1 || n > 10000) return 0;
  int a[n];
  for (int i = 0; i < n; i++) a[i] = 0;
  while (__VERIFIER_nondet_int()) {
    int at = __VERIFIER_nondet_int();
    if (at < 0 || at >= n) return 0;
    a[at] = at % 2 == 0 ? 1 : 0;
  }
  int sum = 0;
  for (int i = 0; i < n; i++) sum += a[i];
  if (2 * sum > n + 1) reach_error();
  return 0;
}
"""
HALF = """
int main(void) {
  int a[24], before = 0, after = 0;
  for (int i = 0; i < 24; i++) a[i] = __VERIFIER_nondet_int();
  for (int i = 0; i < 24; i++) if (i > 11 && a[i] > 0) before++;
  int first = a[0];
  for (int i = 0; i < 23; i++) a[i] = a[i + 1];
  a[23] = first;
  for (int i = 0; i < 24; i++) if (i > 11 && a[i] > 0) after++;
  if (before != after) reach_error();
  return 0;
}
"""


def _rounds(one: CellSum, even: tuple[int, int], odd: tuple[int, int]) -> Iterator[dict[Term, int]]:
    """The states of a loop in which every element is at its bound."""
    total = 0
    for n in range(8):
        yield {one.counter: n, one.total: total}
        slope, constant = odd if n % 2 else even
        total += slope * n + constant


def test_a_total_is_bounded_by_the_sum_of_bounds_and_no_less() -> None:
    t = Arena()
    i, y, a = t.symbol("i", INT), t.symbol("y", INT), t.symbol("a", INT_ARRAY)
    one = CellSum(0, y, i, 0, 0, t.select(a, i))
    guesses = CellSumGuesses(t, (i, y, a), 0, [one], ())
    lines = [(0, 0), (0, 1), (0, -1), (1, 0), (-1, 0)]
    for even, odd in product(lines, repeat=2):
        states = list(_rounds(one, even, odd))
        k = t.symbol("k", INT)
        found = list(guesses.candidates(Table(states), Table([]), k))
        for state in states:
            larger, smaller = ({**state, y: state[y] + d} for d in (1, -1))
            assert all(evaluate(f, state) is True for f in found if a not in f.symbols())
            assert any(evaluate(f, larger) is False for f in found if a not in f.symbols())
            assert any(evaluate(f, smaller) is False for f in found if a not in f.symbols())


def _outcome(text: str) -> object:
    lowered = program(text)
    context = RecordingContext(options={"method": "candidates"})
    return next(iter(AcsarEngine().run(lowered, [check.id for check in lowered.checks], context).values()))


@pytest.mark.long
def test_a_sum_is_at_most_the_number_of_its_even_indices() -> None:
    assert isinstance(_outcome(BOUNDED), Safe)
    assert not isinstance(_outcome(BOUNDED.replace("% 2 == 0 ? 1", "% 2 == 0 ? 2")), Safe)


def test_a_violation_that_needs_two_sizes_in_proportion_is_found() -> None:
    assert isinstance(_outcome(HALF), Unsafe)
