"""The covering index: the nodes at one location, from which it finds those that may cover a new state.

Only states that fix no value that a state does not fix alike cover it, or merge with it (`methods.domains.contract`:
`shape` and `key`). As long as the states at a location fix the values of few different sets of variables, each set has
a table. Where they are many (n flags, each of which is known or not, make 2^n sets), the states are the paths of one
tree, whose edges are values of variables in the order of shapes: a search in it follows only what agrees so far.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping
from dataclasses import field
from typing import Generic, Protocol, TypeVar

from core.dataclass import dataclass
from core.parameters import parameter
from core.terms import Term
from methods.domains.contract import Domain, Shape, StateKey

S = TypeVar("S")
P = TypeVar("P")

MANY = parameter("refinement.covering.many")


class Numbered(Protocol):
    """An entry of the index: only its number matters here."""

    @property
    def id(self) -> int: ...


N = TypeVar("N", bound=Numbered)


class CoveringIndex(Generic[N, S]):
    """An index of the nodes `N` at one location, in the order of creation."""

    def __init__(self, domain: Domain[S, P]) -> None:
        self._shape: Callable[[S], Shape] = domain.shape
        self._key: Callable[[S, Shape], StateKey] = domain.key
        self._nodes: dict[int, N] = {}
        self._tables: dict[Shape, dict[StateKey, list[N]]] = {}
        self._tree: _Tree[N] | None = None

    def __iter__(self) -> Iterator[N]:
        return iter(self._nodes.values())

    def near(self, state: S) -> list[N]:
        """The nodes that may cover `state`, or merge with it."""
        if len(self._tables) == 1:  # hardly ever more, so this is what costs
            [(shape, table)] = self._tables.items()
            return table.get(self._key(state, shape), [])
        if self._tree is not None:
            variables = tuple(self._tree.variables)
            return self._tree.near(dict(zip(variables, self._key(state, variables), strict=True)))
        found = (table.get(self._key(state, shape), ()) for shape, table in self._tables.items())
        return [node for nodes in found for node in nodes]

    def add(self, node: N, state: S) -> None:
        shape = self._shape(state)
        key = self._key(state, shape)
        self._nodes[node.id] = node
        self._tables.setdefault(shape, {}).setdefault(key, []).append(node)
        if self._tree is not None:
            self._tree.add(node, shape, key)
        elif len(self._tables) > MANY:
            self._tree = self._planted()

    def remove(self, node: N, state: S) -> None:
        """Remove a node that was added with a state of the same shape and key."""
        shape = self._shape(state)
        table = self._tables[shape]
        key = self._key(state, shape)
        del self._nodes[node.id]
        table[key].remove(node)
        if not table[key]:
            del table[key]
            if not table:
                del self._tables[shape]
        if self._tree is not None:
            self._tree.remove(node, shape, key)

    def _planted(self) -> _Tree[N]:
        tree: _Tree[N] = _Tree()
        for shape, table in self._tables.items():
            for key, nodes in table.items():
                for node in nodes:
                    tree.add(node, shape, key)
        return tree


@dataclass
class _Branch(Generic[N]):
    """A branch of the tree: the nodes whose shape ends here, and what the others fix next."""

    nodes: list[N] = field(default_factory=list)
    further: dict[Term, dict[Hashable, _Branch[N]]] = field(default_factory=dict)


class _Tree(Generic[N]):
    """A tree of nodes by the values that their states fix."""

    def __init__(self) -> None:
        self._root: _Branch[N] = _Branch()
        self.variables: dict[Term, None] = {}  # that any shape has ever had

    def near(self, values: Mapping[Term, Hashable]) -> list[N]:
        """The nodes that fix nothing but some of `values`."""
        nodes: list[N] = []
        stack = [self._root]
        while stack:
            branch = stack.pop()
            nodes += branch.nodes
            for x, branches in branch.further.items():
                agreeing = branches.get(values[x])
                if agreeing is not None:
                    stack.append(agreeing)
        return nodes

    def add(self, node: N, shape: Shape, key: StateKey) -> None:
        branch = self._root
        for x, value in zip(shape, key, strict=True):
            self.variables[x] = None
            branch = branch.further.setdefault(x, {}).setdefault(value, _Branch())
        branch.nodes.append(node)

    def remove(self, node: N, shape: Shape, key: StateKey) -> None:
        path = [self._root]
        for x, value in zip(shape, key, strict=True):
            path.append(path[-1].further[x][value])
        path[-1].nodes.remove(node)
        for x, value in zip(reversed(shape), reversed(key), strict=True):
            branch = path.pop()
            if branch.nodes or branch.further:
                break
            branches = path[-1].further[x]
            del branches[value]
            if not branches:
                del path[-1].further[x]
