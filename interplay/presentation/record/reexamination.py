"""The state of an examination of stored evidence that a person has asked for."""

from __future__ import annotations

from dataclasses import dataclass

from core.run.events import CheckDecided


@dataclass(frozen=True)
class NotAsked:
    """Nobody has asked. `obstacle` says why nobody can, and is empty where one click does it."""

    obstacle: str = ""


@dataclass(frozen=True)
class Examining:
    """It is going on; `doing` says what."""

    doing: str


@dataclass(frozen=True)
class Examined:
    """What came out, check by check, after so many seconds on the clock; `verdict` is that of the whole."""

    verdict: str
    checks: tuple[CheckDecided, ...]
    seconds: float
    reason: str = ""

    def check(self, number: int) -> CheckDecided | None:
        return next((one for one in self.checks if one.check == number), None)


@dataclass(frozen=True)
class Broken:
    """No worker could be started, or what it said is not understood."""

    why: str


Reexamination = NotAsked | Examining | Examined | Broken
