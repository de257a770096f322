"""Paths as sequences of steps for display: the abstract path of a round, and the counterexample of a check.

A step is the unit from which one abstract state is computed, so a basic block is one step; its edges keep their order.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping, Sequence
from enum import StrEnum

from core.dataclass import dataclass
from core.program import Call
from core.program.own_steps import is_own, is_start, is_start_file
from core.program.source import shown_function
from core.program.span import Span
from core.verdict import EXIT_CODES, Confirmer, Status
from interplay.presentation.record.memo import drained
from interplay.presentation.record.moments import STUCK_WORDS, gave_up, path_of
from interplay.presentation.record.reasons import core_of
from interplay.presentation.record.run import RunRecord
from runs.events import InterpolantsFound, Place, TraceShown
from runs.runview import RecordedPath


class Fate(StrEnum):
    """The result for a path."""

    SPURIOUS = "spurious"  # no execution follows it
    REPLAYED = "replayed"  # an execution follows it, and has been run
    FEASIBLE = "feasible"  # an execution follows it; it was not confirmed
    OPEN = "open"  # nobody knows yet


@dataclass(frozen=True)
class PathStep:
    """A step of a path. `calls` is the depth of the call stack before it. Formulas are numbers of the event stream.

    `core` are those of its edges that take part in the contradiction. `before` is the interpolant before it, None where
    there is none; `weak` and `strong` are what it contributes to the transition relation, where both forms exist.
    `changes` are (variable, value) texts of a counterexample with the names of the program, `shown` with those of the
    source; `lines` are (file, line, whether it contradicts).
    """

    index: int
    edges: tuple[int, ...]
    source: Place
    target: Place
    span: Span | None
    text: str
    calls: int
    core: tuple[int, ...] = ()
    before: int | None = None
    weak: int | None = None
    strong: int | None = None
    changes: tuple[tuple[str, str], ...] = ()
    shown: tuple[tuple[str, str], ...] = ()
    lines: tuple[tuple[str, int, bool], ...] = ()

    @property
    def in_core(self) -> bool:
        return bool(self.core)


@dataclass(frozen=True)
class ShownPath:
    """A path with its heading: `spurious path of refinement k`, or `counterexample, replayed natively`."""

    heading: str
    fate: Fate
    check: int
    round: int | None
    steps: tuple[PathStep, ...]


@dataclass(frozen=True)
class VariableRow:
    """A variable at a step of a counterexample, as the source has it there; None where its value is not known."""

    name: str
    before: str | None
    after: str | None

    @property
    def changed(self) -> bool:
        return self.before != self.after


def abstract_path(record: RunRecord, attempt: int, path: RecordedPath) -> ShownPath:
    """The path of a round, in the steps of the abstraction, with its core and interpolants."""
    key = ("path", record.attempt(attempt).number, path.position, gave_up(record.attempt(attempt), path))
    return record.memo.keep(key, lambda: _abstract_path(record, attempt, path))


def _abstract_path(record: RunRecord, attempt: int, path: RecordedPath) -> ShownPath:
    event = path.event
    places = record.places_on(event.edges)
    ends = _ends_of_steps(record, attempt, places)
    # Old run files count interpolants by steps: theirs would stand at wrong places.
    before = event.interpolants if len(event.interpolants) == len(event.edges) + 1 else ()
    core = core_of(record, path)
    by_strength = {found.strength: _by_position(found) for found in path.interpolants}
    steps: list[PathStep] = []
    begin = 0
    weak, strong = by_strength.get("weak", {}), by_strength.get("strong", {})
    for index, end in enumerate(ends):
        steps.append(
            _step(
                record,
                index,
                event.edges[begin:end],
                (places[begin], places[end]),
                frozenset(position - begin for position in range(begin, end) if position in core),
                (before[begin] if before and before[begin] >= 0 else None, weak.get(begin), strong.get(begin)),
            )
        )
        begin = end
    return ShownPath(
        _heading(path, gave_up(record.attempt(attempt), path)),
        _fate(event.result),
        event.check,
        path.round,
        tuple(steps),
    )


def _step(
    record: RunRecord,
    index: int,
    edges: tuple[int, ...],
    ends: tuple[Place, Place],
    core: frozenset[int],
    formulas: tuple[int | None, int | None, int | None],
) -> PathStep:
    """A step, cached since paths of a run share most steps; `core` has positions among its edges."""
    (source, target), (before, weak, strong) = ends, formulas
    return record.memo.keep(
        ("step", index, edges, ends, core, formulas),
        lambda: PathStep(
            index,
            edges,
            source,
            target,
            _first_span(record, edges),
            record.text.statements(edges),
            len(source[0]),
            tuple(edges[position] for position in sorted(core)),
            before,
            weak,
            strong,
            lines=tuple(_lines(record, edges, core)),
        ),
    )


def _lines(record: RunRecord, edges: Sequence[int], core: frozenset[int]) -> Iterator[tuple[str, int, bool]]:
    """The lines of a step, and whether they take part in the contradiction."""
    for position, edge in enumerate(edges):
        span = record.span_of_edge(edge)
        if span is not None:
            yield span.file, span.line, position in core


def _by_position(found: InterpolantsFound) -> dict[int, int]:
    return dict(zip(found.positions, found.formulas, strict=False))


def _ends_of_steps(record: RunRecord, attempt: int, places: Sequence[Place]) -> list[int]:
    """The ends of steps: places of the program's own text that have had a node, and the end of the path."""
    known, last, program = record.attempt(attempt).states.places, len(places) - 1, record.program
    inner = [index for index in range(1, last) if places[index] in known]
    own = [at for at in inner if program and is_own(program, program.locations[places[at][1]].function)]
    return [*own, *range(max(1, last), last + 1)]


