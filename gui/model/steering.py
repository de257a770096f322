"""Steering of runs: edits by the user, whose conditions are checked here at once and again by the engine's process."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from core.dataclass import dataclass
from frontend.conditions import names_at, read_condition
from frontend.source import FrontendError
from gui.model.current import RunState
from interplay.presentation.record.moments import lemma_numbered
from interplay.presentation.record.run import RunRecord
from interplay.presentation.record.timeline import edit_words
from interplay.session.context import is_refusal
from interplay.session.request import Request, Start
from methods.registry import ENGINES
from runs.events import EditAction, Edited, Level, Place
from runs.runview import AttemptView


@dataclass(frozen=True)
class Rerun:
    """An action of the window: verify again with `request`."""

    request: Request
    start: Start = Start.AT_ONCE


@dataclass(frozen=True)
class Checked:
    """The meaning of a typed condition, or its error with the characters concerned, counted from 0."""

    meaning: str
    error: str = ""
    start: int = 0
    end: int = 0


def check(record: RunRecord, place: Place | None, text: str) -> Checked:
    """Read a condition at a place of the program of a run."""
    if record.program is None:
        return Checked("", "The program is not known yet: wait until it has been read.")
    try:
        return Checked(record.text.of_term(read_condition(record.program, place, text), place))
    except FrontendError as error:
        span = error.span
        start = max(0, min(span.column - 1, len(text)))
        end = max(start, min(span.end_column - 1, len(text)))
        return Checked("", f"Column {span.column}: {error.message}", start, end)


def names(record: RunRecord, place: Place | None) -> tuple[str, ...]:
    """The names in scope at a place."""
    return () if record.program is None else names_at(record.program, place)


def state_words(record: RunRecord | None, state: RunState, engine: str) -> str:
    """The possible actions in a state, in a sentence or two."""
    match state:
        case RunState.PAUSED:
            return f"Paused before the next round. Change what is known, then continue. {_steering(engine) or _NO}"
        case RunState.RUNNING:
            return "Running. Pause it to look around; what you change now is used from the next round on."
        case RunState.STOPPING | RunState.SAVING:
            return "The run ends."
        case RunState.IDLE if record is not None and record.view.verdict is not None:
            if engine and not can_be_steered(engine):
                return f"This run is over. {_NO}"
            return "This run is over. Predicates that you add now are used from the start when you run it again."
        case _:
            return "No run goes on. Step by step starts one that pauses before each refinement."


_NO = "This engine knows no predicates: it can only be paused and stopped."


def can_be_steered(engine: str) -> bool:
    return bool(_steering(engine))


def removable(record: RunRecord, attempt: int, lemma: int | None) -> tuple[int, str] | None:
    """The number of the formula of a lemma and its text, if it is a predicate that is still there."""
    found = lemma_numbered(record, attempt, lemma)
    if found is None or found.event.role != "predicate" or found.alive.died is not None:
        return None
    return found.event.formula, record.formula(attempt, found.event.formula, found.event.place)


def answers(record: RunRecord | None, attempt: int) -> int:
    """The number of edits of an attempt that have been made or refused."""
    if record is None:
        return 0
    refused = sum(map(is_refusal, record.view.messages))
    return len(record.attempt(attempt).edits) + refused


def made(record: RunRecord | None, attempt: int) -> tuple[str, ...]:
    """The edits of an attempt in words."""
    if record is None:
        return ()
    found = record.attempt(attempt).edits
    return tuple(f"before round {one.round + 1}: {edit_words(record, attempt, one)}" for one in found)


def planned(place: Place | None, text: str) -> Edited:
    """An edit that adds a predicate at the start of a run."""
    return Edited(0, EditAction.ADD_PREDICATE.value, -1, place, text)


def again(record: RunRecord, attempt: AttemptView, options: Mapping[str, str], edits: Sequence[Edited]) -> Request:
    """The request that repeats a run with the engine of the attempt and these options and edits."""
    event = attempt.event
    return replace(
        record.request,
        engine=event.engine if event is not None else record.request.engine,
        options=tuple(options.items()),
        edits=tuple(edits),
        level=Level.STATES,
        recheck=None,
    )


def _steering(engine: str) -> str:
    """A sentence about the effect of adding a predicate; empty where the engine is not steered by predicates."""
    return ENGINES[engine].steering if engine in ENGINES else ""
