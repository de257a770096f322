"""Results of a program in each order of evaluation that it tries: in the simulation, and in the interpreter."""

from __future__ import annotations

from collections.abc import Iterator

from core.program import Input, InputKind, Program
from core.program.orders import ORDER
from core.program.simulate import Ended, simulate
from core.terms import Value
from core.verdict import InputValue
from frontend.interpreter import Exited, Inputs, run
from frontend.lowering import UnreachCall
from frontend.lowering.sequencing.rewriting import with_orders
from frontend.properties.errors import policy
from frontend.typed.tree import TranslationUnit

STEPS = 100_000


def outcomes(unit: TranslationUnit, program: Program) -> set[int]:
    """The values that the program may return from `main`, which has at most one input: an order.

    Raises AssertionError where simulation and interpreter differ.
    """
    return {value for _, value in choices(unit, program)}


def choices(unit: TranslationUnit, program: Program) -> Iterator[tuple[int, int]]:
    """The orders by number, and what `main` returns if each input is this number."""
    explicit = with_orders(unit, program.orders.conflicts, {})
    errors = policy(UnreachCall(), frozenset())
    for number in range(max(map(len, program.orders.expressions.values()), default=1)):

        def chosen(one: Input, number: int = number) -> Value:
            return number if one.name == ORDER and (one.range is None or number <= one.range.high) else 0

        ended = simulate(program, chosen, STEPS)
        assert isinstance(ended, Ended), ended
        value = ended.globals["main::return"]
        assert isinstance(value, int)
        recorded = [
            InputValue(InputKind.EXTERN, ORDER, place, 0, number if number < len(texts) else 0)
            for place, texts in program.orders.expressions.items()
        ]
        interpreted = run(explicit, errors, Inputs.of(recorded))
        assert interpreted == Exited(value & 0xFF), (number, interpreted, value)
        yield number, value
