"""Arrays of two dimensions: what the engine `acsar` proves of rows and columns, and that it proves nothing else."""

from pathlib import Path

import pytest

from core.decision.instances import ground
from core.decision.strides import Stride
from core.terms import INT, INT_ARRAY, Arena
from methods.discovery.horn import Application, HornSystem, Rule
from methods.engines.acsar.cells import GridCell, shapes
from tests.support import prepared

HEAD = """extern int __VERIFIER_nondet_int(void); extern void abort(void); void reach_error(void) {}
void __VERIFIER_assert(int c) { if (!c) { reach_error(); abort(); } }
"""
INIT = """int a[40][30];
int main(void) {
  for (int i = 0; i < 40; i++) for (int j = 0; j < 30; j++) a[i][j] = 5;
  for (int i = 0; i < 40; i++) for (int j = 0; j < 30; j++) __VERIFIER_assert(a[i][j] == 5);
}
"""
TRANSPOSED = """int a[40][30], b[30][40];
int main(void) {
  for (int i = 0; i < 40; i++) for (int j = 0; j < 30; j++) a[i][j] = __VERIFIER_nondet_int();
  for (int i = 0; i < 40; i++) for (int j = 0; j < 30; j++) b[j][i] = a[i][j];
  for (int i = 0; i < 40; i++) for (int j = 0; j < 30; j++) __VERIFIER_assert(b[j][i] == a[i][j]);
}
"""
OF_ANY_SIZE = """int main(void) {
  int n = __VERIFIER_nondet_int(), m = __VERIFIER_nondet_int();
  if (n < 1 || n > 500 || m < 1 || m > 500) return 0;
  int a[n][m];
  for (int i = 0; i < n; i++) for (int j = 0; j < m; j++) a[i][j] = i;
  for (int i = 0; i < n; i++) for (int j = 0; j < m; j++) __VERIFIER_assert(a[i][j] == i);
}
"""
FLAT = """int a[9000];
int main(void) {
  int m = __VERIFIER_nondet_int();
  if (m < 1 || m > 50) return 0;
  for (int i = 0; i < 40; i++) for (int j = 0; j < m; j++) a[i * m + j] = 7;
  for (int i = 0; i < 40; i++) for (int j = 0; j < m; j++) __VERIFIER_assert(a[i * m + j] == 7);
}
"""


def verdict(text: str, folder: Path, time_limit: int = 60) -> str:
    file = folder / "a.c"
    file.write_text(HEAD + text)
    return prepared.verify(file, engine="acsar", time_limit=time_limit).status


@pytest.mark.sampled
@pytest.mark.long
@pytest.mark.parametrize(
    "text",
    [INIT, TRANSPOSED, pytest.param(OF_ANY_SIZE, marks=pytest.mark.slow), FLAT],
    ids=["init", "transposed", "any", "flat"],
)
def test_rows_and_columns_are_proved(text: str, tmp_path: Path) -> None:
    assert verdict(text, tmp_path) == "true"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("text", "right", "wrong"),
    [
        (INIT, "i < 40; i++) for (int j = 0; j < 30; j++) a", "i < 39; i++) for (int j = 0; j < 30; j++) a"),
        (INIT, "j < 30; j++) a", "j < 29; j++) a"),
        (INIT, "j = 0; j < 30; j++) a", "j = 1; j < 30; j++) a"),
        (INIT, "a[40][30]", "a[1500]"),  # and indices below
        (TRANSPOSED, "b[j][i] = a[i][j]", "b[j][i] = a[i][i % 30]"),
        (TRANSPOSED, "(b[j][i] ==", "(b[i % 30][j] =="),
        (OF_ANY_SIZE, "a[i][j] = i;", "a[i][j] = j;"),
        (OF_ANY_SIZE, "j < m; j++) a", "j < m - 1; j++) a"),
        (FLAT, "= 7;\n", "= 7;\n  m++;\n"),
        (FLAT, "int j = 0; j < m; j++) a[i * m + j]", "int j = 1; j < m; j++) a[i * m + j]"),
    ],
)
def test_wrong_programs_are_not_proved(text: str, right: str, wrong: str, tmp_path: Path) -> None:
    assert right in text
    changed = text.replace(right, wrong)
    if "a[1500]" in wrong:  # rows that overlap, whose numbers differ
        changed = changed.replace("a[i][j] = 5", "a[i * 20 + j] = i").replace("a[i][j] == 5", "a[i * 20 + j] == i")
    assert verdict(changed, tmp_path, time_limit=15) != "true"


def test_grids_follow_the_indices_of_the_program() -> None:
    arena = Arena()
    i, j, m, a = (*(arena.symbol(name, INT) for name in "ijm"), arena.symbol("a", INT_ARRAY))
    index = arena.add(arena.multiply(m, i), j)
    state = (i, j, m, a)
    start = Rule((), arena.true, Application(0, (arena.zero, arena.zero, m, a)))
    inner = Rule(
        (Application(0, state),), arena.true, Application(0, (i, arena.add(j, arena.one), m, arena.store(a, index, i)))
    )
    outer = Rule((Application(0, state),), arena.true, Application(0, (arena.add(i, arena.one), arena.zero, m, a)))
    found = shapes(arena, HornSystem((state,), (start, inner, outer)), lambda _: False)
    assert list(found.grids[a]) == [GridCell(a, Stride(1, (m,)), 1, arena.zero)]


def test_what_holds_for_rows_and_columns_is_used_at_those_that_are_read() -> None:
    arena = Arena()
    i, j, k, l, a = (*(arena.symbol(name, INT) for name in "ijkl"), arena.symbol("a", INT_ARRAY))  # noqa: E741
    claim = arena.equals(arena.select(a, arena.linear([(30, k), (1, l)])), arena.zero)
    goal = arena.equals(arena.select(a, arena.linear([(30, i), (1, j)])), arena.zero)
    made = ground(arena, [arena.forall([k, l], claim)], goal)
    assert goal in made.hypotheses
