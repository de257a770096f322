"""Symbols that stand for one of a few known numbers, in an unrolling: indices, positions, pointers.

Where paths meet, an index that is a constant on each of them becomes a symbol; the numbers that it may be are kept
beside it. Then a read at this index is a choice between so many elements, a write changes so many elements, and guards
leave out numbers: loops over them end by themselves. Constant propagation with sets, as in E. Clarke, D. Kroening,
F. Lerda, "A tool for checking ANSI-C programs", TACAS 2004, section 2, which has single constants.

Heuristic: engines have their executions confirmed, and in the check of a complete unrolling what is proposed here is a
claim; `MAX` numbers for a symbol, `MAX_CASES` combinations of symbols in a formula, of at most `MAX_TERMS` terms,
`MAX_NESTED` choices and sums in each other, `MAX_SIDES` sides of choices for a term: what is shared counts each time.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice, product
from math import prod

from core.analysis.bounds import Intervals
from core.parameters import parameter
from core.terms import Arena, NotEvaluable, Substitution, Term, evaluate, literals, subterms

MAX = parameter("decision.value-sets.max")
MAX_CASES = parameter("decision.value-sets.max-cases")
MAX_TERMS = parameter("decision.value-sets.max-terms")
MAX_SIDES = parameter("decision.value-sets.max-sides")
MAX_NESTED = parameter("decision.value-sets.max-nested")

ValueSet = frozenset[int]
ValueSets = Mapping[Term, ValueSet]
"""The numbers that symbols may be at a place, where they are fewer than those that they may be anywhere."""


class ValueSetAnalysis:
    """The numbers that the symbols of one unrolling may be."""

    def __init__(self, arena: Arena, intervals: Intervals) -> None:
        self._arena = arena
        self._intervals = intervals
        self._room = 0  # sides of choices that may still be looked into for one term
        self._anywhere: dict[Term, ValueSet] = {}
        self._values: dict[tuple[Term, tuple[ValueSet, ...]], ValueSet | None] = {}
        self._left: dict[tuple[Term, tuple[ValueSet, ...]], tuple[ValueSet, ...] | None] = {}

    def note(self, symbol: Term, numbers: ValueSet) -> None:
        """Keep the numbers that a new symbol may be."""
        self._anywhere[symbol] = numbers

    def of(self, term: Term, possible: ValueSets, nested: int = 0) -> ValueSet | None:
        """The numbers that a term, within so many others, may be; None where they are too many, or not known."""
        if term.is_constant:
            return frozenset((term.value,))
        if nested == 0:
            self._room = MAX_SIDES
        if term.is_symbol:
            return self._of_symbol(term, possible)
        exact = self._of_cases(term, possible)
        if exact is not None or not (term.is_choice or term.is_sum) or nested == MAX_NESTED:
            return exact
        of_parts = self._of_sum if term.is_sum else self._of_choice
        return of_parts(term, possible, nested + 1)

    def of_index(self, index: Term, possible: ValueSets) -> ValueSet | None:
        """The numbers that an index may be, for those within a short interval all of it."""
        numbers = self.of(index, possible)
        if numbers is not None:
            return numbers
        low, high = self._intervals(index).low, self._intervals(index).high
        if low is None or high is None or high - low >= MAX:
            return None
        return frozenset(range(low, high + 1))

    def indices(self, index: Term, possible: ValueSets) -> Sequence[Term]:
        """The numbers that an index may be; itself where they are too many, or not known."""
        numbers = self.of_index(index, possible)
        return [self._arena.integer(number) for number in sorted(numbers)] if numbers else (index,)

    def _of_cases(self, term: Term, possible: ValueSets) -> ValueSet | None:
        """The values of a term for all numbers that its symbols may be."""
        symbols = sorted(term.symbols(), key=lambda s: s.id)
        sets = [numbers for one in symbols if (numbers := self._of_symbol(one, possible)) is not None]
        if not symbols or len(sets) < len(symbols) or prod(map(len, sets)) > MAX_CASES:
            return None
        key = term, tuple(sets)
        if key not in self._values:
            self._values[key] = None if _is_large(term) else self._values_of(term, symbols, sets)
        return self._values[key]

    def _values_of(self, term: Term, symbols: Sequence[Term], sets: Sequence[ValueSet]) -> ValueSet | None:
        found = set[int]()
        for case in _cases(symbols, sets):
            try:
                value = evaluate(term, case)
            except NotEvaluable:
                return None
            assert isinstance(value, int)
            found.add(value)
        return frozenset(found) if len(found) <= MAX else None

    def _of_choice(self, choice: Term, possible: ValueSets, nested: int) -> ValueSet | None:
        return united(self._of_sides(choice, possible, nested))

    def _of_sides(self, choice: Term, possible: ValueSets, nested: int) -> Iterator[ValueSet | None]:
        condition, *sides = choice.args
        for holds, side in zip((condition, self._arena.not_(condition)), sides, strict=True):
            self._room -= 1
            if self._room < 0:
                yield None
                return
            within = self.within(holds, possible)
            if within is not None:
                yield self.of(side, within, nested)

    def _of_sum(self, term: Term, possible: ValueSets, nested: int) -> ValueSet | None:
        """The numbers that a sum may be, whatever its parts have to do with each other."""
        found = {term.constant}
        for factor, part in zip(term.coefficients, term.args, strict=True):
            numbers = self.of(part, possible, nested)
            if numbers is None or len(found) * len(numbers) > MAX_CASES:
                return None
            found = {before + factor * number for before in found for number in numbers}
        return frozenset(found) if len(found) <= MAX else None

    def _of_symbol(self, symbol: Term, possible: ValueSets) -> ValueSet | None:
        return possible.get(symbol) or self._anywhere.get(symbol)

    def within(self, guard: Term, possible: ValueSets) -> dict[Term, ValueSet] | None:
        """The numbers that symbols may be where a guard holds, too; None where it cannot hold."""
        narrowed = dict(possible)
        for literal in literals(guard):
            symbols = sorted((one for one in literal.symbols() if one in self._anywhere), key=lambda s: s.id)
            sets = [narrowed.get(one) or self._anywhere[one] for one in symbols]
            if not symbols or prod(map(len, sets)) > MAX_CASES:
                continue
            key = literal, tuple(sets)
            if key not in self._left:
                self._left[key] = tuple(sets) if _is_large(literal) else self._left_by(literal, symbols, sets)
            left = self._left[key]
            if left is None:
                return None
            narrowed.update({s: one for s, one, before in zip(symbols, left, sets, strict=True) if one != before})
        return narrowed

    def _left_by(self, literal: Term, symbols: Sequence[Term], sets: Sequence[ValueSet]) -> tuple[ValueSet, ...] | None:
        """The numbers that symbols may be where a literal holds; None where it cannot hold."""
        left: list[set[int]] = [set() for _ in symbols]
        may_hold = self._may_hold_with_others if literal.symbols() - set(symbols) else _may_hold
        for case in _cases(symbols, sets):
            if may_hold(literal, case):
                for numbers, symbol in zip(left, symbols, strict=True):
                    numbers.add(case[symbol])
        return tuple(map(frozenset, left)) if left[0] else None

    def _may_hold_with_others(self, literal: Term, case: Mapping[Term, int]) -> bool:
        """Whether a literal may hold in a case, which has numbers for some of its symbols."""
        constants = {symbol: self._arena.integer(number) for symbol, number in case.items()}
        return not Substitution(self._arena, constants)(literal).is_false

    def joined(self, maps: Sequence[ValueSets]) -> dict[Term, ValueSet]:
        """The numbers that symbols may be where paths meet."""
        first, *others = maps
        if not others:
            return dict(first)
        found = {x: numbers.union(*(one.get(x, self._anywhere[x]) for one in others)) for x, numbers in first.items()}
        return {x: numbers for x, numbers in found.items() if numbers != self._anywhere[x]}

    def fixed(self, possible: ValueSets) -> dict[Term, Term]:
        """The symbols that can only be one number."""
        return {x: self._arena.integer(min(numbers)) for x, numbers in possible.items() if len(numbers) == 1}


def _cases(symbols: Sequence[Term], sets: Sequence[ValueSet]) -> Iterator[dict[Term, int]]:
    for numbers in product(*(sorted(one) for one in sets)):
        yield dict(zip(symbols, numbers, strict=True))


def _may_hold(literal: Term, case: Mapping[Term, int]) -> bool:
    """Whether a literal holds in a case, which has numbers for all of its symbols; also where it has no value."""
    try:
        return evaluate(literal, case) is True
    except NotEvaluable:
        return True


def _is_large(term: Term) -> bool:
    return next(islice(subterms(term), MAX_TERMS, None), None) is not None


def united(sets: Iterable[ValueSet | None]) -> ValueSet | None:
    """The numbers of all sets; None where they are too many, or one is not known."""
    found = set[int]()
    for one in sets:
        if one is None:
            return None
        found |= one
    return frozenset(found) if len(found) <= MAX else None
