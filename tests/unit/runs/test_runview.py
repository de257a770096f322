"""The fold: intervals, states of rounds, phases with times, and what remains of the rest."""

import pytest

from runs.events import (
    ALL_FRAMES,
    RUN,
    AttemptContinued,
    AttemptEnded,
    AttemptStarted,
    CheckDecided,
    Counter,
    Event,
    EvidenceRepeated,
    EvidenceStep,
    InterpolantsFound,
    LemmaAdded,
    LemmasPushed,
    LemmasRemoved,
    NodeAdded,
    NodeChanged,
    NodeCovered,
    NodesRemoved,
    PathFound,
    Paused,
    PhaseStarted,
    RoundStarted,
    TermDefined,
    Truncated,
    VerdictReached,
)
from runs.runview import PAUSE, RunView

EVENTS: list[Event] = [
    PhaseStarted("parse"),
    AttemptStarted(0, "transition", (), (0,)),
    RoundStarted(0, "start"),
    NodeAdded(0, -1, ((), 0), (), 5),
    NodeAdded(1, 0, ((), 4), (0,), 6),
    NodeChanged(1, 0, (1,), 7),
    NodeCovered(1, (2,), ((), 4), 0),
    PathFound(0, (0, 1), "refuted"),
    LemmaAdded(0, "predicate", "core", 8, (), ((), 4)),
    NodesRemoved((1,)),
    RoundStarted(1, "refined"),
    NodeAdded(2, 0, ((), 4), (0,), 9),
    Counter("states", 3),
]


def folded(events: list[Event]) -> RunView:
    view = RunView()
    for seconds, event in enumerate(events):
        view.add(event, float(seconds))
    return view


def test_a_round_shows_what_lived_before_it_was_pruned() -> None:
    view = folded(EVENTS)
    first, second = view.state_at(0), view.state_at(1)
    assert [node.node for node in first.nodes] == [0, 1]
    assert [node.node for node in second.nodes] == [0, 2]
    assert [cover.event.by for cover in first.covers] == [0]
    assert second.covers == ()
    assert len(first.lemmas) == len(second.lemmas) == 1
    with pytest.raises(KeyError):
        view.state_at(2)


def test_a_pause_is_no_part_of_the_phase_that_it_interrupts() -> None:
    view = RunView()
    attempt = AttemptStarted(0, "transition", (), (0,))
    for seconds, event in (
        (0.0, attempt),
        (1.0, PhaseStarted("refine")),
        (3.0, Paused(1)),
        (60.0, RoundStarted(1, "refined")),
        (61.0, PhaseStarted("explore")),
        (65.0, Paused(2)),
    ):
        view.add(event, seconds)
        assert (view.phase == PAUSE) == isinstance(event, Paused)
    took = [(phase.name, phase.start, phase.end) for phase in view.phases]
    assert took == [
        ("refine", 1.0, 3.0), (PAUSE, 3.0, 60.0), ("refine", 60.0, 61.0), ("explore", 61.0, 65.0), (PAUSE, 65.0, None)
    ]  # fmt: skip


def test_any_position_can_be_shown() -> None:
    attempt = folded(EVENTS).attempt
    assert [node.node for node in attempt.state_at_event(3).nodes] == [0]
    assert [node.node for node in attempt.state_at_event(9).nodes] == [0]
    assert attempt.state_at_event(7).lemmas == ()


def test_a_node_remembers_its_formulas() -> None:
    node = folded(EVENTS).attempt.states.nodes[1]
    assert [node.formula_at(position) for position in (4, 5, 8)] == [6, 7, 7]


def test_interpolants_belong_to_the_path_that_follows() -> None:
    weak, strong = InterpolantsFound("weak", (0,), (5,)), InterpolantsFound("strong", (0,), (6,))
    path = PathFound(0, (0,), "refuted")
    view = folded([*EVENTS[:3], weak, strong, path, path])
    assert [found.interpolants for found in view.attempt.paths] == [(weak, strong), ()]


def test_live_and_replayed_views_agree() -> None:
    live = RunView()
    for count, event in enumerate(EVENTS, start=1):
        live.add(event, float(count - 1))
        assert live == folded(EVENTS[:count])


def test_phases_have_times() -> None:
    view = folded([PhaseStarted("parse"), Counter("n", 1), PhaseStarted("lower"), *EVENTS[-1:]])
    assert [(phase.name, phase.start, phase.end) for phase in view.phases] == [
        ("parse", 0.0, 2.0),
        ("lower", 2.0, None),
    ]
    assert view.phase == "lower"


def test_the_verdict_ends_everything() -> None:
    end = VerdictReached("true", 0, (), "", "", "")
    view = folded([*EVENTS, CheckDecided(0, "p", "d", "a.c", 1, 1, "true", "c", ""), end])
    assert view.verdict is end
    assert view.phase == ""
    assert view.attempt.rounds[-1].end == view.position - 1
    assert view.checks[0].status == "true"


def test_attempts_keep_their_own_nodes() -> None:
    view = folded([*EVENTS, AttemptStarted(1, "explicit", (), (0,)), NodeAdded(0, -1, ((), 0), (), 1)])
    assert [len(attempt.states.nodes) for attempt in view.attempts] == [0, 3, 1]
    assert view.counters == {}


