"""The parts of a run as people read them: places, steps, inputs and formulas, with the names of the source."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import islice
from math import inf
from typing import TYPE_CHECKING

from core.dataclass import dataclass
from core.program import Edge, Program
from core.program.changes import Changes, Counts, SourceChanges
from core.program.given import GivenInput, GivenInputs
from core.program.naming import Naming
from core.program.own_steps import is_own, is_start, own_positions, place_of
from core.program.source import is_library_body, library_function_of, shown_function
from core.program.span import Span, behind
from core.terms import Arena, Substitution, Term, to_c, to_smtlib
from core.terms.notation import TermOrder
from frontend.properties.errors import VOLATILE_READ
from interplay.presentation.formula_text import LONGEST_FORMULA, LONGEST_WHOLE, FormulaWriter
from runs.events import CALLED, InvariantShown, Place, TermDefined, TraceShown
from runs.jsondata import Malformed
from runs.runfile import StoredRun
from runs.runview import AttemptView, RunView
from runs.serialize import decode_program
from runs.termtable import TermReader

if TYPE_CHECKING:
    from interplay.presentation.lifetimes import ObjectLives
    from interplay.presentation.slicing import PathSlice  # loaded where a counterexample is shown

LONGEST_SCRIPT = 1_000_000  # characters of SMT-LIB


@dataclass(frozen=True)
class FullFormula:
    """A formula without abridgement: as C, or as SMT-LIB."""

    text: str
    is_c: bool


class RunText:
    """Texts about one run. `program` is None for a run that ended before there was one."""

    def __init__(self, view: RunView, program: Program | None) -> None:
        self.view = view
        self.program = program
        self._arena = program.arena if program else Arena()
        self._terms: dict[int, _Terms] = {}  # by attempt
        self._naming = None if program is None else Naming(program)
        self._names: dict[Place | None, Naming] = {}
        self._changes: dict[int, tuple[TraceShown, SourceChanges]] = {}  # by the identity of the trace
        self._lifetimes: dict[int, tuple[TraceShown, ObjectLives]] = {}  # likewise

    def changes(self, trace: TraceShown, position: int, counts: Counts | None = None) -> Changes:
        """Changes of a step of a counterexample, all or some, with the names of the source."""
        told = self.told(trace)
        if told is None:
            return tuple(one for one in trace.steps[position][1] if counts is None or counts(position, one[0]))
        return told.of_step(position, counts)

    def step(self, trace: TraceShown, position: int) -> tuple[Span | None, str]:
        """The place and the text of a step of a counterexample; without a text where another step shows it."""
        told, edge = self.told(trace), self.edge_at(trace.steps[position][0])
        if told is None or edge is None:
            return (None, "") if edge is None else (edge.span, edge.text)
        shown = told.own.at(position)
        return (edge.span, "") if shown is None else (shown.span, shown.text)

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
        if told is None or self.program is None:
            return tuple(
                GivenInput((file, line), name, "=", value, (number,), kind, occurrence + 1)
                for number, (kind, name, file, line, _, occurrence, value) in enumerate(trace.inputs)
            )
        rows = GivenInputs(self.program, told).rows()
        return tuple(replace(one, name=one.name.removeprefix(VOLATILE_READ)) for one in rows)

    def lifetimes(self, trace: TraceShown) -> ObjectLives:
        """The lives of the objects of a counterexample, and the reason for a memory error."""
        from interplay.presentation.lifetimes import ObjectLives

        if id(trace) not in self._lifetimes:
            self._lifetimes[id(trace)] = trace, ObjectLives(self.program, self.told(trace), trace)
        return self._lifetimes[id(trace)][1]

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
        return tuple(range(len(edges))) if self.program is None else tuple(own_positions(self.program, edges))

    def statements(self, edges: Sequence[int]) -> str:
        """The source text of a piece of a path, without parts that have no effect."""
        found = (self.edge_at(edges[position]) for position in self.own(edges))
        return "; ".join(edge.text for edge in found if edge is not None and edge.text)

    def edge(self, edge_id: int) -> str:
        """An edge as its place with the source text there."""
        edge = self.edge_at(edge_id)
        if edge is None or self.program is None:
            return f"edge {edge_id}"
        return f"{line_of(place_of(self.program, edge))}: {edge.text or '(no effect)'}"

    def edge_at(self, number: int) -> Edge | None:
        """An edge of the program; None where it has none of that number."""
        edges = self.program.edges if self.program else ()
        return edges[number] if 0 <= number < len(edges) else None

    def invariants(self, attempt: AttemptView) -> tuple[InvariantShown, ...]:
        """The invariants that are shown: those of a start that was written for a function are not."""
        program = self.program
        locations = () if program is None else program.locations
        hidden = frozenset(at for at, one in enumerate(locations) if program and is_start(program, one.function))
        return tuple(one for one in attempt.invariants if one.place[1] not in hidden)

    def place(self, place: Place) -> str:
        """A location of the expansion as file, line, function, and the calls that lead to it."""
        stack, location = place
        locations = self.program.locations if self.program else ()
        if not 0 <= location < len(locations):
            return f"location {location}"
        function = locations[location].function
        name = shown_function(function)
        if self.program is not None and is_library_body(function):
            name = library_function_of(function, self.program.functions)
        if self.program is not None and stack == CALLED:
            moment = "is called" if self.program.functions[function].entry == location else "returns"
            return f"{line_of(locations[location].span)} (whenever {name} {moment})"
        calls = [edge.span for edge in map(self.edge_at, stack) if edge is not None and self._in_source(edge)]
        called = f", called from {', '.join(f'line {span.line}' for span in reversed(calls) if span)}" if calls else ""
        return f"{line_of(locations[location].span)} ({name}{called})"

    def _in_source(self, edge: Edge) -> bool:
        """Whether the call is in the source: that of main, and those of written starts and in the library, are not."""
        program = self.program
        if program is None or edge.span is None or function_at(program, edge) == program.start:
            return False
        return is_own(program, function_at(program, edge))

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
        return bounds_in(self.program, symbol) if self.program else None

    def _terms_of(self, attempt: AttemptView) -> _Terms:
        if attempt.number not in self._terms:
            self._terms[attempt.number] = _Terms(attempt.terms, self._arena)
        return self._terms[attempt.number]


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


def text_of(run: StoredRun, view: RunView) -> RunText:
    """The texts of a stored run. Raises `Malformed`."""
    stored = run.document("program.json")
    return RunText(view, None if stored is None else decode_program(stored, Arena()))


def bounds_in(program: Program, symbol: Term) -> tuple[int, int] | None:
    """The least and the largest value of a variable or an input of a program, for `to_readable_c`."""
    known = program.range_of(symbol)
    return None if known is None else (known.low, known.high)


def function_at(program: Program, edge: Edge) -> str:
    """The function that an edge begins in."""
    return program.locations[edge.source].function


def line_of(span: Span | None) -> str:
    """The place of a step as file and line."""
    return f"{span.file}:{span.line}" if span else "start"


def matters(trace: TraceShown, value: GivenInput, part: PathSlice | None) -> bool:
    """Whether an input is in the part of a trace that counts."""
    if part is None or any(trace.inputs[number][:-1] in part.inputs for number in value.numbers):
        return True
    return value.change is not None and part.has(*value.change)
