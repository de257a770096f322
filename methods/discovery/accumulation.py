"""Bounds of what a loop accumulates: of a variable to which turns add what changes itself, as `x += y` does.

Heuristic, a part of acceleration: that of sums which are not constant. Where a turn adds between l and h to x, and a
to a counter y, a·x - h·y never grows and a·x - l·y never falls, so each has a bound that it has from the beginning.
Where the counter is what is added, x turns where that is 0, and so has an end there.

Sums are read without wrap-around. What holds at the beginning are intervals, from the path that leads there.

Limitation: what is added is bounded by intervals alone.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from core.analysis.bound_pairs import TOP, BoundPair, hull, meet, plus, scale, unscale
from core.dataclass import dataclass
from core.program import Range
from core.program.expansion import Step
from core.terms import INT, Arena, Term, Treatment, literals

OTHER_OPERATORS = Treatment.OPAQUE

SymbolRanges = Callable[[Term], Range | None]


@dataclass(frozen=True)
class KnownIntervals:
    """KnownIntervals of variables; one that is not `known` has its range."""

    known: Mapping[Term, BoundPair]
    range_of: SymbolRanges

    def of(self, t: Term) -> BoundPair:
        """The interval of a term."""
        if t.is_constant:
            return t.value, t.value
        if t.is_sum:
            total: BoundPair = (t.constant, t.constant)
            for c, part in _parts(t):
                total = plus(total, scale(c, self.of(part)))
            return total
        if t.is_choice and not any(part.is_choice for part in t.args[1:]):
            return hull(self.of(t.args[1]), self.of(t.args[2]))
        return self.known.get(t) or (_range(self.range_of(t)) if t.is_symbol else TOP)

    def where(self, condition: Term) -> KnownIntervals:
        """The intervals where a condition holds, by those of its conjuncts that compare a sum with a constant."""
        intervals = self
        for literal in literals(condition):
            atom = literal.args[0] if literal.is_negation else literal
            if atom.is_bound:
                total = (atom.value + 1, None) if literal.is_negation else (None, atom.value)
                intervals = intervals._with(atom.args[0], total)
            elif literal.is_equation:
                intervals = intervals._with(atom.args[0], (atom.value, atom.value))
        return intervals

    def _with(self, body: Term, total: BoundPair) -> KnownIntervals:
        known = dict(self.known)
        parts, constant = _parts(body), body.constant if body.is_sum else 0
        for c, x in parts:
            rest: BoundPair = (constant, constant)
            for d, y in parts:
                rest = rest if y is x else plus(rest, scale(d, self.of(y)))
            narrowed = meet(unscale(c, plus(total, scale(-1, rest))), self.of(x))
            if x.is_symbol and narrowed is not None:
                known[x] = narrowed
        return KnownIntervals(known, self.range_of)

    def after(self, updates: Mapping[Term, Term]) -> KnownIntervals:
        """The intervals after a simultaneous assignment."""
        kept = {x: interval for x, interval in self.known.items() if x not in updates}
        return KnownIntervals({**kept, **{x: self.of(v) for x, v in updates.items() if x.sort is INT}}, self.range_of)


def along(steps: Sequence[Step], range_of: SymbolRanges) -> KnownIntervals:
    """The intervals after `steps`."""
    intervals = KnownIntervals({}, range_of)
    for step in steps:
        intervals = intervals.where(step.transition.guard).after(step.transition.updates)
    return intervals


def _parts(t: Term) -> list[tuple[int, Term]]:
    return list(zip(t.coefficients, t.args, strict=True)) if t.is_sum else [(1, t)]


def _range(bounds: Range | None) -> BoundPair:
    return TOP if bounds is None else (bounds.low, bounds.high)


@dataclass(frozen=True)
class Accumulation:
    """Turns that add what is `between` two bounds to `x`, and `step` to the counter `y`.

    `added` is what is added, where that is no constant.
    """

    x: Term
    added: Term | None
    between: BoundPair
    y: Term
    step: int

    def bounds(self, arena: Arena, entry: KnownIntervals) -> Iterator[tuple[Term, int, bool]]:
        """(t, c, least): what stays at least (or at most) c, given the intervals at first."""
        sign = 1 if self.step > 0 else -1
        for least in (True, False):
            end = self.between[0 if least else 1]
            if end is not None:
                kept = arena.linear([(abs(self.step), self.x), (-sign * end, self.y)])
                bound, first = (entry.of(t)[0 if least else 1] for t in (kept, self.x))
                if bound is not None:
                    yield kept, bound, least
                    turn = self._turning(least)
                    if turn is not None and first is not None and (end < 0 if least else end > 0):
                        extreme = bound + sign * end * turn
                        if least:
                            yield self.x, min(first, extreme // abs(self.step)), least
                        else:
                            yield self.x, max(first, -(-extreme // abs(self.step))), least

    def _turning(self, least: bool) -> int | None:
        """The last value of the counter at which `x` may become less (or greater) than it has been."""
        parts = _parts(self.added) if self.added is not None else []
        slope = parts[0][0] if len(parts) == 1 and parts[0][1] is self.y else 0
        if self.added is None or not slope or (slope * self.step > 0) is not least:
            return None
        constant = self.added.constant if self.added.is_sum else 0
        return -(constant // slope) - 1 + self.step if self.step > 0 else -constant // slope + 1 + self.step


def in_loop(
    intervals: KnownIntervals, symbols: Iterable[Term], added: Callable[[Term], Sequence[int | None]]
) -> KnownIntervals:
    """The intervals in a loop that is entered with `intervals`, of `symbols`, to which its turns add what `added` says.

    No turn: the symbol stays the same. None: a turn does something else.
    """
    known: dict[Term, BoundPair] = {}
    for x in symbols:
        low, high = intervals.of(x)
        amounts = [TOP if amount is None else (amount, amount) for amount in added(x)]
        grows = all(amount is not None and amount >= 0 for amount, _ in amounts)
        falls = all(amount is not None and amount <= 0 for amount, _ in amounts)
        known[x] = (low if grows else None, high if falls else None)
    return KnownIntervals(known, intervals.range_of)
