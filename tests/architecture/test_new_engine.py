"""A new engine is a folder and a name in the registry: a toy engine in a copy of the checkout is known at once."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.architecture.commands import ROOT

CODE = ("core", "methods", "runs", "bdd", "sat", "frontend", "interplay", "gui")
PACKAGES = (*CODE, "resources", "tests/contract", "tests/support")

DESCRIPTION = '''"""The engine `toy`: it knows nothing."""

from dataclasses import dataclass, field
from enum import StrEnum

from methods.engine import EngineDescription
from methods.options import EngineOptions


class Mood(StrEnum):
    """What the engine is like."""

    CALM = "calm"
    WILD = "wild"


@dataclass(frozen=True, slots=True)
class ToyOptions(EngineOptions):
    """The options of the engine `toy`."""

    mood: Mood = field(default=Mood.CALM, metadata={"help": "how it feels"})


DESCRIPTION = EngineDescription(
    name="toy",
    method="giving up",
    source="nobody",
    implementation="methods.engines.toy.engine:ToyEngine",
    options=ToyOptions,
    round="none",
    node="none",
    lemma="none",
)
'''

ENGINE = '''"""The engine `toy`."""

from methods.engine import Supported
from methods.options import read_options
from methods.engines.toy import ToyOptions
from core.verdict import Unknown


class ToyEngine:
    """The engine `toy`; implements `methods.engine.Engine`."""

    name = "toy"

    def supports(self, program):
        return Supported()

    def run(self, program, checks, context):
        context.limits.check()
        mood = read_options(ToyOptions, context.options).mood
        return dict.fromkeys(checks, Unknown(f"a {mood} toy knows nothing"))
'''

WINDOW = """
from PySide6.QtWidgets import QApplication, QComboBox, QMainWindow
from gui.toolbar import Toolbar
from gui.views.options import OptionsPanel
from interplay.presentation.run_options import DEFAULT

application = QApplication([])
panel, window = OptionsPanel(DEFAULT), QMainWindow()
toolbar = Toolbar(window)
for box in (panel.engine, toolbar.engine):
    print([box.itemText(i) for i in range(box.count())])
panel.choose_engine("toy")
boxes = {box.accessibleName(): box for box in panel.findChildren(QComboBox)}
print([boxes["Mood"].itemText(i) for i in range(boxes["Mood"].count())])
"""

PLAN = """
from interplay.portfolio.plan import plan_for
from tests.support.small_programs import counting_loop

print(dict(plan_for(counting_loop(10)).left_out)["toy"])
"""

PROGRAM = "extern void reach_error(void); int main(void) { int x = 1; if (x > 1) reach_error(); return 0; }\n"


@pytest.fixture(scope="module")
def checkout(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The checkout with one folder and one name more."""
    folder = tmp_path_factory.mktemp("checkout")
    for package in PACKAGES:
        shutil.copytree(ROOT / package, folder / package, ignore=shutil.ignore_patterns("__pycache__"))
    for file in ("pyproject.toml", "tests/conftest.py"):
        shutil.copy(ROOT / file, folder / file)
    toy = folder / "methods" / "engines" / "toy"
    toy.mkdir()
    (toy / "__init__.py").write_text(DESCRIPTION)
    (toy / "engine.py").write_text(ENGINE)
    registry = folder / "methods" / "registry.py"
    before = registry.read_text()
    after = before.replace("_NAMES = (", '_NAMES = ("toy", ', 1)
    assert after != before
    registry.write_text(after)
    return folder


def run(checkout: Path, *words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, *words],
        cwd=checkout,
        env={**os.environ, "PYTHONPATH": str(checkout), "QT_QPA_PLATFORM": "offscreen", "COLUMNS": "200"},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )


@pytest.mark.long
def test_the_command_line_has_it(checkout: Path) -> None:
    text = " ".join(run(checkout, "-m", "interplay", "verify", "--help").stdout.split())
    assert "--engine {portfolio,toy," in text
    assert "toy: mood=calm|wild: how it feels" in text
    (checkout / "program.c").write_text(PROGRAM)
    done = run(checkout, "-m", "interplay", "verify", "program.c", "--engine", "toy", "--option", "mood=wild")
    assert "a wild toy knows nothing" in done.stdout, done.stderr
    assert done.returncode == 5


def test_the_window_has_it(checkout: Path) -> None:
    done = run(checkout, "-c", WINDOW)
    panel, toolbar, mood = done.stdout.splitlines() or [done.stderr] * 3
    assert "'toy'" in panel
    assert "'toy'" in toolbar
    assert mood == "['calm', 'wild']"


def test_the_portfolio_leaves_it_out_and_says_why(checkout: Path) -> None:
    done = run(checkout, "-c", PLAN)
    assert done.stdout.strip() == "no rule of the plan names it", done.stderr


@pytest.mark.long
def test_the_contract_tests_have_it(checkout: Path) -> None:
    every = run(checkout, "-m", "pytest", "-q", "--collect-only", "tests/contract/test_engines.py", "-k", "toy")
    assert every.stdout.count("[toy-") > 20, every.stdout + every.stderr
    few = ("-k", "toy and (straight or counting or rounds or twice or without)", "-p", "no:cacheprovider")
    done = run(checkout, "-m", "pytest", "-q", "tests/contract/test_engines.py", *few)
    assert done.returncode == 0, done.stdout + done.stderr
    assert " passed" in done.stdout
