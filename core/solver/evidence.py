"""The solvers that check evidence: cvc5 for integers, Bitwuzla for bit-vectors; none of them is an engine's z3."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import TypeVar

from core.solver.bitwuzla_solver import BitwuzlaFactory
from core.solver.contract import BitMethod, IntervalOf
from core.solver.cvc5_solver import Cvc5Factory, Cvc5Solver
from core.terms import Term

_Factory = TypeVar("_Factory", Cvc5Factory, BitwuzlaFactory)


class EvidenceFactory:
    """A factory of cvc5's solvers that asks Bitwuzla what is to be decided bit by bit. Implements `WideningFactory`.

    Each is loaded when it is first asked: most obligations need neither.
    """

    def __init__(self, seed: int = 0) -> None:
        self._seed = seed
        self._loaded: list[Cvc5Factory | BitwuzlaFactory] = []
        self._is_interrupted = False

    @cached_property
    def _integers(self) -> Cvc5Factory:
        return self._ready(Cvc5Factory(self._seed))

    @cached_property
    def _bits(self) -> BitwuzlaFactory:
        return self._ready(BitwuzlaFactory(self._seed))

    def _ready(self, factory: _Factory) -> _Factory:
        """The factory, which hears of interrupts, also of one that comes while it is loaded."""
        self._loaded.append(factory)
        if self._is_interrupted:
            factory.interrupt()
        return factory

    def __call__(self, effort: int | None = None) -> Cvc5Solver:
        return self._integers(effort)

    def refutes(self, formulas: Sequence[Term], effort: int | None = None) -> bool:
        return self._integers.refutes(formulas, effort)

    def refutes_widened(
        self, formulas: Sequence[Term], width: int, effort: int | None = None, method: BitMethod = BitMethod.BITS
    ) -> bool:
        if method is not BitMethod.REMAINDERS:
            return self._bits.refutes(formulas, width, effort, method)
        return self._integers.refutes_widened(formulas, width, effort, method)

    def refutes_exactly(
        self, formulas: Sequence[Term], width: int, bounds_of: IntervalOf, effort: int | None = None
    ) -> bool:
        return self._bits.refutes_exactly(formulas, width, bounds_of, effort)

    def interrupt(self) -> None:
        self._is_interrupted = True
        for factory in self._loaded:
            factory.interrupt()
