"""A session: takes one task from its source to a verdict. Reads it, lowers it, decides its checks, combines the
results.

An engine's outcome is a claim. Only what separate code has confirmed becomes true or false; each check has a result of
its own.
"""

from __future__ import annotations

import traceback
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from core.dataclass import dataclass
from core.limits import Cause, Limits, NoAnswer, cpu_used
from core.parameters import real_parameter
from core.pattern import pattern
from core.program import Call, Program
from core.verdict import ANSWERS, CheckResult, Reachability, Status, Verdict
from frontend.api import read_source
from frontend.source import FrontendError, Unsupported
from interplay.session.attempt import AttemptRunner
from interplay.session.context import Emit, Steering
from interplay.session.endings import (
    Ending,
    ExitCode,
    combined,
    ending,
    is_memory_shortage,
    refused,
    unanswered,
)
from interplay.session.examination import Examiner, decision, not_excluded, not_followed, result_of
from interplay.session.member_storage import MemberStorage, NoStorage
from interplay.session.request import Request
from interplay.session.services import PreparedTask, ReadEvidence, ReadFile, Services
from interplay.session.vacuity import NO_START, reach, uncalled, unexamined, unreached
from runs.events import AttemptStarted, Event, Message, PhaseStarted
from runs.evidence_json import Evidence, decode_evidence, digest
from runs.jsondata import Malformed, as_object, compact, parse
from runs.runfile import StoredRun, open_evidence
from runs.serialize import encode_program
from runs.termtable import TermWriter

_SEARCH = real_parameter("session.session.search")


