"""The abstract states of an attempt: the fold of the events of nodes, with the lifetime of each.

Runs of nodes that come from a file packed are counted at once; they wait, with the events of nodes behind them, until
somebody asks for the nodes themselves. What is counted (births, deaths, places, edges) never waits.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import field
from typing import TYPE_CHECKING

from core.dataclass import dataclass
from runs.events import NodeAdded, NodeChanged, NodeCovered, NodesRemoved, Place

if TYPE_CHECKING:
    from runs.packed_nodes import PackedNodes

_NodeEvent = NodeAdded | NodeChanged | NodeCovered | NodesRemoved


@dataclass(slots=True)
class Lifetime:
    """A lifetime: event positions from `born` to before `died`; None: still alive."""

    born: int
    died: int | None = None

    def contains(self, position: int) -> bool:
        return self.born <= position and (self.died is None or position < self.died)


@dataclass(slots=True)
class NodeHistory:
    """The history of an abstract state. `states` holds (event position, formula) from birth on, with each change.

    `joined` holds (event position, parent) of what was merged into it later.
    """

    node: int
    parent: int
    place: Place
    edges: tuple[int, ...]
    alive: Lifetime
    states: list[tuple[int, int]]
    joined: list[tuple[int, int]] = field(default_factory=list)

    def formula_at(self, position: int) -> int:
        """The number of the formula that holds at an event position at which the node is alive."""
        if len(self.states) == 1:  # as for most; views ask tens of thousands of nodes while a user scrubs
            return self.states[0][1]
        return next(formula for since, formula in reversed(self.states) if since <= position)


@dataclass
class Cover:
    """A covering of a state by a node, with its lifetime."""

    event: NodeCovered
    alive: Lifetime


@dataclass
class AbstractStates:
    """The nodes of an attempt, the living and the dead, and what is known without looking at each of them.

    `births` and `deaths` are the positions at which nodes began and ended, in order; `places` where there has been a
    node, in the order of the first, and `edges` what led to them. `follows_edges`: nodes are reached over edges, so
    that these tell which lines are never reached.
    """

    births: list[int] = field(default_factory=list)
    deaths: list[int] = field(default_factory=list)
    places: dict[Place, None] = field(default_factory=dict)
    edges: set[int] = field(default_factory=set)
    follows_edges: bool = False
    _living: set[int] = field(default_factory=set)
    _nodes: dict[int, NodeHistory] = field(default_factory=dict)
    _removed: list[NodeHistory] = field(default_factory=list)
    _covers: list[Cover] = field(default_factory=list)
    _covers_of: dict[int, list[Cover]] = field(default_factory=dict)  # by the nodes that they start and end in
    _waiting: list[tuple[int, _NodeEvent | PackedNodes]] = field(default_factory=list)  # with positions

    @property
    def nodes(self) -> dict[int, NodeHistory]:
        """The last node of each number."""
        self._unfold()
        return self._nodes

    @property
    def removed(self) -> list[NodeHistory]:
        """The nodes whose number was given again."""
        self._unfold()
        return self._removed

    @property
    def covers(self) -> list[Cover]:
        self._unfold()
        return self._covers

    def add(self, event: _NodeEvent, now: int) -> None:
        """Fold in an event at position `now`."""
        match event:
            case NodeAdded():
                self.births.append(now)
                self._living.add(event.node)
                self._reach(event.place, event.edges)
            case NodeCovered():
                self.edges.update(event.edges)
            case NodesRemoved(nodes):
                dying = self._living.intersection(nodes)
                self._living -= dying
                self.deaths.extend([now] * len(dying))
            case _:
                pass
        if self._waiting:
            self._waiting.append((now, event))
        else:
            self._fold(event, now)

    def add_packed(self, nodes: PackedNodes, now: int) -> None:
        """Fold in nodes, the first of which began at position `now`."""
        self.births.extend(range(now, now + len(nodes)))
        self._living.update(nodes.numbers)
        for place, edges in nodes.places():
            self._reach(place, edges)
        self._waiting.append((now, nodes))

    def _reach(self, place: Place, edges: tuple[int, ...]) -> None:
        self.places[place] = None
        if edges:
            self.edges.update(edges)
            self.follows_edges = True

    def _unfold(self) -> None:
        waiting, self._waiting = self._waiting, []
        for now, event in waiting:
            if isinstance(event, _NodeEvent):
                self._fold(event, now)
            else:
                for later, node in enumerate(event.events()):
                    self._add_node(node, now + later)

    def _fold(self, event: _NodeEvent, now: int) -> None:
        match event:
            case NodeAdded():  # as most are
                self._add_node(event, now)
            case NodeChanged(node, parent, _, formula):
                if node in self._nodes:
                    self._nodes[node].states.append((now, formula))
                    self._nodes[node].joined.append((now, parent))
            case NodeCovered(parent, by=by):
                cover = Cover(event, Lifetime(now))
                self._covers.append(cover)
                self._covers_of.setdefault(by, []).append(cover)
                self._covers_of.setdefault(parent, []).append(cover)
            case NodesRemoved(nodes):
                self._remove(frozenset(nodes), now)

    def _add_node(self, event: NodeAdded, now: int) -> None:
        node = event.node
        if node in self._nodes:
            self._removed.append(self._nodes[node])
        alive, states = Lifetime(now), [(now, event.formula)]
        self._nodes[node] = NodeHistory(node, event.parent, event.place, event.edges, alive, states)

    def _remove(self, nodes: Iterable[int], now: int) -> None:
        """End nodes, and with them every cover that starts or ends in one."""
        for number in nodes:
            node = self._nodes.get(number)
            if node is not None and node.alive.died is None:
                node.alive.died = now
            for cover in self._covers_of.pop(number, ()):
                if cover.alive.died is None:
                    cover.alive.died = now
