"""The graph from which clauses are made: locations of the modular view, and arcs, each as large as is cheap.

An arc is a transition that may also *use* summaries of contracted functions. Building the graph follows the view in
large blocks; then what cannot lead to an error is dropped, and locations through which little passes are composed away
(D. Beyer et al., "Software model checking via large-block encoding", FMCAD 2009, over calls too).

Required: two executions of one input stay apart when arcs are composed. Heuristic: an arc covers at most `MAX_PATHS`
paths of the program, as the certificate check walks each of them, and uses at most one summary.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import replace
from enum import Enum

from core.dataclass import dataclass
from core.parameters import parameter
from core.program import Assign, Edge, Range
from core.program.expansion import At, Step
from core.program.modular import ModularView, Summary
from core.program.semantics import Transition
from core.terms import INT, Substitution, Term

MAX_PATHS = parameter("clauses.clause-graph.max-paths")


class Entries(Enum):
    """The states for which the summary of a function in which no error is reached is wanted."""

    ANY = "any"
    CALLED = "called"  # those in which it is called


@dataclass(frozen=True, eq=False)
class SummaryUse:
    """A use of the summary of `callee`: it holds of what `value` gives for its symbols, terms over the arc's source."""

    callee: str
    substitutions: tuple[Substitution, ...]

    def value(self, symbol: Term) -> Term:
        for substitution in self.substitutions:
            symbol = substitution(symbol)
        return symbol

    def then(self, *more: Substitution) -> SummaryUse:
        return SummaryUse(self.callee, (*self.substitutions, *more))


@dataclass(frozen=True, eq=False)
class Arc:
    """An arc: `steps` from `source` to `target` as one transition; `paths` of the program run through it."""

    source: At
    target: At
    transition: Transition
    steps: tuple[Step, ...]
    uses: tuple[SummaryUse, ...]
    paths: int


