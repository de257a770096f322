"""The refinement of the engine `acsar`: cases, predicates, and the programs of its paper without candidates."""

from pathlib import Path

import pytest

from core.limits import Limits
from core.solver.contract import Sat
from core.solver.z3_solver import Z3Factory
from core.terms import INT, INT_ARRAY, Arena, Op, Term, subterms
from core.verdict import Unknown
from methods.discovery.horn import Application, HornSystem, Rule
from methods.engines.acsar import backward
from methods.engines.acsar.backward import Backward
from methods.engines.acsar.cubes import CaseSplit
from methods.engines.acsar.engine import AcsarEngine
from methods.engines.acsar.extraction import extracted
from runs.events import Level, PathFound, TermDefined
from tests.support import prepared
from tests.support.contexts import RecordingContext
from tests.support.random_terms import RandomTerms
from tests.unit.methods.engines.test_concrete import program

PROGRAMS = Path(__file__).parents[4] / "resources" / "examples" / "arrays"
NAMES = sorted(path.stem for path in PROGRAMS.glob("*.c") if not path.stem.endswith("_wrong"))


@pytest.mark.long
def test_a_case_holds_in_its_model_and_implies_the_formula() -> None:
    for seed in range(150):
        draw = RandomTerms(seed)
        arena, formula = draw.arena, draw.formula(3)
        solver = Z3Factory(0)(10_000)
        solver.add(formula)
        answer = solver.check()
        if not isinstance(answer, Sat):
            continue
        case = CaseSplit(arena, answer.model).of([formula])
        assert all(answer.model.value(literal) is True for literal in case), seed
        assert all(not _is_structured(literal) for literal in case), seed
        refuting = Z3Factory(0)(10_000)
        refuting.add(*case, arena.not_(formula))
        assert not isinstance(refuting.check(), Sat), seed


def _is_structured(literal: Term) -> bool:
    """Whether a literal has choices or propositional structure."""
    atom = literal.args[0] if literal.op is Op.NOT else literal
    return any(t.op in (Op.AND, Op.OR, Op.ITE, Op.IFF) for t in subterms(atom))


def test_indices_that_a_conjunction_keeps_apart_are_ordered() -> None:
    """Section 4.2 of the paper: the conjunction entails k ≠ i + 1 or l ≠ i."""
    t = Arena()
    i, k, l_, a = t.symbol("i", INT), t.symbol("k", INT), t.symbol("l", INT), t.symbol("a", INT_ARRAY)
    after = t.add(i, t.one)
    cube = [t.le(t.select(a, i), t.select(a, after)), t.lt(t.select(a, k), t.select(a, l_))]
    solver = Z3Factory(0)(10_000)
    solver.add(*cube)
    found = set(extracted(t, solver, cube, [i, k, l_, a]))
    assert {*cube, t.lt(l_, i), t.lt(i, l_), t.lt(k, after), t.lt(after, k)} <= found


def test_the_initialisation_of_an_array_as_in_the_paper() -> None:
    """Section 4.1: the fixpoint is 0 ≤ k < n ∧ a(k) ≠ 0 ∧ k < i, up to what rules know."""
    t = Arena()
    i, n, a, q = t.symbol("i", INT), t.symbol("n", INT), t.symbol("a", INT_ARRAY), t.symbol("q", INT)
    ghosts = t.fresh("k", INT), t.fresh("l", INT)
    loop = Application(0, (i, n, a))
    stored = t.store(a, i, t.zero)
    wrong = t.and_(t.le(n, i), t.le(t.zero, q), t.lt(q, n), t.not_(t.equals(t.select(a, q), t.zero)))
    system = HornSystem(
        ((i, n, a),),
        (
            Rule((), t.true, Application(0, (t.zero, n, a))),
            Rule((loop,), t.lt(i, n), Application(0, (t.add(i, t.one), n, stored))),
            Rule((loop,), wrong, None),
        ),
    )
    search = Backward(t, system, ghosts, lambda _: False, lambda _: None, [()], Z3Factory(0), Limits())
    rounds = 0
    while (start := search.explore()) is not None:
        assert search.learn(start)
        rounds += 1
        assert rounds < 10
    k = ghosts[0]
    assert all({t.lt(k, i), t.le(t.zero, k)} <= set(state.cube) for state in search.states[0])


