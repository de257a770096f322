"""The wheel: everything in it, and nothing but `interplay` at the top of site-packages."""

import subprocess
import sys
import venv
import zipfile
from pathlib import Path

import pytest

from tests.architecture.commands import ROOT, run

FOLDERS = ("core", "bdd", "sat", "frontend", "gui", "resources")

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    directory = tmp_path_factory.mktemp("wheel")
    run([sys.executable, "-m", "pip", "wheel", "-q", "--no-deps", "--wheel-dir", directory, ROOT])
    (built,) = directory.glob("interplay-*.whl")
    return built


def tracked_files() -> set[str]:
    listed = subprocess.run(
        ["git", "ls-files", "interplay", *FOLDERS], cwd=ROOT, capture_output=True, text=True, check=True
    )
    return {name for name in listed.stdout.splitlines() if (ROOT / name).is_file()}


def test_wheel_holds_every_tracked_file(wheel: Path) -> None:
    names = zipfile.ZipFile(wheel).namelist()
    installed = {name.removeprefix("interplay/_folders/") for name in names}
    assert sorted(tracked_files() - installed) == []


def test_wheel_installs_one_top_level_package(wheel: Path) -> None:
    tops = {name.partition("/")[0] for name in zipfile.ZipFile(wheel).namelist()}
    assert {top for top in tops if not top.endswith(".dist-info")} == {"interplay"}


def test_installed_wheel_finds_its_folders(wheel: Path, tmp_path: Path) -> None:
    venv.create(tmp_path / "venv", with_pip=True)
    python = tmp_path / "venv" / "bin" / "python"
    run([python, "-m", "pip", "install", "-q", wheel], tmp_path)
    present = [name for name in FOLDERS if (ROOT / name).is_dir()]
    imports = f"import interplay, {', '.join(present)}"
    found = run([python, "-c", f"{imports}; print(*(m.__file__ for m in ({', '.join(present)},)))"], tmp_path)
    assert all("/interplay/_folders/" in path for path in found.split())
    if (ROOT / "interplay" / "__main__.py").is_file():
        assert "0.1.0" in run([tmp_path / "venv" / "bin" / "interplay", "--version"], tmp_path)
