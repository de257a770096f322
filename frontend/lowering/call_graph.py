"""The call graph of a typed tree, and the variables that its nodes and functions read and write."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Protocol

from core.dataclass import dataclass
from frontend.libc.arguments import is_variable_argument
from frontend.lowering.accesses import Accesses, TypedAccess, accesses, anywhere
from frontend.typed import tree
from frontend.typed.ctype import Array
from frontend.typed.leaves import leaves
from frontend.typed.traversal import callee, nodes
from frontend.typed.tree import Storage


def path_name(lvalue: tree.Lvalue) -> str | None:
    """The name of the variables that hold the lvalue, up to the suffixes of leaves; None for other storage."""
    match lvalue:
        case tree.Variable():
            return lvalue.object.name
        case tree.CompoundLiteral():
            return lvalue.object.name
        case tree.Index():
            return path_name(lvalue.array)
        case tree.Member():
            base = path_name(lvalue.base)
            return None if base is None else f"{base}.{lvalue.field.name}"
        case tree.Dereference() | tree.StringLiteral() | tree.Temporary():
            return None


class MemoryVariables(Protocol):
    """The variables that hold objects with addresses; None for objects without one."""

    def touched(self, lvalue: tree.Lvalue) -> frozenset[str] | None: ...

    def touched_object(self, object_: tree.Object) -> frozenset[str] | None: ...

    def escaping(self, call: tree.Call) -> frozenset[str]: ...

    def released(self, call: tree.Call) -> frozenset[str]: ...


class Touches:
    """The variables that nodes read and write; where lives are checked, a release writes what it releases."""

    def __init__(self, memory: MemoryVariables, are_lives_checked: bool = False) -> None:
        self._memory, self._are_lives_checked = memory, are_lives_checked

    def variables_of(self, lvalue: tree.Lvalue) -> frozenset[str]:
        """The names of the variables that an access of the lvalue may touch.

        Those of variable arguments are none: they get their values before anyone can read them, and no others later.
        """
        if isinstance(lvalue, tree.Member) and is_variable_argument(lvalue.base.type):
            return frozenset()
        in_memory = self._memory.touched(lvalue)
        if in_memory is not None:
            return in_memory
        name = path_name(lvalue)
        return frozenset() if name is None else frozenset(name + leaf.suffix for leaf in leaves(lvalue.type))

    def written(self, node: tree.Node) -> Accesses:
        """Accesses by which the node itself writes, apart from its operands."""
        match node:
            case tree.Assign() | tree.CompoundAssign() | tree.Increment():
                return accesses(self.variables_of(node.target), node.target)
            case tree.Declaration() | tree.CompoundLiteral():
                if isinstance(node.object.type, Array) and is_variable_argument(node.object.type.element):
                    return frozenset()
                in_memory = self._memory.touched_object(node.object)
                if in_memory is not None:
                    return anywhere(in_memory)
                return anywhere(node.object.name + leaf.suffix for leaf in leaves(node.object.type))
            case tree.Call():
                released = self._memory.released(node) if self._are_lives_checked else frozenset[str]()
                return anywhere(self._memory.escaping(node) | released)
            case _:
                return frozenset()

    def read(self, node: tree.Node) -> Accesses:
        """Accesses by which the node itself reads, apart from its operands."""
        match node:
            case tree.Load():
                return accesses(self.variables_of(node.lvalue), node.lvalue)
            case tree.CompoundAssign() | tree.Increment():
                return accesses(self.variables_of(node.target), node.target)
            case tree.Call():
                return anywhere(self._memory.escaping(node))
            case _:
                return frozenset()


@dataclass(frozen=True, slots=True)
class AccessSummary:
    """Accesses of a call of a function to everything but its own automatic objects.

    Characters may be those of any object: the order of a call and what is beside it in an expression may be left open.
    """

    reads: Accesses
    writes: Accesses


@dataclass(frozen=True, slots=True)
class CallGraph:
    """The functions that calls by name can reach, in the order of their first call, and what each may touch."""

    reachable: tuple[str, ...]
    globals: frozenset[str]
    """The static and external objects that reachable functions mention."""
    called: frozenset[str]
    """Every function that reachable code calls, defined or not."""
    summaries: Mapping[str, AccessSummary]
    recursive: frozenset[str]
    """Functions that may be active twice at a time."""


def call_graph(
    unit: tree.TranslationUnit,
    main: str,
    opaque: frozenset[str],
    touches: Touches,
    indirect: Mapping[int, tuple[str, ...]],
) -> CallGraph:
    """The call graph below `main`; functions in `opaque` count as undefined, `indirect` says what pointers call."""
    calls: dict[str, frozenset[str]] = {}
    own: dict[str, AccessSummary] = {}
    mentioned: set[str] = set()
    pending, order = [main], {main: None}
    while pending:
        name = pending.pop(0)
        body = unit.functions[name].body
        assert body is not None
        functions: dict[str, None] = {}
        for node in nodes(body):
            if isinstance(node, tree.Call):
                target = callee(node)
                functions.update(dict.fromkeys(indirect.get(id(node), ()) if target is None else (target,)))
            elif isinstance(node, tree.Variable) and node.object.storage in (Storage.STATIC, Storage.EXTERNAL):
                mentioned.add(node.object.name)
        own[name] = _own_summary(body, touches)
        calls[name] = frozenset(functions)
        for target in functions:
            declared = unit.functions.get(target)
            if declared is not None and declared.body is not None and target not in opaque and target not in order:
                order[target] = None
                pending.append(target)
    called = frozenset().union(*calls.values())
    groups = _groups(calls)
    summaries, recursive = _closed(own, calls, groups), _recursive(calls, groups)
    return CallGraph(tuple(order), frozenset(mentioned), called, summaries, recursive)


def _own_summary(body: tree.Compound, touches: Touches) -> AccessSummary:
    reads: set[TypedAccess] = set()
    writes: set[TypedAccess] = set()
    automatic: set[str] = set()
    for node in nodes(body):
        reads |= touches.read(node)
        writes |= touches.written(node)
        object_ = node.object if isinstance(node, tree.Declaration | tree.CompoundLiteral | tree.Variable) else None
        if object_ is not None and object_.storage in (Storage.AUTOMATIC, Storage.PARAMETER):
            automatic.update(object_.name + leaf.suffix for leaf in leaves(object_.type))
    return AccessSummary(
        *(frozenset(one.in_call() for one in found if one.variable not in automatic) for found in (reads, writes))
    )


def _closed(
    own: Mapping[str, AccessSummary], calls: Mapping[str, Iterable[str]], groups: Sequence[Sequence[str]]
) -> dict[str, AccessSummary]:
    """Summaries that include those of callees; `groups` come after the groups that they call."""
    result: dict[str, AccessSummary] = {}
    for group in groups:
        below = {target for name in group for target in calls[name] if target in result}
        parts = [own[name] for name in group] + [result[target] for target in sorted(below)]
        reads = Accesses().union(*(one.reads for one in parts))
        writes = Accesses().union(*(one.writes for one in parts))
        result.update(dict.fromkeys(group, AccessSummary(reads, writes)))
    return result


def _recursive(calls: Mapping[str, Iterable[str]], groups: Sequence[Sequence[str]]) -> frozenset[str]:
    """The functions that can call themselves, also by way of others."""
    return frozenset(name for group in groups for name in group if len(group) > 1 or name in calls[name])


def _groups(calls: Mapping[str, Iterable[str]]) -> list[list[str]]:
    """Functions that call each other, in groups; each group comes after those that it calls (Tarjan 1972)."""
    order: dict[str, int] = {}
    lowest: dict[str, int] = {}
    path: list[str] = []  # visited functions whose group is not complete
    done: set[str] = set()
    groups: list[list[str]] = []
    for root in calls:
        stack: list[tuple[str, Iterator[str]]] = []
        pending: str | None = root if root not in order else None
        while pending is not None or stack:
            if pending is not None:
                order[pending] = lowest[pending] = len(order)
                path.append(pending)
                stack.append((pending, iter(sorted(calls[pending]))))
                pending = None
            name, targets = stack[-1]
            for target in targets:
                if target in calls and target not in order:
                    pending = target
                    break
                if target in calls and target not in done:
                    lowest[name] = min(lowest[name], order[target])
            else:
                stack.pop()
                if stack:
                    caller = stack[-1][0]
                    lowest[caller] = min(lowest[caller], lowest[name])
                if lowest[name] == order[name]:
                    group = _cut(path, name)
                    done.update(group)
                    groups.append(group)
    return groups


def _cut(path: list[str], first: str) -> list[str]:
    """Take everything from `first` on off the path."""
    group = [path.pop()]
    while group[-1] != first:
        group.append(path.pop())
    return group