@dataclass(frozen=True)
class Session:
    """One run of `request`. `run` never raises on account of the task: the last event is always a verdict."""

    request: Request
    services: Services
    emit: Emit
    steering: Steering
    storage: MemberStorage
    portfolio: Callable[[PreparedTask], Sequence[CheckResult]] | None = None  # decides the checks instead of one engine

    def run(self) -> Ending:
        """Run the session; returns its ending, after emitting it."""
        try:
            result = self._verify()
        except FrontendError as error:
            for one in (error, *error.others):
                self.emit(Message("error", one.message, one.span.file, one.span.line, one.span.column))
            result = refused(ExitCode(error.exit_code), str(error), error.kind)
        except Malformed as error:
            self.emit(Message("error", str(error)))
            code, kind = ExitCode.NOT_PARSED, FrontendError.kind
            if isinstance(error, UnreadableEvidence):
                code, kind = ExitCode.UNSUPPORTED, Unsupported.kind
            result = refused(code, str(error), kind)
        except NoAnswer as error:
            status, reason = unanswered(error, Limits(self.request.time_limit))
            result = ending(Verdict(status, "", (), reason=reason))
        except Exception as error:  # noqa: BLE001 - whatever is wrong here, the user gets a verdict, not a traceback
            result = self._trouble(error)
        self.emit(result.event())
        return result

    def _trouble(self, error: Exception) -> Ending:
        """The ending after exhausted memory or an internal error; the run file gets the traceback."""
        if is_memory_shortage(error):
            return ending(Verdict(Status.OUT_OF_MEMORY, "", (), reason=Cause.MEMORY))
        self.storage.text("trouble.txt", traceback.format_exc())
        return refused(ExitCode.INTERNAL, f"internal error: {type(error).__name__}: {str(error)[:300]}", "internal")

    def _verify(self) -> Ending:
        stored = None if self.request.recheck is None else _opened(self.request.recheck)
        if stored is not None and self.request.witness is not None:
            raise Malformed("the run examined a witness, so its program is not that of the sources alone")
        task = self._load(_files_on_disk if stored is None else reader_of(stored))
        program = task.program
        self._store(task.sources)
        self.storage.document("program.json", lambda: encode_program(program))
        for text in program.warnings:
            self.emit(_warning(text))
        if not program.checks:
            return self._about(task, self._with_premises(task, _shown(task, _nothing_to_check(task))))
        if stored is not None:
            return self._recheck(task, stored)
        decide = self.portfolio or self._one_engine
        found = self._followed(decide(task))
        verdict = combined(found, task.assumptions(found))
        return self._concluded(task, verdict, lambda: _kept(self.storage, program))

    def _concluded(self, task: PreparedTask, verdict: Verdict, evidence: ReadEvidence) -> Ending:
        """The ending with a verdict that the checks give, after the questions that a true brings."""
        started = self._with_premises(task, self._started(task, _shown(task, verdict)))
        found = reach(task, self.services, self.request, started, evidence, self.steering, self.emit)
        self._decide_anew(verdict.checks, found)
        untested = (*unreached(found), *started.untested)
        return self._about(task, replace(started, checks=found, untested=untested))

    def _with_premises(self, task: PreparedTask, verdict: Verdict) -> Verdict:
        """The verdict, which has its premises where it answers anything, and names what nothing calls."""
        says_something = verdict.status in ANSWERS or any(one.status is Status.TRUE for one in verdict.checks)
        premises = task.premises(Limits(self.request.time_limit)) if says_something else ()
        untested = (*uncalled(task, self.request, verdict), *unexamined(task, self.request, verdict))
        return replace(verdict, premises=premises, untested=untested)

    def _followed(self, results: Sequence[CheckResult]) -> Sequence[CheckResult]:
        """The results, of which those that say nothing about some executions are decided anew."""
        found = not_excluded(not_followed(results))
        self._decide_anew(results, found)
        return found

    def _decide_anew(self, before: Sequence[CheckResult], found: Sequence[CheckResult]) -> None:
        for one, result in zip(before, found, strict=True):
            if result != one:
                self.emit(decision(result))

    def _load(self, files: ReadFile) -> PreparedTask:
        """Parse and lower the task. What cannot be read or lowered is stored, too: its errors name places in it."""
        texts: dict[str, str] = {}

        def read(name: str) -> str:
            texts[name] = files(name)
            return texts[name]

        try:
            return self.services.load(self.request, read, lambda name: self.emit(PhaseStarted(name)))
        except FrontendError:
            self._store(texts)
            raise

    def _store(self, sources: Mapping[str, str]) -> None:
        self.storage.document("sources.json", lambda: [[name, text] for name, text in sources.items()])

    def _one_engine(self, task: PreparedTask) -> Sequence[CheckResult]:
        """Run the engine that the request names, in this process."""
        checks = task.program.checks
        self.emit(AttemptStarted(0, self.request.engine, self.request.options, tuple(check.id for check in checks)))
        attempt = AttemptRunner(self.request, self.services, self.emit, self.steering, self.storage)
        return attempt.run(task, checks)

    def _started(self, task: PreparedTask, verdict: Verdict) -> Verdict:
        """The verdict, which is no `true` where nothing is known to start the function in which the program starts.

        A start is searched for, and replayed, as a violation of a task of its own.
        """
        question = task.reachability_of_start() if verdict.status is Status.TRUE else None
        if question is None:
            return verdict
        own, used = Limits(self.request.time_limit), cpu_used()
        seconds = used + min(_SEARCH, own.remaining())
        asked = replace(self.request, engine="bmc", options=(("induction", "off"),), time_limit=seconds, edits=())
        search = AttemptRunner(asked, self.services, _ignore, self.steering, NoStorage(), used)
        found = combined(search.run(question, question.program.checks), ())
        if found.status is Status.FALSE:
            return replace(verdict, confirmed_by=f"{verdict.confirmed_by}; a start is found: {found.confirmed_by}")
        if found.status is Status.TRUE:
            unreached = (replace(one, reach=Reachability.UNREACHED, reached_by=NO_START) for one in verdict.checks)
            by = f"{verdict.confirmed_by}; {NO_START}: {found.confirmed_by}"
            return replace(verdict, checks=tuple(unreached), confirmed_by=by)
        why = found.reason or found
        reason = f"no argument or heap was found with which {self.request.entry} can start: {why}"
        advice = "its `requires` may contradict itself; assert \\false in the function to look for a start"
        return Verdict(Status.UNKNOWN, "", verdict.checks, reason=reason, advice=advice)

    def _recheck(self, task: PreparedTask, stored: StoredRun) -> Ending:
        """Examine stored evidence again. It names its program, which is lowered anew and compared."""
        document = stored.document("evidence.json")
        if not _is_about(stored, document, task.program):
            return self._end_all(task.program, "the stored program is not that of the stored sources")
        if document is None:
            return self._end_all(task.program, "the run file has no evidence")
        try:
            evidence = decode_evidence(document, task.program.arena, task.program)
        except Malformed as error:
            raise Malformed(f"{stored.path}: {error}") from None
        check_references(task.program, evidence)
        limits = Limits(self.request.time_limit)
        self.steering.on_cancel(limits.stop)
        number = TermWriter(self.emit).id
        examiner = Examiner(task, self.request.replay, limits, self.emit, number)
        examiner.examine(evidence.outcomes())
        found = self._followed(examiner.results(task.program.checks))
        verdict = combined(found, task.assumptions(found))
        return self._concluded(task, verdict, lambda: evidence)

    def _end_all(self, program: Program, reason: str) -> Ending:
        """End all checks without examining stored evidence, with the same reason."""
        results = [result_of(check, Status.UNKNOWN, reason=reason) for check in program.checks]
        for result in results:
            self.emit(decision(result))
        return ending(combined(results, ()), from_engines=False)

    def _about(self, task: PreparedTask, verdict: Verdict) -> Ending:
        """The ending with a verdict on a task. Nothing is left to do here that takes time: the run may be cancelled."""
        return ending(replace(verdict, data_model=task.data_model), from_engines=self.request.recheck is None)


