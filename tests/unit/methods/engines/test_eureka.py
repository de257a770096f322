"""The engine `eureka`: the families of the paper, recursive procedures, refinement and what it cannot do."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from core.program import Program
from core.verdict import Outcome, Safe, Unknown, Unsafe
from methods.domains.zones import TrackedPlaces, cell
from methods.engines.eureka.decision import RefutedTrace
from methods.engines.eureka.engine import NO_RELATION, EurekaEngine
from methods.engines.eureka.refinement import MANY_ELEMENTS, extended, refined
from methods.registry import create_engine
from runs.events import Event, LemmaAdded, Level, NodeAdded, PathFound, RoundStarted
from tests.support.contexts import RecordingContext, solver_for
from tests.support.program_builder import ProgramBuilder
from tests.unit.methods.engines.test_concrete import confirmed, program

pytestmark = pytest.mark.long

ASSERT = "void __VERIFIER_assert(int c) { if (!c) reach_error(); } "

STRING_COPY = """
int main() { char src[20], dst[20]; int i = 0; TERMINATED
  while (src[i] != 0) { dst[i] = src[i]; i++; __VERIFIER_assert(i < 20); } dst[i] = 0; }
"""
PARTITION = """
int main() { int a[8], i = 0, j = 7, v, t, k;
  for (k = 0; k < 8; k++) a[k] = __VERIFIER_nondet_int();
  v = a[7];
  for (;;) {
    __VERIFIER_assert(i <= 7);
    while (a[i] < v) { i++; __VERIFIER_assert(i <= 7); }
    j--;
    while (j > LEFT && a[j] > v) { j--; __VERIFIER_assert(j >= 0); }
    if (i >= j) break;
    t = a[i]; a[i] = a[j]; a[j] = t; i++;
  } }
"""
GRAY = """
int main() { int g[4], u[4], n[4], o[4], i, j, c, d;
  for (i = 0; i <= 3; i++) { g[i] = 0; u[i] = 1; n[i] = 3; }
  for (c = 0; c < 7; c++) {
    for (i = 0; i <= 3; i++) o[i] = g[i];
    i = 0; j = g[0] + u[0];
    while (j >= n[i] || j < 0) { u[i] = -u[i]; i++; __VERIFIER_assert(i <= 3); j = g[i] + u[i]; }
    g[i] = j; d = g[i] - o[i]; __VERIFIER_assert(CLOSE && d != 0);
  } }
"""
BUBBLE_SORT = """
int main() { int a[5], i, j, t;
  for (i = 0; i < 5; i++) a[i] = __VERIFIER_nondet_int();
  for (i = 4; i > 0; i--) for (j = 0; j < ROUNDS; j++) if (a[j] > a[j+1]) { t = a[j]; a[j] = a[j+1]; a[j+1] = t; }
  for (i = 0; i < 4; i++) __VERIFIER_assert(a[i] <= a[i+1]); }
"""
SELECTION_SORT = """
int main() { int a[4], i, j, m, t;
  for (i = 0; i < 4; i++) a[i] = __VERIFIER_nondet_int();
  for (i = 0; i < 3; i++) {
    m = i; for (j = i + 1; j < END; j++) if (a[j] < a[m]) m = j;
    t = a[i]; a[i] = a[m]; a[m] = t; }
  for (i = 0; i < 3; i++) __VERIFIER_assert(a[i] <= a[i+1]); }
"""
FAMILIES = {
    "string copy": (STRING_COPY, "TERMINATED", "src[19] = 0;", ""),
    "partition": (PARTITION, "LEFT", "i", "i - 9"),
    "gray": (GRAY, "CLOSE", "-1 <= d && d <= 1", "d == 1"),
    "bubble sort": (BUBBLE_SORT, "ROUNDS", "i", "i - 1"),
    "selection sort": (SELECTION_SORT, "END", "4", "3"),
}

RECURSION = {
    "an array that procedures sort": """
