"""The start: quick, without a solver, and with a sentence where there can be no window."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from gui import display
from tests.architecture.test_imports import NATIVE

ROOT = Path(__file__).parents[2]
START = """
import sys
from tests.support.effort import effort
with effort() as found:
    import interplay
    from gui.app import make_application, make_window
    application = make_application()
    window = make_window()
    window.show()
    application.processEvents()
print(found.calls)
print(*sys.modules)
"""


@pytest.mark.long
def test_the_window_is_soon_there(tmp_path: Path) -> None:
    environment = {**os.environ, "QT_QPA_PLATFORM": "offscreen", "HOME": str(tmp_path)}
    done = subprocess.run(
        [sys.executable, "-c", START], cwd=ROOT, env=environment, capture_output=True, text=True, check=True
    )
    calls, modules = done.stdout.splitlines()
    assert int(calls) < 400_000  # about a second
    assert len(modules.split()) < 440
    assert {*NATIVE, "yaml"} & set(modules.split()) == set()


def test_without_a_display_a_sentence_helps() -> None:
    environment = {k: v for k, v in os.environ.items() if k not in ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM")}
    done = subprocess.run(
        [sys.executable, "-m", "interplay", "gui"],
        cwd=ROOT,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 2
    assert "no display" in done.stderr
    assert "Traceback" not in done.stderr


def test_a_missing_library_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(display, "_loads", lambda name: "cursor" not in name)
    said = display.obstacle({"DISPLAY": ":0"})
    assert said is not None
    assert "libxcb-cursor.so.0" in said
    assert "apt-get install" in said
    assert display.obstacle({"QT_QPA_PLATFORM": "offscreen"}) is None


def test_missing_qt_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda _: None)
    assert "pip install" in (display.obstacle({}) or "")
