"""The options panel: a widget for each option that a request describes, and what it chooses."""

from __future__ import annotations

import pytest
from PySide6.QtWidgets import QCheckBox, QComboBox, QSpinBox, QWidget
from pytestqt.qtbot import QtBot

from core.program.properties import UNDEFINED_BEHAVIOUR
from frontend.options import Acsl, ArithmeticChoice
from gui.views.options import OptionsPanel
from interplay.presentation.run_options import AUTOMATIC, DEFAULT
from interplay.session.request import REQUEST_OPTIONS, ReplayMode, Request
from methods.registry import ENGINES

TITLED = {name: option for name, option in REQUEST_OPTIONS.items() if option.title}


@pytest.fixture
def panel(qtbot: QtBot) -> OptionsPanel:
    panel = OptionsPanel(DEFAULT)
    qtbot.addWidget(panel)
    return panel


def widget(panel: OptionsPanel, name: str) -> QWidget:
    title = TITLED[name].title
    every = [one for one in panel.findChildren(QWidget) if one.accessibleName() == title]
    (found,) = every or [one for one in panel.findChildren(QCheckBox) if one.text() == title]
    return found


@pytest.mark.parametrize("name", TITLED)
def test_every_option_has_a_widget_that_explains_itself(panel: OptionsPanel, name: str) -> None:
    assert widget(panel, name).accessibleDescription().partition(" Usual: ")[0] == TITLED[name].sentence


def test_a_panel_that_nobody_touched_asks_for_the_defaults(panel: OptionsPanel) -> None:
    assert panel.chosen == DEFAULT


def test_engines_are_those_of_the_registry(panel: OptionsPanel) -> None:
    assert [panel.engine.itemText(i) for i in range(panel.engine.count())] == [AUTOMATIC, *ENGINES]


def test_what_is_chosen_is_asked_for_and_shown_again(panel: OptionsPanel, qtbot: QtBot) -> None:
    numbers = {"time_limit": 60, "memory_limit": 1000, "seed": 7}
    texts = {"data_model": "LP64", "arithmetic": "bitvectors", "acsl": "ignored"}
    for name, number in numbers.items():
        box = widget(panel, name)
        assert isinstance(box, QSpinBox)
        box.setValue(number)
    for name, text in texts.items():
        combo = widget(panel, name)
        assert isinstance(combo, QComboBox)
        combo.setCurrentText(text)
    for name in ("replay", "checks"):
        check = widget(panel, name)
        assert isinstance(check, QCheckBox)
        check.toggle()
    expected = Request(
        "",
        engine=AUTOMATIC,
        time_limit=60.0,
        memory_limit=1000,
        seed=7,
        data_model="LP64",
        arithmetic=ArithmeticChoice.BITVECTORS,
        acsl=Acsl.IGNORED,
        replay=ReplayMode.INTERPRETER,
        checks=tuple(UNDEFINED_BEHAVIOUR),
    )
    assert panel.chosen == expected
    again = OptionsPanel(expected)
    qtbot.addWidget(again)
    for name in (*numbers, *texts, "replay", "checks"):
        assert _shown(widget(again, name)) == _shown(widget(panel, name))


def test_what_is_unset_again_is_not_asked_for(panel: OptionsPanel) -> None:
    limit, model = widget(panel, "time_limit"), widget(panel, "data_model")
    assert isinstance(limit, QSpinBox)
    assert isinstance(model, QComboBox)
    limit.setValue(0)
    model.setCurrentText("LP64")
    model.setCurrentIndex(0)
    assert (panel.chosen.time_limit, panel.chosen.data_model) == (None, None)
    assert (limit.text(), model.currentText()) == ("no limit", TITLED["data_model"].unset)


def _shown(widget: QWidget) -> object:
    match widget:
        case QSpinBox():
            return widget.text()
        case QComboBox():
            return widget.currentText()
        case QCheckBox():
            return widget.isChecked()
        case _:
            raise AssertionError(widget)