def test_attempts_alternate() -> None:
    """Numbers of terms, rounds and nodes are those of the attempt; an answer outweighs what comes later without one."""
    true, unknown = (CheckDecided(0, "p", "d", "a.c", 1, 1, status, "", "") for status in ("true", "unknown"))
    view = folded(
        [
            AttemptStarted(0, "transition", (), (0,)),
            TermDefined(0, "symbol", (), "x", "Int"),
            RoundStarted(0, "start"),
            AttemptStarted(1, "explicit", (), (0,)),
            TermDefined(0, "symbol", (), "y", "Int"),
            PhaseStarted("explore"),
            AttemptContinued(0),
            NodeAdded(0, -1, ((), 0), (), 0),
            true,
            AttemptContinued(1),
            unknown,
            AttemptEnded(1, "undecided", "why not", 1500),
        ]
    )
    run, first, second = view.attempts
    assert [attempt.number for attempt in view.attempts] == [RUN, 0, 1]
    assert (first.terms[0].payload, second.terms[0].payload) == ("x", "y")
    assert [len(attempt.states.nodes) for attempt in view.attempts] == [0, 1, 0]
    assert [len(attempt.rounds) for attempt in view.attempts] == [0, 1, 0]
    assert second.phases[0].end == 11.0
    assert second.ended == AttemptEnded(1, "undecided", "why not", 1500)
    assert view.checks == {0: true}
    assert second.checks == {0: unknown}
    view.add(AttemptContinued(RUN))
    view.add(unknown)
    view.add(VerdictReached("unknown", 5, (), "", "", ""))
    assert view.checks == {0: unknown}
    assert view.attempt is first
    assert run.checks == {0: unknown}


def test_without_an_answer_the_attempt_to_look_at_met_a_path() -> None:
    """It says most of why there is none."""
    view = folded(
        [
            AttemptStarted(0, "bmc", (), (0,)),
            AttemptStarted(1, "transition", (), (0,)),
            PathFound(0, (0, 1), "refuted"),
            AttemptStarted(2, "concrete", (), (0,)),
        ]
    )
    assert view.attempt is view.attempts[-1]
    view.add(VerdictReached("TIMEOUT", 124, (), "", "the time limit is reached", ""))
    assert view.attempt.event == AttemptStarted(1, "transition", (), (0,))


def test_a_stranger_s_attempts_do_no_harm() -> None:
    view = folded([AttemptContinued(7), AttemptEnded(7, "failed", "", 0), PhaseStarted("explore")])
    assert view.phase == "explore"


def test_the_rest_is_kept() -> None:
    view = folded([TermDefined(4, "symbol", (), "x", "Int"), Truncated("nodes", 20)])
    assert view.attempt.terms[4].payload == "x"
    assert view.attempt.truncated == {"nodes": 20}
    view.skip()
    assert view.position == 3


def test_events_about_unknown_nodes_do_no_harm() -> None:
    view = folded([NodeChanged(7, 8, (), 1), NodesRemoved((9,)), NodeCovered(1, (), ((), 0), 2)])
    assert view.attempt.states.nodes == {}


STEP = EvidenceStep("i++", "integers", "cvc5", (2,))
EXAMINED: list[Event] = [
    AttemptStarted(0, "transition", (), (0,)),
    PhaseStarted("certify"),
    EvidenceStep("i = 0", "bit-precise", "syntax", (1,)),
    STEP,
    Counter("n", 1),
    EvidenceRepeated(1, "bit-precise"),
    EvidenceRepeated(3, "bit-precise"),  # there is no such step
]


def test_evidence_has_its_last_result_and_the_seconds_since_the_event_before() -> None:
    view = RunView()
    for seconds, event in zip((0.0, 1.0, 1.25, 3.25, 4.25, 4.75, 9.0), EXAMINED, strict=True):
        view.add(event, seconds)
    assert [(step.event.result, step.seconds) for step in view.attempt.evidence] == [
        ("bit-precise", 0.25),
        ("bit-precise", 2.5),
    ]


def test_a_lemma_is_pushed_over_frames_while_it_is_alive() -> None:
    lemmas: list[Event] = [LemmaAdded(number, "invariant", "diagram", 0, (), ((), 1)) for number in (1, 2)]
    pushed: list[Event] = [LemmasPushed((1, 2, 9), 3), LemmasRemoved((2,)), LemmasPushed((1, 2), ALL_FRAMES)]
    view = folded([AttemptStarted(0, "pdr", (), (0,)), *lemmas, *pushed])
    one, other = view.attempt.lemmas
    assert [one.level_at(position) for position in range(1, 6)] == [None, None, 3, 3, ALL_FRAMES]
    assert other.level_at(5) == 3


def test_of_several_engines_that_answered_the_one_with_the_violation_is_shown() -> None:
    view = RunView()

    def answered(check: int, status: str) -> CheckDecided:
        return CheckDecided(check, "assertion", "", "small.c", check + 1, 1, status, "", "")

    view.add(AttemptStarted(0, "bmc", (), (0, 1)))
    view.add(answered(0, "false"))
    view.add(AttemptStarted(1, "acsar", (), (1,)))
    view.add(answered(1, "true"))
    view.add(VerdictReached("false(assertion)", 1, (), "", "", ""))
    assert view.attempt.event is not None
    assert view.attempt.event.engine == "bmc"
