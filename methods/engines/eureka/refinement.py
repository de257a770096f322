"""Refinement of the precision by what refutes a trace.

A. Armando, M. Benerecetti, J. Mantovani, "Abstraction refinement of linear programs with arrays", TACAS 2007,
section 6.

Deviation: of an array of which `MANY_ELEMENTS` are tracked, all are, as otherwise each element takes a round.
"""

from __future__ import annotations

from collections.abc import Iterable

from core.parameters import parameter
from core.program import Program
from core.terms import ArraySort, Term
from methods.domains.zones import TrackedPlaces, cell
from methods.engines.eureka.decision import RefutedTrace

MANY_ELEMENTS = parameter("eureka.refinement.many-elements")
_LARGEST_ARRAY = parameter("eureka.refinement.largest-array")


def refined(precision: TrackedPlaces, program: Program, refuted: RefutedTrace) -> TrackedPlaces | None:
    """The precision with the fewest new places that refute the trace; None if all are tracked."""
    new = [added for reason in refuted.reasons if (added := _untracked(precision, reason))]
    fewest: list[Term] = min(new, key=len, default=[])
    return _completed(precision.with_places(fewest), program) if fewest else None


def extended(precision: TrackedPlaces, program: Program, refuted: RefutedTrace) -> TrackedPlaces | None:
    """The precision with scalars of the trace, or else elements, that tell apart states which were merged; or None.

    Heuristic: a counter says in which round of a loop a state was reached, though no contradiction needs it.
    """
    new = _untracked(precision, refuted.passed)
    chosen = [x for x in new if x.is_symbol] or new
    return _completed(precision.with_places(chosen), program) if chosen else None


def everything(precision: TrackedPlaces, program: Program) -> TrackedPlaces | None:
    """The precision for a trace that is too long to be decided: all scalars, then all arrays; None if they are tracked.

    Arrays of many elements are left out.
    """
    scalars = [x for x in program.variables if not isinstance(x.sort, ArraySort)]
    extents = {x: one.extent or 0 for x, one in program.variables.items() if isinstance(x.sort, ArraySort)}
    small = [x for x, extent in extents.items() if extent <= _LARGEST_ARRAY]
    elements = [cell(precision.arena, array, k) for array in small for k in range(extents[array])]
    new = _untracked(precision, scalars) or _untracked(precision, elements)
    return precision.with_places(new) if new else None


def _untracked(precision: TrackedPlaces, places: Iterable[Term]) -> list[Term]:
    return sorted((x for x in places if not precision.tracks(x)), key=lambda x: x.id)


def _completed(precision: TrackedPlaces, program: Program) -> TrackedPlaces:
    """The precision with arrays tracked as a whole of which it has many elements."""
    places: list[Term] = []
    for array, indices in precision.cells.items():
        extent = program.variables[array].extent if array in program.variables else None
        if extent is not None and len(indices) >= MANY_ELEMENTS and extent <= _LARGEST_ARRAY:
            places += [cell(precision.arena, array, k) for k in range(extent)]
    return precision.with_places(places) if places else precision
