"""Formulas over V ∪ V' that are no clauses: what an interpolant not in conjunctive normal form adds to T̂."""

from __future__ import annotations

from dataclasses import dataclass

from sat import Circuit


@dataclass(frozen=True)
class Constraint:
    """A formula over V ∪ V' that a transition implies; `number` says which variable of the circuit stands for what."""

    circuit: Circuit

    @staticmethod
    def number(predicate: int, primed: bool) -> int:
        """The variable of v_p, or of v'_p."""
        return 2 * predicate + 1 + primed

    @staticmethod
    def meaning(number: int) -> tuple[int, bool]:
        """The predicate of a variable, and whether it is primed."""
        return (number - 1) // 2, number % 2 == 0
