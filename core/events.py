"""Events: what a run reports while it goes on, and all that views, run files and reports are made of.

Events are a pure function of the input, the options and the seed; they carry no times and no addresses. Whoever
receives them stamps them (the journal keeps arrival times beside the events). A term is a number: the line
`{"kind": "term", …}` that defines it comes before its first use. `round`, `node` and `lemma` are generic over
engines; ARCHITECTURE.md has the table of what they mean for each.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import ClassVar

SCHEMA_VERSION = 1

Place = tuple[tuple[int, ...], int]  # a location of the expansion: (stack of call edges, location)


class Level(StrEnum):
    """How much an observer wants: `SUMMARY` leaves out nodes, covers, lemmas' texts and paths' interpolants."""

    SUMMARY = "summary"
    STATES = "states"


@dataclass(frozen=True, slots=True)
class TermDefined:
    """Term `number` is `op` over earlier numbers; `text` is its mathematical form, `c` its C form (leaves: names)."""

    kind: ClassVar[str] = "term"
    number: int
    op: str
    args: tuple[int, ...]
    payload: str
    sort: str


@dataclass(frozen=True, slots=True)
class AttemptStarted:
    """An engine begins on the given checks; all that follows, to the next one, belongs to this attempt."""

    kind: ClassVar[str] = "attempt"
    attempt: int
    engine: str
    options: tuple[tuple[str, str], ...]
    checks: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class PhaseStarted:
    """A phase begins (`parse`, `lower`, `explore`, `refine`, `certify`, `replay`, …); phases do not nest."""

    kind: ClassVar[str] = "phase"
    name: str


@dataclass(frozen=True, slots=True)
class RoundStarted:
    """Round `number` begins, for `reason`."""

    kind: ClassVar[str] = "round"
    number: int
    reason: str


@dataclass(frozen=True, slots=True)
class NodeAdded:
    """A node is born: an abstract state at `place`, reached from `parent` (-1: none) over `edges`."""

    kind: ClassVar[str] = "node"
    node: int
    parent: int
    place: Place
    edges: tuple[int, ...]
    formula: int


@dataclass(frozen=True, slots=True)
class NodeChanged:
    """A node's state becomes `formula`, by merging what arrives from `parent` over `edges`."""

    kind: ClassVar[str] = "node-changed"
    node: int
    parent: int
    edges: tuple[int, ...]
    formula: int


@dataclass(frozen=True, slots=True)
class NodeCovered:
    """What arrives at `place` from `parent` over `edges` is covered by node `by`."""

    kind: ClassVar[str] = "covered"
    parent: int
    edges: tuple[int, ...]
    place: Place
    by: int


@dataclass(frozen=True, slots=True)
class NodesRemoved:
    """Nodes die: the refinement has pruned them."""

    kind: ClassVar[str] = "removed"
    nodes: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class LemmaAdded:
    """A lemma is born: what the refinement learned. `role` is `predicate`, `transition` or `axiom`.

    `place` is where it holds: a location for a predicate, the source of `edges` for a transition constraint.
    `origin` says how it was found (`guard seed`, `core`, `spacer`, `weakest precondition`, …).
    """

    kind: ClassVar[str] = "lemma"
    lemma: int
    role: str
    origin: str
    formula: int
    edges: tuple[int, ...]
    place: Place | None


@dataclass(frozen=True, slots=True)
class InterpolantsFound:
    """Transition interpolants of the path that the next `PathFound` reports, from one resolution proof.

    `formulas` are what the steps at `positions` contribute, over the variables before a step and, primed, after it.
    `strength` is `weak` for the proof as it was found, `strong` for the rewritten one.
    """

    kind: ClassVar[str] = "interpolants"
    strength: str
    positions: tuple[int, ...]
    formulas: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class PathFound:
    """An abstract path to check `check`: its edges, the positions in its core, the interpolant before each position.

    A step that is a large block gives all its edges, in topological order, unless the path is feasible.
    `result` is `abstract` when found, then `refuted`, `spurious` (new predicates are needed) or `feasible`.
    """

    kind: ClassVar[str] = "path"
    check: int
    edges: tuple[int, ...]
    result: str
    core: tuple[int, ...] = ()
    interpolants: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Counter:
    """A named count has reached `value`. Emitted at fixed counts, never at fixed times."""

    kind: ClassVar[str] = "counter"
    name: str
    value: int


@dataclass(frozen=True, slots=True)
class EvidenceStep:
    """One step of the examination of evidence: `subject` (an edge, a replay), its `result`, and by which `tool`."""

    kind: ClassVar[str] = "evidence"
    subject: str
    result: str
    tool: str
    edges: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class InvariantShown:
    """An invariant of the certificate at a source location."""

    kind: ClassVar[str] = "invariant"
    place: Place
    formula: int


@dataclass(frozen=True, slots=True)
class TraceShown:
    """The counterexample of `check`: per step (edge, changes as (variable, value) texts); inputs in order.

    Each input is (kind, name, file, line, column, occurrence, value).
    """

    kind: ClassVar[str] = "trace"
    check: int
    steps: tuple[tuple[int, tuple[tuple[str, str], ...]], ...]
    inputs: tuple[tuple[str, str, str, int, int, int, str], ...]


@dataclass(frozen=True, slots=True)
class Paused:
    """The run waits between rounds; limits are stopped."""

    kind: ClassVar[str] = "paused"
    round: int


@dataclass(frozen=True, slots=True)
class Edited:
    """A person changed the precision before round `round`: `action` on `formula` at `place`."""

    kind: ClassVar[str] = "edited"
    round: int
    action: str
    formula: int
    place: Place | None


@dataclass(frozen=True, slots=True)
class Message:
    """A note for the person: `severity` is `info`, `warning` or `error`; located where `file` is not empty."""

    kind: ClassVar[str] = "message"
    severity: str
    text: str
    file: str = ""
    line: int = 0
    column: int = 0


@dataclass(frozen=True, slots=True)
class Truncated:
    """From here on, events of `what` are left out; `limit` of them were written."""

    kind: ClassVar[str] = "truncated"
    what: str
    limit: int


@dataclass(frozen=True, slots=True)
class CheckDecided:
    """The verdict on one check: see `core.verdict.CheckResult`."""

    kind: ClassVar[str] = "check"
    check: int
    property: str
    description: str
    file: str
    line: int
    column: int
    status: str
    confirmed_by: str
    reason: str


@dataclass(frozen=True, slots=True)
class VerdictReached:
    """The verdict of the run: its last event. See `core.verdict.Verdict`."""

    kind: ClassVar[str] = "verdict"
    verdict: str
    exit_code: int
    assumptions: tuple[str, ...]
    confirmed_by: str
    reason: str
    advice: str


Event = (
    TermDefined
    | AttemptStarted
    | PhaseStarted
    | RoundStarted
    | NodeAdded
    | NodeChanged
    | NodeCovered
    | NodesRemoved
    | LemmaAdded
    | InterpolantsFound
    | PathFound
    | Counter
    | EvidenceStep
    | InvariantShown
    | TraceShown
    | Paused
    | Edited
    | Message
    | Truncated
    | CheckDecided
    | VerdictReached
)
