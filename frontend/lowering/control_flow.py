"""The control-flow graph of a program while it is built, and its last simplification.

An edge that assumes *true* has no effect; they arise where branches join and at jumps. `GraphBuilder.simplified` drops
what cannot be reached from a function's entry and the edges without effect whose ends can be one location.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import field

from core.analysis.classes import Classes
from core.dataclass import dataclass
from core.program import Assign, Assume, Call, Edge, Location, Operation
from core.program.loops import loop_nesting
from core.program.source import plain_words
from core.program.span import Span
from core.terms import Arena, Substitution, Term


@dataclass(slots=True)
class _Node:
    function: str
    span: Span | None
    loop: bool = False
    kept: bool = False  # an entry, an exit or an error location


@dataclass(slots=True)
class _Arc:
    source: int
    target: int
    operation: Operation
    span: Span | None
    text: str


@dataclass(frozen=True, slots=True)
class FinishedGraph:
    """The finished locations and edges; `position` maps the numbers of the builder to ids, where edges lead there."""

    locations: tuple[Location, ...]
    edges: tuple[Edge, ...]
    position: dict[int, int]


@dataclass(slots=True)
class GraphBuilder:
    """Builder of locations and edges; locations are numbers."""

    true: Term
    _nodes: list[_Node] = field(default_factory=list)
    _arcs: list[_Arc] = field(default_factory=list)

    def location(self, function: str, span: Span | None = None) -> int:
        self._nodes.append(_Node(function, span))
        return len(self._nodes) - 1

    def keep(self, location: int) -> None:
        """Never merge the location with another, nor drop it."""
        self._nodes[location].kept = True

    def loop_head(self, location: int, span: Span) -> None:
        node = self._nodes[location]
        node.loop, node.span = True, span

    def edge(self, source: int, target: int, operation: Operation, span: Span | None, text: str) -> None:
        if self._nodes[source].span is None:
            self._nodes[source].span = span
        self._arcs.append(_Arc(source, target, operation, span, text))

    def skip(self, source: int, target: int, span: Span | None = None, text: str = "") -> None:
        """An edge without effect."""
        self.edge(source, target, Assume(self.true), span, text)

    def also_assign(
        self, variables: Collection[Term], update: Callable[[Term, Span | None], tuple[Term, Term]]
    ) -> None:
        """Assign something else wherever one of `variables` is assigned, at the same time."""
        for arc in self._arcs if variables else ():
            if isinstance(arc.operation, Assign):
                new = tuple(update(x, arc.span) for x, _ in arc.operation.updates if x in variables)
                arc.operation = Assign((*arc.operation.updates, *new)) if new else arc.operation

    def before(self, entry: int, operation: Operation, span: Span) -> int:
        """A new entry, from which an operation leads to the one that a function had."""
        source = self.location(self._nodes[entry].function)
        self.keep(source)
        self.edge(source, entry, operation, span, "")
        return source

    def drop_copies(self, arena: Arena, copies: Mapping[Term, Term]) -> tuple[Term, ...]:
        """Read the variable itself in place of a copy of its first value, where no other value is ever assigned to it.

        Returns the copies that nothing mentions any more.
        """
        assigns = [arc.operation for arc in self._arcs if isinstance(arc.operation, Assign)]
        times = Counter(x for one in assigns for x, _ in one.updates)
        equal = {copy: variable for variable, copy in copies.items() if times[variable] == 1}
        put = Substitution(arena, equal)
        for arc in self._arcs if equal else ():
            if isinstance(arc.operation, Assume):
                arc.operation = Assume(put(arc.operation.condition))
            elif isinstance(arc.operation, Assign):
                updates = tuple((x, put(value)) for x, value in arc.operation.updates if x not in equal)
                arc.operation = Assign(updates)
        return tuple(equal)

    def simplified(self) -> FinishedGraph:
        reachable = self._reachable()
        arcs = [arc for arc in self._arcs if arc.source in reachable and not self._is_false(arc)]
        self._unmark_heads(arcs)
        merged = Classes[int]()
        arcs = self._without_skips(arcs, merged)
        used = {n for n, node in enumerate(self._nodes) if node.kept}
        used.update(end for arc in arcs for end in (arc.source, arc.target))
        position = {old: new for new, old in enumerate(sorted(used))}
        locations = tuple(
            Location(position[n], self._nodes[n].function, self._nodes[n].span, self._nodes[n].loop) for n in position
        )
        edges = tuple(
            Edge(i, position[arc.source], position[arc.target], arc.operation, arc.span, plain_words(arc.text))
            for i, arc in enumerate(arcs)
        )
        places = {n: position[at] for n in reachable if (at := merged.find(n)) in position}
        return FinishedGraph(locations, edges, {**places, **position})

    def _unmark_heads(self, arcs: Sequence[_Arc]) -> None:
        """Unmark what is no head of a loop, such as that of `do … while (0)`, also within other loops."""
        outgoing: dict[int, list[int]] = {}
        for arc in arcs:
            outgoing.setdefault(arc.source, []).append(arc.target)
        roots = [n for n, node in enumerate(self._nodes) if node.kept]
        nesting = loop_nesting(-1, lambda n: roots if n < 0 else outgoing.get(n, ()))
        for n, node in enumerate(self._nodes):
            node.loop = node.loop and n in nesting.get(n, ())

    def _is_false(self, arc: _Arc) -> bool:
        return isinstance(arc.operation, Assume) and arc.operation.condition.is_false

    def _reachable(self) -> set[int]:
        outgoing: dict[int, list[int]] = {}
        for arc in self._arcs:
            if not self._is_false(arc):
                outgoing.setdefault(arc.source, []).append(arc.target)
        found = {n for n, node in enumerate(self._nodes) if node.kept}
        stack = sorted(found)
        while stack:
            for target in outgoing.get(stack.pop(), ()):
                if target not in found:
                    found.add(target)
                    stack.append(target)
        return found

    def _without_skips(self, arcs: list[_Arc], merged: Classes[int]) -> list[_Arc]:
        """Merge the ends of an edge without effect where it is the only way out of its source or into its target.

        `merged` gets what each location becomes.
        """
        out, into = _Degrees(), _Degrees()
        for arc in arcs:
            out.add(arc.source)
            into.add(arc.target)
        rest: list[_Arc] = []
        for arc in arcs:
            source, target = merged.find(arc.source), merged.find(arc.target)
            if not self._is_skip(arc) or source == target:
                rest.append(arc)
            elif out[source] == 1 and not self._marked(source):
                merged.join(source, target)
                into.move(source, target, less=1)
            elif into[target] == 1 and not self._marked(target):
                merged.join(target, source)
                out.move(target, source, less=1)
            else:
                rest.append(arc)
        for arc in rest:
            arc.source, arc.target = merged.find(arc.source), merged.find(arc.target)
        return rest

    def _marked(self, location: int) -> bool:
        return self._nodes[location].kept or self._nodes[location].loop

    def _is_skip(self, arc: _Arc) -> bool:
        return isinstance(arc.operation, Assume) and arc.operation.condition.is_true and not arc.text


def symbols_of(operation: Operation) -> frozenset[Term]:
    """The variables and inputs that an operation reads."""
    match operation:
        case Assume(condition):
            return condition.symbols()
        case Assign(updates):
            return frozenset[Term]().union(*(value.symbols() for _, value in updates))
        case Call(_, arguments):
            return frozenset[Term]().union(*(one.symbols() for one in arguments))


class _Degrees(dict[int, int]):
    """The number of edges that leave, or enter, each location."""

    def __missing__(self, key: int) -> int:
        return 0

    def add(self, location: int) -> None:
        self[location] = self[location] + 1

    def move(self, source: int, target: int, less: int) -> None:
        """Both become one location; `less` edges between them are gone."""
        self[target] = self[target] + self[source] - less
