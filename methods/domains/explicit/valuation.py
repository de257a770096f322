"""Abstract variable assignments: the abstract states of explicit values."""

from __future__ import annotations

from core.terms import Term
from methods.domains.explicit.cells import Explicit

History = dict[Term, frozenset[int]]
NO_PLACES = frozenset[Term]()


class Valuation:
    """An abstract variable assignment, of which only `places` changes.

    `history` gives the values of variables on the path to it, and `places` is the precision of what follows it, beside
    that of the location, where paths have their own (`TrackingScope.PATH`).
    """

    __slots__ = ("history", "places", "values")

    def __init__(self, values: dict[Term, Explicit], history: History, places: frozenset[Term] = NO_PLACES) -> None:
        self.values = values
        self.history = history
        self.places = places
