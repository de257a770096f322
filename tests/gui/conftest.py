"""The window without a screen: the platform is set before Qt is imported. Tests give workers that need no solver."""

import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

os.environ["QT_QPA_PLATFORM"] = "offscreen"

import pytest
from PySide6.QtCore import QEvent
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from gui.app import make_application
from gui.garbage import Collector
from gui.model.current import RunState
from gui.settings import Settings
from gui.window import MainWindow
from tests.support.fake_worker import WORKER

ROOT = Path(__file__).parents[2]
GOLDEN = ROOT / "tests" / "golden" / "v3.interplay"
EXAMPLES = ROOT / "resources" / "examples"
PATIENCE = 120_000  # milliseconds


@pytest.fixture(scope="session")
def qapp() -> QApplication:
    return make_application()


@pytest.fixture(autouse=True)
def collector(qapp: QApplication) -> Iterator[Collector]:
    """Collects garbage instead of Python, but in tests of windows alone: it looks at what others have frozen, too."""
    found = qapp.findChild(Collector)
    assert isinstance(found, Collector)
    found.start()
    yield found
    found.stop()


@pytest.fixture(autouse=True)
def no_leftovers(qapp: QApplication, collector: Collector) -> None:
    """Widgets of earlier tests wait for their end; with them, every change of theme would take longer."""
    qapp.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)
    collector.look()
    assert not [widget for widget in qapp.topLevelWidgets() if isinstance(widget, MainWindow)], "use deleteLater()"


class PatientBot(QtBot):
    """Waits as long as a busy machine may need: a bound costs time only where it fails."""

    def waitUntil(self, callback: Callable[[], bool | None], *, timeout: int = PATIENCE) -> None:  # noqa: N802
        super().waitUntil(callback, timeout=timeout)

    def waitSignal(self, signal: object, *, timeout: int = PATIENCE, **more: Any) -> Any:  # noqa: N802
        return super().waitSignal(signal, timeout=timeout, **more)


@pytest.fixture
def qtbot(no_leftovers: None, request: pytest.FixtureRequest) -> QtBot:  # noqa: ARG001 - it needs the application
    return PatientBot(request)


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return Settings(tmp_path / "settings.ini")


@pytest.fixture
def window(qtbot: QtBot, settings: Settings, tmp_path: Path) -> Iterator[MainWindow]:
    """A window whose workers are fakes, and whose runs go to a folder of the test."""
    settings.put_text("theme", "light")
    one = MainWindow(settings, WORKER, tmp_path / "runs")
    qtbot.addWidget(one)
    one.resize(1500, 920)
    one.room.fit()
    one.show()
    yield one
    one.runner.shut_down()


@pytest.fixture
def program(tmp_path: Path) -> Callable[[str], Path]:
    """Makes a task for the fake worker: a file with one word."""

    def make(word: str) -> Path:
        path = tmp_path / f"{word}.c"
        path.write_text(f"{word}\n")
        return path

    return make


def verified(qtbot: QtBot, window: MainWindow, path: Path) -> None:
    """Open a program, verify its first property, wait for the end."""
    window.open_paths([path])
    window.verify(window.tasks.all_properties()[:1])
    qtbot.waitUntil(lambda: window.runner.state is RunState.IDLE)
