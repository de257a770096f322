"""The precision of zones: the variables and the elements of arrays that are tracked."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import field

from core.dataclass import dataclass
from core.terms import Arena, ArraySort, Term


@dataclass(frozen=True, eq=False)
class TrackedPlaces:
    """V and R of the paper: tracked scalars, and of each array the indices of tracked elements, in ascending order.

    A copy of a variable (of another frame, or of another moment) is tracked where the variable is. A precision only
    grows; it never changes.
    """

    arena: Arena
    scalars: frozenset[Term] = frozenset()
    cells: Mapping[Term, tuple[int, ...]] = field(default_factory=dict)

    def tracks(self, place: Term) -> bool:
        """Whether a place is tracked: a scalar, or an element of an array at a constant index."""
        if place.is_select:
            array, index = place.args
            return index.is_constant and index.value in self.cells.get(self.arena.original(array), ())
        return self.arena.original(place) in self.scalars

    def indices(self, array: Term) -> tuple[int, ...]:
        """The tracked indices of an array."""
        return self.cells.get(self.arena.original(array), ())

    def places(self, variable: Term) -> tuple[Term, ...]:
        """The tracked places of a variable: itself, or elements of an array."""
        if isinstance(variable.sort, ArraySort):
            return tuple(cell(self.arena, variable, k) for k in self.indices(variable))
        return (variable,) if self.tracks(variable) else ()

    def all_places(self) -> list[Term]:
        """Every tracked place."""
        scalars = sorted(self.scalars, key=lambda x: x.id)
        return scalars + [cell(self.arena, array, k) for array, indices in self.cells.items() for k in indices]

    def with_places(self, places: Iterable[Term]) -> TrackedPlaces:
        """The precision that also tracks `places`."""
        scalars = set(self.scalars)
        cells = {array: set(indices) for array, indices in self.cells.items()}
        for place in places:
            if place.is_select:
                cells.setdefault(self.arena.original(place.args[0]), set()).add(place.args[1].value)
            else:
                scalars.add(self.arena.original(place))
        ordered = {array: tuple(sorted(indices)) for array, indices in cells.items()}
        return TrackedPlaces(self.arena, frozenset(scalars), ordered)

    def __len__(self) -> int:
        return len(self.scalars) + sum(map(len, self.cells.values()))


def cell(arena: Arena, array: Term, index: int) -> Term:
    """The place of an element of an array."""
    return arena.select(array, arena.integer(index))
