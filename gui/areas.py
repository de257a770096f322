"""The tabs of the window: one `QTabWidget` for each area, whose views are created when they are first shown."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QSize, SignalInstance
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QDockWidget, QTabWidget, QVBoxLayout, QWidget

from gui.icons import icon
from gui.model.current import RunModel
from gui.model.focus import Focus
from gui.model.steering import Rerun
from gui.panels import PANELS, Area, Panel
from gui.settings import Settings
from interplay.presentation.record.summary import Action


class Areas:
    """The tabs with their views. `views` are those created so far, by the name of their panel; `act` handles actions of
    views.
    """

    def __init__(
        self, window: QWidget, model: RunModel, focus: Focus, act: Callable[[Action | Rerun | Path], None]
    ) -> None:
        self._window = window
        self._model = model
        self._focus = focus
        self._act = act
        self.views: dict[str, QWidget] = {}
        self._tabs: dict[Area, QTabWidget] = {}

    def tabs(self, area: Area) -> QTabWidget:
        """The tabs of an area, created at the first call with an empty page for each panel."""
        if area not in self._tabs:
            self._tabs[area] = self._make(area)
        return self._tabs[area]

    def show(self, name: str) -> QWidget:
        """Bring a panel to the front, and return its view. Raises `KeyError`."""
        for area, tabs in self._tabs.items():
            for index, panel in enumerate(_panels(area)):
                if panel.name == name:
                    self._fill(area, index)
                    tabs.setCurrentIndex(index)
                    dock = tabs.parentWidget()
                    if isinstance(dock, QDockWidget):
                        dock.show()
                    return self.views[name]
        raise KeyError(name)

    def restore(self, settings: Settings) -> None:
        """Select the tabs that were selected in the last session."""
        for area, tabs in self._tabs.items():
            tabs.setCurrentIndex(max(0, min(settings.number(f"tab/{area.value}", 0), tabs.count() - 1)))
            self._fill(area, tabs.currentIndex())

    def keep(self, settings: Settings) -> None:
        for area, tabs in self._tabs.items():
            settings.put_number(f"tab/{area.value}", tabs.currentIndex())

    def _make(self, area: Area) -> QTabWidget:
        tabs = QTabWidget()
        tabs.setDocumentMode(True)
        tabs.setObjectName(area.value)
        tabs.setAccessibleName(f"Panels: {area.value}")
        tabs.setIconSize(QSize(16, 16))
        for index, panel in enumerate(_panels(area)):
            page = QWidget()
            QVBoxLayout(page).setContentsMargins(0, 0, 0, 0)
            tabs.addTab(page, icon(panel.icon), panel.title)
            tabs.setTabToolTip(index, f"{panel.hint} ({panel.shortcut})" if panel.shortcut else panel.hint)
            if panel.shortcut:
                shortcut = QShortcut(QKeySequence(panel.shortcut), self._window)
                shortcut.activated.connect(lambda name=panel.name: self.show(name).setFocus())
        tabs.currentChanged.connect(lambda index: self._fill(area, index))
        return tabs

    def _fill(self, area: Area, index: int) -> None:
        """Create the view of a tab, if it does not exist yet."""
        panel = _panels(area)[index]
        if panel.name in self.views or area not in self._tabs:
            return
        view = panel.make(self._model, self._focus)
        view.setObjectName(panel.name)
        self.views[panel.name] = view
        asked = getattr(view, "asked", None)
        if isinstance(asked, SignalInstance):  # a view that wants something done: `asked(Action | Rerun | Path)`
            asked.connect(self._act)
        layout = self._tabs[area].widget(index).layout()
        assert layout is not None
        layout.addWidget(view)


def _panels(area: Area) -> list[Panel]:
    return [panel for panel in PANELS if panel.area is area]
