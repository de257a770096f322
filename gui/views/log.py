"""The messages of a run: warnings and errors with their places; selecting one goes there."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QHBoxLayout,
    QLabel,
    QListWidget,
    QListWidgetItem,
    QPushButton,
    QStackedLayout,
    QWidget,
)

from gui.icons import icon
from gui.model.current import RunModel
from gui.model.focus import Focus
from gui.theme import code_font
from gui.views.empty import EmptyView
from gui.views.layouts import column_layout
from interplay.presentation.excerpts import excerpt
from interplay.presentation.record.summary import ASSUMPTIONS, FunctionAssumption, undefined_function
from runs.events import Message

_TEXT = Qt.ItemDataRole.UserRole + 1  # the role of the text of a message
_ICONS = {"error": ("cross", "bad"), "warning": ("warning", "open"), "info": ("list", "")}


class LogView(QWidget):
    """Lists what `RunView.messages` holds; the number of rows only grows while one run is shown. It offers what can be
    assumed of a function without a body (`asked`).
    """

    asked = Signal(object)

    def __init__(self, model: RunModel, focus: Focus, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._model = model
        self._focus = focus
        self._list = QListWidget()
        self._list.setAccessibleName("Messages of the run")
        self._list.setWordWrap(True)
        self._list.itemActivated.connect(self._go)
        self._list.itemClicked.connect(self._go)
        self._empty = EmptyView("The run has no messages: nothing was warned about.")
        self._stack = QStackedLayout(self)
        self._stack.addWidget(self._empty)
        self._stack.addWidget(self._content())
        self._list.currentItemChanged.connect(self._offer)
        model.replaced.connect(self._replaced)
        model.advanced.connect(self._add_new)
        self._replaced()

    def _content(self) -> QWidget:
        content, self._bar = QWidget(), QWidget()
        layout, row = column_layout(content), QHBoxLayout(self._bar)
        self._function = QLabel()
        row.addWidget(self._function)
        self.offers = {field: QPushButton() for field in ASSUMPTIONS}
        for field, button in self.offers.items():
            button.clicked.connect(partial(self._assume, field))
            row.addWidget(button)
        row.addStretch(1)
        layout.addWidget(self._list, 1)
        layout.addWidget(self._bar)
        self._bar.hide()
        return content

    def _offer(self) -> None:
        """Offer what can be assumed of the function that the chosen message is about."""
        name = self._chosen()
        self._function.setText(f"Verify again, and assume that {name}")
        for field, button in self.offers.items():
            button.setText(ASSUMPTIONS[field])
            button.setAccessibleName(f"Verify again, and assume that {name} {ASSUMPTIONS[field]}")
        self._bar.setVisible(bool(name))

    def _assume(self, field: str) -> None:
        self.asked.emit(FunctionAssumption(field, self._chosen()))

    def _chosen(self) -> str:
        """The function without a body that the chosen message is about; empty for other messages."""
        return "" if self._list.currentRow() < 0 else undefined_function(self._list.currentItem().data(_TEXT))

    def _replaced(self) -> None:
        self._list.clear()
        self._add_new()

    def _add_new(self) -> None:
        record = self._model.record
        messages = record.view.messages if record else []
        for message in messages[self._list.count() :]:
            self._list.addItem(_item(message, record.sources if record else {}))
        self._empty.say(_why_empty(self._model))
        self._stack.setCurrentIndex(1 if self._list.count() else 0)
        if self._list.currentRow() < 0:
            offering = (row for row, one in enumerate(messages) if undefined_function(one.text))
            self._list.setCurrentRow(next(offering, -1))

    def _go(self, item: QListWidgetItem) -> None:
        place = item.data(Qt.ItemDataRole.UserRole)
        if place is not None and place[1]:
            self._focus.go_to_line(place[0], place[1])


def _why_empty(model: RunModel) -> str:
    if model.record is None or not model.record.begun:
        return "No run yet: warnings and errors come here."
    return "The run has no messages: nothing was warned about."


def _item(message: Message, sources: Mapping[str, str]) -> QListWidgetItem:
    """The row of a message; that of an error has the line of the source too."""
    name, tint = _ICONS.get(message.severity, ("list", ""))
    where = f"{message.file.rpartition('/')[2]}:{message.line}: " if message.file else ""
    shown = excerpt(sources.get(message.file, ""), message.line, message.column) if message.severity == "error" else []
    item = QListWidgetItem(icon(name, tint), "\n".join((f"{where}{message.severity}: {message.text}", *shown)))
    if shown:
        item.setFont(code_font())
    item.setData(_TEXT, message.text)
    item.setData(Qt.ItemDataRole.UserRole, (message.file, message.line) if message.file else None)
    return item
