"""The reachability graph: abstract states at locations, how each was reached, and the paths between them.

Lazy abstraction (Henzinger et al., POPL 2002): what a refinement does not touch stays explored; only what depends on a
refuted path from its pivot on is explored again.

Deviation: where a domain merges, a node keeps the order in which states arrived (its onion rings), and the abstract
path is found backwards through them, so merging loses no paths (Jhala and McMillan, section 6).
"""

from __future__ import annotations

import heapq
from collections.abc import Container
from dataclasses import field
from typing import Generic, TypeVar

from core.dataclass import dataclass
from core.limits import NoProgress
from core.parameters import parameter
from core.program.expansion import At, Expansion, Step
from core.program.exploration_order import ExplorationOrder, ExplorationStrategy, OrderPosition
from core.terms import Term
from methods.domains.contract import Domain
from methods.engine import Context
from methods.refinement.covering import CoveringIndex
from runs.events import Counter, Level, NodeAdded, NodeChanged, NodeCovered, NodesRemoved, Truncated

S = TypeVar("S")
P = TypeVar("P")

FORMULA_TERMS = parameter("refinement.reachability-graph.formula-terms")
NODE_EVENTS = parameter("refinement.reachability-graph.node-events")
NO_CHECK = -1


@dataclass(frozen=True, eq=False)
class Arrival(Generic[S]):
    """An arrival of `state` at a node, as number `sequence`, by `step` from `parent`, whose state was then `before`.

    `merged` is the state of the node since this arrival. The root's only arrival has no parent.
    """

    sequence: int
    parent: GraphNode[S] | None
    before: S | None
    step: Step | None
    state: S
    merged: S


@dataclass(eq=False)
class GraphNode(Generic[S]):
    """A node: the state of a location, or one of several there where the domain keeps states apart."""

    id: int
    at: At
    arrivals: list[Arrival[S]] = field(default_factory=list)
    expanded: int = -1  # the last arrival that has been expanded
    finished: int = -1  # the graph's sequence number when that expansion ended

    @property
    def state(self) -> S:
        return self.arrivals[-1].merged

    @property
    def pending(self) -> bool:
        return self.expanded < self.arrivals[-1].sequence


@dataclass(frozen=True)
class AbstractPath(Generic[S]):
    """A path from the start to an error location: its arrivals without the root's, and so its steps.

    `check` is `NO_CHECK` where it leads elsewhere.
    """

    arrivals: tuple[Arrival[S], ...]
    steps: tuple[Step, ...]
    check: int


@dataclass(frozen=True)
class Stale:
    """An arrival, by its sequence number, that was computed under a smaller precision and is impossible by now."""

    sequence: int


