"""Invariants for display: shorter, and equivalent."""

import pytest

from core.certificate.simplification import simplified
from core.solver.z3_solver import Z3Factory
from core.terms import INT, Arena, Term, to_readable_c

A = Arena()
X, Y = A.symbol("x", INT), A.symbol("y", INT)


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
    found = simplified(A, formula, (at_least(X, -5),), Z3Factory(0))
    assert to_readable_c(found) in (text, " && ".join(reversed(text.split(" && ")))) or found.size < formula.size


def test_a_solver_that_says_nothing_changes_nothing() -> None:
    factory = Z3Factory(0)
    factory.interrupt()
    formula = A.and_(at_least(X, 1), at_least(X, 3), A.or_(at_least(Y, 1), A.le(X, A.zero)))
    assert simplified(A, formula, (), factory) is formula
