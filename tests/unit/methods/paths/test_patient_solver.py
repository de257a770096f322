"""The solver of an unrolling: what z3 does not decide with little effort, others do."""

from collections.abc import Sequence

import pytest

from core.limits import Limits, SolverUndecided
from core.program import Range
from core.solver.contract import GrowingSolver, Sat, Unsat
from core.solver.z3_solver import Z3Factory
from core.terms import INT, INT_ARRAY, Arena, ArraySort, Term
from frontend.api import parse_program
from frontend.lowering import UnreachCall, lower
from frontend.typed.ctype import DataModel
from methods.paths import patient_solver
from methods.paths.patient_solver import (
    BITS,
    BITS_OF_BYTES,
    FIRST,
    STEP,
    PatientSolver,
    begins_with_bitwuzla,
    share_of_bitwuzla,
)


class Undecided:
    """A solver that decides nothing."""

    def raise_effort(self, effort: int) -> None: ...

    def add(self, *formulas: Term) -> None: ...

    def check(self, assumptions: Sequence[Term] = ()) -> Sat | Unsat:
        raise SolverUndecided("never")


class Hurried:
    """A factory whose solvers decide nothing with little effort; those with more are z3's."""

    def __init__(self) -> None:
        self.asked: list[int] = []

    def __call__(self, effort: int) -> GrowingSolver:
        self.asked.append(effort)
        return Undecided() if effort <= FIRST else Z3Factory()(effort)


def patient(factory: Hurried, bounds: Range | None, effort: int = 2 * FIRST) -> PatientSolver:
    return PatientSolver(factory, effort, lambda _: bounds, Limits(), 0)


def test_numbers_with_bounds_are_bits() -> None:
    factory, arena = Hurried(), Arena()
    solver = patient(factory, Range(0, 255))
    x, y = arena.symbol("x", INT), arena.symbol("y", INT)
    solver.add(arena.equals(arena.multiply(x, y), arena.integer(221)), arena.lt(arena.one, x), arena.lt(x, y))
    was_hard, answer = solver.is_hard, solver.check()
    assert (was_hard, solver.is_hard) == (False, True)
    assert isinstance(answer, Sat)
    assert (answer.model.value(x), answer.model.value(y)) == (13, 17)
    solver.add(arena.not_(arena.equals(x, arena.integer(13))))
    assert isinstance(solver.check([arena.le(y, arena.integer(100))]), Unsat)
    assert factory.asked == [FIRST]
    with pytest.raises(SolverUndecided, match="no model"):
        answer.model.value(x)  # it was that of another check


def test_where_a_number_has_no_bounds_z3_is_asked_once_more() -> None:
    factory, arena = Hurried(), Arena()
    solver = patient(factory, None)
    x = arena.symbol("x", INT)
    solver.add(arena.lt(arena.zero, x))
    assert isinstance(solver.check([arena.lt(x, arena.zero)]), Unsat)
    solver.add(arena.lt(x, arena.integer(2)))
    answer = solver.check()
    assert isinstance(answer, Sat)
    assert answer.model.value(x) == 1
    assert factory.asked == [FIRST, 2 * FIRST]


def test_little_effort_is_all_there_is() -> None:
    factory, arena = Hurried(), Arena()
    with pytest.raises(SolverUndecided):
        patient(factory, Range(0, 1), FIRST).check([arena.true])
    assert factory.asked == [FIRST]


@pytest.mark.parametrize("sort", [INT_ARRAY, ArraySort(INT, INT_ARRAY)])
def test_arrays_of_numbers_are_decided_those_of_arrays_by_z3(sort: ArraySort) -> None:
    factory, arena = Hurried(), Arena()
    solver = patient(factory, Range(0, 255))
    array, x = arena.symbol("a", sort), arena.symbol("x", INT)
    element = arena.select(array, x)
    number = element if sort == INT_ARRAY else arena.select(element, x)
    solver.add(arena.equals(number, arena.integer(7)), arena.equals(x, arena.integer(3)))
    three = arena.integer(3)
    same = arena.select(array, three) if sort == INT_ARRAY else arena.select(arena.select(array, three), three)
    assert isinstance(solver.check([arena.not_(arena.equals(same, arena.integer(7)))]), Unsat)
    assert len(factory.asked) == (1 if sort == INT_ARRAY else 2)


