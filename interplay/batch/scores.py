"""Scores of verdicts by the rules of SV-COMP (sv-comp.sosy-lab.org/rules.php)."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum

from core.verdict import Status, stated_status


class Category(StrEnum):
    """The category of a result: a verdict compared with the expected one, or the kind of missing verdict."""

    CORRECT_TRUE = "correct true"
    CORRECT_FALSE = "correct false"
    WRONG_TRUE = "wrong true"
    WRONG_FALSE = "wrong false"
    UNRATED_TRUE = "unrated true"  # an answer, where nobody knows the right one
    UNRATED_FALSE = "unrated false"
    UNKNOWN = "unknown"
    TIMEOUT = "timeout"
    MEMORY = "memory"
    UNSUPPORTED = "unsupported"
    ERROR = "error"


SCORES: Mapping[Category, int] = {
    Category.CORRECT_TRUE: 2,
    Category.CORRECT_FALSE: 1,
    Category.WRONG_TRUE: -32,
    Category.WRONG_FALSE: -16,
}

_UNSUPPORTED = "ERROR (unsupported)"
CORRECT = (Category.CORRECT_TRUE, Category.CORRECT_FALSE)
WRONG = (Category.WRONG_TRUE, Category.WRONG_FALSE)
UNRATED = (Category.UNRATED_TRUE, Category.UNRATED_FALSE)


def category(expected: str, verdict: str) -> Category:
    """The category of `verdict`, a verdict string of SV-COMP.

    `expected` is `true`, `false`, `false(SUBPROPERTY)` or empty.

    A violation of another subproperty than the expected one is wrong.
    """
    match stated_status(verdict):
        case Status.TRUE | Status.FALSE as answer if not expected:
            return Category.UNRATED_TRUE if answer is Status.TRUE else Category.UNRATED_FALSE
        case Status.TRUE:
            return Category.CORRECT_TRUE if expected == Status.TRUE else Category.WRONG_TRUE
        case Status.FALSE:
            right = stated_status(expected) is Status.FALSE and _agree(_subproperty(expected), _subproperty(verdict))
            return Category.CORRECT_FALSE if right else Category.WRONG_FALSE
        case Status.TIMEOUT:
            return Category.TIMEOUT
        case Status.OUT_OF_MEMORY:
            return Category.MEMORY
        case Status.ERROR:
            return Category.UNSUPPORTED if verdict == _UNSUPPORTED else Category.ERROR
        case Status.UNKNOWN:
            return Category.UNKNOWN


def _subproperty(verdict: str) -> str:
    """The subproperty in a verdict `false(SUBPROPERTY)`."""
    return verdict.partition("(")[2]


def _agree(expected: str, found: str) -> bool:
    return not expected or not found or expected == found
