"""The marks of source lines: verified, failing, unknown, never reached, loop head; and their inlay hints."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from enum import Enum

from core.dataclass import dataclass
from core.pattern import pattern
from core.verdict import Reachability, Status
from interplay.presentation.record.moments import lemmas, predicates
from interplay.presentation.record.paths import ShownPath
from interplay.presentation.record.run import RunRecord
from runs.events import Place


class Mark(Enum):
    """The state of a check on a line. A failing one outweighs an open one, that one to which no execution comes, and
    that a verified one.
    """

    FAILING = "failing"
    OPEN = "open"
    UNTESTED = "untested"
    VERIFIED = "verified"


class Coverage(Enum):
    """Whether any abstract state of the run lies on a line."""

    REACHED = "reached"
    NEVER = "never reached in any abstraction"


@dataclass(frozen=True)
class LineMarks:
    """All marks of one line."""

    check: Mark | None = None
    description: str = ""
    coverage: Coverage | None = None
    loop: bool = False


@dataclass(frozen=True)
class InlayHint:
    """A short text at the end of a line: a value of a step, or a predicate of a location."""

    kind: str  # "value" or "predicate"
    text: str


def marks(record: RunRecord, file: str) -> Mapping[int, LineMarks]:
    """The marks of the lines of a file that have any."""
    return record.memo.get(("marks", file), lambda: _marks(record, file))


def _marks(record: RunRecord, file: str) -> Mapping[int, LineMarks]:
    checks = _checks(record, file)
    coverage = _coverage(record, file)
    loops = _loops(record, file)
    found: dict[int, LineMarks] = {}
    for line in sorted({*checks, *coverage, *loops}):
        check, description = checks.get(line, (None, ""))
        found[line] = LineMarks(check, description, coverage.get(line), line in loops)
    return found


_UNDEFINED = pattern(r"undefined behaviour at (?P<file>.*):(?P<line>\d+):\d+: (?P<what>.*)")
_WEIGHT = {Mark.VERIFIED: 0, Mark.UNTESTED: 1, Mark.OPEN: 2, Mark.FAILING: 3}
_MARKS: Mapping[str, Mark] = {Status.TRUE.value: Mark.VERIFIED, Status.FALSE.value: Mark.FAILING}


def _checks(record: RunRecord, file: str) -> Mapping[int, tuple[Mark, str]]:
    """The weightiest check of each line, also those that are not decided yet; before that, what cannot be read."""
    marks: dict[int, tuple[Mark, str]] = {
        message.line: (Mark.FAILING, message.text)
        for message in reversed(record.view.messages)
        if message.severity == "error" and message.file == file
    }
    for check in record.program.checks if record.program else ():
        decided = record.view.checks.get(check.id)
        mark = _MARKS.get(decided.status, Mark.OPEN) if decided else Mark.OPEN
        found = None if decided is None else _UNDEFINED.fullmatch(decided.undefined)
        if found is not None and found["file"] in (file, file.rpartition("/")[2]):
            marks.setdefault(int(found["line"]), (Mark.OPEN, f"undefined behaviour: {found['what']}"))
        if mark is Mark.VERIFIED and decided is not None and decided.reach == Reachability.UNREACHED:
            mark = Mark.UNTESTED
        line = check.span.line
        if check.span.file == file and (line not in marks or _WEIGHT[mark] > _WEIGHT[marks[line][0]]):
            marks[line] = (mark, check.description)
    return marks


def _coverage(record: RunRecord, file: str) -> Mapping[int, Coverage]:
    """A line is reached if a step that a node came over, or left by, lies on it. Nodes that no steps lead to tell
    nothing about lines.
    """
    program = record.program
    reached_by = [one.states for one in record.view.attempts]
    if program is None or not any(one.follows_edges for one in reached_by):
        return {}
    passed = {edge for one in reached_by for edge in one.edges}
    found: dict[int, Coverage] = {}
    for edge in program.edges:
        if edge.span is not None and edge.span.file == file:
            reached = edge.id in passed or found.get(edge.span.line) is Coverage.REACHED
            found[edge.span.line] = Coverage.REACHED if reached else Coverage.NEVER
    return found


def _loops(record: RunRecord, file: str) -> frozenset[int]:
    locations = record.program.locations if record.program else ()
    return frozenset(at.span.line for at in locations if at.loop and at.span is not None and at.span.file == file)


def predicate_hints(record: RunRecord, attempt: int, round: int | None, place: Place) -> tuple[InlayHint, ...]:
    """The predicates of a location at a moment, as hints."""
    known = predicates(record, attempt, round)
    local = [lemma for lemma in known.get(place, ()) if lemma.event.role == "predicate"]
    return tuple(InlayHint("predicate", record.formula(attempt, lemma.event.formula, place)) for lemma in local)


def predicate_counts(record: RunRecord, attempt: int, round: int | None, file: str) -> Mapping[int, int]:
    """The number of predicates at the locations of each line at a moment."""

    def make() -> Mapping[int, int]:
        found: dict[int, int] = {}
        for lemma in lemmas(record, attempt, round):
            place = lemma.event.place
            span = None if place is None else record.span_of_place(place)
            if lemma.event.role == "predicate" and span is not None and span.file == file:
                found[span.line] = found.get(span.line, 0) + 1
        return found

    return record.memo.get(("predicate counts", attempt, round, file), make)


def value_hints(path: ShownPath, step: int | None, file: str) -> Mapping[int, tuple[InlayHint, ...]]:
    """The last changes by the steps of a counterexample up to `step`, by line."""
    found: dict[int, dict[str, str]] = {}
    for one in path.steps if step is None else path.steps[: step + 1]:
        if one.span is not None and one.span.file == file:
            of_line = found.setdefault(one.span.line, {})
            of_line.update(one.shown)
    return {line: tuple(_value_hints(values)) for line, values in found.items() if values}


def _value_hints(values: Mapping[str, str]) -> Iterator[InlayHint]:
    for name, value in values.items():
        yield InlayHint("value", f"{name} = {value}")


def path_lines(path: ShownPath, file: str) -> Mapping[int, bool]:
    """The lines that a path passes; True where a step there is part of the contradiction."""
    found: dict[int, bool] = {}
    for name, line, in_core in (place for one in path.steps for place in one.lines):
        if name == file:
            found[line] = found.get(line, False) or in_core
    return found
