"""One task from its text to a verdict, in this process: read, lower, run an engine, examine its evidence.

An engine's outcome is a claim. Only what separate code has confirmed becomes true or false; each check has a result
of its own. A fifth of the time limit is kept for the examination.
"""

from __future__ import annotations

import traceback
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from core.engine import Engine, Reason
from core.events import AttemptStarted, CheckDecided, InvariantShown, Message, PhaseStarted
from core.expansion import At
from core.jsondata import Malformed, compact, parse
from core.limits import Limits, NoAnswer
from core.options import WrongOption
from core.program import Call, Check, Program
from core.runfile import StoredRun, open_run
from core.serialize import Evidence, decode_evidence, encode_evidence, encode_program
from core.terms import Term
from core.termtable import TermWriter
from core.verdict import Certificate, CheckResult, Outcome, Safe, Status, Unknown, Unsafe, Verdict
from frontend.api import read_source
from frontend.source import FrontendError
from interplay.context import Emit, RunContext, Steering, Watchdog
from interplay.endings import (
    NOTHING_TO_CHECK,
    Ending,
    ExitCode,
    combined,
    ending,
    is_memory_shortage,
    refused,
    unanswered,
)
from interplay.request import Request
from interplay.store import Store
from interplay.toolbox import Confirmed, Examined, Task, Toolbox
from interplay.trace import trace_event

RESERVED = 0.2  # the part of the time limit that is kept for evidence


@dataclass(frozen=True)
class Session:
    """One run of `request`. `run` never raises on account of the task: the last event is always a verdict."""

    request: Request
    toolbox: Toolbox
    emit: Emit
    steering: Steering
    store: Store

    def run(self) -> Ending:
        """Do the whole job and return how it ended, after emitting it."""
        try:
            result = self._verify()
        except FrontendError as error:
            span = error.span
            self.emit(Message("error", error.message, span.file, span.line, span.column))
            result = refused(ExitCode(error.exit_code), str(error))
        except Malformed as error:
            self.emit(Message("error", str(error)))
            result = refused(ExitCode.NOT_PARSED, str(error))
        except NoAnswer as error:
            status, reason = unanswered(error, Limits(self.request.time_limit))
            result = ending(Verdict(status, "", (), reason=reason))
        except Exception as error:  # noqa: BLE001 - whatever is wrong here, the user gets a verdict, not a traceback
            result = self._trouble(error)
        self.emit(result.event())
        return result

    def _trouble(self, error: Exception) -> Ending:
        """Memory is used up, or this program is wrong; the run file gets the traceback."""
        if is_memory_shortage(error):
            return ending(Verdict(Status.OUT_OF_MEMORY, "", (), reason="out of memory"))
        self.store.text("trouble.txt", traceback.format_exc())
        return refused(ExitCode.INTERNAL, f"internal error: {type(error).__name__}: {str(error)[:300]}")

    def _verify(self) -> Ending:
        stored = None if self.request.recheck is None else _opened(self.request.recheck)
        files = _files_on_disk if stored is None else _stored_files(stored)
        task = self.toolbox.load(self.request, files, lambda name: self.emit(PhaseStarted(name)))
        program = task.program
        self.store.document("sources.json", lambda: [[name, text] for name, text in task.sources.items()])
        self.store.document("program.json", lambda: encode_program(program))
        for text in program.warnings:
            self.emit(Message("warning", text))
        if not program.checks:
            return ending(_nothing_to_check(task))
        return self._claim(task) if stored is None else self._recheck(task, stored)

    def _claim(self, task: Task) -> Ending:
        """Have an engine decide the checks."""
        engine = self.toolbox.engine(self.request.engine)
        supported = engine.supports(task.program)
        if isinstance(supported, Reason):
            return self._end_all(task.program, Status.UNKNOWN, f"engine {engine.name}: {supported.text}")
        return self._attempt(task, engine)

    def _attempt(self, task: Task, engine: Engine) -> Ending:
        checks = tuple(check.id for check in task.program.checks)
        limits = Limits(None if self.request.time_limit is None else (1 - RESERVED) * self.request.time_limit)
        solver = self.toolbox.solver(self.request, task.program)
        options = dict(self.request.options)
        context = RunContext(self.emit, self.request.level, limits, self.request.seed, solver, options, self.steering)
        self.steering.on_cancel(limits.stop)
        self.steering.on_cancel(solver.interrupt)
        self.emit(AttemptStarted(0, engine.name, self.request.options, checks))
        try:
            with Watchdog(limits, solver.interrupt):
                outcomes = engine.run(task.program, checks, context)
        except WrongOption as error:
            raise Malformed(f"engine {engine.name}: {error}") from None
        except NoAnswer as error:
            return self._end_all(task.program, *unanswered(error, limits))
        self.store.document("evidence.json", lambda: encode_evidence(outcomes))
        return self._examine(task, outcomes, context.term)

    def _recheck(self, task: Task, stored: StoredRun) -> Ending:
        """Examine stored evidence again. It names its program, which is lowered anew and compared."""
        if stored.document("program.json") != parse(compact(encode_program(task.program))):
            return self._end_all(task.program, Status.UNKNOWN, "the stored program is not that of the stored sources")
        found = stored.document("evidence.json")
        if found is None:
            return self._end_all(task.program, Status.UNKNOWN, "the run file has no evidence")
        evidence = decode_evidence(found, task.program.arena)
        _check_references(task.program, evidence)
        outcomes: dict[int, Outcome] = {number: Safe(c) for number, c in evidence.certificates.items()}
        outcomes.update(evidence.counterexamples)
        return self._examine(task, outcomes, TermWriter(self.emit).number)

    def _examine(self, task: Task, outcomes: Mapping[int, Outcome], number: Callable[[Term], int]) -> Ending:
        examiner = _Examiner(self, task, outcomes, number)
        results = [self._decided(result) for result in examiner.results()]
        return ending(combined(results, task.program.assumptions))

    def _end_all(self, program: Program, status: Status, reason: str) -> Ending:
        """Every check ends without an answer, for one reason."""
        results = [self._decided(_result(check, status, reason=reason)) for check in program.checks]
        return ending(combined(results, ()))

    def _decided(self, r: CheckResult) -> CheckResult:
        self.emit(
            CheckDecided(
                r.check,
                r.property,
                r.description,
                r.span.file,
                r.span.line,
                r.span.column,
                r.status.value,
                r.confirmed_by,
                r.reason,
            )
        )
        return r


