"""The manual stands behind F1, at the panel with the keyboard; words that engines mean otherwise are explained."""

from pathlib import Path

import pytest
from PySide6.QtGui import QTextDocument

from gui.panels import PANELS, Area, Panel
from gui.toolbar import DOCK_KEYS, shortcuts
from gui.views.manual import MANUAL, ManualView
from gui.window import MainWindow
from interplay.presentation.record.engine_words import EngineWord, engine_words
from interplay.presentation.record.run import RunRecord
from interplay.session.request import Request
from methods.registry import ENGINES
from runs.events import AttemptStarted
from runs.runview import RunView


@pytest.mark.parametrize("panel", PANELS, ids=lambda panel: panel.name)
def test_the_manual_speaks_of_each_panel(panel: Panel) -> None:
    document = QTextDocument()
    document.setMarkdown(MANUAL.read_text(encoding="utf-8"))
    blocks = document.toPlainText().splitlines()
    assert panel.help
    assert any(block.startswith(panel.help) for block in blocks), panel.help


def test_f1_opens_the_manual_at_the_panel(window: MainWindow) -> None:
    window.show_panel("batch").setFocus()
    window.areas.tabs(Area.BOTTOM).setFocus()
    window.toolbar.commands["help"].trigger()
    manual = window.views["manual"]
    assert isinstance(manual, ManualView)
    assert manual.isVisible()
    assert manual.text.verticalScrollBar().value() > 0
    assert manual.show_section("Keys")
    assert not manual.show_section("There is no such paragraph")


def test_pictures_of_the_manual_are_there(window: MainWindow) -> None:
    manual = window.show_panel("manual")
    assert isinstance(manual, ManualView)
    picture = manual.text.loadResource(QTextDocument.ResourceType.ImageResource.value, "pictures/start.png")
    assert 0 < picture.width() <= 540  # type: ignore[attr-defined]


def test_keys_of_docks_stand_once(window: MainWindow) -> None:
    given = {name: dock.toggleViewAction().shortcut().toString() for name, dock in window.docks.items()}
    assert given == DOCK_KEYS
    assert set(given.values()) <= {keys for keys, _ in shortcuts()}


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("word", EngineWord)
def test_words_of_every_engine_are_explained(engine: str, word: EngineWord) -> None:
    view = RunView()
    view.add(AttemptStarted(1, engine, (), ()))
    said = engine_words(RunRecord(Request("x.c"), view), 1, word)
    assert engine in said
    assert said.endswith(".")


def test_the_documentation_is_part_of_the_wheel() -> None:
    project = (Path(__file__).parents[2] / "pyproject.toml").read_text(encoding="utf-8")
    assert 'docs = "interplay/_folders/docs"' in project
