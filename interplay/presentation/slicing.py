"""Dynamic slicing of counterexamples: the steps of a path that influence the error. For display only.

Backward from the error, an assignment is relevant if a later relevant step reads its variable. A branch is relevant
unless all its successors meet again on the path, and no variable that is relevant later is assigned on any way up to
there (relevant slicing; Gyimóthy, Beszédes and Forgács, ESEC/FSE 1999).

Limitation: branches around calls are always relevant.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import field

from core.dataclass import dataclass
from core.program import Assign, Assume, Call, Edge, Program
from core.terms import Term

InputKey = tuple[str, str, str, int, int, int]
"""Kind, name, file, line, column and occurrence of an input, as a trace lists them."""

_Cell = tuple[int | None, Term]
"""A variable: of the activation with this number, or global."""


@dataclass(frozen=True)
class PathSlice:
    """The relevant part of a path: for each step the names of the variables whose new values are relevant, and the
    inputs.
    """

    changes: tuple[frozenset[str], ...]
    inputs: frozenset[InputKey]

    def has(self, position: int, changed: str) -> bool:
        """Whether a change of a step is relevant: of a variable, or of an element of an array."""
        return changed in self.changes[position] or changed.rpartition("[")[0] in self.changes[position]


def slice_of(program: Program, path: Sequence[int]) -> PathSlice:
    """The dynamic slice of `path`, edge ids as in `Unsafe`; all of them must be edges of `program`."""
    *_, found = slice_in_pieces(program, path)
    assert found is not None
    return found


def slice_in_pieces(program: Program, path: Sequence[int]) -> Iterator[PathSlice | None]:
    """The same in pieces of some milliseconds: yields None until the result, which comes last."""
    visits: list[_Visit] = []
    for visit in _visits(program, path):
        visits.append(visit)
        if len(visits) % _PIECE == 0:
            yield None
    slicer = _Slicer(program, tuple(visits))
    for position in reversed(range(len(visits))):
        slicer.step(position)
        if position % _PIECE == 0:
            yield None
    changes = tuple(frozenset(slicer.names.get(position, ())) for position in range(len(path)))
    yield PathSlice(changes, frozenset(slicer.inputs))


_PIECE = 200  # steps


@dataclass(frozen=True)
class _Visit:
    """One step: the activation it starts in and the one it ends in, and the inputs that it reads."""

    edge: Edge
    before: int
    after: int
    enters: bool
    inputs: dict[Term, InputKey]


def _visits(program: Program, path: Sequence[int]) -> Iterator[_Visit]:
    stack, activations, location = [0], 0, program.functions[program.start].entry
    occurrences: dict[tuple[str, str, str, int, int], int] = {}
    for number in path:
        edge = program.edges[number]
        inputs: dict[Term, InputKey] = {}
        enters = isinstance(edge.operation, Call) and location == edge.source
        for symbol in _inputs_of(program, edge) if enters or not isinstance(edge.operation, Call) else ():
            one = program.inputs[symbol]
            place = (one.kind.value, one.name, one.span.file, one.span.line, one.span.column)
            inputs[symbol] = (*place, occurrences.get(place, 0))
            occurrences[place] = occurrences.get(place, 0) + 1
        before, location = stack[-1], edge.target
        if enters and isinstance(edge.operation, Call):
            activations += 1
            stack.append(activations)
            location = program.functions[edge.operation.function].entry
        elif isinstance(edge.operation, Call) and len(stack) > 1:
            stack.pop()
        yield _Visit(edge, before, stack[-1], enters, inputs)


def _inputs_of(program: Program, edge: Edge) -> list[Term]:
    match edge.operation:
        case Assume(condition):
            terms: tuple[Term, ...] = (condition,)
        case Assign(updates):
            terms = tuple(value for _, value in updates)
        case Call(_, arguments):
            terms = arguments
    return sorted({s for t in terms for s in t.symbols() if s in program.inputs}, key=lambda s: s.id)


@dataclass(slots=True)
class _Slicer:
    """The backward pass over a path. `live` are the cells whose values are relevant after the current step, `counted`
    the relevant positions, `nearest` the next position at which an activation is at a location.
    """

    program: Program
    visits: tuple[_Visit, ...]
    live: set[_Cell] = field(default_factory=set)
    names: dict[int, set[str]] = field(default_factory=dict)
    inputs: set[InputKey] = field(default_factory=set)
    counted: list[int] = field(default_factory=list)
    nearest: dict[tuple[int, int], int] = field(default_factory=dict)
    regions: dict[int, _Region | None] = field(default_factory=dict)
    graphs: dict[str, _Rejoining] = field(default_factory=dict)

    def step(self, position: int) -> None:
        """Process a step, after those that follow it on the path."""
        visit = self.visits[position]
        match visit.edge.operation:
            case Assume(condition):
                if self.counts(visit):
                    self.counted.append(position)
                    self.reads(visit, condition)
            case Assign(updates):
                self.writes(position, visit, visit.after, updates)
            case Call(function, arguments) if visit.enters:
                parameters = self.program.functions[function].parameters
                self.writes(position, visit, visit.after, tuple(zip(parameters, arguments, strict=False)))
            case Call():
                pass
        self.nearest[visit.before, visit.edge.source] = position

    def writes(self, position: int, visit: _Visit, frame: int, updates: Sequence[tuple[Term, Term]]) -> None:
        found = [(x, value) for x, value in updates if self.cell(frame, x) in self.live]
        if found:
            self.counted.append(position)
        for x, _ in found:
            self.live.discard(self.cell(frame, x))
            known = self.program.variables.get(x)
            self.names.setdefault(position, set()).add(known.name if known else x.name)
        for _, value in found:
            self.reads(visit, value)

    def reads(self, visit: _Visit, term: Term) -> None:
        for symbol in term.symbols():
            if symbol in visit.inputs:
                self.inputs.add(visit.inputs[symbol])
            else:
                self.live.add(self.cell(visit.before, symbol))

    def cell(self, frame: int, symbol: Term) -> _Cell:
        known = self.program.variables.get(symbol)
        return (None if known is None or known.scope is None else frame), symbol

    def counts(self, visit: _Visit) -> bool:
        """Whether the branch taken here is relevant: see above."""
        region = self.region(visit.edge.source)
        if region is None:
            return True
        if any(self.cell(visit.before, x) in self.live for x in region.written):
            return True
        meeting = self.nearest.get((visit.before, region.end))
        return meeting is None or bool(self.counted and self.counted[-1] < meeting)

    def region(self, location: int) -> _Region | None:
        if location not in self.regions:
            name = self.program.locations[location].function
            if name not in self.graphs:
                self.graphs[name] = _Rejoining(self.program, name)
            self.regions[location] = self.graphs[name].region(location)
        return self.regions[location]


@dataclass(frozen=True)
class _Region:
    """The region between a branch and the point where its ways meet again: the variables that it can assign."""

    end: int
    written: frozenset[Term]


class _Rejoining:
    """Postdominators within one function; sets of locations are bits of an int. Error locations have no successors."""

    def __init__(self, program: Program, function: str) -> None:
        self._program = program
        self._locations = [one.id for one in program.locations if one.function == function]
        self._bit = {location: 1 << number for number, location in enumerate(self._locations)}
        self._behind = self._postdominators()

    def region(self, location: int) -> _Region | None:
        """The region of a branch; None where its ways need not meet, there is only one, or effects are unknown."""
        out = self._out(location)
        end = self._meeting(location)
        if len(out) < 2 or end is None:
            return None
        written, seen, pending = set[Term](), {location, end}, [location]
        while pending:
            edges = self._out(pending.pop())
            for edge in edges:
                if isinstance(edge.operation, Call) or (isinstance(edge.operation, Assume) and len(edges) == 1):
                    return None
                if isinstance(edge.operation, Assign):
                    written.update(x for x, _ in edge.operation.updates)
                if edge.target not in seen:
                    seen.add(edge.target)
                    pending.append(edge.target)
        return _Region(end, frozenset(written))

    def _meeting(self, location: int) -> int | None:
        """The nearest location that every way from here to an end passes."""
        strict = self._behind[location] & ~self._bit[location]
        return next((one for one in self._locations if strict & self._bit[one] and self._behind[one] == strict), None)

    def _out(self, location: int) -> tuple[Edge, ...]:
        return () if location in self._program.checks_at else self._program.out_edges[location]

    def _postdominators(self) -> dict[int, int]:
        everything = (1 << len(self._locations)) - 1
        behind = dict.fromkeys(self._locations, everything)
        changed = True
        while changed:
            changed = False
            for location in reversed(self._locations):
                found = everything if self._out(location) else 0
                for edge in self._out(location):
                    found &= behind[edge.target]
                found |= self._bit[location]
                changed = changed or found != behind[location]
                behind[location] = found
        return behind
