"""The annotated source of a report: lines with their marks and notes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from interplay.presentation.record.marks import LineMarks, marks, path_lines, value_hints
from interplay.presentation.record.moments import lemmas
from interplay.presentation.record.paths import ShownPath, counterexample
from interplay.presentation.record.run import LATEST, RunRecord
from interplay.presentation.report.document import Listing, Note, ReportLimits, SourceLine

_AROUND = 2  # lines shown before and after one that says something
_NOTES = 6  # at one line
_LONGEST = 160  # characters of a note


def listings(record: RunRecord, limits: ReportLimits) -> Iterator[Listing]:
    """The files with marks or notes, that of the first check first; without any, the main file."""
    names = list(record.program_texts)
    main = [name for name in names if name == record.main_file]
    notes = _notes(record)
    for name in (*main, *(other for other in names if other not in main)):
        if name in main or notes.get(name) or marks(record, name):
            yield _listing(record, name, notes.get(name, {}), limits)


def _listing(record: RunRecord, name: str, notes: Mapping[int, Sequence[Note]], limits: ReportLimits) -> Listing:
    found, passed = marks(record, name), _passed(record, name)
    lines = [
        _line(number, text, found.get(number, LineMarks()), number in passed, notes.get(number, ()))
        for number, text in enumerate(record.sources[name].splitlines(), 1)
    ]
    if len(lines) <= limits.lines:
        return Listing(name, (tuple(lines),))
    says = [line.number for line in lines if line.check or line.notes or line.path or line.loop]
    near = {at for number in says for at in range(number - _AROUND, number + _AROUND + 1)}
    kept = [line for line in lines if line.number in near][: limits.lines]
    return Listing(name, tuple(_blocks(kept)), len(lines) - len(kept))


def _blocks(lines: Sequence[SourceLine]) -> Iterator[tuple[SourceLine, ...]]:
    block: list[SourceLine] = []
    for line in lines:
        if block and line.number != block[-1].number + 1:
            yield tuple(block)
            block = []
        block.append(line)
    if block:
        yield tuple(block)


def _line(number: int, text: str, mark: LineMarks, on_path: bool, notes: Sequence[Note]) -> SourceLine:
    return SourceLine(
        number,
        text,
        mark.check.value if mark.check is not None else "",
        mark.description,
        mark.coverage.name.lower() if mark.coverage is not None else "",
        mark.loop,
        on_path,
        tuple(notes),
    )


def _counterexamples(record: RunRecord) -> Iterator[ShownPath]:
    shown = (counterexample(record, check) for check in record.view.traces)
    yield from (one for one in shown if one is not None)


def _passed(record: RunRecord, name: str) -> frozenset[int]:
    """The lines on the first counterexample."""
    first = next(_counterexamples(record), None)
    return frozenset(path_lines(first, name)) if first is not None else frozenset()


def _notes(record: RunRecord) -> Mapping[str, Mapping[int, Sequence[Note]]]:
    """The notes by file and line: invariants of the proof, values of the first counterexample, last predicates."""
    found: dict[str, dict[int, dict[Note, None]]] = {}
    for file, line, note in (*_invariants(record), *_values(record), *_predicates(record)):
        if note.text:
            found.setdefault(file, {}).setdefault(line, {})[note] = None
    return {file: {line: tuple(notes)[:_NOTES] for line, notes in lines.items()} for file, lines in found.items()}


def _invariants(record: RunRecord) -> Iterator[tuple[str, int, Note]]:
    for index, attempt in enumerate(record.view.attempts):
        for one in attempt.invariants:
            span = record.span_of_place(one.place)
            if span is not None:
                yield span.file, span.line, Note("invariant", _short(record.formula(index, one.formula, one.place)))


def _values(record: RunRecord) -> Iterator[tuple[str, int, Note]]:
    first = next(_counterexamples(record), None)
    for file in record.sources if first is not None else ():
        assert first is not None
        for line, hints in value_hints(first, None, file).items():
            yield from ((file, line, Note("value", _short(hint.text))) for hint in hints)


def _predicates(record: RunRecord) -> Iterator[tuple[str, int, Note]]:
    for lemma in lemmas(record, LATEST, None):
        place = lemma.event.place
        span = record.span_of_place(place) if lemma.event.role == "predicate" and place is not None else None
        if span is not None:
            yield span.file, span.line, Note("predicate", _short(record.formula(LATEST, lemma.event.formula, place)))


def _short(text: str) -> str:
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 1]}…"
