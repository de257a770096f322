"""Room for the panels: what stands side by side in a window of this size, and one area that has all of it."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtCore import QByteArray, QEvent, QObject, Qt
from PySide6.QtGui import QFontMetrics
from PySide6.QtWidgets import QDockWidget, QMainWindow, QSplitter, QWidget

from gui.areas import Areas
from gui.panels import Area
from gui.settings import Settings
from gui.theme import code_font
from gui.toolbar import Toolbar

_LAYOUT_VERSION = 1
_LEFT, _RIGHT = 280, 370  # pixels of the side panels at first
NARROW = 1300
"""The width in pixels below which one panel at a time stands beside the source."""
_MARGIN = 8  # pixels around the tabs of a panel
_COLUMNS = 60  # of the source that can always be read
_GUTTER = 90  # pixels, with the scroll bar
_GRAPH = 300  # pixels that a graph needs at least beside the source


class Room(QObject):
    """Fits the panels into the window.

    The graphs stand beside the source where both have room, else among its tabs; beside the project they are hidden. In
    a narrow window the tasks and the details are drawers: one of them is open, or none. `maximise` gives the whole
    window to one area until `give_back`.
    """

    def __init__(
        self,
        window: QMainWindow,
        areas: Areas,
        toolbar: Toolbar,
        centre: QSplitter,
        docks: Mapping[str, QDockWidget],
    ) -> None:
        super().__init__(window)
        self._window = window
        self._areas = areas
        self._toolbar = toolbar
        self._centre = centre
        self._tasks, self._details, self._progress = (docks[name] for name in ("tasks", "details", "progress"))
        self._has_sizes = False
        self._narrow = False
        self._closed: QDockWidget | None = None  # by the narrow window, which opens again when there is room
        self._graphs = _GRAPH  # pixels that they need; none can be asked for while they are among other tabs
        self._maximised: Area | None = None
        self._hidden: list[QWidget] = []
        self._before = QByteArray()
        areas.opened.connect(self._opened)
        areas.picked.connect(self.maximise)
        areas.tabs(Area.SOURCE).currentChanged.connect(self._show_graphs)
        for dock, other in ((self._tasks, self._details), (self._details, self._tasks)):
            dock.toggleViewAction().triggered.connect(lambda on, one=other: self._toggled(one, on))
        areas.tabs(Area.SOURCE).setMinimumWidth(_source_width())
        centre.setMinimumWidth(_source_width())  # less than its parts need: then they are joined
        centre.installEventFilter(self)
        window.installEventFilter(self)

    @property
    def maximised(self) -> Area | None:
        return self._maximised

    def restore(self, settings: Settings) -> None:
        """Arrange the window as it was in the last session."""
        self._areas.restore(settings)
        geometry, state = settings.data("geometry"), settings.data("layout")
        self._has_sizes = not state.isEmpty()
        if not geometry.isEmpty():
            self._window.restoreGeometry(geometry)
        if self._has_sizes:
            self._window.restoreState(state, _LAYOUT_VERSION)
            self._centre.restoreState(settings.data("centre"))
        self.fit()

    def keep(self, settings: Settings) -> None:
        """Store how the window is arranged."""
        settings.put_data("geometry", self._window.saveGeometry())
        settings.put_data("layout", self._window.saveState(_LAYOUT_VERSION))
        settings.put_data("centre", self._centre.saveState())
        self._areas.keep(settings)

    def first_sizes(self) -> None:
        """Give the panels of a new window their sizes; docks take them only once the window is shown."""
        if self._has_sizes:
            return
        self._has_sizes = True
        width, height = self._window.width(), self._window.height()
        tabs = self._areas.tabs(Area.RIGHT).tabBar().sizeHint().width() + _MARGIN
        left, right = min(_LEFT, width // 4), min(max(_RIGHT, tabs), width * 3 // 10)
        self._window.resizeDocks([self._tasks, self._details], [left, right], Qt.Orientation.Horizontal)
        self._window.resizeDocks([self._progress], [min(height * 3 // 10, 252)], Qt.Orientation.Vertical)
        rest = width - left - right
        self._centre.setSizes([rest * 11 // 20, rest * 9 // 20])

    def fit(self) -> None:
        """Fit the panels into the window as large as it is now."""
        self._fit_sides()

    def maximise(self, area: Area) -> None:
        """Give the window to one area; a second time, give it back."""
        if self._maximised is not None:
            self.give_back()
            return
        kept = self._areas.tabs(area)
        docks = self._window.findChildren(QDockWidget)
        others = [*docks, *(self._centre.widget(index) for index in range(self._centre.count()))]
        if not self._centre.isAncestorOf(kept):
            others.append(self._window.centralWidget())
        self._hidden = [one for one in others if not one.isHidden() and one is not kept and not one.isAncestorOf(kept)]
        self._maximised = area
        self._before = self._window.saveState()
        for one in self._hidden:
            one.hide()

    def give_back(self) -> None:
        """Show again what the maximised area has hidden."""
        self._maximised = None
        for one in self._hidden:
            one.show()
        self._window.restoreState(self._before)  # the sizes of the docks
        self._hidden = []

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802 - Qt's name
        if watched is self._centre and event.type() in (QEvent.Type.Resize, QEvent.Type.LayoutRequest):
            self._fit_centre()
        elif watched is self._window and event.type() == QEvent.Type.Resize:
            self._fit_sides()
        return super().eventFilter(watched, event)

    def _opened(self, area: Area) -> None:
        if self._maximised not in (None, area):
            self.give_back()
        dock = self._areas.tabs(area).parentWidget()
        if isinstance(dock, QDockWidget) and dock.isHidden():
            if dock is self._details:
                self._toggled(self._tasks, True)
            dock.show()

    def _toggled(self, other: QDockWidget, on: bool) -> None:
        """One drawer was opened or closed by hand, which is not the other one."""
        self._closed = None
        if on and self._narrow and not other.isFloating():
            other.hide()

    def _fit_sides(self) -> None:
        narrow = self._window.width() < NARROW
        if narrow is self._narrow or self._maximised is not None:
            return
        self._narrow = narrow
        self._toolbar.set_compact(narrow)
        if narrow and not (self._tasks.isHidden() or self._details.isHidden() or self._details.isFloating()):
            self._closed = self._details
            self._details.hide()
        elif not narrow and self._closed is not None:
            self._closed.show()
            self._closed = None

    def _fit_centre(self) -> None:
        """Put the graphs beside the source, or among its tabs."""
        if self._maximised is not None:
            return
        self._graphs = max(self._graphs, self._areas.tabs(Area.GRAPHS).minimumSizeHint().width())
        has_room = self._centre.width() >= _source_width() + self._graphs + self._centre.handleWidth()
        self._areas.join(not has_room)
        self._show_graphs()

    def _show_graphs(self) -> None:
        """Show the graphs where they are tabs of their own, but not beside the project."""
        graphs = self._areas.tabs(Area.GRAPHS)
        if self._maximised is None:
            graphs.setVisible(graphs.count() > 0 and not self._areas.is_front("project"))


def _source_width() -> int:
    return QFontMetrics(code_font()).horizontalAdvance("0") * _COLUMNS + _GUTTER
