"""Texts have their room: tables break lines, bars follow the theme, and rounds that are open are said to be open."""

from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QColor
from PySide6.QtWidgets import QApplication, QHeaderView, QLabel, QToolButton, QTreeView
from pytestqt.qtbot import QtBot

from gui import theme
from gui.panels import PANELS
from gui.theme import DARK, LIGHT, Colours
from gui.views.chooser import chooser
from gui.views.labels import Sentence
from gui.views.table import RowsTable
from gui.views.tablecells import TableCell
from gui.views.toned import TonedBar
from gui.window import MainWindow
from interplay.presentation.record.evidence import heading
from interplay.presentation.record.run import RunRecord
from interplay.presentation.record.summary import Tone, banner
from interplay.presentation.record.timeline import columns
from interplay.session.request import Request
from runs.events import AttemptStarted, CheckDecided, PhaseStarted, RoundStarted, VerdictReached
from runs.runview import RunView
from tests.gui.conftest import GOLDEN, verified

Program = Callable[[str], Path]
LONG = "a->next->next->value == b->next->previous->value && something"


def test_long_texts_are_broken_into_lines(qtbot: QtBot) -> None:
    table = RowsTable("Rows")
    qtbot.addWidget(table)
    table.resize(420, 200)
    table.show()
    table.content.show((("Line", ""), ("Text", ""), ("Value", "")), [tuple(map(TableCell, ("1", LONG, LONG)))])
    table.widths(40, 0, 0)
    header = table.horizontalHeader()
    assert sum(header.sectionSize(column) for column in range(3)) <= table.viewport().width()
    broken = table.rowHeight(0)
    assert broken > 30
    table.resize(2400, 200)
    assert table.rowHeight(0) < broken


def background(widget: TonedBar) -> str:
    return widget.grab().toImage().pixelColor(3, 3).name()


@pytest.mark.long
def test_bars_follow_a_change_of_theme(qtbot: QtBot, window: MainWindow, qapp: QApplication, program: Program) -> None:
    verified(qtbot, window, program("false"))
    window.show_error("a sentence")
    window.show_panel("path")
    bars = [one for one in window.findChildren(TonedBar) if one.isVisible()]
    assert len(bars) == 3
    schemes: tuple[tuple[theme.Scheme, Colours], ...] = (
        (theme.Scheme.LIGHT, LIGHT),
        (theme.Scheme.DARK, DARK),
        (theme.Scheme.LIGHT, LIGHT),
    )
    for scheme, colours in schemes:
        theme.apply(qapp, scheme)
        backs = {QColor(colours.bad_back).name(), QColor(colours.open_back).name()}
        assert {background(one) for one in bars} == backs


def test_columns_of_a_dialog_fit(window: MainWindow) -> None:
    dialog = chooser(window, "Open")
    for tree in dialog.findChildren(QTreeView):
        assert tree.header().sectionResizeMode(0) is QHeaderView.ResizeMode.Stretch
    dialog.deleteLater()


def running() -> RunRecord:
    view = RunView()
    record = RunRecord(Request("a.c", time_limit=60.0), view)
    record.live = True
    for event in (AttemptStarted(0, "bmc", (), (0, 1)), RoundStarted(0, "start"), PhaseStarted("explore")):
        view.add(event, 1.0)
    return record


def test_a_round_that_is_open_is_said_to_be_open() -> None:
    record = running()
    record.cpu, record.passed = 15.0, 9.0
    (column,) = columns(record)
    assert "no path so far" in column.sentence
    assert column.seconds == pytest.approx(8.0), "it grows without events"
    shown = banner(record)
    assert shown.headline.endswith("15 of 60 s of processor time (25 %, ends at the limit of 60 s)")
    assert shown.rests_on == "bmc: exploring, in round 1"


def test_what_was_confirmed_before_a_stop_is_confirmed() -> None:
    record = running()
    proof = "an inductive invariant"
    record.view.add(CheckDecided(0, "unreach-call", "assert(x)", "a.c", 3, 1, "true", proof, ""), 2.0)
    record.view.add(CheckDecided(1, "unreach-call", "assert(y)", "a.c", 4, 1, "unknown", "", "interrupted"), 2.0)
    record.view.add(VerdictReached("unknown (interrupted)", 5, (), "", "interrupted", ""), 2.0)
    assert heading(record) == "There is an answer to 1 of 2 checks, and none to the others."
    assert banner(record).rests_on == "Confirmed: 1 of 2 checks. Open: a.c:4: assert(y)"
    assert banner(record).tone is Tone.UNKNOWN
    assert "cut off" in columns(record)[-1].sentence


def test_options_have_no_more_room_than_the_panel(window: MainWindow) -> None:
    window.show_options()
    (advanced,) = (button for button in window.options.findChildren(QToolButton) if button.text() == "Advanced")
    advanced.click()
    inside = window.options.widget()
    assert inside.minimumSizeHint().width() <= window.options.viewport().width()
    assert window.options.horizontalScrollBarPolicy() is Qt.ScrollBarPolicy.ScrollBarAlwaysOff


@pytest.mark.long
def test_no_panel_makes_the_window_grow(window: MainWindow) -> None:
    """A small screen has all of it: what needs more room scrolls."""
    window.resize(1024, 700)
    window.open_paths([GOLDEN.with_stem("v5")])
    for panel in PANELS:
        window.show_panel(panel.name)
        hint = window.minimumSizeHint()
        assert (hint.width() <= 1024, hint.height() <= 700) == (True, True), panel.name


def test_options_and_operators_are_not_broken(qtbot: QtBot) -> None:
    label = Sentence()
    qtbot.addWidget(label)
    label.setText("add --check bounds, i++")
    assert label.text() == "add --check bounds, i++"
    assert "--check" not in QLabel.text(label)
