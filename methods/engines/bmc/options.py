"""Options of the engine `bmc`."""

from __future__ import annotations

from dataclasses import field
from enum import StrEnum

from core.dataclass import dataclass
from methods.options import EngineOptions


class InductionMode(StrEnum):
    """The use of k-induction beside the search."""

    ON = "on"  # rounds of the search alternate with k-induction
    OFF = "off"  # a proof needs a program that can be unrolled completely


@dataclass(frozen=True, slots=True)
class BmcOptions(EngineOptions):
    """The options of the engine `bmc`."""

    induction: InductionMode = field(
        default=InductionMode.ON,
        metadata={"help": "whether proofs are looked for, too (k-induction), or only violations"},
    )