class ArcGraph:
    """Arcs of a modular view that may lead to the error locations of `checks`. The mutable structure of an encoding."""

    def __init__(self, view: ModularView, checks: Collection[int], entries: Entries, tick: Callable[[], None]) -> None:
        self.view = view
        self.arena = view.arena
        self.summarised = SummarySymbols(view)
        self.visited: dict[At, None] = {}  # all that the view reaches, as far as syntax shows it
        self.impossible: dict[At, None] = {}  # targets of steps that cannot be taken
        self.composed: dict[At, None] = {}  # inside arcs
        self.joins: set[At] = set()  # where several arcs of the view meet
        self._inputs: dict[Term, Term] = {}  # a copy of an input -> the input
        self._copies = 0
        self._relevant: Mapping[At, tuple[Term, ...]] = {}
        arcs = list(self._explored(tick))
        self.free = self._free_entries(arcs, checks) if entries is Entries.ANY else frozenset[At]()
        arcs = [arc for arc in arcs if arc.target not in self.free]
        self._arcs = self._useful(arcs, checks)

    @property
    def arcs(self) -> tuple[Arc, ...]:
        return tuple(self._arcs)

    def is_error(self, at: At) -> bool:
        return self.view.check(at) is not None

    def is_input(self, symbol: Term) -> bool:
        return symbol in self._inputs or self.view.is_input(symbol)

    def range_of(self, symbol: Term) -> Range | None:
        return self.view.range_of(self._inputs.get(symbol, symbol))

    # Building

    def _explored(self, tick: Callable[[], None]) -> Iterator[Arc]:
        work = [self.view.start]
        self.visited[self.view.start] = None
        while work:
            tick()
            for step in self.view.steps(work.pop()):
                if step.transition.guard.is_false:
                    self.impossible[step.target] = None
                    continue
                uses = (SummaryUse(step.callee, self.summarised.instance(step)),) if isinstance(step, Summary) else ()
                yield Arc(step.source, step.target, step.transition, (step,), uses, _paths(step.edges))
                if step.target not in self.visited:
                    self.visited[step.target] = None
                    work.append(step.target)
                else:
                    self.joins.add(step.target)
                if isinstance(step, Summary):
                    self._reach(self.view.exit(step.callee), work)

    def _reach(self, at: At, work: list[At]) -> None:
        """Add a location. A summary has a meaning even if no path inside returns: then it is false."""
        if at not in self.visited:
            self.visited[at] = None
            work.append(at)

    def _useful(self, arcs: list[Arc], checks: Collection[int]) -> list[Arc]:
        """The arcs on paths to the errors of `checks`, and on those to returns on which such paths depend."""
        entering: dict[At, list[Arc]] = {}
        for arc in arcs:
            entering.setdefault(arc.target, []).append(arc)
        errors = [at for at in entering if self._fails(at, checks)]
        useful = dict.fromkeys(errors)
        work = list(errors)
        while work:
            for arc in entering.get(work.pop(), []):
                for at in (arc.source, *(self.view.exit(use.callee) for use in arc.uses)):
                    if at not in useful and not self.is_error(at):
                        useful[at] = None
                        work.append(at)
        return [arc for arc in arcs if arc.target in useful and (not self.is_error(arc.source))]

    def _free_entries(self, arcs: list[Arc], checks: Collection[int]) -> frozenset[At]:
        """The entries of functions in which, and in what they call, no error of `checks` is reached."""
        entering: dict[At, list[At]] = {}
        for arc in arcs:
            entering.setdefault(arc.target, []).append(arc.source)
        reached = {at for at in entering if self._fails(at, checks)}
        work = list(reached)
        while work:
            for at in entering.get(work.pop(), []):
                if at not in reached:
                    reached.add(at)
                    work.append(at)
        return frozenset(map(self.view.entry, self.view.contracted)) - reached - {self.view.start}

    def _fails(self, at: At, checks: Collection[int]) -> bool:
        check = self.view.check(at)
        return check is not None and check.id in checks

    # Composing

    def compose(self, relevant: Mapping[At, tuple[Term, ...]], tick: Callable[[], None]) -> None:
        """Compose away the locations through which few paths lead. Only variables that are `relevant` keep values."""
        self._relevant = relevant
        self._arcs = [self._restricted(arc) for arc in self._arcs]
        kept = {
            self.view.start,
            *map(self.view.entry, self.view.contracted),
            *map(self.view.exit, self.view.contracted),
        }
        kept |= {arc.source for arc in self._arcs if self.view.is_loop_head(arc.source)}
        into: dict[At, dict[Arc, None]] = {}
        out: dict[At, dict[Arc, None]] = {}
        for arc in self._arcs:
            into.setdefault(arc.target, {})[arc] = None
            out.setdefault(arc.source, {})[arc] = None
        work = dict.fromkeys(at for at in out if at not in kept)
        while work:
            tick()
            at = next(iter(work))
            del work[at]
            before, after = list(into.get(at, ())), list(out.get(at, ()))
            if not self._composable(before, after):
                continue
            self.composed[at] = None
            for arc in (*before, *after):
                out[arc.source].pop(arc, None)
                into[arc.target].pop(arc, None)
            for arc in self._composed(before, after):
                out.setdefault(arc.source, {})[arc] = None
                into.setdefault(arc.target, {})[arc] = None
            work.update(dict.fromkeys(a for arc in before if (a := arc.source) not in kept and a in out))
            work.update(dict.fromkeys(a for arc in after if (a := arc.target) not in kept and a in out))
        self._arcs = [arc for arcs in out.values() for arc in arcs]

    def _restricted(self, arc: Arc) -> Arc:
        """The arc without assignments to what does not matter behind it."""
        wanted = frozenset(self._relevant.get(arc.target, ()))
        updates = {x: value for x, value in arc.transition.updates.items() if x in wanted}
        if len(updates) == len(arc.transition.updates):
            return arc
        return replace(arc, transition=Transition(self.arena, arc.transition.guard, updates))

    def _composable(self, before: list[Arc], after: list[Arc]) -> bool:
        if any(arc.source == arc.target for arc in (*before, *after)):
            return False
        if len(before) * len(after) > len(before) + len(after):
            return False
        return all(a.paths * b.paths <= MAX_PATHS and len(a.uses) + len(b.uses) <= 1 for a in before for b in after)

    def _composed(self, before: Iterable[Arc], after: Iterable[Arc]) -> Iterator[Arc]:
        second = list(after)
        for a in before:
            for b in second:
                arc = self._sequence(a, b)
                if not arc.transition.guard.is_false:
                    yield arc

    def _sequence(self, a: Arc, b: Arc) -> Arc:
        rename = self._apart(a, b)
        moved = b.transition
        if rename is not None:
            updates = {x: rename(value) for x, value in moved.updates.items()}
            moved = Transition(self.arena, rename(moved.guard), updates)
        then = (rename, a.transition.after) if rename is not None else (a.transition.after,)
        uses = (*a.uses, *(use.then(*then) for use in b.uses))
        return Arc(a.source, b.target, a.transition.then(moved), a.steps + b.steps, uses, a.paths * b.paths)

    def _apart(self, a: Arc, b: Arc) -> Substitution | None:
        """The renaming of the inputs of `b` that `a` consumes too; None if there are none."""
        common = self._consumed(a) & self._consumed(b)
        if not common:
            return None
        copies: dict[Term, Term] = {}
        for s in sorted(common, key=lambda s: s.id):
            self._copies += 1
            copies[s] = self.arena.copy(s, f"{s.name}~{self._copies}")
            self._inputs[copies[s]] = self._inputs.get(s, s)
        return Substitution(self.arena, copies)

    def _consumed(self, arc: Arc) -> frozenset[Term]:
        symbols = arc.transition.reads
        for use in arc.uses:
            symbols = symbols.union(*(v.symbols() for v in self.used(use)))
        return frozenset(s for s in symbols if self.is_input(s))

    def used(self, use: SummaryUse) -> tuple[Term, ...]:
        """The terms to which a use applies the summary."""
        return tuple(map(use.value, self._relevant.get(self.view.exit(use.callee), ())))


