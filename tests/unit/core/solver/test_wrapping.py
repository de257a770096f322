"""Choices that wrap around are the lowest bits of one of their sides, wherever that is said."""

from random import Random

import pytest

from core.analysis.bounds import Interval, Intervals
from core.decision.widening import width
from core.program import Range
from core.program.semantics import range_facts
from core.solver.bitwuzla_search import BitwuzlaSearch
from core.solver.bitwuzla_solver import BitwuzlaFactory
from core.solver.contract import Unsat
from core.solver.wrapping import Wrapped, wrapped
from core.terms import INT, Arena, Term, evaluate

X = Range(-20, 35)


def choices(seed: int) -> tuple[Arena, Term, Term, Interval]:
    """A number `x` of the range `X`, and a choice that wraps a sum of it around, or does so almost; with its bounds."""
    random, arena = Random(seed), Arena()
    x = arena.symbol("x", INT)
    size = 1 << random.randrange(4, 7)
    low = random.choice((0, -size // 2))
    body = arena.linear([(random.choice((1, 1, 1, -1, 2)), x)], random.randrange(-30, 30))
    t = body
    for times in (1, 2, -1, -2):
        end = low + times * size if times > 0 else low + (times + 1) * size
        turned = arena.linear(
            [(1, body), (random.randrange(8) // 7, x)], -times * size + random.choice((*(0,) * 9, 1, 4, size))
        )
        at_most = arena.le(body, arena.integer(end - 1 + random.choice((*(0,) * 9, 1, -3))))
        if random.randrange(3):
            t = arena.ite(at_most, *((t, turned) if times > 0 else (turned, t)))
    return arena, x, t, Intervals(lambda _: X)(t)


def wrongly_wrapped(seeds: int) -> list[Wrapped]:
    """Those of the choices that are said to wrap around, and have another value somewhere."""
    wrong = []
    for seed in range(seeds):
        _, x, t, interval = choices(seed)
        found = wrapped(t, interval) if t.is_choice else None
        if found is not None and any(_lowest(found, x, at) != evaluate(t, {x: at}) for at in range(X.low, X.high + 1)):
            wrong.append(found)
    return wrong


def _lowest(found: Wrapped, x: Term, at: int) -> int:
    value = evaluate(found.value, {x: at})
    assert isinstance(value, int)
    rest = value % (1 << found.bits)
    return rest - (1 << found.bits) if found.signed and rest >> (found.bits - 1) else rest


def test_what_wraps_around_has_the_lowest_bits_of_a_side() -> None:
    assert not wrongly_wrapped(3000)


def test_that_a_choice_wraps_around_is_found_with_a_sign_and_without() -> None:
    made = [choices(seed) for seed in range(1000)]
    found = [wrapped(t, interval) for _, _, t, interval in made if t.is_choice]
    kinds = [None if one is None else one.signed for one in found]
    assert min(kinds.count(None), kinds.count(True), kinds.count(False)) > 20


@pytest.mark.sampled
@pytest.mark.long
@pytest.mark.parametrize("seed", range(120))
def test_solvers_give_what_wraps_around_its_value(seed: int) -> None:
    """Where it is read whole, and where it is told by its value."""
    arena, x, t, interval = choices(seed)
    assert interval.low is not None
    assert interval.high is not None
    for at in (X.low, -1, 0, 7, X.high):
        value = evaluate(t, {x: at})
        assert isinstance(value, int)
        for number in (value - 1, value, value + 1, value + 8, value - 64):
            twice = arena.le(arena.linear([(2, t)]), arena.integer(2 * number))
            formulas = [arena.equals(x, arena.integer(at)), arena.equals(t, arena.integer(number)), twice]
            formulas += range_facts(arena, formulas, lambda _: X)
            bits = width(formulas, Intervals(lambda _: X))
            assert bits is not None
            assert BitwuzlaFactory().refutes_exactly(formulas, bits, Intervals(lambda _: X)) == (number != value)
            search = BitwuzlaSearch(0, lambda _: X, 1000, lambda: False)
            search.add(*formulas)
            assert isinstance(search.check(), Unsat) == (number != value)
