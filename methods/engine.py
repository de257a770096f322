"""The contract of engines, and the context in which they run."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol

from core.dataclass import dataclass
from core.limits import Limits
from core.program import Program
from core.solver.contract import SolverFactory
from core.terms import Term
from core.verdict import Outcome
from methods.options import EngineOptions
from runs.events import EditAction as EditAction
from runs.events import Event, Level, Place


@dataclass(frozen=True)
class Supported:
    """The answer that an engine can be run on the program."""


@dataclass(frozen=True)
class NotSupported:
    """The reason for which an engine does not take a program, in one sentence."""

    text: str


@dataclass(frozen=True)
class Edit:
    """One change of the precision: at `place`, or everywhere if None."""

    action: EditAction
    formula: Term | None
    place: Place | None


@dataclass(frozen=True)
class EngineDescription:
    """The description of an engine, known before the engine is loaded.

    Command line, portfolio, window and documentation read it. `implementation` and `parts` name a class and functions
    of other engines as `module:name`; the class is called with the parts. `round`, `node` and `lemma` say what these
    words mean in the events of this engine; `nouns` are its own short words for them, in the
    singular. `steering` says what becomes of a predicate that a user adds, empty where the engine takes none.
    `reasons_about_arrays` marks engines for which elements of arrays stay what they are. `floats` is what the engine
    cannot do with floating-point arithmetic, in a sentence; empty where it decides it.
    """

    name: str
    method: str
    source: str
    implementation: str
    round: str
    node: str
    lemma: str
    nouns: tuple[str, str, str] = ("round", "abstract state", "lemma")
    steering: str = ""
    options: type[EngineOptions] = EngineOptions
    parts: tuple[str, ...] = ()
    reasons_about_arrays: bool = False
    floats: str = ""


class Context(Protocol):
    """The services that a run gives its engine.

    The same program, checks, options and seed lead to the same calls of `emit`.
    """

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

    def decided(self, outcomes: Mapping[int, Outcome]) -> None:
        """Report outcomes of checks (ids) as soon as they are known, since limits may end the run before it returns.

        May raise `NoAnswer`.
        """
        ...

    def between_rounds(self, round: int) -> Sequence[Edit]:
        """The edits that a user made before this round; blocks while the run is paused, with the limits stopped."""
        ...


class Engine(Protocol):
    """A verification method. Law: an outcome is only a claim; its evidence decides."""

    name: str

    def supports(self, program: Program) -> Supported | NotSupported: ...

    def run(self, program: Program, checks: Sequence[int], context: Context) -> Mapping[int, Outcome]:
        """One outcome for each of `checks` (ids), those it reported too. Raises `NoAnswer` for an early end."""
        ...
