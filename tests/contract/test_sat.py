"""The contract of `sat`: answers against enumeration, cores, budgets."""

from itertools import combinations, product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sat.cores import Consistent, Core, Minimality, tagged_core
from sat.proof_trace import ProvingSolver
from sat.solver import ConflictLimitReached, Satisfiable, SatSolver, Unsatisfiable

VARIABLES = range(1, 6)
literals = st.sampled_from([*VARIABLES, *(-v for v in VARIABLES)])
clauses = st.lists(st.lists(literals, min_size=1, max_size=3), max_size=14)
assumption_lists = st.lists(literals, max_size=4, unique=True)


def satisfiable(formula: list[list[int]]) -> bool:
    for values in product((False, True), repeat=len(VARIABLES)):
        true = {v if value else -v for v, value in zip(VARIABLES, values, strict=True)}
        if all(true.intersection(clause) for clause in formula):
            return True
    return False


def pigeons(holes: int) -> list[list[int]]:
    """One pigeon more than holes: unsatisfiable, and hard for resolution."""
    at = {(p, h): p * holes + h + 1 for p in range(holes + 1) for h in range(holes)}
    placed = [[at[p, h] for h in range(holes)] for p in range(holes + 1)]
    apart = [[-at[p, h], -at[q, h]] for h in range(holes) for p, q in combinations(range(holes + 1), 2)]
    return placed + apart


@given(formula=clauses, queries=st.lists(assumption_lists, max_size=4))
def test_incremental_answers_agree_with_enumeration(formula: list[list[int]], queries: list[list[int]]) -> None:
    with SatSolver() as solver:
        for position, assumptions in enumerate([[], *queries]):
            known = formula[: len(formula) * (position + 1) // (len(queries) + 1)]
            for clause in known:
                solver.add(clause)
            match solver.solve(assumptions):
                case Satisfiable() as answer:
                    for clause in [*known, *([a] for a in assumptions)]:
                        assert any(answer.value(abs(x)) == (x > 0) for x in clause)
                case Unsatisfiable(core):
                    assert list(core) == [a for a in assumptions if a in core]
                    assert not satisfiable([*known, *([a] for a in core)])


@given(tagged=st.lists(st.tuples(st.integers(0, 3), st.lists(literals, max_size=2)), max_size=14))
def test_tagged_cores_are_minimal(tagged: list[tuple[int, list[int]]]) -> None:
    def formula(tags: set[int]) -> list[list[int]]:
        return [clause for tag, clause in tagged if tag in tags]

    match tagged_core(tagged):
        case Consistent():
            assert satisfiable([clause for _, clause in tagged])
        case Core(tags, minimality):
            assert minimality is Minimality.MINIMAL
            assert not satisfiable(formula(set(tags)))
            assert all(satisfiable(formula(set(tags) - {tag})) for tag in tags)


def test_tags_keep_the_order_of_first_occurrence() -> None:
    steps = [("b", [1]), ("free", [3]), ("a", [-1, 2]), ("b", [4]), ("c", [-2])]
    assert tagged_core(steps) == Core(("b", "a", "c"), Minimality.MINIMAL)


def test_a_clause_set_may_be_refuted_without_tags_in_doubt() -> None:
    assert tagged_core([("only", [])]) == Core(("only",), Minimality.MINIMAL)
    assert isinstance(tagged_core(list[tuple[str, list[int]]]()), Consistent)


def test_a_minimisation_out_of_budget_keeps_a_sound_core() -> None:
    hard = [(i, clause) for i, clause in enumerate(pigeons(5))]
    core = tagged_core(hard, conflicts_per_query=1)
    assert isinstance(core, Core)
    assert core.minimality is Minimality.BUDGET
    with SatSolver(clause for tag, clause in hard if tag in core.tags) as solver:
        assert isinstance(solver.solve(), Unsatisfiable)


def test_a_budget_ends_a_query_and_the_solver_stays_usable() -> None:
    with SatSolver(pigeons(7)) as solver:
        with pytest.raises(ConflictLimitReached):
            solver.solve(conflicts=5)
        assert isinstance(solver.solve([1, -1]), Unsatisfiable)
    with SatSolver(pigeons(6)) as solver:
        with pytest.raises(ConflictLimitReached):
            solver.solve(conflicts=1)
        assert isinstance(solver.solve(), Unsatisfiable)


def test_contradictory_assumptions_are_a_core() -> None:
    with SatSolver([[1, 2]]) as solver:
        assert solver.solve([2, 1, -1]) == Unsatisfiable((1, -1))
        assert isinstance(solver.solve([2, 1]), Satisfiable)


def test_an_inconsistent_clause_set_needs_no_assumptions() -> None:
    with SatSolver([[1], [-1]]) as solver:
        assert solver.solve([5]) == Unsatisfiable(())
    with SatSolver([[]]) as solver:
        assert solver.solve() == Unsatisfiable(())


def test_a_variable_that_occurs_nowhere_is_false() -> None:
    with SatSolver([[2]]) as solver:
        answer = solver.solve([-4])
        assert isinstance(answer, Satisfiable)
        assert [answer.value(v) for v in (2, 4, 9)] == [True, False, False]
        with pytest.raises(ValueError, match="variable"):
            answer.value(0)


def test_misuse_raises() -> None:
    with SatSolver() as solver:
        for misuse in (lambda: solver.add([1, 0]), lambda: solver.solve([0]), lambda: solver.solve(conflicts=0)):
            with pytest.raises(ValueError):  # noqa: PT011
                misuse()
    solver.close()
    with pytest.raises(ValueError, match="closed"):
        solver.solve()


def test_the_same_calls_give_the_same_answers() -> None:
    def run() -> list[object]:
        with SatSolver(pigeons(4)[5:]) as solver:
            return [solver.solve([v, -v - 3, 20]) for v in range(1, 16)]

    assert run() == run()


@given(formula=clauses, assumptions=assumption_lists)
def test_a_solver_with_proofs_has_a_model_or_a_refutation(formula: list[list[int]], assumptions: list[int]) -> None:
    with ProvingSolver() as solver:
        for clause in formula:
            solver.add(tuple(clause))
        assert solver.model() == []
        refuted = solver.refutation(assumptions) is not None
        model = frozenset(solver.model())
        assert refuted != satisfiable([*formula, *([n] for n in assumptions)])
        assert refuted or all(not model.isdisjoint(clause) for clause in formula)
        assert refuted or model.issuperset(assumptions)
        solver.add((1,))
        assert solver.model() == []


def test_a_solver_with_proofs_has_no_model_where_its_effort_was_not_enough() -> None:
    with ProvingSolver() as solver:
        for clause in pigeons(8):
            solver.add(tuple(clause))
        assert solver.refutation([], 5) is None
        assert solver.model() == []
