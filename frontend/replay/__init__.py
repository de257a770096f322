"""Runs of the real program: a claim of `Unsafe` counts once a run was seen to reach the error, one of `Executed` once
the only execution was seen not to.

Native replay comes first, then the interpreter of typed C. Both take their inputs by place and occurrence; a value
that was not recorded (it was sliced away) is 0.
"""

from __future__ import annotations

from frontend.replay.confirm import Native, confirm
from frontend.replay.contents import replayable
from frontend.replay.native import NotAvailable, NotReproduced, ProcessLimits, ReplayResult, Reproduced, replay
from frontend.replay.policy import error_policy
from frontend.replay.repetition import repeat

__all__ = [
    "Native",
    "NotAvailable",
    "NotReproduced",
    "ProcessLimits",
    "ReplayResult",
    "Reproduced",
    "confirm",
    "error_policy",
    "repeat",
    "replay",
    "replayable",
]
