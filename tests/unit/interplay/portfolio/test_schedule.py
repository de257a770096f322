"""Whose turn it is: openings first, then shares of the time; who claims an answer goes before all."""

from interplay.portfolio.plan import Turn
from interplay.portfolio.schedule import Seat, turns_of


def seats(*turns: tuple[float, float]) -> list[Seat]:
    return [Seat(Turn(str(number), opening, share, "")) for number, (opening, share) in enumerate(turns)]


def simulated(seats: list[Seat], cores: int, seconds: float) -> list[tuple[int, ...]]:
    """Who ran, in steps of a tenth of a second, without repetitions."""
    ran: list[tuple[int, ...]] = []
    for _ in range(round(10 * seconds)):
        now = turns_of(seats, cores)
        for number, seat in enumerate(seats):
            seat.running = number in now
            seat.used += 0.1 * seat.running
        if ran[-1:] != [now]:
            ran.append(now)
    return ran


def test_openings_are_one_after_the_other() -> None:
    assert simulated(seats((1, 1), (0.5, 1), (0, 1)), 2, 1.5) == [(0,), (1,)]


def test_the_time_is_shared_in_proportion() -> None:
    for cores in (1, 2):
        three = seats((1, 1), (0, 3), (0, 2))
        ran = simulated(three, cores, 200)
        assert max(map(len, ran)) == cores
        total = sum(seat.used for seat in three)
        parts = [seat.used / total for seat in three]
        wanted = (1 / 6, 1 / 2, 1 / 3) if cores == 1 else parts
        assert all(abs(part - right) < 0.15 for part, right in zip(parts, wanted, strict=True))


def test_slices_grow() -> None:
    assert len(simulated(seats((0, 1), (0, 1)), 1, 500)) < 40


def test_who_claims_an_answer_runs_alone() -> None:
    three = seats((1, 1), (0, 1), (0, 1))
    three[2].examining = True
    assert turns_of(three, 2) == (2,)
    three[2].ended = True
    assert turns_of(three, 2) == (0,)


def test_nobody_is_left() -> None:
    one = seats((1, 1))
    one[0].ended = True
    assert turns_of(one, 2) == ()
