"""The wheel, and a fresh environment that has it: built once a process."""

import sys
import venv
from pathlib import Path

import pytest

from tests.architecture.commands import ROOT, run


@pytest.fixture(scope="session")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    directory = tmp_path_factory.mktemp("wheel")
    run([sys.executable, "-m", "pip", "wheel", "-q", "--no-deps", "--wheel-dir", directory, ROOT])
    (built,) = directory.glob("interplay-*.whl")
    return built


@pytest.fixture(scope="session")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of programs of an environment into which the wheel is installed."""
    environment = tmp_path_factory.mktemp("installed")
    venv.create(environment)
    run([sys.executable, "-m", "pip", "--python", environment / "bin" / "python", "install", "-q", wheel], environment)
    return environment / "bin"
