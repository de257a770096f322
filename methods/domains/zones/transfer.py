"""Abstract operations on zones: what guards and assignments of an abstract linear program make of one.

A. Armando, M. Benerecetti, J. Mantovani, "Abstraction refinement of linear programs with arrays", TACAS 2007, section
4: a variable that is not tracked has any value of its range (`u`), and `a[e]` is `(e == k ? a^k : …)` over the tracked
indices k. Choices split a zone; what the parts have in common is for the caller to join.

Deviations: where an index may be one of more than `MAX_CHOICES` tracked ones, a read is any number between the least
and the greatest of them, and a write makes `u` of all of these; sums that neither a zone nor a tracked sum expresses
are replaced by their intervals.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

from core.parameters import parameter
from core.program import Range
from core.program.semantics import Transition
from core.terms import BOOL, INT, Arena, Op, Term, Treatment, literals
from methods.domains.zones.forms import LinearForm, LinearForms, added, exactly, moves
from methods.domains.zones.precision import TrackedPlaces, cell
from methods.domains.zones.zone import Zone

OTHER_OPERATORS = Treatment.OPAQUE

MAX_CHOICES = parameter("domains.zones.transfer.max-choices")
_LARGEST_TERM = parameter("domains.zones.transfer.largest-term")


_ANY = LinearForm((), None, None)
_Split = Iterator[tuple[Zone, LinearForm]]


class Transfer:
    """Transfer functions under one precision; `range_of` gives the ranges of variables and inputs.

    `sums` are the tracked sums of the variables before and after a step.
    """

    def __init__(
        self,
        arena: Arena,
        range_of: Callable[[Term], Range | None],
        precision: TrackedPlaces,
        sums: Sequence[Term] = (),
    ) -> None:
        self._arena = arena
        self._range_of = range_of
        self.precision = precision
        self.forms = LinearForms(range_of, sums)

    def equal(self, zone: Zone, form: LinearForm, value: int) -> Zone | None:
        """The part of a zone in which a form may have a value; None if there is none."""
        return self.forms.compared(zone, Op.EQ, form, value, True)

    def excluded(self, zone: Zone, t: Term) -> tuple[Term, int] | None:
        """The place and the value that it does not have where `t` holds, if `t` is the negation of an equation."""
        if not t.is_negation or not t.args[0].is_equation or t.size > _LARGEST_TERM:
            return None
        equation = t.args[0]
        match [form for _, form in self.values(zone, equation.args[0])]:
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
                for at, form in self.values(zone, t.args[0]):
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
        if value is None and t.is_symbol and self.precision.tracks(t):
            yield zone.with_value(t, int(truth))
        elif value is None or bool(value) is truth:
            yield zone

    # Values

    def values(self, zone: Zone, t: Term) -> _Split:
        """The parts of `zone` with the value of `t` in each."""
        if t.size > _LARGEST_TERM:
            yield zone, self._unknown(t)
            return
        match t.op:
            case Op.CONSTANT:
                yield zone, exactly(int(t.value))
            case Op.SYMBOL if t.sort is INT:
                yield zone, self._place(zone, t)
            case Op.LINEAR:
                yield from self._sum(zone, t)
            case Op.ITE if t.sort is INT:
                c, a, b = t.args
                for side, branch in ((True, a), (False, b)):
                    for part in self.assume(zone, c, side):
                        yield from self.values(part, branch)
            case Op.SELECT if t.sort is INT and t.args[0].is_symbol:
                yield from self._read(zone, t)
            case Op.MODULO | Op.DIVIDE if t.args[1].is_constant and t.args[1].value > 0:
                for part, form in self.values(zone, t.args[0]):
                    yield part, self._divided(part, t, form)
            case Op.MULTIPLY if len(t.args) == 2:
                for first, x in self.values(zone, t.args[0]):
                    for part, y in self.values(first, t.args[1]):
                        yield part, self._product(part, x, y)
            case _ if t.sort is BOOL:
                for side in (True, False):
                    yield from ((part, exactly(int(side))) for part in self.assume(zone, t, side))
            case _:
                yield zone, self._unknown(t)

    def _place(self, zone: Zone, place: Term) -> LinearForm:
        value = zone.constants.get(place)
        if value is not None:
            return exactly(value)
        return LinearForm(((1, place),), 0, 0) if self.precision.tracks(place) else self._unknown(place)

    def _unknown(self, t: Term) -> LinearForm:
        """The value `u`: any number of the range."""
        source = t.args[0] if t.is_select else t
        limits = self._range_of(source) if source.is_symbol else None
        return _ANY if limits is None else LinearForm((), limits.low, limits.high)

    def _sum(self, zone: Zone, t: Term) -> _Split:
        sums: list[tuple[Zone, LinearForm]] = [(zone, exactly(t.constant))]
        for c, argument in zip(t.coefficients, t.args, strict=True):
            sums = [
                (after, added(total, c, form))
                for before, total in sums
                for after, form in self.values(before, argument)
            ]
        for part, form in sums:
            fixed = [(c, x) for c, x in form.parts if x in part.constants]  # what a later summand's choice has fixed
            for c, x in fixed:
                form = added(form, -c, LinearForm(((1, x),), 0, 0))
                form = added(form, c, exactly(part.constants[x]))
            yield part, form

    def _read(self, zone: Zone, t: Term) -> _Split:
        array, index = t.args
        for part, form in self.values(zone, index):
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
        low, high = self.forms.interval(zone, index)
        indices = self.precision.indices(array)
        found = [k for k in indices if (low is None or low <= k) and (high is None or k <= high)]
        return found, low is not None and high is not None and high - low < len(found)

    def _any_of(self, zone: Zone, array: Term, indices: Sequence[int]) -> LinearForm:
        """The value of one of the elements, whichever."""
        forms = [self._place(zone, cell(self._arena, array, k)) for k in indices]
        low, high = zip(*(self.forms.interval(zone, form) for form in forms), strict=True)
        return LinearForm((), None if None in low else min(low), None if None in high else max(high))

    def _elsewhere(self, zone: Zone, index: LinearForm, indices: Sequence[int]) -> Sequence[Zone]:
        """The parts of a zone in which an index is none of `indices`."""
        rest = [zone]
        for k in indices:
            rest = [after for before in rest for after in self._where(before, Op.EQ, index, k, False)]
        return rest

    def _where(self, zone: Zone, op: Op, form: LinearForm, value: int, truth: bool) -> Iterator[Zone]:
        after = self.forms.compared(zone, op, form, value, truth)
        if after is not None:
            yield after

    def _divided(self, zone: Zone, t: Term, form: LinearForm) -> LinearForm:
        low, high = self.forms.interval(zone, form)
        divisor = t.args[1].value
        if t.op is Op.MODULO:
            if low is None or high is None or low // divisor != high // divisor:
                return LinearForm((), 0, divisor - 1)
            return added(form, 1, exactly(-(low // divisor) * divisor))
        return LinearForm((), None if low is None else low // divisor, None if high is None else high // divisor)

    def _product(self, zone: Zone, a: LinearForm, b: LinearForm) -> LinearForm:
        if b.is_exact and not b.parts:
            a, b = b, a
        if a.is_exact and not a.parts:
            assert a.low is not None
            return added(exactly(0), a.low, b) if a.low else exactly(0)
        (l1, h1), (l2, h2) = self.forms.interval(zone, a), self.forms.interval(zone, b)
        if l1 is None or h1 is None or l2 is None or h2 is None:
            return _ANY
        products = [x * y for x in (l1, h1) for y in (l2, h2)]
        return LinearForm((), min(products), max(products))

    # Intervals

    # Assignments

    def _assign(self, zone: Zone, updates: Mapping[Term, Term]) -> Iterator[Zone]:
        if len(updates) == 1:
            [(x, value)] = updates.items()
            if value.is_store and value.args[0] is x:
                yield from self._write(zone, x, value.args[1], value.args[2])
                return
        yield from self.assign(zone, list(self.assignments(updates)))

    def assignments(self, updates: Mapping[Term, Term]) -> Iterator[tuple[Term, Term]]:
        """The tracked places to which a simultaneous assignment gives values."""
        for x, value in updates.items():
            for place in self.precision.places(x):
                new = value if place is x else self._arena.select(value, place.args[1])
                if new is not place:
                    yield place, new

    def assign(self, zone: Zone, targets: Sequence[tuple[Term, Term]]) -> Iterator[Zone]:
        """The zones after a simultaneous assignment of terms to places; sums of these are assigned with them."""
        states: list[tuple[Zone, tuple[LinearForm, ...]]] = [(zone, ())]
        for _, value in targets:
            states = [(after, (*forms, form)) for before, forms in states for after, form in self.values(before, value)]
        for state, forms in states:
            after = self._set(state, [x for x, _ in targets], forms)
            if after is not None:
                yield after

    def _set(self, zone: Zone, targets: Sequence[Term], forms: Sequence[LinearForm]) -> Zone | None:
        sums = self.forms.about(targets)
        new = dict(zip(targets, (self.forms.folded(zone, form, sums) for form in forms), strict=True))
        read = {x for form in new.values() for _, x in form.parts}
        in_place = read.isdisjoint(targets) or (len(new) == 1 and moves(*new.values()))
        if in_place and not sums:
            return self._all_set(zone, new)
        written = {x: self._arena.symbol(f"{x!r}@next", x.sort) for x in (*targets, *sums)}
        values = {
            x: form if form.is_exact else LinearForm(((1, written[x]),), 0, 0)
            for x, form in zip(targets, forms, strict=True)
        }
        for sum_ in sums:
            total = exactly(0)
            for c, x in self.forms.sums[sum_]:
                total = added(total, c, values.get(x) or self._place(zone, x))
            new[sum_] = self.forms.folded(zone, total)
        result = self._all_set(zone, {written[x]: form for x, form in new.items()})
        return result and result.without(written).renamed({after: x for x, after in written.items()})

    def _all_set(self, zone: Zone, forms: Mapping[Term, LinearForm]) -> Zone | None:
        result: Zone | None = zone
        for x, form in forms.items():
            result = result and self.forms.assigned(result, x, form)
        return result

    def _write(self, zone: Zone, array: Term, index: Term, value: Term) -> Iterator[Zone]:
        """The zones after `array[index] := value`."""
        if not self.precision.indices(array):
            yield zone
            return
        for part, form in self.values(zone, index):
            if form.is_exact and not form.parts:
                assert form.low is not None
                place = cell(self._arena, array, form.low)
                if self.precision.tracks(place):
                    yield from self.assign(part, [(place, value)])
                else:
                    yield part
                continue
            candidates, complete = self._candidates(part, array, form)
            if len(candidates) > MAX_CHOICES:
                lost = [cell(self._arena, array, k) for k in candidates]
                yield part.without((*lost, *self.forms.about(lost)))
                continue
            for k in candidates:
                for at in self._where(part, Op.EQ, form, k, True):
                    yield from self.assign(at, [(cell(self._arena, array, k), value)])
            if not complete:
                yield from self._elsewhere(part, form, candidates)
