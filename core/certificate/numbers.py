"""The few numbers that symbols of an unrolling may be, as the check of a complete unrolling derives them.

Law: what is said of a term holds in every execution that reaches the place for which `known` holds.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from math import prod

from core.terms import Arena, Op, Substitution, Term, Treatment, literals
from core.terms.traversal import is_larger

OTHER_OPERATORS = Treatment.OPAQUE

MAX = 16
"""NumberSet that are kept of a symbol."""
_MAX_CASES = 64
_LARGE = 300  # nodes of a term that is not evaluated case by case

NumberSet = frozenset[int]
KnownNumbers = Mapping[Term, NumberSet]
"""The numbers that symbols may be at a place."""


class FewNumbers:
    """The numbers of terms. `anywhere` has those that a symbol may be, wherever it is read."""

    def __init__(self, arena: Arena) -> None:
        self._arena = arena
        self.anywhere: dict[Term, NumberSet] = {}

    def symbol(self, symbol: Term, known: KnownNumbers) -> NumberSet | None:
        return known.get(symbol) or self.anywhere.get(symbol)

    def of(self, term: Term, known: KnownNumbers) -> NumberSet | None:
        """The numbers that a term may be; None where they are too many, or not known."""
        if term.op is Op.CONSTANT:
            return frozenset((term.value,))
        if term.op is Op.SYMBOL:
            return self.symbol(term, known)
        by_case = self._by_case(term, known)
        if by_case is not None:
            return by_case
        if term.op is Op.ITE:
            return self._of_choice(term, known)
        return self._of_sum(term, known) if term.op is Op.LINEAR else None

    def _by_case(self, term: Term, known: KnownNumbers) -> NumberSet | None:
        symbols, cases = self._cases(term, known)
        if len(symbols) < len(term.symbols()):
            return None
        found = set[int]()
        for case in cases:
            value = Substitution(self._arena, case)(term)
            if value.op is not Op.CONSTANT:
                return None
            found.add(value.value)
        return frozenset(found) if 0 < len(found) <= MAX else None

    def _of_choice(self, choice: Term, known: KnownNumbers) -> NumberSet | None:
        condition, one, other = choice.args
        found = NumberSet()
        for holds, value in ((condition, one), (self._arena.not_(condition), other)):
            there = self.where(holds, known)
            numbers = NumberSet() if there is None else self.of(value, there)
            if numbers is None:
                return None
            found |= numbers
        return found if 0 < len(found) <= MAX else None

    def _of_sum(self, term: Term, known: KnownNumbers) -> NumberSet | None:
        found = NumberSet((term.constant,))
        for factor, summand in zip(term.coefficients, term.args, strict=True):
            numbers = self.of(summand, known)
            if numbers is None:
                return None
            found = frozenset(a + factor * b for a in found for b in numbers)
            if len(found) > MAX:
                return None
        return found

    def where(self, condition: Term, known: KnownNumbers) -> dict[Term, NumberSet] | None:
        """The numbers that symbols may be where a condition holds, too; None where it cannot hold."""
        narrowed = dict(known)
        for literal in literals(condition):
            symbols, cases = self._cases(literal, narrowed)
            if not symbols:
                if literal.is_false:
                    return None
                continue
            left = [case for case in cases if not Substitution(self._arena, case)(literal).is_false]
            if not left:
                return None
            narrowed.update({one: frozenset(case[one].value for case in left) for one in symbols})
        return narrowed

    def _cases(self, term: Term, known: KnownNumbers) -> tuple[Sequence[Term], Iterator[dict[Term, Term]]]:
        """The symbols of a term whose numbers are known, and all their combinations; nothing where it is large."""
        sets = {one: numbers for one in term.symbols() if (numbers := self.symbol(one, known)) is not None}
        symbols = sorted(sets, key=lambda one: one.id)
        if prod(len(sets[one]) for one in symbols) > _MAX_CASES or is_larger((term,), _LARGE):
            symbols = []
        values = [[self._arena.integer(number) for number in sorted(sets[one])] for one in symbols]
        return symbols, (dict(zip(symbols, case, strict=True)) for case in product(*values))
