"""Options of the engine `explicit`."""

from __future__ import annotations

from dataclasses import field
from enum import StrEnum

from core.dataclass import dataclass
from methods.domains.options import TrackingScope
from methods.options import EngineOptions


class ExplicitConfiguration(StrEnum):
    """The four configurations of Beyer and Löwe, section IV; predicates alone are the engine `transition`."""

    PLAIN = "explicit-plain"  # all values are tracked
    EXPLICIT = "explicit"  # those that refinement asks for
    PLAIN_PREDICATES = "explicit-plain+predicates"  # variables with too many values are left to predicates
    PREDICATES = "explicit+predicates"  # both


class RefinementSelection(StrEnum):
    """The choice of what refutes a path: one or more of its infeasible sliced prefixes, or predicates."""

    LATEST = "latest"  # the longest prefix, and all that speak only of variables with finitely many values
    SIMPLEST = "simplest"  # only those, if there are any; else that with the fewest values, or predicates


@dataclass(frozen=True, slots=True)
class ExplicitOptions(EngineOptions):
    """The options of the engine `explicit`."""

    configuration: ExplicitConfiguration = field(
        default=ExplicitConfiguration.PREDICATES,
        metadata={
            "help": "plain tracks all values, the others only those that matter; +predicates also relates variables"
        },
    )
    precision: TrackingScope = field(
        default=TrackingScope.SCOPE,
        metadata={
            "help": "where a value that matters is tracked: wherever it may be read, or only where it was needed, "
            "at locations or on paths"
        },
    )
    selection: RefinementSelection = field(
        default=RefinementSelection.LATEST,
        metadata={
            "help": "of the reasons why a path is impossible: latest, the one found last on it; simplest, the one with "
            "the fewest values, or predicates where values change in loops"
        },
    )
