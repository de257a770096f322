"""The contract of solver adapters, run against each, and their agreement."""

import threading
from collections.abc import Callable, Iterator

import pytest

from core.limits import SolverUndecided
from core.solver.contract import Model, Sat, Solver, SolverFactory, Unsat
from core.solver.cvc5_solver import Cvc5Factory
from core.solver.z3_library import Z3Error
from core.solver.z3_solver import Z3Factory
from core.terms import BOOL, INT, INT_ARRAY, Arena, Op, Term, evaluate, subterms
from tests.support.random_terms import RandomTerms

BACKENDS: dict[str, Callable[[], SolverFactory]] = {"z3": Z3Factory, "cvc5": Cvc5Factory}


@pytest.fixture(params=BACKENDS)
def factory(request: pytest.FixtureRequest) -> SolverFactory:
    return BACKENDS[request.param]()


@pytest.fixture
def arena() -> Arena:
    return Arena()


def is_linear(formula: Term) -> bool:
    return all(t.op is not Op.MULTIPLY for t in subterms(formula))


def random_problems(count: int) -> Iterator[tuple[RandomTerms, Term]]:
    for seed in range(count):
        draw = RandomTerms(seed)
        formula = draw.arena.and_(*(draw.formula(2) for _ in range(4)))
        if is_linear(formula):
            yield draw, formula


@pytest.mark.long
def test_answers_agree_and_models_satisfy() -> None:
    answers = []
    for draw, formula in random_problems(120):
        found = []
        for make in BACKENDS.values():
            solver = make()(effort=2000)
            solver.add(formula)
            answer = solver.check()
            found.append(type(answer))
            if isinstance(answer, Sat):
                values = {s: answer.model.value(s) for s in draw.symbols}
                assert evaluate(formula, values) is True, formula
        assert found[0] is found[1], formula
        answers.append(found[0])
    assert min(answers.count(Sat), answers.count(Unsat)) > 10


@pytest.mark.long
def test_a_true_formula_is_never_refuted(factory: SolverFactory) -> None:
    for seed in range(60):
        draw = RandomTerms(seed)
        values = draw.values()
        solver = factory(effort=500)
        for formula in (draw.formula(3) for _ in range(3)):
            solver.add(formula if evaluate(formula, values) else draw.arena.not_(formula))
        try:
            assert isinstance(solver.check(), Sat)
        except SolverUndecided:
            continue


def test_model_values_of_terms_are_those_of_evaluation(factory: SolverFactory) -> None:
    for draw, formula in random_problems(40):
        solver = factory(effort=2000)
        solver.add(formula)
        answer = solver.check()
        if isinstance(answer, Sat):
            values = {s: answer.model.value(s) for s in draw.symbols}
            terms = [t for t in subterms(formula) if t.sort in (INT, BOOL)]
            assert {t: answer.model.value(t) for t in terms if t.op is not Op.CONSTANT} == {
                t: evaluate(t, values) for t in terms if t.op is not Op.CONSTANT
            }


def test_a_model_of_z3_stays_when_its_solver_changes() -> None:
    arena = Arena()
    x, y = arena.symbol("x", INT), arena.symbol("y", INT)

    def decided(*formulas: Term) -> Model:
        answer = solvers[0].check(formulas)
        assert isinstance(answer, Sat)
        return answer.model

    solvers = [Z3Factory()(effort=2000)]
    solver = solvers[0]
    solver.add(arena.le(arena.integer(7), x))
    with solver.scope():
        solver.add(arena.equals(y, arena.add(x, arena.integer(1))))
        inside = decided()
    checked = decided(arena.equals(x, arena.integer(9)))
    changed = decided(arena.equals(x, arena.integer(11)))
    solver.add(arena.le(x, arena.integer(8)))
    last = decided()
    del solver, solvers[0]
    assert inside.value(arena.subtract(y, x)) == 1
    assert (checked.value(x), changed.value(x)) == (9, 11)
    assert last.value(x) in (7, 8)


def leave_by_exception(solver: Solver, formula: Term) -> None:
    with solver.scope():
        solver.add(formula)
        raise ZeroDivisionError


def test_scopes_forget(factory: SolverFactory, arena: Arena) -> None:
    x = arena.symbol("x", INT)
    negative, positive = arena.lt(x, arena.zero), arena.gt(x, arena.zero)
    solver = factory()
    solver.add(negative)
    with solver.scope():
        solver.add(positive)
        assert isinstance(solver.check(), Unsat)
    assert isinstance(solver.check(), Sat)
    with pytest.raises(ZeroDivisionError):
        leave_by_exception(solver, positive)
    assert isinstance(solver.check(), Sat)


def test_assumptions_named_in_a_scope_work_after_it(factory: SolverFactory, arena: Arena) -> None:
    x = arena.symbol("x", INT)
    negative, positive = arena.lt(x, arena.zero), arena.gt(x, arena.zero)
    solver = factory()
    with solver.scope():
        assert solver.check([negative, positive]) == Unsat((negative, positive))
    assert solver.check([negative, positive]) == Unsat((negative, positive))
    assert isinstance(solver.check([negative]), Sat)


