"""All texts for people that a run has, and the words in them that only the inside of the program knows."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import fields, is_dataclass
from enum import Enum
from pathlib import Path

from interplay.commands.desktop import write_html, write_markdown
from interplay.presentation.details import details
from interplay.presentation.graphs.automaton import to_json
from interplay.presentation.graphs.automaton_svg import to_svg
from interplay.presentation.record.diagrams import described_by, excluded_by
from interplay.presentation.record.evidence import check_rows, heading, invariant_rows
from interplay.presentation.record.heaps import heap_at
from interplay.presentation.record.lemmas import kinds, origin_words, table
from interplay.presentation.record.marks import value_hints
from interplay.presentation.record.moments import state
from interplay.presentation.record.paths import abstract_path, counterexample, variables_at
from interplay.presentation.record.proof import tool_rows
from interplay.presentation.record.reasons import contradiction, learned_in, sentence
from interplay.presentation.record.run import RunRecord
from interplay.presentation.record.summary import assumptions, banner, evidence
from interplay.presentation.record.timeline import columns
from interplay.presentation.record.trace import TraceDetail, input_rows, inputs_in_words, trace_rows
from interplay.presentation.record.unanswered import no_answer
from interplay.presentation.run_text import RunText
from interplay.presentation.text import TextReport, TraceExtent
from interplay.witnesses.writing import sarif_of
from runs.runfile import StoredRun

_MAX = 12  # rounds, states and steps of one run that are looked at
_ACSL = "forall|exists|old|result|reach|length|true|false|null|valid|valid_read|separated|list|at|allocated"
_WORDS = re.compile(
    rf"\\(?!(?:{_ACSL})\b)[A-Za-z_]{{2,}}(?![\w…])"  # names of our own, which begin with a backslash
    r"|\bmemory\d*\.\w+|\bmemory\d+\b|\btmp!\d|\w!\d|@init\b|::return\b|\.address\b|interplay_\w+"
    r"|2(?:⁸⁰|¹⁰⁰|⁴⁰)|\d{21,}|(?<!\d)10995116\d{5}(?!\d)"  # addresses
)


def internal_words(text: str) -> list[str]:
    """The words of a text that are not for people."""
    return [match[0] for match in _WORDS.finditer(text)]


def texts_of(run: StoredRun, folder: Path) -> Iterator[tuple[str, str]]:
    """The texts of a run with where they are shown; `folder` is for files."""
    record = RunRecord.of(run)
    text = RunText(record.view, record.program)
    yield from (("verify", line) for line in TextReport(text).lines(TraceExtent.RELEVANT))
    yield from (("show", line) for line in (*TextReport(text).lines(TraceExtent.ALL), *details(run, record.view, text)))
    write_html(run, folder / "report.html")
    write_markdown(run, folder / "report.md")
    yield from (("html", line) for line in (folder / "report.html").read_text().splitlines())
    plain = re.sub(r"\\([^A-Za-z])", r"\1", (folder / "report.md").read_text())
    yield from (("markdown", line) for line in plain.splitlines())
    yield from (("sarif", line) for line in sarif_of(run).splitlines())
    if record.program is not None:
        lines = to_json(record.program).splitlines()
        yield from (("program", line) for line in lines if not line.startswith('{"function"'))  # that must be unique
        yield from (("drawing", line) for line in to_svg(record.program).splitlines())
    yield from _of_window(record)


def _of_window(record: RunRecord) -> Iterator[tuple[str, str]]:
    shown = [("banner", banner(record)), ("checks", check_rows(record)), ("evidence", heading(record))]
    shown += [("assumptions", assumptions(record)), ("no answer", no_answer(record))]
    for check in record.view.traces:
        shown += [("trace", trace_rows(record, check, detail)) for detail in TraceDetail]
        shown += [("inputs", input_rows(record, check)), ("inputs", inputs_in_words(record, check))]
        path = counterexample(record, check)
        for step in path.steps[:: max(1, len(path.steps) // _MAX)] if path is not None else ():
            shown += [
                ("variables", variables_at(record, check, step.index)),
                ("heap", heap_at(record, check, step.index)),
            ]
            shown += [("hints", value_hints(path, step.index, record.main_file))] if path is not None else []
    for where, value in shown:
        yield from ((where, one) for one in _strings(value))
    for attempt in range(len(record.view.attempts)):
        yield from ((where, one) for where, value in _of_attempt(record, attempt) for one in _strings(value))


def _of_attempt(record: RunRecord, attempt: int) -> Iterator[tuple[str, object]]:
    one = record.attempt(attempt)
    yield "invariants", invariant_rows(record, attempt)
    yield "obligations", (evidence(record, attempt), tool_rows(record, attempt))
    yield "timeline", columns(record, attempt)
    for kind in kinds(record, attempt):
        rows = table(record, attempt, None, kind).rows
        yield "lemmas", rows
        yield "origins", [origin_words(record, attempt, row) for row in rows[:_MAX]]
    yield "diagrams", [excluded_by(record, attempt, lemma) for lemma in one.lemmas[:_MAX]]
    for path in one.paths[:_MAX]:
        yield "path", abstract_path(record, attempt, path)
        said = contradiction(record, attempt, path.round)
        yield "contradiction", (said, sentence(said))
        yield "learned", [] if path.round is None else learned_in(record, attempt, path.round)
    position = record.view.position
    for node in state(record, attempt, None).nodes[:_MAX]:
        formula = node.formula_at(position)
        yield "states", (record.conjuncts(attempt, formula, node.place), record.formula(attempt, formula, node.place))
        yield "diagrams", described_by(record, attempt, node, position)


def _strings(value: object) -> Iterator[str]:
    """The texts in a value, without those of enumerations."""
    if isinstance(value, str) and not isinstance(value, Enum):
        yield value
    elif isinstance(value, Mapping):
        yield from (text for pair in value.items() for one in pair for text in _strings(one))
    elif isinstance(value, tuple | list | frozenset):
        yield from (text for one in value for text in _strings(one))
    elif is_dataclass(value) and not isinstance(value, type):
        hidden = {"changes"} if type(value).__name__ == "PathStep" else set()  # of the program, as events have them
        yield from (
            text for one in fields(value) if one.name not in hidden for text in _strings(getattr(value, one.name))
        )
