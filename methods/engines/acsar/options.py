"""Options of the engine `acsar`."""

from __future__ import annotations

from dataclasses import field
from enum import StrEnum

from core.dataclass import dataclass
from methods.options import EngineOptions


class InvariantMethod(StrEnum):
    """The source of what holds of all elements."""

    BOTH = "both"  # candidates, then refinement where these do not suffice
    REFINEMENT = "refinement"  # the paper's, with invariants of scalars
    CANDIDATES = "candidates"


@dataclass(frozen=True, slots=True)
class AcsarOptions(EngineOptions):
    """The options of the engine `acsar`."""

    method: InvariantMethod = field(
        default=InvariantMethod.BOTH,
        metadata={
            "help": "where invariants of elements come from: candidates from the program and its executions, "
            "refinement from impossible paths, or both"
        },
    )
