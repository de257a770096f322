"""The first layer of the report as Markdown, for pages and tickets of a project: the verdict and what it rests on."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from interplay.presentation.plurals import counted
from interplay.presentation.report.document import SIGNS, Report, Trace
from interplay.presentation.report.page import visible

_SPECIAL = str.maketrans({sign: f"\\{sign}" for sign in "\\`*_{}[]<>#|~"})


def markdown(report: Report) -> str:
    """The report as Markdown with tables, as GitHub reads it. Texts of the program are escaped."""
    return "\n\n".join("\n".join(part) for part in _parts(report)) + "\n"


def _parts(report: Report) -> Iterator[Sequence[str]]:
    yield [f"# {SIGNS[report.tone]} {_plain(report.headline)}"]
    yield [f"Report on the verification of **{_plain(report.title)}**."]
    for said in (report.untested, report.inputs, report.rests_on, report.checked, report.assumes, report.advice):
        if said:
            yield [_plain(said)]
    yield [f"- {name}: {_plain(value)}" for name, value in report.facts]
    for name, words in report.missing:
        yield [f"**{name}.** {_plain(words)}"]
    if report.checks:
        yield ["## Checks"]
        signs = ((f"{SIGNS[row.tone.value]} {row.tone.value}", row) for row in report.checks)
        rows = ((word, row.where, row.description, row.why, row.reached) for word, row in signs)
        yield _table(("verdict", "place", "what is checked", "confirmed by, or reason", "reached by"), rows)
        if report.checks_left_out:
            yield [f"… {counted(report.checks_left_out, 'more check')}."]
    for trace in report.traces:
        yield from _trace(trace)
    if report.invariants:
        yield ["## Loop invariants of the proof"]
        yield _table(("place", "invariant"), ((one.place, line) for one in report.invariants for line in one.lines))
    yield ["## How to run it again"]
    yield [f"The run was written by {_plain(value)}." for name, value in report.versions if name == "written by"]
    command = visible(report.command)
    fence = "`" * max(3, 1 + max((len(run) for run in re.findall("`+", command)), default=0))
    yield [f"{fence}sh", command, fence]


def _trace(trace: Trace) -> Iterator[Sequence[str]]:
    yield [f"## {_plain(trace.heading)}"]
    confirmed = f" Confirmed by {trace.confirmed_by}." if trace.confirmed_by else ""
    yield [_plain(f"It leads to {trace.goal}.{confirmed}")]
    if trace.inputs:
        yield _table(("line", "input", "value"), ((row.where, row.name, row.value) for row in trace.inputs))
    if trace.steps:
        steps = ((row.where, row.function, row.text, "; ".join(row.changes)) for row in trace.steps)
        yield _table(("line", "function", "source", "then"), steps)
    if trace.steps_left_out:
        yield [f"… {counted(trace.steps_left_out, 'more step')}."]


def _table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> Sequence[str]:
    lines = [f"| {' | '.join(_plain(cell) for cell in row)} |" for row in rows]
    return [f"| {' | '.join(head)} |", f"|{' --- |' * len(head)}", *lines]


def _plain(text: str) -> str:
    """A text on one line, without what Markdown would take for its own."""
    return visible(" ".join(text.split())).translate(_SPECIAL)
