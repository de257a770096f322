"""The tool-info module, where BenchExec is there to take it."""

import os
import subprocess
import sys
from importlib.resources import files
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from xml.etree import ElementTree

import pytest

pytest.importorskip("benchexec")

from interplay.benchexec import Tool

ROOT = Path(__file__).parent.parent.parent.parent


def task(options: object = None, property_file: str | None = None) -> Any:
    return SimpleNamespace(single_input_file="a.c", property_file=property_file, options=options)


def limits(cputime: int | None = None, memory: int | None = None) -> Any:
    return SimpleNamespace(cputime=cputime, memory=memory)


def answer(*lines: str, timeout: bool = False) -> str:
    return Tool().determine_result(SimpleNamespace(output=list(lines), was_timeout=timeout))


def test_command_lines() -> None:
    plain = Tool().cmdline("interplay", ["--engine", "bmc"], task(), limits())
    assert plain == ["interplay", "verify", "--stop-at-first", "--engine", "bmc", "a.c"]
    full = Tool().cmdline("interplay", [], task({"data_model": "LP64"}, "p.prp"), limits(900, 15 << 30))
    assert full[2:4] == ["--time-limit", "900"]
    assert full[4:] == ["--memory-limit", "15360", "--data-model", "LP64", "--property", "p.prp", "a.c"]
    from benchexec.tools.template import UnsupportedFeatureException

    with pytest.raises(UnsupportedFeatureException, match="data model"):
        Tool().cmdline("interplay", [], task({"data_model": "LLP64"}), limits())


def test_results() -> None:
    assert answer("TRUE: …", "VERDICT: true") == "true"
    assert answer("VERDICT: false(no-overflow)") == "false(no-overflow)"
    assert answer("VERDICT: false(assertion)") == "false"
    assert answer("VERDICT: unknown (nothing to check)") == "unknown"
    assert answer("VERDICT: ERROR (unsupported)") == "ERROR (unsupported)"
    assert answer("VERDICT: OUT OF MEMORY") == "OUT OF MEMORY"
    assert answer("", timeout=True) == "TIMEOUT"
    assert answer() == "ERROR (no verdict)"
    assert Tool().get_value_from_output(["Confirmed by: cvc5 (2 edges)"], "Confirmed by") == "cvc5 (2 edges)"


def test_benchexec_takes_the_module(tmp_path: Path) -> None:
    (tmp_path / "bin").mkdir()
    tool = tmp_path / "bin" / "interplay"
    tool.write_text(f'#!/bin/sh\nPYTHONPATH={ROOT} exec {sys.executable} -m interplay "$@"\n')
    tool.chmod(0o755)
    (tmp_path / "out.log").write_text("VERDICT: false(unreach-call)\n")
    done = subprocess.run(
        [
            *(sys.executable, "-m", "benchexec.test_tool_info", "interplay.benchexec", "--no-container"),
            *("--tool-directory", str(tmp_path), "--tool-output", str(tmp_path / "out.log")),
        ],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=True,
        timeout=600,
    )
    assert "Version: “0.1.0”" in done.stderr
    assert "“false(unreach-call)”" in done.stderr
    assert "--property" in done.stderr


def test_the_benchmark_definition_names_the_module() -> None:
    text = files("resources").joinpath("benchexec", "interplay.xml").read_text()
    root = ElementTree.fromstring(text)
    assert root.attrib["tool"] == "interplay.benchexec"
    assert root.find("rundefinition/propertyfile") is not None
