"""Which automatic objects a jump may bring into scope without passing their declaration."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from frontend import tree
from frontend.lowering.walk import children

Scope = tuple[tree.Object, ...]


@dataclass(frozen=True, slots=True)
class Jumps:
    """`skipped` are the objects in scope at the target of a goto or switch but not where it jumps from."""

    skipped: tuple[tree.Object, ...]


def jumps_of(body: tree.Block) -> Jumps:
    labels: dict[str, Scope] = {}
    jumps: list[tuple[str, Scope]] = []
    skipped: dict[str, tree.Object] = {}
    for node, scope, switch in _scopes(body):
        match node:
            case tree.Labeled(label=label):
                labels[label] = scope
            case tree.Goto(label=label):
                jumps.append((label, scope))
            case tree.Case() | tree.Default():
                skipped.update((o.name, o) for o in scope[len(switch) :])
            case _:
                pass
    for label, scope in jumps:
        known = {one.name for one in scope}
        skipped.update((one.name, one) for one in labels[label] if one.name not in known)
    return Jumps(tuple(skipped.values()))


def _scopes(body: tree.Block) -> Iterator[tuple[tree.Node, Scope, Scope]]:
    """Every node with the objects declared before it in its blocks, and those of the innermost switch around it."""
    stack: list[tuple[tree.Node, Scope, Scope]] = [(body, (), ())]
    while stack:
        node, scope, switch = stack.pop()
        yield node, scope, switch
        inside = scope if isinstance(node, tree.Switch) else switch
        below: list[tuple[tree.Node, Scope, Scope]] = []
        for child in children(node):
            below.append((child, scope, inside))
            if isinstance(child, tree.Declaration) and isinstance(node, tree.Block | tree.For):
                scope = (*scope, child.object)
        stack.extend(reversed(below))
