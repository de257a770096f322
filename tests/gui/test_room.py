"""Room in the window: what stands side by side, drawers, one panel maximised, the menus."""

from PySide6.QtCore import Qt
from PySide6.QtGui import QFontMetrics, QResizeEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QHBoxLayout, QLabel, QMenu, QWidget
from pytestqt.qtbot import QtBot

from gui import theme
from gui.panels import PANELS, Area
from gui.views.relayout import RelayoutBoundary
from gui.window import MainWindow


def columns_of_the_source(window: MainWindow) -> int:
    """The characters of a line that the source view has room for, without its gutter."""
    return (window.areas.tabs(Area.SOURCE).width() - 90) // QFontMetrics(theme.code_font()).horizontalAdvance("0")


def resized(qtbot: QtBot, window: MainWindow, width: int, height: int) -> None:
    def is_there() -> bool:
        window.resize(width, height)  # a drawer that closes on the way leaves more room than there was
        return window.width() == width

    qtbot.waitUntil(is_there)
    QApplication.processEvents()


def test_a_text_that_comes_just_before_a_layout_gets_its_width(qtbot: QtBot) -> None:
    """The layout that is on its way was made for the text before."""
    surroundings, label = QWidget(), QLabel("a")
    qtbot.addWidget(surroundings)
    row = QHBoxLayout(surroundings)
    boundary = RelayoutBoundary(label)
    row.addWidget(boundary)
    row.addStretch(1)
    surroundings.resize(400, 30)
    surroundings.show()
    label.setText("after 3 refinements")
    boundary.resizeEvent(QResizeEvent(boundary.size(), boundary.size()))
    qtbot.waitUntil(lambda: label.width() >= label.sizeHint().width())


def test_the_source_has_sixty_columns(qtbot: QtBot, window: MainWindow) -> None:
    window.show_panel("programgraph")
    for width, joined in ((1800, False), (1250, False), (1024, True), (1800, False)):
        resized(qtbot, window, width, 700)
        assert columns_of_the_source(window) >= 60
        assert (window.areas.tabs(Area.GRAPHS).count() == 0) is joined
    assert window.areas.tabs(Area.GRAPHS).isVisible()


def test_graphs_are_found_wherever_they_are(qtbot: QtBot, window: MainWindow) -> None:
    resized(qtbot, window, 1024, 700)
    for name in ("reachability", "source", "programgraph"):
        window.areas.actions[name].trigger()
        assert window.views[name].isVisible()


def test_a_narrow_window_has_one_drawer(qtbot: QtBot, window: MainWindow) -> None:
    tasks, details = window.docks["tasks"], window.docks["details"]
    resized(qtbot, window, 1024, 700)
    assert (tasks.isVisible(), details.isVisible()) == (True, False)
    window.show_panel("evidence")
    assert (tasks.isVisible(), details.isVisible()) == (False, True)
    tasks.toggleViewAction().trigger()
    assert (tasks.isVisible(), details.isVisible()) == (True, False)
    resized(qtbot, window, 1500, 700)
    details.toggleViewAction().trigger()
    assert (tasks.isVisible(), details.isVisible()) == (True, True)


def test_the_details_come_back_with_the_room(qtbot: QtBot, window: MainWindow) -> None:
    resized(qtbot, window, 1500, 700)
    resized(qtbot, window, 1024, 700)
    resized(qtbot, window, 1500, 700)
    assert window.docks["details"].isVisible()


def test_a_panel_gets_the_whole_window_and_gives_it_back(qtbot: QtBot, window: MainWindow) -> None:
    resized(qtbot, window, 1800, 700)
    before = [dock.isVisible() for dock in window.docks.values()]
    for area in Area:
        kept = window.areas.tabs(area)
        window.areas.picked.emit(area)
        assert kept.isVisible()
        assert not any(window.areas.tabs(other).isVisible() for other in Area if other is not area)
        QTest.keyClick(window, Qt.Key.Key_Escape)
        assert [dock.isVisible() for dock in window.docks.values()] == before
        QApplication.processEvents()
        assert all(window.areas.tabs(one).isVisible() for one in Area)
    window.areas.picked.emit(Area.SOURCE)
    window.show_panel("evidence")  # of another area, which needs its room
    assert window.views["evidence"].isVisible()
    assert window.views["source"].isVisible()


def test_a_panel_can_be_detached(window: MainWindow) -> None:
    (detach,) = (menu for menu in window.menuBar().findChildren(QMenu) if menu.title() == "Detach")
    for action in detach.actions():
        action.trigger()
    assert all(dock.isFloating() for dock in window.docks.values())
    for action in detach.actions():
        assert action.isChecked()
        action.trigger()
    assert not any(dock.isFloating() for dock in window.docks.values())


def test_menus_have_every_command_and_every_panel(window: MainWindow) -> None:
    shown = {action for menu in window.menuBar().findChildren(QMenu) for action in menu.actions()}
    assert set(window.toolbar.commands.values()) <= shown
    assert {window.areas.actions[panel.name] for panel in PANELS} <= shown


def test_each_switch_of_the_theme_is_seen(qapp: QApplication) -> None:
    theme.apply(qapp, theme.Scheme.SYSTEM)
    for _ in range(3):
        before = qapp.palette().window().color()
        theme.apply(qapp, theme.opposite(qapp))
        assert qapp.palette().window().color() != before
    theme.apply(qapp, theme.Scheme.LIGHT)
