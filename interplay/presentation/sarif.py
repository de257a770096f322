"""The results of a run in SARIF 2.1.0, for editors and code scanning: one result for each check.

A violation is a failure with its trace as code flow; what is proved passes; what has no answer is open, and what was
not checked does not apply. Only failures have a level. The property bag says whether an execution comes to a check.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping
from pathlib import PurePath
from urllib.parse import quote

from core.dataclass import dataclass
from core.program import Program
from core.program.changes import Changes, SourceChanges
from core.program.naming import Naming
from core.program.own_steps import CallStack
from core.program.properties import violation_of
from core.program.span import Span
from core.verdict import Reachability, Status, stated_status
from runs.events import CheckDecided, TraceShown
from runs.runview import RunView

SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
LONGEST_FLOW = 2_000  # steps; the middle of a longer one is left out

_Json = dict[str, object]


@dataclass(frozen=True)
class Invocation:
    """The tool and how it was called; `sources` are the texts that were read, by name."""

    version: str
    command_line: str
    sources: Mapping[str, str]


def to_sarif(view: RunView, program: Program | None, invocation: Invocation) -> str:
    """The log file of one run; `program` is None for a run that ended before there was one."""
    checks = [*view.checks.values(), *_not_run(view, program)]
    properties = dict.fromkeys(check.property for check in checks)
    driver = {
        "name": "interplay",
        "version": invocation.version,
        "rules": [{"id": one, "shortDescription": {"text": violation_of(one)}} for one in properties],
    }
    run = {
        "tool": {"driver": driver},
        "invocations": [_invocation(view, invocation)],
        "columnKind": "unicodeCodePoints",
        "results": [_result(view, program, check, invocation) for check in checks],
    }
    return json.dumps({"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}, indent=1) + "\n"


def _not_run(view: RunView, program: Program | None) -> Iterator[CheckDecided]:
    for one in program.checks if program else ():
        if one.id not in view.checks:
            at = one.span
            yield CheckDecided(one.id, one.property, one.description, at.file, at.line, at.column, "", "", "")


def _invocation(view: RunView, invocation: Invocation) -> _Json:
    verdict = view.verdict
    failed = verdict is None or stated_status(verdict.verdict) is Status.ERROR
    notes = [
        {
            "level": "error" if one.severity == "error" else "warning" if one.severity == "warning" else "note",
            "message": {"text": one.text},
            **({"locations": [_location(one.file, one.line, one.column)]} if one.file else {}),
        }
        for one in view.messages
    ]
    return {
        "executionSuccessful": not failed,
        "commandLine": invocation.command_line,
        **({} if verdict is None else {"exitCode": verdict.exit_code, "exitCodeDescription": verdict.verdict}),
        **({"toolExecutionNotifications": notes} if notes else {}),
    }


def _result(view: RunView, program: Program | None, check: CheckDecided, invocation: Invocation) -> _Json:
    kind, level, message = _outcome(check)
    trace = view.traces.get(check.check)
    flow: _Json = {}
    if kind == "fail" and trace is not None and program is not None:
        flow = {"codeFlows": [{"threadFlows": [{"locations": _flow(program, trace, check)}]}]}
    line = _line(invocation.sources.get(check.file, ""), check.line)
    text = f"{check.property}:{check.description}:{line.strip()}"
    return {
        "ruleId": check.property,
        "kind": kind,
        "level": level,
        "message": {"text": message},
        "locations": [_location(check.file, check.line, check.column)],
        **flow,
        **({"properties": {"reach": check.reach, "reachedBy": check.reached_by}} if check.reach else {}),
        "partialFingerprints": {"primaryLocationLineHash": hashlib.sha256(text.encode()).hexdigest()[:32]},
    }


def _outcome(check: CheckDecided) -> tuple[str, str, str]:
    """The kind, level and message of a result."""
    match check.status:
        case Status.FALSE:
            return "fail", "error", f"{check.description}: a violation, confirmed by {check.confirmed_by}"
        case Status.TRUE if check.reach == Reachability.UNREACHED:
            told = f"no execution comes there ({check.reached_by}), so it was not tested"
            return "pass", "none", f"{check.description}: {told}"
        case Status.TRUE:
            return "pass", "none", f"{check.description}: cannot happen, confirmed by {check.confirmed_by}"
        case "":
            return "notApplicable", "none", f"{check.description}: was not looked at"
        case _:
            return "open", "none", f"{check.description}: no answer ({check.reason or check.status})"


def _flow(program: Program, trace: TraceShown, check: CheckDecided) -> list[_Json]:
    """The steps that change something, and the error."""
    steps = list(_steps(program, trace))
    if len(steps) > LONGEST_FLOW:
        steps = [*steps[: LONGEST_FLOW // 2], *steps[-LONGEST_FLOW // 2 :]]
    depth = steps[-1][1] if steps else 0
    flow = [
        _flow_step(span.file, span.line, span.column, level, "important", changes) for span, level, changes in steps
    ]
    last = _flow_step(check.file, check.line, check.column, depth, "essential", ())
    location = last["location"]
    assert isinstance(location, dict)
    location["message"] = {"text": check.description}
    return [{**step, "executionOrder": order} for order, step in enumerate([*flow, last], start=1)]


def _steps(program: Program, trace: TraceShown) -> Iterator[tuple[Span, int, Changes]]:
    """The place, depth of calls and changes of each step that changes something."""
    calls = CallStack(program)
    told = SourceChanges(Naming(program), trace.steps, trace.inputs)
    for position, (number, _) in enumerate(trace.steps):
        if not 0 <= number < len(program.edges):
            return
        calls.take(number)
        step, changes = told.own.at(position), told.of_step(position)
        if changes and step is not None and step.span is not None:
            yield step.span, max(len(calls.stack) - 1, 0), changes  # the call of main is not the source's


def _flow_step(file: str, line: int, column: int, depth: int, importance: str, changes: Changes) -> _Json:
    location = _location(file, line, column)
    if changes:
        location["message"] = {"text": ", ".join(f"{name} = {value}" for name, value in changes)}
    state = {"state": {name: {"text": value} for name, value in changes}} if changes else {}
    return {"nestingLevel": depth, "importance": importance, **state, "location": location}


def _location(file: str, line: int, column: int) -> _Json:
    region = {"startLine": max(line, 1), **({"startColumn": column} if column else {})}
    return {"physicalLocation": {"artifactLocation": _artifact(file), "region": region}}


def _artifact(file: str) -> _Json:
    path = PurePath(file)
    if path.is_absolute():
        return {"uri": path.as_uri()}
    return {"uri": quote(path.as_posix()), "uriBaseId": "%SRCROOT%"}


def _line(text: str, number: int) -> str:
    lines = text.split("\n")
    return lines[number - 1] if 0 < number <= len(lines) else ""
