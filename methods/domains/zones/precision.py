"""The precision of zones: the variables, the elements of arrays and the sums of these that are tracked."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import field, replace
from enum import Enum
from itertools import islice, product

from core.dataclass import dataclass
from core.parameters import parameter
from core.terms import Arena, ArraySort, Term


class EquatedPlaces(Enum):
    """The places of which equations are found, modulo a power of two."""

    NONE = "none"
    SCALARS = "scalars"
    ALL = "all"  # also elements of arrays


_MAX_INSTANCES = parameter("domains.zones.precision.max-instances")


@dataclass(frozen=True, eq=False)
class TrackedPlaces:
    """V and R of the paper: tracked scalars, and of each array the indices of tracked elements, in ascending order.

    Beside them, the *sums* of tracked places (`2·x - y`) that are tracked as if they were places themselves. A copy of
    a variable (of another frame, or of another moment) is tracked where the variable is. A precision only grows; it
    never changes.
    """

    arena: Arena
    scalars: frozenset[Term] = frozenset()
    cells: Mapping[Term, tuple[int, ...]] = field(default_factory=dict)
    sums: tuple[Term, ...] = ()
    equations: EquatedPlaces = EquatedPlaces.NONE

    def tracks(self, place: Term) -> bool:
        """Whether a place is tracked: a scalar, or an element of an array at a constant index."""
        if place.is_sum:
            return place in self.sums
        if place.is_select:
            array, index = place.args
            return index.is_constant and index.value in self.cells.get(self.arena.original(array), ())
        return self.arena.original(place) in self.scalars

    def equates(self, place: Term) -> bool:
        """Whether a place is tracked, and may be in an equation."""
        return (place.is_symbol or (place.is_select and self.equations is EquatedPlaces.ALL)) and self.tracks(place)

    def indices(self, array: Term) -> tuple[int, ...]:
        """The tracked indices of an array."""
        return self.cells.get(self.arena.original(array), ())

    def places(self, variable: Term) -> tuple[Term, ...]:
        """The tracked places of a variable: itself, or elements of an array."""
        if isinstance(variable.sort, ArraySort):
            return tuple(cell(self.arena, variable, k) for k in self.indices(variable))
        return (variable,) if self.tracks(variable) else ()

    def all_places(self) -> list[Term]:
        """Every tracked place, and every sum."""
        scalars = sorted(self.scalars, key=lambda x: x.id)
        cells = [cell(self.arena, array, k) for array, indices in self.cells.items() for k in indices]
        return [*scalars, *cells, *self.sums]

    def with_places(self, places: Iterable[Term]) -> TrackedPlaces:
        """The precision that also tracks `places`; with a sum also its places."""
        scalars = set(self.scalars)
        cells = {array: set(indices) for array, indices in self.cells.items()}
        added = dict.fromkeys(places)
        sums = dict.fromkeys((*self.sums, *(x for x in added if x.is_sum)))
        for place in (part for x in added for part in (x.args if x.is_sum else (x,))):
            if place.is_select:
                cells.setdefault(self.arena.original(place.args[0]), set()).add(place.args[1].value)
            else:
                scalars.add(self.arena.original(place))
        ordered = {array: tuple(sorted(indices)) for array, indices in cells.items()}
        return replace(self, scalars=frozenset(scalars), cells=ordered, sums=tuple(sums))

    def instances(self, variables: Collection[Term]) -> tuple[Term, ...]:
        """The tracked sums over these variables, each of which stands for what it is a copy of."""
        copies: dict[Term, list[Term]] = {}
        for x in sorted(variables, key=lambda x: x.id):
            copies.setdefault(self.arena.original(x), []).append(x)
        found = (one for sum_ in self.sums for one in islice(self._instances(sum_, copies), _MAX_INSTANCES))
        return tuple(dict.fromkeys(found))

    def _instances(self, sum_: Term, copies: Mapping[Term, list[Term]]) -> Iterator[Term]:
        symbols = sorted(sum_.symbols(), key=lambda x: x.id)
        for chosen in product(*(copies.get(x, ()) for x in symbols)):
            yield renamed(self.arena, sum_, dict(zip(symbols, chosen, strict=True)))

    def __len__(self) -> int:
        return len(self.scalars) + sum(map(len, self.cells.values())) + len(self.sums)


def variables(place: Term) -> tuple[Term, ...]:
    """The variables of which a place, or a sum of places, is a part."""
    parts = place.args if place.is_sum else (place,)
    return tuple(x if x.is_symbol else x.args[0] for x in parts)


def renamed(arena: Arena, place: Term, names: Mapping[Term, Term]) -> Term:
    """A place, or a sum of places, of other variables: `names` maps some to others."""
    if place.is_symbol:
        return names.get(place, place)
    if place.is_select:
        array, index = place.args
        return arena.select(names[array], index) if array in names else place
    parts = [(c, renamed(arena, x, names)) for c, x in zip(place.coefficients, place.args, strict=True)]
    return arena.linear(parts, place.constant)


def cell(arena: Arena, array: Term, index: int) -> Term:
    """The place of an element of an array."""
    return arena.select(array, arena.integer(index))
