"""Proof obligations and what becomes of them.

A proof has a *reading*. It is bit-precise if it also stands when integers are read as bit-vectors of a width in which
nothing overflows: the formulas that the solver then refutes are about bit-vectors and wrap around at that width.
"""

from __future__ import annotations

from collections.abc import Container
from dataclasses import replace
from enum import StrEnum
from functools import cached_property

from core.dataclass import dataclass
from core.parameters import parameter
from core.terms import Term

Obligation = tuple[tuple[Term, ...], Term]  # hypotheses, goal


class Reading(StrEnum):
    """The reading of integers in a proof."""

    BIT_PRECISE = "bit-precise"
    INTEGERS = "integers"


@dataclass(frozen=True)
class Decided:
    """An obligation that holds, how its proof reads integers, and the tool that found the proof.

    `tool` is `syntax`, `intervals`, `differences`, `sat`, `equations`, `bitwuzla` or `cvc5`.
    """

    obligation: Obligation
    tool: str
    reading: Reading = Reading.BIT_PRECISE


@dataclass(frozen=True)
class Proved:
    """The obligation holds, as its `parts` do."""

    parts: tuple[Decided, ...]

    @property
    def tool(self) -> str:
        """The most expensive tool that was needed."""
        return max((one.tool for one in self.parts), key=TOOLS.index, default="syntax")

    @cached_property
    def over_integers(self) -> tuple[Obligation, ...]:
        """The parts that are not bit-precise."""
        return tuple(one.obligation for one in self.parts if one.reading is Reading.INTEGERS)

    @property
    def reading(self) -> Reading:
        return Reading.INTEGERS if self.over_integers else Reading.BIT_PRECISE

    def with_bits(self, repeated: Container[Obligation]) -> Proved:
        """This proof after those in `repeated` were repeated over bit-vectors."""
        precise = Reading.BIT_PRECISE
        return Proved(tuple(replace(o, reading=precise) if o.obligation in repeated else o for o in self.parts))

    def both(self, other: Proved) -> Proved:
        """The proof that consists of two."""
        return Proved(tuple(dict.fromkeys((*self.parts, *other.parts))))


@dataclass(frozen=True)
class Refuted:
    """The obligation fails, `tool` says: some state within range satisfies the hypotheses and not the goal."""

    tool: str


@dataclass(frozen=True)
class Open:
    """The obligation was not decided, for the `reason` given."""

    reason: str


ObligationResult = Proved | Refuted | Open

TOOLS = ("syntax", "intervals", "differences", "sat", "equations", "bitwuzla", "cvc5")
"""The tools that decide obligations, the cheapest first."""

WITHOUT_SOLVER = ("syntax", "intervals")


@dataclass(frozen=True)
class Effort:
    """Bounds of single queries: conflicts of the SAT solver, units of effort of SMT solvers.

    Intervals that are cut into parts have `intervals`. A query is tried over bit-vectors with effort `first_bits`, over
    integers with `first_integers`, then likewise with `query`; a proof that is repeated over bit-vectors, with
    `repeated`, by remainders with `remainders`, and the first `last_queries` that are open then with `last_bits`;
    `unrolled` is for the question about a complete unrolling, which is asked over bit-vectors with `unrolled_bits`,
    over integers with `query`, and once more. After `widened_queries` of those that repeat, or as soon as
    `widened_failures` had no answer, the remaining proofs stay over the integers; also when half of the time is used up
    that was left when repeating began.
    """

    conflicts: int = parameter("decision.effort.conflicts")
    first_integers: int = parameter("decision.effort.first-integers")
    query: int = parameter("decision.effort.query")
    intervals: int = parameter("decision.effort.intervals")
    unrolled: int = parameter("decision.effort.unrolled")
    unrolled_bits: int = parameter("decision.effort.unrolled-bits")
    first_bits: int = parameter("decision.effort.first-bits")
    repeated: int = parameter("decision.effort.repeated")
    remainders: int = parameter("decision.effort.remainders")
    last_bits: int = parameter("decision.effort.last-bits")
    last_queries: int = parameter("decision.effort.last-queries")
    widened_queries: int = parameter("decision.effort.widened-queries")
    widened_failures: int = parameter("decision.effort.widened-failures")


DEFAULT_EFFORT = Effort()