def test_core_is_an_unsatisfiable_subset_in_order(factory: SolverFactory) -> None:
    cores = 0
    for seed in range(60):
        draw = RandomTerms(seed)
        assumptions = [f for f in (draw.formula(1) for _ in range(12)) if is_linear(f)]
        solver = factory(effort=2000)
        answer = solver.check(assumptions)
        if isinstance(answer, Unsat):
            cores += 1
            ordered = list(dict.fromkeys(assumptions))
            assert list(answer.core) == [a for a in ordered if a in answer.core]
            again = factory(effort=2000)
            again.add(*answer.core)
            assert isinstance(again.check(), Unsat)
    assert cores > 10


def test_core_leaves_out_what_is_not_needed(factory: SolverFactory, arena: Arena) -> None:
    x, y, z = (arena.symbol(name, INT) for name in "xyz")
    p = arena.symbol("p", BOOL)
    solver = factory()
    solver.add(arena.implies(p, arena.lt(x, y)))
    later = arena.lt(y, x)
    assert solver.check([arena.equals(z, arena.one), p, later]) == Unsat((p, later))
    assert solver.check([arena.false]) == Unsat((arena.false,))


def test_constants_and_empty_checks(factory: SolverFactory, arena: Arena) -> None:
    solver = factory()
    assert isinstance(solver.check(), Sat)
    assert isinstance(solver.check([arena.true]), Sat)
    solver.add(arena.false)
    assert solver.check() == Unsat(())


def test_big_numbers(factory: SolverFactory, arena: Arena) -> None:
    x = arena.symbol("x", INT)
    solver = factory()
    solver.add(arena.equals(x, arena.integer(-(2**70))))
    answer = solver.check()
    assert isinstance(answer, Sat)
    assert answer.model.value(x) == -(2**70)


def test_euclidean_division(factory: SolverFactory, arena: Arena) -> None:
    x, y, q, r = (arena.symbol(name, INT) for name in "xyqr")
    solver = factory()
    solver.add(arena.equals(q, arena.divide(x, y)), arena.equals(r, arena.modulo(x, y)))
    for a in (-7, 7):
        for b in (-2, 2):
            answer = solver.check([arena.equals(x, arena.integer(a)), arena.equals(y, arena.integer(b))])
            assert isinstance(answer, Sat)
            assert answer.model.value(r) == a % abs(b)
            assert answer.model.value(q) == (a - a % abs(b)) // b


def test_quantifiers(factory: SolverFactory, arena: Arena) -> None:
    a, i = arena.symbol("a", INT_ARRAY), arena.fresh("i", INT)
    bounded = arena.and_(arena.le(arena.zero, i), arena.lt(i, arena.integer(5)))
    solver = factory()
    solver.add(arena.forall([i], arena.implies(bounded, arena.equals(arena.select(a, i), i))))
    assert isinstance(solver.check([arena.equals(arena.select(a, arena.integer(3)), arena.integer(4))]), Unsat)


def hard_problem(arena: Arena) -> list[Term]:
    """No small solution is known: x³ + y³ + z³ = 33 has only huge ones."""
    x, y, z = (arena.symbol(name, INT) for name in "xyz")
    cubes = [arena.multiply(t, arena.multiply(t, t)) for t in (x, y, z)]
    return [arena.equals(arena.add(*cubes), arena.integer(33))]


def test_too_little_effort_is_undecided(factory: SolverFactory, arena: Arena) -> None:
    solver = factory(effort=1)
    solver.add(*hard_problem(arena))
    with pytest.raises(SolverUndecided):
        solver.check()


def test_interrupt_ends_running_and_later_checks(factory: SolverFactory, arena: Arena) -> None:
    solver = factory(effort=60_000)
    solver.add(*hard_problem(arena))
    timer = threading.Timer(0.1, factory.interrupt)
    timer.start()
    with pytest.raises(SolverUndecided):
        solver.check()
    timer.join()
    with pytest.raises(SolverUndecided, match="interrupted"):
        factory().check([arena.true])


@pytest.mark.parametrize("make", BACKENDS.values())
def test_same_questions_same_answers(make: Callable[[], SolverFactory]) -> None:
    def answers() -> list[object]:
        shared = make()
        result: list[object] = []
        for seed in range(15):
            draw = RandomTerms(seed)
            solver = shared(effort=1000)
            answer = solver.check([f for f in (draw.formula(1) for _ in range(6)) if is_linear(f)])
            result.append(
                [answer.model.value(s) for s in draw.integers]
                if isinstance(answer, Sat)
                else [str(a) for a in answer.core]
            )
        return result

    assert answers() == answers()


def test_a_model_that_z3_cannot_give_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    """An interrupt after the check leaves no model; what later checks find is not taken for it."""
    arena = Arena()
    x = arena.symbol("x", INT)
    factory = Z3Factory()
    solver = factory(effort=2000)
    answer = solver.check([arena.equals(x, arena.integer(9))])
    assert isinstance(answer, Sat)

    def gone(*_: object) -> object:
        raise Z3Error("there is no current model")

    with monkeypatch.context() as patch:
        patch.setattr(solver._core, "solver_get_model", gone)
        solver.add(arena.le(x, arena.zero))
    assert isinstance(solver.check(), Sat)
    with pytest.raises(SolverUndecided, match="no model"):
        answer.model.value(x)


def test_a_scope_that_z3_does_not_open_is_no_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    """An interrupt after a check cancels the next scope, too."""
    factory = Z3Factory()
    solver = factory()

    def cancelled(*_: object) -> object:
        raise Z3Error("push canceled")

    monkeypatch.setattr(solver._core, "solver_push", cancelled)
    with pytest.raises(SolverUndecided, match="push canceled"), solver.scope():
        pass
