"""Abstract operations on zones: what guards and assignments of an abstract linear program make of one.

A. Armando, M. Benerecetti, J. Mantovani, "Abstraction refinement of linear programs with arrays", TACAS 2007, section
4: a variable that is not tracked has any value of its range (`u`), and `a[e]` is `(e == k ? a^k : …)` over the tracked
indices k. Choices split a zone; what the parts have in common is for the caller to join.

Deviations: where an index may be one of more than `MAX_CHOICES` tracked ones, a read is any number between the least
and the greatest of them, and a write makes `u` of all of these; sums that no zone expresses are replaced by their
intervals.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

from core.analysis.bound_pairs import BoundPair
from core.dataclass import dataclass
from core.parameters import parameter
from core.program import Range
from core.program.semantics import Transition
from core.terms import BOOL, INT, Arena, Op, Term, Treatment, literals
from methods.domains.zones.precision import TrackedPlaces, cell
from methods.domains.zones.zone import Zone

OTHER_OPERATORS = Treatment.OPAQUE

MAX_CHOICES = parameter("domains.zones.transfer.max-choices")
_LARGEST_TERM = parameter("domains.zones.transfer.largest-term")


@dataclass(frozen=True, slots=True)
class LinearForm:
    """The sum of `parts`, each a coefficient with a place, and of a number between `low` and `high`."""

    parts: tuple[tuple[int, Term], ...]
    low: int | None
    high: int | None

    @property
    def is_exact(self) -> bool:
        return self.low is not None and self.low == self.high


_ANY = LinearForm((), None, None)
_Split = Iterator[tuple[Zone, LinearForm]]


class Transfer:
    """Transfer functions under one precision; `range_of` gives the ranges of variables and inputs."""

    def __init__(self, arena: Arena, range_of: Callable[[Term], Range | None], precision: TrackedPlaces) -> None:
        self._arena = arena
        self._range_of = range_of
        self._precision = precision

    def tracks(self, place: Term) -> bool:
        """Whether a place is tracked."""
        return self._precision.tracks(place)

    def equal(self, zone: Zone, form: LinearForm, value: int) -> Zone | None:
        """The part of a zone in which a form may have a value; None if there is none."""
        return self._compared(zone, Op.EQ, form, value, True)

    def excluded(self, zone: Zone, t: Term) -> tuple[Term, int] | None:
        """The place and the value that it does not have where `t` holds, if `t` is the negation of an equation."""
        if not t.is_negation or not t.args[0].is_equation or t.size > _LARGEST_TERM:
            return None
        equation = t.args[0]
        match [form for _, form in self._value(zone, equation.args[0])]:
            case [LinearForm(((1 | -1 as c, x),), low) as form] if form.is_exact and low is not None:
                return x, c * (equation.value - low)
        return None

    def apply(self, zone: Zone, step: Transition) -> list[Zone]:
        """The zones after a guard and a simultaneous assignment; none where the guard fails in all of `zone`."""
        return [after for before in self.assuming(zone, step.guard) for after in self.updated(before, step.updates)]

    def assuming(self, zone: Zone, guard: Term) -> list[Zone]:
        """The zones after a guard; none where it fails in all of `zone`."""
        zones = [zone]
        for conjunct in literals(guard):
            zones = [after for before in zones for after in self.assume(before, conjunct, True)]
        return zones

    def updated(self, zone: Zone, updates: Mapping[Term, Term]) -> list[Zone]:
        """The zones after a simultaneous assignment."""
        return list(self._assign(zone, updates)) if updates else [zone]

    # Guards

    def assume(self, zone: Zone, t: Term, truth: bool) -> Iterator[Zone]:
        """The parts of `zone` in which `t` may have the truth value; together they contain all such states."""
        if t.size > _LARGEST_TERM and t.op not in (Op.AND, Op.OR):
            yield zone
            return
        match t.op:
            case Op.CONSTANT:
                if t.is_true is truth:
                    yield zone
            case Op.NOT:
                yield from self.assume(zone, t.args[0], not truth)
            case Op.AND | Op.OR if (t.is_conjunction) is truth:
                zones = [zone]
                for part in t.args:
                    zones = [after for before in zones for after in self.assume(before, part, truth)]
                yield from zones
            case Op.AND | Op.OR:
                yield from self._one_of(zone, t.args, truth)
            case Op.IFF:
                a, b = t.args
                for side in (True, False):
                    for first in self.assume(zone, a, side):
                        yield from self.assume(first, b, side is truth)
            case Op.ITE:
                c, a, b = t.args
                for side, branch in ((True, a), (False, b)):
                    for first in self.assume(zone, c, side):
                        yield from self.assume(first, branch, truth)
            case Op.LE | Op.EQ:
                for at, form in self._value(zone, t.args[0]):
                    yield from self._where(at, t.op, form, t.value, truth)
            case Op.SYMBOL | Op.SELECT:
                yield from self._proposition(zone, t, truth)
            case _:
                yield zone

    def _one_of(self, zone: Zone, parts: Sequence[Term], truth: bool) -> Iterator[Zone]:
        """The zones in which a first of `parts` has the truth value."""
        rest = [zone]
        for part in parts:
            yield from (after for before in rest for after in self.assume(before, part, truth))
            rest = [after for before in rest for after in self.assume(before, part, not truth)]

    def _proposition(self, zone: Zone, t: Term, truth: bool) -> Iterator[Zone]:
        value = zone.constants.get(t)
        if value is None and t.is_symbol and self._precision.tracks(t):
            yield zone.with_value(t, int(truth))
        elif value is None or bool(value) is truth:
            yield zone

    def _compared(self, zone: Zone, op: Op, form: LinearForm, value: int, truth: bool) -> Zone | None:
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
            case ((1, x), (-1, y)) | ((-1, y), (1, x)):
                return zone.constrained(x, y, bound)
            case _:
                return self._each_limited(zone, form, bound)

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
        limits = self._range_of(x if x.is_symbol else x.args[0])
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

    # Values

    def _value(self, zone: Zone, t: Term) -> _Split:
        """The parts of `zone` with the value of `t` in each."""
        if t.size > _LARGEST_TERM:
            yield zone, self._unknown(t)
            return
        match t.op:
            case Op.CONSTANT:
                yield zone, _exactly(int(t.value))
            case Op.SYMBOL if t.sort is INT:
                yield zone, self._place(zone, t)
            case Op.LINEAR:
                yield from self._sum(zone, t)
            case Op.ITE if t.sort is INT:
                c, a, b = t.args
                for side, branch in ((True, a), (False, b)):
                    for part in self.assume(zone, c, side):
                        yield from self._value(part, branch)
            case Op.SELECT if t.sort is INT and t.args[0].is_symbol:
                yield from self._read(zone, t)
            case Op.MODULO | Op.DIVIDE if t.args[1].is_constant and t.args[1].value > 0:
                for part, form in self._value(zone, t.args[0]):
                    yield part, self._divided(part, t, form)
            case Op.MULTIPLY if len(t.args) == 2:
                for first, x in self._value(zone, t.args[0]):
                    for part, y in self._value(first, t.args[1]):
                        yield part, self._product(part, x, y)
            case _ if t.sort is BOOL:
                for side in (True, False):
                    yield from ((part, _exactly(int(side))) for part in self.assume(zone, t, side))
            case _:
                yield zone, self._unknown(t)

    def _place(self, zone: Zone, place: Term) -> LinearForm:
        value = zone.constants.get(place)
        if value is not None:
            return _exactly(value)
        return LinearForm(((1, place),), 0, 0) if self._precision.tracks(place) else self._unknown(place)

    def _unknown(self, t: Term) -> LinearForm:
        """The value `u`: any number of the range."""
        source = t.args[0] if t.is_select else t
        limits = self._range_of(source) if source.is_symbol else None
        return _ANY if limits is None else LinearForm((), limits.low, limits.high)

    def _sum(self, zone: Zone, t: Term) -> _Split:
        sums: list[tuple[Zone, LinearForm]] = [(zone, _exactly(t.constant))]
        for c, argument in zip(t.coefficients, t.args, strict=True):
            sums = [
                (after, _added(total, c, form))
                for before, total in sums
                for after, form in self._value(before, argument)
            ]
        for part, form in sums:
            fixed = [(c, x) for c, x in form.parts if x in part.constants]  # what a later summand's choice has fixed
            for c, x in fixed:
                form = _added(form, -c, LinearForm(((1, x),), 0, 0))
                form = _added(form, c, _exactly(part.constants[x]))
            yield part, form

    def _read(self, zone: Zone, t: Term) -> _Split:
        array, index = t.args
        for part, form in self._value(zone, index):
            if form.is_exact and not form.parts:
                assert form.low is not None
                yield part, self._place(part, cell(self._arena, array, form.low))
                continue
            candidates, complete = self._candidates(part, array, form)
            if len(candidates) > MAX_CHOICES or not (form.parts or complete):
                yield part, self._any_of(part, array, candidates) if complete else self._unknown(t)
                continue
            for k in candidates:
                for at in self._where(part, Op.EQ, form, k, True):
                    yield at, self._place(at, cell(self._arena, array, k))
            if not complete:
                yield from ((other, self._unknown(t)) for other in self._elsewhere(part, form, candidates))

    def _candidates(self, zone: Zone, array: Term, index: LinearForm) -> tuple[Sequence[int], bool]:
        """The tracked indices that an index may be, and whether these are all that it may be."""
        low, high = self.interval(zone, index)
        indices = self._precision.indices(array)
        found = [k for k in indices if (low is None or low <= k) and (high is None or k <= high)]
        return found, low is not None and high is not None and high - low < len(found)

    def _any_of(self, zone: Zone, array: Term, indices: Sequence[int]) -> LinearForm:
        """The value of one of the elements, whichever."""
        forms = [self._place(zone, cell(self._arena, array, k)) for k in indices]
        low, high = zip(*(self.interval(zone, form) for form in forms), strict=True)
        return LinearForm((), None if None in low else min(low), None if None in high else max(high))

    def _elsewhere(self, zone: Zone, index: LinearForm, indices: Sequence[int]) -> Sequence[Zone]:
        """The parts of a zone in which an index is none of `indices`."""
        rest = [zone]
        for k in indices:
            rest = [after for before in rest for after in self._where(before, Op.EQ, index, k, False)]
        return rest

    def _where(self, zone: Zone, op: Op, form: LinearForm, value: int, truth: bool) -> Iterator[Zone]:
        after = self._compared(zone, op, form, value, truth)
        if after is not None:
            yield after

    def _divided(self, zone: Zone, t: Term, form: LinearForm) -> LinearForm:
        low, high = self.interval(zone, form)
        divisor = t.args[1].value
        if t.op is Op.MODULO:
            if low is None or high is None or low // divisor != high // divisor:
                return LinearForm((), 0, divisor - 1)
            return _added(form, 1, _exactly(-(low // divisor) * divisor))
        return LinearForm((), None if low is None else low // divisor, None if high is None else high // divisor)

    def _product(self, zone: Zone, a: LinearForm, b: LinearForm) -> LinearForm:
        if b.is_exact and not b.parts:
            a, b = b, a
        if a.is_exact and not a.parts:
            assert a.low is not None
            return _added(_exactly(0), a.low, b) if a.low else _exactly(0)
        (l1, h1), (l2, h2) = self.interval(zone, a), self.interval(zone, b)
        if l1 is None or h1 is None or l2 is None or h2 is None:
            return _ANY
        products = [x * y for x in (l1, h1) for y in (l2, h2)]
        return LinearForm((), min(products), max(products))

    # Intervals

    def interval(self, zone: Zone, form: LinearForm) -> BoundPair:
        """The interval of a form, from the bounds of the zone and from ranges."""
        match form.parts:
            case ((1, x), (-1, y)) | ((-1, y), (1, x)):
                high, low = zone.bound(x, y), zone.bound(y, x)
                total: BoundPair = (None if low is None else -low, high)
                if low is None or high is None:
                    total = _tighter(total, _plus(self._scaled(zone, 1, x), self._scaled(zone, -1, y)))
            case _:
                total = (0, 0)
                for c, x in form.parts:
                    total = _plus(total, self._scaled(zone, c, x))
        return _plus(total, (form.low, form.high))

    def _scaled(self, zone: Zone, c: int, x: Term) -> BoundPair:
        low, high = zone.interval(x)
        limits = self._range_of(x if x.is_symbol else x.args[0])
        if limits is not None:
            if low is None or high is None:
                low, high = self._from_ranges(zone, x, low, high, limits)
            low, high = max(low, limits.low), min(high, limits.high)
        low, high = (None if b is None else c * b for b in (low, high))
        return (low, high) if c > 0 else (high, low)

    def _from_ranges(self, zone: Zone, x: Term, low: int | None, high: int | None, limits: Range) -> tuple[int, int]:
        """The interval of `x` with what follows from the ranges of places that bound it."""
        if high is None:
            high = limits.high
            for y, bound in zone.rows.get(x, {}).items():
                other = self._range_of(y if y.is_symbol else y.args[0]) if y is not None else None
                if other is not None:
                    high = min(high, other.high + bound)
        if low is None:
            low = limits.low
            for y, row in zone.rows.items():
                other = self._range_of(y if y.is_symbol else y.args[0]) if y is not None and x in row else None
                if other is not None:
                    low = max(low, other.low - row[x])
        return low, high

    # Assignments

    def _assign(self, zone: Zone, updates: Mapping[Term, Term]) -> Iterator[Zone]:
        if len(updates) == 1:
            [(x, value)] = updates.items()
            if value.is_store and value.args[0] is x:
                yield from self._write(zone, x, value.args[1], value.args[2])
                return
        targets = [
            (place, value if place is x else self._arena.select(value, place.args[1]))
            for x, value in updates.items()
            for place in self._precision.places(x)
        ]
        yield from self.assign(zone, [(x, value) for x, value in targets if x is not value])

    def assign(self, zone: Zone, targets: Sequence[tuple[Term, Term]]) -> Iterator[Zone]:
        """The zones after a simultaneous assignment of terms to places."""
        states: list[tuple[Zone, tuple[LinearForm, ...]]] = [(zone, ())]
        for _, value in targets:
            states = [(after, (*forms, form)) for before, forms in states for after, form in self._value(before, value)]
        for state, forms in states:
            after = self._set(state, [x for x, _ in targets], forms)
            if after is not None:
                yield after

    def _set(self, zone: Zone, targets: Sequence[Term], forms: Sequence[LinearForm]) -> Zone | None:
        read = {x for form in forms for _, x in form.parts}
        overlap = len(targets) > 1 and not read.isdisjoint(targets)
        written = [self._arena.symbol(f"{x!r}@next", x.sort) for x in targets] if overlap else targets
        result: Zone | None = zone
        for x, form in zip(written, forms, strict=True):
            result = result and self._set_one(result, x, form)
        if result is None or not overlap:
            return result
        return result.without(targets).renamed(dict(zip(written, targets, strict=True)))

    def _set_one(self, zone: Zone, x: Term, form: LinearForm) -> Zone | None:
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
        low, high = self.interval(zone, form)
        limits = self._range_of(x if x.is_symbol else x.args[0])
        result: Zone | None = zone.without((x,))
        if high is not None and (limits is None or high < limits.high):
            result = result and result.constrained(x, None, high)
        if low is not None and (limits is None or low > limits.low):
            result = result and result.constrained(None, x, -low)
        match form.parts:
            case ((1, y),) if y is not x:
                if form.high is not None:
                    result = result and result.constrained(x, y, form.high)
                if form.low is not None:
                    result = result and result.constrained(y, x, -form.low)
        return result

    def _write(self, zone: Zone, array: Term, index: Term, value: Term) -> Iterator[Zone]:
        """The zones after `array[index] := value`."""
        if not self._precision.indices(array):
            yield zone
            return
        for part, form in self._value(zone, index):
            if form.is_exact and not form.parts:
                assert form.low is not None
                place = cell(self._arena, array, form.low)
                if self._precision.tracks(place):
                    yield from self.assign(part, [(place, value)])
                else:
                    yield part
                continue
            candidates, complete = self._candidates(part, array, form)
            if len(candidates) > MAX_CHOICES:
                yield part.without(cell(self._arena, array, k) for k in candidates)
                continue
            for k in candidates:
                for at in self._where(part, Op.EQ, form, k, True):
                    yield from self.assign(at, [(cell(self._arena, array, k), value)])
            if not complete:
                yield from self._elsewhere(part, form, candidates)


def _exactly(value: int) -> LinearForm:
    return LinearForm((), value, value)


def _added(total: LinearForm, c: int, form: LinearForm) -> LinearForm:
    """The form of `total + c · form`, where `c` is not 0."""
    low, high = (None if b is None else c * b for b in (form.low, form.high))
    if c < 0:
        low, high = high, low
    low, high = _plus((total.low, total.high), (low, high))
    if not form.parts:
        return LinearForm(total.parts, low, high)
    coefficients: dict[Term, int] = {x: d for d, x in total.parts}
    for d, x in form.parts:
        coefficients[x] = coefficients.get(x, 0) + c * d
    return LinearForm(tuple((d, x) for x, d in coefficients.items() if d), low, high)


def _plus(a: BoundPair, b: BoundPair) -> BoundPair:
    low = None if a[0] is None or b[0] is None else a[0] + b[0]
    return low, None if a[1] is None or b[1] is None else a[1] + b[1]


def _tighter(a: BoundPair, b: BoundPair) -> BoundPair:
    low = b[0] if a[0] is None else a[0] if b[0] is None else max(a[0], b[0])
    return low, b[1] if a[1] is None else a[1] if b[1] is None else min(a[1], b[1])
