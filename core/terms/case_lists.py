"""Lists of cases as relations, for display: `x == 0 && y == 1 || x == 1 && y == 2 || …` is `x <= n && y == x + 1`.

The cases of a disjunction that give values to the same terms are points. What holds of all points is a candidate:
bounds of each term, and of each sum of up to three terms (with factors 1 and -1) its value, its remainder by what
divides all differences of its values, or its bounds. Taken are the first candidates that leave no other point within
the bounds.
Where none do, points that lie in a row are joined: `0 <= x <= 3 && y == 1 || …`.

Limitations: factors other than 1 and -1; points of more than a few terms are joined in rows alone.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations, product
from math import gcd, prod

from core.dataclass import dataclass
from core.terms.arena import Arena
from core.terms.sorts import INT
from core.terms.term import Term, subterms
from core.terms.traversal import rebuild

_FEWEST = 3  # cases that are worth it
_MAX_POINTS = 2_000
_MAX_WITHIN = 20_000  # points within the bounds
_MAX_TERMS = 6

_Point = tuple[int, ...]
_Box = tuple[tuple[int, int], ...]


def without_case_lists(arena: Arena, formula: Term) -> Term:
    """An equivalent formula in which lists of cases are relations, where these are shorter."""
    memo: dict[Term, Term] = {}
    for t in subterms(formula):
        args = tuple(memo[a] for a in t.args)
        here = t if args == t.args else rebuild(arena, t, args)
        memo[t] = _shorter(arena, here) if here.is_disjunction and len(here.args) >= _FEWEST else here
    return memo[formula]


def _shorter(arena: Arena, t: Term) -> Term:
    """The disjunction with its cases grouped by the terms that they give values to, and by what else they say."""
    groups: dict[tuple[frozenset[Term], frozenset[Term]], list[dict[Term, int]]] = {}
    others: list[Term] = []
    for part in t.args:
        values, rest = _case(part)
        if values:
            groups.setdefault((frozenset(values), rest), []).append(values)
        else:
            others.append(part)
    parts = []
    for (terms, rest), cases in groups.items():
        ordered = sorted(terms, key=lambda one: one.id)
        points = sorted({tuple(values[one] for one in ordered) for values in cases})
        conditions = sorted(rest, key=lambda one: one.id)
        parts.append(arena.and_(*conditions, _relation(arena, ordered, points)))
    found = arena.or_(*others, *parts)
    return found if found.size < t.size else t


def _case(part: Term) -> tuple[dict[Term, int], frozenset[Term]]:
    """The values that a case gives to terms, and what else it says."""
    values: dict[Term, int] = {}
    rest: list[Term] = []
    for one in part.args if part.is_conjunction else (part,):
        if one.is_equation and not one.args[0].is_sum and one.args[0].sort is INT:
            values[one.args[0]] = one.value
        else:
            rest.append(one)
    return values, frozenset(rest)


def _relation(arena: Arena, terms: Sequence[Term], points: Sequence[_Point]) -> Term:
    if len(points) < _FEWEST or len(points) > _MAX_POINTS:
        return _joined(arena, terms, points)
    box = tuple((min(values), max(values)) for values in zip(*points, strict=True))
    if len(terms) > _MAX_TERMS or prod(high - low + 1 for low, high in box) > _MAX_WITHIN:
        return _joined(arena, terms, points)
    wanted = set(points)
    left = [one for one in product(*(range(low, high + 1) for low, high in box)) if one not in wanted]
    taken: list[_Candidate] = []
    for candidate in _candidates(len(terms), points):
        if not left:
            break
        remaining = [one for one in left if candidate.holds(one)]
        if len(remaining) < len(left):
            taken.append(candidate)
            left = remaining
    rows = _joined(arena, terms, points)
    if left:
        return rows
    idle = _determined(box, taken, wanted)
    bounds = [_within(arena, terms[k : k + 1], box[k : k + 1]) for k in range(len(terms)) if k not in idle]
    found = arena.and_(*bounds, *(one.term(arena, terms) for one in taken))
    return min(found, rows, key=lambda one: one.size)


def _determined(box: _Box, taken: Sequence[_Candidate], wanted: set[_Point]) -> frozenset[int]:
    """The positions of terms whose bounds can be left out, since equations say them by the others."""
    by: dict[int, _Candidate] = {}
    for one in taken:
        positions = [k for k, factor in enumerate(one.factors) if factor]
        if one.is_equation and len(positions) > 1 and not any(k in by for k in positions):
            by[positions[-1]] = one
    ranges = [(0,) if k in by else range(low, high + 1) for k, (low, high) in enumerate(box)]
    for point in product(*ranges):
        whole = tuple(by[k].solved(k, point) if k in by else value for k, value in enumerate(point))
        if whole not in wanted and all(one.holds(whole) for one in taken):
            return frozenset()
    return frozenset(by)


@dataclass(frozen=True)
class _Candidate:
    """A relation about a sum of terms: its remainder by `divisor`, its value for 0; else it lies between bounds."""

    factors: tuple[int, ...]
    divisor: int
    remainder: int
    bounds: tuple[int, int] | None = None
    subtracted: tuple[int, int] = (0, -1)  # the bounds of what is subtracted

    @property
    def is_equation(self) -> bool:
        return not self.divisor and self.bounds is None

    def solved(self, position: int, point: _Point) -> int:
        """The value that an equation gives to the term at a position, for a point that has 0 there."""
        return self.factors[position] * (self.remainder - _sum(self.factors, point))

    def holds(self, point: _Point) -> bool:
        value = _sum(self.factors, point)
        if self.bounds is not None:
            return self.bounds[0] <= value <= self.bounds[1]
        return value == self.remainder if not self.divisor else value % self.divisor == self.remainder

    def term(self, arena: Arena, terms: Sequence[Term]) -> Term:
        summands = [(factor, one) for factor, one in zip(self.factors, terms, strict=True) if factor]
        whole = arena.linear(summands)
        if self.bounds is not None:
            low, high = map(arena.integer, self.bounds)
            return arena.and_(arena.le(low, whole), arena.le(whole, high))
        if not self.divisor:
            return arena.equals(whole, arena.integer(self.remainder))
        divisor = arena.integer(self.divisor)
        if 0 <= self.subtracted[0] <= self.subtracted[1] < self.divisor:  # `(x + y) % n == z`
            added = arena.linear([one for one in summands if one[0] > 0], -self.remainder)
            return arena.equals(arena.modulo(added, divisor), arena.linear([(1, x) for c, x in summands if c < 0]))
        return arena.equals(arena.modulo(whole, divisor), arena.integer(self.remainder))


def _candidates(count: int, points: Sequence[_Point]) -> Iterator[_Candidate]:
    """Relations that hold of all points: of few terms first; values, then remainders, then bounds."""
    bounded: list[_Candidate] = []
    for size in range(1, min(3, count) + 1):
        congruent: list[_Candidate] = []
        for positions in combinations(range(count), size):
            for signs in product((1, -1), repeat=size - 1):
                factors = [0] * count
                for position, sign in zip(positions, (1, *signs), strict=True):
                    factors[position] = sign
                values = {_sum(factors, point) for point in points}
                divisor = gcd(*(value - min(values) for value in values))
                if divisor != 1:
                    congruent.append(_congruence(factors, divisor, min(values), points))
                elif size > 1:
                    bounded.append(_Candidate(tuple(factors), 0, 0, (min(values), max(values))))
        yield from sorted(congruent, key=lambda one: (one.divisor != 0, -one.divisor))  # what says most comes first
    yield from bounded


def _congruence(factors: Sequence[int], divisor: int, value: int, points: Sequence[_Point]) -> _Candidate:
    """A value, or a remainder; what is subtracted is less than the divisor where that can be chosen."""
    ways = []
    for sign in (1, -1):
        turned = tuple(sign * factor for factor in factors)
        lowered = [_sum([max(0, -factor) for factor in turned], point) for point in points]
        remainder = sign * value if not divisor else sign * value % divisor
        subtracted = (min(lowered), max(lowered)) if min(turned) < 0 else (0, -1)
        ways.append(_Candidate(turned, divisor, remainder, None, subtracted))
    short = [one for one in ways if 0 <= one.subtracted[0] <= one.subtracted[1] < divisor]
    return min(short or ways, key=lambda one: (sum(factor < 0 for factor in one.factors), one.remainder))


def _sum(factors: Sequence[int], point: _Point) -> int:
    return sum(factor * value for factor, value in zip(factors, point, strict=True))


def _within(arena: Arena, terms: Sequence[Term], box: _Box) -> Term:
    bounds = [
        arena.and_(arena.le(arena.integer(low), one), arena.le(one, arena.integer(high)))
        if low < high
        else arena.equals(one, arena.integer(low))
        for one, (low, high) in zip(terms, box, strict=True)
    ]
    return arena.and_(*bounds)


def _joined(arena: Arena, terms: Sequence[Term], points: Sequence[_Point]) -> Term:
    """The points as boxes: those that lie in a row along one term are joined, then the boxes along the next one."""
    boxes: list[_Box] = [tuple((value, value) for value in point) for point in points]
    for axis in range(len(terms)):
        rows: dict[_Box, list[_Box]] = {}
        for box in boxes:
            rows.setdefault((*box[:axis], *box[axis + 1 :]), []).append(box)
        boxes = [one for row in rows.values() for one in _row(sorted(row, key=lambda box: box[axis]), axis)]
    return arena.or_(*(_within(arena, terms, box) for box in sorted(boxes)))


def _row(boxes: Sequence[_Box], axis: int) -> Iterator[_Box]:
    current = boxes[0]
    for box in boxes[1:]:
        if box[axis][0] == current[axis][1] + 1:
            current = (*current[:axis], (current[axis][0], box[axis][1]), *current[axis + 1 :])
        else:
            yield current
            current = box
    yield current
