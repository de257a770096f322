"""Bit-vectors of the chosen width hold every value."""

from core.certificate.intervals import Intervals
from core.certificate.widening import width
from core.limits import SolverUndecided
from core.program import Range
from core.semantics import range_facts
from core.solver.contract import Unsat
from core.solver.cvc5_solver import Cvc5Factory
from core.terms import BOOL, INT, Arena, Term
from tests.support.random_terms import RandomTerms

BOUNDS = Range(-4, 4)


def bounds_of(symbol: Term) -> Range | None:
    return None if symbol.sort is BOOL else BOUNDS


def test_bit_vectors_of_the_width_agree_with_integers() -> None:
    """Over the same ranges both readings have the same answer."""
    refuted = []
    for seed in range(80):
        draw = RandomTerms(seed)
        formulas = [draw.formula(2) for _ in range(5)]
        formulas += range_facts(draw.arena, formulas, bounds_of)
        factory = Cvc5Factory()
        bits = width(formulas, Intervals(bounds_of))
        if bits is None or bits > 24:
            continue
        solver = factory(effort=2000)
        solver.add(*formulas)
        try:
            refuted.append(isinstance(solver.check(), Unsat))
            assert factory.refutes_widened(formulas, bits, effort=2000) == refuted[-1], formulas
        except SolverUndecided:
            continue
    assert min(refuted.count(True), refuted.count(False)) > 5


def test_a_quantifier_has_no_width() -> None:
    arena = Arena()
    x = arena.symbol("x", INT)
    assert width([arena.forall([x], arena.le(x, arena.one))], Intervals(bounds_of)) is None
