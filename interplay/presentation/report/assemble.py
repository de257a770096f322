"""Assembles the report on a run from its record, with the functions that views use. Without Qt."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TypeVar

from core.program.given import GivenInput
from core.program.properties import UNDEFINED_BEHAVIOUR
from core.program.source import shown_function
from core.verdict import Status
from interplay.presentation.folding import folded, folded_inputs, repeated
from interplay.presentation.plurals import counted
from interplay.presentation.record.evidence import check_rows
from interplay.presentation.record.moments import rounds as rows_of_rounds
from interplay.presentation.record.moments import telling
from interplay.presentation.record.paths import PathStep, ShownPath, counterexample
from interplay.presentation.record.proof import duration, reading_in_words, slowest, tally, tool_rows
from interplay.presentation.record.run import RunRecord
from interplay.presentation.record.summary import (
    EvidenceRow,
    advice,
    banner,
    data_model,
    engine_times,
    obligations,
    phase_times,
    phase_words,
    side_by_side,
)
from interplay.presentation.record.unanswered import no_answer
from interplay.presentation.report.document import (
    Examination,
    Report,
    ReportGraph,
    ReportLimits,
    ShownInvariant,
    StepRow,
    Trace,
    TraceInput,
    TraceStep,
)
from interplay.presentation.report.history import histories
from interplay.presentation.report.listing import listings
from interplay.presentation.report.pictures import graphs
from interplay.presentation.run_text import matters
from interplay.presentation.slicing import PathSlice, slice_of
from interplay.session.reproduction import command_of
from interplay.session.request import REQUEST_OPTIONS
from runs.events import TraceShown
from runs.runfile import StoredRun

_T = TypeVar("_T")
_FAILED = ("refuted", "undecided")


def report_of(run: StoredRun, limits: ReportLimits) -> Report:
    """The report on a stored run. Raises `Malformed`."""
    return report(RunRecord.of(run), limits)


def report(record: RunRecord, limits: ReportLimits) -> Report:
    """The report on a run, finished or not."""
    view = record.view
    head = banner(record)
    checks = check_rows(record)
    verdict = view.verdict
    told = tuple(histories(record, limits))
    pictures = tuple(graphs(record, limits))
    return Report(
        title=record.title,
        tone=head.tone.value,
        headline=head.headline if verdict is not None else "The run did not finish; this is what it had found.",
        inputs=head.inputs,
        rests_on=head.rests_on if verdict is not None and verdict.confirmed_by else "",
        checked=_checked(record) if verdict is not None and verdict.confirmed_by else "",
        untested=head.untested,
        assumes=head.assumes,
        advice=advice(record),
        missing=() if (open_still := no_answer(record)) is None else open_still.parts(),
        facts=tuple(_facts(record)),
        checks=checks[: limits.rows],
        checks_left_out=max(0, len(checks) - limits.rows),
        traces=tuple(_traces(record, limits, pictures)),
        invariants=tuple(_invariants(record)),
        examinations=tuple(_examinations(record, limits)),
        plan=tuple(_plan(record)),
        histories=told,
        listings=tuple(listings(record, limits)),
        graphs=pictures,
        messages=tuple(_messages(record))[: limits.rows],
        options=tuple(_options(record)),
        versions=(*_times(record), *_versions(record)),
        files=tuple(_file_row(name, text) for name, text in record.sources.items()),
        command=command_of(record.request, _steered(record)),
        steered=tuple(words for history in told for one in history.rounds for words in one.edits),
    )


def _checked(record: RunRecord) -> str:
    """A sentence about the time of the examination: a report is written from a run and examines nothing."""
    again = f"interplay check {record.path.name if record.path is not None else 'RUN'}"
    return f"Examined when it was verified, and not again for this report: “{again}” does it."


def _steered(record: RunRecord) -> str:
    """The run file, if a user has steered the run."""
    edits = any(attempt.edits for attempt in record.view.attempts)
    return record.path.name if edits and record.path is not None else ""


def _facts(record: RunRecord) -> Iterator[tuple[str, str]]:
    view = record.view
    yield "Engine", record.engine
    yield "Property", ", ".join(_asked(record)) or "what the program asserts"
    for name, text in record.program_texts.items():
        _, lines, digest = _file_row(name, text)
        yield "Text", f"{os.path.basename(name)}, {counted(lines, 'line')}, SHA-256 {digest[:12]}…"
    rounds = len(record.attempt().rounds)
    if rounds:
        yield "Rounds", str(rounds)
    learned = sum(row.learned for row in rows_of_rounds(record))
    before = sum(1 for _ in telling(record.attempt(), record.attempt().lemmas)) - learned
    if learned or before:
        yield "Lemmas learned", f"{learned}{f', and {before} known before the first round' if before else ''}"
    yield "Time on the clock", f"{view.seconds:.1f} s"


def _asked(record: RunRecord) -> Iterator[str]:
    """The property and the kinds of checks that were asked for."""
    if record.request.property:
        yield record.request.property
    checks = record.request.checks
    if set(checks) == {kind.value for kind in UNDEFINED_BEHAVIOUR}:
        yield "undefined behaviour"
    else:
        yield from checks


def _times(record: RunRecord) -> Iterator[tuple[str, str]]:
    """CPU time by engine, and the clock by phase."""
    engines = ", ".join(f"{name} {seconds:.1f} s" for name, seconds in engine_times(record))
    if engines:
        yield "CPU time of engines", engines
    times = ", ".join(
        f"{phase_words(name)} {seconds:.1f} s" for name, seconds in phase_times(record).items() if seconds
    )
    if times:
        yield "Time on the clock, engines side by side" if side_by_side(record) else "Time on the clock", times


# Counterexamples


def _traces(record: RunRecord, limits: ReportLimits, pictures: Sequence[ReportGraph]) -> Iterator[Trace]:
    for number, trace in record.view.traces.items():
        shown = counterexample(record, number)
        if shown is not None:
            yield _trace(record, trace, shown, limits, pictures)


def _trace(
    record: RunRecord, trace: TraceShown, shown: ShownPath, limits: ReportLimits, pictures: Sequence[ReportGraph]
) -> Trace:
    part = _slice(record, trace)
    steps, left_out = _both_ends(list(_trace_rows(record, trace, shown, part, pictures)), limits.steps)
    every = record.text.given(trace)
    inputs = [one for one in every if matters(trace, one, part)]
    rows = list(inputs if part is None else folded_inputs(inputs))
    check = record.view.checks.get(trace.check)
    goal = f"{check.file.rpartition('/')[2]}:{check.line}: {check.description}" if check else "an error"
    confirmed = check.confirmed_by if check is not None and check.status == Status.FALSE else ""
    return Trace(
        shown.heading,
        goal,
        confirmed,
        steps,
        left_out,
        tuple(_input_row(record, one) for one in rows[: limits.rows]),
        len(every) - (len(inputs) if len(rows) <= limits.rows else limits.rows),
    )


def _input_row(record: RunRecord, one: GivenInput | str) -> TraceInput:
    if isinstance(one, str):
        return TraceInput("", one, "")
    return TraceInput(record.line(*one.place), one.subject, one.value)


def _slice(record: RunRecord, trace: TraceShown) -> PathSlice | None:
    """The dynamic slice of a trace; None where the path does not fit the program."""
    program, path = record.program, [number for number, _ in trace.steps]
    if program is None or not all(0 <= number < len(program.edges) for number in path):
        return None
    if len(record.places_on(path)) != len(path) + 1:
        return None
    return slice_of(program, trace)


def _trace_rows(
    record: RunRecord, trace: TraceShown, shown: ShownPath, part: PathSlice | None, pictures: Sequence[ReportGraph]
) -> Iterator[TraceStep]:
    """The steps that change something, or count without that; without repetitions."""
    every = [(step, _trace_row(record, trace, step, part, pictures)) for step in shown.steps]
    counted = frozenset() if part is None else part.steps
    rows = [
        (step, row)
        for step, row in every
        if row.changes
        or (row.text and not counted.isdisjoint(record.text.positions(trace, step.index)))
        or step.index == shown.steps[-1].index  # the failure itself
    ]
    for piece, times in folded([step.edges for step, _ in rows]):
        yield from (rows[position][1] for position in piece)
        if times:
            hidden = [step.index for step, _ in rows[piece.stop : piece.stop + times * len(piece)]]
            counts = None if part is None else part.has
            changes = (one for index in hidden for one in record.text.changes(trace, index, counts))
            yield TraceStep("", "", repeated(len(piece), times, changes=changes), ())


def _trace_row(
    record: RunRecord, trace: TraceShown, step: PathStep, part: PathSlice | None, pictures: Sequence[ReportGraph]
) -> TraceStep:
    counts = None if part is None else part.has
    changes = [f"{name} = {value}" for name, value in record.text.changes(trace, step.index, counts)]
    positions, lives = record.text.positions(trace, step.index), record.text.lifetimes(trace)
    changes += [str(one) for one in lives.steps if one.position in positions]
    if step.index == len(trace.steps) - 1:
        changes.append(f"✗ {lives.fault.words if lives.fault is not None else 'the error'}")
    function = shown_function(record.program.locations[step.source[1]].function) if record.program is not None else ""
    location = step.source[1]
    drawn = ((number, graph.boxes[location]) for number, graph in enumerate(pictures) if location in graph.boxes)
    line, file = (record.line(step.span.file, step.span.line), step.span.file) if step.span else ("", "")
    return TraceStep(line, function, step.text, tuple(changes), file, next(drawn, None))


# Evidence


def _invariants(record: RunRecord) -> Iterator[ShownInvariant]:
    for index, attempt in enumerate(record.view.attempts):
        for one in record.text.invariants(attempt):
            lines = record.conjuncts(index, one.formula, one.place)
            whole = record.full_formula(index, one.formula, one.place).text
            is_whole = "\n".join(lines) == "\n".join(record.whole(index, one.formula, one.place))
            yield ShownInvariant(record.place(one.place), lines, "" if is_whole else whole)


def _examinations(record: RunRecord, limits: ReportLimits) -> Iterator[Examination]:
    for index, attempt in enumerate(record.view.attempts):
        words, steps = tally(record, index), obligations(record, index)
        if not words:
            continue
        yield Examination(
            "" if attempt.event is None else attempt.event.engine,
            words,
            tool_rows(record, index),
            tuple(_step_row(row) for row in steps if row.result in _FAILED)[: limits.rows],
            tuple(_step_row(row) for row in slowest(steps)[: limits.slowest] if row.seconds),
        )


def _step_row(row: EvidenceRow) -> StepRow:
    result, _ = reading_in_words(row.result)
    subject = row.subject if len(row.subject) <= _LONGEST_STEP else f"{row.subject[:_LONGEST_STEP]} …"
    return StepRow(row.place, subject, result, row.tool, duration(row.seconds))


_LONGEST_STEP = 400  # characters; the window has all of it


# The rest


def _plan(record: RunRecord) -> Iterator[tuple[str, str]]:
    plan = record.view.plan
    if plan is not None:
        named = ((name.replace("_", " "), count) for name, count in plan.features if count)
        features = ", ".join(f"{count} {name.removesuffix('s') if count == 1 else name}" for name, count in named)
        yield "The program has", features or "nothing that counts"
        yield from plan.engines
        for engine, reason in plan.left_out:
            yield f"not {engine}", reason


def _messages(record: RunRecord) -> Iterator[tuple[str, str]]:
    for one in record.view.messages:
        where = f"{one.file.rpartition('/')[2]}:{one.line}:{one.column}" if one.file else ""
        yield where, f"{one.severity}: {one.text}"


def _options(record: RunRecord) -> Iterator[tuple[str, str]]:
    request = replace(record.request, data_model=data_model(record) or None)
    yield "task", request.task
    unset: list[str] = []
    for name, option in REQUEST_OPTIONS.items():
        words, value = name.replace("_", " "), getattr(request, name)
        if option.flag and (value not in (None, ()) or option.unset):
            yield words, option.shown(value)
        elif option.help:
            unset.append(words)
    if unset:
        yield "not set", ", ".join(unset)


def _versions(record: RunRecord) -> Iterator[tuple[str, str]]:
    if record.writer:
        yield "written by", record.writer
    if record.path is not None:
        yield "run file", record.path.name


def _file_row(name: str, text: str) -> tuple[str, int, str]:
    digest = hashlib.sha256(text.encode("utf-8", "backslashreplace")).hexdigest()
    return name, len(text.splitlines()), digest


def _both_ends(items: Sequence[_T], most: int) -> tuple[tuple[_T, ...], int]:
    """The items, or of many the first and the last ones, with the number left out between."""
    if len(items) <= most:
        return tuple(items), 0
    half = most // 2
    return (*items[:half], *items[-half:]), len(items) - 2 * half
