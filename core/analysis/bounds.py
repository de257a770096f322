"""Intervals of integer terms, from the ranges of symbols and from facts such as guards.

Laws: under every assignment within range (and satisfying the facts), the value of a term lies in its interval. An
interval is exact about nothing else; `ALL` is always right. Arrays have the interval of what reading them can give.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import reduce

from core.program import Range
from core.terms import INT, ArraySort, Op, Term
from core.terms.interval import ALL, Interval, sum_of
from core.terms.operators import Treatment, interval_of
from core.terms.sums import SumBody, normal_body

__all__ = ["ALL", "Facts", "Interval", "Intervals", "facts_of"]

OTHER_OPERATORS = Treatment.EXACT

_CASES = 12  # cases within cases, of which facts are learned
_LONGEST_SUM = 8  # of whose parts facts are used
_LEAVES = 64  # of one nest of choices; of larger ones, facts about the way to a leaf are not used
_ENTRIES = 8  # the same where all leaves are constants, as those of a table: facts can only exclude them


Facts = Mapping[SumBody, Interval]


class Intervals:
    """The intervals of terms under ranges of symbols; remembers them."""

    def __init__(self, range_of: Callable[[Term], Range | None], facts: Facts | None = None) -> None:
        self._range_of = range_of
        self._facts: Facts = facts or {}
        self._relations = [body for body in self._facts if len(body[0]) > 1]
        self._known: dict[Term, Interval] = {}
        self._leaves: dict[Term, int] = {}  # of choices
        self._tables: set[Term] = set()  # choices between constants

    def assuming(self, formulas: Iterable[Term]) -> Intervals:
        """Intervals of the states in which all `formulas` hold."""
        facts = dict(self._facts)
        for formula in formulas:
            _learn(facts, formula, holds=True)
        return Intervals(self._range_of, facts)

    def __call__(self, term: Term) -> Interval:
        """The interval of an Int term, or of the elements of an array."""
        known, stack = self._known, [] if term in self._known else [term]
        while stack:
            t = stack[-1]
            missing = [] if t in known else [a for a in t.args if a not in known]
            stack += missing
            if not missing:
                stack.pop()
                if t not in known:
                    known[t] = self._with_relations(t, self._with_facts(t, self._of(t), self._facts))
        return known[term]

    def _of(self, t: Term) -> Interval:
        args = [self._known[a] for a in t.args]
        match t.op:
            case Op.CONSTANT if t.sort is INT:
                return Interval(t.value, t.value)
            case Op.SYMBOL:
                bounds = self._range_of(t)
                return ALL if bounds is None else Interval(bounds.low, bounds.high)
            case Op.LINEAR:
                return sum_of([a.scaled(c, 0) for c, a in zip(t.coefficients, args, strict=True)], t.constant)
            case Op.SELECT | Op.CONST_ARRAY:
                return args[0]
            case Op.STORE:
                return args[0].join(args[2])
            case Op.ITE if t.sort is INT or isinstance(t.sort, ArraySort):
                return self._choice(t)
            case _:
                return interval_of(t, args)

    def _choice(self, t: Term) -> Interval:
        """The join of the leaves of a nest of choices, each under the conditions that lead to it.

        Of nests with many leaves it is the join of both sides; so it is where leaves are seen to give all that they do.
        """
        whole = self._known[t.args[1]].join(self._known[t.args[2]])
        if self._has_many_leaves(t):
            return whole
        found: Interval | None = None
        stack: list[tuple[Term, Facts]] = [(t, self._facts)]
        while stack:
            u, facts = stack.pop()
            if u.is_choice:
                # What is no choice itself comes first, and is on top.
                sides = sorted(((u.args[1], True), (u.args[2], False)), key=lambda side: not side[0].is_choice)
                for branch, holds in sides:
                    learned = dict(facts)
                    _learn(learned, u.args[0], holds)
                    if not any(fact.is_empty for fact in learned.values()):
                        stack.append((branch, learned))
            else:
                leaf = self._with_facts(u, self._known[u], facts)
                found = leaf if found is None else found.join(leaf)
                if whole.low == found.low and whole.high == found.high:
                    return whole
        return ALL if found is None else found.meet(whole)

    def _has_many_leaves(self, t: Term) -> bool:
        """Whether a choice has too many leaves, counted on all ways to them, to be looked into."""
        sides = t.args[1:]
        self._leaves[t] = sum(self._leaves.get(side, 1) for side in sides)
        if all(side.is_constant or side in self._tables for side in sides):
            self._tables.add(t)
            return self._leaves[t] > _ENTRIES
        return self._leaves[t] > _LEAVES

    def _with_facts(self, t: Term, interval: Interval, facts: Facts) -> Interval:
        """`interval` met with what `facts` say about `t`."""
        if not facts or t.sort is not INT or t.is_constant:
            return interval
        body, factor, summand = normal_body(t)
        fact = facts.get(body)
        return interval if fact is None else interval.meet(fact.scaled(factor, summand))

    def _with_relations(self, t: Term, interval: Interval) -> Interval:
        """`interval` met with what facts about parts of a sum say about it, beside the intervals of its other terms."""
        if self._relations and t.is_sum and 2 < len(t.args) <= _LONGEST_SUM:
            summands = dict(zip(t.args, t.coefficients, strict=True))
            for body in self._relations:
                factor = _multiple(summands, body)
                if factor:
                    others = [self._known[x].scaled(c, 0) for x, c in summands.items() if x not in body[0]]
                    interval = interval.meet(sum_of([self._facts[body].scaled(factor, 0), *others], t.constant))
        return interval


def _multiple(summands: Mapping[Term, int], part: SumBody) -> int:
    """The `factor` such that a sum is `factor · part` and summands of other terms; 0 where there is none."""
    terms, coefficients = part
    if terms[0] not in summands or len(terms) >= len(summands):
        return 0
    factor = summands[terms[0]] // coefficients[0]
    return factor if all(summands.get(x) == factor * c for x, c in zip(terms, coefficients, strict=True)) else 0


def _learn(facts: dict[SumBody, Interval], formula: Term, holds: bool, depth: int = _CASES) -> None:
    """Add what follows for single bodies from `formula` being true (or false), of cases what follows in each."""
    stack = [(formula, holds)]
    while stack:
        f, positive = stack.pop()
        if f.is_negation:
            stack.append((f.args[0], not positive))
        elif f.op is (Op.AND if positive else Op.OR):
            stack.extend((a, positive) for a in f.args)
        elif f.is_bound:
            fact = Interval(None, f.value) if positive else Interval(f.value + 1, None)
            body = normal_body(f.args[0])[0]
            facts[body] = facts.get(body, ALL).meet(fact)
        elif f.is_equation and positive:
            body = normal_body(f.args[0])[0]
            facts[body] = facts.get(body, ALL).meet(Interval(f.value, f.value))
        elif depth > 0 and f.op is (Op.OR if positive else Op.AND):
            first, *others = (facts_of(a, positive, depth - 1) for a in f.args)
            for body in first:
                if all(body in other for other in others):
                    joined = reduce(Interval.join, (other[body] for other in others), first[body])
                    facts[body] = facts.get(body, ALL).meet(joined)


def facts_of(formula: Term, holds: bool, depth: int = 0) -> dict[SumBody, Interval]:
    """The facts about single bodies that follow from a formula being true (or false), with cases in so many levels."""
    facts: dict[SumBody, Interval] = {}
    _learn(facts, formula, holds, depth)
    return facts
