"""The results of a run of the real program that shall confirm a claim."""

from __future__ import annotations

from core.dataclass import dataclass
from core.verdict import Confirmer


@dataclass(frozen=True, slots=True)
class Reproduced:
    """The program reached the error; `by` says how that was established, in words that begin with the `confirmer`."""

    by: str
    confirmer: Confirmer


@dataclass(frozen=True, slots=True)
class NotReproduced:
    """The program ran and did not do what was claimed, or not without undefined behaviour before it."""

    reason: str
    undefined: str = ""
    """The undefined behaviour, with its place."""
    advice: str = ""
    """A question that decides whether it can happen, where that was not asked."""


@dataclass(frozen=True, slots=True)
class NotAvailable:
    """The program could not be run at all."""

    reason: str


ReplayResult = Reproduced | NotReproduced | NotAvailable
