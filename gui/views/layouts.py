"""Layouts that many views share."""

from __future__ import annotations

from PySide6.QtWidgets import QVBoxLayout, QWidget


def column_layout(parent: QWidget, spacing: int = 0) -> QVBoxLayout:
    """A column of `parent` without margins."""
    layout = QVBoxLayout(parent)
    layout.setContentsMargins(0, 0, 0, 0)
    layout.setSpacing(spacing)
    return layout
