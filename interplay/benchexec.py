"""The tool-info module for BenchExec, `<benchmark tool="interplay.benchexec" …>`; no other module needs BenchExec.

`resources/benchexec/interplay.xml` is a benchmark definition to start from.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from benchexec import result
from benchexec.tools.template import BaseTool2, UnsupportedFeatureException

_VERDICT = "VERDICT: "
_DATA_MODELS = ("ILP32", "LP64")
_KNOWN = {
    value
    for name, value in vars(result).items()
    if name.startswith(("RESULT_TRUE", "RESULT_FALSE", "RESULT_UNKNOWN")) and isinstance(value, str)
}


class Tool(BaseTool2):  # type: ignore[misc]  # BenchExec has no types
    """Runs `interplay verify` on one task."""

    REQUIRED_PATHS = ()

    def name(self) -> str:
        return "Interplay"

    def executable(self, tool_locator: Any) -> str:
        found: str = tool_locator.find_executable("interplay", subdir="bin")
        return found

    def version(self, executable: str) -> str:
        found: str = self._version_from_tool(executable, line_prefix="interplay")
        return found

    def cmdline(self, executable: str, options: Sequence[str], task: Any, rlimits: Any) -> list[str]:
        words = [
            executable,
            "verify",
            "--stop-at-first",
            *options,
            *_limits(options, rlimits),
            *_data_model(options, task),
        ]
        if task.property_file and "--property" not in options:
            words += ["--property", task.property_file]
        return [*words, task.single_input_file]

    def determine_result(self, run: Any) -> str:
        """The verdict, from the last line; a run that was interrupted may have none."""
        for line in reversed(list(run.output)):
            if line.startswith(_VERDICT):
                return _translated(line.removeprefix(_VERDICT).strip())
        if run.was_timeout:
            return "TIMEOUT"
        return f"{result.RESULT_ERROR} (no verdict)"

    def get_value_from_output(self, output: Any, identifier: str) -> str | None:
        """The text after `identifier:` at the start of a line, such as `Confirmed by`."""
        for line in output:
            if line.startswith(f"{identifier}:"):
                return str(line).partition(":")[2].strip()
        return None


def _limits(options: Sequence[str], rlimits: Any) -> list[str]:
    """The limits that BenchExec enforces, so that a run can state that it reached one."""
    words: list[str] = []
    if rlimits.cputime and "--time-limit" not in options:
        words += ["--time-limit", str(rlimits.cputime)]
    if rlimits.memory and "--memory-limit" not in options:
        words += ["--memory-limit", str(rlimits.memory // (1 << 20))]
    return words


def _data_model(options: Sequence[str], task: Any) -> list[str]:
    given = task.options.get("data_model") if isinstance(task.options, dict) else None
    if given is None or "--data-model" in options:
        return []
    if given not in _DATA_MODELS:
        raise UnsupportedFeatureException(f"the data model {given} is not supported")
    return ["--data-model", given]


def _translated(verdict: str) -> str:
    """A verdict in the words of BenchExec: of properties that it does not know, the bare `false`."""
    if verdict in _KNOWN or not verdict.startswith(("false", "unknown")):
        return verdict
    bare: str = result.RESULT_FALSE_PROP if verdict.startswith("false") else result.RESULT_UNKNOWN
    return bare
