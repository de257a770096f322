"""A relayout boundary for labels whose text changes at each moment.

A new text of a label causes a layout of everything around it, up to the window, which is then repainted completely.
While a user drags the timeline's cursor, that would take longer than all else.
"""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, QSize
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QLabel, QWidget


class RelayoutBoundary(QWidget):
    """A container for one label. Its surroundings are laid out again only if a text needs more width, or another
    height.
    """

    def __init__(self, label: QLabel, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._label = label
        self._told = QSize()  # what the layout knows to be needed
        label.setParent(self)
        label.installEventFilter(self)
        self.setSizePolicy(label.sizePolicy())

    def sizeHint(self) -> QSize:  # noqa: N802 - Qt's name
        return self._label.sizeHint()

    def minimumSizeHint(self) -> QSize:  # noqa: N802 - Qt's name
        return self._label.minimumSizeHint()

    def hasHeightForWidth(self) -> bool:  # noqa: N802 - Qt's name
        return self._label.hasHeightForWidth()

    def heightForWidth(self, width: int) -> int:  # noqa: N802 - Qt's name
        return self._label.heightForWidth(width)

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802 - Qt's name
        self._label.setGeometry(self.rect())
        needed = self._needed()
        if needed.width() <= self.width():  # else it was laid out for the text before
            self._told = needed

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.LayoutRequest:  # the label has another text
            if self._label.sizePolicy() != self.sizePolicy():
                self.setSizePolicy(self._label.sizePolicy())
            needed = self._needed()
            if needed.height() != self._told.height() or needed.width() > max(self.width(), self._told.width()):
                self._told = needed
                self.updateGeometry()
            elif needed.width() <= self.width():
                self._told = needed  # a layout that comes late has found this text, and given no more room
        return super().event(event)

    def _needed(self) -> QSize:
        """The size that the text needs; if it wraps, at the current width."""
        wrapped = self.hasHeightForWidth()
        return QSize(0, self.heightForWidth(self.width())) if wrapped else self.sizeHint()

    def eventFilter(self, label: QObject, event: QEvent) -> bool:  # noqa: N802 - Qt's name
        """Follow the visibility of the label."""
        if event.type() in (QEvent.Type.ShowToParent, QEvent.Type.HideToParent):
            self.setVisible(event.type() == QEvent.Type.ShowToParent)
        return super().eventFilter(label, event)
