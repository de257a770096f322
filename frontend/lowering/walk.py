"""What lies in a typed tree: its nodes, and which functions call which."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Protocol

from frontend import tree
from frontend.lowering.storage import leaves
from frontend.tree import Storage


def children(node: tree.Node) -> Iterator[tree.Node]:
    """The nodes directly below, in the order of the text."""
    for name in node.__match_args__:
        value: object = getattr(node, name)
        if isinstance(value, tree.Node):
            yield value
        elif isinstance(value, tuple):
            for one in value:
                if isinstance(one, tree.Node):
                    yield one
                elif isinstance(one, tree.Entry):
                    yield one.value


def nodes(*roots: tree.Node) -> Iterator[tree.Node]:
    """Every node of the trees, parents before children, in the order of the text."""
    stack = list(reversed(roots))
    while stack:
        node = stack.pop()
        yield node
        stack.extend(reversed(list(children(node))))


def callee(call: tree.Call) -> str | None:
    """The function that is called by its name."""
    return call.function.function if isinstance(call.function, tree.FunctionAddress) else None


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


class Memory(Protocol):
    """Which variables hold what has an address; None for what has none."""

    def touched(self, lvalue: tree.Lvalue) -> frozenset[str] | None: ...

    def touched_object(self, object_: tree.Object) -> frozenset[str] | None: ...

    def handed(self, call: tree.Call) -> frozenset[str]: ...


class Touches:
    """The variables that nodes read and write."""

    def __init__(self, memory: Memory) -> None:
        self._memory = memory

    def variables_of(self, lvalue: tree.Lvalue) -> frozenset[str]:
        """The names of the variables that an access of the lvalue may touch."""
        in_memory = self._memory.touched(lvalue)
        if in_memory is not None:
            return in_memory
        name = path_name(lvalue)
        return frozenset() if name is None else frozenset(name + leaf.suffix for leaf in leaves(lvalue.type))

    def written(self, node: tree.Node) -> frozenset[str]:
        """The variables that the node itself writes, apart from its operands."""
        match node:
            case tree.Assign() | tree.CompoundAssign() | tree.Increment():
                return self.variables_of(node.target)
            case tree.Declaration() | tree.CompoundLiteral():
                in_memory = self._memory.touched_object(node.object)
                if in_memory is not None:
                    return in_memory
                return frozenset(node.object.name + leaf.suffix for leaf in leaves(node.object.type))
            case tree.Call():
                return self._memory.handed(node)
            case _:
                return frozenset()

    def read(self, node: tree.Node) -> frozenset[str]:
        """The variables that the node itself reads, apart from its operands."""
        match node:
            case tree.Load():
                return self.variables_of(node.lvalue)
            case tree.CompoundAssign() | tree.Increment():
                return self.variables_of(node.target)
            case tree.Call():
                return self._memory.handed(node)
            case _:
                return frozenset()


@dataclass(frozen=True, slots=True)
class Summary:
    """What a call of a function reads and writes beside its own automatic objects."""

    reads: frozenset[str]
    writes: frozenset[str]


@dataclass(frozen=True, slots=True)
class CallGraph:
    """The functions that calls by name can reach, in the order of their first call, and what each may touch."""

    reachable: tuple[str, ...]
    globals: frozenset[str]
    """The static and external objects that reachable functions mention."""
    called: frozenset[str]
    """Every function that reachable code calls, defined or not."""
    summaries: Mapping[str, Summary]
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
    own: dict[str, Summary] = {}
    mentioned: set[str] = set()
    pending, order = [main], {main: None}
    while pending:
        name = pending.pop(0)
        body = unit.functions[name].body
        assert body is not None
        found: dict[str, None] = {}
        for node in nodes(body):
            if isinstance(node, tree.Call):
                target = callee(node)
                found.update(dict.fromkeys(indirect.get(id(node), ()) if target is None else (target,)))
            elif isinstance(node, tree.Variable) and node.object.storage in (Storage.STATIC, Storage.EXTERNAL):
                mentioned.add(node.object.name)
        own[name] = _own_summary(body, touches)
        calls[name] = frozenset(found)
        for target in found:
            declared = unit.functions.get(target)
            if declared is not None and declared.body is not None and target not in opaque and target not in order:
                order[target] = None
                pending.append(target)
    called = frozenset().union(*calls.values())
    return CallGraph(tuple(order), frozenset(mentioned), called, _closed(own, calls), _recursive(calls))


def _own_summary(body: tree.Block, touches: Touches) -> Summary:
    reads: set[str] = set()
    writes: set[str] = set()
    automatic: set[str] = set()
    for node in nodes(body):
        reads |= touches.read(node)
        writes |= touches.written(node)
        object_ = node.object if isinstance(node, tree.Declaration | tree.CompoundLiteral | tree.Variable) else None
        if object_ is not None and object_.storage in (Storage.AUTOMATIC, Storage.PARAMETER):
            automatic.update(object_.name + leaf.suffix for leaf in leaves(object_.type))
    return Summary(frozenset(reads - automatic), frozenset(writes - automatic))


def _closed(own: Mapping[str, Summary], calls: Mapping[str, Iterable[str]]) -> dict[str, Summary]:
    """Summaries that include those of callees: the least fixed point."""
    result = dict(own)
    changed = True
    while changed:
        changed = False
        for name, targets in calls.items():
            below = [result[target] for target in sorted(targets) if target in result]
            reads = result[name].reads.union(*(one.reads for one in below))
            writes = result[name].writes.union(*(one.writes for one in below))
            if (reads, writes) != (result[name].reads, result[name].writes):
                result[name], changed = Summary(reads, writes), True
    return result


def _recursive(calls: Mapping[str, Iterable[str]]) -> frozenset[str]:
    """The functions that can call themselves, also by way of others."""
    found: set[str] = set()
    for name in calls:
        seen: set[str] = set()
        stack = list(calls[name])
        while stack:
            one = stack.pop()
            if one not in seen:
                seen.add(one)
                stack.extend(calls.get(one, ()))
        if name in seen:
            found.add(name)
    return frozenset(found)
