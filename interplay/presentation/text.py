"""A run as plain text, as `verify` prints it at the end and `show` prints it again. Read from the fold and the program.

The verdict comes first, then what it rests on. Nothing here decides anything.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from enum import Enum
from functools import cached_property
from itertools import islice
from math import inf
from typing import TYPE_CHECKING, TypeVar

from core.dataclass import dataclass
from core.program import Call, Edge, Program
from core.program.changes import Changes, Counts, SourceChanges
from core.program.given import GivenInput, GivenInputs
from core.program.naming import Naming
from core.program.own_steps import is_own, is_start, own_positions, place_of
from core.program.properties import kind_of
from core.program.source import is_library_body, library_function_of, shown_function
from core.program.span import Span, behind
from core.terms import Arena, Substitution, Term, to_c, to_smtlib
from core.terms.notation import TermOrder
from core.verdict import Reachability, Status
from frontend.properties.errors import VOLATILE_READ
from interplay.presentation.folding import folded, repeated
from interplay.presentation.formula_text import LONGEST_FORMULA, LONGEST_WHOLE, FormulaWriter
from interplay.presentation.frames import frames_in_words
from interplay.presentation.plurals import counted
from runs.events import (
    CALLED,
    AttemptEnded,
    AttemptResult,
    CheckDecided,
    InvariantShown,
    Place,
    PlanMade,
    TermDefined,
    TraceShown,
)
from runs.jsondata import Malformed
from runs.runfile import StoredRun
from runs.runview import AttemptView, RecordedPath, RunView
from runs.serialize import decode_program
from runs.termtable import TermReader

if TYPE_CHECKING:
    from interplay.presentation.slicing import PathSlice  # loaded where a counterexample is shown

_T = TypeVar("_T")

LONGEST_TRACE = 60  # lines of a trace or a table; the middle of a longer one is left out
LONGEST_SCRIPT = 1_000_000  # characters of SMT-LIB
_PLACES = 5  # of checks that are listed in a line


class TraceExtent(Enum):
    """The part of a counterexample that is shown."""

    RELEVANT = "relevant"  # what plays a part in it
    ALL = "all"


@dataclass(frozen=True)
class FullFormula:
    """A formula without abridgement: as C, or as SMT-LIB."""

    text: str
    is_c: bool


class RunText:
    """Texts about one run. `program` is None for a run that ended before there was one."""

    def __init__(self, view: RunView, program: Program | None) -> None:
        self._view = view
        self._program = program
        self._arena = program.arena if program else Arena()
        self._terms: dict[int, _Terms] = {}  # by attempt
        self._naming = None if program is None else Naming(program)
        self._names: dict[Place | None, Naming] = {}
        self._changes: dict[int, tuple[TraceShown, SourceChanges]] = {}  # by the identity of the trace

    def report(self, extent: TraceExtent) -> Iterator[str]:
        """The lines of the report, without the final `VERDICT:` line."""
        yield from self.headline()
        yield from self._checks()
        for trace in sorted(self._view.traces.values(), key=lambda one: one.check):
            yield from self._trace(trace, self._slice(trace) if extent is TraceExtent.RELEVANT else None)
        yield from self._invariants(extent)
        yield from self._rests_on()
        yield from self._portfolio()

    def headline(self) -> Iterator[str]:
        """The verdict, and for a violation which check fails and where."""
        verdict = self._view.verdict
        if verdict is None:
            yield "The run did not finish."
            return
        failing = [c for c in self._in_order() if c.status == Status.FALSE]
        if failing:
            for check in failing:
                yield f"FALSE: {_where(check)}: {check.description} {_occurs(check)}"
        elif verdict.verdict == Status.TRUE:
            yield f"TRUE: {verdict.reason or self.proved()}"
        else:
            status = verdict.verdict.removesuffix(f" ({verdict.reason})").replace("unknown", "UNKNOWN")
            yield f"{status}: {verdict.reason}" if verdict.reason else status
        yield from (f"  {one}" for one in (*verdict.premises, *verdict.untested))
        if verdict.advice:
            yield f"  what to try: {verdict.advice}"

    def proved(self) -> str:
        """The statement of a proof: `2 checks can never fail`."""
        return f"{counted(len(self._view.checks), 'check')} can never fail"

    def _in_order(self) -> list[CheckDecided]:
        """The decisions in the order of the program, whichever came first."""
        return sorted(self._view.checks.values(), key=lambda one: one.check)

    def _checks(self) -> Iterator[str]:
        checks = self._in_order()
        if len({(c.status, c.confirmed_by, c.reason) for c in checks}) < 2:
            return  # the verdict says it for all
        above = ""
        for first, *others in self._grouped(checks):
            why = first.confirmed_by or first.reason
            told = "" if not why else " (the same)" if why == above else f" ({why})"
            above = why
            what = self._inside_call([first, *others]) if others else first.description
            yield f"  {first.status:8} {_where(first)}: {what}{told}"
        if {check.status for check in checks} > {Status.TRUE}:
            yield "  (true: of executions that have run into none of the others before)"

    def _grouped(self, checks: Sequence[CheckDecided]) -> Iterable[Sequence[CheckDecided]]:
        """The checks; those within one call of a library function, and with the same answer, together."""
        groups: dict[Hashable, list[CheckDecided]] = {}
        for check in checks:
            call = "" if check.status == Status.FALSE else self._library_call(check)
            key = (call, check.status, check.confirmed_by, check.reason, _where(check)) if call else check.check
            groups.setdefault(key, []).append(check)
        return groups.values()

    def _library_call(self, check: CheckDecided) -> str:
        """The text of the call of a library function that a check lies within; empty for other checks."""
        if self._program is None or not 0 <= check.check < len(self._program.checks):
            return ""
        function = self._program.locations[self._program.checks[check.check].location].function
        return self._library_calls.get(function.partition("!")[2], "") if is_library_body(function) else ""

    @cached_property
    def _library_calls(self) -> Mapping[str, str]:
        """The texts of the calls of library functions, by the numbers of the bodies that were made for them."""
        assert self._program is not None
        calls = [(edge, edge.operation.function) for edge in self._program.edges if isinstance(edge.operation, Call)]
        return {
            called.partition("!")[2]: edge.text
            for edge, called in calls
            if is_library_body(called) and is_own(self._program, _function(self._program, edge))
        }

    def _inside_call(self, checks: Sequence[CheckDecided]) -> str:
        """The text for checks within a call: `strlen(s): 3 checks inside (null pointer, invalid access)`."""
        kinds = dict.fromkeys(kind.row.fault for check in checks if (kind := kind_of(check.property)) is not None)
        return f"{self._library_call(checks[0])}: {len(checks)} checks inside ({', '.join(kinds)})"

    # A violation

    def _slice(self, trace: TraceShown) -> PathSlice | None:
        """The dynamic slice of a trace; None where the path does not fit the program."""
        path = [number for number, _ in trace.steps]
        if self._program is None or not all(map(self._edge, path)):
            return None
        from interplay.presentation.slicing import slice_of

        return slice_of(self._program, trace)

    def _trace(self, trace: TraceShown, part: PathSlice | None) -> Iterator[str]:
        check = self._view.checks.get(trace.check)
        yield ""
        note = f" ({trace.note})" if trace.note else ""
        yield f"Trace to {_where(check)}{note}:" if check else f"Trace{note}:"
        steps = list(self._folded(list(self._shown_steps(trace, part)), part))
        left_out = f"  … {len(steps) - LONGEST_TRACE} steps …"
        yield from (left_out if step is None else step for step in _both_ends(steps))
        every = self.given(trace)
        shown = [one for one in every if matters(trace, one, part)]
        if shown:
            yield "Inputs:"
        lines = list(map(_input_line, shown if part is None else folded_inputs(shown)))
        left_out = f"  … {len(lines) - LONGEST_TRACE} inputs …"
        yield from (left_out if line is None else line for line in _both_ends(lines))
        if len(shown) < len(every):
            others = counted(len(every) - len(shown), "other input")
            yield f"  ({others} without influence; a run file has all: `--output RUN`, then `interplay show RUN`)"

    def _folded(self, steps: Sequence[tuple[int, str]], part: PathSlice | None) -> Iterator[str]:
        """The lines of steps; without repetitions, unless all are wanted."""
        if part is None:
            yield from (line for _, line in steps)
            return
        for piece, times in folded([number for number, _ in steps]):
            yield from (steps[position][1] for position in piece)
            if times:
                yield f"  {repeated(len(piece), times)}"

    def _shown_steps(self, trace: TraceShown, part: PathSlice | None) -> Iterator[tuple[int, str]]:
        """The edges that change something, or count without that, each with its place and source text."""
        for position, (edge, _) in enumerate(trace.steps):
            changes = self.changes(trace, position, None if part is None else part.has)
            span, source = self.step(trace, position)
            source += self._violated_inside(trace, position)
            where = _line_of(span) if self._edge(edge) else f"edge {edge}"
            if changes:
                texts = (f"{name} = {value}" for name, value in changes)
                yield edge, f"  {where}: {', '.join(texts)}{source and '    '}{source}"
            elif source and part is not None and not part.steps.isdisjoint(self.positions(trace, position)):
                yield edge, f"  {where}: {source}"

    def changes(self, trace: TraceShown, position: int, counts: Counts | None = None) -> Changes:
        """Changes of a step of a counterexample, all or some, with the names of the source."""
        told = self.told(trace)
        if told is None:
            return tuple(one for one in trace.steps[position][1] if counts is None or counts(position, one[0]))
        return told.of_step(position, counts)

    def step(self, trace: TraceShown, position: int) -> tuple[Span | None, str]:
        """The place and the text of a step of a counterexample; without a text where another step shows it."""
        told, edge = self.told(trace), self._edge(trace.steps[position][0])
        if told is None or edge is None:
            return (None, "") if edge is None else (edge.span, edge.text)
        shown = told.own.at(position)
        return (edge.span, "") if shown is None else (shown.span, shown.text)

    def _violated_inside(self, trace: TraceShown, position: int) -> str:
        """The check that is violated within the call of a library function, as a step has it."""
        told, check = self.told(trace), self._view.checks.get(trace.check)
        step = None if told is None else told.own.at(position)
        return f": {check.description}" if step is not None and step.inside and check is not None else ""

    def positions(self, trace: TraceShown, position: int) -> tuple[int, ...]:
        """The positions of a counterexample that a step of it shows."""
        told = self.told(trace)
        shown = None if told is None else told.own.at(position)
        return () if shown is None else shown.positions

    def variable(self, trace: TraceShown, position: int, name: str, value: str) -> tuple[str, str] | None:
        """A variable and its value with the names of the source at a step; None where the source has none."""
        told = self.told(trace)
        return (name, value) if told is None else told.of_variable(position, name, value)

    def given(self, trace: TraceShown) -> tuple[GivenInput, ...]:
        """The inputs of a counterexample as people read them."""
        told = self.told(trace)
        if told is None or self._program is None:
            return tuple(
                GivenInput((file, line), name, "=", value, (number,), kind, occurrence + 1)
                for number, (kind, name, file, line, _, occurrence, value) in enumerate(trace.inputs)
            )
        rows = GivenInputs(self._program, told).rows()
        return tuple(replace(one, name=one.name.removeprefix(VOLATILE_READ)) for one in rows)

    def told(self, trace: TraceShown) -> SourceChanges | None:
        """The changes of a trace as people read them, with its objects; None without a program."""
        if self._naming is None:
            return None
        if id(trace) not in self._changes:
            self._changes[id(trace)] = trace, SourceChanges(self._naming, trace.steps, trace.inputs)
        return self._changes[id(trace)][1]

    def stored_in(self, edge: int, variable: str) -> str | None:
        """The name that a variable has at an edge; None where the source has none."""
        if self._naming is None:
            return None
        found = SourceChanges(self._naming, ((edge, ()),)).of_variable(0, variable, "0")
        return None if found is None else found[0]

    def names_behind(self, edge: Edge) -> Naming:
        """The names that can be written behind an edge of the program."""
        assert self._naming is not None
        return self._naming.at(((), edge.source), behind(edge.span))

    def own(self, edges: Sequence[int]) -> tuple[int, ...]:
        """The positions of a piece of a path that are shown: all, if there is no program."""
        return tuple(range(len(edges))) if self._program is None else tuple(own_positions(self._program, edges))

    def statements(self, edges: Sequence[int]) -> str:
        """The source text of a piece of a path, without parts that have no effect."""
        found = (self._edge(edges[position]) for position in self.own(edges))
        return "; ".join(edge.text for edge in found if edge is not None and edge.text)

    def edge(self, edge_id: int) -> str:
        """An edge as its place with the source text there."""
        edge = self._edge(edge_id)
        if edge is None or self._program is None:
            return f"edge {edge_id}"
        return f"{_line_of(place_of(self._program, edge))}: {edge.text or '(no effect)'}"

    def _edge(self, number: int) -> Edge | None:
        edges = self._program.edges if self._program else ()
        return edges[number] if 0 <= number < len(edges) else None

    # A proof

    def _invariants(self, extent: TraceExtent) -> Iterator[str]:
        """The invariants at loops, a line for each conjunct; without abridgement where all is wanted."""
        found = [(attempt, one) for attempt in self._view.attempts for one in self.invariants(attempt)]
        abridged = False
        title = ""
        for attempt, one in found:
            before, title = title, "Contracts" if one.place[0] == CALLED else "Loop invariants"
            if title != before:
                yield from ("", f"{title}:")
            yield f"  {self.place(one.place)}:"
            shown, whole = (read(attempt, one.formula, one.place) for read in (self.conjuncts, self.whole))
            abridged |= shown != whole and extent is not TraceExtent.ALL
            yield from (f"    {text}" for text in (whole if whole and extent is TraceExtent.ALL else shown))
        if abridged:
            yield "  (long conjuncts are cut; a run file has all of them: `--output RUN`, then `interplay show RUN`)"

    def invariants(self, attempt: AttemptView) -> tuple[InvariantShown, ...]:
        """The invariants that are shown: those of a start that was written for a function are not."""
        program = self._program
        locations = () if program is None else program.locations
        hidden = frozenset(at for at, one in enumerate(locations) if program and is_start(program, one.function))
        return tuple(one for one in attempt.invariants if one.place[1] not in hidden)

    def place(self, place: Place) -> str:
        """A location of the expansion as file, line, function, and the calls that lead to it."""
        stack, location = place
        locations = self._program.locations if self._program else ()
        if not 0 <= location < len(locations):
            return f"location {location}"
        function = locations[location].function
        name = shown_function(function)
        if self._program is not None and is_library_body(function):
            name = library_function_of(function, self._program.functions)
        if self._program is not None and stack == CALLED:
            moment = "is called" if self._program.functions[function].entry == location else "returns"
            return f"{_line_of(locations[location].span)} (whenever {name} {moment})"
        calls = [edge.span for edge in map(self._edge, stack) if edge is not None and self._in_source(edge)]
        called = f", called from {', '.join(f'line {span.line}' for span in reversed(calls) if span)}" if calls else ""
        return f"{_line_of(locations[location].span)} ({name}{called})"

    def _in_source(self, edge: Edge) -> bool:
        """Whether the call is in the source: that of main, and those of written starts and in the library, are not."""
        program = self._program
        if program is None or edge.span is None or _function(program, edge) == program.start:
            return False
        return is_own(program, _function(program, edge))

    def formula(self, attempt: AttemptView, formula: int, place: Place | None = None) -> str:
        """A formula of the events of an attempt as C, with the names of a place; abridged where it is long."""
        try:
            writer, term = self._shown(attempt, formula, place)
        except Malformed as error:
            return f"(unreadable: {error})"
        return writer.text(term, LONGEST_FORMULA) or writer.abridged(term)

    def conjuncts(self, attempt: AttemptView, formula: int, place: Place | None = None) -> tuple[str, ...]:
        """The same formula as one text for each conjunct, each of which is abridged where it is long."""
        try:
            writer, term = self._shown(attempt, formula, place)
        except Malformed as error:
            return (f"(unreadable: {error})",)
        return writer.conjuncts(term)

    def whole(self, attempt: AttemptView, formula: int, place: Place | None = None) -> tuple[str, ...]:
        """The same without abridgement; none where the formula is far too long for that, or cannot be read."""
        try:
            writer, term = self._shown(attempt, formula, place)
        except Malformed:
            return ()
        return writer.whole(term)

    def term(self, attempt: AttemptView, formula: int) -> Term:
        """A formula of the events of an attempt. Raises `Malformed`."""
        return self._terms_of(attempt).term(formula)

    def of_term(self, term: Term, place: Place | None = None) -> str:
        """A formula of the program as C, with the names of a place."""
        writer = self._writer(place, tuple)
        return writer.text(term, LONGEST_WHOLE) or writer.abridged(term)

    def _shown(self, attempt: AttemptView, number: int, place: Place | None) -> tuple[FormulaWriter, Term]:
        """The writer of a formula, and the term for display. Raises `Malformed`."""
        terms = self._terms_of(attempt)
        term = _with_known_values(self._arena, terms.term(number), terms.order)
        return self._writer(place, terms.order), term

    def _writer(self, place: Place | None, order: TermOrder) -> FormulaWriter:
        if place not in self._names and self._naming is not None:
            self._names[place] = self._naming.at(place)
        return FormulaWriter(self._arena, self._names.get(place), self._bounds, order)

    def is_abridged(self, attempt: AttemptView, formula: int) -> bool:
        """Whether `formula` leaves something out."""
        try:
            writer, term = self._shown(attempt, formula, None)
        except Malformed:
            return False
        return not writer.text(term, LONGEST_FORMULA)

    def is_told(self, attempt: AttemptView, formula: int, place: Place | None = None) -> bool:
        """Whether some conjunct of a formula can be told with the names of the source."""
        try:
            writer, term = self._shown(attempt, formula, place)
        except Malformed:
            return True
        return writer.is_told(term)

    def full_formula(self, attempt: AttemptView, formula: int, place: Place | None = None) -> FullFormula:
        """A formula without abridgement: as C with a conjunct on each line, or, where it is far too long for that, as
        SMT-LIB, in which repeated parts have names.
        """
        terms = self._terms_of(attempt)
        try:
            term = terms.term(formula)
        except Malformed as error:
            return FullFormula(f"(unreadable: {error})", is_c=True)
        texts = self._writer(place, terms.order).whole(term, in_conjunction=True)
        if texts:
            return FullFormula("\n&& ".join(texts), is_c=True)
        script = to_smtlib(term)
        return FullFormula(script if len(script) <= LONGEST_SCRIPT else f"{script[:LONGEST_SCRIPT]}…", is_c=False)

    def _bounds(self, symbol: Term) -> tuple[int, int] | None:
        return bounds_in(self._program, symbol) if self._program else None

    def _terms_of(self, attempt: AttemptView) -> _Terms:
        if attempt.number not in self._terms:
            self._terms[attempt.number] = _Terms(attempt.terms, self._arena)
        return self._terms[attempt.number]

    # What all of it rests on

    def _rests_on(self) -> Iterator[str]:
        verdict = self._view.verdict
        if verdict is None:
            return
        reached = self.executions()
        assumed = verdict.assumed
        if verdict.confirmed_by or assumed or reached:
            yield ""
        if verdict.confirmed_by:
            yield f"Confirmed by: {verdict.confirmed_by}"
        if assumed:
            yield f"Assumes: {'; '.join(assumed)}"
        if reached:
            yield f"Reached by: {reached}"

    def executions(self) -> str:
        """The executions that come to checks, and the checks to which none does, in words."""
        asked = [check for check in self._in_order() if check.reach and check.status != Status.FALSE]
        if len(asked) < 2:
            return "".join(map(reached_in_words, asked))
        groups = {one: [check for check in asked if check.reach == one] for one in Reachability}
        lines = Counter(line for checks in groups.values() for line in {_where(check) for check in checks})
        places = {
            one: list(dict.fromkeys(_where(c) if lines[_where(c)] == 1 else f"{_where(c)}:{c.column}" for c in checks))
            for one, checks in groups.items()
        }
        count = sum(check.reach == Reachability.REACHED for check in asked)
        parts = [f"executions ({'all' if count == len(asked) else f'{count} of'} {len(asked)} checks)"] if count else []
        for reach, words in ((Reachability.UNREACHED, "no execution"), (Reachability.NOT_KNOWN, "not known")):
            if places[reach]:
                parts.append(f"{words}: {_first(places[reach])}")
        return "; ".join(parts)

    def reached(self) -> Iterator[str]:
        """A line for each check about which it was asked whether an execution comes there."""
        asked = [check for check in self._in_order() if check.reach]
        if asked:
            yield from ("", "Executions that come to the checks:")
        for check in _both_ends(asked):
            yield "  …" if check is None else f"  {_where(check)}: {check.description}: {reached_in_words(check)}"

    # Who decided

    def _portfolio(self) -> Iterator[str]:
        """The results of the engines: those that decided come first, those that were then stopped come last."""
        if self._view.plan is None:
            return
        ended = [
            (attempt.event.engine, attempt.ended) for attempt in self._view.attempts if attempt.event and attempt.ended
        ]
        by_themselves = [(engine, end) for engine, end in ended if end.result != AttemptResult.STOPPED]
        by_themselves.sort(key=lambda one: one[1].result != AttemptResult.DECIDED)
        parts = [_part(engine, end) for engine, end in by_themselves]
        stopped = [(engine, end) for engine, end in ended if end.result == AttemptResult.STOPPED]
        if stopped:
            after = ", ".join(f"{engine} after {_seconds(end)}" for engine, end in stopped)
            parts.append(f"stopped ({stopped[0][1].reason}): {after}")
        cut_off = [attempt.event.engine for attempt in self._view.attempts if attempt.event and not attempt.ended]
        if cut_off:
            parts.append(f"cut off: {', '.join(cut_off)}")
        yield f"Portfolio: {'; '.join(parts) or 'no engine was started'}"


def details(run: StoredRun, view: RunView, texts: RunText) -> Iterator[str]:
    """The details that `show` adds: the plan; rounds, predicates and last path of each attempt; phases with times."""
    if view.plan is not None:
        yield from _plan(view.plan)
    yield from texts.reached()
    for attempt in view.attempts[1:]:
        assert attempt.event is not None
        yield ""
        yield f"Engine {attempt.event.engine}, {counted(len(attempt.event.checks), 'check')}"
        yield from _rounds(attempt)
        yield from _lemmas(attempt, texts)
        if attempt.paths:
            yield from _last_path(attempt.paths[-1], texts)
        if attempt.counters:
            yield "Counters: " + ", ".join(f"{name} {value}" for name, value in attempt.counters.items())
        if known := attempt.progress.known():
            yield "Progress: " + ", ".join(f"{name} {value}" for name, value in known)
    if view.phases:
        yield "Phases: " + ", ".join(f"{name} {seconds:.2f} s" for name, seconds in _phase_times(view).items())
    yield f"Run file: {run.path}, written by {run.writer}"


def _plan(plan: PlanMade) -> Iterator[str]:
    yield ""
    yield "Program: " + ", ".join(f"{name.replace('_', ' ')} {count}" for name, count in plan.features if count)
    for engine, reason in plan.engines:
        yield f"  {engine}: {reason}"
    for engine, reason in plan.left_out:
        yield f"  not {engine}: {reason}"


def _part(engine: str, end: AttemptEnded) -> str:
    """The result of an attempt that was not stopped."""
    match end.result:
        case AttemptResult.DECIDED:
            return f"{engine} decided after {_seconds(end)}"
        case AttemptResult.FAILED:
            return f"{engine} failed after {_seconds(end)} ({end.reason})"
        case _:
            return f"{engine} ran {_seconds(end)} without an answer, because {end.reason}"


def _seconds(end: AttemptEnded) -> str:
    return f"{end.milliseconds / 1000:.1f} s"


def _rounds(attempt: AttemptView) -> Iterator[str]:
    """A table of rounds: the numbers of states and predicates in each, and the reason why it began."""
    if attempt.rounds:
        yield f"  {'round':>5}  {'states':>6}  {'lemmas':>6}  reason"
    for one in _both_ends(attempt.rounds):
        if one is None:
            yield "      …"
            continue
        nodes, lemmas = attempt.nodes_at_event(one.shown_at), len(attempt.lemmas_at_event(one.shown_at))
        yield f"  {one.number:>5}  {nodes:>6}  {lemmas:>6}  {one.reason}"


def _lemmas(attempt: AttemptView, texts: RunText) -> Iterator[str]:
    """The lemmas with their roles, origins and places, without trivial ones."""
    known = (lemma for lemma in attempt.lemmas if lemma.event.formula >= 0)
    lemmas = [lemma for lemma in known if texts.formula(attempt, lemma.event.formula) != "true"]
    shown = [one for one in lemmas if texts.is_told(attempt, one.event.formula, one.event.place)]
    if lemmas:
        yield "Lemmas:"
    for lemma in _both_ends(shown):
        if lemma is None:
            yield "  …"
            continue
        event, frames = lemma.event, frames_in_words(lemma.levels[-1][1] if lemma.levels else None)
        where = "everywhere" if event.place is None else texts.place(event.place)
        what = f"frames {frames}" if frames else event.role
        yield f"  {what} ({event.origin}), {where}: {texts.formula(attempt, event.formula, event.place)}"
    if len(shown) < len(lemmas):
        yield f"  ({counted(len(lemmas) - len(shown), 'lemma')} about memory not shown)"


def _last_path(path: RecordedPath, texts: RunText) -> Iterator[str]:
    """The edges of the last abstract path; those of its core are marked."""
    yield f"Last path, to check {path.event.check} ({path.event.result}):"
    edges = path.event.edges
    for position in _both_ends(texts.own(edges)):
        if position is None:
            yield "  …"
            continue
        yield f"  {'*' if position in path.event.core else ' '} {texts.edge(edges[position])}"


class _Terms:
    """The terms of an attempt, which may still be running."""

    def __init__(self, rows: Mapping[int, TermDefined], arena: Arena) -> None:
        self._rows = rows
        self._reader = TermReader(arena)
        self._known = 0

    def term(self, term: int) -> Term:
        """Raises `Malformed`."""
        if len(self._rows) > self._known:  # others have come since
            for row in islice(self._rows.values(), self._known, None):
                self._reader.define(row)
            self._known = len(self._rows)
        return self._reader.term(term)

    def order(self, parts: Sequence[Term]) -> Sequence[Term]:
        """Parts in the order of their numbers in the run: the order of creation depends on the order of requests."""
        return sorted(parts, key=self._place)

    def _place(self, term: Term) -> tuple[float, str]:
        number = self._reader.id(term)
        return (inf, to_c(term)) if number is None else (number, "")


def _with_known_values(arena: Arena, term: Term, order: TermOrder) -> Term:
    """An equivalent formula: conjuncts such as `x == 3` are substituted in the others."""
    parts = order(term.args) if term.is_conjunction else ()
    known = {part.args[0]: part for part in parts if part.is_equation and part.args[0].is_symbol}
    if not known:
        return term
    values = Substitution(arena, {symbol: arena.integer(part.value) for symbol, part in known.items()})
    others = [values(part) for part in parts if part not in known.values()]
    return arena.and_(*known.values(), *others)


def _both_ends(items: Sequence[_T], most: int = LONGEST_TRACE) -> list[_T | None]:
    """The items, or of many the first and the last ones with None for the others between."""
    if len(items) <= most:
        return list(items)
    half = most // 2
    return [*items[:half], None, *items[-half:]]


def _phase_times(view: RunView) -> Mapping[str, float]:
    times: dict[str, float] = {}
    for phase in view.phases:
        end = view.seconds if phase.end is None else phase.end
        times[phase.name] = times.get(phase.name, 0.0) + end - phase.start
    return times


def matters(trace: TraceShown, value: GivenInput, part: PathSlice | None) -> bool:
    """Whether an input is in the part of a trace that counts."""
    if part is None or any(trace.inputs[number][:-1] in part.inputs for number in value.numbers):
        return True
    return value.change is not None and part.has(*value.change)


def folded_inputs(inputs: Sequence[GivenInput]) -> Iterator[GivenInput | str]:
    """The inputs; of equal ones in a row, as a loop reads them, the first and the last, and a text between them."""
    for piece, times in folded([(one.place, str(replace(one, times=1))) for one in inputs]):
        yield from (inputs[position] for position in piece)
        if times:
            yield repeated(len(piece), times, "input")


def _input_line(one: GivenInput | str) -> str:
    return f"  {one}" if isinstance(one, str) else f"  {one.place[0]}:{one.place[1]}: {one}"


def text_of(run: StoredRun, view: RunView) -> RunText:
    """The texts of a stored run. Raises `Malformed`."""
    stored = run.document("program.json")
    return RunText(view, None if stored is None else decode_program(stored, Arena()))


def bounds_in(program: Program, symbol: Term) -> tuple[int, int] | None:
    """The least and the largest value of a variable or an input of a program, for `to_readable_c`."""
    known = program.range_of(symbol)
    return None if known is None else (known.low, known.high)


def _function(program: Program, edge: Edge) -> str:
    return program.locations[edge.source].function


def _occurs(check: CheckDecided) -> str:
    """The verb for a violated check: `can fail`, `can be reached`."""
    kind = kind_of(check.property)
    return "can fail" if kind is None else kind.row.occurs


def _where(check: CheckDecided) -> str:
    return f"{check.file}:{check.line}"


def _line_of(span: Span | None) -> str:
    return f"{span.file}:{span.line}" if span else "start"


def reached_in_words(check: CheckDecided) -> str:
    """The answer to the question whether an execution comes to a check; nothing where it was not asked."""
    match check.reach:
        case Reachability.REACHED:
            return check.reached_by
        case Reachability.UNREACHED:
            return f"no execution ({check.reached_by})"
        case _:
            return check.reach


def _first(places: Sequence[str]) -> str:
    """Some places, and how many more there are."""
    more = f" and {len(places) - _PLACES} more" if len(places) > _PLACES else ""
    return f"{', '.join(places[:_PLACES])}{more}"
