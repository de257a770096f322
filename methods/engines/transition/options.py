"""Options of the engine `transition`."""

from __future__ import annotations

from dataclasses import field
from enum import StrEnum

from core.dataclass import dataclass
from core.program.blocks import BlockEncoding
from methods.domains.options import Seeding
from methods.options import EngineOptions


class RefinementMethod(StrEnum):
    """The part of an impossible path that one refinement excludes."""

    INTERPOLANTS = "interpolants"  # the whole path is refuted: Jhala and McMillan, section 6.1
    DAS_DILL = "das-dill"  # one abstract counterexample is excluded: Das and Dill (LICS 2001), as in section 8


class ExcludedPaths(StrEnum):
    """The paths that one refinement by interpolants excludes."""

    ONE = "one"  # the path that exploration has found: section 6.1
    ALL = "all"  # all paths of as many steps to the same check: section 4


class ImageMethod(StrEnum):
    """The way in which images of abstract states are computed."""

    RELATION = "relation"  # the image under T̂
    HYBRID = "hybrid"  # that, met with the strongest Cartesian postcondition: section 6.3


class InterpolationMethod(StrEnum):
    """The source of transition interpolants."""

    CORES = "cores"  # conjunctions of minimal cores of steps: always in conjunctive normal form
    RESOLUTION = "resolution"  # symmetric interpolants of one resolution proof: sections 3.2, 4 and 7


class Strength(StrEnum):
    """The strength of interpolants from a resolution proof."""

    STRONG = "strong"  # of the proof rewritten as in figure 6
    WEAK = "weak"  # of the proof as the solver found it


@dataclass(frozen=True, slots=True)
class TransitionOptions(EngineOptions):
    """The options of the engine `transition`."""

    refinement: RefinementMethod = field(
        default=RefinementMethod.INTERPOLANTS,
        metadata={"help": "what an impossible path teaches: interpolants exclude it as a whole, das-dill case by case"},
    )
    paths: ExcludedPaths = field(
        default=ExcludedPaths.ONE,
        metadata={"help": "for interpolants only: one excludes the path that was found, all also those as long as it"},
    )
    interpolants: InterpolationMethod = field(
        default=InterpolationMethod.CORES,
        metadata={
            "help": "where lemmas come from: cores, few statements that contradict each other; resolution, a proof"
        },
    )
    strength: Strength = field(
        default=Strength.STRONG,
        metadata={"help": "for resolution only: strong lemmas exclude more, weak ones are those of the proof as found"},
    )
    image: ImageMethod = field(
        default=ImageMethod.RELATION,
        metadata={
            "help": "how states after a step are found: from what was learned; hybrid, also predicate by predicate"
        },
    )
    seeding: Seeding = field(
        default=Seeding.EAGER,
        metadata={"help": "what is known before the first path: eager, the conditions of the program; lazy, nothing"},
    )
    blocks: BlockEncoding = field(
        default=BlockEncoding.BASIC,
        metadata={"help": "what one step covers: one statement, a run without branches, or all paths to the next loop"},
    )
