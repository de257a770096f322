"""Witnesses in GraphML, format version 1.0 of SV-COMP.

A violation witness is a chain of nodes, one edge for each input, that ends in the violation. A correctness witness has
a node for each loop with an invariant, entered from the one entry node.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from interplay.witnesses.formats.model import (
    CorrectnessWitness,
    InvariantKind,
    ViolationWitness,
    Waypoint,
    WaypointKind,
    Witness,
    WitnessHeader,
)
from interplay.witnesses.formats.xmltext import element

_SPACE = "http://graphml.graphdrawing.org/xmlns"
_BOOLEAN = {"entry": "isEntryNode", "sink": "isSinkNode", "violation": "isViolationNode"}
_NODE = {"invariant": "invariant", "invariant.scope": "invariant.scope"}
_EDGE = {
    "assumption": "assumption",
    "assumption.scope": "assumption.scope",
    "assumption.resultfunction": "assumption.resultfunction",
    "control": "control",
    "startline": "startline",
    "endline": "endline",
    "enterLoopHead": "enterLoopHead",
    "enterFunction": "enterFunction",
    "returnFromFunction": "returnFromFunction",
}
_GRAPH = {
    "witness-type": "witness-type",
    "sourcecodelang": "sourcecodelang",
    "producer": "producer",
    "specification": "specification",
    "programfile": "programfile",
    "programhash": "programhash",
    "architecture": "architecture",
    "creationtime": "creationtime",
}
_NUMBERS = frozenset({"startline", "endline"})
ARCHITECTURES: Mapping[str, str] = {"ILP32": "32bit", "LP64": "64bit"}


def to_graphml(witness: Witness) -> str:
    """The text of the GraphML file."""
    match witness:
        case CorrectnessWitness():
            kind, graph = "correctness_witness", _loops(witness)
        case ViolationWitness():
            kind, graph = "violation_witness", _chain(witness)
    content = [*_facts(kind, witness.header), *graph]
    root = element("graphml", {"xmlns": _SPACE}, [*_keys(), element("graph", {"edgedefault": "directed"}, content)])
    return f'<?xml version="1.0" encoding="UTF-8" standalone="no"?>\n{root}\n'


def _keys() -> Iterator[str]:
    for key, name in _BOOLEAN.items():
        attributes = {"attr.name": name, "attr.type": "boolean", "for": "node", "id": key}
        yield element("key", attributes, [element("default", {}, "false")])
    for place, names in (("node", _NODE), ("edge", _EDGE), ("graph", _GRAPH)):
        for key, name in names.items():
            type_ = "int" if key in _NUMBERS else "boolean" if key == "enterLoopHead" else "string"
            attributes = {"attr.name": name, "attr.type": type_, "for": place, "id": key}
            inner = [element("default", {}, "false")] if type_ == "boolean" else ""
            yield element("key", attributes, inner)


def _facts(kind: str, header: WitnessHeader) -> Iterator[str]:
    task = header.task
    file = task.input_files[0]
    yield _data("witness-type", kind)
    yield _data("sourcecodelang", "C")
    yield _data("producer", f"{header.producer.name} {header.producer.version}")
    yield _data("specification", task.specification)
    yield _data("programfile", file)
    yield _data("programhash", task.hashes[file])
    yield _data("architecture", ARCHITECTURES[task.data_model])
    yield _data("creationtime", header.created)


def _loops(witness: CorrectnessWitness) -> Iterator[str]:
    yield _node(0, {"entry": "true"})
    loops = [one for one in witness.invariants if one.kind is InvariantKind.LOOP]
    for number, one in enumerate(loops, start=1):
        where = one.position
        yield _node(number, {"invariant": one.value, "invariant.scope": where.function})
        line = str(where.line)
        yield _edge(0, number, {"enterLoopHead": "true", "startline": line, "endline": line})


def _chain(witness: ViolationWitness) -> Iterator[str]:
    last = len(witness.waypoints)
    yield _node(0, {"entry": "true"})
    for number, one in enumerate(witness.waypoints, start=1):
        yield _node(number, {"violation": "true"} if number == last else {})
        yield _edge(number - 1, number, _step(one))


def _step(waypoint: Waypoint) -> dict[str, str]:
    line, function = str(waypoint.position.line), waypoint.position.function
    place = {"startline": line, "endline": line}
    match waypoint.kind:
        case WaypointKind.FUNCTION_RETURN:
            result = {"assumption.resultfunction": waypoint.callee} if waypoint.callee else {}
            return {**place, "assumption": f"{waypoint.constraint};", "assumption.scope": function, **result}
        case WaypointKind.ASSUMPTION:
            return {**place, "assumption": f"{waypoint.constraint};", "assumption.scope": function}
        case WaypointKind.BRANCHING:
            return {**place, "control": f"condition-{waypoint.constraint}"}
        case WaypointKind.FUNCTION_ENTER | WaypointKind.TARGET:
            return place


def _node(number: int, data: Mapping[str, str]) -> str:
    return element("node", {"id": f"N{number}"}, [_data(key, value) for key, value in data.items()] or "")


def _edge(source: int, target: int, data: Mapping[str, str]) -> str:
    ends = {"source": f"N{source}", "target": f"N{target}"}
    return element("edge", ends, [_data(key, value) for key, value in data.items()])


def _data(key: str, value: str) -> str:
    return element("data", {"key": key}, value)
