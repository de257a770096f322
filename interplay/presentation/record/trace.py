"""Counterexamples at source level: the relevant steps, the inputs, and the calls that lead to the error.

The path has an edge for each small operation. Shown are changes of variables: by default only those that lead to the
error (a dynamic slice, `interplay.presentation.slicing`), with the calls and returns between them. Steps keep their
index in the path, so that all views share the cursor of the focus.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import replace
from enum import Enum
from typing import TYPE_CHECKING

from core.dataclass import dataclass
from core.program import Assign, Call
from core.program.changes import STORAGE
from core.program.own_steps import is_own
from core.program.source import shown_function
from core.terms import INT, Term
from interplay.presentation.folding import folded, repeated
from interplay.presentation.record.memo import drained
from interplay.presentation.record.paths import (
    PathStep,
    VariableRow,
    call_stack,
    counterexample,
    steps_key,
    steps_of,
)
from interplay.presentation.record.run import RunRecord
from interplay.presentation.run_text import matters
from runs.events import TraceShown

if TYPE_CHECKING:
    from interplay.presentation.float_words import NumberLine
    from interplay.presentation.lifetimes import LifetimeStep
    from interplay.presentation.slicing import PathSlice  # loaded where a counterexample is shown


class TraceDetail(Enum):
    """The level of detail of a counterexample."""

    RELEVANT = "What matters"
    CHANGES = "All changes"
    EVERYTHING = "Every step"


class StepKind(Enum):
    """The kinds of steps that have a note in words."""

    CALL = "into"
    RETURN = "back from"
    LIFE = ""
    ERROR = "the error"


@dataclass(frozen=True)
class StepNote:
    """A step in words; `subject` is the function that is called or left, what becomes of an object, or how the check
    fails; then `reason` says why, where that is known.
    """

    kind: StepKind
    subject: str
    reason: str = ""

    def __str__(self) -> str:
        if self.kind is StepKind.ERROR:
            return ": ".join(part for part in (self.kind.value, self.subject, self.reason) if part)
        return f"{self.kind.value} {self.subject}".strip()


@dataclass(frozen=True)
class TraceRow:
    """A step of a counterexample: `index` is that in the path, `depth` the number of active calls, 0 in main.

    `changes` are (name in the source, value); `note` describes a step without changes (a call, the error). `matters`:
    it leads to the error.
    """

    index: int
    line: int | None
    file: str
    depth: int
    text: str
    changes: tuple[tuple[str, str], ...]
    note: StepNote | None
    matters: bool


@dataclass(frozen=True)
class InputRow:
    """An input of the program; `times` counts the calls at one place from 1. `variable` is the source variable that it
    is stored in; empty where there is none.
    """

    name: str
    kind: str
    where: str
    place: tuple[str, int]
    times: int
    value: str
    matters: bool
    relation: str
    variable: str

    @property
    def named(self) -> str:
        """The input with what stands between it and the value, unless that is an equality sign."""
        return self.name if self.relation == "=" else f"{self.name} {self.relation}"


_KINDS = {
    "nondet": "returned by the call",
    "volatile": "read from the volatile object",
    "indeterminate": "was not initialised",
    "extern": "comes from code that is not there",
}


def failing_traces(record: RunRecord) -> tuple[int, ...]:
    """The checks that have a counterexample: the confirmed ones first."""

    def make() -> tuple[int, ...]:
        checks = record.view.checks
        return tuple(
            sorted(record.view.traces, key=lambda one: (one not in checks or checks[one].status != "false", one))
        )

    return record.memo.get(("failing traces",), make)


def trace_rows(record: RunRecord, check: int, detail: TraceDetail) -> tuple[TraceRow, ...]:
    """The steps of a counterexample in the chosen detail; the last one, which fails, is always among them."""
    every = record.memo.get(("trace rows", check), lambda: _rows(record, check))
    last = every[-1].index if every else -1
    match detail:
        case TraceDetail.EVERYTHING:
            return tuple(row for row in every if row.text or row.changes or row.index == last)
        case TraceDetail.CHANGES:
            return tuple(row for row in every if row.changes or row.note)
        case TraceDetail.RELEVANT:
            return record.memo.get(
                ("trace rows", check, detail),
                lambda: tuple(_without_idle_calls([row for row in every if _is_relevant(row)])),
            )


def folded_rows(rows: Sequence[TraceRow]) -> Iterator[TraceRow]:
    """The rows; of equal ones in a row, as a loop has them, the first, a row that says how many more, and the last."""
    keys = [(row.file, row.line, row.depth, row.text, *(name for name, _ in row.changes)) for row in rows]
    for piece, times in folded(keys):
        yield from (rows[position] for position in piece)
        if times:
            first = rows[piece.stop]
            hidden = (one for row in rows[piece.stop : piece.stop + times * len(piece)] for one in row.changes)
            text = repeated(len(piece), times, changes=hidden)
            yield replace(first, text=text, changes=(), note=None, matters=False)


def _is_relevant(row: TraceRow) -> bool:
    """Whether a step leads to the error, or to a function that has such steps."""
    return (row.matters and bool(row.text)) or (row.note is not None and row.note.kind is not StepKind.LIFE)


def _rows(record: RunRecord, check: int) -> tuple[TraceRow, ...]:
    trace = record.view.traces.get(check)
    if trace is None:
        return ()
    _, rows = record.memo.keep(rows_key(trace), lambda: drained(rows_of(record, trace)))
    return (*rows[:-1], replace(rows[-1], note=_error(record, check), matters=True)) if rows else ()


_PIECE = 100  # steps


def rows_key(trace: TraceShown) -> Hashable:
    return "trace rows", id(trace)


def rows_of(record: RunRecord, trace: TraceShown) -> Iterator[tuple[TraceShown, tuple[TraceRow, ...]] | None]:
    """A row for each step, computed in pieces; the last one, which fails, has no note yet."""
    _, steps = record.memo.keep(steps_key(trace), lambda: drained(steps_of(record, trace)))
    part = _slice(record, trace)
    lives = record.text.lifetimes(trace)
    in_life = {one.position: one for one in lives.steps}
    at_fault = () if lives.fault is None or lives.fault.base is None else lives.of_object(lives.fault.base)
    rows: list[TraceRow] = []
    for step in steps:
        positions = record.text.positions(trace, step.index)
        changed = ((inner, name) for inner in positions for name, _ in trace.steps[inner][1])
        counts = part is None or any(part.has(*one) for one in changed)
        matters = bool(step.shown and counts) or (part is not None and not part.steps.isdisjoint(positions))
        life = [in_life[inner] for inner in positions if inner in in_life]
        matters |= any(one in at_fault for one in life)
        line, file = (step.span.line, step.span.file) if step.span is not None else (None, "")
        depth = min(record.depth(step.source[0]), record.depth(step.target[0]))  # a call and its return stand outside
        rows.append(TraceRow(step.index, line, file, depth, step.text, step.shown, _note(record, step, life), matters))
        if step.index % _PIECE == _PIECE - 1:
            yield None
    yield trace, tuple(rows)


def _slice(record: RunRecord, trace: TraceShown) -> PathSlice | None:
    """The dynamic slice of a trace; None where it does not fit the program, since run files are untrusted."""
    return record.memo.keep(part_key(trace), lambda: drained(part_of(record, trace)))[1]


def part_key(trace: TraceShown) -> Hashable:
    return "relevance", id(trace)


def part_of(record: RunRecord, trace: TraceShown) -> Iterator[tuple[TraceShown, PathSlice | None] | None]:
    """The dynamic slice of a trace, computed in pieces."""
    program, path = record.program, [number for number, _ in trace.steps]
    if program is None or not all(0 <= number < len(program.edges) for number in path):
        yield trace, None
        return
    from interplay.presentation.slicing import slice_in_pieces

    for part in slice_in_pieces(program, trace):
        yield None if part is None else (trace, part)


def _note(record: RunRecord, step: PathStep, life: Sequence[LifetimeStep]) -> StepNote | None:
    """The note of a step: a call or a return, where the source has it; or what becomes of objects."""
    if life:
        return StepNote(StepKind.LIFE, ", ".join(map(str, life)))
    program = record.program
    edge = program.edges[step.edges[0]] if program is not None else None
    if (
        program is None
        or edge is None
        or not isinstance(edge.operation, Call)
        or edge.operation.function == program.start
        or not is_own(program, edge.operation.function)
    ):
        return None
    if not step.source[0]:
        return None  # main is entered by no call of the source
    entered = len(step.target[0]) > len(step.source[0])
    subject = shown_function(edge.operation.function)
    return StepNote(StepKind.CALL if entered else StepKind.RETURN, subject)


def _error(record: RunRecord, check: int) -> StepNote:
    decided = record.view.checks.get(check)
    trace = record.view.traces.get(check)
    fault = None if trace is None else record.text.lifetimes(trace).fault
    return StepNote(
        StepKind.ERROR, "" if decided is None else decided.description, "" if fault is None else fault.words
    )


def _is_call_and_return(first: TraceRow, second: TraceRow) -> bool:
    """Whether one step calls a function and the next is back from it, and neither changes anything that counts."""
    if first.note is None or second.note is None or first.matters or second.matters:
        return False
    kinds = (first.note.kind, second.note.kind)
    return kinds == (StepKind.CALL, StepKind.RETURN) and first.note.subject == second.note.subject


def _without_idle_calls(rows: list[TraceRow]) -> Iterator[TraceRow]:
    """Leave out calls without relevant steps: `into f` directly followed by `back from f`."""
    kept: list[TraceRow] = []
    for row in rows:
        if kept and _is_call_and_return(kept[-1], row):
            kept.pop()
        else:
            kept.append(row)
    yield from kept


def input_rows(record: RunRecord, check: int) -> tuple[InputRow, ...]:
    """The inputs of a counterexample, in the order in which the program gets them."""
    trace = record.view.traces.get(check)
    if trace is None:
        return ()

    def make() -> tuple[InputRow, ...]:
        part, variables = _slice(record, trace), _variables_of_inputs(record)
        return tuple(
            InputRow(
                one.name,
                _KINDS.get(one.kind, one.kind or "comes from outside"),
                f"{one.place[0].rpartition('/')[2]}:{one.place[1]}",
                one.place,
                one.times,
                one.value,
                matters(trace, one, part),
                one.relation,
                variables.get(trace.inputs[one.numbers[0]][:5], "") if one.kind else "",
            )
            for one in record.text.given(trace)
        )

    return record.memo.get(("input rows", check), make)


def _variables_of_inputs(record: RunRecord) -> Mapping[tuple[str, str, str, int, int], str]:
    """The variable that the input at a place is stored in, where that is one of the source, and no other."""
    program = record.program
    if program is None:
        return {}

    def make() -> dict[tuple[str, str, str, int, int], str]:
        values: dict[tuple[str, str, str, int, int], set[str]] = {}
        for edge in program.edges:
            for x, value in edge.operation.updates if isinstance(edge.operation, Assign) else ():
                known = program.inputs.get(value)
                if known is not None:
                    key = (known.kind.value, known.name, known.span.file, known.span.line, known.span.column)
                    stored = _stored(record, edge.id, x)
                    values.setdefault(key, set()).update(() if stored is None else (stored,))
        return {key: next(iter(names)) for key, names in values.items() if len(names) == 1}

    return record.memo.get(("variables of inputs",), make)


def _stored(record: RunRecord, edge: int, x: Term) -> str | None:
    """The name of a scalar of the source; None of others, as of temporaries."""
    known = None if record.program is None else record.program.variables.get(x)
    return None if known is None or known.hidden or x.sort is not INT else record.text.stored_in(edge, known.name)


def inputs_in_words(record: RunRecord, check: int) -> str:
    """A sentence about the inputs that make a check fail: the relevant ones, in the order of the source."""
    rows = input_rows(record, check)
    if not rows:
        return "Needs no input: it fails in every execution." if check in record.view.traces else ""
    places: dict[tuple[str, int, str], list[InputRow]] = {}
    for row in sorted(rows, key=lambda row: (row.name.startswith(STORAGE), row.value in _ZEROS)):
        if row.matters:
            places.setdefault((*row.place, row.name), []).append(row)
    if not places:
        return f"Its inputs ({len(rows)}) have no part in it."
    said: list[str] = []
    for some in places.values():
        is_plain = all(row.value in _ZEROS for row in some)
        if sum(map(len, said)) > _LONGEST_SENTENCE or (is_plain and said):
            break
        said.append(_input_in_words(record, check, some))
    rest = len(places) - len(said)
    more = f", and {rest} more" if rest else ""
    quiet = sum(not row.matters for row in rows)
    others = f"; {quiet} other{'' if quiet == 1 else 's'} without influence" if quiet else ""
    return f"Fails with {', '.join(said)}{more}{others}"


_ZEROS = ("{others = 0}", "{others = null}")  # memory that holds zeros says little
_LONGEST_SENTENCE = 120  # characters
_MAX_VALUES = 6  # of one input, which is read again and again
_LONGEST_VALUE = 24  # characters: storage of arrays has long ones


def _input_in_words(record: RunRecord, check: int, rows: Sequence[InputRow]) -> str:
    """An input as `capacity = 2 (line 10)`, or all values of one that is read several times."""
    first = rows[0]
    failing = record.view.checks.get(check)
    here = failing is not None and first.place[0] == failing.file
    where = f"line {first.place[1]}" if here else first.where
    call = f"{first.name}()" if first.kind == _KINDS["nondet"] else first.name
    values = [row.value if len(row.value) <= _LONGEST_VALUE else "…" for row in rows]
    text = ", ".join(values[:_MAX_VALUES]) + (", …" if len(values) > _MAX_VALUES else "")
    return f"{first.variable or call} {first.relation} {text if len(values) == 1 else f'[{text}]'} ({where})"


def near(rows: tuple[TraceRow, ...], step: int | None) -> int | None:
    """The row of a step: its own, else the last one before it; None before the first."""
    if step is None:
        return None
    found = [position for position, row in enumerate(rows) if row.index <= step]
    return found[-1] if found else None


def missed_by(record: RunRecord, check: int, values: Sequence[VariableRow]) -> NumberLine | None:
    """The floating-point numbers around a bound that a check misses by one of them, with the values at its error."""
    from interplay.presentation.float_words import missed_by_one  # few programs have such numbers

    failing = record.view.checks.get(check)
    known = {row.name.rpartition("::")[2]: row.after for row in values if row.after is not None}
    return None if failing is None else missed_by_one(failing.description, known)


def calls_at(record: RunRecord, check: int, step: int | None) -> tuple[str, ...]:
    """The functions that are active at a step, the outermost first; at the end for None."""
    path = counterexample(record, check)
    if path is None or not path.steps:
        return ()
    at = path.steps[-1 if step is None else min(step, len(path.steps) - 1)]
    return call_stack(record, at.source)
