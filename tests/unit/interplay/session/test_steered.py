"""Steering: conditions are read in the worker, predicates come and go, and a steered run can be had again."""

from collections.abc import Callable
from pathlib import Path

import pytest

from interplay.session.context import Steering
from interplay.session.default_services import DefaultServices
from interplay.session.member_storage import NoStorage
from interplay.session.recorded_edits import steered
from interplay.session.request import Request, read_request
from interplay.session.session import Session
from methods.engine import EditAction
from runs.events import (
    Edited,
    Event,
    LemmaAdded,
    LemmasRemoved,
    Level,
    Message,
    Paused,
    Place,
    RoundStarted,
    TermDefined,
    VerdictReached,
)
from runs.jsondata import Malformed, compact, parse
from runs.runview import RunView

TEXT = """extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int main(void)
{
    int x = 0, y = 0;
    while (__VERIFIER_nondet_int()) {
        x++;
        y++;
        if (x == 1000) { x = 0; y = 0; }
    }
    if (x != y)
        reach_error();
    return 0;
}
"""

Act = Callable[[Steering, Event], None]


def run(directory: Path, request: Request, act: Act = lambda *_: None, text: str = TEXT) -> list[Event]:
    """The events of a run; `act` sees each as it comes, and steers."""
    path = directory / "task.c"
    path.write_text(text)
    events: list[Event] = []
    steering = Steering()

    def emit(event: Event) -> None:
        events.append(event)
        act(steering, event)

    Session(request, DefaultServices(), emit, steering, NoStorage()).run()
    return events


def request(directory: Path, **more: object) -> Request:
    # No limit of time: this process has used some in other tests, and a run in it counts that.
    return Request(str(directory / "task.c"), level=Level.STATES, **more)  # type: ignore[arg-type]


def view_of(events: list[Event]) -> RunView:
    view = RunView()
    for event in events:
        view.add(event)
    return view


def at_round(number: int, action: EditAction, text: str, place: Place | None) -> Act:
    def act(steering: Steering, event: Event) -> None:
        if event == RoundStarted(number, "start" if number == 0 else "refined"):
            steering.edit(action, -1, place, text)

    return act


MAIN: Place = ((), 5)


def test_a_typed_predicate_saves_the_refinements(tmp_path: Path) -> None:
    alone = view_of(run(tmp_path, request(tmp_path)))
    helped = view_of(run(tmp_path, request(tmp_path), at_round(0, EditAction.ADD_PREDICATE, "x == y", MAIN)))
    assert helped.verdict is not None
    assert helped.verdict.verdict == "true"
    assert len(helped.attempt.paths) < len(alone.attempt.paths)
    (edit,) = helped.attempt.edits
    assert (edit.round, edit.text) == (0, "x == y")
    assert any(lemma.event.origin == "user" for lemma in helped.attempt.lemmas)


def test_what_is_wrong_with_a_condition_is_said(tmp_path: Path) -> None:
    events = run(tmp_path, request(tmp_path), at_round(0, EditAction.ADD_PREDICATE, "x == z", MAIN))
    (message,) = (event for event in events if isinstance(event, Message))
    assert message.text.startswith("condition `x == z`, column 6: there is no variable z here")
    assert not any(isinstance(event, Edited) for event in events)


def test_a_removed_predicate_is_gone_until_it_is_learned_again(tmp_path: Path) -> None:
    events = run(tmp_path, request(tmp_path), _add_then_remove)
    view = view_of(events)
    assert view.verdict is not None
    assert view.verdict.verdict == "true"
    (removed,) = (event for event in events if isinstance(event, LemmasRemoved))
    gone = next(one for one in view.attempt.lemmas if one.event.lemma == removed.lemmas[0])
    assert gone.event.origin == "user"
    assert gone.alive.died is not None
    assert gone not in view.attempt.state_at_event(view.position).lemmas


def _add_then_remove(steering: Steering, event: Event) -> None:
    at_round(0, EditAction.ADD_PREDICATE, "x >= 500 && x <= y + 7", MAIN)(steering, event)
    at_round(1, EditAction.REMOVE_PREDICATE, "x >= 500", MAIN)(steering, event)


def test_removing_what_the_program_itself_tests_is_survived(tmp_path: Path) -> None:
    """Exploration and the search for paths must agree about what is not told apart any more."""
    text = (Path(__file__).parents[4] / "resources" / "examples" / "nested_locks.c").read_text()

    def act(steering: Steering, event: Event) -> None:
        for name in ("outer", "inner"):
            at_round(1, EditAction.REMOVE_PREDICATE, f"{name} == 0", ((), 5))(steering, event)

    view = view_of(run(tmp_path, request(tmp_path), act, text))
    assert view.verdict is not None
    assert view.verdict.verdict == "true"
    assert len(view.attempt.edits) == 2


def test_a_steered_run_comes_again_with_the_same_events(tmp_path: Path) -> None:
    def act(steering: Steering, event: Event) -> None:
        _add_then_remove(steering, event)
        if event == RoundStarted(1, "refined"):  # by number, as a person does who chooses from the table
            steering.edit(EditAction.REMOVE_PREDICATE, _number(before), None)
        before.append(event)

    before: list[Event] = []
    first = run(tmp_path, request(tmp_path), act)
    again = steered(Request(str(tmp_path / "task.c")), view_of(first).attempt)
    stored = read_request(parse(compact(again.to_json())))
    assert stored == again
    second = run(tmp_path, stored)
    assert len([event for event in second if isinstance(event, Edited)]) == 3
    assert second == [event for event in first if not isinstance(event, Paused)]


def _number(events: list[Event]) -> int:
    """The number of a predicate that was there before."""
    return next(event.formula for event in events if isinstance(event, LemmaAdded) and event.role == "predicate")


def test_a_run_without_edits_cannot_be_steered_again(tmp_path: Path) -> None:
    with pytest.raises(Malformed, match="nobody has steered this run"):
        steered(request(tmp_path), view_of([VerdictReached("true", 0, (), "", "", "")]).attempt)


def test_the_explicit_engine_tracks_what_a_condition_mentions(tmp_path: Path) -> None:
    act = at_round(0, EditAction.ADD_PREDICATE, "x == y", MAIN)
    events = run(tmp_path, request(tmp_path, engine="explicit"), act)
    added = [event for event in events if isinstance(event, LemmaAdded) and event.origin == "user"]
    assert {event.role for event in added} >= {"value"}
    assert any(isinstance(event, TermDefined) for event in events)
