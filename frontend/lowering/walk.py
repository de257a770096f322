"""What lies in a typed tree: its nodes, and which functions call which."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

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


def variables_of(lvalue: tree.Lvalue) -> frozenset[str]:
    """The names of the variables that an access of the lvalue may touch."""
    name = path_name(lvalue)
    return frozenset() if name is None else frozenset(name + leaf.suffix for leaf in leaves(lvalue.type))


def written(node: tree.Node) -> frozenset[str]:
    """The variables that the node itself writes, apart from its operands."""
    match node:
        case tree.Assign() | tree.CompoundAssign() | tree.Increment():
            return variables_of(node.target)
        case tree.Declaration() | tree.CompoundLiteral():
            name = node.object.name
            return frozenset(name + leaf.suffix for leaf in leaves(node.object.type))
        case _:
            return frozenset()


def read(node: tree.Node) -> frozenset[str]:
    """The variables that the node itself reads, apart from its operands."""
    match node:
        case tree.Load():
            return variables_of(node.lvalue)
        case tree.CompoundAssign() | tree.Increment():
            return variables_of(node.target)
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


def call_graph(unit: tree.TranslationUnit, main: str, opaque: frozenset[str]) -> CallGraph:
    """The call graph below `main`; functions in `opaque` count as undefined."""
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
            if isinstance(node, tree.Call) and (target := callee(node)) is not None:
                found[target] = None
            elif isinstance(node, tree.Variable) and node.object.storage in (Storage.STATIC, Storage.EXTERNAL):
                mentioned.add(node.object.name)
        own[name] = _own_summary(body)
        calls[name] = frozenset(found)
        for target in found:
            declared = unit.functions.get(target)
            if declared is not None and declared.body is not None and target not in opaque and target not in order:
                order[target] = None
                pending.append(target)
    called = frozenset().union(*calls.values())
    return CallGraph(tuple(order), frozenset(mentioned), called, _closed(own, calls))


def _own_summary(body: tree.Block) -> Summary:
    reads: set[str] = set()
    writes: set[str] = set()
    automatic: set[str] = set()
    for node in nodes(body):
        reads |= read(node)
        writes |= written(node)
        if isinstance(node, tree.Variable) and node.object.storage in (Storage.AUTOMATIC, Storage.PARAMETER):
            automatic.update(node.object.name + leaf.suffix for leaf in leaves(node.object.type))
        elif isinstance(node, tree.Declaration | tree.CompoundLiteral):
            automatic |= written(node)
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
