"""Small buttons of views: an icon with a description."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QToolButton

from gui.icons import icon


def icon_button(name: str, words: str, action: Callable[[], object]) -> QToolButton:
    """A button with an icon alone."""
    button = QToolButton()
    button.setIcon(icon(name))
    button.setToolTip(words)
    button.setAccessibleName(words)
    button.clicked.connect(lambda: action())
    return button


def text_button(name: str, text: str, words: str) -> QToolButton:
    """A button with an icon and a text beside it, which names it."""
    button = QToolButton()
    button.setIcon(icon(name))
    button.setText(text)
    button.setToolTip(words)
    button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
    return button
