"""The tabs of the window: one `QTabWidget` for each area, whose views are created when they are first shown."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

from PySide6.QtCore import QObject, QSize, Signal, SignalInstance
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QApplication, QTabWidget, QVBoxLayout, QWidget

from gui.icons import icon
from gui.model.current import RunModel
from gui.model.focus import Focus
from gui.model.project import Visit
from gui.model.steering import Rerun
from gui.panels import PANELS, Area, Panel
from gui.settings import Settings
from interplay.presentation.record.summary import Action

_CENTRE = (Area.SOURCE, Area.GRAPHS)


class Areas(QObject):
    """The tabs with their views. `views` are those created so far, by the name of their panel; `act` handles actions of
    views. `actions` show a panel each, by its name.

    Signals: `opened(area)` before a panel of it comes to the front; `picked(area)`: one of its tabs was double-clicked.
    """

    opened = Signal(object)
    picked = Signal(object)

    def __init__(
        self, window: QWidget, model: RunModel, focus: Focus, act: Callable[[Action | Rerun | Path | Visit], None]
    ) -> None:
        super().__init__(window)
        self._model = model
        self._focus = focus
        self._act = act
        self._front = Area.SOURCE
        self.views: dict[str, QWidget] = {}
        self.actions = {panel.name: self._action(window, panel) for panel in PANELS}
        self._pages = {panel.name: _page() for panel in PANELS}
        self._names = {page: name for name, page in self._pages.items()}
        self._tabs = {area: self._make(area) for area in Area}

    def tabs(self, area: Area) -> QTabWidget:
        """The tabs of an area, with an empty page for each panel that was not shown yet."""
        return self._tabs[area]

    def show(self, name: str) -> QWidget:
        """Bring a panel to the front, and return its view. Raises `KeyError`."""
        self.opened.emit(_panel(name).area)
        return self.select(name)

    def select(self, name: str) -> QWidget:
        """Select the tab of a panel, and return its view. Its dock stays open or closed. Raises `KeyError`."""
        self._fill(name)
        if _panel(name).area in _CENTRE:
            self._front = _panel(name).area
        page = self._pages[name]
        if _panel(name).area is Area.GRAPHS and self.is_front("project"):  # which stands alone
            self._tabs[Area.SOURCE].setCurrentWidget(self._pages["source"])
        next(tabs for tabs in self._tabs.values() if tabs.indexOf(page) >= 0).setCurrentWidget(page)
        return self.views[name]

    def is_front(self, name: str) -> bool:
        """Whether a panel is in front of the others of its tabs."""
        page = self._pages[name]
        return any(tabs.currentWidget() is page for tabs in self._tabs.values())

    def focused(self) -> Area:
        """The area that has the keyboard; that of the source if none has."""
        widget = QApplication.focusWidget()
        found = (area for area in Area if widget is not None and self._tabs[area].isAncestorOf(widget))
        return next(found, Area.SOURCE)

    def panel_in_front(self, area: Area) -> Panel:
        """The panel of an area that can be seen; the source where the area is empty."""
        tabs = self._tabs[area]
        return _panel(self._names[tabs.currentWidget()] if tabs.count() else "source")

    def join(self, joined: bool) -> None:
        """Put the graphs among the tabs of the source, or beside them. What was shown last stays in front."""
        source, graphs = self._tabs[Area.SOURCE], self._tabs[Area.GRAPHS]
        if joined is (graphs.count() == 0):
            return
        shown = [tabs.currentWidget() for tabs in (source, graphs) if tabs.count()]
        home = source if joined else graphs
        for panel in _panels(Area.GRAPHS):
            self._add(home, panel)
        if joined:
            home.setCurrentWidget(shown[_CENTRE.index(self._front)])
        elif home.indexOf(shown[0]) >= 0:
            home.setCurrentWidget(shown[0])
            source.setCurrentWidget(self._pages["source"])  # and not its neighbour

    def restore(self, settings: Settings) -> None:
        """Select the tabs that were selected in the last session."""
        for area, tabs in self._tabs.items():
            tabs.setCurrentIndex(max(0, min(settings.number(f"tab/{area.value}", 0), tabs.count() - 1)))
            self._filled(tabs, tabs.currentIndex())

    def keep(self, settings: Settings) -> None:
        for area, tabs in self._tabs.items():
            settings.put_number(f"tab/{area.value}", tabs.currentIndex())

    def _action(self, window: QWidget, panel: Panel) -> QAction:
        action = QAction(icon(panel.icon), panel.title, window)
        action.setToolTip(panel.hint)
        if panel.shortcut:
            action.setShortcut(QKeySequence(panel.shortcut))
        action.triggered.connect(lambda: self.show(panel.name).setFocus())
        window.addAction(action)
        return action

    def _make(self, area: Area) -> QTabWidget:
        tabs = QTabWidget()
        tabs.setDocumentMode(True)
        tabs.setObjectName(area.value)
        tabs.setAccessibleName(f"Panels: {area.value}")
        tabs.setIconSize(QSize(16, 16))
        for panel in _panels(area):
            self._add(tabs, panel)
        tabs.currentChanged.connect(lambda index: self._filled(tabs, index))
        tabs.tabBarDoubleClicked.connect(lambda _: self.picked.emit(area))
        return tabs

    def _add(self, tabs: QTabWidget, panel: Panel) -> None:
        index = tabs.addTab(self._pages[panel.name], icon(panel.icon), panel.title)
        keys = f" ({panel.shortcut})" if panel.shortcut else ""
        tabs.setTabToolTip(index, f"{panel.hint}{keys}; double-click: the whole window")

    def _filled(self, tabs: QTabWidget, index: int) -> None:
        if index >= 0:
            self._fill(self._names[tabs.widget(index)])

    def _fill(self, name: str) -> None:
        """Create the view of a panel, if it does not exist yet."""
        if name in self.views:
            return
        view = _panel(name).make(self._model, self._focus)
        view.setObjectName(name)
        self.views[name] = view
        asked = getattr(view, "asked", None)
        # A view that wants something done has `asked(Action | Rerun | Path | Visit)`.
        if isinstance(asked, SignalInstance):
            asked.connect(self._act)
        layout = self._pages[name].layout()
        assert layout is not None
        layout.addWidget(view)


def _page() -> QWidget:
    page = QWidget()
    QVBoxLayout(page).setContentsMargins(0, 0, 0, 0)
    return page


def _panels(area: Area) -> Iterator[Panel]:
    return (panel for panel in PANELS if panel.area is area)


def _panel(name: str) -> Panel:
    found = next((panel for panel in PANELS if panel.name == name), None)
    if found is None:
        raise KeyError(name)
    return found
