"""Iterative walks over the typed tree."""

from __future__ import annotations

from collections.abc import Mapping

from core.dataclass import dataclass
from frontend.typed import tree
from frontend.typed.ctype import Void
from frontend.typed.lvalues import root
from frontend.typed.traversal import children, nodes, unit_nodes

# Bounds the text and the nesting of one generated expression; Python takes 200 nested parentheses.
_SMALL = 30

_EFFECTS = (
    tree.Assign,
    tree.CompoundAssign,
    tree.Increment,
    tree.Call,
    tree.StatementExpression,
    tree.Comma,  # its left operand becomes a line
    tree.CompoundLiteral,
    tree.Temporary,
    tree.UnsupportedExpression,
)


def addressed(unit: tree.TranslationUnit) -> frozenset[str]:
    """The names of the objects whose address the program takes as a whole, and of compound literals."""
    found: set[str] = set()
    for node in unit_nodes(unit):
        if isinstance(node, tree.AddressOf) and isinstance(node.lvalue, tree.Variable):
            found.add(node.lvalue.object.name)
        elif isinstance(node, tree.CompoundLiteral):
            found.add(node.object.name)
    return frozenset(found)


def exposed(unit: tree.TranslationUnit) -> frozenset[str]:
    """The names of the objects to which, or to a part of which, the program takes a pointer."""
    bases = (root(node.lvalue) for node in unit_nodes(unit) if isinstance(node, tree.AddressOf | tree.Decay))
    return frozenset(one.object.name for one in bases if isinstance(one, tree.Variable))


def _drops(node: tree.Node) -> bool:
    return isinstance(node, tree.Convert) and isinstance(node.type, Void)


@dataclass(frozen=True, slots=True)
class ExpressionSizes:
    """The sizes of expressions. Those without effects that are not large become one Python expression."""

    _sizes: Mapping[int, int]

    @staticmethod
    def of(root: tree.Node) -> ExpressionSizes:
        sizes: dict[int, int] = {}
        for node in reversed(list(nodes(root))):
            effect = _SMALL + 1 if isinstance(node, _EFFECTS) or _drops(node) else 0
            sizes[id(node)] = min(_SMALL + 1, 1 + effect + sum(sizes[id(child)] for child in children(node)))
        return ExpressionSizes(sizes)

    def small(self, node: tree.Node) -> bool:
        return self._sizes[id(node)] <= _SMALL