int a[3]; void sort(int lo, int hi) { int t; if (lo >= hi) return;
  if (a[lo] > a[hi]) { t = a[lo]; a[lo] = a[hi]; a[hi] = t; } sort(lo + 1, hi - 1); }
int main() { for (int k = 0; k < 3; k++) a[k] = __VERIFIER_nondet_int(); sort(0, 2); __VERIFIER_assert(a[0] <= a[2]); }
""",
    "quicksort": """
int a[3];
void quicksort(int lo, int hi) { int i, j, v, t; if (lo >= hi) return; v = a[hi]; i = lo;
  for (j = lo; j < hi; j++) if (a[j] < v) { t = a[i]; a[i] = a[j]; a[j] = t; i++; }
  t = a[i]; a[i] = a[hi]; a[hi] = t; quicksort(lo, i - 1); quicksort(i + 1, hi); }
int main() { int i; for (i = 0; i < 3; i++) a[i] = __VERIFIER_nondet_int(); quicksort(0, 2);
  for (i = 0; i < 2; i++) __VERIFIER_assert(a[i] <= a[i+1]); }
""",
    "a depth without bound": """
int f(int n) { if (n <= 0) return 7; return f(n - 1); }
int main() { __VERIFIER_assert(f(__VERIFIER_nondet_int()) == 7); }
""",
    "two procedures that call each other": """
int odd(int n); int even(int n) { if (n == 0) return 1; return odd(n - 1); }
int odd(int n) { if (n == 0) return 0; return even(n - 1); }
int main() { __VERIFIER_assert(even(6) == 1); }
""",
    "a function whose results are sums of its parameters, where it has few values of one": """
int ackermann(int m, int n) { if (m == 0) return n + 1; if (n == 0) return ackermann(m - 1, 1);
  return ackermann(m - 1, ackermann(m, n - 1)); }
int main() { int m = __VERIFIER_nondet_int(), n = __VERIFIER_nondet_int();
  if (m < 0 || m > 3 || n < 0 || n > 23) return 0;
  __VERIFIER_assert(ackermann(m, n) >= 0); }
""",
    "a counter of calls that wraps around": """
