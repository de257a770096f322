"""The schema of YAML witnesses 2.0, checked strictly: exactly these keys, in this form.

Written from the description of the format, apart from the writers.
"""

from __future__ import annotations

import re
from collections.abc import Callable

Check = Callable[[object, str], None]

TIME = r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(Z|[+-]\d\d:\d\d)"
UUID = r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}"


class Violated(AssertionError):
    """The value at a path is not what the schema asks for."""


def check_witness(value: object) -> None:
    """Raises `Violated` unless the value is a valid witness file."""
    assert_list(value, "", 1)
    assert isinstance(value, list)
    for i, entry in enumerate(value):
        fields(entry, f"[{i}]", {"entry_type": text("invariant_set|violation_sequence")}, extra=True)
        content = _invariants if entry["entry_type"] == "invariant_set" else _segments
        wanted = {"entry_type": text(".*"), "metadata": _metadata, "content": content}
        fields(entry, f"[{i}]", wanted)


def text(pattern: str) -> Check:
    def check(value: object, path: str) -> None:
        if not isinstance(value, str) or not re.fullmatch(pattern, value, re.S):
            raise Violated(f"{path}: {value!r} is not {pattern}")

    return check


def positive(value: object, path: str) -> None:
    if not isinstance(value, int) or isinstance(value, bool) or value < 1:
        raise Violated(f"{path}: {value!r} is no positive integer")


def assert_list(value: object, path: str, least: int = 0) -> None:
    if not isinstance(value, list) or len(value) < least:
        raise Violated(f"{path}: {value!r} is no list of at least {least}")


def fields(
    value: object, path: str, wanted: dict[str, Check], optional: dict[str, Check] | None = None, extra: bool = False
) -> None:
    if not isinstance(value, dict):
        raise Violated(f"{path}: {value!r} is no mapping")
    for name, check in wanted.items():
        if name not in value:
            raise Violated(f"{path}: {name} is missing")
        check(value[name], f"{path}.{name}")
    for name in value:
        if name not in wanted and not extra:
            if name not in (optional or {}):
                raise Violated(f"{path}: {name} is not expected")
            (optional or {})[name](value[name], f"{path}.{name}")


def _metadata(value: object, path: str) -> None:
    fields(
        value,
        path,
        {
            "format_version": text(r"2\.0"),
            "uuid": text(UUID),
            "creation_time": text(TIME),
            "producer": _producer,
            "task": _task,
        },
    )


def _producer(value: object, path: str) -> None:
    optional = {name: text(".+") for name in ("configuration", "command_line", "description")}
    fields(value, path, {"name": text(".+"), "version": text(".+")}, optional)


def _task(value: object, path: str) -> None:
    wanted = {
        "input_files": assert_list,
        "input_file_hashes": _hashes,
        "specification": text(r"CHECK\( init\(\w+\(\)\), LTL\(.*\) \)"),
        "data_model": text("ILP32|LP64"),
        "language": text("C"),
    }
    fields(value, path, wanted)
    assert isinstance(value, dict)
    if list(value["input_files"]) != list(value["input_file_hashes"]):
        raise Violated(f"{path}: one hash for each file")


def _hashes(value: object, path: str) -> None:
    if not isinstance(value, dict):
        raise Violated(f"{path}: {value!r} is no mapping")
    for name, one in value.items():
        text("[0-9a-f]{64}")(one, f"{path}.{name}")


def _location(value: object, path: str) -> None:
    optional: dict[str, Check] = {"column": positive, "function": text(r"\w+")}
    fields(value, path, {"file_name": text(".+"), "line": positive}, optional)


def _invariants(value: object, path: str) -> None:
    assert_list(value, path)
    assert isinstance(value, list)
    wanted = {
        "type": text("loop_invariant|location_invariant"),
        "location": _location,
        "value": text(".+"),
        "format": text("c_expression"),
    }
    for i, one in enumerate(value):
        fields(one, f"{path}[{i}]", {"invariant": lambda v, p: fields(v, p, wanted)})


def _segments(value: object, path: str) -> None:
    assert_list(value, path, 1)
    assert isinstance(value, list)
    for i, one in enumerate(value):
        last = i == len(value) - 1
        fields(one, f"{path}[{i}]", {"segment": lambda v, p, last=last: _segment(v, p, last)})  # type: ignore[misc]


def _segment(value: object, path: str, last: bool) -> None:
    assert_list(value, path, 1)
    assert isinstance(value, list)
    for i, one in enumerate(value):
        fields(one, f"{path}[{i}]", {"waypoint": _waypoint})
        waypoint = one["waypoint"]
        if (waypoint["action"] == "follow") != (i == len(value) - 1):
            raise Violated(f"{path}: a segment is some waypoints to avoid, then one to follow")
        if (waypoint["type"] == "target") != (last and i == len(value) - 1):
            raise Violated(f"{path}: the target is the last waypoint")


_CONSTRAINTS: dict[str, dict[str, Check]] = {
    "assumption": {"value": text(".+"), "format": text("c_expression")},
    "branching": {"value": text("true|false|default|-?[0-9]+")},
    "function_return": {"value": text(r"\\result (==|!=|<=|<|>=|>) -?\(?.*"), "format": text("acsl_expression")},
}


def _waypoint(value: object, path: str) -> None:
    wanted: dict[str, Check] = {
        "type": text("assumption|branching|function_enter|function_return|target"),
        "action": text("follow|avoid"),
        "location": _location,
    }
    fields(value, path, wanted, extra=True)
    assert isinstance(value, dict)
    constraint = _CONSTRAINTS.get(value["type"])
    if constraint is not None:
        wanted["constraint"] = lambda v, p: fields(v, p, constraint)
    fields(value, path, wanted)
