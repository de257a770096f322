"""Equations and symbols that have as few bits as their bounds need, against enumeration."""

from itertools import product
from random import Random

from core.analysis.bounds import Intervals
from core.decision.widening import width
from core.program import Range
from core.program.semantics import range_facts
from core.solver.bitwuzla_solver import BitwuzlaFactory
from core.terms import INT, Arena


def equations_answered_wrongly(seeds: int) -> list[int]:
    """The seeds of those among random equations of two numbers that Bitwuzla answers otherwise than enumeration."""
    return [seed for seed in range(seeds) if not _agrees(Random(seed))]


def _agrees(random: Random) -> bool:
    """Whether the answers agree about `a · x + b · y = n`, for the least and the greatest sum and one between."""
    arena = Arena()
    lows = [random.choice((0, 1, -1, -4, random.randrange(-20, 20))) for _ in range(2)]
    ranges = [Range(low, low + random.choice((1, 3, 7, 12))) for low in lows]
    x, y = symbols = [arena.symbol(name, INT) for name in "xy"]
    range_of = dict(zip(symbols, ranges, strict=True)).__getitem__
    a, b = (random.choice((1, -1, 2, 3, -5)) for _ in range(2))
    sums = {a * m + b * n for m, n in product(*(range(r.low, r.high + 1) for r in ranges))}
    for number in (min(sums) - 1, min(sums), random.randrange(min(sums), max(sums) + 1), max(sums), max(sums) + 1):
        formulas = [arena.equals(arena.linear([(a, x), (b, y)]), arena.integer(number))]
        formulas += range_facts(arena, formulas, range_of)
        intervals = Intervals(range_of)
        bits = width(formulas, intervals)
        assert bits is not None
        if BitwuzlaFactory().refutes_exactly(formulas, bits, intervals) == (number in sums):
            return False
    return True


def test_equations_of_few_bits_have_their_solutions() -> None:
    assert not equations_answered_wrongly(100)
