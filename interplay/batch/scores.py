"""What a verdict is worth, by the rules of SV-COMP (sv-comp.sosy-lab.org/rules.php)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import StrEnum

NO_OVERFLOW = "no signed overflow"  # an assumption under which a proof counts for nothing (arithmetic wraps around)


class Category(StrEnum):
    """How a verdict stands to what is expected, or how there is no verdict."""

    CORRECT_TRUE = "correct true"
    CORRECT_FALSE = "correct false"
    WRONG_TRUE = "wrong true"
    WRONG_FALSE = "wrong false"
    UNRATED = "unrated"  # an answer, where nobody knows the right one
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

CORRECT = (Category.CORRECT_TRUE, Category.CORRECT_FALSE)
WRONG = (Category.WRONG_TRUE, Category.WRONG_FALSE)
_SILENT = {
    "TIMEOUT": Category.TIMEOUT,
    "OUT OF MEMORY": Category.MEMORY,
    "ERROR (unsupported)": Category.UNSUPPORTED,
}


def category(expected: str, verdict: str, assumptions: Sequence[str] = ()) -> Category:
    """`expected` is `true`, `false`, `false(SUBPROPERTY)` or empty; `verdict` is a verdict string of SV-COMP.

    A violation of another subproperty than the expected one is wrong. A `true` that assumes that no signed
    arithmetic overflows is no answer.
    """
    word, _, rest = verdict.partition("(")
    if word == "true" and not any(NO_OVERFLOW in assumption for assumption in assumptions):
        return _rated(expected, expected == "true", Category.CORRECT_TRUE, Category.WRONG_TRUE)
    if word == "false":
        _, _, subproperty = expected.partition("(")
        right = expected.startswith("false") and (not subproperty or not rest or subproperty == rest)
        return _rated(expected, right, Category.CORRECT_FALSE, Category.WRONG_FALSE)
    return _SILENT.get(verdict, Category.ERROR if word.startswith("ERROR") else Category.UNKNOWN)


def _rated(expected: str, right: bool, good: Category, bad: Category) -> Category:
    if not expected:
        return Category.UNRATED
    return good if right else bad
