"""Asks z3, cvc5 and Bitwuzla the same random questions, and counts where their answers differ.

    python -m benchmarks.solvers [--count 100000] [--first 0]

Questions are formulas over bounded integers, arrays and, every other one, bit operators, at the width that holds every
value (`core/decision/widening.py`); half of them are true of values that were drawn. The exit code is 1 if two
solvers contradict each other, or one the values.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import partial

from core.analysis.bounds import Intervals
from core.decision.widening import width
from core.limits import SolverUndecided
from core.program import Range
from core.program.semantics import range_facts
from core.solver.bitwuzla_solver import BitwuzlaFactory
from core.solver.contract import BitMethod, Unsat
from core.solver.cvc5_solver import Cvc5Factory
from core.solver.z3_solver import Z3Factory
from core.terms import BOOL, Term, evaluate
from tests.support.random_bits import SMALL, RandomBits
from tests.support.random_terms import RandomTerms

BOUNDS = Range(-40, 40)
EFFORT = 20
WIDEST = 32
"""Bits of a question that is asked."""

RangeOf = Callable[[Term], Range | None]


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.solvers", description=__doc__.splitlines()[0])
    parser.add_argument("--count", type=int, default=100_000, metavar="N", help="default: %(default)s")
    parser.add_argument("--first", type=int, default=0, metavar="K", help="number of the first question")
    options = parser.parse_args(arguments)
    counts = Counter[str]()
    wrong = 0
    for seed in range(options.first, options.first + options.count):
        answers = dict(_answers(seed))
        counts.update(f"{name} {'undecided' if answer is None else 'decided'}" for name, answer in answers.items())
        if len(set(answers.values()) - {None}) > 1:
            wrong += 1
            print(f"CONTRADICTION: question {seed}: {answers}", flush=True)
    print(f"{options.count} questions, {wrong} contradictions")
    print("\n".join(f"  {name}: {count}" for name, count in sorted(counts.items())))
    return 1 if wrong else 0


def _answers(seed: int) -> Iterator[tuple[str, bool | None]]:
    """Whether the question is refuted, by whom; None is no answer."""
    formulas, range_of, holds = _question(seed)
    bits = width(formulas, Intervals(range_of))
    if bits is None or bits > WIDEST:
        return
    if holds:
        yield "values", False
    cvc5 = Cvc5Factory(0)
    yield "z3", _answer(partial(_by_z3, formulas, range_of))
    yield "Bitwuzla", _answer(partial(BitwuzlaFactory().refutes, formulas, bits, EFFORT))
    for method in BitMethod:
        yield f"cvc5 {method.name}", _answer(partial(cvc5.refutes_widened, formulas, bits, EFFORT, method))


def _question(seed: int) -> tuple[list[Term], RangeOf, bool]:
    """Formulas, the ranges of their symbols, and whether they are known to hold of some values."""
    draw: RandomBits | RandomTerms
    if seed % 2:
        bits = draw = RandomBits(seed, SMALL)
        range_of: RangeOf = bits.range_of
    else:
        draw = RandomTerms(seed)
        range_of = _bounds
    drawn, values = [draw.formula(2) for _ in range(3)], draw.values()
    holds = seed % 4 < 2
    if holds:
        drawn = [one if evaluate(one, values) else draw.arena.not_(one) for one in drawn]
    formulas = [*range_facts(draw.arena, drawn, range_of), *drawn]
    return formulas, range_of, holds and all(evaluate(one, values) for one in formulas)


def _bounds(symbol: Term) -> Range | None:
    return None if symbol.sort is BOOL else BOUNDS


def _by_z3(formulas: Sequence[Term], range_of: RangeOf) -> bool:
    solver = Z3Factory(0, range_of)(effort=EFFORT)
    solver.add(*formulas)
    return isinstance(solver.check(), Unsat)


def _answer(ask: Callable[[], bool]) -> bool | None:
    try:
        return ask()
    except SolverUndecided:
        return None


if __name__ == "__main__":
    sys.exit(main())
