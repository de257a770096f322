"""The services that a session depends on: front end, engines, solvers and examiners of evidence.

The session knows them by this contract alone, so that tests can bring their own. `DefaultServices` implements it; it
imports each part when it is first used, since start-up time is part of every run.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING, Protocol

from core.dataclass import dataclass
from core.limits import Limits
from core.program import Program
from core.program.span import Span
from core.solver.contract import SolverFactory
from core.terms import Term
from core.verdict import Certificate, CheckResult, Confirmer, Reachability, Shortened, Unsafe
from interplay.session.context import Emit
from interplay.session.request import ReplayMode, Request
from methods.engine import Engine

if TYPE_CHECKING:
    from core.analysis.scalars import ScalarView
    from runs.evidence_json import Evidence


@dataclass(frozen=True)
class EvidenceAccepted:
    """The evidence is confirmed; `by` names what examined it, in words that begin with the `confirmer`."""

    by: str
    confirmer: Confirmer


@dataclass(frozen=True)
class EvidenceRejected:
    """The evidence is wrong, or could not be decided; `reason` says where.

    `undefined` is the undefined behaviour that a counterexample runs into, with its place; `advice` is what to
    ask then.
    """

    reason: str
    undefined: str = ""
    advice: str = ""


EvidenceVerdict = EvidenceAccepted | EvidenceRejected


class Shortening(Protocol):
    """A search for a short counterexample, beside this process."""

    def result(self, limits: Limits, seconds: float = math.inf) -> Shortened | None:
        """The counterexample, waiting for it for so many seconds on the clock; None while it is searched. Raises
        `NoAnswer` where nothing is found, and where `limits` say so.
        """
        ...


@dataclass(frozen=True)
class KnownReach:
    """The answer about one check: an execution that comes to it, or the evidence that there is none."""

    reach: Reachability
    by: str


ReadEvidence = Callable[[], "Evidence | None"]
"""Reads the evidence of a verdict; None where there is none."""


class Reaching(Protocol):
    """The question which checks an execution comes to, asked beside this process."""

    def result(self, limits: Limits) -> Mapping[int, KnownReach]:
        """The answers that were found, by check. Raises `NoAnswer` where `limits` say so."""
        ...


class ExaminedTask(Protocol):
    """A program with examiners of evidence about it."""

    @property
    def program(self) -> Program: ...

    @property
    def scalars(self) -> ScalarView:
        """The program as engines see it that do not reason about arrays themselves; made once."""
        ...

    def certify(self, certificate: Certificate, checks: Sequence[int], limits: Limits, emit: Emit) -> EvidenceVerdict:
        """Check that a certificate excludes the error locations of `checks`. May raise `NoAnswer`."""
        ...

    def repeat(self, checks: Sequence[int], limits: Limits) -> EvidenceVerdict:
        """Run the program without inputs, and see that its one execution violates none of `checks`. May raise
        `NoAnswer`.
        """
        ...

    def simplified(self, formulas: Sequence[Term], limits: Limits) -> Mapping[Term, Term]:
        """For each formula an equivalent one within the ranges of variables, for display. May raise `NoAnswer`."""
        ...

    def shortening(self, check: int, claim: Unsafe, seconds: float) -> AbstractContextManager[Shortening]:
        """Begin to look for a short counterexample in place of a claim, for so many CPU seconds at most."""
        ...

    def replay(self, check: int, claim: Unsafe, how: ReplayMode, limits: Limits, emit: Emit) -> EvidenceVerdict:
        """Run the program on the inputs of a counterexample. May raise `NoAnswer`."""
        ...


class PreparedTask(ExaminedTask, Protocol):
    """A task that has been parsed and lowered."""

    @property
    def sources(self) -> Mapping[str, str]:
        """The text of every file that was read, by the name that the user gave."""
        ...

    @property
    def asked(self) -> bool:
        """Whether a property file asks a question, so that a program without a check is an answer."""
        ...

    @property
    def unshown(self) -> tuple[str, ...]:
        """Behaviour that the property excludes and no check is about: with all checks true, the answer is open."""
        ...

    def premises(self, limits: Limits) -> tuple[str, ...]:
        """Conditions of an answer that stand in its first lines: more than there are where little time is left."""
        ...

    def assumptions(self, results: Iterable[CheckResult]) -> tuple[str, ...]:
        """The assumptions that answers rest on: those of the program, but for what violations do not need."""
        ...

    @property
    def data_model(self) -> str:
        """The data model with the flags that change it."""
        ...

    def reachability_of_start(self) -> PreparedTask | None:
        """Of a program that starts in a function: the task whose violation shows that its start admits anything."""
        ...

    def reaching(
        self, services: Services, checks: Sequence[int], evidence: ReadEvidence, seconds: float
    ) -> AbstractContextManager[Reaching]:
        """Begin to ask which of `checks` an execution comes to, for so many CPU seconds at most."""
        ...

    def unexamined(self) -> int:
        """The number of functions in the C files that no execution enters, by the form of the program."""
        ...

    def uncalled(self) -> Sequence[tuple[Span, str]]:
        """The claims in functions that nothing calls, which are no checks, each with its function."""
        ...


ReadFile = Callable[[str], str]
"""Reads a text file by its name relative to the current directory. Raises `OSError`."""


class Services(Protocol):
    """The front end, the engines and the solvers, as a session uses them."""

    def load(self, request: Request, files: ReadFile, phase: Callable[[str], None]) -> PreparedTask:
        """Parse and lower a task read with `files`; `phase` is called with the name of each phase that begins. Raises
        `FrontendError`, `OSError`.
        """
        ...

    def engine(self, name: str) -> Engine:
        """A new engine. Raises `KeyError`."""
        ...

    def solver(self, request: Request, program: Program) -> SolverFactory:
        """A new factory that decides the formulas of `program`."""
        ...
