"""The engine `acsar` on the programs of its paper, and what it is made of."""

from pathlib import Path

import pytest

from core.terms import INT, INT_ARRAY, Arena, ArrayValue, evaluate
from methods.discovery.horn import Application, HornSystem, Rule
from methods.engine import NotSupported
from methods.engines.acsar.cells import shapes
from methods.engines.acsar.compiled import NotCompiled, compiled
from methods.engines.acsar.engine import AcsarEngine
from methods.engines.acsar.sample_tables import Table, linear_equations, quadratic
from methods.engines.acsar.samples import small_system
from methods.engines.acsar.templates import passed_conditions
from tests.support import prepared
from tests.support.prepared import command as main
from tests.support.random_terms import RandomTerms
from tests.support.small_programs import counting_loop

PROGRAMS = Path(__file__).parents[4] / "resources" / "examples" / "arrays"
NAMES = sorted(path.stem for path in PROGRAMS.glob("*.c"))
OPEN = ("insertion_sort_wrong", "ixj_pad_fsk_wrong")  # whose errors sampled executions do not meet
QUICK = ("array_init", "scan_wrong")
HOARE = """
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int main(void) {
  int n = __VERIFIER_nondet_int();
  if (n < 2 || n > 100000) return 0;
  int a[n], low = 1, high = n - 1;
  for (int i = 0; i < n; i++) a[i] = __VERIFIER_nondet_int();
  int pivot = a[0];
  while (low <= high) {
    while (low <= high && a[low] <= pivot) low++;
    while (low <= high && a[high] > pivot) high--;
    if (low < high) { int old = a[low]; a[low] = a[high]; a[high] = old; low++; high--; }
  }
  for (int i = 1; i < n; i++) if (i < low ? a[i] > pivot : a[i] LESS pivot) reach_error();
}
"""  # Hoare's partition: what the inner loops leave behind must be known of the two elements that change places

ARRAYS = """
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int a[100], b[100];
int main(void) {
  int n = __VERIFIER_nondet_int();
  if (n < 1 || n > 100) return 0;
  for (int i = 0; i < n; i++) a[i] = b[i] = __VERIFIER_nondet_int();
  BODY
}
"""
SMALLEST = """int least = a[0], place = 0;
  for (int i = 1; i < n; i++) if (a[i] < least) { least = a[i]; place = i; }
  for (int i = 0; i < n; i++) if (a[i] LESS a[place]) reach_error();"""
SORTED = """int sorted = 1;
  for (int i = 0; i + 1 < n; i++) if (a[i] > a[i + 1]) sorted = 0;
  if (sorted) for (int i = 0; i < n; i++) for (int j = i; j < n; j++) if (!(a[i] LESS a[j])) reach_error();"""
REVERSED = """for (int i = 0; i < n / 2; i++) { int old = a[i]; a[i] = a[n - 1 - i]; a[n - 1 - i] = old; }
  for (int i = 0; i < n; i++) if (a[i] != b[n - 1 - i] + (LESS)) reach_error();"""


def verdict_of(name: str) -> str:
    return prepared.verify(PROGRAMS / f"{name}.c", engine="acsar", time_limit=120).status


@pytest.mark.long
@pytest.mark.parametrize("name", QUICK)
def test_a_right_program_is_proved_and_a_wrong_one_refuted(name: str) -> None:
    assert verdict_of(name) == ("false" if name.endswith("_wrong") else "true")


@pytest.mark.long
@pytest.mark.parametrize(("less", "expected"), [("<=", "true"), (">=", "false")])
def test_a_partition_from_both_ends(tmp_path: Path, less: str, expected: str) -> None:
    program = tmp_path / "hoare.c"
    program.write_text(HOARE.replace("LESS", less))
    assert prepared.verify(program, engine="acsar", time_limit=120).status == expected


@pytest.mark.long
@pytest.mark.parametrize(
    ("body", "less", "expected"),
    [
        (SMALLEST, "<", "true"),
        (SMALLEST, "<=", "false"),
        (SORTED, "<=", "true"),
        (SORTED, "<", "false"),
        (REVERSED, "0", "true"),
        (REVERSED, "i == 2", "false"),
    ],
)
def test_places_flags_and_mirrored_arrays(tmp_path: Path, body: str, less: str, expected: str) -> None:
    """What is known of an element is known of its place; what a flag says, behind loops that no execution left."""
    program = tmp_path / "arrays.c"
    program.write_text(ARRAYS.replace("BODY", body.replace("LESS", less)))
    assert prepared.verify(program, engine="acsar", time_limit=120).status == expected


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_the_programs_of_the_paper(name: str) -> None:
    found = verdict_of(name)
    if name not in OPEN or found != "unknown":
        assert found == ("false" if name.endswith("_wrong") else "true")


