"""Packages of others that are called like our folders: each side gets its own."""

import os
import subprocess
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.architecture.commands import BIN, ROOT

NAMES = ("core", "frontend")
PROGRAM = "extern void reach_error(void);\nint main(void) { int x = 1; if (x > 1) reach_error(); return 0; }\n"
SCRIPT = """
import sys
before = list(sys.path)
import interplay
import core.engine, frontend
print(core.OWNER, core.engine.OWNER, frontend.OWNER)
print(interplay.verify("program.c").status)
print(sys.path == before)
"""


@dataclass(frozen=True)
class Installation:
    """A way to have Interplay: the folder of its programs, and what must be on the path besides."""

    programs: Path
    path: tuple[Path, ...] = ()

    def output(self, folder: Path, program: str, *words: str) -> str:
        """The output of a program of the installation in `folder`, which is on its path as well."""
        environment = {**os.environ, "PYTHONPATH": os.pathsep.join(map(str, (folder, *self.path)))}
        done = subprocess.run(
            [self.programs / program, *words], cwd=folder, env=environment, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done.stderr
        return done.stdout


@pytest.fixture(params=["checkout", pytest.param("wheel", marks=pytest.mark.slow)])
def installation(request: pytest.FixtureRequest) -> Installation:
    if request.param == "wheel":
        return Installation(request.getfixturevalue("installed"))
    return Installation(BIN, (ROOT,))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """The folder of somebody else's script, with packages of its own."""
    for name in NAMES:
        (tmp_path / name).mkdir()
        (tmp_path / name / "__init__.py").write_text("OWNER = 'script'\n")
        (tmp_path / name / "engine.py").write_text("OWNER = 'script'\n")
    (tmp_path / "script.py").write_text(SCRIPT)
    (tmp_path / "program.c").write_text(PROGRAM)
    return tmp_path


def test_a_script_keeps_its_packages_and_its_path(installation: Installation, folder: Path) -> None:
    printed = installation.output(folder, "python", "script.py").splitlines()
    assert printed == ["script script script", "true", "True"]


@pytest.mark.long
@pytest.mark.parametrize("command", [("python", "-m", "interplay"), ("interplay",)], ids=" ".join)
def test_the_command_works_beside_foreign_packages(
    installation: Installation, folder: Path, command: tuple[str, ...]
) -> None:
    printed = installation.output(folder, *command, "verify", "program.c", "--quiet")
    assert printed == "VERDICT: true\n"
