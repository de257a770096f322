"""Results of checks that depend on those of others."""

from __future__ import annotations

import pytest

from core.program.span import Span
from core.verdict import CheckResult, Status
from interplay.session.examination import not_excluded, not_followed

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


def test_the_check_behind_which_nothing_is_followed_is_the_last_one_before() -> None:
    """Of `2.0 * (a * b)` in columns 1 to 14, what is wrong in `a * b` comes before what is wrong in all of it."""
    outer = CheckResult(0, "float-overflow", "overflow in 2.0 * (a * b)", Span("t.c", 5, 1, 5, 14), Status.FALSE)
    inner = CheckResult(1, "float-overflow", "overflow in a * b", Span("t.c", 5, 8, 5, 13), Status.FALSE)
    found = [
        CheckResult(number, "nan", "no number", Span("t.c", line, 1, line, end), Status.TRUE, "an invariant")
        for number, (line, end) in enumerate([(5, 13), (5, 14), (7, 3), (2, 9)], 2)
    ]
    *_, first, second, third, fourth = not_followed([outer, inner, *found])
    assert "overflow in a * b " in first.reason
    assert all("overflow in 2.0 * (a * b) " in one.reason for one in (second, third, fourth))
