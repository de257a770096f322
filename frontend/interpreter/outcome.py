"""The inputs and limits of an interpreted run, and its possible ends. Plain data."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import field

from core.dataclass import dataclass
from core.program import InputKind
from core.program.properties import CheckKind
from core.program.span import Span
from core.terms import ArrayValue, Value
from core.verdict import InputValue


@dataclass(frozen=True, slots=True)
class Budget:
    """Limits of a run: basic blocks executed, CPU seconds of this process, and frames on the call stack."""

    steps: int = 50_000_000
    seconds: float = 30.0
    frames: int = 200_000


@dataclass(frozen=True, slots=True)
class ErrorReached:
    """An error of the specification happens at `span`.

    `overflow` is where a signed overflow happened first on the way, if any: the error then rests on wrap-around.
    """

    span: Span
    overflow: Span | None = None


@dataclass(frozen=True, slots=True)
class Exited:
    """The program returns from main or calls exit."""

    code: int


@dataclass(frozen=True, slots=True)
class Aborted:
    """The program calls abort, or an assertion fails that is no error of the specification."""

    span: Span


@dataclass(frozen=True, slots=True)
class UndefinedBehaviour:
    """C does not say what happens at `span`; `kind` says which check would find it, if any."""

    span: Span
    what: str
    kind: CheckKind | None = None


@dataclass(frozen=True, slots=True)
class LimitExceeded:
    """The run was given up; `what` says which limit it met."""

    what: str


@dataclass(frozen=True, slots=True)
class DependentRun:
    """The program does what depends on `what`, which nothing in it determines."""

    what: str


@dataclass(frozen=True, slots=True)
class AssumptionViolated:
    """`__VERIFIER_assume` was called with 0."""

    span: Span


RunOutcome = ErrorReached | Exited | Aborted | UndefinedBehaviour | LimitExceeded | AssumptionViolated


CONTENTS = "contents"
"""The name of the input that holds the bytes of an object, from its first on, when it begins."""


ELSEWHERE = "memory from outside"
"""The name of the input, without a place of its own, that holds bytes by address, of memory that the program does not
make."""
ELSEWHERE_AT = 0x60000000
ELSEWHERE_SIZE = 1 << 20


ARGUMENT, ENVIRONMENT = "argument of main", "environment of main"
"""The names of the inputs, without a place of their own, that hold the bytes of the strings that main gets."""


@dataclass(frozen=True)
class Inputs:
    """Recorded inputs by kind and place: name, occurrence, value. Names tell parts of one object from each other.

    `fill` is what each byte of indeterminate storage holds for which nothing was recorded.
    """

    _values: Mapping[tuple[InputKind, int, int], Mapping[str, Mapping[int, Value]]] = field(default_factory=dict)
    fill: int = 0

    @staticmethod
    def of(recorded: Iterable[InputValue]) -> Inputs:
        values: dict[tuple[InputKind, int, int], dict[str, dict[int, Value]]] = {}
        for one in recorded:
            place = (one.kind, one.span.line, one.span.column)
            values.setdefault(place, {}).setdefault(one.name, {})[one.occurrence] = one.value
        return Inputs(values)

    def elsewhere(self) -> Mapping[int, int] | None:
        """The bytes by address of the memory that the program does not make; None where it needs none."""
        for places in self._values.values():
            value = places.get(ELSEWHERE, {}).get(0)
            if isinstance(value, ArrayValue):
                return {at: byte & 0xFF for at, byte in value.entries.items()}
        return None

    def strings(self, name: str) -> Mapping[int, bytes]:
        """The strings that were recorded under a name, by their positions, without their ends."""
        recorded = (places[name] for places in self._values.values() if name in places)
        return {
            position: bytes(value.entries[at] & 0xFF for at in sorted(value.entries))
            for one in recorded
            for position, value in one.items()
            if isinstance(value, ArrayValue)
        }

    def has(self, name: str) -> bool:
        """Whether an input of this name was recorded anywhere."""
        return any(name in names for names in self._values.values())

    def at(self, kind: InputKind, span: Span) -> Mapping[str, Mapping[int, Value]]:
        """The values recorded at the place: by name, then by occurrence."""
        return self._values.get((kind, span.line, span.column), {})
