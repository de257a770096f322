"""Loops that may run forever, as their text shows: C lets another operand be evaluated before the call that has one.

A loop may if it has no way out but what is called, or if nothing in it changes what its conditions read, as in
`while (!flag);`. Others count as loops that end, as C itself lets a compiler assume of most (C11 6.8.5p6).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from frontend.lowering.accesses import Accesses, TypedAccess, common
from frontend.typed import tree
from frontend.typed.traversal import children, nodes

LoopStatement = tree.While | tree.DoWhile | tree.For
ReadsAndWrites = Callable[[tree.Node], tuple[Accesses, Accesses]]
"""The accesses of a node itself, with those of the functions that it calls."""

_JUMPS = (tree.Break, tree.Continue, tree.Return, tree.Goto)


def may_be_endless(loop: LoopStatement, accesses: ReadsAndWrites) -> bool:
    """Whether a loop may run forever, judged by its text."""
    condition = loop.condition
    if isinstance(condition, tree.IntegerConstant) and not condition.value:
        return False  # do … while (0)
    is_constant = condition is None or isinstance(condition, tree.IntegerConstant)
    if is_constant and not _has_way_out(loop.body):
        return True
    conditions = [] if condition is None or is_constant else [condition]
    conditions += [one.condition for one in nodes(loop.body) if isinstance(one, tree.If) and _jumps(one)]
    conditions += [one.value for one in nodes(loop.body) if isinstance(one, tree.Switch) and _jumps(one)]
    return bool(conditions) and _stay(conditions, nodes(loop), accesses)


def jumps_back(body: tree.Compound, accesses: ReadsAndWrites) -> bool:
    """Whether a function may jump back forever: one whose jumps depend on nothing that it changes."""
    seen: set[str] = set()
    conditions: list[tree.Expression] = []
    is_back = False
    for node in nodes(body):
        match node:
            case tree.Labeled(label=label):
                seen.add(label)
            case tree.Goto(label=label):
                is_back |= label in seen
            case tree.If(condition=condition) | tree.Switch(value=condition):
                conditions.append(condition)
            case _:
                pass
    return is_back and _stay(conditions, nodes(body), accesses)


def _has_way_out(body: tree.Statement) -> bool:
    """Whether the body of a loop leaves it, by itself."""
    waiting: list[tuple[tree.Node, bool]] = [(body, True)]
    while waiting:
        node, is_own = waiting.pop()
        if isinstance(node, tree.Return | tree.Goto) or (isinstance(node, tree.Break) and is_own):
            return True
        is_own = is_own and not isinstance(node, tree.While | tree.DoWhile | tree.For | tree.Switch)
        waiting += [(one, is_own) for one in children(node)]
    return False


def _jumps(statement: tree.Node) -> bool:
    return any(isinstance(one, _JUMPS) for one in nodes(statement))


def _stay(conditions: Iterable[tree.Expression], inside: Iterable[tree.Node], accesses: ReadsAndWrites) -> bool:
    """Whether nothing inside changes what the conditions read; what is called there without effects may."""
    read: set[TypedAccess] = set()
    for node in nodes(*conditions):
        if isinstance(node, tree.Call | tree.NextArgument):
            return False
        read |= accesses(node)[0]
    written = Accesses().union(*(accesses(one)[1] for one in inside))
    return not common(frozenset(read), written)[0]
