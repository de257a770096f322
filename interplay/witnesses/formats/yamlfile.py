"""Witnesses in YAML, format version 2.0 of SV-COMP: a list with one entry, an invariant set or a violation sequence."""

from __future__ import annotations

import uuid

import yaml

from interplay.witnesses.formats.model import (
    CorrectnessWitness,
    Invariant,
    SourcePosition,
    ViolationWitness,
    Waypoint,
    WaypointKind,
    Witness,
    WitnessHeader,
)

FORMAT_VERSION = "2.0"
_NAMESPACE = uuid.UUID("c9f2f1a2-6f6a-4c3a-9d60-6f5b6c1f3d0e")


def to_yaml(witness: Witness) -> str:
    """The text of the YAML file. Equal witnesses give equal files: the identity is made of the content."""
    match witness:
        case CorrectnessWitness(header, invariants):
            kind = "invariant_set"
            content: list[object] = [{"invariant": _invariant(one)} for one in invariants]
        case ViolationWitness(header, waypoints):
            kind = "violation_sequence"
            content = [{"segment": [{"waypoint": _waypoint(one)}]} for one in waypoints]
    entry = {"entry_type": kind, "metadata": _metadata(header, content), "content": content}
    return yaml.safe_dump([entry], sort_keys=False, width=10**9, allow_unicode=True)


def _metadata(header: WitnessHeader, content: list[object]) -> dict[str, object]:
    producer, task = header.producer, header.task
    identity = uuid.uuid5(_NAMESPACE, repr((sorted(task.hashes.items()), task.specification, header.created, content)))
    return {
        "format_version": FORMAT_VERSION,
        "uuid": str(identity),
        "creation_time": header.created,
        "producer": {
            "name": producer.name,
            "version": producer.version,
            "configuration": producer.configuration,
            "command_line": producer.command_line,
        },
        "task": {
            "input_files": list(task.input_files),
            "input_file_hashes": dict(task.hashes),
            "specification": task.specification,
            "data_model": task.data_model,
            "language": "C",
        },
    }


def _invariant(invariant: Invariant) -> dict[str, object]:
    return {
        "type": invariant.kind.value,
        "location": _location(invariant.position),
        "value": invariant.value,
        "format": "c_expression",
    }


def _waypoint(waypoint: Waypoint) -> dict[str, object]:
    constraint: dict[str, object] = {}
    match waypoint.kind:
        case WaypointKind.ASSUMPTION:
            constraint = {"constraint": {"value": waypoint.constraint, "format": "c_expression"}}
        case WaypointKind.FUNCTION_RETURN:
            constraint = {"constraint": {"value": waypoint.constraint, "format": "acsl_expression"}}
        case WaypointKind.BRANCHING:
            constraint = {"constraint": {"value": waypoint.constraint}}
        case WaypointKind.FUNCTION_ENTER | WaypointKind.TARGET:
            pass
    return {"type": waypoint.kind.value, "action": "follow", **constraint, "location": _location(waypoint.position)}


def _location(position: SourcePosition) -> dict[str, object]:
    column = {} if position.column is None else {"column": position.column}
    function = {"function": position.function} if position.function else {}
    return {"file_name": position.file, "line": position.line, **column, **function}
