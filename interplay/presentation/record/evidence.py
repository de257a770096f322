"""The evidence of a verdict, as rows and sentences: checks with the engines that decided them, invariants."""

from __future__ import annotations

from core.dataclass import dataclass
from core.limits import Cause, cause_of
from core.verdict import ANSWERS, Status
from interplay.presentation.plurals import counted
from interplay.presentation.record.reexamination import Broken, Examined, Examining, NotAsked, Reexamination
from interplay.presentation.record.run import LATEST, RunRecord
from interplay.presentation.record.summary import Tone, answered, attempt_sentence, invariants, rests_on, tone_of
from interplay.presentation.text import TextReport, reached_in_words
from runs.events import AttemptResult, CheckDecided, Place
from runs.runview import AttemptView


@dataclass(frozen=True)
class CheckRow:
    """A check with its verdict, what confirmed it or why it is open, and the engine whose answer it is.

    `reached` says which execution comes to it.
    """

    check: int
    tone: Tone
    word: str
    where: str
    description: str
    why: str
    engine: str
    attempt: int
    place: tuple[str, int]
    reached: str


@dataclass(frozen=True)
class InvariantRow:
    """An invariant of a loop head, with a line for each conjunct. `formula` is its number in the event stream."""

    place: Place
    formula: int
    where: str
    lines: tuple[str, ...]


@dataclass(frozen=True)
class AttemptRow:
    """The result of an engine of a portfolio, and the reason for its choice. `index` is its position in the fold."""

    index: int
    engine: str
    tone: Tone
    result: str
    seconds: float | None
    why: str


def check_rows(record: RunRecord) -> tuple[CheckRow, ...]:
    """All checks: violations first, then what is open, then what is proved; each in the order of the source."""
    return record.memo.get(("check rows",), lambda: _check_rows(record))


_ORDER = (Tone.FALSE, Tone.TROUBLE, Tone.UNKNOWN, Tone.TRUE)


def _check_rows(record: RunRecord) -> tuple[CheckRow, ...]:
    rows = [check_row(record, check) for check in record.view.checks.values()]
    return tuple(sorted(rows, key=lambda row: (_ORDER.index(row.tone), row.place, row.check)))


def check_row(record: RunRecord, check: CheckDecided) -> CheckRow:
    """The row of one check."""
    index = record.view.decided_by(check.check)
    event = record.view.attempts[index].event
    where = f"{check.file.rpartition('/')[2]}:{check.line}"
    why = rests_on(record, check.confirmed_by) or check.reason
    engine = "" if event is None else event.engine
    tone = tone_of(check.status)
    place, reached = (check.file, check.line), reached_in_words(check) or _not_asked(record)
    return CheckRow(check.check, tone, check.status, where, check.description, why, engine, index, place, reached)


def _not_asked(record: RunRecord) -> str:
    """The reason why nobody knows which execution comes to a check; nothing while it may still be asked."""
    verdict = record.view.verdict
    if verdict is None:
        return ""
    return "not asked: no time was left" if cause_of(verdict.reason) is Cause.TIME_LIMIT else "not asked"


def at_line(record: RunRecord, where: str) -> str:
    """A place `name.c:8` as `line 8` if it is in the main file: in a narrow column the name would leave no room."""
    name = record.main_file.rpartition("/")[2]
    return f"line {where.removeprefix(f'{name}:')}" if where.startswith(f"{name}:") else where


def invariant_rows(record: RunRecord, attempt: int = LATEST) -> tuple[InvariantRow, ...]:
    """The invariants of the proof at loop heads, in the order of the program."""

    def row(place: Place, formula: int) -> InvariantRow:
        span = record.span_of_place(place)
        where = record.place(place)
        if span is not None:
            where = where.replace(span.file, span.file.rpartition("/")[2])
        return InvariantRow(place, formula, where, record.conjuncts(attempt, formula, place))

    def make() -> tuple[InvariantRow, ...]:
        return tuple(row(one.place, one.formula) for one in invariants(record, attempt))

    return record.memo.get(("invariant rows", attempt), make)


# Who decided


def attempt_rows(record: RunRecord) -> tuple[AttemptRow, ...]:
    """The engines that were tried, in the order in which they began."""
    return record.memo.get(
        ("attempt rows",),
        lambda: tuple(
            _attempt_row(record, index, one) for index, one in enumerate(record.view.attempts) if one.event is not None
        ),
    )


