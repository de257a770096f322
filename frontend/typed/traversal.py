"""Traversals of the typed tree. None recurses, since users choose how deep a program is nested."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import fields, replace

from frontend.typed import tree

_WITHOUT_NODES = frozenset(
    (
        *("Span", "CType", "Object", "Field", "BinaryOperator", "LogicalOperator", "UnaryOperator", "Position"),
        *("ClaimKind", "int", "str", "bool", "tuple[int, ...]"),
    )
)
"""Declared types of fields that hold no node."""
_parts: dict[type[tree.Node], tuple[str, ...]] = {}


def parts_of(node: tree.Node) -> tuple[str, ...]:
    """The fields of a node that may hold nodes: the same for all nodes of its kind."""
    kind = node.__class__
    found = _parts.get(kind)
    if found is None:
        found = _parts[kind] = tuple(one.name for one in fields(kind) if one.type not in _WITHOUT_NODES)
    return found


def children(node: tree.Node) -> list[tree.Node]:
    """The nodes directly below, in the order of the text."""
    nodes: list[tree.Node] = []
    for name in parts_of(node):
        value: object = getattr(node, name)
        if isinstance(value, tree.Node):
            nodes.append(value)
        elif isinstance(value, tuple):
            for one in value:
                if isinstance(one, tree.Node):
                    nodes.append(one)
                elif isinstance(one, tree.InitialiserEntry):
                    nodes.append(one.value)
    return nodes


def nodes(*roots: tree.Node) -> Iterator[tree.Node]:
    """Every node of the trees, parents before children, in the order of the text."""
    stack = list(reversed(roots))
    while stack:
        node = stack.pop()
        yield node
        if parts_of(node):
            stack.extend(reversed(children(node)))


def unit_roots(unit: tree.TranslationUnit) -> list[tree.Node]:
    """The declarations of globals, then the bodies of functions."""
    bodies = (function.body for function in unit.functions.values())
    return [*unit.globals, *(body for body in bodies if body is not None)]


def unit_nodes(unit: tree.TranslationUnit) -> Iterator[tree.Node]:
    """Every node of the unit: initialisers of globals first, then the bodies of functions."""
    yield from nodes(*unit_roots(unit))


def used(unit: tree.TranslationUnit, root: str, kept: Callable[[str], bool]) -> tree.TranslationUnit:
    """The unit without the functions that it defines and that nothing names: no initialiser, not `root`, and no other
    function that is named or `kept`.
    """
    pending = [name for name, one in unit.functions.items() if name == root or one.body is None or kept(name)]
    names = dict.fromkeys(pending)
    below: list[tree.Node] = list(unit.globals)
    while below or pending:
        for node in nodes(*below):
            if isinstance(node, tree.FunctionAddress) and node.function not in names:
                names[node.function] = None
                pending.append(node.function)
        below = [body for name in pending if (body := unit.functions[name].body) is not None]
        pending = []
    return replace(unit, functions={name: one for name, one in unit.functions.items() if name in names})


def callee(call: tree.Call) -> str | None:
    """The function that a call names; None for a call through a pointer."""
    return call.function.function if isinstance(call.function, tree.FunctionAddress) else None


def has_effects(*roots: tree.Node) -> bool:
    """Whether the evaluation of the trees may change anything."""
    kinds = (
        *(tree.Assign, tree.CompoundAssign, tree.Increment, tree.Call),
        *(tree.StatementExpression, tree.NextArgument),
    )
    return any(isinstance(node, kinds) for node in nodes(*roots))
