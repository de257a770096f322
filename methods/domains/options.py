"""Options of domains, which engines offer. Kept apart from the domains themselves, which load libraries."""

from __future__ import annotations

from enum import StrEnum


class Seeding(StrEnum):
    """The predicates and constraints with which predicate abstraction begins."""

    EAGER = "eager"  # comparisons of guards are predicates, and T̂ has at once what follows without a solver
    LAZY = "lazy"  # T̂ starts as true and learns only what refinement finds, as in figure 1


class TrackingScope(StrEnum):
    """The parts of the program in which a place is tracked that refinement asks for: sections III-B and III-F."""

    SCOPE = "scope"  # wherever it may still be read
    LOCATION = "location"  # at the locations where it was found
    PATH = "path"  # from the step on from which the refuted path does not know it, on that path and what branches off
