"""The report on a run, read from its record by the same functions that the views read. Without Qt."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from typing import TypeVar

from core.run.events import CheckDecided, TraceShown
from core.run.runfile import StoredRun
from core.verdict import Status
from interplay.presentation.path_slice import InputKey, Relevance, relevance
from interplay.presentation.record.moments import rounds as rows_of_rounds
from interplay.presentation.record.moments import telling
from interplay.presentation.record.paths import PathStep, ShownPath, counterexample
from interplay.presentation.record.proof import duration, reading_in_words, slowest, tally, tool_rows
from interplay.presentation.record.record import Record
from interplay.presentation.record.summary import (
    EvidenceRow,
    advice,
    banner,
    data_model,
    obligations,
    phase_times,
    rests_on,
    side_by_side,
    tone_of,
)
from interplay.presentation.record.timeline import phase_words
from interplay.presentation.record.unanswered import no_answer
from interplay.presentation.report.document import (
    CheckRow,
    Examination,
    Extent,
    InputRow,
    Report,
    StepRow,
    ToolRow,
    Trace,
    TraceRow,
)
from interplay.presentation.report.listing import listings
from interplay.presentation.report.pictures import graphs
from interplay.presentation.report.story import stories
from interplay.session.reproduction import command_of

_T = TypeVar("_T")
_FAILED = ("refuted", "undecided")


def report_of(run: StoredRun, extent: Extent) -> Report:
    """The report on a stored run. Raises `Malformed`."""
    return report(Record.of(run), extent)


def report(record: Record, extent: Extent) -> Report:
    """The report on a run, finished or not."""
    view = record.view
    head = banner(record)
    checks = tuple(_check_row(record, check) for check in view.checks.values())
    verdict = view.verdict
    told = tuple(stories(record, extent))
    return Report(
        title=record.title,
        tone=head.tone.value,
        headline=head.headline if verdict is not None else "The run did not finish; this is what it had found.",
        inputs=head.inputs,
        rests_on=head.rests_on if verdict is not None and verdict.confirmed_by else "",
        checked=_checked(record) if verdict is not None and verdict.confirmed_by else "",
        assumes=head.assumes,
        advice=advice(record),
        missing=() if (open_still := no_answer(record)) is None else open_still.parts(),
        facts=tuple(_facts(record)),
        checks=checks[: extent.rows],
        checks_left_out=max(0, len(checks) - extent.rows),
        traces=tuple(_traces(record, extent)),
        invariants=tuple(_invariants(record)),
        examinations=tuple(_examinations(record, extent)),
        plan=tuple(_plan(record)),
        stories=told,
        listings=tuple(listings(record, extent)),
        graphs=tuple(graphs(record, extent)),
        messages=tuple(_messages(record))[: extent.rows],
        options=tuple(_options(record)),
        versions=tuple(_versions(record)),
        files=tuple(_file_row(name, text) for name, text in record.sources.items()),
        command=command_of(record.request, _steered(record)),
        steered=tuple(words for story in told for one in story.rounds for words in one.edits),
    )


def _checked(record: Record) -> str:
    """A report is written from a run and examines nothing."""
    again = f"interplay check {record.path.name if record.path is not None else 'RUN'}"
    return f"Examined when it was verified, and not again for this report: `{again}` does it."


def _steered(record: Record) -> str:
    """The run file, if a person has steered the run."""
    edits = any(attempt.edits for attempt in record.view.attempts)
    return record.path.name if edits and record.path is not None else ""


def _facts(record: Record) -> Iterator[tuple[str, str]]:
    view = record.view
    yield "Engine", record.engine
    yield "Property", record.request.property or "what the program asserts"
    rounds = len(record.attempt().rounds)
    if rounds:
        yield "Rounds", str(rounds)
    learned = sum(row.learned for row in rows_of_rounds(record))
    before = sum(1 for _ in telling(record.attempt(), record.attempt().lemmas)) - learned
    if learned or before:
        yield "Facts learned", f"{learned}{f', and {before} known before the first round' if before else ''}"
    yield "Time on the clock", f"{view.seconds:.1f} s"
    times = ", ".join(
        f"{phase_words(name)} {seconds:.1f} s" for name, seconds in phase_times(record).items() if seconds
    )
    if times:
        yield "Of it (clock), engines side by side" if side_by_side(record) else "Of it (clock)", times


def _check_row(record: Record, check: CheckDecided) -> CheckRow:
    tone = tone_of(check.status)
    place = f"{check.file.rpartition('/')[2]}:{check.line}"
    return CheckRow(tone.value, place, check.description, rests_on(record, check.confirmed_by) or check.reason)


# Counterexamples


def _traces(record: Record, extent: Extent) -> Iterator[Trace]:
    for number, trace in record.view.traces.items():
        shown = counterexample(record, number)
        if shown is not None:
            yield _trace(record, trace, shown, extent)


def _trace(record: Record, trace: TraceShown, shown: ShownPath, extent: Extent) -> Trace:
    part = _relevance(record, trace)
    rows = [row for row in (_trace_row(record, step, part) for step in shown.steps) if row.changes]
    steps, left_out = _both_ends(rows, extent.steps)
    inputs = [one for one in trace.inputs if part is None or _key(one) in part.inputs]
    check = record.view.checks.get(trace.check)
    goal = f"{check.file.rpartition('/')[2]}:{check.line}: {check.description}" if check else "an error"
    confirmed = check.confirmed_by if check is not None and check.status == Status.FALSE else ""
    return Trace(
        shown.heading,
        goal,
        confirmed,
        steps,
        left_out,
        tuple(_input_row(one) for one in inputs[: extent.rows]),
        len(trace.inputs) - min(len(inputs), extent.rows),
    )


_Input = tuple[str, str, str, int, int, int, str]


def _key(one: _Input) -> InputKey:
    return one[:-1]


def _input_row(one: _Input) -> InputRow:
    kind, name, _, line, _, occurrence, value = one
    times = f", time {occurrence + 1}" if occurrence else ""
    return InputRow(str(line), f"{name} ({kind}{times})", value)


def _relevance(record: Record, trace: TraceShown) -> Relevance | None:
    """What counts of it; None where the path does not fit the program."""
    program, path = record.program, [number for number, _ in trace.steps]
    if program is None or not all(0 <= number < len(program.edges) for number in path):
        return None
    if len(record.places_on(path)) != len(path) + 1:
        return None
    return relevance(program, path)


def _trace_row(record: Record, step: PathStep, part: Relevance | None) -> TraceRow:
    counting = None if part is None else part.changes[step.index]
    changes = tuple(
        f"{name.rpartition('::')[2]} = {value}"
        for name, value in step.changes
        if counting is None or name in counting or name.rpartition("[")[0] in counting
    )
    function = record.program.locations[step.source[1]].function if record.program is not None else ""
    return TraceRow(str(step.span.line) if step.span else "", function, step.text, changes)


# Evidence


def _invariants(record: Record) -> Iterator[tuple[str, str]]:
    for index, attempt in enumerate(record.view.attempts):
        for one in attempt.invariants:
            yield record.place(one.place), record.formula(index, one.formula)


def _examinations(record: Record, extent: Extent) -> Iterator[Examination]:
    for index, attempt in enumerate(record.view.attempts):
        words, steps = tally(record, index), obligations(record, index)
        if not words:
            continue
        tools = tool_rows(record, index)
        yield Examination(
            "" if attempt.event is None else attempt.event.engine,
            words,
            tuple(ToolRow(one.tool, one.words, one.count, duration(one.seconds)) for one in tools),
            tuple(_step_row(row) for row in steps if row.result in _FAILED)[: extent.rows],
            tuple(_step_row(row) for row in slowest(steps)[: extent.slowest] if row.seconds),
        )


def _step_row(row: EvidenceRow) -> StepRow:
    result, _ = reading_in_words(row.result)
    return StepRow(row.place, row.subject, result, row.tool, duration(row.seconds))


# The rest


def _plan(record: Record) -> Iterator[tuple[str, str]]:
    plan = record.view.plan
    if plan is not None:
        features = ", ".join(f"{count} {name.replace('_', ' ')}" for name, count in plan.features if count)
        yield "The program has", features or "nothing that counts"
        yield from plan.engines
        for engine, reason in plan.left_out:
            yield f"not {engine}", reason


def _messages(record: Record) -> Iterator[tuple[str, str]]:
    for one in record.view.messages:
        where = f"{one.file.rpartition('/')[2]}:{one.line}:{one.column}" if one.file else ""
        yield where, f"{one.severity}: {one.text}"


def _options(record: Record) -> Iterator[tuple[str, str]]:
    request = record.request
    yield "task", request.task
    yield "engine", request.engine
    yield from request.options
    yield "property", request.property or "none named"
    yield "checks of undefined behaviour", ", ".join(request.checks) or "none"
    yield "data model", data_model(record) or "of the task, else ILP32"
    yield "arithmetic", request.arithmetic.value
    if request.acsl is not None:
        yield "ACSL", request.acsl.value
    yield "time limit", f"{request.time_limit:g} s of CPU time" if request.time_limit is not None else "none"
    yield "memory limit", f"{request.memory_limit} MB" if request.memory_limit is not None else "none"
    yield "seed", str(request.seed)
    yield "replay", request.replay.value


def _versions(record: Record) -> Iterator[tuple[str, str]]:
    if record.writer:
        yield "written by", record.writer
    if record.path is not None:
        yield "run file", record.path.name


def _file_row(name: str, text: str) -> tuple[str, int, str]:
    digest = hashlib.sha256(text.encode("utf-8", "backslashreplace")).hexdigest()
    return name, len(text.splitlines()), digest


def _both_ends(items: Sequence[_T], most: int) -> tuple[tuple[_T, ...], int]:
    """The items, or of many the first and the last ones, with how many are missing between."""
    if len(items) <= most:
        return tuple(items), 0
    half = most // 2
    return (*items[:half], *items[-half:]), len(items) - 2 * half