class ReachabilityGraph(Generic[S, P]):
    """The abstract states reached so far: the one mutable structure of a run."""

    def __init__(
        self,
        expansion: Expansion,
        domain: Domain[S, P],
        precision: P,
        context: Context,
        order: ExplorationStrategy = ExplorationStrategy.STABLE_FIRST,
    ) -> None:
        self._expansion = expansion
        self._domain = domain
        self._precision = precision
        self._context = context
        self._events = _NodeEvents(context)
        self._order = order
        self._ranks = ExplorationOrder(expansion.program)
        self._nodes: dict[At, CoveringIndex[GraphNode[S], S]] = {}
        self._aside: set[tuple[int, Step]] = set()  # steps to errors, from these nodes, that are not offered again
        self._waiting: list[tuple[OrderPosition, int, GraphNode[S]]] = []
        self._sequence = 0
        self._formula_terms = 0
        self._created = 0
        self._place_root()

    def _place_root(self) -> None:
        start = self._expansion.start
        state = self._domain.initial(start, self._precision)
        root = self._new_node(start, Arrival(self._sequence, None, None, None, state, state))
        self._events.added(root, self._formula(state))

    def check(self, node: GraphNode[S]) -> int | None:
        """The check that fails at `node`, if that is an error location."""
        check = self._expansion.check(node.at)
        return None if check is None else check.id

    # Exploration

    def explore(self, targets: Container[int], most: int | None = None) -> GraphNode[S] | None:
        """Expand until a node at the error location of a check in `targets` is reached, or nothing is left.

        With `most`, that many nodes at most: then the last of them is returned.
        """
        expanded = 0
        while self._waiting:
            self._context.limits.check()
            node = heapq.heappop(self._waiting)[2]
            if not node.arrivals or not node.pending:
                continue
            reached = self._expand(node, targets)
            if reached is not None:
                self._wait(node)
                return reached
            expanded += 1
            if most is not None and expanded >= most and self.check(node) is None:
                return node
        return None

    def _expand(self, node: GraphNode[S], targets: Container[int]) -> GraphNode[S] | None:
        state, upto = node.state, node.arrivals[-1].sequence
        for step in self._expansion.steps(node.at):
            check = self._expansion.check(step.target)
            for successor in self._domain.successors(state, step, self._precision):
                reached = self._reach(node, state, step, successor)
                if reached is not None and check is not None and check.id in targets:
                    return reached
        node.expanded, node.finished = upto, self._sequence
        return None

    def _reach(self, parent: GraphNode[S], before: S, step: Step, state: S) -> GraphNode[S] | None:
        """Record that `state` arrives at the target of `step`; None if it is covered there."""
        index = self._nodes.get(step.target)
        near = [] if index is None else index.near(state)
        if near and self._domain.covered(state, [node.state for node in near]):
            self._events.covered(parent, step, near[-1])
            return None
        if (parent.id, step) in self._aside:
            return None
        for node in near:
            merged = self._domain.merge(state, node.state)
            if merged is not None:
                self._arrive(node, Arrival(self._sequence, parent, before, step, state, merged))
                self._events.changed(node, self._formula(merged))
                return node
        node = self._new_node(step.target, Arrival(self._sequence, parent, before, step, state, state))
        self._events.added(node, self._formula(state))
        return node

    def _new_node(self, at: At, first: Arrival[S]) -> GraphNode[S]:
        node: GraphNode[S] = GraphNode(self._created, at)
        self._created += 1
        index = self._nodes.get(at)
        if index is None:
            index = self._nodes[at] = CoveringIndex(self._domain)
        index.add(node, first.state)
        self._arrive(node, first)
        return node

    def _arrive(self, node: GraphNode[S], arrival: Arrival[S]) -> None:
        node.arrivals.append(arrival)
        self._sequence += 1
        self._wait(node)

    def _wait(self, node: GraphNode[S]) -> None:
        heapq.heappush(self._waiting, (self._position(node), node.id, node))

    def _position(self, node: GraphNode[S]) -> OrderPosition:
        match self._order:
            case ExplorationStrategy.STABLE_FIRST:
                return self._ranks.position(node.at)
            case ExplorationStrategy.NEWEST_FIRST:
                return (self._ranks.depth(node.at), -node.id)

    def _formula(self, state: S) -> int:
        """The number of a state's formula, as long as the formulas of states have not grown too many terms."""
        if not self._events.wanted or self._formula_terms > FORMULA_TERMS:
            return -1
        before = len(self._expansion.arena)
        formula = self._domain.formula(state)
        self._formula_terms += len(self._expansion.arena) - before
        if self._formula_terms > FORMULA_TERMS:
            self._context.emit(Truncated("formulas of states", FORMULA_TERMS))
            return -1
        return self._context.term(formula)

    # Paths

    def path_to(self, node: GraphNode[S], check: int) -> AbstractPath[S] | Stale:
        """An abstract path to the latest arrival at `node`, found backwards through the onion rings.

        Every step of the path is possible under the present precision; an arrival that no longer is, is stale.
        """
        arrivals: list[Arrival[S]] = []
        arrival = node.arrivals[-1]
        goal = arrival.state
        while arrival.parent is not None and arrival.before is not None and arrival.step is not None:
            arrivals.append(arrival)
            part = self._domain.backward(arrival.before, arrival.step, goal, self._precision)
            if part is None:
                return Stale(arrival.sequence)
            arrival, goal = self._ring(arrival.parent, part, arrival.sequence)
        arrivals.reverse()
        if arrivals and self._domain.meet(self._domain.initial(self._expansion.start, self._precision), goal) is None:
            return Stale(arrivals[0].sequence)
        return AbstractPath(tuple(arrivals), tuple(a.step for a in arrivals if a.step is not None), check)

    def _ring(self, node: GraphNode[S], goal: S, before: int) -> tuple[Arrival[S], S]:
        """The first arrival at `node`, earlier than `before`, that shares states with `goal`."""
        for arrival in node.arrivals:
            if arrival.sequence >= before:
                break
            common = self._domain.meet(arrival.state, goal)
            if common is not None:
                return arrival, common
        raise NoProgress("an abstract predecessor never arrived")

    # Refinement

    def prune(self, sequence: int) -> None:
        """Discard every arrival numbered `sequence` or later, and expand again what was expanded since."""
        removed: list[int] = []
        restored: list[GraphNode[S]] = []
        self._waiting = []
        for index in self._nodes.values():
            for node in list(index):
                before, state = len(node.arrivals), node.state
                while node.arrivals and node.arrivals[-1].sequence >= sequence:
                    node.arrivals.pop()
                if not node.arrivals:
                    index.remove(node, state)
                    removed.append(node.id)
                    continue
                if len(node.arrivals) < before:
                    restored.append(node)
                if node.finished > sequence:
                    node.expanded = -1
                if node.pending:
                    self._wait(node)
        self._events.removed(tuple(removed))
        for node in restored:
            self._events.restored(node, self._formula(node.state))

    def start_again(self, order: ExplorationStrategy | None = None) -> None:
        """Discard all but the start; explore in another order from now on, if one is given."""
        self._order = order or self._order
        self.prune(1)

    def set_aside(self, path: AbstractPath[S]) -> None:
        """Discard the end of a path, and do not arrive there again by the same step from the same node."""
        last = path.arrivals[-1]
        assert last.parent is not None
        assert last.step is not None
        self._aside.add((last.parent.id, last.step))
        for node in list(self._nodes[last.step.target]):
            if node.arrivals[-1] is last:
                node.arrivals.pop()
                self._nodes[last.step.target].remove(node, last.merged)
                self._events.removed((node.id,))

    def states(self) -> dict[At, list[S]]:
        """The abstract states at each location; unreached locations are missing."""
        reached = {at: [node.state for node in index] for at, index in self._nodes.items()}
        return {at: states for at, states in reached.items() if states}

    def invariants(self) -> dict[At, Term]:
        """The reachable states at each location, as a formula; unreached locations are missing."""
        or_ = self._expansion.arena.or_
        return {at: or_(*map(self._domain.formula, states)) for at, states in self.states().items()}


