"""What is compared: the ways to refine, all else being equal.

Where predicates are given, both methods start with the same ones and T̂ = true, explore in the same order and share the
decision procedure; predicates that are missing are found in the same way.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum


class Predicates(Enum):
    GIVEN = "given"  # those that the program's comment lists
    FOUND = "found"  # none to begin with but those that the engine seeds itself


@dataclass(frozen=True)
class Configuration:
    options: Mapping[str, str]
    predicates: Predicates


def _lazy(**options: str) -> Configuration:
    return Configuration({"seeding": "lazy", **options}, Predicates.GIVEN)


CONFIGURATIONS: Mapping[str, Configuration] = {
    "das-dill": _lazy(refinement="das-dill"),
    "interpolants": _lazy(),
    "das-dill hybrid": _lazy(refinement="das-dill", image="hybrid"),
    "interpolants hybrid": _lazy(image="hybrid"),
    "default": Configuration({}, Predicates.FOUND),
}


@dataclass(frozen=True)
class Comparison:
    """A figure: what is on the horizontal and on the vertical axis; below the diagonal the vertical one is better."""

    name: str
    title: str
    horizontal: str
    vertical: str


COMPARISONS = (
    Comparison("figure-7", "Interpolants against Das–Dill", "das-dill", "interpolants"),
    Comparison("figure-8", "The same with the hybrid image", "das-dill hybrid", "interpolants hybrid"),
    Comparison("figure-9", "Interpolants without and with the hybrid image", "interpolants", "interpolants hybrid"),
)
