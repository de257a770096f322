"""The rules of SARIF 2.1.0 that the logs of this program can break, checked apart from the writer."""

from __future__ import annotations

import json
from typing import Any

KINDS = {"notApplicable", "pass", "fail", "review", "open", "informational"}


def check_sarif(text: str) -> Any:
    """Check a log and return it; raises AssertionError."""
    log = json.loads(text)
    assert set(log) == {"$schema", "version", "runs"}
    assert log["version"] == "2.1.0"
    for run in log["runs"]:
        driver = run["tool"]["driver"]
        assert driver["name"]
        rules = [rule["id"] for rule in driver["rules"]]
        assert len(rules) == len(set(rules))
        for invocation in run["invocations"]:
            assert isinstance(invocation["executionSuccessful"], bool)
            for note in invocation.get("toolExecutionNotifications", []):
                assert note["level"] in {"none", "note", "warning", "error"}
                assert note["message"]["text"]
        for result in run["results"]:
            _check_result(result, rules)
    return log


def _check_result(result: Any, rules: list[str]) -> None:
    assert result["ruleId"] in rules
    assert result["kind"] in KINDS
    assert (result["level"] == "none") == (result["kind"] != "fail")
    assert result["message"]["text"]
    for location in result["locations"]:
        _check_location(location)
    for flow in result.get("codeFlows", []):
        for thread in flow["threadFlows"]:
            orders = [one["executionOrder"] for one in thread["locations"]]
            assert orders == sorted(set(orders))
            for one in thread["locations"]:
                assert one["nestingLevel"] >= 0
                assert one["importance"] in {"important", "essential", "unimportant"}
                assert all(isinstance(value["text"], str) for value in one.get("state", {}).values())
                _check_location(one["location"])


def _check_location(location: Any) -> None:
    physical = location["physicalLocation"]
    uri = physical["artifactLocation"]["uri"]
    assert uri
    assert " " not in uri
    assert all(physical["region"][name] >= 1 for name in ("startLine", "startColumn") if name in physical["region"])
    assert "startLine" in physical["region"]
