"""Events: the reports of a run while it goes on. Views, run files and reports are made of them.

Events are a pure function of the input, the options and the seed; they carry no times and no addresses. Whoever
receives them stamps them (the journal keeps arrival times beside the events). Only the portfolio's are not: which
engine decides, and when another takes over, depends on how fast they are.

Every event belongs to an attempt of one engine or to the run itself: to the attempt that `AttemptStarted` or
`AttemptContinued` named last before it. Several engines run side by side, so their events alternate. A term is a
number, counted anew in each attempt: the line `{"kind": "term", …}` that defines it comes before its first use there.
`round`, `node` and `lemma` are generic over engines; ARCHITECTURE.md has the table of what they mean for each.
"""

from __future__ import annotations

from enum import StrEnum
from typing import ClassVar

from core.dataclass import dataclass
from core.evidence_steps import EvidenceRepeated as EvidenceRepeated
from core.evidence_steps import EvidenceStep as EvidenceStep
from core.program.automaton import Place as Place

SCHEMA_VERSION = 8
OLDEST_SCHEMA = 3  # that is read: older ones were never released

ALL_FRAMES = -1  # the level of a lemma that holds in every frame

RUN = -1  # the number that stands for the run itself where attempts are numbered

NOT_KNOWN = -1  # a number of `Progress` of which the event says nothing

CALLED = (-1,)  # the calls that stand for any, at the entry and the exit of a function with a contract


class Level(StrEnum):
    """The level of detail that an observer wants.

    `SUMMARY` leaves out nodes, covers, lemmas' texts and paths' interpolants.
    """

    SUMMARY = "summary"
    STATES = "states"


@dataclass(frozen=True, slots=True)
class TermDefined:
    """The definition of term `number`: `op` over earlier numbers.

    `text` is its mathematical form, `c` its C form (of leaves: names).
    """

    kind: ClassVar[str] = "term"
    number: int
    op: str
    args: tuple[int, ...]
    payload: str
    sort: str


@dataclass(frozen=True, slots=True)
class PlanMade:
    """The portfolio has made its plan: features of the program, and engines in the order of their turns, with reasons.

    `left_out` are those that get no turn.
    """

    kind: ClassVar[str] = "plan"
    features: tuple[tuple[str, int], ...]
    engines: tuple[tuple[str, str], ...]
    left_out: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class AttemptStarted:
    """An engine begins on the given checks; what follows belongs to this attempt. Attempts are numbered from 0."""

    kind: ClassVar[str] = "attempt"
    attempt: int
    engine: str
    options: tuple[tuple[str, str], ...]
    checks: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class AttemptContinued:
    """The events that follow belong to this attempt again, or to the run itself (`RUN`)."""

    kind: ClassVar[str] = "continued"
    attempt: int


class AttemptResult(StrEnum):
    """The ways in which an attempt of the portfolio ends."""

    DECIDED = "decided"  # all that it was asked
    UNDECIDED = "undecided"
    FAILED = "failed"  # it crashed or took too much memory
    STOPPED = "stopped"  # another decided, the time is used up, the user cancelled


@dataclass(frozen=True, slots=True)
class AttemptEnded:
    """The portfolio is done with an attempt, after so many milliseconds of CPU time. Runs of one engine have none.

    `result` is an `AttemptResult`; `reason` explains what is not `decided`.
    """

    kind: ClassVar[str] = "attempt-ended"
    attempt: int
    result: str
    reason: str
    milliseconds: int


@dataclass(frozen=True, slots=True)
class PhaseStarted:
    """A phase begins (`parse`, `lower`, `explore`, `refine`, `certify`, `replay`, …) and ends the one before."""

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
    """A state that arrives at `place` from `parent` over `edges` is covered by node `by`."""

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
    """A lemma is born: what the refinement learned. `role` is `predicate`, `transition`, `axiom`,
    `invariant` or `value` (a tracked place: `formula` is the variable, the element of an array, or the sum of these).

    `place` is where it belongs: for a predicate, which need not hold, the location that it was found at; for a
    transition constraint, which holds whenever `edges` are taken, their source; for an invariant where it holds.
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
class LemmasRemoved:
    """Lemmas die: the user has removed them, or the engine begins anew. What is learned again is a new lemma."""

    kind: ClassVar[str] = "lemmas-removed"
    lemmas: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class LemmasPushed:
    """Lemmas hold in all frames up to number `level` from now on; `ALL_FRAMES`: they are inductive."""

    kind: ClassVar[str] = "lemmas-pushed"
    lemmas: tuple[int, ...]
    level: int


@dataclass(frozen=True, slots=True)
class InterpolantsFound:
    """Transition interpolants of the path that the next `PathFound` reports, from one resolution proof.

    `formulas` are what the steps whose first edges are at `positions` of it contribute, over the variables before a
    step and, primed, after it. `strength` is `weak` for the proof as it was found, `strong` for the rewritten one.
    """

    kind: ClassVar[str] = "interpolants"
    strength: str
    positions: tuple[int, ...]
    formulas: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class PathFound:
    """An abstract path to check `check`: its edges, which of them make it infeasible, and interpolants between them.

    `core` has positions in `edges`; none can be left out, as far as bounded effort shows. `interpolants` has a formula
    before each edge and one at the end, from true to false: each, with the edges up to the next, implies the next; -1
    inside of steps of several edges, and where one was left out. Both are empty where nothing is known. A step that is
    a large block gives all its edges, in topological order, unless the path is feasible.
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
    """A named counter has reached `value`. Emitted at fixed counts, never at fixed times."""

    kind: ClassVar[str] = "counter"
    name: str
    value: int


