"""A run in sentences: verdict, failing check, confirmation, assumptions, the next action; and its evidence."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from enum import Enum

from core.dataclass import dataclass
from core.limits import Cause, cause_of
from core.pattern import pattern
from core.verdict import ANSWERS, Confirmer, Status, stated_status
from interplay.presentation.plurals import counted
from interplay.presentation.record.run import LATEST, RunRecord
from interplay.presentation.record.trace import inputs_in_words
from interplay.presentation.run_options import AUTOMATIC, shown_engine, shown_property
from interplay.presentation.text import TextReport
from interplay.session.request import DEFAULT_MODEL, PORTFOLIO
from runs.events import CheckDecided, InvariantShown, VerdictReached
from runs.runview import PAUSE, AttemptView, ExaminationStep

OTHER = "other"
"""The time outside of phases: processes start, libraries are loaded, files are written."""

PHASES: Mapping[str, str] = {
    "parse": "reading the C text",
    "lower": "building the program",
    "explore": "exploring",
    "refine": "refining",
    PAUSE: "paused: waiting for a person",
    "induction": "trying induction",
    "sample": "running the program",
    "guess": "guessing what may hold",
    "encode": "building formulas",
    "solve": "solving",
    "path": "building the path",
    "prove": "building the proof",
    "certify": "checking the proof",
    "shorten": "shortening the counterexample",
    "repeat": "repeating the execution",
    "replay": "running the counterexample",
    "reach": "asking which checks are reached",
    OTHER: "other (starting, loading, storing)",
}
"""The words for phases; others have their own names."""


class Tone(Enum):
    """The class of a verdict, for its colour and its sign."""

    TRUE = "true"
    FALSE = "false"
    UNKNOWN = "unknown"
    TROUBLE = "error"
    RUNNING = "running"
    IDLE = "not run"


class Action(Enum):
    """An action that a view may request of the window; the value is the label of its button."""

    NONE = ""
    OPEN = "Open a C file…"
    OPEN_FOLDER = "Open a folder…"
    RELOAD = "Reload"
    VERIFY = "Verify"
    STEP_BY_STEP = "Verify step by step"
    STEP_THROUGH = "Step through the counterexample"
    SHOW_EVIDENCE = "Show the invariants"
    SHOW_PATH = "Show the path"
    SHOW_LAST = "Show where it got stuck"
    SHOW_LOG = "Show the messages"
    SHOW_OPTIONS = "Change the limits…"
    TRY_ALL = f"Verify with engine {AUTOMATIC}"
    VERIFY_UNDEFINED = "Verify undefined behaviour"
    ADD_FOLDER = "Add include folder…"
    LEAVE_OUT_BODY = "Leave out its body"


@dataclass(frozen=True)
class FunctionAssumption:
    """An action: verify again with one more assumption about a function without a body, in a field of the request."""

    field: str
    function: str


ASSUMPTIONS: Mapping[str, str] = {"changes_nothing": "changes nothing", "never_returns": "never returns"}
"""Assumptions that can be made of a function without a body: the fields of a request, and the words on a button."""


def undefined_function(text: str) -> str:
    """The function without a body that a message is about; empty for other messages."""
    found = _NO_BODY.match(text)
    return found[1] if found else ""


_NO_BODY = pattern(r"(\w+) is not defined\b")


@dataclass(frozen=True)
class Banner:
    """The content of the verdict banner.

    `headline` begins with the verdict; `place` is (file, line) of the failing check, if there is one. `inputs` make it
    fail. `failing` are the checks that fail, where there are several, each with its number and words. `untested` names
    the places to which no execution comes.
    """

    tone: Tone
    headline: str
    rests_on: str
    assumes: str
    action: Action
    place: tuple[str, int] | None = None
    to_try: str = ""
    inputs: str = ""
    failing: tuple[tuple[int, str], ...] = ()
    untested: str = ""


@dataclass(frozen=True)
class EvidenceRow:
    """One step of the examination: its place, subject, result and tool, and its time."""

    place: str
    subject: str
    result: str
    tool: str
    edges: tuple[int, ...]
    seconds: float


def tone_of(word: str) -> Tone:
    """The tone of a verdict string."""
    match stated_status(word):
        case Status.TRUE:
            return Tone.TRUE
        case Status.FALSE:
            return Tone.FALSE
        case Status.ERROR:
            return Tone.TROUBLE
        case _:
            return Tone.UNKNOWN


def banner(record: RunRecord | None) -> Banner:
    """The content of the banner above the source."""
    if record is None:
        return Banner(Tone.IDLE, "No program is open.", "", "", Action.OPEN)
    verdict = record.view.verdict
    if verdict is None:
        return _without_verdict(record)
    tone = tone_of(verdict.verdict)
    failing = failing_checks(record)
    head = _headline(record, verdict)
    rests = f"Confirmed by {rests_on(record, verdict.confirmed_by)}" if verdict.confirmed_by else ""
    if not rests and tone is Tone.UNKNOWN:
        left = [check for check in record.view.checks.values() if not check.confirmed_by]
        few = "; ".join(f"{_place(one)} {one.description}" for one in left)
        others = f"Open: {few}" if len(left) <= _FEW else "The others are open."
        some = f"Confirmed: {answered(record)} of {len(record.view.checks)} checks. {others}"
        none = "It is open whether the program is right: neither a proof nor a counterexample was found."
        rests = some if answered(record) else none
    assumed = assumptions(record)
    assumes = f"Assumes: {'; '.join(assumed)}" if assumed else ""
    said = advice(record) if tone in (Tone.UNKNOWN, Tone.TROUBLE) else ""
    to_do = f"What to try: {said}" if said else ""
    if tone in (Tone.FALSE, Tone.UNKNOWN) and (names := _undefined(record)):
        told = f"Messages offer what else can be assumed of {', '.join(names)}, which the program does not define."
        to_do = f"{to_do} {told}" if to_do else f"What to try: {told}"
    place = (failing[0].file, failing[0].line) if failing else _place_of_trouble(record)
    inputs = inputs_in_words(record, failing[0].check) if failing else ""
    several: tuple[tuple[int, str], ...] = ()
    if len(failing) > 1:
        head = f"FALSE: {len(failing)} of {len(record.view.checks)} checks can fail"
        several = tuple((one.check, f"{_place(one)} {one.description}") for one in failing)
        inputs = f"{_place(failing[0])} {inputs}" if inputs else ""
    head = _shortened(head, record)
    untested = "; ".join(verdict.untested)
    untested = f"{untested[:1].upper()}{untested[1:]}"
    return Banner(tone, head, rests, assumes, _action(record, tone), place, to_do, inputs, several, untested)


_FEW = 2  # open checks, or functions, that are named


def _undefined(record: RunRecord) -> Sequence[str]:
    """Functions without a body of which more can be assumed, a few of them."""
    named = (undefined_function(one.text) for one in record.view.messages if _SAYS not in one.text)
    return [name for name in dict.fromkeys(named) if name][:_FEW]


_SAYS = ", as --"  # of a function of which more is assumed


def answered(record: RunRecord) -> int:
    """The number of checks with a confirmed answer."""
    return sum(bool(check.confirmed_by) for check in record.view.checks.values())


def _place(check: CheckDecided) -> str:
    return f"{check.file.rpartition('/')[2]}:{check.line}:"


def _headline(record: RunRecord, verdict: VerdictReached) -> str:
    """The headline of the run; it names the property of a proof, and the engine that is stuck."""
    head, request = next(TextReport(record.text).headline()), record.request
    if cause_of(verdict.reason) is Cause.NO_PREDICATES and request.engine != PORTFOLIO:
        stuck = "is stuck: it finds no predicates that exclude an impossible path"
        return f"UNKNOWN: engine {request.engine} {stuck}"
    named = request.property is not None or not request.task.endswith((".yml", ".yaml"))  # else its file names it
    if named and not verdict.reason and tone_of(verdict.verdict) is Tone.TRUE:
        asked = ", ".join((shown_property(request.property), *request.checks))
        return f"TRUE ({asked}): {TextReport(record.text).proved()}"
    return head


def advice(record: RunRecord) -> str:
    """Advice in the words of the window; empty for an answer."""
    verdict = record.view.verdict
    if verdict is None or tone_of(verdict.verdict) in (Tone.TRUE, Tone.FALSE):
        return ""
    if tone_of(verdict.verdict) is Tone.UNKNOWN:
        return to_try(record, verdict)[0]
    texts = [message.text for message in record.view.messages if message.severity == "error"]
    found = (words for text in texts for sign, words in _TROUBLES.items() if text.startswith(sign))
    return next(found, verdict.advice)


_NO_HEADER = "cannot include"
_TROUBLES = {
    _NO_HEADER: "Say in which folder the header lies.",
    "inline assembly": "Leave out the body of its function (`--remove-body NAME`), so that it may return any value, "
    "or write C in its place for the verification, under `#ifdef`.",
}
"""What to try where a text cannot be read, by how the message begins."""


def _lacks_header(record: RunRecord) -> bool:
    errors = (message.text for message in record.view.messages if message.severity == "error")
    return any(text.startswith(_NO_HEADER) for text in errors)


def assembly(record: RunRecord) -> str:
    """The function whose inline assembly ended the run; empty for that in which the program starts, and for others."""
    texts = (message.text for message in record.view.messages if message.severity == "error")
    named = next((found[1] for text in texts if (found := _ASSEMBLY.match(text))), "")
    return named if named != (record.request.entry or "main") else ""


_ASSEMBLY = pattern(r"inline assembly in (\w+)")


def _shortened(headline: str, record: RunRecord) -> str:
    """The headline with files named as in the tabs, without their folders."""
    files = {check.file for check in record.view.checks.values()} | {one.file for one in record.view.messages}
    files |= record.program_texts.keys()
    for name in sorted(files - {""}, key=len, reverse=True):
        headline = headline.replace(name, name.rpartition("/")[2])
    return headline


def _without_verdict(record: RunRecord) -> Banner:
    if not record.begun:
        return Banner(Tone.IDLE, "Not verified yet.", "", "", Action.VERIFY)
    return Banner(Tone.RUNNING, running_sentence(record), _engines_at_work(record), "", Action.NONE)


def running_sentence(record: RunRecord) -> str:
    """A sentence about the current activity of the run."""
    view = record.view
    doing = "before the next round" if record.paused else phase_words(view.phase) or "starting"
    word = "Paused" if record.paused else "Running"
    rounds = view.attempt.rounds
    count = rounds[-1].number if rounds else 0
    after = f", after {counted(count, 'round')}" if count else ""
    return f"{word}{after}: {doing}{_share(record)}"


def _share(record: RunRecord) -> str:
    """The share of the limit that is used; empty where that is not known."""
    limit = record.request.time_limit
    if not record.cpu or limit is None:
        return f" · {record.cpu:.0f} s of processor time" if record.cpu else ""
    share = f"{100 * record.cpu / limit:.0f} %, ends at the limit of {limit:.0f} s"
    return f" · {record.cpu:.0f} of {limit:.0f} s of processor time ({share})"


def _engines_at_work(record: RunRecord) -> str:
    """A sentence for each engine that is at work."""
    at_work = (one for one in record.view.attempts if one.event is not None and one.ended is None)
    return "; ".join(map(attempt_sentence, at_work))


def attempt_sentence(attempt: AttemptView) -> str:
    """The work and the progress of an engine: `bmc: exploring, in round 7, 2 of 9 checks decided`."""
    assert attempt.event is not None
    doing = phase_words(attempt.phase) or "starting"
    at = f", in round {attempt.rounds[-1].number + 1}" if attempt.rounds else ""
    answers = sum(check.status in ANSWERS for check in attempt.checks.values())
    decided = f", {answers} of {counted(len(attempt.event.checks), 'check')} decided" if answers else ""
    return f"{attempt.event.engine}: {doing}{at}{decided}"


def phase_words(name: str) -> str:
    """The words for a phase; those without have their names."""
    return PHASES.get(name, name)


def counters(record: RunRecord) -> tuple[tuple[str, str], ...]:
    """The counters of the run, in the order of their first values, with `+` where only hundreds are reported; then its
    progress.
    """

    def text(name: str, value: int) -> str:
        return f"{value:,}{'+' if name in _TOLD_IN_HUNDREDS else ''}".replace(",", " ")

    counted = tuple((name, text(name, value)) for name, value in record.view.counters.items())
    return (*counted, *record.view.attempt.progress.known())


_TOLD_IN_HUNDREDS = ("states", "covered", "pruned")


def failing_checks(record: RunRecord) -> tuple[CheckDecided, ...]:
    """The checks that fail, in the order of the source."""
    failing = (check for check in record.view.checks.values() if check.status == Status.FALSE)
    return tuple(sorted(failing, key=lambda one: one.check))


def _place_of_trouble(record: RunRecord) -> tuple[str, int] | None:
    found = (message for message in record.view.messages if message.severity == "error" and message.file)
    return next(((message.file, message.line) for message in found), None)


def _action(record: RunRecord, tone: Tone) -> Action:
    match tone:
        case Tone.FALSE:
            return Action.STEP_THROUGH if record.view.traces else Action.NONE
        case Tone.TRUE:
            return Action.SHOW_EVIDENCE
        case Tone.TROUBLE:
            if _lacks_header(record):
                return Action.ADD_FOLDER
            return Action.LEAVE_OUT_BODY if assembly(record) else Action.SHOW_LOG
        case _ if any(check.undefined for check in record.view.checks.values()):
            return Action.VERIFY_UNDEFINED
        case _ if record.view.attempt.paths or record.view.verdict is None:
            return Action.SHOW_LAST
        case _:
            _, advised = to_try(record, record.view.verdict)
            return advised if advised not in (Action.NONE, Action.SHOW_LAST) else Action.SHOW_LOG


def to_try(record: RunRecord, verdict: VerdictReached) -> tuple[str, Action]:
    """Advice after a run without an answer, in words and as an action of the window."""
    cause = cause_of(verdict.reason)
    several = record.request.engine == PORTFOLIO
    if stated_status(verdict.verdict) is Status.OUT_OF_MEMORY:
        return "It ran out of memory. Allow it more, or choose an engine that keeps fewer states.", Action.SHOW_OPTIONS
    if cause is Cause.NOTHING_TO_CHECK:
        return (
            "The program has nothing that can fail: write an assert, or choose another property in the list.",
            Action.NONE,
        )
    if cause is Cause.INTERRUPTED:
        return "The run was stopped by a person. Verify it again to the end.", Action.VERIFY
    if any(check.undefined for check in record.view.checks.values()):
        what = verdict.advice or "the trace shows how"
        return f"An execution has undefined behaviour, so that nothing is proved: {what}.", Action.VERIFY_UNDEFINED
    if not several:
        name = shown_engine(record.request.engine)
        return f"The engine {name} alone did not decide it. Engine {AUTOMATIC} tries all that fit.", Action.TRY_ALL
    if stated_status(verdict.verdict) is Status.TIMEOUT:
        return f"{_time(record)} used up. Allow it more time.", Action.SHOW_OPTIONS
    return (
        "See where it got stuck: a predicate that the last path needs can be added under Steering.",
        Action.SHOW_LAST,
    )


def _time(record: RunRecord) -> str:
    """The limit that ended a run, as the subject of a sentence about the past."""
    limit = record.request.time_limit
    return "The time was" if limit is None else f"The {limit:g} s of processor time were"


def evidence(record: RunRecord, attempt: int = LATEST) -> tuple[EvidenceRow, ...]:
    """The steps of the examination of what an attempt claimed, with their places in the source."""

    def place(edges: tuple[int, ...]) -> str:
        spans = [record.span_of_edge(edge) for edge in edges]
        first = next((span for span in spans if span is not None), None)
        return f"{first.file.rpartition('/')[2]}:{first.line}" if first else ""

    def row(step: ExaminationStep) -> EvidenceRow:
        e = step.event
        return EvidenceRow(place(e.edges), e.subject, e.result, e.tool, e.edges, step.seconds)

    steps = record.attempt(attempt).evidence
    return record.memo.get(("evidence", attempt), lambda: tuple(map(row, steps)))


BEGINNING = "certificate"  # the subject of the first step: the solver is loaded, the certificate is well-formed
HINTS = "lemmas"  # the subject of the step that says how many hints of the engine the checker could prove


def obligations(record: RunRecord, attempt: int = LATEST) -> tuple[EvidenceRow, ...]:
    """The obligations of the checker, in their order."""
    return tuple(row for row in evidence(record, attempt) if row.subject not in (BEGINNING, HINTS))


def proof_steps(record: RunRecord, attempt: int = LATEST) -> tuple[EvidenceRow, ...]:
    """The obligations of the proof itself, without those of hints."""
    return tuple(row for row in obligations(record, attempt) if row.result != "dropped")


def rests_on(record: RunRecord, confirmed_by: str) -> str:
    """The confirmation of a verdict, in words. Of a proof whose steps are known it gives the numbers of the table of
    obligations: how many there were, and which tools decided them. The words of the run count edges, of which one may
    need several obligations.
    """
    verdict = record.view.verdict
    shares = proof_shares(record)
    if shares is None or verdict is None or confirmed_by != verdict.confirmed_by or not rests_on_invariants(record):
        return confirmed_by
    return f"{Confirmer.INVARIANT}: {shares.obligations} (by {shares.tools})"


def rests_on_invariants(record: RunRecord) -> bool:
    """Whether the run ended with an answer that inductive invariants alone confirm."""
    confirmers = {check.confirmer for check in record.view.checks.values()}
    return record.view.verdict is not None and confirmers == {Confirmer.INVARIANT}


@dataclass(frozen=True)
class ProofShares:
    """The shares of readings and of tools in the steps of a proof, in words."""

    obligations: str
    tools: str


def proof_shares(record: RunRecord) -> ProofShares | None:
    """The shares for the only proof of a run whose steps are known; else None."""
    proofs = [one for one in range(len(record.view.attempts)) if proof_steps(record, one)]
    if len(proofs) != 1:
        return None
    steps = proof_steps(record, proofs[0])
    results, tools = (Counter(values) for values in zip(*((step.result, step.tool) for step in steps), strict=True))
    found = [f"{count if len(results) > 1 else 'all'} {_SHOWN.get(word, word)}" for word, count in results.items()]
    by = ", ".join(f"{tool} {tools[tool]}" for tool in sorted(tools, key=tools.__getitem__, reverse=True))
    return ProofShares(f"{counted(len(steps), 'obligation')}, {' and '.join(found)}", by)


_SHOWN = {"integers": "over the integers"}


def data_model(record: RunRecord) -> str:
    """The data model that a run assumed, with the flags that change it; empty where the run file does not say it."""
    request, verdict = record.request, record.view.verdict
    if verdict is not None and verdict.data_model:
        return verdict.data_model
    if request.data_model:
        return request.data_model
    if request.witness is not None:
        return ""
    if not request.task.endswith((".yml", ".yaml")):
        return "ILP32"
    named = (
        found.group(1)
        for name, text in record.sources.items()
        if name.endswith((".yml", ".yaml"))
        for found in _MODEL.finditer(text)
    )
    return next(named, "")


_MODEL = pattern(r"^\s*data_model:\s*['\"]?(ILP32|LP64)\b", re.MULTILINE)
_MODELS = {"ILP32": "long and pointers have 32 bits (ILP32)", "LP64": "long and pointers have 64 bits (LP64)"}


def assumptions(record: RunRecord) -> tuple[str, ...]:
    """The premises and assumptions of answers, also to some checks: those that the run names, and the data model."""
    verdict = record.view.verdict
    if verdict is None:
        return ()
    if tone_of(verdict.verdict) not in (Tone.TRUE, Tone.FALSE) and not answered(record):
        return verdict.assumptions
    model = data_model(record)
    sizes = "" if DEFAULT_MODEL in verdict.premises else _MODELS.get(model, f"data model {model}" if model else "")
    return (*verdict.premises, *_joined(verdict.assumed), *((sizes,) if sizes else ()))


def _joined(assumed: Sequence[str]) -> Iterator[str]:
    """Assumptions about things of one kind, as undefined functions, as one of them all."""
    kinds: dict[str, list[str]] = {}
    for one in assumed:
        kind, _, about = one.rpartition(": ")
        kinds.setdefault(kind if kind == _FUNCTIONS else one, []).append(about)
    yield from (f"{kind}: {', '.join(about)}" if kind == _FUNCTIONS else kind for kind, about in kinds.items())


_FUNCTIONS = "undefined functions"


def invariants(record: RunRecord, attempt: int = LATEST) -> tuple[InvariantShown, ...]:
    """The invariants of the certificate that was accepted, at source loops."""
    return record.text.invariants(record.attempt(attempt))


def phase_times(record: RunRecord) -> Mapping[str, float]:
    """Seconds by phase over the whole run, in the order in which the phases began first; then the rest of the time.

    Engines that run in parallel have phases at the same time, so the sum may exceed the time of the run.
    """
    return record.memo.get(("phase times",), lambda: _phase_times(record))


def _phase_times(record: RunRecord) -> Mapping[str, float]:
    times: dict[str, float] = {}
    covered = last = 0.0
    for phase in sorted(record.view.phases, key=lambda one: one.start):
        end = record.view.seconds if phase.end is None else phase.end
        times[phase.name] = times.get(phase.name, 0.0) + end - phase.start
        covered += max(0.0, end - max(phase.start, last))
        last = max(last, end)
    if times:
        times[OTHER] = max(0.0, record.view.seconds - covered)
    return times


def engine_times(record: RunRecord) -> tuple[tuple[str, float], ...]:
    """Seconds of CPU time of the engines that have ended, of several; one alone has the time of the run."""
    return tuple(
        (attempt.event.engine, attempt.ended.milliseconds / 1000)
        for attempt in record.view.attempts
        if attempt.event is not None and attempt.ended is not None
    )


def side_by_side(record: RunRecord) -> bool:
    """Whether engines ran in parallel, so that the times of phases do not add up to that of the run."""
    return sum(phase_times(record).values()) > record.view.seconds + 0.01
