"""The configurations that are compared: the ways to refine, all else being equal.

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
    "Das-Dill": _lazy(refinement="das-dill"),
    "resolution": _lazy(interpolants="resolution"),
    "resolution, weak": _lazy(interpolants="resolution", strength="weak"),
    "cores": _lazy(),
    "all paths": _lazy(paths="all"),
    "resolution, all paths": _lazy(interpolants="resolution", paths="all"),
    "Das-Dill, hybrid": _lazy(refinement="das-dill", image="hybrid"),
    "resolution, hybrid": _lazy(interpolants="resolution", image="hybrid"),
    "cores, hybrid": _lazy(image="hybrid"),
    "default": Configuration({}, Predicates.FOUND),
    "given": Configuration({}, Predicates.GIVEN),
}
"""Interpolants come from resolution proofs, rewritten or weak, as in the paper, or from cores, as by default."""


@dataclass(frozen=True)
class Comparison:
    """A figure: what is on the horizontal and on the vertical axis; below the diagonal the vertical one is better."""

    name: str
    title: str
    horizontal: str
    vertical: str


COMPARISONS = (
    Comparison("figure-7", "Interpolants", "Das-Dill", "resolution"),
    Comparison("figure-7-cores", "Core-based interpolants", "Das-Dill", "cores"),
    Comparison("figure-8", "Hybrid image", "Das-Dill, hybrid", "resolution, hybrid"),
    Comparison("figure-8-cores", "Cores, hybrid image", "Das-Dill, hybrid", "cores, hybrid"),
    Comparison("figure-9", "With the hybrid image", "resolution", "resolution, hybrid"),
    Comparison("figure-9-cores", "Cores, with the hybrid image", "cores", "cores, hybrid"),
    Comparison("rewriting", "With the rewriting of figure 6", "resolution, weak", "resolution"),
    Comparison("cores", "Cores against resolution", "resolution", "cores"),
    Comparison("paths", "All paths of one length", "cores", "all paths"),
)
