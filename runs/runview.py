"""RunView: one fold over the events of a run, live or replayed; everything that is shown is read from it.

What lives and dies (nodes, lemmas, covers) keeps its interval `[born, died)` in positions of the event stream, so the
state at any round is a filter and the difference of two rounds needs no second fold. Positions count all events of the
run, also those that the fold has no use for. Each attempt is a fold of its own, since their events alternate: what has
a number (terms, rounds, nodes, lemmas) has it within its attempt. Limitation: events of unknown kinds count but leave
no trace here.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Mapping
from dataclasses import field, replace
from itertools import chain
from typing import TYPE_CHECKING, TypeVar

from core.dataclass import dataclass
from core.verdict import ANSWERS, Status
from runs.events import (
    NO_PROGRESS,
    RUN,
    AttemptContinued,
    AttemptEnded,
    AttemptStarted,
    CheckDecided,
    Counter,
    Edited,
    Event,
    EvidenceRepeated,
    EvidenceStep,
    InterpolantsFound,
    InvariantShown,
    LemmaAdded,
    LemmasPushed,
    LemmasRemoved,
    Message,
    NodeAdded,
    NodeChanged,
    NodeCovered,
    NodesRemoved,
    PathFound,
    Paused,
    PhaseStarted,
    PlanMade,
    Progress,
    RoundStarted,
    TermDefined,
    TraceShown,
    Truncated,
    VerdictReached,
)
from runs.states import AbstractStates, Cover, Lifetime, NodeHistory

if TYPE_CHECKING:
    from runs.packed_nodes import PackedNodes

_FOREVER = 1 << 62

PAUSE = "pause"
"""The phase of a run that waits for a person: no limit counts this time, and no work is done."""


@dataclass
class Lemma:
    """A lemma with its lifetime. `levels` holds (event position, level) of each time it was pushed over frames."""

    event: LemmaAdded
    alive: Lifetime
    levels: list[tuple[int, int]] = field(default_factory=list)

    def level_at(self, position: int) -> int | None:
        """The last frame that it holds in as far as is known at an event position, or `ALL_FRAMES`; None without
        frames.
        """
        return next((level for since, level in reversed(self.levels) if since <= position), None)


@dataclass
class Round:
    """One round: its number, why it began, and positions: of its first event, of its first removal, of its end."""

    number: int
    reason: str
    first: int
    pruned: int | None = None
    end: int | None = None

    @property
    def shown_at(self) -> int:
        """The position at which the round is shown: the last before its refinement prunes, else its last."""
        after = self.pruned if self.pruned is not None else self.end
        return _FOREVER if after is None else after - 1


@dataclass
class RecordedPath:
    """An abstract path, with the position of the event and the round in which it was found or decided.

    `interpolants` are those of its resolution proof, weak and strong, where there is one.
    """

    event: PathFound
    position: int
    round: int | None
    interpolants: tuple[InterpolantsFound, ...] = ()


@dataclass
class Phase:
    """A phase; times are seconds since the start of the run, `end` is None while it lasts."""

    name: str
    first: int
    start: float
    end: float | None = None


@dataclass
class ExaminationStep:
    """A step of the examination of evidence, with its result so far, and the seconds that it took.

    These passed since the event before; they include what was shown on the way and is no step of its own.
    """

    event: EvidenceStep
    seconds: float


@dataclass(frozen=True)
class RunSnapshot:
    """A snapshot of the run at one position: all that is alive."""

    nodes: tuple[NodeHistory, ...]
    lemmas: tuple[Lemma, ...]
    covers: tuple[Cover, ...]


@dataclass
class AttemptView:
    """The fold of the events of one attempt, or, without an event, of those of the run itself.

    `checks` are its own decisions; `ended` is the portfolio's result for it. Times are seconds since the start of the
    run; `last` is that of its last event.
    """

    event: AttemptStarted | None
    started: float = 0.0
    last: float = 0.0
    terms: dict[int, TermDefined] = field(default_factory=dict)
    phases: list[Phase] = field(default_factory=list)
    rounds: list[Round] = field(default_factory=list)
    states: AbstractStates = field(default_factory=AbstractStates)
    lemmas: list[Lemma] = field(default_factory=list)
    paths: list[RecordedPath] = field(default_factory=list)
    interpolants: list[InterpolantsFound] = field(default_factory=list)  # of the path that is reported next
    counters: dict[str, int] = field(default_factory=dict)
    progress: Progress = NO_PROGRESS
    truncated: dict[str, int] = field(default_factory=dict)
    edits: list[Edited] = field(default_factory=list)
    pauses: list[Paused] = field(default_factory=list)
    evidence: list[ExaminationStep] = field(default_factory=list)
    invariants: list[InvariantShown] = field(default_factory=list)
    traces: dict[int, TraceShown] = field(default_factory=dict)
    checks: dict[int, CheckDecided] = field(default_factory=dict)
    violated: bool = False  # whether it found a violation that was confirmed
    ended: AttemptEnded | None = None
    _interrupted: str = ""  # the phase that goes on after a pause

    @property
    def number(self) -> int:
        return RUN if self.event is None else self.event.attempt

    @property
    def phase(self) -> str:
        """The name of the phase that is going on, or an empty text."""
        return self.phases[-1].name if self.phases and self.phases[-1].end is None else ""

    @property
    def decided(self) -> bool:
        """Whether it gave an answer to a check, with evidence that was confirmed."""
        return any(check.status in ANSWERS for check in self.checks.values())

    def state_at(self, round: int) -> RunSnapshot:
        """The snapshot of the round with this number, before its refinement prunes. Raises `KeyError`."""
        found = next((r for r in self.rounds if r.number == round), None)
        if found is None:
            raise KeyError(round)
        return self.state_at_event(found.shown_at)

    def state_at_event(self, position: int) -> RunSnapshot:
        """The snapshot after the event at `position`."""
        return RunSnapshot(
            _alive((*self.states.removed, *self.states.nodes.values()), position),
            self.lemmas_at_event(position),
            _alive(self.states.covers, position),
        )

    def lemmas_at_event(self, position: int) -> tuple[Lemma, ...]:
        """The lemmas that are alive after the event at `position`."""
        return _alive(self.lemmas, position)

    def nodes_at_event(self, position: int) -> int:
        """The number of nodes that are alive after the event at `position`."""
        return bisect_right(self.states.births, position) - bisect_right(self.states.deaths, position)

    # The fold

    def add(self, event: Event, now: int, seconds: float) -> None:
        """Fold in an event of this attempt: the run's event number `now`, which arrived after `seconds`."""
        self._resume(now, seconds)
        match event:
            case NodeAdded():  # as most are
                self._prune(None)
                self.states.add(event, now)
            case PhaseStarted(name):
                self._begin_phase(name, now, seconds)
            case Paused():
                self.pauses.append(event)
                self._interrupted = self.phase
                self._begin_phase(PAUSE, now, seconds)
            case RoundStarted(number, reason):
                self.end_round(now)
                self.rounds.append(Round(number, reason, now))
            case NodeChanged() | NodeCovered():
                self.states.add(event, now)
            case NodesRemoved():
                if self.rounds and self.rounds[-1].pruned is None:
                    self._prune(now)
                self.states.add(event, now)
            case EvidenceStep() | EvidenceRepeated():
                self._examine(event, seconds - self.last)
            case _:
                self._keep(event, now)
        self.last = seconds

    def add_packed(self, nodes: PackedNodes, now: int, seconds: tuple[float, float]) -> None:
        """Fold in nodes, as `add` each of them; `seconds` are the arrivals of the first and of the last."""
        self._resume(now, seconds[0])
        self._prune(None)
        self.states.add_packed(nodes, now)
        self.last = seconds[1]

    def _resume(self, now: int, seconds: float) -> None:
        """End a pause: only a run that goes on has events."""
        if self.phases and self.phases[-1].name == PAUSE and self.phase:
            self.end_phase(seconds)
            if self._interrupted:
                self._begin_phase(self._interrupted, now, seconds)

    def _prune(self, position: int | None) -> None:
        """Set the position at which the refinement removes nodes; None where nodes follow, so that it was none."""
        if self.rounds:
            self.rounds[-1].pruned = position

    def _keep(self, event: Event, now: int) -> None:
        match event:
            case TermDefined(number):
                self.terms[number] = event
            case LemmaAdded():
                self.lemmas.append(Lemma(event, Lifetime(now)))
            case PathFound():
                found_in = self.rounds[-1].number if self.rounds else None
                self.paths.append(RecordedPath(event, now, found_in, tuple(self.interpolants)))
                self.interpolants.clear()
                self.states.edges.update(event.edges)
            case LemmasRemoved(numbers):
                for lemma in self.lemmas:
                    if lemma.event.lemma in numbers and lemma.alive.died is None:
                        lemma.alive.died = now
            case LemmasPushed(numbers, level):
                for lemma in self.lemmas:
                    if lemma.event.lemma in numbers and lemma.alive.died is None:
                        lemma.levels.append((now, level))
            case InterpolantsFound():
                self.interpolants.append(event)
            case Counter(name, value):
                self.counters[name] = value
            case Progress():
                self.progress = event.after(self.progress)
            case Truncated(what, limit):
                self.truncated[what] = limit
            case Edited():
                self.edits.append(event)
            case InvariantShown():
                self.invariants.append(event)
            case TraceShown():
                self.traces[event.check] = event
            case _:
                raise AssertionError(event)

    def _examine(self, event: EvidenceStep | EvidenceRepeated, took: float) -> None:
        match event:
            case EvidenceStep():
                self.evidence.append(ExaminationStep(event, took))
            case EvidenceRepeated(back, result) if 1 <= back <= len(self.evidence):
                step = self.evidence[-back]
                step.event = replace(step.event, result=result)
                step.seconds += took
            case _:
                pass  # a stranger's file: there is no such step

    def end(self, now: int, seconds: float) -> None:
        """End the phase and the round: nothing more happens."""
        self.end_round(now)
        self.end_phase(seconds)

    def end_round(self, now: int) -> None:
        if self.rounds and self.rounds[-1].end is None:
            self.rounds[-1].end = now

    def _begin_phase(self, name: str, now: int, seconds: float) -> None:
        self.end_phase(seconds)
        self.phases.append(Phase(name, now, seconds))

    def end_phase(self, seconds: float) -> None:
        if self.phases and self.phases[-1].end is None:
            self.phases[-1].end = seconds


