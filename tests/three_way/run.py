"""Runs of a program, whichever way they are made: their ends, and whether two agree."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum

MAX_CALLS = 20_000
"""Calls that a run notes; it goes on behind them."""


class End(Enum):
    """The end of a run.

    `STOPPED` is abort, exit, a failed assumption or anything else that ends the path without an error.
    """

    ERROR = "error"
    RETURNED = "returned"
    STOPPED = "stopped"
    CUT = "cut"
    UNDEFINED = "undefined"
    KILLED = "killed"


@dataclass(frozen=True, slots=True)
class Run:
    """A run: `line` of the error, `calls` of defined functions in order, and `globals`, the values at the end."""

    end: End
    line: int = 0
    calls: tuple[str, ...] = ()
    globals: Mapping[str, int | tuple[int, ...]] = field(default_factory=dict)
    detail: str = ""
    steps: int = 0


_INCOMPLETE = (End.CUT, End.UNDEFINED, End.KILLED)


def difference(left: Run, right: Run) -> str | None:
    """The difference of two runs of one program on equal inputs; what follows a cut or undefined behaviour is free."""
    if left.end in _INCOMPLETE or right.end in _INCOMPLETE:
        return _prefix(left, right)
    if (left.end, left.line) != (right.end, right.line):
        return f"{_said(left)}, {_said(right)}"
    if left.calls != right.calls and Counter(left.calls) != Counter(right.calls):
        return f"calls: {_first_difference(left.calls, right.calls)}"
    for name in left.globals.keys() & right.globals.keys():
        if left.globals[name] != right.globals[name]:
            return f"{name} is {left.globals[name]}, {right.globals[name]}"
    return None


def _prefix(left: Run, right: Run) -> str | None:
    """A run that was killed says nothing; of the others, one must be the beginning of the other."""
    if End.KILLED in (left.end, right.end):
        return None
    for one, other in ((left, right), (right, left)):
        if one.end not in _INCOMPLETE and len(one.calls) < len(other.calls):
            return f"{_said(one)} after {len(one.calls)} calls, {_said(other)} after {len(other.calls)}"
    common = min(len(left.calls), len(right.calls))
    if left.calls[:common] == right.calls[:common]:
        return None
    # gcc has arguments from right to left; where that matters the program is refused.
    excess = Counter(left.calls[:common]) - Counter(right.calls[:common])
    if sum(excess.values()) <= 2:
        return None
    return f"calls: {_first_difference(left.calls, right.calls)}"


def _said(run: Run) -> str:
    where = f" of line {run.line}" if run.line else ""
    return f"{run.end.value}{where}{f' ({run.detail})' if run.detail else ''}"


def _first_difference(left: tuple[str, ...], right: tuple[str, ...]) -> str:
    for number, (one, other) in enumerate(zip(left, right, strict=False)):
        if one != other:
            return f"number {number} is {one}, {other}"
    return f"{len(left)}, {len(right)}"
