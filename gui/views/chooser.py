"""Dialogs that ask for files, with columns that fit what stands in them."""

from __future__ import annotations

from PySide6.QtWidgets import QFileDialog, QHeaderView, QTreeView, QWidget


def chooser(parent: QWidget, title: str, folder: str = "", filters: str = "") -> QFileDialog:
    """A dialog in which names have the room that sizes, kinds and dates leave."""
    dialog = QFileDialog(parent, title, folder, filters)
    dialog.resize(900, 560)
    for tree in dialog.findChildren(QTreeView):  # none where the desktop brings a dialog of its own
        header = tree.header()
        header.setStretchLastSection(False)
        header.setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        header.setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
    return dialog
