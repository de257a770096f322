"""What a caller of the front end may choose."""

from __future__ import annotations

from enum import StrEnum


class ArithmeticChoice(StrEnum):
    """How programs compute with machine integers. Both ways are exact."""

    AUTO = "auto"  # integers where they express everything that reachable code does, else bit-vectors
    INTEGERS = "integers"  # linear integer arithmetic; a bit operation that it does not express is refused
    BITVECTORS = "bitvectors"


class Acsl(StrEnum):
    """What annotations `/*@ … */` and `//@ …` are."""

    READ = "read"  # claims that are checked
    IGNORED = "ignored"  # comments
