"""Layouts that many views share."""

from __future__ import annotations

from PySide6.QtCore import QSize
from PySide6.QtWidgets import QScrollArea, QSplitter, QVBoxLayout, QWidget


def column_layout(parent: QWidget, spacing: int = 0) -> QVBoxLayout:
    """A column of `parent` without margins."""
    layout = QVBoxLayout(parent)
    layout.setContentsMargins(0, 0, 0, 0)
    layout.setSpacing(spacing)
    return layout


def scrolling(content: QWidget) -> QScrollArea:
    """The content, with a scroll bar where there is less room than it needs: else the window would have to grow."""
    area = QScrollArea()
    area.setFrameShape(QScrollArea.Shape.NoFrame)
    area.setWidgetResizable(True)
    area.setWidget(content)
    return area


class Sections(QSplitter):
    """A splitter that asks for no more room than its parts need."""

    def sizeHint(self) -> QSize:  # noqa: N802 - Qt's name
        return self.minimumSizeHint()
