"""The limits of a portfolio: the time until its attempts are measured again."""

import time

import pytest

from interplay.portfolio.attempt import PortfolioAttempt
from interplay.portfolio.limits import MAX_WAIT, MIN_WAIT, LimitWatch
from interplay.portfolio.plan import Turn
from interplay.session.request import Request


def test_a_paused_run_is_looked_at_seldom_however_little_is_left_of_a_slice(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(time, "monotonic", lambda: 7.0)
    attempt = PortfolioAttempt(Turn("bmc", 0.25, 1.0, "a reason"))
    attempt.running = True
    attempt.spend(0.2499)
    watch = LimitWatch(Request("a.c"), [attempt])
    assert watch.wait(paused=False) == pytest.approx(MIN_WAIT)
    assert watch.wait(paused=True) == pytest.approx(MAX_WAIT)