def test_what_bitwuzla_does_not_decide_z3_is_asked_once_more_with_more_effort(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(patient_solver, "BitwuzlaSearch", lambda *_: Undecided())
    factory, arena = Hurried(), Arena()
    solver = patient(factory, Range(0, 255), 2 * STEP * FIRST)
    x = arena.symbol("x", INT)
    solver.add(arena.lt(x, arena.zero))
    assert isinstance(solver.check([arena.lt(arena.one, x)]), Unsat)
    solver.add(arena.lt(x, arena.integer(-1)))
    assert isinstance(solver.check(), Sat)
    assert factory.asked == [FIRST, STEP * FIRST]


def test_all_effort_is_the_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(patient_solver, "BitwuzlaSearch", lambda *_: Undecided())
    asked: list[int] = []

    def never(effort: int) -> GrowingSolver:
        asked.append(effort)
        return Undecided()

    with pytest.raises(SolverUndecided, match="never"):
        PatientSolver(never, 2 * STEP * FIRST, lambda _: None, Limits(), 0).check()
    assert asked == [FIRST, STEP * FIRST, 2 * STEP * FIRST]


def test_what_was_too_hard_is_decided_with_more_effort() -> None:
    factory, arena = Hurried(), Arena()
    solver = patient(factory, None, FIRST)
    x = arena.symbol("x", INT)
    solver.add(arena.lt(arena.zero, x))
    with pytest.raises(SolverUndecided):
        solver.check()
    solver.raise_effort(2 * FIRST)
    assert isinstance(solver.check(), Sat)
    assert isinstance(solver.check([arena.lt(x, arena.zero)]), Unsat)


def test_assumptions_of_a_check_are_forgotten_behind_it() -> None:
    arena = Arena()
    solver = patient(Hurried(), Range(0, 255))
    x = arena.symbol("x", INT)
    for number in (3, 4, 3):
        solver.add(arena.le(x, arena.integer(number + 100)))
        answer = solver.check([arena.equals(x, arena.integer(number))])
        assert isinstance(answer, Sat)
        assert answer.model.value(x) == number


@pytest.mark.parametrize("bounds", [Range(0, 255), None])
def test_of_bits_bitwuzla_is_asked_alone_also_about_pointers_without_bounds(bounds: Range | None) -> None:
    factory, arena = Hurried(), Arena()
    solver = PatientSolver(factory, 2 * FIRST, lambda _: bounds, Limits(), 0, share=None)
    x = arena.symbol("x", INT)
    solver.add(arena.lt(arena.zero, x))
    assert isinstance(solver.check([arena.lt(x, arena.zero)]), Unsat)
    answer = solver.check([arena.lt(arena.integer(1 << 80), x)])
    assert isinstance(answer, Unsat if bounds else Sat)
    assert factory.asked == []


def test_what_has_no_bits_is_told_to_z3_with_all_that_was_before() -> None:
    factory, arena = Hurried(), Arena()
    solver = PatientSolver(factory, 2 * FIRST, lambda _: Range(0, 255), Limits(), 0, share=None)
    x, rows = arena.symbol("x", INT), arena.symbol("rows", ArraySort(INT, INT_ARRAY))
    solver.add(arena.lt(x, arena.integer(4)))
    assert isinstance(solver.check(), Sat)
    solver.add(arena.lt(arena.integer(5), arena.select(arena.select(rows, x), x)))
    solver.add(arena.le(arena.select(arena.select(rows, x), x), x))
    assert isinstance(solver.check(), Unsat)
    assert factory.asked == [FIRST, 2 * FIRST]


def test_bitwuzla_may_be_asked_before_z3() -> None:
    factory, arena = Hurried(), Arena()
    solver = PatientSolver(factory, 2 * FIRST, lambda _: Range(0, 255), Limits(), 0, begins_with_bitwuzla=True)
    x = arena.symbol("x", INT)
    solver.add(arena.lt(arena.zero, x))
    assert isinstance(solver.check([arena.lt(x, arena.zero)]), Unsat)
    assert isinstance(solver.check(), Sat)
    assert factory.asked == []


@pytest.mark.parametrize(
    ("text", "begins"),
    [
        ("float f; unsigned x, y; f = f * 2; x = x ^ y;", True),
        ("union { float f; unsigned u; } v; v.f = v.f * 2; v.u += 1;", False),
        ("union { double d; unsigned u[2]; } v; v.d = v.d * 2; v.u[0] += 1;", True),
        ("float f; unsigned x; f = f * 2; x += 1;", False),
        ("float f, g; unsigned x, y; f = g; x = x ^ y;", False),
    ],
)
def test_bitwuzla_is_first_where_numbers_with_a_point_are_bits(text: str, begins: bool) -> None:
    text = f"extern int n(void); int main(void) {{ {text} return 0; }}"
    program = lower(parse_program(text, "a.c", DataModel.LP64), UnreachCall())
    assert begins_with_bitwuzla(program) is begins


@pytest.mark.parametrize(
    ("text", "share"),
    [
        ("unsigned x, y; x = x ^ y;", None),
        ("unsigned x; unsigned char *p = (unsigned char *) &x; p[x & 0] = 1;", None),
        ("unsigned char a[3]; unsigned i; a[i % 3]++;", BITS_OF_BYTES),
        ("int x, a[3]; a[0] = x / 2; a[1] = (x + 1) % 3;", BITS),
        ("float f; unsigned x; f = f * 2; x ^= 1;", BITS),
    ],
)
def test_programs_about_bits_ask_bitwuzla_alone(text: str, share: int | None) -> None:
    text = f"extern int n(void); int main(void) {{ {text} return 0; }}"
    program = lower(parse_program(text, "a.c", DataModel.LP64), UnreachCall())
    assert share_of_bitwuzla(program) == share
