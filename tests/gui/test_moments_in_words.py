"""Timeline, contradictions and the table of predicates over stored and made-up runs, without a widget."""

from pathlib import Path

import pytest

from core.limits import Cause
from interplay.presentation.record.lemmas import LemmaKind, kinds, matches, origin_words, table
from interplay.presentation.record.paths import path_shown
from interplay.presentation.record.reasons import contradiction, learned_in, sentence
from interplay.presentation.record.run import LATEST, RunRecord
from interplay.presentation.record.timeline import KNOWN_PREDICATES, columns, phases_of, place_words
from interplay.presentation.record.unanswered import SERIES, no_answer
from interplay.session.request import Request
from runs.events import (
    AttemptStarted,
    CheckDecided,
    Edited,
    Event,
    LemmaAdded,
    NodeAdded,
    NodeChanged,
    PathFound,
    PhaseStarted,
    RoundStarted,
    TermDefined,
    VerdictReached,
)
from runs.runview import RunView
from tests.gui.conftest import GOLDEN
from tests.support.small_programs import counting_loop

FILE = "small.c"
PATH = (0, 1, 2, 3, 4, 5, 6)


@pytest.fixture
def record() -> RunRecord:
    """Two rounds: a predicate is seeded, one is learned in the first, the user adds one before the second."""
    view = RunView()
    events: list[tuple[Event, float]] = [
        (AttemptStarted(0, "transition", (), (0,)), 0.0),
        (TermDefined(0, "symbol", (), "main::i", "Int"), 0.0),
        (TermDefined(1, "le", (0,), "0", "Bool"), 0.0),
        (TermDefined(2, "le", (0,), "9", "Bool"), 0.0),
        (TermDefined(3, "le", (0,), "7", "Bool"), 0.0),
        (TermDefined(4, "and", (1, 2), "", "Bool"), 0.0),
        (LemmaAdded(0, "predicate", "guard seed", 1, (), None), 0.0),
        (RoundStarted(0, "start"), 0.0),
        (PhaseStarted("explore"), 0.0),
        (NodeAdded(0, -1, ((), 0), (), 1), 0.1),
        (NodeAdded(1, 0, ((0,), 4), (0, 1, 2), 1), 0.1),
        (PhaseStarted("refine"), 0.5),
        (LemmaAdded(1, "predicate", "core", 2, (), ((0,), 4)), 0.6),
        (LemmaAdded(2, "transition", "core", 4, (3,), ((0,), 4)), 0.6),
        (PathFound(0, PATH, "spurious", (2, 5)), 0.7),
        (RoundStarted(1, "refined"), 0.8),
        (Edited(1, "add-predicate", 3, ((0,), 4)), 0.8),
        (LemmaAdded(3, "predicate", "user", 3, (), ((0,), 4)), 0.8),
        (PhaseStarted("explore"), 0.8),
        (NodeChanged(1, 0, (3,), 4), 0.9),
        (NodeAdded(2, 1, ((0,), 6), (5,), 2), 0.9),
        (VerdictReached("true", 0, (), "", "", ""), 1.0),
    ]
    for event, seconds in events:
        view.add(event, seconds)
    found = RunRecord(Request(FILE), view)
    found.program = counting_loop(11)
    return found


def test_columns_say_what_happened(record: RunRecord) -> None:
    first, last = columns(record)
    assert (first.title, first.sign, last.title, last.sign) == ("1", "↺", "end", "")
    assert first.words.startswith(
        "Refinement 1: a path to line 6 was found; no execution follows it; 2 lemmas learned, 1 of them "
    )
    assert "exploring 0.50\N{NO-BREAK SPACE}s" in first.words
    assert (first.lemmas, first.new_lemmas, first.row.learned) == (2, 1, 2)
    assert last.more_states == 1
    assert last.edits == ("added i <= 7",)
    assert last.brief.endswith("before it a person added i <= 7")
    assert phases_of((first, last)) == ("explore", "refine")
    assert place_words((first, last), 0) == "refinement 1 of 1"
    assert place_words((first, last), 1) == "round 2 of 2"
    assert place_words((first, last), None) == "after 1 refinement"


def test_a_round_without_a_path_is_no_proof_if_it_was_cut_off(record: RunRecord) -> None:
    since = "Round 2, since refinement 1 excluded its path, and there may be others:"
    assert f"{since} it was cut off before a path was found" in columns(record)[-1].words
    record.view.add(CheckDecided(0, "unreach-call", "assertion i == 10", FILE, 6, 5, "true", "a proof", ""), 1.1)
    assert f"{since} no path was found" in columns(record)[-1].words


def test_predicates_that_count_rounds_are_told(record: RunRecord) -> None:
    """They are why a refinement does not end."""
    view = record.view
    for number in range(SERIES):
        view.add(RoundStarted(2 + number, "refined"), 1.1)
        view.add(TermDefined(10 + number, "le", (0,), str(20 + number), "Bool"), 1.2)
        view.add(LemmaAdded(10 + number, "predicate", "core", 10 + number, (), ((0,), 4)), 1.2)
    view.add(VerdictReached("TIMEOUT", 124, (), "", Cause.TIME_LIMIT, ""), 1.3)
    found = no_answer(record)
    assert found is not None
    assert f"{SERIES + 1} refinements found predicates that differ in a number alone" in found.series
    assert "(i <= 9, i <= 20, …, i <= 23)" in found.series  # neither the seeded one nor that of a person
    assert found.series in found.parts()[0][1]


