"""Causes of missing answers, as they are stored and read again; parts of a budget."""

import pytest

from core.limits import Cause, cause_of


@pytest.mark.parametrize("cause", Cause)
def test_a_stored_reason_has_its_cause(cause: Cause) -> None:
    assert cause_of(cause.value) is cause
    assert cause_of(f"{cause}: with details") is cause


@pytest.mark.parametrize("reason", ["", "engine chc: it takes no loops", "bmc: out of memory", "out of memory again"])
def test_other_reasons_are_for_display_only(reason: str) -> None:
    assert cause_of(reason) is None