def _heading(path: RecordedPath, stuck: bool) -> str:
    number = "" if path.round is None else f" of refinement {path.round + 1}"
    match _fate(path.event.result):
        case Fate.SPURIOUS:
            return f"Spurious path{number}: no execution follows it{STUCK_WORDS if stuck else ''}"
        case Fate.FEASIBLE | Fate.REPLAYED:
            return "Feasible path: an execution follows it"
        case Fate.OPEN:
            return f"Abstract path{number}, not yet examined"


def _fate(result: str) -> Fate:
    match result:
        case "refuted" | "spurious":
            return Fate.SPURIOUS
        case "feasible":
            return Fate.FEASIBLE
        case _:
            return Fate.OPEN


def counterexample(record: RunRecord, check: int) -> ShownPath | None:
    """The counterexample of a check at source level: edge by edge, with the changes. None if there is none."""
    trace = record.view.traces.get(check)
    return None if trace is None else record.memo.get(("trace", check), lambda: _counterexample(record, check))


def _counterexample(record: RunRecord, check: int) -> ShownPath:
    trace = record.view.traces[check]
    _, steps = record.memo.keep(steps_key(trace), lambda: drained(steps_of(record, trace)))
    decided, note = record.view.checks.get(check), f" ({trace.note})" if trace.note else ""
    if decided is None or not decided.confirmed_by:
        return ShownPath(f"Counterexample, not confirmed{note}", Fate.FEASIBLE, check, None, steps)
    how = "natively" if decided.confirmer == Confirmer.NATIVE_REPLAY else "by the interpreter"
    return ShownPath(f"Counterexample, replayed {how}{note}", Fate.REPLAYED, check, None, steps)


_PIECE = 100  # steps


def steps_key(trace: TraceShown) -> Hashable:
    """The key of cached values of a trace. The cache holds the trace, so that its id is never reused."""
    return "trace steps", id(trace)


def steps_of(record: RunRecord, trace: TraceShown) -> Iterator[tuple[TraceShown, tuple[PathStep, ...]] | None]:
    """The steps of a counterexample, edge by edge, as far as it fits the program; computed in pieces."""
    places = record.places_on(edge for edge, _ in trace.steps)
    steps: list[PathStep] = []
    for index, (edge, changes) in enumerate(trace.steps[: max(0, len(places) - 1)]):
        span, text = record.text.step(trace, index)
        steps.append(
            PathStep(
                index,
                (edge,),
                places[index],
                places[index + 1],
                span,
                text,
                len(places[index][0]),
                changes=changes,
                shown=record.text.changes(trace, index),
                lines=tuple(_lines(record, (edge,), frozenset())),
            )
        )
        if index % _PIECE == _PIECE - 1:
            yield None
    yield trace, tuple(steps)


