"""Dynamic slicing of counterexamples: the steps of a path that lead to the error. For display only.

H. Agrawal, J. Horgan, "Dynamic program slicing", PLDI 1990, backward from the error: an assignment counts if a later
step that counts uses the variable, or element, that it writes (`interplay.presentation.dependences`). A branch counts
if steps between it and the point where its ways meet again count, or if another way might have changed what counts
later (relevant slicing; Gyimóthy, Beszédes and Forgács, ESEC/FSE 1999). Of what only decides where something is stored,
and which way is taken, only that counts which inputs decide (`interplay.presentation.varying`): an index that runs
through an array in every execution does not. What decides on the error itself always counts.

Limitations: an unknown index stands for all elements; checks that are passed, and where new objects lie, never count.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import field

from core.dataclass import dataclass
from core.program import Assume, Edge, Program
from core.terms import Term
from interplay.presentation.branches import Branches
from interplay.presentation.dependences import Dependence, Written, uses
from interplay.presentation.varying import ActiveVariable, InputKey, TakenStep, visits_of
from interplay.session.counterexample import named_arrays
from runs.events import TraceShown


@dataclass(frozen=True)
class PathSlice:
    """The part of a path that counts: for each step the names of the variables and elements whose new values count,
    and the inputs. `steps` are those that count and that the source shows: they write a variable, even if it keeps its
    value, or begin or end the life of an object.
    """

    changes: tuple[frozenset[str], ...]
    inputs: frozenset[InputKey]
    steps: frozenset[int]

    def has(self, position: int, changed: str) -> bool:
        """Whether a change of a step counts: of a variable, or of an element of an array."""
        names = self.changes[position]
        array = f"{changed}["
        return not names.isdisjoint((changed, changed.rpartition("[")[0])) or any(n.startswith(array) for n in names)


def slice_of(program: Program, trace: TraceShown) -> PathSlice:
    """The dynamic slice of a counterexample; all its edges must be edges of `program`."""
    *_, found = slice_in_pieces(program, trace)
    assert found is not None
    return found


def slice_in_pieces(program: Program, trace: TraceShown) -> Iterator[PathSlice | None]:
    """The same in pieces of some milliseconds: yields None until the result, which comes last."""
    branches = Branches(program)
    visits: list[TakenStep] = []
    for visit in visits_of(program, branches, trace):
        visits.append(visit)
        if len(visits) % _PIECE == 0:
            yield None
    slicer = _Slicer(program, branches, visits, named_arrays(program.source))
    for position in reversed(range(len(visits))):
        slicer.step(position)
        if position % _PIECE == 0:
            yield None
    changes = tuple(frozenset(slicer.names.get(position, ())) for position in range(len(visits)))
    yield PathSlice(changes, frozenset(slicer.inputs), frozenset(slicer.seen))


_PIECE = 100  # steps


@dataclass(slots=True)
class _Slicer:
    """The backward pass over a path. `live` are the variables whose values count after the current step, each with the
    elements (None: all, or it is no array), `counted` the positions that count, `nearest` the next position at which an
    activation is at a location.
    """

    program: Program
    branches: Branches
    visits: Sequence[TakenStep]
    named: frozenset[Term]
    live: dict[ActiveVariable, set[int | None]] = field(default_factory=dict)
    names: dict[int, set[str]] = field(default_factory=dict)
    inputs: set[InputKey] = field(default_factory=set)
    seen: set[int] = field(default_factory=set)
    counted: list[int] = field(default_factory=list)
    nearest: dict[tuple[int, int], int] = field(default_factory=dict)

    def step(self, position: int) -> None:
        """Process a step, after those that follow it on the path."""
        visit = self.visits[position]
        operation = visit.edge.operation
        if isinstance(operation, Assume):
            if self.counts(visit):
                self.counted.append(position)
                self.follow(visit, uses(operation.condition, visit.values), whole=True)
        else:
            self.writes(position, visit)
        self.nearest[visit.before, visit.edge.source] = position

    def writes(self, position: int, visit: TakenStep) -> None:
        writes_here = [(one, sorted(self.written(visit, one), key=_unknown_first)) for one in visit.written]
        writes_here = [(one, elements) for one, elements in writes_here if elements]
        for one, elements in writes_here:
            self.end(visit, one, elements)
        for one, elements in writes_here:
            for element in elements:
                self.follow(visit, one.uses(visit.values, element), whole=self.is_life(one.symbol))
                self.name(position, one.symbol, one.element if element is None else element)
        if writes_here:
            self.counted.append(position)
            written = [one.symbol for one, _ in writes_here]
            if all(map(self.is_life, written)) or any(map(self.is_named, written)):
                self.seen.add(position)

    def written(self, visit: TakenStep, variable: Written) -> set[int | None]:
        """The live elements that a step writes."""
        live = self.live.get(visit.variable(variable.symbol, visit.after), set())
        if variable.element is None or variable.element in live:
            return set(live) if variable.element is None else {variable.element}
        return {None} if None in live else set()

    def end(self, visit: TakenStep, written: Written, elements: Sequence[int | None]) -> None:
        """Let what a step writes count no more before it, unless something else may be what was written."""
        variable = visit.variable(written.symbol, visit.after)
        live = self.live[variable]
        if not written.kept:
            live.clear()
        elif written.element is not None:
            live.difference_update(element for element in elements if element is not None)
        if not live:
            del self.live[variable]

    def name(self, position: int, symbol: Term, element: int | None) -> None:
        known = self.program.variables.get(symbol)
        name = known.name if known else symbol.name
        self.names.setdefault(position, set()).add(name if element is None else f"{name}[{element}]")

    def follow(self, visit: TakenStep, dependences: Iterator[Dependence], whole: bool) -> None:
        """Let count what is used; what only places an element, where inputs decide it or all is asked for."""
        for use in dependences:
            if use.symbol in visit.inputs:
                self.inputs.add(visit.inputs[use.symbol])
            elif (whole or not use.places or use in visit.varying) and not self.is_counter(use.symbol):
                self.live.setdefault(visit.variable(use.symbol, visit.before), set()).add(use.element)

    def counts(self, visit: TakenStep) -> bool:
        """Whether the way taken here counts: see above."""
        source, edge = visit.edge.source, visit.edge
        if edge.target in self.branches.failing:
            return True
        ways = self.branches.ways(source)
        if len(ways) < 2:
            return len(self.program.out_edges[source]) < 2 and self.constrains(visit)
        meeting = self.branches.meeting(source)
        met = None if meeting is None else self.nearest.get((visit.before, meeting))
        if not visit.varying and (met is not None or self.program.locations[source].loop):
            return False
        return met is None or bool(self.counted and self.counted[-1] < met) or self.might_change(visit, edge, meeting)

    def constrains(self, visit: TakenStep) -> bool:
        """Whether an assumption speaks of what counts."""
        operation = visit.edge.operation
        assert isinstance(operation, Assume)
        found = [use for use in uses(operation.condition, visit.values) if not use.places]
        return any(self.is_live(visit, use.symbol, use.element) for use in found)

    def is_live(self, visit: TakenStep, symbol: Term, element: int | None) -> bool:
        live = self.live.get(visit.variable(symbol, visit.before), ())
        return element in live or None in live or (element is None and bool(live))

    def might_change(self, visit: TakenStep, taken: Edge, meeting: int | None) -> bool:
        others = self.branches.other_ways(taken, meeting)
        return others.ends or any(self.is_live(visit, x, None) for x in others.written)

    def is_counter(self, symbol: Term) -> bool:
        return self.program.memory is not None and symbol is self.program.memory.counter

    def is_life(self, symbol: Term) -> bool:
        lifetimes = None if self.program.memory is None else self.program.memory.lifetimes
        return lifetimes is not None and symbol in (lifetimes.sizes, lifetimes.releasable, lifetimes.count)

    def is_named(self, symbol: Term) -> bool:
        """Whether the source has a name for a variable, or for elements of it."""
        known = self.program.variables.get(symbol)
        return (known is not None and not known.hidden) or symbol in self.named


def _unknown_first(element: int | None) -> tuple[bool, int]:
    return element is not None, element or 0