@pytest.mark.long
def test_refinement_alone_proves_a_program() -> None:
    assert _verdict("array_init") == "true"


def test_impossible_paths_and_their_predicates_are_told() -> None:
    lowered = program((PROGRAMS / "array_init.c").read_text())
    context = RecordingContext(Level.STATES, options={"method": "refinement"})
    AcsarEngine().run(lowered, [check.id for check in lowered.checks], context)
    paths = [event for event in context.events if isinstance(event, PathFound)]
    assert paths
    assert all(path.result == "spurious" and path.core for path in paths)
    symbols = {event.payload for event in context.events if isinstance(event, TermDefined) and event.op == "symbol"}
    assert any(name.startswith("\\") for name in symbols), "the index of a predicate has a name of its own"


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_the_programs_of_the_paper_by_refinement(name: str) -> None:
    assert _verdict(name) == "true"


DISTINCT = """
extern int __VERIFIER_nondet_int(void); extern void reach_error(void);
int main(void) {
  int n = __VERIFIER_nondet_int();
  if (n < 1 || n > 100000) return 0;
  int a[n];
  for (int i = 0; i < n; i++) a[i] = 2 * i + 5;
  int p = __VERIFIER_nondet_int(), q = __VERIFIER_nondet_int();
  if (p >= 0 && p < q && q < n && a[p] == a[q]) reach_error();
  return 0;
}
"""
THIRDS = """
extern int __VERIFIER_nondet_int(void); extern void reach_error(void);
int main(void) {
  int n = __VERIFIER_nondet_int();
  if (n < 5 || n > 100000 || n % 5 != 0) return 0;
  int u = __VERIFIER_nondet_int(), v = __VERIFIER_nondet_int();
  int a[n];
  for (int i = 0; i < n; i += 5) { a[i] = u; a[i + 1] = v; a[i + 2] = v; a[i + 3] = v; a[i + 4] = v; }
  int p = __VERIFIER_nondet_int();
  if (p >= 0 && p < n && (p % 5 == 0 ? a[p] != u : a[p] != v)) reach_error();
  return 0;
}
"""


@pytest.mark.long
@pytest.mark.parametrize(
    ("text", "wrong"),
    [(DISTINCT, ("2 * i + 5", "i / 2 + 5")), (THIRDS, ("a[i + 3] = v", "a[i + 3] = u"))],
)
def test_ghosts_that_equal_counters_and_remainders_of_counters(text: str, wrong: tuple[str, str]) -> None:
    """Two elements at ghosts, of which one is what a counter gave; a counter whose remainder the proof needs."""
    assert _found(text) == "Safe"
    assert _found(text.replace(*wrong)) != "Safe"


def _found(text: str) -> str:
    lowered = program(text)
    context = RecordingContext(options={"method": "refinement"})
    outcomes = AcsarEngine().run(lowered, [check.id for check in lowered.checks], context)
    return type(next(iter(outcomes.values()))).__name__


def test_a_cap_on_predicates_is_the_reason_where_it_ends_refinement(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(backward, "MAX_PREDICATES", 2)
    lowered = program(DISTINCT)
    context = RecordingContext(options={"method": "refinement"})
    outcomes = AcsarEngine().run(lowered, [check.id for check in lowered.checks], context)
    assert [o.reason for o in outcomes.values() if isinstance(o, Unknown)] == [
        "refinement needs more than 2 predicates at one place"
    ]


def _verdict(name: str) -> str:
    options = {"method": "refinement"}
    return prepared.verify(PROGRAMS / f"{name}.c", engine="acsar", option=options, time_limit=60).status
