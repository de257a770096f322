"""Invariants for display: shorter, and equivalent."""

from itertools import product
from random import Random

import pytest

from core.solver.z3_solver import Z3Factory
from core.terms import INT, INT_ARRAY, Arena, Term, evaluate, to_readable_c
from core.terms.case_lists import without_case_lists
from interplay.session.readable_invariants import Questions, simplified

A = Arena()
X, Y, Z = A.symbol("x", INT), A.symbol("y", INT), A.symbol("z", INT)


def at_least(x: Term, value: int) -> Term:
    return A.ge(x, A.integer(value))


@pytest.mark.parametrize(
    ("formula", "text"),
    [
        (A.and_(at_least(X, 1), at_least(X, 3)), "x >= 3"),
        (A.and_(at_least(X, 3), A.or_(at_least(Y, 1), A.le(X, A.zero))), "x >= 3 && y > 0"),
        (A.or_(at_least(X, 3), A.and_(at_least(X, 5), at_least(Y, 1))), "x >= 3"),
        (A.ite(at_least(X, 0), at_least(X, -2), at_least(Y, 0)), "x < 0 ? y >= 0 : 1"),
        (A.and_(at_least(X, 2), A.equals(A.ite(at_least(X, 1), Y, X), A.integer(7))), "x >= 2 && y == 7"),
        (A.and_(at_least(X, -9), at_least(Y, 1)), "y > 0"),  # the fact says the first one
    ],
)
def test_what_the_rest_says_is_left_out(formula: Term, text: str) -> None:
    found = simplified(A, formula, (at_least(X, -5),), Z3Factory(0), Questions())
    assert to_readable_c(found) in (text, " && ".join(reversed(text.split(" && ")))) or found.size < formula.size


def cases(*points: tuple[int, int, int]) -> Term:
    """The points as a disjunction."""
    return A.or_(*(A.and_(*(A.equals(x, A.integer(v)) for x, v in zip((X, Y, Z), p, strict=True))) for p in points))


@pytest.mark.parametrize(
    ("formula", "text"),
    [
        (
            cases(*((count, tail, (count + tail) % 8) for count in range(9) for tail in range(8))),
            "0 <= x <= 8 && 0 <= y <= 7 && z == ((x + y) % 8 + 8) % 8",
        ),
        (cases(*((i, i + 2, 7) for i in range(5))), "0 <= x <= 4 && z == 7 && y == x + 2"),
        (cases(*((i, i + j, j) for i in range(3) for j in range(4))), "0 <= x <= 2 && 0 <= z <= 3 && x + z == y"),
        (cases(*((i, j, 0) for i in range(4) for j in range(i + 1))), "0 <= y <= x <= 3 && z == 0"),
        (cases(*((i, 3, 0) for i in (0, 1, 2, 7, 8, 20))), "z == 0 && y == 3 && x == 20 && 7 <= x <= 8"),
        (A.or_(A.and_(at_least(Z, 9), at_least(X, 1)), cases((0, 0, 0), (1, 0, 0), (2, 0, 0))), "0 <= x <= 2"),
    ],
)
def test_lists_of_cases_are_relations(formula: Term, text: str) -> None:
    found = to_readable_c(simplified(A, formula, (), Z3Factory(0), Questions()))
    assert all(part in found for part in text.split(" && ")), found


@pytest.mark.parametrize("seed", range(20))
def test_what_is_made_of_cases_is_equivalent(seed: int) -> None:
    draw = Random(seed)
    points = [(draw.randint(-2, 3), draw.randint(-2, 3), draw.randint(-2, 3)) for _ in range(draw.randint(3, 40))]
    formula = cases(*points)
    found = without_case_lists(A, formula)
    assert found.size <= formula.size
    for values in product(range(-3, 5), repeat=3):
        assert evaluate(found, dict(zip((X, Y, Z), values, strict=True))) == (values in points)


def test_a_solver_that_says_nothing_changes_nothing() -> None:
    factory = Z3Factory(0)
    factory.interrupt()
    formula = A.and_(at_least(X, 1), at_least(X, 3), A.or_(at_least(Y, 1), A.le(X, A.zero)))
    assert simplified(A, formula, (), factory, Questions()) is formula


def test_formulas_that_are_shown_together_share_the_questions() -> None:
    factory, questions = Z3Factory(0), Questions()
    formula = A.and_(at_least(X, 3), A.or_(at_least(Y, 1), A.le(X, A.zero)))
    assert simplified(A, formula, (), factory, questions) is not formula
    asked = Questions().left - questions.left
    assert asked > 0
    few = Questions(asked)
    assert simplified(A, formula, (), factory, few) is not formula
    assert simplified(A, formula, (), factory, few) is formula


def test_a_question_without_an_answer_counts_for_many() -> None:
    factory, questions = Z3Factory(0), Questions()
    factory.interrupt()
    simplified(A, A.and_(at_least(X, 1), at_least(Y, 3)), (), factory, questions)
    assert Questions().left - questions.left > 100


def test_what_holds_of_all_elements_is_simplified_by_what_holds_beside_it() -> None:
    k = A.proof_symbol("k", INT)
    element = A.select(A.symbol("a", INT_ARRAY), k)
    inside = (A.ge(k, A.zero), A.lt(k, X), at_least(X, -3), at_least(k, -7))
    claim = A.forall((k,), A.not_(A.and_(*inside, A.le(element, A.zero))))
    found = simplified(A, A.and_(at_least(X, 1), claim), (), Z3Factory(0), Questions())
    assert to_readable_c(found) == "x > 0 && (\\forall integer k; 0 <= k < x ==> a[k] > 0)"


def test_what_is_said_of_a_bound_symbol_elsewhere_says_nothing_of_it() -> None:
    k = A.proof_symbol("k", INT)
    claim = A.forall((k,), A.or_(at_least(k, 1), at_least(X, 1)))
    formula = A.and_(at_least(k, 3), claim)
    assert simplified(A, formula, (), Z3Factory(0), Questions()) is formula
