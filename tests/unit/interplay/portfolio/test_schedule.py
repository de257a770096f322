"""The scheduler of the portfolio: openings first, then shares of the time; who claims an answer goes before all."""

from dataclasses import replace

import pytest

from interplay.portfolio.plan import Turn
from interplay.portfolio.schedule import (
    ENDING,
    EVIDENCE,
    EXAMINED,
    LEAST_EXAMINED,
    QUESTIONS,
    STEADY,
    ScheduledTurn,
    next_turns,
)
from runs.events import NOT_KNOWN, Progress

ALMOST = Progress(ENDING + 1, 1, STEADY, NOT_KNOWN)


def scheduled(*turns: tuple[float, float]) -> list[ScheduledTurn]:
    return [ScheduledTurn(Turn(str(number), opening, share, "")) for number, (opening, share) in enumerate(turns)]


def simulated(turns: list[ScheduledTurn], cores: int, seconds: float) -> list[tuple[int, ...]]:
    """The attempts that ran, in steps of a tenth of a second, without repetitions."""
    ran: list[tuple[int, ...]] = []
    for _ in range(round(10 * seconds)):
        now = next_turns(turns, cores)
        for number, one in enumerate(turns):
            one.running = number in now
            one.used += 0.1 * one.running
        if ran[-1:] != [now]:
            ran.append(now)
    return ran


def test_openings_are_one_after_the_other() -> None:
    assert simulated(scheduled((1, 1), (0.5, 1), (0, 1)), 2, 1.5) == [(0,), (1,)]


def test_the_time_is_shared_in_proportion() -> None:
    for cores in (1, 2):
        three = scheduled((1, 1), (0, 3), (0, 2))
        ran = simulated(three, cores, 200)
        assert max(map(len, ran)) == cores
        total = sum(one.used for one in three)
        parts = [one.used / total for one in three]
        wanted = (1 / 6, 1 / 2, 1 / 3) if cores == 1 else parts
        assert all(abs(part - right) < 0.15 for part, right in zip(parts, wanted, strict=True))


def test_an_attempt_that_is_about_to_end_has_a_larger_share() -> None:
    two = scheduled((0, 1), (0, 1))
    simulated(two, 1, 200)
    assert abs(two[0].used - two[1].used) < 40
    two = scheduled((0, 1), (0, 1))
    two[0].progress = ALMOST
    simulated(two, 1, 200)
    assert two[0].used > 2 * two[1].used


def test_an_attempt_that_is_about_to_end_has_its_share_on_two_cores() -> None:
    three = scheduled((0, 2), (0, 3), (0, 3))
    three[0].progress = ALMOST
    ran = simulated(three, 2, 200)
    assert all(0 not in now or now == (0,) for now in ran)
    assert {(0,), (1, 2)} <= set(ran)
    assert abs(three[0].used / sum(one.used for one in three) - 16 / 22) < 0.1


def test_slices_grow() -> None:
    assert len(simulated(scheduled((0, 1), (0, 1)), 1, 500)) < 40


def test_who_claims_an_answer_runs_alone() -> None:
    three = scheduled((1, 1), (0, 1), (0, 1))
    three[2].examining = True
    assert next_turns(three, 2) == (2,)
    three[2].ended = True
    assert next_turns(three, 2) == (0,)


def test_an_examination_that_lasts_lets_others_search() -> None:
    two = scheduled((0.5, 1), (0.5, 1))
    two[0].spend(1)
    two[0].examining = True
    assert next_turns(two, 1) == (0,)
    two[0].spend(1 + max(LEAST_EXAMINED, EXAMINED) + 4)
    assert next_turns(two, 1) == (1,)
    two[1].spend(3)
    assert two[0].concluded < EXAMINED * (1 + 3)
    assert next_turns(two, 1) == (0,)


@pytest.mark.parametrize("growth", [NOT_KNOWN, 2 * STEADY])
def test_steps_that_grow_are_no_sign_of_an_end(growth: int) -> None:
    (one,) = scheduled((1, 1))
    one.progress = replace(ALMOST, growth=growth)
    assert not one.is_ending


def test_the_more_steps_grow_the_more_must_be_done() -> None:
    (one,) = scheduled((1, 1))
    one.progress = Progress(3 * ENDING, 1, 3 * STEADY, NOT_KNOWN)
    assert not one.is_ending
    one.progress = replace(one.progress, done=3 * ENDING + 1)
    assert one.is_ending


def test_an_attempt_with_nothing_left_but_questions_goes_on_behind_its_opening() -> None:
    two = scheduled((0.5, 1), (4, 1))
    two[0].spend(1)
    assert next_turns(two, 2) == (1,)
    two[0].progress = Progress(0, 0, NOT_KNOWN, NOT_KNOWN)
    assert next_turns(two, 2) == (0,)
    two[0].spend(1 + QUESTIONS)
    assert next_turns(two, 2) == (1,)


def test_an_examination_has_the_time_that_its_evidence_is_expected_to_take() -> None:
    two = scheduled((0.1, 1), (4, 1))
    two[0].spend(0.1)
    two[0].examining = True
    two[0].spend(0.1 + LEAST_EXAMINED)
    assert next_turns(two, 2) == (1,)
    two[0].progress = Progress(NOT_KNOWN, NOT_KNOWN, NOT_KNOWN, 300)
    assert next_turns(two, 2) == (0,)
    two[0].spend(0.1 + LEAST_EXAMINED + 300 * EVIDENCE)
    assert next_turns(two, 2) == (1,)


def test_what_an_examination_took_is_no_part_of_an_opening() -> None:
    two = scheduled((1, 1), (1, 1))
    two[0].spend(0.5)
    two[0].examining = True
    two[0].spend(1.2)
    two[0].examining = False
    assert next_turns(two, 2) == (0,)
    assert two[0].slice_left == pytest.approx(0.5)
    two[0].spend(1.7)
    assert next_turns(two, 2) == (1,)


def test_an_examination_that_lasts_ends_an_opening() -> None:
    two = scheduled((1, 1), (1, 1))
    two[0].examining = True
    two[0].spend(10.0)
    assert next_turns(two, 2) == (1,)


def test_nobody_is_left() -> None:
    one = scheduled((1, 1))
    one[0].ended = True
    assert next_turns(one, 2) == ()
