"""Moments of a run: its rounds as rows, and the graph, predicates and path of each round.

Positions are those of events (`runs.runview`). A moment is a round of an attempt, shown as it was before its
refinement pruned; None stands for the end, or for now while the run goes on.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Mapping

from core.dataclass import dataclass
from core.limits import Cause, cause_of
from core.verdict import Status
from interplay.presentation.record.run import LATEST, RunRecord
from runs.events import Place
from runs.runview import PAUSE, AttemptView, Lemma, RecordedPath, Round, RunSnapshot
from runs.states import Cover, Lifetime, NodeHistory

STUCK_WORDS = ", but no predicates were found that exclude it"
"""The words for a spurious path at which the engine gave up."""


@dataclass(frozen=True)
class RoundRow:
    """A round as a row. `seconds` are by phase; `result` is that of its path (`spurious`, …), empty without one.

    `learned` is the number of lemmas that the round itself learned, `new_predicates` the number of predicates among
    them. `stuck`: the engine gave up at its path.
    """

    round: int
    reason: str
    states: int
    predicates: int
    constraints: int
    learned: int
    new_predicates: int
    seconds: Mapping[str, float]
    result: str
    stuck: bool


@dataclass(frozen=True)
class GraphAt:
    """The abstract reachability graph of a moment.

    `born` are nodes that the previous round did not have; `died` are those that the refinement of this round prunes;
    `path` are the nodes of its abstract path; `covers` are drawn on demand.
    """

    nodes: tuple[NodeHistory, ...]
    covers: tuple[Cover, ...]
    born: frozenset[int]
    died: frozenset[int]
    path: frozenset[int]


def rounds(record: RunRecord, attempt: int = LATEST) -> tuple[RoundRow, ...]:
    """All rounds of an attempt, in order."""
    return record.memo.get(("rounds", attempt), lambda: _rounds(record, record.attempt(attempt)))


def _rounds(record: RunRecord, attempt: AttemptView) -> tuple[RoundRow, ...]:
    facts = [(lemma.alive, lemma.event.role == "predicate") for lemma in telling(attempt, attempt.lemmas)]
    predicates = _Alive(alive for alive, is_predicate in facts if is_predicate)
    constraints = _Alive(alive for alive, is_predicate in facts if not is_predicate)
    births = sorted(alive.born for alive, _ in facts)
    of_predicates = sorted(alive.born for alive, is_predicate in facts if is_predicate)
    stuck = {path.round for path in attempt.paths if gave_up(attempt, path)}
    ends = [one.first for one in attempt.rounds[1:]]
    times = _phase_times(attempt, max(record.view.seconds, record.passed))
    results = {path.round: path.event.result for path in attempt.paths}
    rows: list[RoundRow] = []
    for round_, end in zip(attempt.rounds, [*ends, record.view.position], strict=False):  # without rounds no end
        shown = min(round_.shown_at, record.view.position)
        rows.append(
            RoundRow(
                round_.number,
                round_.reason,
                attempt.nodes_at_event(shown),
                predicates.at(shown),
                constraints.at(shown),
                bisect_left(births, end) - bisect_left(births, round_.first),
                bisect_left(of_predicates, end) - bisect_left(of_predicates, round_.first),
                times[round_.number],
                results.get(round_.number, ""),
                round_.number in stuck,
            )
        )
    return tuple(rows)


def telling(attempt: AttemptView, lemmas: Iterable[Lemma]) -> Iterator[Lemma]:
    """The lemmas that are not the constant true, as constraints of steps are whose parts cancel out."""
    for lemma in lemmas:
        term = attempt.terms.get(lemma.event.formula)
        if term is None or (term.op, term.payload) != ("constant", "true"):
            yield lemma


def gave_up(attempt: AttemptView, path: RecordedPath) -> bool:
    """Whether the engine got stuck at a path: no execution follows it, but no predicates exclude it."""
    check = path.event.check
    decided = attempt.checks.get(check)
    if decided is None or decided.status != Status.UNKNOWN or cause_of(decided.reason) is not Cause.NO_PREDICATES:
        return False
    return path is next(one for one in reversed(attempt.paths) if one.event.check == check)


class _Alive:
    """Counts the intervals that contain a position."""

    def __init__(self, intervals: Iterable[Lifetime]) -> None:
        all_of_them = list(intervals)
        self._births = sorted(one.born for one in all_of_them)
        self._deaths = sorted(one.died for one in all_of_them if one.died is not None)

    def at(self, position: int) -> int:
        return bisect_right(self._births, position) - bisect_right(self._deaths, position)


def _phase_times(attempt: AttemptView, now: float) -> Mapping[int, Mapping[str, float]]:
    """Seconds by phase of each round, without waiting for the user. A phase belongs to the round in which it began."""
    firsts = [one.first for one in attempt.rounds]
    times: dict[int, dict[str, float]] = {one.number: {} for one in attempt.rounds}
    for phase in attempt.phases:
        index = bisect_right(firsts, phase.first) - 1
        last = attempt.rounds[-1].end if attempt.rounds else None
        if index < 0 or phase.name == PAUSE or (last is not None and phase.first > last):
            continue
        end = now if phase.end is None else phase.end
        of_round = times[attempt.rounds[index].number]
        of_round[phase.name] = of_round.get(phase.name, 0.0) + end - phase.start
    return times


def round_of(attempt: AttemptView, round: int | None) -> Round | None:
    """The round with this number; the last one for None."""
    if round is None:
        return attempt.rounds[-1] if attempt.rounds else None
    return next((one for one in attempt.rounds if one.number == round), None)


def position(record: RunRecord, attempt: int, round: int | None) -> int:
    """The event position of a moment."""
    found = None if round is None else round_of(record.attempt(attempt), round)
    return record.view.position if found is None else min(found.shown_at, record.view.position)


def state(record: RunRecord, attempt: int, round: int | None) -> RunSnapshot:
    """The states and lemmas alive at a moment."""
    at = position(record, attempt, round)
    return record.memo.get(("state", attempt, at), lambda: record.attempt(attempt).state_at_event(at))


def lemmas(record: RunRecord, attempt: int, round: int | None) -> tuple[Lemma, ...]:
    """The lemmas alive at a moment: faster than `state`, which also collects nodes."""
    at = position(record, attempt, round)
    return record.memo.get(("lemmas", attempt, at), lambda: record.attempt(attempt).lemmas_at_event(at))


def predicates(record: RunRecord, attempt: int, round: int | None) -> Mapping[Place | None, tuple[Lemma, ...]]:
    """The lemmas of each place at a moment, in the order of their birth; those of None hold everywhere."""

    def make() -> Mapping[Place | None, tuple[Lemma, ...]]:
        found: dict[Place | None, list[Lemma]] = {}
        for lemma in telling(record.attempt(attempt), lemmas(record, attempt, round)):
            found.setdefault(lemma.event.place, []).append(lemma)
        return {place: tuple(there) for place, there in found.items()}

    return record.memo.get(("predicates", attempt, round), make)


def learned(record: RunRecord, attempt: int, round: int) -> tuple[Lemma, ...]:
    """The lemmas learned in a round; for the first one also those from before it."""
    one = record.attempt(attempt)
    found = round_of(one, round)
    if found is None:
        return ()
    first = 0 if found is one.rounds[0] else found.first
    end = next((later.first for later in one.rounds if later.first > found.first), record.view.position)
    begin, behind = (bisect_left(one.lemmas, at, key=lambda lemma: lemma.alive.born) for at in (first, end))
    return tuple(telling(one, one.lemmas[begin:behind]))


def born_in(record: RunRecord, attempt: int, lemma: Lemma) -> int | None:
    """The number of the round that learned a lemma; None for what was known before the first."""
    rounds_of_it = record.attempt(attempt).rounds
    index = bisect_right([one.first for one in rounds_of_it], lemma.alive.born) - 1
    return rounds_of_it[index].number if index >= 0 else None


def path_of(record: RunRecord, attempt: int, round: int | None) -> RecordedPath | None:
    """The path that was decided in a round, else the one that was found; for None the last one."""
    paths = record.attempt(attempt).paths
    if round is None:
        return paths[-1] if paths else None
    return record.memo.get(("paths", attempt), lambda: {path.round: path for path in paths}).get(round)


def lemma_numbered(record: RunRecord, attempt: int, lemma: int | None) -> Lemma | None:
    """The lemma with this number."""
    if lemma is None:
        return None
    return next((one for one in record.attempt(attempt).lemmas if one.event.lemma == lemma), None)


def graph(record: RunRecord, attempt: int, round: int | None) -> GraphAt:
    """The graph at a moment, with its changes."""
    return record.memo.get(("graph", attempt, round), lambda: _graph(record, attempt, round))


def _graph(record: RunRecord, attempt: int, round: int | None) -> GraphAt:
    alive = state(record, attempt, round)
    one = record.attempt(attempt)
    found = round_of(one, round)
    at = position(record, attempt, round)
    before = [earlier.shown_at for earlier in one.rounds if found is not None and earlier.first < found.first]
    path = path_of(record, attempt, None if found is None else found.number)
    on_path = frozenset(record.places_on(path.event.edges)) if path is not None else frozenset()
    return GraphAt(
        alive.nodes,
        alive.covers,
        frozenset(node.node for node in alive.nodes if before and not node.alive.contains(before[-1])),
        frozenset(node.node for node in alive.nodes if round is not None and node.alive.died == at + 1),
        frozenset(node.node for node in alive.nodes if node.place in on_path),
    )
