"""Linear forms in a zone: their intervals, and what is left where they are bounded or assigned.

S. Sankaranarayanan, H. Sipma, Z. Manna, "Scalable analysis of linear systems using mathematical programming", VMCAI
2005: the left sides of inequalities (templates) are fixed beforehand. Here they are the tracked *sums*, each a place of
the zone beside its own parts (octagons, A. Miné 2006, are those of two places). Instead of linear programs, a sum is
bounded by subtracting multiples of others from it.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence

from core.analysis.bound_pairs import BoundPair, plus, scale
from core.dataclass import dataclass
from core.program import Range
from core.terms import BOOL, Op, Term, Treatment
from methods.domains.zones.zone import Zone

OTHER_OPERATORS = Treatment.OPAQUE

Parts = tuple[tuple[int, Term], ...]  # coefficients with their places


@dataclass(frozen=True, slots=True)
class LinearForm:
    """The sum of `parts`, each a coefficient with a place, and of a number between `low` and `high`."""

    parts: Parts
    low: int | None
    high: int | None

    @property
    def is_exact(self) -> bool:
        return self.low is not None and self.low == self.high


class LinearForms:
    """Linear forms over places with the ranges of `range_of`, and over the tracked `sums`."""

    def __init__(self, range_of: Callable[[Term], Range | None], sums: Sequence[Term] = ()) -> None:
        self._range_of = range_of
        self.sums = {x: tuple(zip(x.coefficients, x.args, strict=True)) for x in sums}
        self._with = _owners(sums)

    # Bounds

    def compared(self, zone: Zone, op: Op, form: LinearForm, value: int, truth: bool) -> Zone | None:
        if op is Op.LE:
            return self._at_most(zone, form, value) if truth else self._at_least(zone, form, value + 1)
        if truth:
            below = self._at_most(zone, form, value)
            return None if below is None else self._at_least(below, form, value)
        low, high = self.interval(zone, form)
        if low == high == value:
            return None
        if low == value:
            return self._at_least(zone, form, value + 1)
        return self._at_most(zone, form, value - 1) if high == value else zone

    def _at_least(self, zone: Zone, form: LinearForm, bound: int) -> Zone | None:
        low, high = (None if b is None else -b for b in (form.high, form.low))
        return self._at_most(zone, LinearForm(tuple((-c, x) for c, x in form.parts), low, high), -bound)

    def _at_most(self, zone: Zone, form: LinearForm, bound: int) -> Zone | None:
        """The part of `zone` in which `form` may be at most `bound`."""
        if form.low is None:
            return zone
        bound -= form.low
        match form.parts:
            case ():
                return zone if bound >= 0 else None
            case ((c, x),):
                return self._limited(zone, c, x, bound)
            case ((1, x), (-1, y)) | ((-1, y), (1, x)) if not self._with:
                return zone.constrained(x, y, bound)
            case parts:
                low, _ = self._total(zone, parts)
                if low is not None and low > bound:
                    return None
                within = self._each_limited(zone, form, bound)
                return within and self._sum_limited(within, parts, bound)

    def _sum_limited(self, zone: Zone, parts: Parts, bound: int) -> Zone | None:
        """The part of `zone` with a sum at most `bound`, if it is a difference of places or tracked sums."""
        match parts:
            case ((1, x), (-1, y)) | ((-1, y), (1, x)):
                return zone.constrained(x, y, bound)
            case _:
                folded = self.folded(zone, LinearForm(parts, 0, 0))
        match folded:
            case LinearForm(((1, x),), int(distance)):
                return zone.constrained(x, None, bound - distance)
            case LinearForm(((-1, x),), int(distance)):
                return zone.constrained(None, x, bound - distance)
            case LinearForm(((1, x), (-1, y)) | ((-1, y), (1, x)), int(distance)):
                return zone.constrained(x, y, bound - distance)
            case _:
                return zone

    def _each_limited(self, zone: Zone, form: LinearForm, bound: int) -> Zone | None:
        """The part of `zone` with `form.parts` at most `bound`, as far as bounds of single places say it."""
        lows = [self._scaled(zone, c, x)[0] for c, x in form.parts]
        result: Zone | None = zone
        for i, (c, x) in enumerate(form.parts):
            others = [low for j, low in enumerate(lows) if j != i]
            if result is not None and None not in others:
                result = self._limited(result, c, x, bound - sum(low for low in others if low is not None))
        return result

    def _limited(self, zone: Zone, c: int, x: Term, bound: int) -> Zone | None:
        """The part of `zone` with `c · x ≤ bound`."""
        limits = self._limits(x)
        if c > 0:
            bound //= c
            if limits is not None and bound >= limits.high:
                return zone
            if limits is not None and bound <= limits.low:
                return zone.meeting_value(x, bound) if bound == limits.low else None
            return zone.constrained(x, None, bound)
        bound //= -c
        if limits is not None and bound >= -limits.low:
            return zone
        if limits is not None and bound <= -limits.high:
            return zone.meeting_value(x, -bound) if bound == -limits.high else None
        return zone.constrained(None, x, bound)

    # Intervals

    def interval(self, zone: Zone, form: LinearForm) -> BoundPair:
        """The interval of a form, from the bounds of the zone and from ranges."""
        return plus(self._total(zone, form.parts), (form.low, form.high))

    def _total(self, zone: Zone, parts: Parts) -> BoundPair:
        """The interval of a sum."""
        total = self._by_bounds(zone, parts)
        if len(parts) > 1:
            for sum_ in self.about(x for _, x in parts):
                if sum_ in zone:
                    total = self._by_sum(zone, parts, sum_, total)
        return total

    def about(self, places: Iterable[Term]) -> Collection[Term]:
        """The tracked sums of which one of these places is a part."""
        return dict.fromkeys(sum_ for x in places for sum_ in self._with.get(x, ())) if self._with else ()

    def _by_bounds(self, zone: Zone, parts: Parts) -> BoundPair:
        """The interval of a sum, from the bounds of its places, and of the difference of two."""
        total: BoundPair = (0, 0)
        match parts:
            case ((c, x), (d, y)) if c == -d:
                high, low = zone.bound(x, y), zone.bound(y, x)
                total = scale(c, (None if low is None else -low, high))
                if low is None or high is None:
                    total = _tighter(total, plus(self._scaled(zone, c, x), self._scaled(zone, d, y)))
            case _:
                for c, x in parts:
                    total = plus(total, self._scaled(zone, c, x))
        return total

    def _by_sum(self, zone: Zone, parts: Parts, sum_: Term, known: BoundPair) -> BoundPair:
        """The interval `known` of a sum, with what follows where multiples of a tracked one leave less of it."""
        definition, constant = self._values_of(zone, sum_)
        coefficients = {x: c for c, x in definition}
        for factor in {c // coefficients[x] for c, x in parts if x in coefficients and c % coefficients[x] == 0}:
            rest, distance = _merged(zone, _minus(parts, factor, definition))
            if len(rest) < len(parts):
                if len(rest) == 1:
                    total = self._by_bounds(zone, ((factor, sum_), *rest))
                else:
                    total = plus(self._scaled(zone, factor, sum_), self._total(zone, rest))
                known = _tighter(known, plus(total, (distance - factor * constant,) * 2))
        return known

    def _values_of(self, zone: Zone, sum_: Term) -> tuple[Parts, int]:
        """The parts of a tracked sum that have more than one value, and what the others add up to."""
        parts = self.sums[sum_]
        constants = zone.constants
        if not any(x in constants for _, x in parts):
            return parts, 0
        rest = tuple((c, x) for c, x in parts if x not in constants)
        return rest, sum(c * constants[x] for c, x in parts if x in constants)

    def folded(self, zone: Zone, form: LinearForm, except_: Collection[Term] = ()) -> LinearForm:
        """The same form with a tracked sum in place of all parts but one at most; the form itself if there is none."""
        found: list[tuple[tuple[int, bool], LinearForm]] = []
        for sum_ in self.about(x for _, x in form.parts) if len(form.parts) > 1 else ():
            definition, constant = self._values_of(zone, sum_)
            for factor in (1, -1) if len(definition) > 1 and sum_ not in except_ else ():
                rest, distance = _merged(zone, _minus(form.parts, factor, definition))
                if len(rest) <= 1:
                    value = zone.constants.get(sum_)
                    moved = distance + factor * ((value or 0) - constant)
                    parts = rest if value is not None else ((factor, sum_), *rest)
                    one = LinearForm(parts, *plus((form.low, form.high), (moved, moved)))
                    found.append(((len(parts), sum_ not in zone), one))
        return min(found, key=lambda one: one[0], default=((0, False), form))[1]

    def related(self, zone: Zone, symbols: frozenset[Term] | None = None) -> Zone | None:
        """A zone with what tracked sums (of `symbols`) and their parts tell of each other; None if it is empty."""
        result: Zone | None = zone
        for sum_, parts in self.sums.items():
            if symbols is not None and symbols.isdisjoint(sum_.symbols()):
                continue
            if result is not None and sum_ not in result:
                result = self.assigned(result, sum_, self.folded(result, LinearForm(parts, 0, 0), (sum_,)))
            elif result is not None:
                result = self._meeting(result, sum_, self._total(result, parts))
            if result is not None and sum_ in result:
                low, high = result.interval(sum_)
                if high is not None:
                    result = self._each_limited(result, LinearForm(parts, 0, 0), high)
                if low is not None and result is not None:
                    opposite = tuple((-c, x) for c, x in parts)
                    result = self._each_limited(result, LinearForm(opposite, 0, 0), -low)
        return result

    def _meeting(self, zone: Zone, x: Term, interval: BoundPair) -> Zone | None:
        """The part of a zone in which `x` is within an interval."""
        (low, high), limits = interval, self._limits(x)
        result: Zone | None = zone
        if high is not None and (limits is None or high < limits.high):
            result = result and result.constrained(x, None, high)
        if low is not None and (limits is None or low > limits.low):
            result = result and result.constrained(None, x, -low)
        return result

    def _limits(self, x: Term) -> Range | None:
        """The range of a place; of a sum, that which the ranges of its places make."""
        if not x.is_sum:
            return self._range_of(x if x.is_symbol else x.args[0])
        total: BoundPair = (0, 0)
        for c, part in zip(x.coefficients, x.args, strict=True):
            limits = self._limits(part)
            total = plus(total, (None, None) if limits is None else scale(c, (limits.low, limits.high)))
        low, high = total
        return None if low is None or high is None else Range(low, high)

    def _scaled(self, zone: Zone, c: int, x: Term) -> BoundPair:
        low, high = zone.interval(x)
        limits = self._limits(x)
        if limits is not None:
            if low is None or high is None:
                low, high = self._from_ranges(zone, x, low, high, limits)
            low, high = max(low, limits.low), min(high, limits.high)
        return scale(c, (low, high))

    def _from_ranges(self, zone: Zone, x: Term, low: int | None, high: int | None, limits: Range) -> tuple[int, int]:
        """The interval of `x` with what follows from the ranges of places that bound it."""
        if high is None:
            high = limits.high
            for y, bound in zone.rows.get(x, {}).items():
                other = self._limits(y) if y is not None else None
                if other is not None:
                    high = min(high, other.high + bound)
        if low is None:
            low = limits.low
            for y, row in zone.rows.items():
                other = self._limits(y) if y is not None and x in row else None
                if other is not None:
                    low = max(low, other.low - row[x])
        return low, high

    # Assignments

    def assigned(self, zone: Zone, x: Term, form: LinearForm) -> Zone | None:
        """The zone after `x := form`; None if no number within all ranges is the value of the form."""
        match form.parts:
            case () if form.is_exact:
                assert form.low is not None
                return zone.assigned(x, None, form.low)
            case ((1, y),) if form.is_exact:
                assert form.low is not None
                return zone.assigned(x, y, form.low)
        if x.sort is BOOL:
            return zone.without((x,))
        result = self._meeting(zone.without((x,)), x, self.interval(zone, form))
        for i, (c, y) in enumerate(form.parts):
            if c == 1 and y is not x:
                rest = LinearForm(form.parts[:i] + form.parts[i + 1 :], form.low, form.high)
                result = result and self._apart(result, x, y, self.interval(zone, rest))
        return result

    def _apart(self, zone: Zone, x: Term, y: Term, interval: BoundPair) -> Zone | None:
        """The part of a zone in which `x - y` is within an interval, as far as ranges do not say so."""
        (low, high), a, b = interval, self._limits(x), self._limits(y)
        result: Zone | None = zone
        if high is not None and (a is None or b is None or high < a.high - b.low):
            result = result and result.constrained(x, y, high)
        if low is not None and (a is None or b is None or low > a.low - b.high):
            result = result and result.constrained(y, x, -low)
        return result


def moves(form: LinearForm) -> bool:
    """Whether a form is a place with a number added."""
    return form.is_exact and len(form.parts) == 1 and form.parts[0][0] == 1


def exactly(value: int) -> LinearForm:
    return LinearForm((), value, value)


def added(total: LinearForm, c: int, form: LinearForm) -> LinearForm:
    """The form of `total + c · form`, where `c` is not 0."""
    low, high = plus((total.low, total.high), scale(c, (form.low, form.high)))
    return LinearForm(_minus(total.parts, -c, form.parts) if form.parts else total.parts, low, high)


def _minus(parts: Parts, factor: int, others: Parts) -> Parts:
    """The parts of a sum without a multiple of another one."""
    coefficients: dict[Term, int] = {x: c for c, x in parts}
    for c, x in others:
        coefficients[x] = coefficients.get(x, 0) - factor * c
    return tuple((c, x) for x, c in coefficients.items() if c)


def _merged(zone: Zone, parts: Parts) -> tuple[Parts, int]:
    """A sum with one place for those that are at a fixed distance, and the number that this adds."""
    found: list[tuple[int, Term]] = []
    constant = 0
    for c, x in parts:
        for i, (d, y) in enumerate(found):
            distance = zone.bound(x, y)
            if distance is not None and zone.bound(y, x) == -distance:
                found[i] = c + d, y
                constant += c * distance
                break
        else:
            found.append((c, x))
    return tuple((c, x) for c, x in found if c), constant


def _owners(sums: Iterable[Term]) -> Mapping[Term, Sequence[Term]]:
    """The sums of which each place is a part."""
    found: dict[Term, list[Term]] = {}
    for sum_ in sums:
        for x in sum_.args:
            found.setdefault(x, []).append(sum_)
    return found


def _tighter(a: BoundPair, b: BoundPair) -> BoundPair:
    low = b[0] if a[0] is None else a[0] if b[0] is None else max(a[0], b[0])
    return low, b[1] if a[1] is None else a[1] if b[1] is None else min(a[1], b[1])
