"""A run as plain text: what `verify` prints in the end and `show` prints again. Read from the fold and the program.

The verdict comes first, then what it rests on. Nothing here decides anything.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from core.events import CheckDecided, InvariantShown, TraceShown
from core.jsondata import Malformed
from core.program import Edge, Program
from core.runfile import StoredRun
from core.runview import RunView
from core.serialize import decode_program
from core.span import Span
from core.terms import Arena, Term, to_c
from core.termtable import TermReader
from core.verdict import Status

LONGEST_TRACE = 60  # lines of a trace; the middle of a longer one is left out
LONGEST_FORMULA = 400  # characters


class RunText:
    """Texts about one run. `program` is None for a run that ended before there was one."""

    def __init__(self, view: RunView, program: Program | None) -> None:
        self._view = view
        self._program = program
        self._terms = TermReader(program.arena if program else Arena())
        for row in view.terms.values():
            self._terms.define(row)

    def report(self) -> Iterator[str]:
        """The lines of the report, without the final `VERDICT:` line."""
        yield from self.headline()
        yield from self._checks()
        for trace in self._view.traces.values():
            yield from self._trace(trace)
        yield from self._invariants()
        yield from self._rests_on()

    def headline(self) -> Iterator[str]:
        """The verdict, and for a violation which check fails and where."""
        verdict = self._view.verdict
        if verdict is None:
            yield "The run did not finish."
            return
        failing = [c for c in self._view.checks.values() if c.status == Status.FALSE]
        if failing:
            for check in failing:
                yield f"FALSE: {_where(check)}: {check.description} can fail"
        elif verdict.verdict == Status.TRUE:
            count = len(self._view.checks)
            yield f"TRUE: {verdict.reason}" if verdict.reason else f"TRUE: {_plural(count, 'check')} can never fail"
        else:
            status = verdict.verdict.removesuffix(f" ({verdict.reason})").replace("unknown", "UNKNOWN")
            yield f"{status}: {verdict.reason}" if verdict.reason else status
        if verdict.advice:
            yield f"  what to try: {verdict.advice}"

    def _checks(self) -> Iterator[str]:
        checks = self._view.checks.values()
        if len({(c.status, c.confirmed_by, c.reason) for c in checks}) < 2:
            return  # the verdict says it for all
        for check in checks:
            why = check.confirmed_by or check.reason
            yield f"  {check.status:8} {_where(check)}: {check.description}" + (f" ({why})" if why else "")

    # A violation

    def _trace(self, trace: TraceShown) -> Iterator[str]:
        check = self._view.checks.get(trace.check)
        yield ""
        yield f"Trace to {_where(check)}:" if check else "Trace:"
        steps = list(self._shown_steps(trace))
        if len(steps) > LONGEST_TRACE:
            half = LONGEST_TRACE // 2
            left_out = f"  … {len(steps) - 2 * half} steps …"
            steps = [*steps[:half], left_out, *steps[-half:]]
        yield from steps
        if trace.inputs:
            yield "Inputs:"
        for kind, name, file, line, _, occurrence, value in trace.inputs:
            times = f", time {occurrence + 1}" if occurrence else ""
            yield f"  {file}:{line}: {name} ({kind}{times}) = {value}"

    def _shown_steps(self, trace: TraceShown) -> Iterator[str]:
        """Only steps that change something, each with its place and what the source says there."""
        for number, changes in trace.steps:
            if changes:
                edge = self._edge(number)
                where = _line_of(edge.span) if edge else f"edge {number}"
                source = f"    {edge.text}" if edge and edge.text else ""
                function = _function(self._program, edge) if self._program and edge else ""
                texts = (f"{name.removeprefix(f'{function}::')} = {value}" for name, value in changes)
                yield f"  {where}: {', '.join(texts)}{source}"

    def _edge(self, number: int) -> Edge | None:
        edges = self._program.edges if self._program else ()
        return edges[number] if 0 <= number < len(edges) else None

    # A proof

    def _invariants(self) -> Iterator[str]:
        if self._view.invariants:
            yield ""
            yield "Loop invariants:"
        for shown in self._view.invariants:
            yield f"  {self._place(shown)}: {self.formula(shown.formula)}"

    def _place(self, shown: InvariantShown) -> str:
        stack, location = shown.place
        locations = self._program.locations if self._program else ()
        if not 0 <= location < len(locations):
            return f"location {location}"
        calls = [edge.span for edge in map(self._edge, stack) if edge is not None and self._in_source(edge)]
        called = f", called from {', '.join(f'line {span.line}' for span in reversed(calls) if span)}" if calls else ""
        return f"{_line_of(locations[location].span)} ({locations[location].function}{called})"

    def _in_source(self, edge: Edge) -> bool:
        """Whether the source has the call: that of main is made where the program starts."""
        program = self._program
        return program is not None and edge.span is not None and _function(program, edge) != program.start

    def formula(self, number: int) -> str:
        """A formula of the event stream as C."""
        try:
            text = self._c_text(self._terms.term(number))
        except Malformed as error:
            return f"(unreadable: {error})"
        return text if len(text) <= LONGEST_FORMULA else text[: LONGEST_FORMULA - 2] + " …"

    def _c_text(self, term: Term) -> str:
        if term.size > 20 * LONGEST_FORMULA:
            return f"(a formula of size {term.size})"
        return to_c(term)

    # What all of it rests on

    def _rests_on(self) -> Iterator[str]:
        verdict = self._view.verdict
        if verdict is None:
            return
        if verdict.confirmed_by or verdict.assumptions:
            yield ""
        if verdict.confirmed_by:
            yield f"Confirmed by: {verdict.confirmed_by}"
        if verdict.assumptions:
            yield f"Assumes: {'; '.join(verdict.assumptions)}"


def details(run: StoredRun, view: RunView) -> Iterator[str]:
    """What `show` adds: the engine, phases with times, the rounds, the last path."""
    for attempt in view.attempts[1:]:
        assert attempt.event is not None
        yield ""
        yield f"Engine {attempt.event.engine}, {_plural(len(attempt.event.checks), 'check')}"
        yield from _rounds(view)
    if view.phases:
        yield ""
        yield "Phases: " + ", ".join(f"{name} {seconds:.2f} s" for name, seconds in _phase_times(view).items())
    if view.counters:
        yield "Counters: " + ", ".join(f"{name} {value}" for name, value in view.counters.items())
    yield f"Run file: {run.path}, written by {run.writer}"


def _rounds(view: RunView) -> Iterator[str]:
    """A table of rounds: what was alive in the end of each, and which path each found."""
    attempt = view.attempt
    if not attempt.rounds:
        return
    yield f"  {'round':>5}  {'states':>6}  {'lemmas':>6}  reason"
    for one in attempt.rounds:
        state = attempt.state_at(one.number)
        yield f"  {one.number:>5}  {len(state.nodes):>6}  {len(state.lemmas):>6}  {one.reason}"


def _phase_times(view: RunView) -> Mapping[str, float]:
    times: dict[str, float] = {}
    for phase in view.phases:
        end = view.seconds if phase.end is None else phase.end
        times[phase.name] = times.get(phase.name, 0.0) + end - phase.start
    return times


def text_of(run: StoredRun, view: RunView) -> RunText:
    """The texts of a stored run. Raises `Malformed`."""
    stored = run.document("program.json")
    return RunText(view, None if stored is None else decode_program(stored, Arena()))


def _function(program: Program, edge: Edge) -> str:
    return program.locations[edge.source].function


def _where(check: CheckDecided) -> str:
    return f"{check.file}:{check.line}"


def _line_of(span: Span | None) -> str:
    return f"{span.file}:{span.line}" if span else "start"


def _plural(count: int, word: str) -> str:
    return f"{count} {word}" if count == 1 else f"{count} {word}s"
