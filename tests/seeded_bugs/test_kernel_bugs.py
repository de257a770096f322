"""Each requirement of the kernel is needed: without it, something wrong is accepted, or the kernel fails."""

from __future__ import annotations

import pytest

from tests.seeded_bugs.kernel_bugs import requirements, weaker_kernel
from tests.unit.core.decision import test_kernel

REQUIREMENTS = requirements()


def is_noticed() -> bool:
    """Whether the kernel in use is seen to be too weak."""
    try:
        for test in test_kernel.ANSWERS:
            test()
        return any(map(test_kernel.accepts, test_kernel.WRONG.values()))
    except (AssertionError, LookupError, TypeError, ValueError):
        return True


def test_the_kernel_itself_is_not_too_weak() -> None:
    assert not is_noticed()
    assert len(REQUIREMENTS) > 30


@pytest.mark.parametrize("requirement", REQUIREMENTS)
def test_each_requirement_is_needed(requirement: str, monkeypatch: pytest.MonkeyPatch) -> None:
    weaker = weaker_kernel(requirement)
    monkeypatch.setattr(test_kernel, "Kernel", weaker.Kernel)
    monkeypatch.setattr(test_kernel, "cases_of", weaker.cases_of)
    monkeypatch.setattr(test_kernel, "Wrong", weaker.Wrong)
    assert is_noticed()