def test_there_are_nineteen_programs_and_wrong_twins() -> None:
    right = [name for name in NAMES if not name.endswith("_wrong")]
    assert len(right) == 19
    assert {f"{name}_wrong" for name in right} >= set(NAMES) - set(right)
    assert len(NAMES) - len(right) >= 10


def test_programs_without_arrays_are_refused() -> None:
    assert isinstance(AcsarEngine().supports(counting_loop(10)), NotSupported)


def test_compiled_terms_have_the_values_of_terms() -> None:
    for seed in range(60):
        draw = RandomTerms(seed)
        formula = draw.formula(3)
        values = dict(draw.values())
        try:
            found = compiled([formula])(values)
        except NotCompiled:
            continue
        if found is not None:
            assert found == (evaluate(formula, values),), (seed, formula)


def test_equations_of_tables() -> None:
    t = Arena()
    x, y = t.symbol("x", INT), t.symbol("y", INT)
    columns = {x: list(range(20)), y: [2 * v + 3 for v in range(20)]}
    assert linear_equations(t, columns) == [t.equals(y, t.linear([(2, x)], 3))]
    assert linear_equations(t, {x: [0, 1, 2, 3, 4], y: [0, 1, 4, 9, 16]}) == []
    squares = {x: list(range(9)), y: [v * v for v in range(9)]}
    assert t.equals(y, t.multiply(x, x)) in quadratic(t, squares)


def test_formulas_hold_in_rows() -> None:
    t = Arena()
    x, a = t.symbol("x", INT), t.symbol("a", INT_ARRAY)
    table = Table([{x: v, a: ArrayValue(0, {v: 7})} for v in range(4)])
    assert table.holds(t.equals(t.select(a, x), t.integer(7)), range(4))
    assert table.fails(t.lt(x, t.zero), range(4))
    assert not table.holds(t.equals(t.divide(x, x), t.one), range(4))  # has no value in the first row


def test_cells_follow_the_indices_of_the_program() -> None:
    t = Arena()
    i, p, a, m = t.symbol("i", INT), t.symbol("p", INT), t.symbol("a", INT_ARRAY), t.symbol("m", INT_ARRAY)
    read = t.and_(
        t.equals(t.select(a, t.linear([(4, i)], 1)), t.zero),
        t.equals(t.select(m, t.linear([(4, i), (1, p)], 8)), t.zero),
    )
    here = Application(0, (i, p, a, m))
    system = HornSystem(((i, p, a, m),), (Rule((here,), read, here),))
    cells = shapes(t, system, lambda x: x is p).cells
    assert [(c.scale, c.rest) for c in cells[a]] == [(1, t.zero), (4, t.one)]
    assert [(c.scale, c.rest) for c in cells[m]] == [(4, p)]


@pytest.mark.long
def test_invariants_are_printed_as_acsl(
    capsys: pytest.CaptureFixture[str],
) -> None:
    main(["verify", str(PROGRAMS / "array_init.c"), "--engine", "acsar"])
    assert "\\forall integer l; 0 <= l < i" in capsys.readouterr().out


def test_offsets_in_bytes_follow_sizes_that_are_made_small() -> None:
    arena = Arena()
    memory, x, i = arena.symbol("memory", INT_ARRAY), arena.symbol("x", INT), arena.symbol("i", INT)
    last = arena.add(x, arena.integer(3996))
    below = arena.lt(i, arena.integer(1000))
    stored = arena.store(memory, last, arena.select(memory, arena.linear([(1, x), (4, i)])))
    small = small_system(arena, [Rule((), below, Application(0, (stored, x, i)))], lambda _: None)
    (size,) = small.parameters
    assert small.parameters[size] in (999, 1000)
    index = small.small(last)
    assert {size, x} == index.symbols()
    assert evaluate(index, {size: small.parameters[size], x: 0}) == 3996
    assert small.original(arena)(index) is last


def test_what_a_rule_asks_of_elements_holds_behind_it_where_it_changes_nothing_of_that() -> None:
    t = Arena()
    x, y, a = t.symbol("x", INT), t.symbol("y", INT), t.symbol("a", INT_ARRAY)
    here = Application(0, (x, y, a))
    asked = t.or_(t.lt(y, x), t.lt(t.select(a, x), t.zero))
    further = Application(0, (t.add(x, t.one), y, a))
    bounded = t.and_(asked, t.le(x, y))
    system = HornSystem(((x, y, a),), (Rule((here,), bounded, here), Rule((here,), t.not_(asked), further)))
    assert passed_conditions(system, lambda _: None) == (asked,)
