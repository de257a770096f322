"""Scrubbing paints only what differs between two moments: what is in sight must be what painting all of it shows."""

from pathlib import Path

import pytest
from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QApplication, QHBoxLayout, QLabel, QTabWidget, QWidget
from pytestqt.qtbot import QtBot

from benchmarks.workbench import made_up_run
from gui.views.programgraph import ProgramGraphView
from gui.views.reachability import ReachabilityView
from gui.views.relayout import RelayoutBoundary
from gui.window import MainWindow

ROUNDS = 100
MOMENTS = (0, 1, 2, 50, 51, 52, 40, 39, None, 99, 98, 52)
ROUNDING = 2  # of 255: edges that are smoothed come out so far apart, depending on what is painted with them


@pytest.fixture
def large(qtbot: QtBot, window: MainWindow, tmp_path: Path) -> MainWindow:
    """A window with a run whose timeline and graph are larger than what is in sight."""
    window.resize(1500, 920)
    window.open_paths([made_up_run(tmp_path, 1_000, ROUNDS)[0]])
    view = window.show_panel("reachability")
    assert isinstance(view, ReachabilityView)
    qtbot.waitUntil(lambda: view.tree is not None)
    return window


def settle() -> None:
    for _ in range(3):  # what is laid out asks for more
        QApplication.processEvents()


def in_sight(window: MainWindow) -> QImage:
    settle()
    return window.screen().grabWindow(window.winId()).toImage()


def line(image: QImage, y: int) -> bytes:
    found = image.constScanLine(y)
    assert isinstance(found, memoryview)
    return found.tobytes()


def far_apart(one: QImage, other: QImage) -> list[tuple[int, int, int]]:
    """Lines and bytes that differ by more than rounding does."""
    found: list[tuple[int, int, int]] = []
    for y in range(one.height()):
        a, b = line(one, y), line(other, y)
        if a != b:
            pairs = enumerate(zip(a, b, strict=True))
            found += [(y, at, x - z) for at, (x, z) in pairs if abs(x - z) > ROUNDING]
    return found


@pytest.mark.long
@pytest.mark.parametrize("panels", [("path", "timeline"), ("predicates", "timeline"), ("evidence", "programgraph")])
def test_each_moment_is_in_sight_as_if_all_were_painted_anew(
    qtbot: QtBot, large: MainWindow, panels: tuple[str, str]
) -> None:
    for name in panels:
        large.show_panel(name)
    graph = large.views.get("programgraph")
    if isinstance(graph, ProgramGraphView):
        qtbot.waitUntil(lambda: graph.chart is not None)
    record = large.model.record
    assert record is not None
    places = [node.place for node in record.attempt().states.nodes.values()]
    for number in MOMENTS:
        large.focus.go_to_round(number)
        if number in (51, 39):
            large.focus.go_to_place(places[number])
        if number == 40:
            large.focus.go_to_step(7)
        shown = in_sight(large)
        assert not far_apart(shown, large.grab().toImage().convertToFormat(shown.format())), number


class LaidOut(QObject):
    """Counts the tabs that are laid out, and so painted as a whole."""

    def __init__(self) -> None:
        super().__init__()
        self.count = 0

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802 - Qt's name
        self.count += isinstance(watched, QTabWidget) and event.type() == QEvent.Type.LayoutRequest
        return False


@pytest.mark.long
def test_hardly_any_moment_has_the_window_laid_out(qapp: QApplication, large: MainWindow) -> None:
    for name in ("path", "timeline"):
        large.show_panel(name)
    large.focus.go_to_round(50)
    in_sight(large)
    laid_out = LaidOut()
    qapp.installEventFilter(laid_out)
    for number in range(51, 60):
        large.focus.go_to_round(number)
        in_sight(large)
    qapp.removeEventFilter(laid_out)
    assert laid_out.count <= 3  # a text may need more width once


def test_room_grows_with_its_label(qtbot: QtBot) -> None:
    window, label = QWidget(), QLabel("some words")
    layout = QHBoxLayout(window)
    layout.addWidget(RelayoutBoundary(label))
    layout.addStretch(1)
    qtbot.addWidget(window)
    window.resize(600, 40)
    window.show()
    settle()
    assert label.width() == label.sizeHint().width()
    label.setText("some words that are longer")
    settle()
    assert label.width() == label.sizeHint().width()
    before = label.geometry()
    label.setText("fewer")
    settle()
    assert label.geometry() == before
    label.setText("one\ntwo\nthree")
    settle()
    assert label.height() >= label.sizeHint().height()


def test_room_goes_away_with_its_label(qtbot: QtBot) -> None:
    window, label = QWidget(), QLabel("some words")
    room = RelayoutBoundary(label)
    layout = QHBoxLayout(window)
    layout.addWidget(room)
    layout.addWidget(QLabel("more"), 1, Qt.AlignmentFlag.AlignLeft)
    qtbot.addWidget(window)
    label.hide()
    window.show()
    assert room.isHidden()
    label.show()
    assert room.isVisible()
    assert label.isVisible()
    label.hide()
    assert not room.isVisible()