@dataclass(frozen=True, slots=True)
class Progress:
    """The progress of an attempt; a number that is `NOT_KNOWN` stays as it was.

    `done` and `left` count what a method goes through (ARCHITECTURE.md: for each engine); with none left all executions
    are covered, and only questions about them are open. `growth` is what the next step costs, in percent of the last
    one. `evidence` is the size of the evidence that is about to be examined.
    """

    kind: ClassVar[str] = "progress"
    done: int
    left: int
    growth: int
    evidence: int

    def after(self, before: Progress) -> Progress:
        """The progress after this event, with `before` as that before it."""
        pairs = zip(self.numbers, before.numbers, strict=True)
        return Progress(*(old if new == NOT_KNOWN else new for new, old in pairs))

    @property
    def numbers(self) -> tuple[int, int, int, int]:
        return self.done, self.left, self.growth, self.evidence

    def known(self) -> tuple[tuple[str, str], ...]:
        """The numbers that are known, with their names."""
        named = zip(_PROGRESS_NAMES, self.numbers, strict=True)
        return tuple((name, f"{number}{unit}") for (name, unit), number in named if number != NOT_KNOWN)


_PROGRESS_NAMES = (
    *(("steps done", ""), ("steps left", "")),
    *(("cost of the next step", " %"), ("size of the evidence", "")),
)
NO_PROGRESS = Progress(NOT_KNOWN, NOT_KNOWN, NOT_KNOWN, NOT_KNOWN)


@dataclass(frozen=True, slots=True)
class InvariantShown:
    """An invariant of the certificate at a source location, or at `CALLED` the pre- or postcondition of a contract."""

    kind: ClassVar[str] = "invariant"
    place: Place
    formula: int


@dataclass(frozen=True, slots=True)
class TraceShown:
    """The counterexample of `check`: per step (edge, changes as (variable, value) texts); inputs in order.

    Each input is (kind, name, file, line, column, occurrence, value). `note` says where it is not known to be minimal.
    """

    kind: ClassVar[str] = "trace"
    check: int
    steps: tuple[tuple[int, tuple[tuple[str, str], ...]], ...]
    inputs: tuple[tuple[str, str, str, int, int, int, str], ...]
    note: str = ""


@dataclass(frozen=True, slots=True)
class Paused:
    """The run waits between rounds; limits are stopped."""

    kind: ClassVar[str] = "paused"
    round: int


class EditAction(StrEnum):
    """A change that the user may make to the precision between rounds."""

    ADD_PREDICATE = "add-predicate"
    REMOVE_PREDICATE = "remove-predicate"
    STOP = "stop"


@dataclass(frozen=True, slots=True)
class Edited:
    """The user changed the precision before round `round`: `action` on `formula` at `place` (None: everywhere).

    `text` is the formula as it was typed, where it was.
    """

    kind: ClassVar[str] = "edited"
    round: int
    action: str
    formula: int
    place: Place | None
    text: str = ""


@dataclass(frozen=True, slots=True)
class Message:
    """A message to the user: `severity` is `info`, `warning` or `error`; located where `file` is not empty."""

    kind: ClassVar[str] = "message"
    severity: str
    text: str
    file: str = ""
    line: int = 0
    column: int = 0


@dataclass(frozen=True, slots=True)
class Truncated:
    """Events of `what` are left out from here on; `limit` of them were written."""

    kind: ClassVar[str] = "truncated"
    what: str
    limit: int


@dataclass(frozen=True, slots=True)
class CheckDecided:
    """The verdict on one check, by this attempt or by the run as a whole: see `core.verdict.CheckResult`."""

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
    undefined: str = ""
    advice: str = ""
    reach: str = ""
    reached_by: str = ""
    confirmer: str = ""


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
    premises: tuple[str, ...] = ()
    data_model: str = ""
    untested: tuple[str, ...] = ()

    @property
    def assumed(self) -> tuple[str, ...]:
        """The assumptions that no premise says already."""
        return tuple(one for one in self.assumptions if not any(said.startswith(one) for said in self.premises))


Event = (
    TermDefined
    | PlanMade
    | AttemptStarted
    | AttemptContinued
    | AttemptEnded
    | PhaseStarted
    | RoundStarted
    | NodeAdded
    | NodeChanged
    | NodeCovered
    | NodesRemoved
    | LemmaAdded
    | LemmasRemoved
    | LemmasPushed
    | InterpolantsFound
    | PathFound
    | Counter
    | Progress
    | EvidenceStep
    | EvidenceRepeated
    | InvariantShown
    | TraceShown
    | Paused
    | Edited
    | Message
    | Truncated
    | CheckDecided
    | VerdictReached
)
