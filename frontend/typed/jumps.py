"""Jumps into a scope: the automatic objects whose declaration they pass by."""

from __future__ import annotations

from collections.abc import Iterator

from core.dataclass import dataclass
from frontend.typed import tree
from frontend.typed.traversal import children


@dataclass(frozen=True, slots=True, eq=False)
class _Declared:
    """An object in scope, and those in scope before it: a list that blocks share, compared by identity."""

    object: tree.Object
    before: _Scope
    count: int


_Scope = _Declared | None


@dataclass(frozen=True, slots=True)
class Jumps:
    """The jumps of one function.

    `skipped` are the objects in scope at the target of a goto or switch but not where it jumps from.
    """

    skipped: tuple[tree.Object, ...]


def jumps_of(body: tree.Compound) -> Jumps:
    """The jumps in the body of a function."""
    labels: dict[str, _Scope] = {}
    jumps: list[tuple[str, _Scope]] = []
    skipped: dict[str, tree.Object] = {}
    for node, scope, switch in _scopes(body):
        match node:
            case tree.Labeled(label=label):
                labels[label] = scope
            case tree.Goto(label=label):
                jumps.append((label, scope))
            case tree.Case() | tree.Default():
                skipped.update((one.name, one) for one in _entered(switch, scope))
            case _:
                pass
    for label, scope in jumps:
        skipped.update((one.name, one) for one in _entered(scope, labels[label]))
    return Jumps(tuple(skipped.values()))


def blocks_around_labels(body: tree.Compound) -> dict[str, frozenset[int]]:
    """The blocks and `for` loops around each label, by identity."""
    blocks: dict[str, frozenset[int]] = {}
    stack: list[tuple[tree.Node, frozenset[int]]] = [(body, frozenset())]
    while stack:
        node, chain = stack.pop()
        if isinstance(node, tree.Labeled):
            blocks[node.label] = chain
        if isinstance(node, tree.Compound | tree.For):
            chain |= {id(node)}
        stack.extend((child, chain) for child in children(node))
    return blocks


def _entered(source: _Scope, target: _Scope) -> list[tree.Object]:
    """The objects in scope at the target only, in the order of declaration."""
    objects: list[tree.Object] = []
    while target is not None and target is not source:
        if source is None or source.count < target.count:
            objects.append(target.object)
            target = target.before
        elif source.count > target.count:
            source = source.before
        else:
            objects.append(target.object)
            source, target = source.before, target.before
    return objects[::-1]


def _scopes(body: tree.Compound) -> Iterator[tuple[tree.Node, _Scope, _Scope]]:
    """Every node with the objects declared before it in its blocks, and those of the innermost switch around it."""
    stack: list[tuple[tree.Node, _Scope, _Scope]] = [(body, None, None)]
    while stack:
        node, scope, switch = stack.pop()
        yield node, scope, switch
        inside = scope if isinstance(node, tree.Switch) else switch
        below: list[tuple[tree.Node, _Scope, _Scope]] = []
        for child in children(node):
            below.append((child, scope, inside))
            if isinstance(child, tree.Declaration) and isinstance(node, tree.Compound | tree.For):
                scope = _Declared(child.object, scope, scope.count + 1 if scope else 1)
        stack.extend(reversed(below))