def variables_at(record: RunRecord, check: int, step: int | None) -> tuple[VariableRow, ...]:
    """The variables of the counterexample that have been set, before and after a step (None: at its end)."""
    trace = record.view.traces.get(check)
    if trace is None:
        return ()
    index = len(trace.steps) - 1 if step is None else min(step, len(trace.steps) - 1)

    def make() -> tuple[VariableRow, ...]:
        before: dict[str, str] = {}
        for _, changes in trace.steps[: max(0, index)]:
            _put(before, changes)
        after = dict(before)
        _put(after, trace.steps[index][1] if trace.steps else ())
        rows = (_variable_row(record, trace, index, name, before, after) for name in after)
        return tuple(row for row in rows if row is not None)

    return record.memo.get(("variables", check, index), make)


def _put(values: dict[str, str], changes: Sequence[tuple[str, str]]) -> None:
    """Apply changes; a new value of a whole array holds for all of its elements."""
    for name, value in changes:
        if value.startswith("{"):
            for element in [one for one in values if one.startswith(f"{name}[")]:
                del values[element]
        values[name] = value


def _variable_row(
    record: RunRecord, trace: TraceShown, index: int, name: str, before: Mapping[str, str], after: Mapping[str, str]
) -> VariableRow | None:
    """The row of a variable at a step; None where the source has no expression for it."""
    earlier, later = (
        record.text.variable(trace, index, name, values[name]) if name in values else None for values in (before, after)
    )
    if later is None:
        return None
    written = after[name].startswith("{") and any(one.startswith(f"{name}[") for one in after)
    shown = f"{later[0]}, at first" if written else later[0]  # its elements have rows of their own
    return VariableRow(shown, None if earlier is None else earlier[1], later[1])


def call_stack(record: RunRecord, place: Place) -> tuple[str, ...]:
    """The functions that are active at a place, the outermost first, as `name, called in line n`."""
    program = record.program
    if program is None:
        return ()
    names: list[str] = []
    for number in place[0]:
        edge = program.edges[number] if 0 <= number < len(program.edges) else None
        if edge is None or not isinstance(edge.operation, Call):
            return ()  # not of this program: a run file may be a stranger's
        if is_start(program, edge.operation.function):
            continue
        in_source = edge.span and edge.operation.function != "main" and not is_start_file(edge.span.file)
        where = f", called in line {edge.span.line}" if edge.span and in_source else ""
        names.append(f"{shown_function(edge.operation.function)}{where}")
    return tuple(names)


def path_shown(record: RunRecord, attempt: int, round: int | None, check: int | None) -> ShownPath | None:
    """The path of a moment: that of the round, or at the end the counterexample if there is one.

    For the round that found a feasible path it is the counterexample too: they are the same path. At the end a proof
    has no path: spurious paths belong to their rounds.
    """
    path = path_of(record, attempt, round)
    if round is None or (path is not None and path.event.result == "feasible"):
        for one in _counterexamples(record, round, check, path):
            found = counterexample(record, one)
            if found is not None:
                return found
    verdict = record.view.verdict
    if round is None and verdict is not None and verdict.exit_code == EXIT_CODES[Status.TRUE]:
        return None
    return None if path is None else abstract_path(record, attempt, path)


def _counterexamples(
    record: RunRecord, round: int | None, check: int | None, path: RecordedPath | None
) -> tuple[int, ...]:
    """The checks whose counterexamples may be shown at a moment, the best first: at the end, that of the verdict."""
    failing = [one.check for one in record.view.checks.values() if one.status == Status.FALSE] if round is None else []
    chosen = [check] if check is not None else [*failing, path.event.check] if path is not None else failing
    return (*chosen, *record.view.traces)


def _first_span(record: RunRecord, edges: Sequence[int]) -> Span | None:
    spans = (record.span_of_edge(edge) for edge in edges)
    return next((span for span in spans if span is not None), None)
