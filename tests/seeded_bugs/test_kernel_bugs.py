"""Each requirement of the kernel is needed: without it, something wrong is accepted, or the kernel fails."""

from __future__ import annotations

import pytest

from tests.seeded_bugs.kernel_bugs import weaker_kernels
from tests.unit.core.decision import test_kernel

WEAKER = dict(weaker_kernels())


def is_noticed() -> bool:
    """Whether the kernel in use is seen to be too weak."""
    try:
        for test in test_kernel.ANSWERS:
            test()
        return any(test_kernel.kernel().check(*claim) for claim in test_kernel.WRONG.values())
    except (AssertionError, LookupError, TypeError, ValueError):
        return True


def test_the_kernel_itself_is_not_too_weak() -> None:
    assert not is_noticed()
    assert len(WEAKER) > 30


@pytest.mark.parametrize("requirement", WEAKER)
def test_each_requirement_is_needed(requirement: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(test_kernel, "Kernel", WEAKER[requirement].Kernel)
    monkeypatch.setattr(test_kernel, "cases_of", WEAKER[requirement].cases_of)
    assert is_noticed()