def _paths(edges: tuple[Edge, ...]) -> int:
    """The number of paths through a block whose edges are in topological order."""
    if not edges:
        return 1
    count = {edges[0].source: 1}
    for edge in edges:
        count[edge.target] = count.get(edge.target, 0) + count.get(edge.source, 0)
    return count[edges[-1].target]


class SummarySymbols:
    """The symbols by which a summary speaks about the state when its function was entered."""

    def __init__(self, view: ModularView) -> None:
        self._view = view
        self._assigned = _assigned_parameters(view)

    def before(self, function: str, x: Term) -> Term:
        """The symbol that stands, in summary and invariants, for the value of `x` when `function` was entered."""
        changes = x in self._view.changed[function] or x in self._assigned or x.sort is not INT
        return self._view.snapshot(x) if changes and x in self._view.snapshots_of(function) else x

    def instance(self, step: Summary) -> tuple[Substitution, ...]:
        """The substitution from the symbols of the summary to terms over the state before a call."""
        given = {p: self._view.snapshot(p) for p in self.constant(step.callee)}
        return (Substitution(self._view.arena, given), step.instance)

    def constant(self, function: str) -> tuple[Term, ...]:
        """The parameters that keep the value that they were given."""
        return tuple(p for p in self._view.program.functions[function].parameters if self.before(function, p) is p)


def _assigned_parameters(view: ModularView) -> frozenset[Term]:
    program = view.program
    parameters = {p for f in program.functions.values() for p in f.parameters}
    operations = (edge.operation for edge in program.edges)
    return frozenset(x for op in operations if isinstance(op, Assign) for x, _ in op.updates if x in parameters)
