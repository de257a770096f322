"""Sums that loops compute: what a round adds to a variable, and what all rounds together add."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from core.dataclass import dataclass
from core.terms import Arena, Op, Substitution, Term, Treatment, subterms

OTHER_OPERATORS = Treatment.OPAQUE

_SMALLEST_MODULUS = 1 << 8  # of a number that wraps around


@dataclass(frozen=True)
class Total:
    """The sum of a loop that also adds its counter: `factor` times an element, and `slope · index + constant`."""

    start: int
    factor: int
    slope: int
    constant: int

    def doubled(self, arena: Arena, ghost: Term, count: Term) -> Term:
        """Twice what `count` rounds add up."""
        square = arena.multiply(count, count)
        linear = 2 * self.constant - self.slope
        parts = [(2 * self.factor, arena.select(ghost, count)), (self.slope, square), (linear, count)]
        return arena.linear(parts, 2 * self.start)


def total_of(
    a: Arena, y: Term, values: Sequence[Term], first: set[Term], moved: Mapping[Term, Term], index: Term
) -> Total | None:
    """The total of y, if a loop adds one element to it and something with the counter, which `moved` makes an index."""
    added = difference(a, values[0], y) if len(values) == 1 else None
    start = next(iter(first)) if len(first) == 1 else a.true
    if added is None or not added.is_sum or not start.is_constant or len(summands(added)) != 1:
        return None
    part = summands(added)[0]
    factor = added.coefficients[added.args.index(part)]
    rest = Substitution(a, moved)(a.linear([(1, added), (-factor, part)]))
    if rest is index:
        return Total(start.value, factor, 1, 0)
    if rest.is_sum and rest.args == (index,):
        return Total(start.value, factor, rest.coefficients[0], rest.constant)
    return None


def reads_elements(t: Term) -> bool:
    """Whether a term reads an array."""
    return any(u.is_select for u in subterms(t))


def summands(added: Term) -> list[Term]:
    """The parts of a sum that read arrays."""
    return [t for t in added.args if reads_elements(t)] if added.is_sum else [added] if reads_elements(added) else []


def difference(arena: Arena, value: Term, x: Term) -> Term | None:
    """The term that is added to x where `value` is x and something, up to wrap-around; None where it is not."""
    if x not in value.symbols():
        return None
    if value is x:
        return arena.zero
    if value.is_choice:
        condition = value.args[0]
        first, second = (difference(arena, case, x) for case in value.args[1:])
        if first is None or second is None:
            return None
        if x not in condition.symbols():
            return arena.ite(condition, first, second)
        wrapped = arena.subtract(first, second)
        if not wrapped.is_constant or wrapped.value % _SMALLEST_MODULUS:
            return None
        return min((first, second), key=lambda t: abs(t.constant if t.is_sum else number_or_zero(t)))
    if value.op is Op.MODULO and value.args[1].is_constant and value.args[1].value >= _SMALLEST_MODULUS:
        return difference(arena, value.args[0], x)
    if value.is_sum:
        for factor, part in zip(value.coefficients, value.args, strict=True):
            rest = arena.subtract(value, part)
            if factor == 1 and x in part.symbols() and x not in rest.symbols():
                own = difference(arena, part, x)
                return None if own is None else arena.add(own, rest)
    return None


def number_or_zero(t: Term) -> int:
    """The value of a constant; 0 for others."""
    return t.value if t.is_constant else 0
