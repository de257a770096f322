"""The precision of explicit values: which places are tracked at which locations.

D. Beyer, S. Löwe, "Explicit-value analysis based on CEGAR and interpolation", 2012, sections III-A and III-F. A *place*
is a variable, or a cell `a[k]` of an array (the term that reads it) with a constant index. The locals of all
simultaneous activations of a function are tracked alike.

The scope of a place are the locations where it may still be read: with scoped precision it is tracked in all of them,
else only at those locations for which refinement has found it, or (section III-B, lazy abstraction) on those paths.
"""

from __future__ import annotations

from collections.abc import Iterable

from core.analysis.liveness import Liveness
from core.dataclass import dataclass
from core.parameters import parameter
from core.program.expansion import At, Expansion
from core.terms import ArraySort, Term
from methods.domains.explicit.cells import Cells, Explicit
from methods.domains.explicit.valuation import NO_PLACES, Valuation
from methods.domains.options import TrackingScope

TOO_MANY = parameter("domains.explicit.precision.too-many")


@dataclass(frozen=True, slots=True)
class LocationPrecision:
    """The tracked places of one location: scalars, and the cells of arrays (None: all)."""

    scalars: frozenset[Term]
    arrays: dict[Term, tuple[int, ...] | None]

    def of(self, values: dict[Term, Explicit]) -> dict[Term, Explicit]:
        """The part of `values` that is tracked."""
        scalars = self.scalars
        result = {x: v for x, v in values.items() if x in scalars}
        for array, indices in self.arrays.items():
            known = values.get(array)
            if isinstance(known, Cells):
                part = known if indices is None else known.only(indices)
                if part is not None:
                    result[array] = part
        return result


class Precision:
    """Π: locations → sets of places. Grows by refinement; `leave` takes a variable out for good."""

    def __init__(self, expansion: Expansion, extent: TrackingScope | None) -> None:
        """Make a precision. `extent` is for what refinement finds; None: all places are tracked from the beginning."""
        self._arena = expansion.arena
        self._extent = extent
        self._scope = _Scope(expansion)
        self._places: dict[int | None, dict[Term, None]] = {}  # by location; None: in their whole scope
        self._left: dict[Term, None] = {}
        self._version = 0
        self._kept: dict[tuple[At, frozenset[Term]], tuple[int, LocationPrecision]] = {}
        self._everything: dict[At, tuple[int, LocationPrecision]] = {}

    @property
    def grows(self) -> bool:
        """Whether refinement chooses what is tracked."""
        return self._extent is not None

    @property
    def left(self) -> tuple[Term, ...]:
        """The variables that have left the precision, in order."""
        return tuple(self._left)

    def at(self, at: At, places: frozenset[Term] = NO_PLACES) -> LocationPrecision:
        """Π at a location, with the `places` of the path to it, within the scope of each."""
        if self._extent is None:
            return self.everything(at)
        version, known = self._kept.get((at, places), (-1, None))
        if known is None or version != self._version:
            known = self._make(at, places)
            self._kept[at, places] = self._version, known
        return known

    def everything(self, at: At) -> LocationPrecision:
        """All that may be tracked at a location."""
        version, known = self._everything.get(at, (-1, None))
        if known is None or version != len(self._left):
            copies = self._scope.copies(at)
            live = [x for original, xs in copies.items() if original not in self._left for x in xs]
            scalars = frozenset(x for x in live if not isinstance(x.sort, ArraySort))
            known = LocationPrecision(scalars, {x: None for x in live if isinstance(x.sort, ArraySort)})
            self._everything[at] = len(self._left), known
        return known

    def _make(self, at: At, places: frozenset[Term]) -> LocationPrecision:
        copies = self._scope.copies(at)
        scalars: set[Term] = set()
        cells: dict[Term, list[int]] = {}
        for place in (*self._places.get(None, ()), *self._places.get(at.location, ()), *places):
            if place.is_select:
                for array in copies.get(place.args[0], ()):
                    cells.setdefault(array, []).append(place.args[1].value)
            elif place not in self._left:
                scalars.update(copies.get(place, ()))
        return LocationPrecision(
            frozenset(scalars), {array: tuple(sorted(set(indices))) for array, indices in cells.items()}
        )

    def add(self, places: Iterable[Term], location: int, before: Valuation | None = None) -> list[Term]:
        """Track `places` (of variables or copies) at a location, or in their scope; returns those that are new.

        Where paths have their own precision, track them on the paths from the state `before` on, if there is one.
        """
        found = list(dict.fromkeys(map(self._original, places)))
        if self._extent is TrackingScope.PATH and before is not None:
            new = [p for p in found if p not in before.places]
            before.places = before.places.union(new)
            return new
        known = self._places.setdefault(location if self._extent is TrackingScope.LOCATION else None, {})
        new = [p for p in found if p not in known]
        known.update(dict.fromkeys(new))
        self._version += bool(new)
        return new

    def leave(self, variable: Term) -> bool:
        """Track a variable no more, anywhere; False if it has been left already."""
        original = self._arena.original(variable)
        if original in self._left:
            return False
        self._left[original] = None
        self._version += 1
        return True

    def _original(self, place: Term) -> Term:
        if place.is_select:
            return self._arena.select(self._arena.original(place.args[0]), place.args[1])
        return self._arena.original(place)


class _Scope:
    """The scopes: per location, the variables that may still be read, with their copies for the active calls."""

    def __init__(self, expansion: Expansion) -> None:
        self._arena = expansion.arena
        self._liveness = Liveness(expansion)
        self._copies: dict[At, dict[Term, list[Term]]] = {}

    def copies(self, at: At) -> dict[Term, list[Term]]:
        found = self._copies.get(at)
        if found is None:
            found = self._copies[at] = {}
            for x in sorted(self._liveness.at(at), key=lambda s: s.id):
                found.setdefault(self._arena.original(x), []).append(x)
        return found
