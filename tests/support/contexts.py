"""A context for engines that records what they emit."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from core.limits import Limits, cpu_used
from core.program import Program
from core.solver.contract import SolverFactory
from core.solver.z3_solver import Z3Factory
from core.terms import Term
from core.verdict import Outcome
from methods.engine import Edit
from runs.events import Event, Level
from runs.termtable import TermWriter


def solver_for(program: Program) -> SolverFactory:
    """z3 over the integers, or over bit-vectors where the program needs that."""
    if not program.uses_bits:
        return Z3Factory(0)
    return Z3Factory(0, lambda symbol: program.range_of(program.arena.original(symbol)))


class RecordingContext:
    """Implements `methods.engine.Context`: z3, a limit of CPU seconds, edits by round, every event kept."""

    def __init__(
        self,
        level: Level = Level.SUMMARY,
        seconds: float = 20,
        edits: Mapping[int, Sequence[Edit]] | None = None,
        solver: SolverFactory | None = None,
        options: Mapping[str, str] | None = None,
    ) -> None:
        self.limits = Limits(cpu_used() + seconds)
        self.seed = 0
        self.solver: SolverFactory = solver or Z3Factory(0)
        self.options: Mapping[str, str] = options or {}
        self.events: list[Event] = []
        self.rounds: list[int] = []
        self.reported: dict[int, Outcome] = {}
        self._level = level
        self._edits = edits or {}
        self._writer = TermWriter(self.events.append)

    def wants(self, level: Level) -> bool:
        return level is Level.SUMMARY or self._level is Level.STATES

    def emit(self, event: Event) -> None:
        self.events.append(event)

    def term(self, term: Term) -> int:
        return self._writer.id(term)

    def decided(self, outcomes: Mapping[int, Outcome]) -> None:
        self.reported.update(outcomes)

    def between_rounds(self, round: int) -> Sequence[Edit]:
        self.rounds.append(round)
        return self._edits.get(round, ())
