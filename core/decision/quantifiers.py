"""The places of quantifiers: one is a conjunct of an invariant, binds integers, and has no other in it."""

from __future__ import annotations

from collections.abc import Iterable

from core.terms import INT, Term, literals, subterms


class Quantifiers:
    """Answers to whether formulas have quantifiers. What formulas share is visited once."""

    def __init__(self) -> None:
        self._without: set[Term] = set()

    def are_in(self, formulas: Iterable[Term]) -> bool:
        """Whether a formula has a quantifier somewhere."""
        new = [formula for formula in formulas if formula not in self._without]
        if any(t.is_quantified for t in subterms(*new, without=self._without)):
            self._without.clear()  # the walk has ended within formulas that have one
            return True
        return False

    def misplaced(self, formula: Term) -> str | None:
        """The defect of the quantifiers of an invariant; None if there is none."""
        for part in literals(formula):
            if part.is_quantified:
                if any(s.sort is not INT for s in part.bound):
                    return "a quantifier binds something else than integers"
                part = part.args[0]
            if self.are_in([part]):
                return "a quantifier is not a conjunct of its own"
        return None