class _Examiner:
    """Has the evidence of each outcome examined; a certificate that several checks share is examined once."""

    def __init__(
        self, session: Session, task: Task, outcomes: Mapping[int, Outcome], number: Callable[[Term], int]
    ) -> None:
        self._emit = session.emit
        self._task = task
        self._outcomes = outcomes
        self._number = number
        self._replay = session.request.replay
        self._limits = Limits(session.request.time_limit)
        session.steering.on_cancel(self._limits.stop)
        self._certified: dict[int, tuple[Status, str]] = {}

    def results(self) -> Iterator[CheckResult]:
        for check in self._task.program.checks:
            outcome = self._outcomes.get(check.id, Unknown("there is no evidence for it"))
            match outcome:
                case Safe(certificate):
                    yield self._safe(check, certificate)
                case Unsafe():
                    yield self._unsafe(check, outcome)
                case Unknown(reason):
                    yield _result(check, Status.UNKNOWN, reason=reason)

    def _safe(self, check: Check, certificate: Certificate) -> CheckResult:
        key = id(certificate)
        if key not in self._certified:
            self._emit(PhaseStarted("certify"))
            self._certified[key] = self._certify(certificate)
        status, text = self._certified[key]
        if status is Status.TRUE:
            return _result(check, status, confirmed_by=text)
        return _result(check, status, reason=text)

    def _certify(self, certificate: Certificate) -> tuple[Status, str]:
        checks = [
            number
            for number, outcome in self._outcomes.items()
            if isinstance(outcome, Safe) and outcome.certificate is certificate
        ]
        try:
            examined: Examined = self._task.certify(certificate, checks, self._limits, self._emit)
        except NoAnswer as error:
            status, reason = unanswered(error, self._limits)
            return status, f"the certificate was not checked to the end: {reason}"
        if isinstance(examined, Confirmed):
            self._show_invariants(certificate)
            return Status.TRUE, examined.by
        return Status.UNKNOWN, f"the certificate is not accepted: {examined.reason}"

    def _show_invariants(self, certificate: Certificate) -> None:
        """The invariants at source loops, in the order of the program."""
        locations = self._task.program.locations
        shown = [(at, formula) for at, formula in certificate.invariants.items() if locations[at.location].loop]
        for at, formula in sorted(shown, key=_place_of):
            self._emit(InvariantShown((at.stack, at.location), self._number(formula)))

    def _unsafe(self, check: Check, claim: Unsafe) -> CheckResult:
        self._emit(PhaseStarted("replay"))
        try:
            examined = self._task.replay(check.id, claim, self._replay, self._limits, self._emit)
        except NoAnswer as error:
            status, reason = unanswered(error, self._limits)
            return _result(check, status, reason=f"the counterexample was not replayed: {reason}")
        self._emit(trace_event(self._task.program, check, claim))
        if isinstance(examined, Confirmed):
            return _result(check, Status.FALSE, confirmed_by=examined.by)
        return _result(check, Status.UNKNOWN, reason=f"the counterexample is not confirmed: {examined.reason}")


def _check_references(program: Program, evidence: Evidence) -> None:
    """Stored evidence may be a stranger's: it must not name what the program does not have."""
    places = {at for c in set(evidence.certificates.values()) for at in c.invariants}
    locations, edges = range(len(program.locations)), range(len(program.edges))
    paths = [unsafe.path for unsafe in evidence.counterexamples.values()]
    calls = [at.stack for at in places]
    if any(at.location not in locations for at in places) or any(n not in edges for p in (*paths, *calls) for n in p):
        raise Malformed("the evidence names a location or an edge that the program does not have")
    if any(not isinstance(program.edges[n].operation, Call) for stack in calls for n in stack):
        raise Malformed("the evidence names a call that the program does not have")


def _opened(name: str) -> StoredRun:
    try:
        return open_run(Path(name))
    except OSError as error:
        raise Malformed(f"{name}: {error.strerror}") from None


def _files_on_disk(name: str) -> str:
    return read_source(Path(name))


def _stored_files(run: StoredRun) -> Callable[[str], str]:
    """Reads the files that a run has stored instead of those on disk."""
    sources = run.sources()

    def read(name: str) -> str:
        if name not in sources:
            raise Malformed(f"{run.path}: the run file does not hold {name}")
        return sources[name]

    return read


def _place_of(item: tuple[At, Term]) -> tuple[int, tuple[int, ...]]:
    return item[0].location, item[0].stack


def _result(check: Check, status: Status, confirmed_by: str = "", reason: str = "") -> CheckResult:
    return CheckResult(check.id, check.property, check.description, check.span, status, confirmed_by, reason)


def _nothing_to_check(task: Task) -> Verdict:
    """Nothing can fail: an answer only where a property file asks the question."""
    if not task.asked:
        return Verdict(Status.UNKNOWN, "", (), reason=NOTHING_TO_CHECK)
    note = "the program has nothing that could violate the property"
    return Verdict(Status.TRUE, "", (), task.program.assumptions, reason=note)
