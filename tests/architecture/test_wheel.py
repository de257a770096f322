"""The wheel: everything in it, and nothing but `interplay` at the top of site-packages."""

import zipfile
from pathlib import Path

import pytest

from tests.architecture.commands import ROOT, run

FOLDERS = ("core", "methods", "runs", "bdd", "sat", "frontend", "gui", "resources")
MANUAL = "docs"  # which F1 opens; no package

pytestmark = pytest.mark.slow


def files_of_the_checkout() -> set[str]:
    folders = (ROOT / folder for folder in ("interplay", *FOLDERS, MANUAL))
    walked = (path for folder in folders for path in folder.rglob("*") if path.is_file())
    return {path.relative_to(ROOT).as_posix() for path in walked if "__pycache__" not in path.parts}


def test_wheel_holds_every_file(wheel: Path) -> None:
    names = zipfile.ZipFile(wheel).namelist()
    installed = {name.removeprefix("interplay/_folders/") for name in names}
    assert sorted(files_of_the_checkout() - installed) == []


def test_wheel_installs_one_top_level_package(wheel: Path) -> None:
    names = [name.split("/") for name in zipfile.ZipFile(wheel).namelist()]
    # `.data` holds what goes to share/, not to site-packages.
    assert {top for top, *_ in names if not top.endswith((".dist-info", ".data"))} == {"interplay"}


def test_wheel_holds_no_tests_and_no_scripts(wheel: Path) -> None:
    names = [name.split("/") for name in zipfile.ZipFile(wheel).namelist()]
    assert {name[2] for name in names if name[:2] == ["interplay", "_folders"]} == {*FOLDERS, MANUAL}
    assert not [name for name in names if {"tests", "benchmarks", "scripts"} & set(name)]


def test_only_the_program_finds_its_folders(installed: Path, tmp_path: Path) -> None:
    python = installed / "python"
    site = run([python, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))"], tmp_path).strip()
    where = f"import {', '.join(FOLDERS)}; print({', '.join(f'{name}.__path__[0]' for name in FOLDERS)})"
    found = run([python, "-c", f"import interplay.__main__, {where.removeprefix('import ')}"], tmp_path)
    assert found.split() == [f"{site}/interplay/_folders/{name}" for name in FOLDERS]
    absent = "import interplay, importlib.util; print(*map(importlib.util.find_spec, {names!r}))"
    assert run([python, "-c", absent.format(names=FOLDERS)], tmp_path).split() == ["None"] * len(FOLDERS)
    assert "0.1.0" in run([installed / "interplay", "--version"], tmp_path)