def test_what_is_true_of_every_state_was_not_learned(record: RunRecord) -> None:
    view = record.view
    before = columns(record)[-1].row.learned
    view.add(TermDefined(5, "constant", (), "true", "Bool"), 1.1)
    view.add(LemmaAdded(4, "transition", "core", 5, (3,), ((0,), 4)), 1.1)
    assert columns(record)[-1].row.learned == before
    assert all(one.formula != "true" for one in learned_in(record, LATEST, 1))
    assert len(table(record, LATEST, None, LemmaKind.CONSTRAINTS).rows) == 1


def test_the_same_text_is_said_once(record: RunRecord) -> None:
    view = record.view
    for lemma in (7, 8):
        view.add(LemmaAdded(lemma, "transition", "core", 4, (3,), ((0,), 4)), 1.1)
    (added, said) = learned_in(record, LATEST, 1)
    assert (added.lemmas, said.lemmas) == ((3,), (7, 8))


def test_a_refinement_without_new_predicates_says_what_was_missing(record: RunRecord) -> None:
    view = record.view
    view.add(RoundStarted(2, "refined"), 1.1)
    view.add(LemmaAdded(4, "transition", "core", 4, (3,), ((0,), 4)), 1.2)
    view.add(PathFound(0, PATH, "spurious", (2, 5)), 1.2)
    assert KNOWN_PREDICATES in columns(record)[-1].words
    assert KNOWN_PREDICATES not in columns(record)[0].words  # it found one


def test_an_engine_that_gives_up_is_stuck_at_its_last_path(record: RunRecord) -> None:
    view = record.view
    view.add(PathFound(0, PATH, "spurious", (2, 5)), 1.1)
    assert [column.sign for column in columns(record)] == ["↺", "↺"]
    view.add(CheckDecided(0, "", "assertion", FILE, 6, 1, "unknown", "", Cause.NO_PREDICATES), 1.2)
    excluded, stuck = columns(record)
    assert (excluded.sign, stuck.sign) == ("↺", "?")
    assert "no execution follows it, but no predicates were found that exclude it" in stuck.words
    assert place_words((excluded, stuck), None) == "after 1 refinement, stuck in number 2"
    assert place_words((excluded, stuck), 0) == "refinement 1 of 1"
    shown = path_shown(record, LATEST, 1, None)
    assert shown is not None
    assert shown.heading.endswith("but no predicates were found that exclude it")


def test_a_contradiction_is_told_in_words(record: RunRecord) -> None:
    found = contradiction(record, LATEST, 0)
    assert [one.line for one in found] == [4, 5]
    assert sentence(found) == "line 4 sets i = 0, line 5 needs i > 10: together impossible"
    assert sentence(()) == ""
    assert contradiction(record, LATEST, 1) == ()


def test_what_was_learned_says_where_it_went(record: RunRecord) -> None:
    found = learned_in(record, LATEST, 0)
    assert [one.kind for one in found] == ["predicate", "constraint of a step"]  # not what was known before
    assert (found[0].formula, found[0].where) == ("i <= 9", "line 5")
    assert found[0].line is not None


def test_predicates_against_lines(record: RunRecord) -> None:
    assert kinds(record) == (LemmaKind.PREDICATES, LemmaKind.CONSTRAINTS)
    before, after = (table(record, LATEST, round, LemmaKind.PREDICATES) for round in (0, None))
    assert [row.text for row in before.rows] == ["i <= 0", "i <= 9"]
    assert [(row.born, row.fresh, row.by_person) for row in before.rows] == [(0, False, False), (1, True, False)]
    assert [(row.born, row.by_person) for row in after.rows] == [(0, False), (1, False), (2, True)]
    assert not before.rows[1].lines
    assert after.rows[1].lines  # the state at the loop mentions it by now
    assert not after.rows[2].lines
    assert set(after.lines) >= after.rows[1].lines


def test_the_origin_of_a_predicate(record: RunRecord) -> None:
    seeded, learned, added = table(record, LATEST, None, LemmaKind.PREDICATES).rows
    assert "Known before the first refinement" in origin_words(record, LATEST, seeded)
    words = origin_words(record, LATEST, learned)
    assert "Born in refinement 1, from its spurious path to line 6; it is from the statements that contradict" in words
    assert "mention it: 1." in words
    assert "A person added it before round 2" in origin_words(record, LATEST, added)
    assert matches(added, "user I <=")
    assert not matches(learned, "user")


def test_constraints_are_tabled_by_step(record: RunRecord) -> None:
    (row,) = table(record, LATEST, None, LemmaKind.CONSTRAINTS).rows
    assert row.step == "i < bound"
    assert row.lines


def test_strangers_numbers_are_survived() -> None:
    view = RunView()
    for event in (
        AttemptStarted(0, "x", (), ()),
        TermDefined(0, "and", (0, 9), "", "Bool"),
        LemmaAdded(0, "predicate", "?", 7, (900,), ((88,), 700)),
        RoundStarted(4, "?"),
        PathFound(9, (0, 99), "odd", (50, 1)),
        NodeAdded(0, 0, ((), 900), (800,), 0),
        Edited(4, "?", 99, None),
    ):
        view.add(event)
    one = RunRecord(Request(FILE), view, Path("x"))
    one.program = counting_loop(3)
    assert columns(one)[0].words
    assert contradiction(one, LATEST, None) == ()
    assert table(one, LATEST, None, LemmaKind.PREDICATES).rows
    assert learned_in(one, LATEST, 4) is not None


def test_the_golden_run_has_a_timeline() -> None:
    from runs.runfile import open_run

    one = RunRecord.of(open_run(GOLDEN))
    assert len(columns(one)) == len(one.attempt().rounds)
