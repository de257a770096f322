"""Gates as clauses: each gate gets a variable that the clauses make equal to its value (Tseitin).

G. S. Tseitin, "On the complexity of derivation in propositional calculus", 1968. Full equivalences, not only the
direction that a polarity needs: the models are then those of the formula, one for one.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence


class GateEncoder:
    """Turns gates over literals into clauses. Its creator supplies the variables and takes the clauses."""

    def __init__(self, variable: Callable[[], int], add: Callable[[list[int]], None]) -> None:
        self._variable = variable
        self._add = add
        self._true: int | None = None

    def constant(self, value: bool) -> int:
        """A literal that is always `value`."""
        if self._true is None:
            self._true = self._variable()
            self._add([self._true])
        return self._true if value else -self._true

    def conjunction(self, args: Sequence[int]) -> int:
        """The literal of `∧ args`."""
        out = self._variable()
        for a in args:
            self._add([-out, a])
        self._add([out, *(-a for a in args)])
        return out

    def disjunction(self, args: Sequence[int]) -> int:
        """The literal of `∨ args`."""
        return -self.conjunction([-a for a in args])

    def choice(self, condition: int, then: int, otherwise: int) -> int:
        """The literal of `condition ? then : otherwise`."""
        out = self._variable()
        for clause in (
            [-out, -condition, then],
            [-out, condition, otherwise],
            [out, -condition, -then],
            [out, condition, -otherwise],
        ):
            self._add(clause)
        return out

    def equivalence(self, a: int, b: int) -> int:
        """The literal of `a ⇔ b`."""
        return self.choice(a, b, -b)

    def equate(self, a: int, b: int) -> None:
        """Require `a ⇔ b`."""
        self._add([-a, b])
        self._add([a, -b])