def _attempt_row(record: RunRecord, index: int, attempt: AttemptView) -> AttemptRow:
    assert attempt.event is not None
    plan = dict(record.view.plan.engines) if record.view.plan is not None else {}
    ended = attempt.ended
    running = record.view.verdict is None and ended is None
    tone = Tone.RUNNING if running else tone_of_attempt(attempt)
    result = attempt_sentence(attempt).partition(": ")[2] if running else result_of_attempt(attempt)
    if ended is not None and ended.reason and not attempt.decided:
        result = f"{result}: {ended.reason}"
    seconds = None if ended is None else ended.milliseconds / 1000
    return AttemptRow(index, attempt.event.engine, tone, result, seconds, plan.get(attempt.event.engine, ""))


def tone_of_attempt(attempt: AttemptView) -> Tone:
    """The tone of the answers of an attempt."""
    statuses = {check.status for check in attempt.checks.values()}
    if Status.FALSE in statuses:
        return Tone.FALSE
    return Tone.TRUE if statuses == {Status.TRUE} else Tone.UNKNOWN


def result_of_attempt(attempt: AttemptView) -> str:
    """The end of an attempt, in a word. One that was stopped may have decided some of its checks before."""
    ended = "no answer" if attempt.ended is None else attempt.ended.result
    if not attempt.decided or ended == AttemptResult.DECIDED:
        return ended
    asked = 0 if attempt.event is None else len(attempt.event.checks)
    answers = sum(check.status in ANSWERS for check in attempt.checks.values())
    return "decided" if answers >= asked else f"decided {answers} of {asked}"


# Sentences


def heading(record: RunRecord) -> str:
    """A sentence about the evidence of the verdict."""
    verdict = record.view.verdict
    if verdict is None:
        return "No verdict yet: what it rests on is shown when it is there."
    confirmed, checks = answered(record), len(record.view.checks)
    match tone_of(verdict.verdict):
        case Tone.UNKNOWN if confirmed:
            return f"There is an answer to {confirmed} of {counted(checks, 'check')}, and none to the others."
        case Tone.TRUE if verdict.confirmed_by:
            return f"TRUE rests on {rests_on(record, verdict.confirmed_by)}."
        case Tone.TRUE:
            return f"TRUE: {verdict.reason}."
        case Tone.FALSE:
            return f"FALSE rests on an execution that reaches the error, confirmed by {verdict.confirmed_by}."
        case Tone.TROUBLE:
            return f"The program was not verified: {verdict.reason}."
        case _:
            return "There is no answer: neither a proof nor a counterexample was confirmed."


def executions(record: RunRecord) -> str:
    """A sentence about the executions that come to checks; empty where nobody asked."""
    found = TextReport(record.text).executions()
    return f"Reached by {found}." if found else ""


# The examination that a person asks for


def offer(record: RunRecord) -> str:
    """The label of the button that examines the evidence again; empty where the run has none."""
    statuses = {check.status for check in record.view.checks.values()}
    if record.view.traces:
        return "Replay natively"
    return "Check the proof again" if Status.TRUE in statuses else ""


def outcome_in_words(outcome: Reexamination, check: int | None = None) -> tuple[Tone, str]:
    """A sentence about the result of an examination: of one check, else of the whole run."""
    match outcome:
        case NotAsked(obstacle):
            return Tone.IDLE, obstacle
        case Examining(doing):
            return Tone.RUNNING, f"Examining: {doing} …"
        case Broken(why):
            return Tone.TROUBLE, why
        case Examined(verdict, _, seconds, reason):
            one = None if check is None else outcome.check(check)
            if one is not None:
                return _one_in_words(one, seconds)
            tone = tone_of(verdict)
            if tone is Tone.TRUE:
                return tone, f"The stored proof was checked again just now, in {seconds:.1f} s: it holds."
            if tone is Tone.FALSE:
                return tone, f"The counterexample was run again just now, in {seconds:.1f} s: it reaches the error."
            why = f": {reason}" if reason else ""
            return tone, f"Examined just now, in {seconds:.1f} s: {verdict}{why}"


def _one_in_words(check: CheckDecided, seconds: float) -> tuple[Tone, str]:
    where = f"{check.file.rpartition('/')[2]}:{check.line}"
    tone = tone_of(check.status)
    match tone:
        case Tone.FALSE:
            return (
                tone,
                f"Replayed just now, in {seconds:.1f} s: {check.confirmed_by} reaches {where}, {check.description}",
            )
        case Tone.TRUE:
            return tone, f"Checked just now, in {seconds:.1f} s: {check.confirmed_by}"
        case _:
            return tone, f"Not confirmed, after {seconds:.1f} s: {check.reason}"
