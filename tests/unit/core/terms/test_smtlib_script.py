"""Scripts for other solvers: z3 gives them the answers that enumeration gives, over integers and bit-vectors."""

from collections.abc import Callable, Sequence
from itertools import product

import pytest
import z3

from core.terms import BOOL, INT, INT_ARRAY, Arena, Term, evaluate
from core.terms.smtlib_script import satisfiability_script

SMALL = range(-5, 6)


def answer(formulas: Sequence[Term], width: int | None = None) -> str:
    solver = z3.Solver()
    solver.from_string(satisfiability_script(formulas, width))
    return str(solver.check())


def within(arena: Arena, *symbols: Term) -> list[Term]:
    low, high = arena.integer(SMALL[0]), arena.integer(SMALL[-1])
    return [arena.and_(arena.le(low, x), arena.le(x, high)) for x in symbols]


@pytest.mark.parametrize("width", [None, 16])
@pytest.mark.parametrize("operator", ["divide", "modulo", "multiply", "linear"])
def test_the_answer_is_that_of_enumeration(operator: str, width: int | None) -> None:
    arena = Arena()
    x, y = arena.symbol("x", INT), arena.symbol("y", INT)
    builders: dict[str, Callable[[Term, Term], Term]] = {
        "divide": arena.divide,
        "modulo": arena.modulo,
        "multiply": arena.multiply,
        "linear": lambda a, b: arena.linear([(3, a), (-2, b)], 1),
    }
    result = builders[operator](x, y)
    given = [*within(arena, x, y), arena.not_(arena.equals(y, arena.zero))]
    for wanted in (-7, -1, 0, 2, 7):
        possible = any(evaluate(result, {x: a, y: b}) == wanted for a, b in product(SMALL, SMALL) if b != 0)
        asked = [*given, arena.equals(result, arena.integer(wanted))]
        assert answer(asked, width) == ("sat" if possible else "unsat"), wanted


@pytest.mark.parametrize("operator", ["bit_and", "bit_or", "bit_xor"])
def test_bit_operators_are_those_of_vectors(operator: str) -> None:
    arena = Arena()
    x, y = arena.symbol("x", INT), arena.symbol("y", INT)
    result = getattr(arena, operator)(x, y)
    for a, b in ((5, 3), (-1, 4), (-5, -3)):
        value = evaluate(result, {x: a, y: b})
        given = [arena.equals(x, arena.integer(a)), arena.equals(y, arena.integer(b))]
        differs = arena.not_(arena.equals(result, arena.integer(int(value) if isinstance(value, int) else 0)))
        assert answer([*given, differs], 16) == "unsat"


def test_quantifiers_arrays_and_shared_terms() -> None:
    """A subterm in which a symbol is bound is not shared with one where it is free."""
    arena = Arena()
    a, k, n = arena.symbol("\\heap", INT_ARRAY), arena.fresh("k", INT), arena.symbol("n", INT)
    twice = arena.add(arena.select(a, k), arena.select(a, k))
    every = arena.forall((k,), arena.implies(arena.le(twice, n), arena.lt(arena.select(a, k), n)))
    script = satisfiability_script([every, arena.gt(twice, n), arena.le(n, arena.zero)])
    assert script.startswith("(set-logic AUFLIA)")
    assert answer([every, arena.forall((k,), arena.le(twice, n)), arena.le(n, arena.select(a, n))]) == "unsat"


@pytest.mark.parametrize(
    ("logic", "width"),
    [("QF_LIA", None), ("QF_BV", 8)],
)
def test_the_logic_is_a_standard_one(logic: str, width: int | None) -> None:
    arena = Arena()
    assert satisfiability_script([arena.symbol("p", BOOL)], width).startswith(f"(set-logic {logic})")


def test_a_number_that_does_not_fit_is_no_number() -> None:
    arena = Arena()
    with pytest.raises(ValueError, match="does not fit"):
        satisfiability_script([arena.le(arena.symbol("x", INT), arena.integer(300))], 8)
