"""Options of the engine `chc`."""

from __future__ import annotations

from dataclasses import field
from enum import StrEnum

from core.dataclass import dataclass
from methods.options import EngineOptions


class Summaries(StrEnum):
    """The functions that are summarised once instead of expanded at each call."""

    RECURSIVE = "recursive"  # functions that may call themselves; calls of all others are expanded
    ALL = "all"


@dataclass(frozen=True, slots=True)
class ChcOptions(EngineOptions):
    """The options of the engine `chc`."""

    summaries: Summaries = field(
        default=Summaries.RECURSIVE,
        metadata={"help": "which functions are summarised once: those that call themselves, or all"},
    )
