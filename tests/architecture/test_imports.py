"""Who may import whom: the contracts of pyproject.toml, and what must hold of native libraries."""

import json
import sys
import tomllib
from functools import cache
from pathlib import Path
from typing import Any

import grimp
import pytest

from tests.architecture.commands import BIN, ROOT, run

NATIVE = ("z3", "cvc5", "dd", "pysat", "pysolvers", "pycparser")

# Modules that a contract names before they exist. A name that is neither here nor in the tree is a misspelling.
PLANNED = frozenset(
    {
        "bdd",
        "sat",
        "core.certificate",
        "core.domains",
        "core.engines",
        "core.runview",
        "core.witness",
    }
)


def exists(module: str) -> bool:
    path = ROOT.joinpath(*module.split("."))
    return path.is_dir() or path.with_suffix(".py").is_file()


@cache
def packages() -> tuple[str, ...]:
    return tuple(name for name in configuration()["root_packages"] if exists(name))


@cache
def configuration() -> dict[str, Any]:
    """The import-linter section of pyproject.toml: `Any` is what the TOML reader gives."""
    section: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["importlinter"]
    return section


def is_ours(name: str) -> bool:
    return name.partition(".")[0] in configuration()["root_packages"]


def named_modules(contract: dict[str, Any]) -> set[str]:
    layers = {name.strip() for layer in contract.get("layers", ()) for name in layer.split("|")}
    lists = ("modules", "source_modules", "forbidden_modules")
    others = {name.removesuffix(".*") for key in lists for name in contract.get(key, ())}
    return {name for name in layers | others if is_ours(name)}


def without_absent(contract: dict[str, Any]) -> dict[str, Any]:
    """The contract over the modules that exist; import-linter refuses to run on any other."""

    def kept(names: list[str]) -> list[str]:
        return [name for name in names if "*" in name or not is_ours(name) or exists(name)]

    def kept_layers(layers: list[str]) -> list[str]:
        rows = (kept([name.strip() for name in layer.split("|")]) for layer in layers)
        return [" | ".join(row) for row in rows if row]

    lists = {key: kept(contract[key]) for key in ("modules", "source_modules", "forbidden_modules") if key in contract}
    layers = {"layers": kept_layers(contract["layers"])} if "layers" in contract else {}
    return contract | lists | layers


def toml_table(header: str, values: dict[str, Any]) -> str:
    """A TOML table of strings, booleans and lists of strings, which TOML writes as JSON does."""
    return "\n".join([header, *(f"{key} = {json.dumps(value)}" for key, value in values.items()), ""])


def test_contracts_name_modules_that_exist_or_are_planned() -> None:
    named = {name for contract in configuration()["contracts"] for name in named_modules(contract)}
    assert sorted(name for name in named if not exists(name) and name not in PLANNED) == []


def test_import_contracts_hold(tmp_path: Path) -> None:
    settings = {key: value for key, value in configuration().items() if key != "contracts"}
    tables = [toml_table("[tool.importlinter]", settings | {"root_packages": packages()})]
    for contract in map(without_absent, configuration()["contracts"]):
        if contract.get("source_modules") != []:
            tables.append(toml_table("[[tool.importlinter.contracts]]", contract))
    config = tmp_path / "contracts.toml"
    config.write_text("\n".join(tables))
    run([BIN / "lint-imports", "--config", config, "--no-logo"])


@pytest.mark.parametrize("library", NATIVE)
def test_native_library_has_one_adapter(library: str) -> None:
    graph = grimp.build_graph(*packages(), include_external_packages=True)
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
    assert loaded_by("interplay", "core", "frontend") == set()


@pytest.mark.skipif(not exists("interplay.__main__"), reason="no command line yet")
def test_printing_the_version_loads_no_native_library() -> None:
    assert loaded_by("-m", "interplay", "--version") == set()


@pytest.mark.parametrize("words", [("cfa",), ("lower",), ("verify", "--stop-after", "program")], ids="-".join)
def test_looking_at_the_input_loads_no_solver(words: tuple[str, ...]) -> None:
    example = ROOT / "resources" / "examples" / "lock.c"
    assert loaded_by("-m", "interplay", *words, str(example)) == {"pycparser"}


def test_a_report_needs_neither_qt_nor_a_solver(tmp_path: Path) -> None:
    run_file = ROOT / "tests" / "golden" / "v3.interplay"
    words = ("export", str(run_file), "--html", str(tmp_path / "report.html"))
    assert loaded_by("-m", "interplay", *words) <= {"pycparser"}
