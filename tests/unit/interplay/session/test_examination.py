"""Results of checks that depend on those of others."""

from __future__ import annotations

import pytest

from core.program.span import Span
from core.verdict import CheckResult, Status
from interplay.session.examination import not_excluded

SPAN = Span("t.c", 3, 1, 3, 2)
OTHER = CheckResult(1, "overflow", "signed overflow", SPAN, Status.TRUE, "an invariant")


@pytest.mark.parametrize(
    ("property", "status", "reason", "expected"),
    [
        ("dangling", Status.UNKNOWN, "bmc: the counterexample is not confirmed: it ends", Status.UNKNOWN),
        ("valid-deref", Status.UNKNOWN, "the counterexample is not confirmed: it ends", Status.UNKNOWN),
        ("dangling", Status.UNKNOWN, "the time limit is reached", Status.TRUE),
        ("dangling", Status.FALSE, "", Status.TRUE),
        ("assertion", Status.UNKNOWN, "the counterexample is not confirmed: it ends", Status.TRUE),
    ],
)
def test_nothing_is_true_behind_an_access_whose_counterexample_is_not_confirmed(
    property: str, status: Status, reason: str, expected: Status
) -> None:
    """Executions may go on behind it, where they were not followed."""
    access = CheckResult(0, property, "invalid access in *p", SPAN, status, "", reason)
    first, second = not_excluded([access, OTHER])
    assert first == access
    assert second.status is expected
    assert ("t.c:3" in second.reason) is (expected is Status.UNKNOWN)
