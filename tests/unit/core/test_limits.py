"""Causes of missing answers, as they are stored and read again; parts of a budget."""

import pytest

from core.limits import Cause, Interrupted, Limits, cause_of


@pytest.mark.parametrize("cause", Cause)
def test_a_stored_reason_has_its_cause(cause: Cause) -> None:
    assert cause_of(cause.value) is cause
    assert cause_of(f"{cause}: with details") is cause


@pytest.mark.parametrize("reason", ["", "engine chc: it takes no loops", "bmc: out of memory", "out of memory again"])
def test_other_reasons_are_for_display_only(reason: str) -> None:
    assert cause_of(reason) is None


def test_half_of_a_budget() -> None:
    assert Limits().half().remaining() == float("inf")
    whole = Limits(1e9)
    part = whole.half()
    assert 4e8 < part.remaining() < 6e8
    part.check()
    whole.stop()
    with pytest.raises(Interrupted):
        part.check()
