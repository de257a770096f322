"""The contract of the Bitwuzla adapter: effort and interrupts end its search, what it cannot express is undecided."""

import threading
import traceback

import pytest

from core.limits import SolverUndecided
from core.solver.bitwuzla_solver import BitwuzlaFactory
from core.terms import BOOL, INT, INT_ARRAY, Arena, ArraySort, Term

WIDTH = 64


def hard(arena: Arena) -> list[Term]:
    """A number that is a product of two primes, to be found."""
    x, y = arena.symbol("x", INT), arena.symbol("y", INT)
    small = [arena.le(s, arena.integer(1 << 30)) for s in (x, y)]
    large = [arena.gt(s, arena.one) for s in (x, y)]
    return [*small, *large, arena.equals(arena.multiply(x, y), arena.integer(1_000_003 * 999_983))]


def test_effort_bounds_the_search() -> None:
    with pytest.raises(SolverUndecided, match="effort"):
        BitwuzlaFactory().refutes(hard(Arena()), WIDTH, effort=2)


def test_a_traceback_holds_no_native_term() -> None:
    """The collector of reference cycles would take its manager from it, and crash."""
    with pytest.raises(SolverUndecided) as caught:
        BitwuzlaFactory().refutes(hard(Arena()), WIDTH, effort=2)
    held = [value for frame, _ in traceback.walk_tb(caught.tb) for value in frame.f_locals.values()]
    assert "bitwuzla" not in {type(value).__module__ for value in held}


def test_an_interrupt_ends_running_and_later_questions() -> None:
    factory, arena = BitwuzlaFactory(), Arena()
    timer = threading.Timer(0.1, factory.interrupt)
    timer.start()
    with pytest.raises(SolverUndecided, match="interrupted"):
        factory.refutes(hard(arena), WIDTH)
    timer.join()
    with pytest.raises(SolverUndecided, match="interrupted"):
        factory.refutes([arena.false], WIDTH)


def test_what_has_no_form_is_undecided() -> None:
    factory, arena = BitwuzlaFactory(), Arena()
    x = arena.symbol("x", INT)
    rows = arena.symbol("rows", ArraySort(INT, INT_ARRAY))
    cell = arena.select(arena.select(rows, x), x)
    large = arena.le(arena.ite(arena.symbol("p", BOOL), x, arena.integer(200)), x)
    for formula in (arena.le(cell, x), large, arena.forall([x], arena.le(x, arena.one))):
        with pytest.raises(SolverUndecided):
            factory.refutes([formula], 8)
