"""Import rules: the contracts of pyproject.toml, and one adapter for each native library."""

import os
import shutil
import subprocess
import sys
from functools import cache
from graphlib import TopologicalSorter
from pathlib import Path

import grimp
import pytest

from tests.architecture.commands import BIN, ROOT, run

NATIVE = ("z3", "cvc5", "bitwuzla", "dd", "pysat", "pysolvers", "pycparser", "pcpp")

PACKAGES = ("gui", "interplay", "frontend", "methods", "runs", "core", "bdd", "sat")
MAX_LOOSE = 8  # files of a folder that is divided into rooms


@cache
def imports() -> grimp.ImportGraph:
    """Every import of the product, those inside of functions and of type checking too."""
    return grimp.build_graph(*PACKAGES, include_external_packages=True)


def test_import_contracts_hold() -> None:
    run([BIN / "lint-imports", "--no-logo"])


UPWARD = {
    "core/program/span.py": "methods.engines.transition",
    "core/solver/contract.py": "core.certificate.check",
    "interplay/session/request.py": "interplay.process.control",
    "interplay/presentation/text.py": "gui.theme",
    "methods/engines/bmc/search.py": "methods.engines.chc",
    "frontend/interpreter/machine.py": "frontend.lowering.unit",
}


@pytest.mark.long
def test_upward_imports_break_contracts(tmp_path: Path) -> None:
    for package in PACKAGES:
        shutil.copytree(ROOT / package, tmp_path / package, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    for module, upward in UPWARD.items():
        with (tmp_path / module).open("a") as file:
            file.write(f"\nimport {upward}\n")
    done = subprocess.run(
        [BIN / "lint-imports", "--no-logo", "--no-cache"],
        cwd=tmp_path, env={**os.environ, "PYTHONPATH": str(tmp_path)}, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 1
    for module, upward in UPWARD.items():
        assert f"{module.removesuffix('.py').replace('/', '.')} -> {upward}" in done.stdout


def test_no_files_import_each_other_in_a_circle() -> None:
    graph = imports()
    TopologicalSorter({module: graph.find_modules_directly_imported_by(module) for module in graph.modules}).prepare()


@pytest.mark.parametrize("folder", ["core", "frontend", "interplay", "methods"])
def test_every_file_stands_in_a_room(folder: str) -> None:
    assert len(list((ROOT / folder).glob("*.py"))) <= MAX_LOOSE


@pytest.mark.parametrize("library", NATIVE)
def test_native_library_has_one_adapter(library: str) -> None:
    graph = imports()
    importers = graph.find_modules_that_directly_import(library) if library in graph.modules else set()
    assert len(importers) <= 1, f"{library} is imported in {sorted(importers)}"


def loaded_by(*arguments: str) -> set[str]:
    """The heavy libraries in `sys.modules` after Python ran with `arguments` in the checkout."""
    heavy = {*NATIVE, "PySide6"}
    lines = run([sys.executable, "-c", PROBE, *arguments]).splitlines()
    return heavy & set(lines[-1].split())


PROBE = """
import atexit, runpy, sys
atexit.register(lambda: print(*sys.modules))
if sys.argv[1] == "-m":
    del sys.argv[1]
    runpy.run_module(sys.argv.pop(1), run_name="__main__", alter_sys=True)
else:
    for name in sys.argv[1:]:
        __import__(name)
"""


def test_packages_load_no_native_library() -> None:
    assert loaded_by("interplay", "core", "methods", "runs", "frontend") == set()


def test_printing_the_version_loads_no_native_library() -> None:
    assert loaded_by("-m", "interplay", "--version") == set()


@pytest.mark.long
@pytest.mark.parametrize("words", [("cfa",), ("lower",), ("verify", "--stop-after", "program")], ids="-".join)
def test_looking_at_the_input_loads_no_solver(words: tuple[str, ...]) -> None:
    example = ROOT / "resources" / "examples" / "lock.c"
    assert loaded_by("-m", "interplay", *words, str(example)) == {"pycparser"}


def test_a_report_needs_neither_qt_nor_a_solver(tmp_path: Path) -> None:
    run_file = ROOT / "tests" / "golden" / "v3.interplay"
    words = ("export", str(run_file), "--html", str(tmp_path / "report.html"))
    assert loaded_by("-m", "interplay", *words) <= {"pycparser"}


FORKS = """
import os, runpy, sys

def tell():
    with open(path, "a") as file:
        print(*sys.modules, file=file)

path = sys.argv.pop(1)
os.register_at_fork(before=tell)
del sys.argv[0]
runpy.run_module("interplay", run_name="__main__", alter_sys=True)
"""

LATER = (
    "core.certificate",
    "core.decision",
    "sat",
    "frontend.interpreter",
    "frontend.replay",
    "methods.paths",
    "tomllib",
)
"""What the start of a run has no use for; an attempt imports what it needs."""


@pytest.mark.long
def test_a_run_imports_what_it_needs_and_no_more(tmp_path: Path) -> None:
    forks = tmp_path / "forks"
    run(
        [
            sys.executable,
            "-c",
            FORKS,
            str(forks),
            "interplay",
            "verify",
            str(ROOT / "resources" / "examples" / "lock.c"),
        ]
    )
    before_worker, before_attempt, *_ = (set(line.split()) for line in forks.read_text("utf-8").splitlines())
    rooms = {name for name in before_attempt if name.startswith(tuple(f"{one}." for one in LATER))}
    assert rooms | (before_attempt & {*LATER, *NATIVE}) == {"pycparser"}
    assert not {
        name for name in before_worker if name.startswith(("frontend.lowering", "frontend.elaboration", "pycparser"))
    }
    assert len(before_worker) < 260
    assert len(before_attempt) < 450
