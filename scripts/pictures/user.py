"""Simulated user input for a window: clicks, drags, keys, and waiting. For tests and for the script of pictures."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QAbstractItemModel, QPoint, Qt
from PySide6.QtGui import QKeySequence
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractItemView,
    QComboBox,
    QFileDialog,
    QLabel,
    QLineEdit,
    QTextBrowser,
    QTreeWidget,
    QWidget,
)

PATIENCE = 300.0  # seconds for a run, on a machine that does other things too


def wait(until: Callable[[], bool], what: str) -> None:
    """Run the event loop until a condition holds. Raises `AssertionError` with `what` if it does not."""
    deadline = time.monotonic() + PATIENCE
    while not until():
        assert time.monotonic() < deadline, f"not seen: {what}"
        QTest.qWait(20)


def click(widget: QWidget, at: QPoint | None = None) -> None:
    """Click with the left button on a widget that is visible and enabled."""
    assert widget.isVisible(), widget
    assert widget.isEnabled(), widget
    QTest.mouseClick(widget, Qt.MouseButton.LeftButton, pos=at or widget.rect().center())


def press(window: QWidget, *keys: str) -> None:
    """Press keys such as `Alt+Right`, one after the other."""
    window.activateWindow()  # as desktops do when a dialog is gone
    wait(window.isActiveWindow, "the window in front")
    for one in keys:
        QTest.keySequence(window, QKeySequence(one))


def click_row(table: QAbstractItemView, row: int, column: int = 0) -> None:
    """Click a row of a table, after scrolling to it."""
    index = table.model().index(row, column)
    table.scrollTo(index)
    click(table.viewport(), table.visualRect(index).center())


def click_name(tree: QTreeWidget, name: str) -> None:
    """Click the entry of a tree whose text begins with a name."""
    (item,) = tree.findItems(name, Qt.MatchFlag.MatchStartsWith | Qt.MatchFlag.MatchRecursive)
    tree.scrollToItem(item)
    click(tree.viewport(), tree.visualItemRect(item).center())


def drag(widget: QWidget, *points: QPoint) -> None:
    """Press at the first point, move over the others, release at the last."""
    QTest.mousePress(widget, Qt.MouseButton.LeftButton, pos=points[0])
    for point in points[1:]:
        QTest.mouseMove(widget, point)
    QTest.mouseRelease(widget, Qt.MouseButton.LeftButton, pos=points[-1])


def answer(window: QWidget, path: Path) -> None:
    """Type a name into the file dialog that is open, and press Return."""
    wait(lambda: bool(_dialogs(window)), "a file dialog")
    (dialog,) = _dialogs(window)
    field = dialog.findChild(QLineEdit, "fileNameEdit")
    assert isinstance(field, QLineEdit)
    wait(field.hasFocus, "the cursor in the file dialog")
    field.setCompleter(None)  # type: ignore[arg-type]  # it comes when it likes, and takes Return for itself
    field.selectAll()
    QTest.keyClicks(field, str(path))

    def closed() -> bool:
        """Return does nothing until the folder has been read."""
        if dialog.isVisible():
            QTest.keyClick(field, Qt.Key.Key_Return)
        return not _dialogs(window)

    wait(closed, "the end of the file dialog")


def _dialogs(window: QWidget) -> list[QFileDialog]:
    return [dialog for dialog in window.findChildren(QFileDialog) if dialog.isVisible()]


# What eyes see


def read(widget: QWidget, without: type[QWidget] | None = None) -> list[str]:
    """The texts that a part of the window shows, without those in widgets of a class: labels, texts, choices and
    complete tables.
    """
    texts: list[str] = []
    left_out = set(widget.findChildren(without)) if without is not None else set()
    for child in widget.findChildren(QWidget):
        if not child.isVisibleTo(widget) or child.parentWidget() in left_out:
            continue
        if isinstance(child, QLabel):
            texts.append(child.text())
        elif isinstance(child, QTextBrowser):
            texts.append(child.toPlainText())
        elif isinstance(child, QComboBox):
            texts.append(child.currentText())
        elif isinstance(child, QAbstractItemView):
            texts += _cells(child.model())
    return texts


def _cells(model: QAbstractItemModel) -> list[str]:
    rows, columns = range(model.rowCount()), range(model.columnCount())
    return [" | ".join(str(model.index(row, column).data() or "") for column in columns) for row in rows]
