"""The menu bar: all that the tool bar, the keys and the tabs do, by name."""

from __future__ import annotations

from collections.abc import Iterable

from PySide6.QtGui import QKeySequence
from PySide6.QtWidgets import QDockWidget, QMainWindow, QMenu

from gui.areas import Areas
from gui.panels import PANELS, Area
from gui.toolbar import DOCK_KEYS, Toolbar
from gui.window_layout import Room

_MENUS = (
    ("&File", ("open", "folder", "edit_here", "edit", "", "save", "report")),
    ("&Run", ("verify", "verify_all", "step_by_step", "", "pause", "step", "stop")),
    ("&Go", ("previous_round", "next_round", "first_round", "last_round", "", "previous_step", "next_step")),
)
_TITLES = {Area.SOURCE: "Source", Area.GRAPHS: "Graphs", Area.RIGHT: "Details", Area.BOTTOM: "Progress"}


def fill_menu_bar(
    window: QMainWindow, toolbar: Toolbar, areas: Areas, room: Room, docks: Iterable[QDockWidget]
) -> None:
    """Fill the menu bar of the window."""
    bar = window.menuBar()
    file, *_ = [_fill(bar.addMenu(title), toolbar, names) for title, names in _MENUS]
    file.addSeparator()
    file.addAction("Quit", QKeySequence("Ctrl+Q"), window.close)
    _fill_view(bar.addMenu("&View"), toolbar, areas, room, list(docks))
    help_menu = bar.addMenu("&Help")
    help_menu.addAction(toolbar.commands["help"])
    help_menu.addAction(areas.actions["keys"])


def _fill(menu: QMenu, toolbar: Toolbar, names: Iterable[str]) -> QMenu:
    for name in names:
        if name:
            menu.addAction(toolbar.commands[name])
        else:
            menu.addSeparator()
    return menu


def _fill_view(menu: QMenu, toolbar: Toolbar, areas: Areas, room: Room, docks: list[QDockWidget]) -> None:
    for panel in PANELS:
        menu.addAction(areas.actions[panel.name])
    menu.addSeparator()
    for dock in docks:
        toggle = dock.toggleViewAction()
        toggle.setShortcut(QKeySequence(DOCK_KEYS[dock.objectName()]))
        menu.addAction(toggle)
    detach = menu.addMenu("Detach")
    for dock in docks:
        action = detach.addAction(dock.windowTitle())
        action.setCheckable(True)
        action.triggered.connect(lambda on, one=dock: one.setFloating(on))
        dock.topLevelChanged.connect(action.setChecked)
    whole = menu.addMenu("Whole window")
    for area, title in _TITLES.items():
        whole.addAction(title, lambda one=area: room.maximise(one))
    menu.addAction("Maximise a panel, and back", QKeySequence("F11"), lambda: room.maximise(areas.focused()))
    menu.addSeparator()
    menu.addAction(toolbar.commands["theme"])