_OF_RUN = frozenset((AttemptStarted, AttemptContinued, AttemptEnded, PlanMade, Message, CheckDecided, VerdictReached))
"""The events that are of the run, not of an attempt."""

_L = TypeVar("_L", NodeHistory, Lemma, Cover)


def _alive(items: Iterable[_L], position: int) -> tuple[_L, ...]:
    # As `Lifetime.contains`, without a call: views ask this of tens of thousands of nodes while a user scrubs.
    return tuple(
        [
            item
            for item in items
            if item.alive.born <= position and ((died := item.alive.died) is None or position < died)
        ]
    )


@dataclass
class RunView:
    """The fold of the events of a run. `add` takes them in order; all else is read.

    `attempts` begins with the run itself, then has one for each engine that was started. `checks` is what is known of
    each check: the run's own verdict, else the answer of an attempt, else the last that has none.
    """

    attempts: list[AttemptView] = field(default_factory=lambda: [AttemptView(None)])
    current: AttemptView = field(init=False)  # whose events are coming
    plan: PlanMade | None = None
    messages: list[Message] = field(default_factory=list)
    checks: dict[int, CheckDecided] = field(default_factory=dict)
    verdict: VerdictReached | None = None
    position: int = 0  # how many events have been added
    seconds: float = 0.0  # the arrival of the last one

    def __post_init__(self) -> None:
        self.current = self.attempts[0]

    @property
    def attempt(self) -> AttemptView:
        """The attempt to show: the one that is going on; in the end the last that found a violation, else the last that
        gave an answer, else the last that met a path to an error, since that says most of why there is no answer.
        """
        if self.current.event is not None and self.verdict is None:
            return self.current
        newest = self.attempts[::-1]
        violating = (one for one in newest if one.violated)
        deciding = (one for one in newest if one.decided)
        with_path = (one for one in newest if one.paths)
        return next(chain(violating, deciding, with_path, newest))

    @property
    def counters(self) -> Mapping[str, int]:
        return self.attempt.counters

    @property
    def phase(self) -> str:
        """The name of the phase that is going on, or an empty text."""
        return self.current.phase

    @property
    def phases(self) -> list[Phase]:
        """The phases of all attempts, in the order of their beginnings."""
        return sorted((phase for one in self.attempts for phase in one.phases), key=lambda phase: phase.first)

    @property
    def traces(self) -> Mapping[int, TraceShown]:
        """The counterexamples by check, in order: the confirmed one, else the last; none for a check that is true."""
        found: dict[int, TraceShown] = {}
        for check in sorted({check for one in self.attempts for check in one.traces}):
            if check not in self.checks or self.checks[check].status != Status.TRUE:
                found[check] = self._trace(check)
        return found

    def _trace(self, check: int) -> TraceShown:
        showing = [one for one in self.attempts if check in one.traces]
        confirmed = [one for one in showing if check in one.checks and one.checks[check].status == Status.FALSE]
        return (confirmed or showing)[-1].traces[check]

    def decided_by(self, check: int) -> int:
        """The position of the attempt whose answer counts for a check; of the last attempt at it if none has one."""
        asked = [index for index, one in enumerate(self.attempts) if check in one.checks and one.event is not None]
        status = self.checks[check].status
        agreeing = [index for index in asked if self.attempts[index].checks[check].status == status]
        return (agreeing or asked or [0])[0 if agreeing else -1]

    def state_at(self, round: int) -> RunSnapshot:
        """The snapshot of a round of the attempt to show. Raises `KeyError`."""
        return self.attempt.state_at(round)

    def skip(self) -> None:
        """Count an event of an unknown kind."""
        self.position += 1

    def add(self, event: Event, seconds: float = 0.0) -> None:
        """Fold in the next event, which arrived `seconds` after the start."""
        self.seconds = seconds
        if type(event) not in _OF_RUN:
            self.current.add(event, self.position, seconds)
        else:
            self._add(event, seconds)
        self.position += 1

    def add_packed(self, nodes: PackedNodes, seconds: tuple[float, float]) -> None:
        """Fold in nodes, the first and the last of which arrived at these times."""
        self.current.add_packed(nodes, self.position, seconds)
        self.seconds = seconds[1]
        self.position += len(nodes)

    def _add(self, event: Event, seconds: float) -> None:
        match event:
            case AttemptStarted():
                self.attempts[0].end_phase(seconds)
                self.current = AttemptView(event, seconds, seconds)
                self.attempts.append(self.current)
            case AttemptContinued(number):
                self.current = self._numbered(number)
            case AttemptEnded(number):
                attempt = self._numbered(number)
                attempt.end(self.position, seconds)
                attempt.ended = event
            case PlanMade():
                self.plan = event
            case Message():
                self.messages.append(event)
            case CheckDecided():
                self._decide(event)
            case VerdictReached():
                for attempt in self.attempts:
                    attempt.end(self.position, seconds)
                self.verdict = event
            case _:
                raise AssertionError(event)

    def _numbered(self, number: int) -> AttemptView:
        """The attempt with this number; the run itself for one that does not exist."""
        return next((one for one in reversed(self.attempts) if one.number == number), self.attempts[0])

    def _decide(self, event: CheckDecided) -> None:
        known = self.checks.get(event.check)
        is_own = known is not None and self.current.checks.get(event.check) is known
        if self.current.event is None or known is None or is_own or known.status not in ANSWERS:
            self.checks[event.check] = event
        self.current.checks[event.check] = event
        self.current.violated |= event.status == Status.FALSE
