"""RunView: one fold over the events of a run, live or replayed; everything that is shown is read from it.

What lives and dies (nodes, lemmas, covers) keeps its interval `[born, died)` in positions of the event stream, so the
state at any round is a filter and the difference of two rounds needs no second fold. Positions count all events, also
those that the fold has no use for. Limitation: events of unknown kinds count but leave no trace here.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import TypeVar

from core.events import (
    AttemptStarted,
    CheckDecided,
    Counter,
    Edited,
    Event,
    EvidenceStep,
    InterpolantsFound,
    InvariantShown,
    LemmaAdded,
    Message,
    NodeAdded,
    NodeChanged,
    NodeCovered,
    NodesRemoved,
    PathFound,
    Paused,
    PhaseStarted,
    Place,
    RoundStarted,
    TermDefined,
    TraceShown,
    Truncated,
    VerdictReached,
)

_FOREVER = 1 << 62


@dataclass
class Interval:
    """Event positions from `born` to before `died`; None: still alive."""

    born: int
    died: int | None = None

    def contains(self, position: int) -> bool:
        return self.born <= position and (self.died is None or position < self.died)


@dataclass
class Node:
    """An abstract state. `states` holds (event position, formula) from birth on, with each change."""

    node: int
    parent: int
    place: Place
    edges: tuple[int, ...]
    alive: Interval
    states: list[tuple[int, int]]

    def formula_at(self, position: int) -> int:
        """The number of the formula that holds at an event position at which the node is alive."""
        return next(formula for since, formula in reversed(self.states) if since <= position)


@dataclass
class Lemma:
    event: LemmaAdded
    alive: Interval


@dataclass
class Cover:
    event: NodeCovered
    alive: Interval


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
        """The position that stands for the round: the last before its refinement prunes, else its last."""
        after = self.pruned if self.pruned is not None else self.end
        return _FOREVER if after is None else after - 1


@dataclass
class Path:
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


@dataclass(frozen=True)
class State:
    """What is alive at one position."""

    nodes: tuple[Node, ...]
    lemmas: tuple[Lemma, ...]
    covers: tuple[Cover, ...]


@dataclass
class Attempt:
    """What one engine did. Before the first attempt there is one without an event, for what comes earlier."""

    event: AttemptStarted | None
    rounds: list[Round] = field(default_factory=list)
    nodes: dict[int, Node] = field(default_factory=dict)
    removed: list[Node] = field(default_factory=list)  # dead nodes whose number was given again
    lemmas: list[Lemma] = field(default_factory=list)
    covers: list[Cover] = field(default_factory=list)
    paths: list[Path] = field(default_factory=list)
    interpolants: list[InterpolantsFound] = field(default_factory=list)  # of the path that is reported next
    counters: dict[str, int] = field(default_factory=dict)

    def state_at(self, round: int) -> State:
        """What is alive in the round with this number, before its refinement prunes. Raises `KeyError`."""
        found = next((r for r in self.rounds if r.number == round), None)
        if found is None:
            raise KeyError(round)
        return self.state_at_event(found.shown_at)

    def state_at_event(self, position: int) -> State:
        """What is alive after the event at `position`."""
        return State(
            _alive((*self.removed, *self.nodes.values()), position),
            _alive(self.lemmas, position),
            _alive(self.covers, position),
        )


_L = TypeVar("_L", Node, Lemma, Cover)


def _alive(items: Iterable[_L], position: int) -> tuple[_L, ...]:
    return tuple(item for item in items if item.alive.contains(position))


@dataclass
class RunView:
    """The fold. `add` takes the events in order; all else is read."""

    attempts: list[Attempt] = field(default_factory=lambda: [Attempt(None)])
    terms: dict[int, TermDefined] = field(default_factory=dict)
    phases: list[Phase] = field(default_factory=list)
    evidence: list[EvidenceStep] = field(default_factory=list)
    invariants: list[InvariantShown] = field(default_factory=list)
    traces: dict[int, TraceShown] = field(default_factory=dict)
    messages: list[Message] = field(default_factory=list)
    edits: list[Edited] = field(default_factory=list)
    pauses: list[Paused] = field(default_factory=list)
    truncated: dict[str, int] = field(default_factory=dict)
    checks: dict[int, CheckDecided] = field(default_factory=dict)
    verdict: VerdictReached | None = None
    position: int = 0  # how many events have been added
    seconds: float = 0.0  # the arrival of the last one

    @property
    def attempt(self) -> Attempt:
        """The attempt that is going on."""
        return self.attempts[-1]

    @property
    def counters(self) -> Mapping[str, int]:
        return self.attempt.counters

    @property
    def phase(self) -> str:
        """The name of the phase that is going on, or an empty text."""
        return self.phases[-1].name if self.phases and self.phases[-1].end is None else ""

    def state_at(self, round: int) -> State:
        """What is alive in a round of the last attempt. Raises `KeyError`."""
        return self.attempt.state_at(round)

    def skip(self) -> None:
        """Count an event of an unknown kind."""
        self.position += 1

    def add(self, event: Event, seconds: float = 0.0) -> None:
        """Fold in the next event, which arrived `seconds` after the start."""
        self.seconds = seconds
        match event:
            case TermDefined():
                self.terms[event.number] = event
            case AttemptStarted():
                self._end_round()
                self.attempts.append(Attempt(event))
            case PhaseStarted(name):
                self._end_phase()
                self.phases.append(Phase(name, self.position, seconds))
            case RoundStarted(number, reason):
                self._end_round()
                self.attempt.rounds.append(Round(number, reason, self.position))
            case Counter(name, value):
                self.attempt.counters[name] = value
            case VerdictReached():
                self._end_round()
                self._end_phase()
                self.verdict = event
            case InterpolantsFound():
                self.attempt.interpolants.append(event)
            case NodeAdded() | NodeChanged() | NodeCovered() | NodesRemoved() | LemmaAdded() | PathFound():
                self._add_to_abstraction(event)
            case _:
                self._add_to_lists(event)
        self.position += 1

    def _add_to_abstraction(
        self, event: NodeAdded | NodeChanged | NodeCovered | NodesRemoved | LemmaAdded | PathFound
    ) -> None:
        attempt, now = self.attempt, self.position
        match event:
            case NodeAdded(node, parent, place, edges, formula):
                if node in attempt.nodes:
                    attempt.removed.append(attempt.nodes[node])
                attempt.nodes[node] = Node(node, parent, place, edges, Interval(now), [(now, formula)])
            case NodeChanged(node, _, _, formula):
                if node in attempt.nodes:
                    attempt.nodes[node].states.append((now, formula))
            case NodeCovered():
                attempt.covers.append(Cover(event, Interval(now)))
            case NodesRemoved(nodes):
                self._remove(frozenset(nodes))
            case LemmaAdded():
                attempt.lemmas.append(Lemma(event, Interval(now)))
            case PathFound():
                number = attempt.rounds[-1].number if attempt.rounds else None
                attempt.paths.append(Path(event, now, number, tuple(attempt.interpolants)))
                attempt.interpolants.clear()

    def _add_to_lists(self, event: Event) -> None:
        match event:
            case EvidenceStep():
                self.evidence.append(event)
            case InvariantShown():
                self.invariants.append(event)
            case TraceShown():
                self.traces[event.check] = event
            case Message():
                self.messages.append(event)
            case Edited():
                self.edits.append(event)
            case Paused():
                self.pauses.append(event)
            case Truncated(what, limit):
                self.truncated[what] = limit
            case CheckDecided():
                self.checks[event.check] = event
            case _:
                raise AssertionError(event)

    def _remove(self, nodes: frozenset[int]) -> None:
        """Nodes die, and with them every cover that starts or ends in one."""
        attempt, now = self.attempt, self.position
        if attempt.rounds and attempt.rounds[-1].pruned is None:
            attempt.rounds[-1].pruned = now
        for number in nodes:
            node = attempt.nodes.get(number)
            if node is not None and node.alive.died is None:
                node.alive.died = now
        for cover in attempt.covers:
            if cover.alive.died is None and (cover.event.by in nodes or cover.event.parent in nodes):
                cover.alive.died = now

    def _end_round(self) -> None:
        if self.attempt.rounds and self.attempt.rounds[-1].end is None:
            self.attempt.rounds[-1].end = self.position

    def _end_phase(self) -> None:
        if self.phases and self.phases[-1].end is None:
            self.phases[-1].end = self.seconds
