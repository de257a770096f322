"""Constraints of T̂ that are no clauses: from interpolants that are not in conjunctive normal form."""

from __future__ import annotations

from core.dataclass import dataclass
from sat.circuit import Circuit


@dataclass(frozen=True)
class Constraint:
    """A formula over V ∪ V' that a transition implies, as a circuit whose inputs are numbered by `input_of`."""

    circuit: Circuit

    @staticmethod
    def input_of(predicate: int, primed: bool) -> int:
        """The input of the circuit for v_p, or for v'_p."""
        return 2 * predicate + 1 + primed

    @staticmethod
    def meaning(input: int) -> tuple[int, bool]:
        """The predicate of a variable, and whether it is primed."""
        return (input - 1) // 2, input % 2 == 0
