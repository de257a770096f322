"""Zones: conjunctions of bounds `x - y ≤ c` between places, of which those with one value are kept apart.

A. Miné, "A new numerical abstract domain based on difference-bound matrices", PADO 2001. A place is a term that stands
for a number: a variable, an element of an array at a constant index, or a sum of these. None stands for
the number 0. The bounds are closed: that of every difference is the tightest that follows, so equal zones have equal
bounds.

Deviations: matrices are sparse, rows are shared between zones, and a place with one value stands beside the matrix; a
place about which nothing is known stands nowhere.

Limitations, by weight: what a sum has to do with its parts is not known here (`forms`); what holds of integers alone
(parities) is not kept.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import field
from itertools import chain

from core.analysis.bound_pairs import BoundPair
from core.dataclass import dataclass
from core.terms import INT, Term

PlaceOrZero = Term | None
Row = Mapping[PlaceOrZero, int]

_NOTHING: Row = {}


@dataclass(frozen=True, eq=False, slots=True)
class Zone:
    """A set of valuations: `constants` has places with one value, `rows[x][y]` the bound of `x - y` for other places.

    No zone is empty: operations that may leave nothing return None.
    """

    constants: Mapping[Term, int] = field(default_factory=dict)
    rows: Mapping[PlaceOrZero, Row] = field(default_factory=dict)

    # Questions

    def __contains__(self, place: Term) -> bool:
        return place in self.constants or place in self.rows

    def places(self) -> Iterator[Term]:
        """The places of which something is known."""
        yield from self.constants
        yield from (x for x in self.rows if x is not None)

    def bound(self, x: PlaceOrZero, y: PlaceOrZero) -> int | None:
        """The tightest bound of `x - y`; None if there is none."""
        a, x = self._base(x)
        b, y = self._base(y)
        if x is y:
            return a - b
        found = self.rows.get(x, _NOTHING).get(y)
        return None if found is None else found + a - b

    def interval(self, place: Term) -> BoundPair:
        """The least and the greatest value of a place; None where there is none."""
        low = self.bound(None, place)
        return None if low is None else -low, self.bound(place, None)

    def includes(self, other: Zone) -> bool:
        """Whether every valuation of `other` is one of these."""
        if any(other.interval(x) != (value, value) for x, value in self.constants.items()):
            return False
        for x, row in self.rows.items():
            if row is not other.rows.get(x):
                for y, bound in row.items():
                    tighter = other.bound(x, y)
                    if tighter is None or tighter > bound:
                        return False
        return True

    def constraints(self) -> Iterator[tuple[PlaceOrZero, PlaceOrZero, int]]:
        """Constraints `x - y ≤ bound` that together are this zone, none of them implied by the others."""
        for x, value in self.constants.items():
            yield x, None, value
            yield None, x, -value
        yield from self.relations()

    def relations(self) -> Iterator[tuple[PlaceOrZero, PlaceOrZero, int]]:
        """The constraints of the places that have more than one value."""
        return _reduced(self.rows)

    # Operations

    def constrained(self, x: PlaceOrZero, y: PlaceOrZero, bound: int) -> Zone | None:
        """The valuations with `x - y ≤ bound`; None if there are none."""
        a, x = self._base(x)
        b, y = self._base(y)
        bound += b - a
        if x is y:
            return self if bound >= 0 else None
        rows = self.rows
        back = rows.get(y, _NOTHING).get(x)
        if back is not None and back + bound < 0:
            return None
        old = rows.get(x, _NOTHING).get(y)
        if old is not None and old <= bound:
            return self
        new = dict(rows)
        behind = [(y, 0), *rows.get(y, _NOTHING).items()]
        before = [(x, 0), *((z, row[x]) for z, row in rows.items() if x in row)]
        for z, first in before:
            row = dict(rows.get(z, _NOTHING))
            for target, last in behind:
                if target is not z:
                    total = first + bound + last
                    known = row.get(target)
                    if known is None or total < known:
                        row[target] = total
            new[z] = row
        for target, _ in behind:
            new.setdefault(target, _NOTHING)
        return _settled(self.constants, new, (z for z, _ in chain(before, behind)))

    def meeting_value(self, x: Term, value: int) -> Zone | None:
        """The valuations with `x = value`; None if there are none."""
        below = self.constrained(x, None, value)
        return below and below.constrained(None, x, -value)

    def with_value(self, x: Term, value: int) -> Zone:
        """This zone with a place, of which it knows nothing, at a value."""
        return Zone({**self.constants, x: value}, self.rows)

    def assigned(self, x: Term, base: PlaceOrZero, distance: int) -> Zone:
        """This zone after `x := base + distance`."""
        added, base = self._base(base)
        distance += added
        if base is None:
            return self.without((x,)).with_value(x, distance)
        if base is x:
            return Zone(self.constants, _moved(self.rows, x, distance))
        kept = self.without((x,))
        rows = {z: {**row, x: row[base] - distance} if base in row else row for z, row in kept.rows.items()}
        own = rows.get(base, _NOTHING)
        rows[x] = {base: distance, **{y: bound + distance for y, bound in own.items() if y is not x}}
        rows[base] = {**own, x: -distance}
        return Zone(kept.constants, rows)

    def without(self, places: Iterable[Term]) -> Zone:
        """This zone with nothing known about `places`."""
        lost = frozenset(places)
        known = (
            self.constants
            if lost.isdisjoint(self.constants)
            else {x: v for x, v in self.constants.items() if x not in lost}
        )
        rows = self.rows if lost.isdisjoint(self.rows) else _cut(self.rows, lost)
        return self if known is self.constants and rows is self.rows else Zone(known, rows)

    def renamed(self, names: Mapping[Term, Term]) -> Zone:
        """This zone about other places: `names` maps some to new ones, of which the zone has none."""
        every: dict[PlaceOrZero, PlaceOrZero] = dict(names.items())
        known = {names.get(x, x): value for x, value in self.constants.items()}
        rows = {every.get(x, x): {every.get(y, y): bound for y, bound in row.items()} for x, row in self.rows.items()}
        return Zone(known, rows)

    def join(self, other: Zone) -> Zone:
        """The smallest zone that includes both."""
        if self is other:
            return self
        constants = {x: value for x, value in self.constants.items() if other.constants.get(x) == value}
        apart = [x for x in chain(self.constants, other.constants) if x not in constants and x.sort is INT]
        a, b = (zone._spread(constants, apart) for zone in (self, other))
        rows: dict[PlaceOrZero, Row] = {}
        for x, row in a.items():
            others = b.get(x)
            if others is row:
                rows[x] = row
            elif others is not None:
                rows[x] = {y: max(bound, others[y]) for y, bound in row.items() if y in others}
        return _settled(constants, _informative(rows), ())

    def widened(self, wider: Zone, thresholds: Sequence[int] | None) -> Zone:
        """`wider`, which includes this zone, with each bound that grew moved to the next of the sorted `thresholds`.

        A bound that has none may follow from others, and grow again. Without thresholds, nothing is known any more of
        the side of a place on which a bound grew.
        """
        if thresholds is None:
            return self._open(wider)
        rows: dict[PlaceOrZero, dict[PlaceOrZero, int]] = {}
        for x, row in wider.rows.items():
            rows[x] = {}
            for y, bound in row.items():
                old = self.bound(x, y)
                if old is None or old < bound:
                    at = bisect_left(thresholds, bound)
                    if at == len(thresholds):
                        continue
                    bound = thresholds[at]
                rows[x][y] = bound
        return _settled(wider.constants, _informative(_closed(rows)), tuple(rows))

    def _open(self, wider: Zone) -> Zone:
        """`wider` without the upper bounds of places, or their lower bounds, one of which grew."""
        grown = {
            (x, y)
            for x, row in wider.rows.items()
            for y, bound in row.items()
            if (old := self.bound(x, y)) is None or old < bound
        }
        above = {x for x, _ in grown if x is not None}
        below = {y for x, y in grown if x is None}
        rows = {
            x: {} if x in above else {y: bound for y, bound in row.items() if y not in below}
            for x, row in wider.rows.items()
        }
        return Zone(wider.constants, _informative(rows))

    def meet(self, other: Zone) -> Zone | None:
        """The valuations of both; None if there are none."""
        zone: Zone | None = self
        for x, y, bound in other.constraints():
            if zone is None:
                return None
            zone = zone.constrained(x, y, bound)
        return zone

    def _base(self, x: PlaceOrZero) -> tuple[int, PlaceOrZero]:
        """A number and the place or 0 that it is to be added to."""
        value = None if x is None else self.constants.get(x)
        return (0, x) if value is None else (value, None)

    def _spread(self, known: Mapping[Term, int], apart: Iterable[Term]) -> Mapping[PlaceOrZero, Row]:
        """The rows when of the places with one value those in `known` alone stand beside them; others in `apart`."""
        values = {x: self.constants[x] for x in dict.fromkeys(apart) if x in self.constants and x not in known}
        if not values:
            return self.rows
        above = self.rows.get(None, _NOTHING)
        rows: dict[PlaceOrZero, Row] = {}
        for z, row in self.rows.items():
            top = row.get(None)
            rows[z] = row if top is None else {**row, **{x: top - value for x, value in values.items()}}
        rows[None] = {**above, **{x: -value for x, value in values.items()}}
        for x, value in values.items():
            own: dict[PlaceOrZero, int] = {y: bound + value for y, bound in above.items()}
            own[None] = value
            own.update((y, value - other) for y, other in values.items() if y is not x)
            rows[x] = own
        return rows


TOP = Zone()


def _moved(rows: Mapping[PlaceOrZero, Row], x: Term, distance: int) -> dict[PlaceOrZero, Row]:
    """The rows after `x := x + distance`."""
    moved: dict[PlaceOrZero, Row] = {z: {**row, x: row[x] - distance} if x in row else row for z, row in rows.items()}
    if x in rows:
        moved[x] = {y: bound + distance for y, bound in rows[x].items()}
    return moved


def _cut(rows: Mapping[PlaceOrZero, Row], lost: frozenset[Term]) -> dict[PlaceOrZero, Row]:
    """The rows and columns of other places than `lost`."""
    kept: dict[PlaceOrZero, Row] = {
        x: row if lost.isdisjoint(row) else {y: bound for y, bound in row.items() if y not in lost}
        for x, row in rows.items()
        if x not in lost
    }
    return _informative(kept)


def _informative(rows: Mapping[PlaceOrZero, Row]) -> dict[PlaceOrZero, Row]:
    """The rows without those of places of which nothing is known."""
    if all(rows.values()):
        return dict(rows)
    bounded = {y for row in rows.values() for y in row}
    return {x: row for x, row in rows.items() if row or x in bounded}


def _settled(constants: Mapping[Term, int], rows: Mapping[PlaceOrZero, Row], changed: Iterable[PlaceOrZero]) -> Zone:
    """The zone of closed rows; places with one value, which may be among the `changed`, are moved out of them."""
    above = rows.get(None)
    if not above:
        return Zone(constants, rows)
    fixed: dict[Term, int] = {}
    for x in changed:
        if x is not None and x in above:
            top = rows.get(x, _NOTHING).get(None)
            if top is not None and top == -above[x]:
                fixed[x] = top
    return Zone({**constants, **fixed}, _cut(rows, frozenset(fixed))) if fixed else Zone(constants, rows)


def _closed(rows: Mapping[PlaceOrZero, dict[PlaceOrZero, int]]) -> Mapping[PlaceOrZero, Row]:
    """The tightest bounds that follow (Floyd and Warshall)."""
    for z, behind in rows.items():
        for x, row in rows.items():
            first = row.get(z)
            if first is not None and x is not z:
                for y, last in behind.items():
                    if y is not x:
                        known = row.get(y)
                        if known is None or first + last < known:
                            row[y] = first + last
    return rows


def _reduced(rows: Mapping[PlaceOrZero, Row]) -> Iterator[tuple[PlaceOrZero, PlaceOrZero, int]]:
    """The bounds that do not follow from others.

    K. G. Larsen, F. Larsson, P. Pettersson, W. Yi, "Efficient verification of real-time systems", 1997: places at fixed
    distances form classes, each represented by one of them; between representatives a bound is left out if it is the
    sum of two others.
    """
    leaders: dict[PlaceOrZero, None] = {}
    for x, row in rows.items():
        leader = next((y for y in leaders if y in row and rows[y].get(x) == -row[y]), x)
        if leader is x:
            leaders[x] = None
        else:
            yield x, leader, row[leader]
            yield leader, x, -row[leader]
    for x in leaders:
        row = {y: bound for y, bound in rows[x].items() if y in leaders}
        implied: set[PlaceOrZero] = set()
        for z, first in row.items():
            implied.update(y for y, last in rows[z].items() if y in row and first + last <= row[y])
        yield from ((x, y, bound) for y, bound in row.items() if y not in implied)
