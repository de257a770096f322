"""The search for a short counterexample, in a process of its own: see `methods.paths.canonical` for how.

A violation that was found is not lost because it could be shorter: calls in which solvers take terms may never return.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterator

from core.dataclass import dataclass
from core.limits import Limits
from core.program import Program
from core.verdict import Shortened, Unsafe
from interplay.session.apart import Apart
from interplay.session.context import Watchdog
from runs.evidence_json import decode_evidence, encode_evidence


@dataclass(frozen=True)
class AsFound:
    """A search for a short counterexample that leaves it as it is (`Shortening`)."""

    claim: Unsafe
    is_minimal: bool

    def result(self, limits: Limits, seconds: float = math.inf) -> Shortened | None:
        return Shortened(self.claim, self.is_minimal)


class ShorteningApart:
    """The search for a short counterexample to `check` in place of `claim`, of so many CPU `seconds` at most.

    A context manager (`Shortening`).
    """

    def __init__(self, program: Program, check: int, claim: Unsafe, seconds: float) -> None:
        self._program, self._check = program, check
        self._apart = Apart(_search(program, check, claim), seconds)

    def __enter__(self) -> ShorteningApart:
        return self

    def __exit__(self, *details: object) -> None:
        self._apart.__exit__(*details)

    def result(self, limits: Limits, seconds: float = math.inf) -> Shortened | None:
        found = self._apart.result(limits, seconds)
        if found is None:
            return None
        evidence, is_minimal = json.loads(found)
        claims = decode_evidence(evidence, self._program.arena).counterexamples
        return Shortened(claims[self._check], is_minimal)


def _search(program: Program, check: int, claim: Unsafe) -> Callable[[Limits], Iterator[bytes]]:
    def search(limits: Limits) -> Iterator[bytes]:
        from core.solver.z3_solver import Z3Factory
        from methods.paths.canonical import shortened

        ranges = (lambda symbol: program.range_of(program.arena.original(symbol))) if program.uses_bits else None
        solvers = Z3Factory(0, ranges)
        with Watchdog(limits, solvers.interrupt):
            for found in shortened(program, check, claim, solvers, limits):
                yield json.dumps([encode_evidence({check: found.claim}), found.is_minimal]).encode()

    return search
