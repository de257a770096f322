"""The order that C gives two evaluations in one full expression (C11 6.5, 6.5.2.2p10).

Operands come before what is done with them, and both parts of `,`, `&&`, `||` and `?:` as they stand. Anything else has
no order: a call is then evaluated before or after the other one as a whole (indeterminately sequenced), and so are the
values of an initialiser; two accesses of which one is a store are undefined if they meet (unsequenced).
"""

from __future__ import annotations

from collections.abc import Iterator
from enum import Enum
from itertools import pairwise
from typing import cast

from core.dataclass import dataclass
from frontend.typed import tree
from frontend.typed.qualifiers import is_volatile
from frontend.typed.traversal import children, nodes

STORES = (tree.Assign, tree.CompoundAssign, tree.Increment)
WHOLE = (tree.Call, tree.StatementExpression)
"""Evaluations that no other one interrupts."""
EVALUATIONS = (tree.Load, tree.NextArgument, *STORES, *WHOLE, tree.Binary, tree.Unary)
"""Evaluations that may conflict: operators only with what ends the program, where they are checked to have a value."""
_IN_TURN = (tree.Logical, tree.Conditional, tree.Comma)

Root = tree.Expression | tree.Initialiser
"""A full expression, or the values with which an object begins."""


def is_volatile_read(node: tree.Node) -> bool:
    """Whether the node reads a volatile object, which is a side effect (C11 5.1.2.3p2)."""
    return isinstance(node, tree.Load) and is_volatile(node.lvalue.type)


def is_part(node: tree.Node) -> bool:
    """Whether the node is a part of a full expression, or one."""
    return isinstance(node, tree.Expression | tree.Lvalue | tree.Initialiser)


def full_expressions(body: tree.Compound) -> Iterator[Root]:
    """The full expressions of a function, also those in statement expressions."""
    for node in nodes(body):
        if (not is_part(node) or isinstance(node, tree.StatementExpression)) and not isinstance(node, tree.Claim):
            yield from (cast(Root, one) for one in children(node) if is_part(one))


def last_of(root: Root) -> tree.Node:
    """The evaluation that comes after all others of a full expression."""
    node: tree.Node = root
    while isinstance(node, tree.Convert):
        node = node.operand
    return node


class Sequencing(Enum):
    """The order that C gives two evaluations."""

    ORDERED = "ordered"
    """One comes first, or only one of them happens."""
    INDETERMINATE = "indeterminate"
    """One comes first, but C does not say which."""
    UNSEQUENCED = "unsequenced"
    """They may overlap."""


@dataclass(frozen=True, slots=True, eq=False)
class _Place:
    """A node of a full expression, the node above it, and its position among the children of that."""

    node: tree.Node
    above: _Place | None
    position: int
    depth: int


class EvaluationOrder:
    """The order of the nodes of one full expression; what is in a statement expression counts as one evaluation."""

    def __init__(self, root: Root) -> None:
        self._places: dict[int, _Place] = {}  # by identity of the node
        waiting = [_Place(root, None, 0, 0)]
        while waiting:
            place = waiting.pop()
            self._places[id(place.node)] = place
            if not isinstance(place.node, tree.StatementExpression):
                below = [_Place(one, place, i, place.depth + 1) for i, one in enumerate(children(place.node))]
                waiting += reversed(below)

    def nodes(self) -> Iterator[tree.Node]:
        """The nodes in the order of the text, each before those below it."""
        return (place.node for place in self._places.values())

    def above(self, identities: frozenset[int]) -> frozenset[int]:
        """The identities of these nodes, and of all above them."""
        found: set[int] = set()
        for one in identities:
            place: _Place | None = self._places[one]
            while place is not None and id(place.node) not in found:
                found.add(id(place.node))
                place = place.above
        return frozenset(found)

    def between(self, node: tree.Node, other: tree.Node) -> Sequencing:
        """The order of two nodes that access objects."""
        left, right = self._places[id(node)], self._places[id(other)]
        below_left, below_right = [left], [right]
        while left is not right:
            if left.depth >= right.depth:
                assert left.above is not None
                below_left.append(left.above)
            if right.depth >= left.depth:
                assert right.above is not None
                below_right.append(right.above)
            left, right = below_left[-1], below_right[-1]
        if left.node is node or left.node is other:
            return _above(left.node, below_left if left.node is other else below_right)
        if isinstance(left.node, _IN_TURN):
            return Sequencing.ORDERED
        if isinstance(left.node, tree.Initialiser) or isinstance(node, WHOLE) or isinstance(other, WHOLE):
            return Sequencing.INDETERMINATE
        return Sequencing.UNSEQUENCED

    def are_unsequenced(self, first: tree.Node, other: tree.Node) -> bool:
        """Whether two accesses, of which one must be a side effect, are undefined if they are to one object."""
        has_effect = any(isinstance(node, STORES) or is_volatile_read(node) for node in (first, other))
        return has_effect and self.between(first, other) is Sequencing.UNSEQUENCED


def _above(node: tree.Node, path: list[_Place]) -> Sequencing:
    """The order of a node and one below it, from which `path` leads up: only stores there may come later."""
    inner = path[0].node
    if isinstance(node, WHOLE) or not isinstance(inner, STORES):
        return Sequencing.ORDERED
    for place, above in pairwise(path[:-1]):
        if isinstance(above.node, WHOLE) or (isinstance(above.node, _IN_TURN) and place.position == 0):
            return Sequencing.ORDERED
    return Sequencing.ORDERED if _is_chain(node, inner) else Sequencing.UNSEQUENCED


def _is_chain(node: tree.Node, last: tree.Node) -> bool:
    """Whether the stores are those of `a = b = c` with one type: they are of two objects, or of one value."""
    while isinstance(node, tree.Assign) and node is not last:
        inner: tree.Node = node.value
        while isinstance(inner, tree.Convert):
            inner = inner.operand
        if not isinstance(inner, tree.Assign) or inner.target.type != node.target.type:
            return False
        node = inner
    return node is last
