"""The content of a witness, in no format: plain data. Lines and columns are those of the original file, from 1."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum

from core.dataclass import dataclass


@dataclass(frozen=True)
class Producer:
    """The program that wrote the witness, and how it was run."""

    name: str
    version: str
    configuration: str
    command_line: str


@dataclass(frozen=True)
class TaskFacts:
    """The verification task of a witness.

    `hashes` has the SHA-256 of each input file; `data_model` is `ILP32` or `LP64`.
    """

    input_files: tuple[str, ...]
    hashes: Mapping[str, str]
    specification: str
    data_model: str


@dataclass(frozen=True)
class WitnessHeader:
    """The metadata of a witness; `created` is a time in UTC, `YYYY-MM-DDThh:mm:ssZ`."""

    producer: Producer
    task: TaskFacts
    created: str


@dataclass(frozen=True)
class SourcePosition:
    """A place in the source, inside of `function`; `column` is None where it is left open."""

    file: str
    line: int
    column: int | None
    function: str


class InvariantKind(StrEnum):
    """The kinds of invariants of a correctness witness."""

    LOOP = "loop_invariant"
    LOCATION = "location_invariant"


@dataclass(frozen=True)
class Invariant:
    """An invariant: `value` is a C expression that holds whenever control is at `position`.

    For a loop: before each evaluation of its condition.
    """

    kind: InvariantKind
    position: SourcePosition
    value: str


class WaypointKind(StrEnum):
    """The kinds of waypoints of a violation witness."""

    ASSUMPTION = "assumption"
    BRANCHING = "branching"
    FUNCTION_ENTER = "function_enter"
    FUNCTION_RETURN = "function_return"
    TARGET = "target"


@dataclass(frozen=True)
class Waypoint:
    """A waypoint. `constraint` is empty where the kind has none. `callee` names the function of a function_return."""

    kind: WaypointKind
    position: SourcePosition
    constraint: str = ""
    callee: str = ""


@dataclass(frozen=True)
class CorrectnessWitness:
    """A correctness witness: the invariants that prove the program."""

    header: WitnessHeader
    invariants: tuple[Invariant, ...]


@dataclass(frozen=True)
class ViolationWitness:
    """A violation witness: waypoints to be passed in order, the last of which is the target."""

    header: WitnessHeader
    waypoints: tuple[Waypoint, ...]


Witness = CorrectnessWitness | ViolationWitness