class UnreadableEvidence(Malformed):
    """Stored evidence in a form, or with names, that certificates had once and that is not examined any more."""


def check_references(program: Program, evidence: Evidence) -> None:
    """Raise `Malformed` for stored evidence, which is untrusted, that names what the program does not have."""
    if any(check not in range(len(program.checks)) for check in evidence.outcomes()):
        raise Malformed("the evidence names a check that the program does not have")
    places = {at for c in set(evidence.certificates.values()) for at in c.invariants}
    locations, edges = range(len(program.locations)), range(len(program.edges))
    paths = [unsafe.path for unsafe in evidence.counterexamples.values()]
    calls = [at.stack for at in places]
    if any(at.location not in locations for at in places) or any(n not in edges for p in (*paths, *calls) for n in p):
        raise Malformed("the evidence names a location or an edge that the program does not have")
    if any(not isinstance(program.edges[n].operation, Call) for stack in calls for n in stack):
        raise Malformed("the evidence names a call that the program does not have")
    from core.certificate.symbols import wrong_symbols

    for certificate in set(evidence.certificates.values()):
        wrong = wrong_symbols(program, certificate)
        if wrong is not None:
            raise UnreadableEvidence(f"the evidence cannot be examined: {wrong.why}")


def _kept(storage: MemberStorage, program: Program) -> Evidence | None:
    """The evidence that was kept."""
    text = storage.read("evidence.json")
    return None if text is None else decode_evidence(parse(text), program.arena)


def _opened(name: str) -> StoredRun:
    try:
        return open_evidence(Path(name))
    except OSError as error:
        raise Malformed(f"{name}: {error.strerror}") from None


def reader_of(stored: StoredRun) -> ReadFile:
    """The reader of the files that a run has read, or of those that lie beside evidence."""
    folder = stored.beside
    return stored.source if folder is None else lambda name: read_source(folder / name)


def _is_about(stored: StoredRun, document: object, program: Program) -> bool:
    """Whether a stored program, or the digest that evidence may have, is that of a program."""
    if stored.beside is None:
        return stored.document("program.json") == parse(compact(encode_program(program)))
    named = as_object(document).get("digest")
    return named is None or named == digest(encode_program(program))


def _files_on_disk(name: str) -> str:
    return read_source(Path(name))


def _shown(task: PreparedTask, verdict: Verdict) -> Verdict:
    """The verdict, which is no `true` where the property excludes more than the checks are about."""
    if verdict.status is not Status.TRUE or not (unshown := task.unshown):
        return verdict
    reason = f"no check can fail, but the property excludes more, which is not checked: {'; '.join(unshown)}"
    advice = "`--check-ub` asks about the undefined behaviour that is checked; its true names what it assumes"
    return Verdict(Status.UNKNOWN, "", verdict.checks, reason=reason, advice=advice)


def _nothing_to_check(task: PreparedTask) -> Verdict:
    """The verdict where nothing can fail: an answer only where a property was requested."""
    if not task.asked:
        return Verdict(Status.UNKNOWN, "", (), task.program.assumptions, reason=Cause.NOTHING_TO_CHECK)
    note = "the program has nothing that could violate the property"
    return Verdict(Status.TRUE, "", (), task.program.assumptions, reason=note)


def _ignore(_: Event) -> None:
    """Events about a task beside that of the run belong to no run."""


_WARNING = pattern(r"(?P<file>.+?):(?P<line>\d+):(?P<column>\d+): warning: (?P<text>.*)")


def _warning(text: str) -> Message:
    """The message of a warning of the front end, with its place."""
    found = _WARNING.fullmatch(text)
    if found is None:
        return Message("warning", text)
    return Message("warning", found["text"], found["file"], int(found["line"]), int(found["column"]))