unsigned steps; void hanoi(int n) { if (n == 0) return; steps++; hanoi(n - 1); hanoi(n - 1); }
int main() { hanoi(34); __VERIFIER_assert(steps == 4294967295u); }
""",
}


def run(p: Program, context: RecordingContext | None = None) -> Outcome:
    return EurekaEngine().run(p, [0], context or RecordingContext(solver=solver_for(p)))[0]


@pytest.mark.parametrize("name", list(FAMILIES))
def test_families_of_the_paper_are_proved(name: str) -> None:
    text, hole, right, _ = FAMILIES[name]
    p = program(ASSERT + text.replace(hole, right))
    outcome = run(p)
    assert isinstance(outcome, Safe)
    assert confirmed(p, outcome)


@pytest.mark.parametrize("name", list(FAMILIES))
def test_their_wrong_variants_are_refuted(name: str) -> None:
    text, hole, _, wrong = FAMILIES[name]
    p = program(ASSERT + text.replace(hole, wrong))
    outcome = run(p)
    assert isinstance(outcome, Unsafe)
    assert confirmed(p, outcome)


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=[pytest.mark.slow] if "wraps around" in name else []) for name in RECURSION]
)
def test_recursive_procedures_have_contracts(name: str) -> None:
    p = program(ASSERT + RECURSION[name])
    outcome = run(p)
    assert isinstance(outcome, Safe)
    assert outcome.certificate.contracts
    assert confirmed(p, outcome)


def test_errors_behind_recursive_procedures_are_found() -> None:
    text = RECURSION["quicksort"].replace("j < hi", "j < hi - 1")
    p = program(ASSERT + text)
    outcome = run(p)
    assert isinstance(outcome, Unsafe)
    assert confirmed(p, outcome)


def test_of_the_string_copy_one_element_is_tracked_whatever_its_size() -> None:
    lemmas = {}
    for size in ("20", "90"):
        text = STRING_COPY.replace("TERMINATED", "src[19] = 0;").replace("20", size).replace("19", str(int(size) - 1))
        context = RecordingContext()
        assert isinstance(run(program(ASSERT + text), context), Safe)
        lemmas[size] = sum(isinstance(event, LemmaAdded) for event in context.events)
    assert lemmas["20"] == lemmas["90"] <= 3  # i, the element with the terminator, and the parameter of the assertion


def test_events_tell_paths_and_places() -> None:
    p = program(ASSERT + STRING_COPY.replace("TERMINATED", "src[19] = 0;"))
    context = RecordingContext(Level.STATES)
    run(p, context)
    events: Sequence[Event] = context.events
    results = [event.result for event in events if isinstance(event, PathFound)]
    assert set(results) == {"spurious"}
    paths = [event for event in events if isinstance(event, PathFound)]
    assert any(0 < len(path.core) < len(path.edges) for path in paths), "the statements that contradict each other"
    assert not isinstance(events[-1], RoundStarted), "no round begins after the answer"
    tracked = [event for event in events if isinstance(event, LemmaAdded)]
    assert {event.role for event in tracked} == {"value"}
    assert {event.place for event in tracked} == {
        ((), p.functions[name].entry) for name in ("main", "__VERIFIER_assert")
    }


def test_states_of_a_callee_are_below_the_state_that_calls_it() -> None:
    p = program(ASSERT + RECURSION["a depth without bound"])
    context = RecordingContext(Level.STATES)
    run(p, context)
    nodes = [event for event in context.events if isinstance(event, NodeAdded)]
    assert [node.node for node in nodes] == list(range(len(nodes)))
    assert all(node.parent < node.node for node in nodes)
    entered = [node for node in nodes if node.place == ((), p.functions["f"].entry) and node.edges]
    callers = {p.locations[nodes[node.parent].place[1]].function for node in entered}
    assert callers == {"main"}


LINEAR = {
    "an equation with a coefficient": (
        "int n = __VERIFIER_nondet_int(), i = 0, s = 0; if (n < 0 || n > 1000) return 0; "
        "while (i < n) { i = i + 1; s = s + 2; } if (s HOLDS 2 * i) reach_error();",
        ("!=", "=="),
    ),
    "a bound of the sum of two variables": (
        "int x = __VERIFIER_nondet_int(), y = __VERIFIER_nondet_int(); "
        "if (x < 0 || y < 0 || x > 9 || y > 9 || x + y > HOLDS) return 0; if (x > 5 && y > 5) reach_error();",
        ("10", "12"),
    ),
    "an inequality that a loop keeps": (
        "int n = __VERIFIER_nondet_int(), i = 0, x = 0, y = 0; if (n < 0 || n > 1000) return 0; "
        "while (i < n) { if (__VERIFIER_nondet_int()) x = x + HOLDS; y = y + 1; i = i + 1; } "
        "if (x > 2 * y) reach_error();",
        ("2", "3"),
    ),
    "an equation that no guard mentions": (
        "int n = __VERIFIER_nondet_int(), i = 0, x = 0, y = 0; if (n < 0 || n > 1000) return 0; "
        "while (i < n) { if (__VERIFIER_nondet_int()) x = x + 3; else y = y + HOLDS; i = i + 1; } "
        "if (2 * x + 3 * y != 6 * n) reach_error();",
        ("2", "1"),
    ),
    "sums of elements": (
        "int a[5], b[5], c[5], i; for (i = 0; i < 5; i++) { a[i] = __VERIFIER_nondet_int() & 7; "
        "b[i] = __VERIFIER_nondet_int() & 7; } for (i = 0; i < 5; i++) c[i] = a[i] + b[i]; "
        "for (i = 0; i < 5; i++) if (c[i] - a[i] HOLDS b[i]) reach_error();",
        ("!=", "=="),
    ),
    "an amount that moves from one element to another": (
        "int acc[2] = {100, 200}, r, m; for (r = 0; r < 50; r++) { m = __VERIFIER_nondet_int(); "
        "if (m < 0 || m > 100) return 0; if (acc[0] >= m) { acc[0] = acc[0] - m; acc[1] = acc[1] + m; } } "
        "if (acc[0] + acc[1] HOLDS 300) reach_error();",
        ("!=", "=="),
    ),
    "an amount that moves between elements whose index is an input": (
        "int acc[2] = {200, 100}, m, f; while (__VERIFIER_nondet_int()) { m = __VERIFIER_nondet_int(); "
        "f = __VERIFIER_nondet_int(); if (m < 0 || m > 50 || f < 0 || f > 1) return 0; "
        "if (acc[f] >= m) { acc[f] = acc[f] - m; acc[1 - f] = acc[1 - f] + m; } "
        "if (acc[0] + acc[1] HOLDS 300) reach_error(); }",
        ("!=", "=="),
    ),
    "an element of which a sum that no guard mentions gives the bound": (
        "int acc[2] = {200, 100}, m, f; while (__VERIFIER_nondet_int()) { m = __VERIFIER_nondet_int(); "
        "f = __VERIFIER_nondet_int(); if (m < 0 || m > 50 || f < 0 || f > 1) return 0; "
        "if (acc[f] >= m) { acc[f] = acc[f] - m; acc[1 - f] = acc[1 - f] + m; } if (acc[0] < HOLDS) reach_error(); }",
        ("0", "190"),
    ),
}


@pytest.mark.parametrize("name", list(LINEAR))
def test_linear_relations_are_found(name: str) -> None:
    text, (right, wrong) = LINEAR[name]
    p = program("int main() {" + text.replace("HOLDS", right) + "}")
    outcome = run(p)
    assert isinstance(outcome, Safe)
    assert confirmed(p, outcome)
    assert not isinstance(run(program("int main() {" + text.replace("HOLDS", wrong) + "}")), Safe)


def test_what_a_function_returns_is_bounded_by_multiples_of_its_parameter() -> None:
    text = """int f(int k) { int d; if (k <= 0) return 0; d = __VERIFIER_nondet_int(); if (d < 2 || d > 3) d = 2;
      return f(k - 1) + d; }
    int main() { int k = __VERIFIER_nondet_int(); if (k < 0 || k > 1000) return 0; if (f(k) < BOUND) reach_error(); }"""
    p = program(text.replace("BOUND", "2 * k"))
    outcome = run(p)
    assert isinstance(outcome, Safe)
    assert outcome.certificate.contracts
    assert confirmed(p, outcome)
    assert isinstance(run(program(text.replace("BOUND", "2 * k + 1"))), Unsafe)


def test_the_sums_that_are_tracked_are_told() -> None:
    text, (right, _) = LINEAR["an inequality that a loop keeps"]
    p = program("int main() {" + text.replace("HOLDS", right) + "}")
    x, y = (next(v for v in p.variables if v.name.endswith(f"::{name}")) for name in "xy")
    context = RecordingContext(Level.STATES)
    run(p, context)
    told = {event.formula for event in context.events if isinstance(event, LemmaAdded)}
    assert context.term(p.arena.linear([(1, x), (-2, y)])) in told


def test_a_relation_takes_the_place_of_many_values() -> None:
    """What ends the loop is no number, so that a proof by values would have a state for each."""
    text = """int main() { int n = __VERIFIER_nondet_int(); if (n < 0 || n > 400) return 0; int i = 0, j = n;
      while (i < j) { i++; j--; } if (i + j != n) reach_error(); }"""
    p = program(text)
    outcome = run(p)
    assert isinstance(outcome, Safe)
    assert sum(formula.size for formula in outcome.certificate.invariants.values()) < 200
    assert confirmed(p, outcome)


def test_what_no_linear_relation_refutes_is_unknown() -> None:
    """No square leaves the remainder 2 where it is divided by 4."""
    p = program("int main() { int x = __VERIFIER_nondet_int() & 1023; int y = x * x; if (y % 4 == 2) reach_error(); }")
    outcome = run(p)
    assert isinstance(outcome, Unknown)
    assert outcome.reason == NO_RELATION


def test_an_index_that_is_an_input() -> None:
    text = "int main() { int a[3] = {1, 2, 3}; int k = __VERIFIER_nondet_int(); if (k < 0 || k > 2) return 0; CHECK }"
    safe = program(text.replace("CHECK", "if (a[k] > 3) reach_error();"))
    assert confirmed(safe, run(safe))
    unsafe = program(text.replace("CHECK", "if (a[k] > 2) reach_error();"))
    outcome = run(unsafe)
    assert isinstance(outcome, Unsafe)
    assert confirmed(unsafe, outcome)


def test_a_check_that_fails_does_not_keep_others_from_being_proved() -> None:
    p = program("int main() { int i = 0; while (i < 5) i++; if (i != 5) reach_error(); if (i == 5) reach_error(); }")
    outcomes = create_engine("eureka").run(p, [0, 1], RecordingContext())
    assert [type(outcomes[check]) for check in (0, 1)] == [Safe, Unsafe]
    assert confirmed(p, outcomes[0])


# Refinement


def test_refinement_takes_the_fewest_new_places() -> None:
    b = ProgramBuilder()
    x, y, z = (b.variable(f"main::{name}") for name in "xyz")
    p = b.program()
    precision = TrackedPlaces(p.arena).with_places([x])
    found = refined(precision, p, RefutedTrace((frozenset((x, y, z)), frozenset((x, z)), frozenset((x,)))))
    assert found is not None
    assert found.scalars == {x, z}
    assert refined(precision, p, RefutedTrace((frozenset((x,)),))) is None
    assert extended(precision, p, RefutedTrace((), frozenset((x,)))) is None


def test_many_elements_of_an_array_make_it_tracked_as_a_whole() -> None:
    p = program("int main() { int a[7]; a[0] = 1; if (a[0] != 1) reach_error(); }")
    [array] = [x for x, v in p.variables.items() if v.extent == 7]
    few = [cell(p.arena, array, k) for k in range(MANY_ELEMENTS - 1)]
    for places, expected in ((few, len(few)), ([*few, cell(p.arena, array, 6)], 7)):
        found = refined(TrackedPlaces(p.arena), p, RefutedTrace((frozenset(places),)))
        assert found is not None
        assert len(found) == expected


CHAIN = """
int a[4]; void f0(int i) { if (a[i] < 5) a[i]++; }
FUNCTIONS
int main() { f15(1); f15(2); __VERIFIER_assert(a[1] <= LIMIT); }
"""


@pytest.mark.parametrize(("limit", "kind"), [(5, Safe), (4, Unknown)])
def test_procedures_that_are_called_often_have_summaries(limit: int, kind: type[Outcome]) -> None:
    """Expanded, the last of sixteen is called 2^16 times; that it fails then is not shown."""
    functions = "\n".join(f"void f{k}(int i) {{ f{k - 1}(i); f{k - 1}(i); }}" for k in range(1, 16))
    text = CHAIN.replace("FUNCTIONS", functions).replace("LIMIT", str(limit))
    outcome = run(program(ASSERT + text))
    assert isinstance(outcome, kind)
    if isinstance(outcome, Safe):
        assert outcome.certificate.contracts.keys() == {"f11", "f6", "f1"}  # what lies between them has few copies


def test_a_number_that_is_neither_above_nor_below_another_one() -> None:
    text = """int add(int m, int n) { if (n == 0) return m; if (n > 0) return add(m + 1, n - 1);
      if (n < 0) return add(m - 1, n + 1); return 7; }
    int main() { int m = __VERIFIER_nondet_int(), n = __VERIFIER_nondet_int();
      if (m < -3 || m > 3 || n < -3 || n > 3) return 0;
      __VERIFIER_assert(add(m, n) == m + n); }"""
    assert isinstance(run(program(ASSERT + text)), Safe)
