"""The steps of a counterexample with their values, and what inputs decide of them: what may differ between executions.

A value varies if it was computed from an input or from what varies, or if it might have been changed between a branch
whose condition varies and the point where its ways meet again. What does not vary is the same whenever an execution
comes to this step on this path. Values come from executing the path on the inputs of the trace; where it cannot be
executed, since parts of it were left out, they are unknown from there on.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import field

from core.dataclass import dataclass
from core.program import Assign, Assume, Call, Edge, Program
from core.terms import ArrayValue, Term, Value
from core.verdict import InputValue
from interplay.presentation.branches import Branches
from interplay.presentation.dependences import Dependence, Written, evaluated, uses, written
from interplay.session.counterexample import LATER, TraceExecution, value_in
from runs.events import TraceShown

InputKey = tuple[str, str, str, int, int, int]
"""Kind, name, file, line, column and occurrence of an input, as a trace lists them."""

ActiveVariable = tuple[int | None, Term]
"""A variable: of the activation with this number, or global."""


@dataclass(frozen=True, slots=True)
class TakenStep:
    """A step: the activation that it starts in and the one that it ends in, the inputs that it reads, the values that
    it uses as far as they are known, what it writes, and what it uses that varies.
    """

    edge: Edge
    before: int
    after: int
    inputs: Mapping[Term, InputKey]
    values: Mapping[Term, Value]
    written: tuple[Written, ...]
    varying: frozenset[Dependence]
    scopes: Mapping[Term, bool]

    def variable(self, symbol: Term, frame: int) -> ActiveVariable:
        return (frame if self.scopes.get(symbol) else None), symbol


def visits_of(program: Program, branches: Branches, trace: TraceShown) -> Iterator[TakenStep]:
    """The steps of a trace; all its edges must be edges of `program`."""
    walk = _Walk(program, branches, TraceExecution(program, _inputs(program, trace)))
    by_name = {known.name: x for x, known in program.variables.items()}
    for number, changes in trace.steps:
        later = {by_name[name]: value for name, value in _later(changes) if name in by_name}
        yield walk.step(program.edges[number], later)


def _later(changes: Iterable[tuple[str, str]]) -> Iterator[tuple[str, Value]]:
    """The values behind a part of the path that was left out."""
    for name, text in changes:
        value = value_in(text.removesuffix(LATER))
        if text.endswith(LATER) and value is not None:
            yield name, value


def _inputs(program: Program, trace: TraceShown) -> Iterator[InputValue]:
    """The inputs of a trace whose values can be read."""
    known = {(i.kind.value, i.name, i.span.file, i.span.line, i.span.column): i for i in program.inputs.values()}
    for kind, name, file, line, column, occurrence, text in trace.inputs:
        one, value = known.get((kind, name, file, line, column)), value_in(text)
        if one is not None and value is not None:
            yield InputValue(one.kind, one.name, one.span, occurrence, value)


@dataclass(slots=True)
class _Region:
    """A part of the path behind branches whose conditions vary, up to where their ways meet.

    It begins at `start` in the journal. `others` are the variables that the ways not taken may change.
    """

    start: int
    others: set[Term]


@dataclass(slots=True)
class _Walk:
    """The forward pass over a path. `varies` has the variables that vary, each with the elements that do (None: all
    that are not in `fixed`); `journal` has what was written, in order.
    """

    program: Program
    branches: Branches
    execution: TraceExecution
    stack: list[int] = field(default_factory=lambda: [0])
    activations: int = 0
    location: int = -1
    occurrences: dict[tuple[str, str, str, int, int], int] = field(default_factory=dict)
    scopes: dict[Term, bool] = field(default_factory=dict)
    varies: dict[ActiveVariable, set[int | None]] = field(default_factory=dict)
    fixed: dict[ActiveVariable, set[int | None]] = field(default_factory=dict)
    journal: list[tuple[ActiveVariable, int | None]] = field(default_factory=list)
    regions: dict[tuple[int, int], _Region] = field(default_factory=dict)  # by activation and end

    def __post_init__(self) -> None:
        self.location = self.program.functions[self.program.start].entry
        self.scopes = {x: known.scope is not None for x, known in self.program.variables.items()}

    def step(self, edge: Edge, later: Mapping[Term, Value]) -> TakenStep:
        before = self.stack[-1]
        enters = isinstance(edge.operation, Call) and self.location == edge.source
        updates = self._updates(edge, enters)
        terms = [edge.operation.condition] if isinstance(edge.operation, Assume) else [value for _, value in updates]
        inputs = self._inputs_of(terms)
        self.execution.step(edge)
        values = {s: self.execution.values[s] for t in terms for s in t.symbols() if s in self.execution.values}
        self._go(edge, enters)
        parts = [one for x, v in updates for one in written(x, v, values) if enters or not self._stays(one, values)]
        varying = [[use for use in one.uses(values) if self._is_varying(before, inputs, use)] for one in parts]
        for one, found in zip(parts, varying, strict=True):
            self._write(self._variable(one.symbol, self.stack[-1]), one, bool(found))
        if isinstance(edge.operation, Assume):
            condition = edge.operation.condition
            varying.append([use for use in uses(condition, values) if self._is_varying(before, inputs, use)])
            self._branch(edge, before, bool(varying[-1]))
            if evaluated(condition, values) is False:
                self.execution.skip({})
        if later:
            self.execution.skip(later)
            parts = [one for one in parts if one.symbol not in later]
            parts += [Written(x, None, self.program.arena.zero) for x in later]  # by no step that is shown
        self._meet()
        everything = frozenset(use for found in varying for use in found)
        return TakenStep(edge, before, self.stack[-1], inputs, values, tuple(parts), everything, self.scopes)

    def _updates(self, edge: Edge, enters: bool) -> tuple[tuple[Term, Term], ...]:
        match edge.operation:
            case Assign(updates):
                return updates
            case Call(function, arguments) if enters:
                return tuple(zip(self.program.functions[function].parameters, arguments, strict=False))
            case _:
                return ()

    def _go(self, edge: Edge, enters: bool) -> None:
        """Follow an edge: into a function, back from one, or to its target."""
        self.location = edge.target
        if not isinstance(edge.operation, Call):
            return
        if enters:
            self.activations += 1
            self.stack.append(self.activations)
            self.location = self.program.functions[edge.operation.function].entry
        elif len(self.stack) > 1:
            self.stack.pop()

    def _inputs_of(self, terms: Iterable[Term]) -> dict[Term, InputKey]:
        """The inputs that a step reads, each with its occurrence."""
        found: dict[Term, InputKey] = {}
        read = {s for t in terms for s in t.symbols() if s in self.program.inputs}
        for symbol in sorted(read, key=lambda s: s.id):
            one = self.program.inputs[symbol]
            place = (one.kind.value, one.name, one.span.file, one.span.line, one.span.column)
            found[symbol] = (*place, self.occurrences.get(place, 0))
            self.occurrences[place] = found[symbol][-1] + 1
        return found

    # What varies

    def _variable(self, symbol: Term, frame: int) -> ActiveVariable:
        return (frame if self.scopes.get(symbol) else None), symbol

    def _is_varying(self, frame: int, inputs: Mapping[Term, InputKey], use: Dependence) -> bool:
        if use.symbol in inputs:
            return True
        variable = self._variable(use.symbol, frame)
        found = self.varies.get(variable)
        if not found or use.element is None or use.element in found:
            return bool(found)
        return None in found and use.element not in self.fixed.get(variable, ())

    def _stays(self, variable: Written, values: Mapping[Term, Value]) -> bool:
        """Whether a variable keeps its value whatever inputs are: the step that gave it that value is another one."""
        frame, before = self.stack[-1], self.execution.values.get(variable.symbol)
        old = before[variable.element] if isinstance(before, ArrayValue) and variable.element is not None else before
        if isinstance(old, ArrayValue) or old is None or old != evaluated(variable.value, values):
            return False
        everything = (Dependence(variable.symbol, variable.element), *variable.uses(values))
        return not any(use.symbol in self.program.inputs or self._is_varying(frame, {}, use) for use in everything)

    def _write(self, variable: ActiveVariable, written: Written, varies: bool) -> None:
        self.journal.append((variable, written.element))
        if varies:
            self._let_vary(variable, written.element)
        elif written.element is not None:
            self.varies.get(variable, set()).discard(written.element)
            self.fixed.setdefault(variable, set()).add(written.element)
        elif not written.kept:
            self.varies.pop(variable, None)
            self.fixed.pop(variable, None)

    def _let_vary(self, variable: ActiveVariable, element: int | None) -> None:
        self.varies.setdefault(variable, set()).add(element)
        if element is None:
            self.fixed.pop(variable, None)
        else:
            self.fixed.get(variable, set()).discard(element)

    # Branches

    def _branch(self, edge: Edge, frame: int, varies: bool) -> None:
        meeting = self.branches.meeting(edge.source)
        if varies and meeting is not None and len(self.branches.ways(edge.source)) > 1:
            region = self.regions.setdefault((frame, meeting), _Region(len(self.journal), set()))
            region.others |= self.branches.other_ways(edge, meeting).written

    def _meet(self) -> None:
        """Let vary what was written, or might have been, behind branches whose ways meet here."""
        frame = self.stack[-1]
        ended = self.regions.pop((frame, self.location), None)
        if ended is not None:
            for variable, element in dict.fromkeys(self.journal[ended.start :]):
                self._let_vary(variable, element)
            for x in ended.others:
                self._let_vary(self._variable(x, frame), None)