class _NodeEvents:
    """The emitter of node events, up to a cap; counts go on."""

    def __init__(self, context: Context) -> None:
        self._context = context
        self._left = NODE_EVENTS if context.wants(Level.STATES) else 0
        self._counts = {"states": 0, "covered": 0, "pruned": 0}

    @property
    def wanted(self) -> bool:
        return self._left > 0

    def added(self, node: GraphNode[S], formula: int) -> None:
        self._count("states")
        if self._take():
            parent, edges = _origin(node.arrivals[-1])
            self._context.emit(NodeAdded(node.id, parent, (node.at.stack, node.at.location), edges, formula))

    def changed(self, node: GraphNode[S], formula: int) -> None:
        self._count("states")
        if self._take():
            self._context.emit(NodeChanged(node.id, *_origin(node.arrivals[-1]), formula))

    def covered(self, parent: GraphNode[S], step: Step, by: GraphNode[S]) -> None:
        self._count("covered")
        if self._take():
            place = (step.target.stack, step.target.location)
            self._context.emit(NodeCovered(parent.id, tuple(edge.id for edge in step.edges), place, by.id))

    def restored(self, node: GraphNode[S], formula: int) -> None:
        """Report that a node has an earlier state again."""
        if self._take():
            self._context.emit(NodeChanged(node.id, *_origin(node.arrivals[-1]), formula))

    def removed(self, nodes: tuple[int, ...]) -> None:
        self._counts["pruned"] += len(nodes)
        if nodes and self._take():
            self._context.emit(NodesRemoved(nodes))

    def _take(self) -> bool:
        if self._left == 0:
            return False
        self._left -= 1
        if self._left == 0:
            self._context.emit(Truncated("nodes", NODE_EVENTS))
        return self._left > 0

    def _count(self, name: str) -> None:
        self._counts[name] += 1
        if self._counts[name] % 256 == 0:
            self._context.emit(Counter(name, self._counts[name]))


def _origin(arrival: Arrival[S]) -> tuple[int, tuple[int, ...]]:
    if arrival.parent is None or arrival.step is None:
        return -1, ()
    return arrival.parent.id, tuple(edge.id for edge in arrival.step.edges)
