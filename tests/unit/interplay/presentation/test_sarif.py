"""Logs of runs without a program, and of checks with every status."""

from interplay.presentation.sarif import Invocation, to_sarif
from runs.events import CheckDecided, Message, VerdictReached
from runs.runview import RunView
from tests.support.sarif_rules import check_sarif

CALLED = Invocation("0.1.0", "interplay verify 'my file.c'", {"my file.c": "int main(void) {\n  reach_error();\n}\n"})


def view(*statuses: str, verdict: str = "unknown", code: int = 5) -> RunView:
    folded = RunView()
    for number, status in enumerate(statuses):
        folded.add(CheckDecided(number, "unreach-call", "call", "my file.c", 2, 3, status, "cvc5", "because"))
    folded.add(VerdictReached(verdict, code, (), "", "", ""))
    return folded


def test_kinds_and_levels_of_results() -> None:
    (run,) = check_sarif(to_sarif(view("true", "false", "unknown", "TIMEOUT"), None, CALLED))["runs"]
    assert [one["kind"] for one in run["results"]] == ["pass", "fail", "open", "open"]
    assert [one["level"] for one in run["results"]] == ["none", "error", "none", "none"]
    assert run["results"][0]["locations"][0]["physicalLocation"] == {
        "artifactLocation": {"uri": "my%20file.c", "uriBaseId": "%SRCROOT%"},
        "region": {"startLine": 2, "startColumn": 3},
    }


def test_a_run_that_was_refused_says_so() -> None:
    refused = view(verdict="ERROR (parse error)", code=3)
    refused.add(Message("error", "expected ;", "my file.c", 2, 9))
    (run,) = check_sarif(to_sarif(refused, None, CALLED))["runs"]
    assert not run["results"]
    (invocation,) = run["invocations"]
    assert not invocation["executionSuccessful"]
    assert invocation["exitCode"] == 3
    assert [note["message"]["text"] for note in invocation["toolExecutionNotifications"]] == ["expected ;"]


def test_fingerprints_do_not_depend_on_lines_above() -> None:
    moved = Invocation("0.1.0", "", {"my file.c": "int main(void) {\n\n  reach_error();\n}\n"})
    below = RunView()
    below.add(CheckDecided(0, "unreach-call", "call", "my file.c", 3, 3, "false", "", ""))
    logs = check_sarif(to_sarif(view("false"), None, CALLED)), check_sarif(to_sarif(below, None, moved))
    first, second = (log["runs"][0]["results"][0]["partialFingerprints"] for log in logs)
    assert first == second
