"""The wheel: everything in it, and nothing but `interplay` at the top of site-packages."""

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


def files_of_the_checkout() -> set[str]:
    walked = (path for folder in ("interplay", *FOLDERS) for path in (ROOT / folder).rglob("*") if path.is_file())
    return {path.relative_to(ROOT).as_posix() for path in walked if "__pycache__" not in path.parts}


def test_wheel_holds_every_file(wheel: Path) -> None:
    names = zipfile.ZipFile(wheel).namelist()
    installed = {name.removeprefix("interplay/_folders/") for name in names}
    assert sorted(files_of_the_checkout() - installed) == []


def test_wheel_installs_one_top_level_package(wheel: Path) -> None:
    tops = {name.partition("/")[0] for name in zipfile.ZipFile(wheel).namelist()}
    # `.data` holds what goes to share/, not to site-packages.
    assert {top for top in tops if not top.endswith((".dist-info", ".data"))} == {"interplay"}


def test_installed_wheel_finds_its_folders(wheel: Path, tmp_path: Path) -> None:
    venv.create(tmp_path / "venv", with_pip=True)
    python = tmp_path / "venv" / "bin" / "python"
    run([python, "-m", "pip", "install", "-q", wheel], tmp_path)
    present = [name for name in FOLDERS if (ROOT / name).is_dir()]
    where = f"import interplay, {', '.join(present)}; print({', '.join(f'{name}.__path__[0]' for name in present)})"
    site = run([python, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))"], tmp_path).strip()
    assert run([python, "-c", where], tmp_path).split() == [f"{site}/interplay/_folders/{name}" for name in present]
    if (ROOT / "interplay" / "__main__.py").is_file():
        assert "0.1.0" in run([tmp_path / "venv" / "bin" / "interplay", "--version"], tmp_path)
