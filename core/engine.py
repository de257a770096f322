"""The contract of engines, and the context in which they run."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from core.events import EditAction as EditAction
from core.events import Event, Level, Place
from core.limits import Limits
from core.program import Program
from core.solver.contract import SolverFactory
from core.terms import Term
from core.verdict import Outcome


@dataclass(frozen=True)
class Supported:
    """The engine can be run on the program."""


@dataclass(frozen=True)
class Reason:
    """Why an engine does not take a program: one sentence."""

    text: str


@dataclass(frozen=True)
class Edit:
    """One change of the precision: at `place`, or everywhere if None."""

    action: EditAction
    formula: Term | None
    place: Place | None


class Context(Protocol):
    """What a run gives its engine. The same program, checks, options and seed lead to the same calls of `emit`."""

    limits: Limits
    seed: int
    solver: SolverFactory
    options: Mapping[str, str]

    def wants(self, level: Level) -> bool:
        """Whether an observer reads events of this level; engines build no texts and terms for nobody."""
        ...

    def emit(self, event: Event) -> None: ...

    def term(self, term: Term) -> int:
        """The number of `term` in the event stream, defining it (and its subterms) first if it is new."""
        ...

    def between_rounds(self, round: int) -> Sequence[Edit]:
        """Edits before this round; blocks while the run is paused, with the limits stopped."""
        ...


class Engine(Protocol):
    """A verification method. Law: an outcome is only a claim; its evidence decides."""

    name: str

    def supports(self, program: Program) -> Supported | Reason: ...

    def run(self, program: Program, checks: Sequence[int], context: Context) -> Mapping[int, Outcome]:
        """One outcome for each of `checks` (ids). Raises `NoAnswer` where the whole run ends without any."""
        ...
