"""Simplification of rules to the arithmetic that Spacer handles well.

*Exact*: wrap-around, and every other choice or remainder, that the bounds known in a rule decide is left out.
*Split*: wrap-around that is left is an error of its own, so that a solution must also show that it does not occur.
*Approximate*: bit operators, functions that Spacer does not know, and quotients and remainders of divisors that are not
constant, have arbitrary values within the bounds that their arguments give.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace

from core.analysis.bounds import Intervals
from core.program import Range
from core.terms import BIT_OPERATORS, INT, Arena, Op, Term, Treatment, is_uninterpreted, literals, subterms
from core.terms.traversal import rebuild
from methods.discovery.horn import Application, Rule

OTHER_OPERATORS = Treatment.OPAQUE

_SMALLEST_WRAP = 1 << 8
_CHOICES = (Op.ITE, Op.MODULO, Op.OR)


def _is_beyond(t: Term) -> bool:
    divides = t.op in (Op.DIVIDE, Op.MODULO) and not t.args[1].is_constant
    return divides or t.op in BIT_OPERATORS or is_uninterpreted(t)


class RuleSimplifier:
    """Simplifies rules. Equal terms of one rule stay equal."""

    def __init__(self, arena: Arena, range_of: Callable[[Term], Range | None]) -> None:
        self._arena = arena
        self._intervals = Intervals(range_of)

    def decided(self, rule: Rule) -> Rule:
        """An equivalent rule without the comparisons, choices and remainders that its own bounds decide."""
        rule = replace(rule, constraint=_factored(self._arena, rule.constraint))
        roots = _roots(rule)
        if not any(t.op in _CHOICES for t in subterms(*roots)):
            return rule
        # Only facts that stay as they are, so that nothing is left out on account of itself.
        parts = literals(rule.constraint)
        facts = [fact for fact in parts if not any(t.op in _CHOICES for t in subterms(fact))]
        intervals = self._intervals.assuming(facts)
        memo: dict[Term, Term] = {}
        for t in subterms(*roots):
            args = tuple(memo[a] for a in t.args)
            new = t if args == t.args else rebuild(self._arena, t, args)
            memo[t] = self._resolved(new, intervals)
        known = frozenset(facts)
        constraint = self._arena.and_(*(part if part in known else memo[part] for part in parts))
        return _rewritten(rule, memo, constraint)

    def _resolved(self, t: Term, intervals: Intervals) -> Term:
        truth = _truth(t, intervals)
        if truth is not None:
            return self._arena.boolean(truth)
        if t.op is Op.MODULO and t.args[1].is_constant and t.args[1].value > 0:
            value, size = intervals(t.args[0]), t.args[1].value
            if value.low is not None and value.high is not None and value.low // size == value.high // size:
                return self._arena.subtract(t.args[0], self._arena.integer(value.low // size * size))
        return t

    def split(self, rule: Rule) -> tuple[Rule, Rule | None]:
        """A rule for executions in which no value wraps around, and one by which such a value is an error.

        Where both hold, so does the given rule. None: nothing can wrap around.
        """
        memo: dict[Term, Term] = {}
        fits: dict[Term, None] = {}
        for t in subterms(*_roots(rule)):
            args = tuple(memo[a] for a in t.args)
            memo[t] = t if args == t.args else rebuild(self._arena, t, args)
            if memo[t].is_choice and memo[t].sort is INT and self._wraps(*memo[t].args[1:]):
                condition, a, b = memo[t].args
                first = abs(_constant(a)) < abs(_constant(b))
                fits[condition if first else self._arena.not_(condition)] = None
                memo[t] = a if first else b
        if not fits:
            return rule, None
        no_wrap = self._arena.and_(*fits)
        wrapped = Rule(rule.premises, self._arena.and_(rule.constraint, self._arena.not_(no_wrap)), None)
        return _rewritten(rule, memo, self._arena.and_(memo[rule.constraint], no_wrap)), wrapped

    def _wraps(self, a: Term, b: Term) -> bool:
        """Whether two values are equal modulo a power of two that a machine wraps around at."""
        difference = self._arena.subtract(a, b)
        size = abs(difference.value) if difference.is_constant else 0
        return size >= _SMALLEST_WRAP and size & (size - 1) == 0

    def approximated(self, rule: Rule) -> Rule:
        """A rule that implies all that `rule` does, and may imply more."""
        roots = _roots(rule)
        if not any(map(_is_beyond, subterms(*roots))):
            return rule
        memo: dict[Term, Term] = {}
        facts: list[Term] = []
        for t in subterms(*roots):
            args = tuple(memo[a] for a in t.args)
            if _is_beyond(t):
                memo[t] = self._arena.fresh("approximate", t.sort)
                facts += self._facts(t, memo[t], args)
            else:
                memo[t] = t if args == t.args else rebuild(self._arena, t, args)
        return _rewritten(rule, memo, self._arena.and_(memo[rule.constraint], *facts))

    def _facts(self, t: Term, value: Term, args: tuple[Term, ...]) -> Iterator[Term]:
        a = self._arena
        interval = self._intervals(t)
        if interval.low is not None:
            yield a.le(a.integer(interval.low), value)
        if interval.high is not None:
            yield a.le(value, a.integer(interval.high))
        if is_uninterpreted(t):
            return
        x, y = args
        positive, both = a.le(a.zero, x), a.and_(a.le(a.zero, x), a.le(a.zero, y))
        match t.op:
            case Op.BIT_AND:
                yield a.implies(positive, a.and_(a.le(a.zero, value), a.le(value, x)))
                yield a.implies(a.le(a.zero, y), a.and_(a.le(a.zero, value), a.le(value, y)))
            case Op.BIT_OR:
                yield a.implies(both, a.and_(a.le(x, value), a.le(y, value), a.le(value, a.add(x, y))))
            case Op.BIT_XOR:
                yield a.implies(both, a.and_(a.le(a.zero, value), a.le(value, a.add(x, y))))
            case Op.SHIFT_LEFT:
                yield a.implies(positive, a.le(x, value))
            case Op.MODULO:
                remains = a.and_(a.le(a.zero, value), a.lt(value, y))
                yield a.implies(a.lt(a.zero, y), remains)
                yield a.implies(a.and_(positive, a.lt(x, y)), a.equals(value, x))
                yield a.implies(both, a.le(value, x))
            case _:  # quotients and shifts to the right
                yield a.implies(both if t.op is Op.DIVIDE else positive, a.and_(a.le(a.zero, value), a.le(value, x)))


def _constant(t: Term) -> int:
    """The constant summand of an integer term."""
    return t.constant if t.is_sum else t.value if t.is_constant else 0


def _factored(arena: Arena, constraint: Term) -> Term:
    """An equivalent conjunction: what all cases of a disjunction have in common is a conjunct of its own."""
    parts: list[Term] = []
    for part in literals(constraint):
        if not part.is_disjunction:
            parts.append(part)
            continue
        cases = [literals(case) for case in part.args]
        common = [one for one in cases[0] if all(one in case for case in cases)]
        parts += common
        parts.append(arena.or_(*(arena.and_(*(one for one in case if one not in common)) for case in cases)))
    return arena.and_(*parts)


def _truth(atom: Term, intervals: Intervals) -> bool | None:
    """Whether a comparison holds wherever the intervals do."""
    if not atom.is_comparison:
        return None
    value, bound = intervals(atom.args[0]), atom.value
    if value.low is not None and value.low > bound:
        return False
    if atom.is_bound:
        return True if value.high is not None and value.high <= bound else None
    if value.high is not None and value.high < bound:
        return False
    return True if value.low == value.high == bound else None


def _roots(rule: Rule) -> list[Term]:
    applied = [*rule.premises, *([rule.head] if rule.head else [])]
    return [rule.constraint, *(value for a in applied for value in a.values)]


def _rewritten(rule: Rule, memo: Mapping[Term, Term], constraint: Term) -> Rule:
    premises = tuple(_replaced(a, memo) for a in rule.premises)
    return Rule(premises, constraint, None if rule.head is None else _replaced(rule.head, memo))


def _replaced(application: Application, memo: Mapping[Term, Term]) -> Application:
    return Application(application.relation, tuple(memo[v] for v in application.values))
