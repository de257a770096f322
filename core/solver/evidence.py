"""The solvers that check evidence: cvc5 for integers, Bitwuzla for bit-vectors; none of them is an engine's z3."""

from __future__ import annotations

from collections.abc import Sequence

from core.solver.bitwuzla_solver import BitwuzlaFactory
from core.solver.contract import BitMethod
from core.solver.cvc5_solver import Cvc5Factory
from core.terms import Term


class EvidenceFactory(Cvc5Factory):
    """A factory of cvc5's solvers that asks Bitwuzla what is to be decided bit by bit. Implements `WideningFactory`."""

    def __init__(self, seed: int = 0) -> None:
        super().__init__(seed)
        self._bits = BitwuzlaFactory(seed)

    def refutes_widened(
        self, formulas: Sequence[Term], width: int, effort: int | None = None, method: BitMethod = BitMethod.BITS
    ) -> bool:
        if method is BitMethod.BITS:
            return self._bits.refutes(formulas, width, effort)
        return super().refutes_widened(formulas, width, effort, method)

    def interrupt(self) -> None:
        super().interrupt()
        self._bits.interrupt()
