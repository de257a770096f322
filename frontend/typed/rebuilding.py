"""New trees from old ones: a node whose parts have changed."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any, TypeVar, cast

from frontend.typed import tree
from frontend.typed.traversal import parts_of

PartChange = Callable[[tree.Node], tree.Node]
N = TypeVar("N", bound=tree.Node)


def with_parts(node: N, change: PartChange) -> N:
    """The node with each part directly below it changed; the same one where no part has become another."""
    changed: dict[str, Any] = {}
    for name in parts_of(node):
        value: object = getattr(node, name)
        new = _part(value, change)
        if new is not value:
            changed[name] = new
    return replace(node, **changed) if changed else node


def _part(value: object, change: PartChange) -> object:
    if isinstance(value, tree.Node):
        return change(value)
    if isinstance(value, tree.InitialiserEntry):
        new = change(value.value)
        return value if new is value.value else replace(value, value=cast(tree.Expression, new))
    if isinstance(value, tuple) and any(isinstance(one, tree.Node | tree.InitialiserEntry) for one in value):
        parts = tuple(_part(one, change) for one in value)
        return value if all(a is b for a, b in zip(parts, value, strict=True)) else parts
    return value
