"""What may be chosen about an engine: one dataclass per engine, whose fields are the options.

An option is written `name=value`. Every field has a default and says in its metadata what it is for; its type is an
enumeration of the values. Options never decide soundness: evidence is checked whatever they are.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import Field, dataclass, field, fields
from enum import StrEnum
from typing import TypeVar, cast


class WrongOption(ValueError):
    """An option that the engine does not have, or a value that the option does not take."""


class Refinement(StrEnum):
    INTERPOLANTS = "interpolants"  # the whole path is refuted: Jhala and McMillan, section 6.1
    DAS_DILL = "das-dill"  # one abstract counterexample is excluded: Das and Dill (LICS 2001), as in section 8


class Image(StrEnum):
    RELATION = "relation"  # the image under T̂
    HYBRID = "hybrid"  # that, met with the strongest Cartesian postcondition: section 6.3


class Seeding(StrEnum):
    EAGER = "eager"  # comparisons of guards are predicates, and T̂ has at once what follows without a solver
    LAZY = "lazy"  # T̂ starts as true and learns only what refinement finds, as in figure 1


class Blocks(StrEnum):
    """What one step covers."""

    STATEMENTS = "statements"
    BASIC = "basic"  # consecutive edges up to the next join, loop head, call or check
    LARGE = "large"  # all paths to the next loop head, call or check, merged: `core.blocks`


class Interpolants(StrEnum):
    CORES = "cores"  # conjunctions of minimal cores of steps: always in conjunctive normal form
    RESOLUTION = "resolution"  # symmetric interpolants of one resolution proof: sections 3.2, 4 and 7


class Strength(StrEnum):
    STRONG = "strong"  # of the proof rewritten as in figure 6
    WEAK = "weak"  # of the proof as the solver found it


@dataclass(frozen=True, slots=True)
class TransitionOptions:
    """The options of the engine `transition`."""

    refinement: Refinement = field(
        default=Refinement.INTERPOLANTS,
        metadata={"help": "what an impossible path teaches: interpolants exclude it as a whole, das-dill case by case"},
    )
    interpolants: Interpolants = field(
        default=Interpolants.CORES,
        metadata={
            "help": "where facts come from: cores, few statements that contradict each other; resolution, a proof"
        },
    )
    strength: Strength = field(
        default=Strength.STRONG,
        metadata={"help": "for resolution only: strong facts exclude more, weak ones are those of the proof as found"},
    )
    image: Image = field(
        default=Image.RELATION,
        metadata={
            "help": "how states after a step are found: from what was learned; hybrid, also predicate by predicate"
        },
    )
    seeding: Seeding = field(
        default=Seeding.EAGER,
        metadata={"help": "what is known before the first path: eager, the conditions of the program; lazy, nothing"},
    )
    blocks: Blocks = field(
        default=Blocks.BASIC,
        metadata={"help": "what one step covers: one statement, a run without branches, or all paths to the next loop"},
    )


class Summaries(StrEnum):
    RECURSIVE = "recursive"  # functions that may call themselves; calls of all others are expanded
    ALL = "all"


@dataclass(frozen=True, slots=True)
class ChcOptions:
    """The options of the engine `chc`."""

    summaries: Summaries = field(
        default=Summaries.RECURSIVE,
        metadata={"help": "which functions are summarised once: those that call themselves, or all"},
    )


class InductionMode(StrEnum):
    ON = "on"  # rounds of the search alternate with k-induction
    OFF = "off"  # a proof needs a program that can be unrolled completely


@dataclass(frozen=True, slots=True)
class BmcOptions:
    """The options of the engine `bmc`."""

    induction: InductionMode = field(
        default=InductionMode.ON,
        metadata={"help": "whether proofs are looked for, too (k-induction), or only violations"},
    )


class Configuration(StrEnum):
    """The four configurations of Beyer and Löwe, section IV; predicates alone are the engine `transition`."""

    PLAIN = "explicit-plain"  # all values are tracked
    EXPLICIT = "explicit"  # those that refinement asks for
    PLAIN_PREDICATES = "explicit-plain+predicates"  # variables with too many values are left to predicates
    PREDICATES = "explicit+predicates"  # both


class Extent(StrEnum):
    """Where a place is tracked that refinement asks for: section III-F, scoped precision."""

    SCOPE = "scope"  # wherever it may still be read
    LOCATION = "location"  # at the locations where it was found


@dataclass(frozen=True, slots=True)
class ExplicitOptions:
    """The options of the engine `explicit`."""

    configuration: Configuration = field(
        default=Configuration.PREDICATES,
        metadata={
            "help": "plain tracks all values, the others only those that matter; +predicates also relates variables"
        },
    )
    precision: Extent = field(
        default=Extent.SCOPE,
        metadata={
            "help": "where a value that matters is tracked: wherever it may be read, or only where it was needed"
        },
    )


@dataclass(frozen=True, slots=True)
class ConcreteOptions:
    """The engine `concrete` has none."""


Options = TransitionOptions | ExplicitOptions | BmcOptions | ChcOptions | ConcreteOptions

OPTIONS: Mapping[str, type[Options]] = {
    "transition": TransitionOptions,
    "explicit": ExplicitOptions,
    "bmc": BmcOptions,
    "chc": ChcOptions,
    "concrete": ConcreteOptions,
}
"""The options of each engine, by its name."""

T = TypeVar("T", bound=Options)


def read_options(kind: type[T], values: Mapping[str, str]) -> T:
    """The options that `values` give, the others at their defaults. Raises `WrongOption`."""
    known = {_name(option): option for option in fields(kind)}
    chosen: dict[str, StrEnum] = {}
    for name, value in values.items():
        if name not in known:
            raise WrongOption(f"there is no option {name}; there are {', '.join(known)}")
        allowed = _values(known[name])
        if value not in list(allowed):
            raise WrongOption(f"{name} is one of {', '.join(allowed)}, not {value}")
        chosen[known[name].name] = allowed(value)
    return kind(**chosen)  # type: ignore[arg-type]


def describe_options(kind: type[Options]) -> list[str]:
    """One line per option: its name, its values (the default first) and what it is for."""
    return [_description(option) for option in fields(kind)]


def _description(option: Field[object]) -> str:
    default = str(option.default)
    others = [value for value in _values(option) if value != default]
    return f"{_name(option)}={'|'.join([default, *others])}: {option.metadata['help']}"


def _name(option: Field[object]) -> str:
    return option.name.replace("_", "-")


def _values(option: Field[object]) -> type[StrEnum]:
    return cast(type[StrEnum], type(option.default))
