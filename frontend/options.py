"""The options of the front end."""

from __future__ import annotations

from enum import StrEnum


class ArithmeticChoice(StrEnum):
    """The encoding of machine integers in programs. Both are exact."""

    AUTO = "auto"  # integers where they express everything that reachable code does, else bit-vectors
    INTEGERS = "integers"  # linear integer arithmetic; a bit operation that it does not express is refused
    BITVECTORS = "bitvectors"


class Acsl(StrEnum):
    """The treatment of the annotations `/*@ … */` and `//@ …`."""

    READ = "read"  # claims that are checked
    IGNORED = "ignored"  # comments
