"""The manual, opened at what it says about a panel."""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path

from PySide6.QtCore import QUrl
from PySide6.QtGui import QImage, QTextDocument
from PySide6.QtWidgets import QWidget

from gui.model.current import RunModel
from gui.model.focus import Focus
from gui.views.labels import HtmlText
from gui.views.layouts import column_layout

MANUAL = Path(str(files("resources"))).parent / "docs" / "manual.md"


class ManualView(QWidget):
    """The view of the manual; other pages of the documentation open in it, addresses elsewhere do not."""

    def __init__(self, model: RunModel, focus: Focus, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.text = _Pages()
        self.text.setAccessibleName("Manual")
        self.text.setSource(QUrl.fromLocalFile(str(MANUAL)), QTextDocument.ResourceType.MarkdownResource)
        self.text.document().setDocumentMargin(12)
        self.setFocusProxy(self.text)
        column_layout(self).addWidget(self.text)

    def show_section(self, words: str) -> bool:
        """Scroll to the first paragraph that begins with these words; whether there is one."""
        if Path(self.text.source().toLocalFile()) != MANUAL:
            self.text.home()
        block = self.text.document().begin()
        while block.isValid() and not block.text().startswith(words):
            block = block.next()
        if block.isValid():
            layout = self.text.document().documentLayout()
            self.text.verticalScrollBar().setValue(round(layout.blockBoundingRect(block).top()))
        return block.isValid()


class _Pages(HtmlText):
    """A browser of local pages whose pictures are as wide as it is at most."""

    def read_again(self) -> None:
        if not self.source().isEmpty():
            self.reload()

    def loadResource(self, kind: int, name: QUrl | str) -> object:  # noqa: N802 - Qt's name
        if kind != QTextDocument.ResourceType.ImageResource.value:
            return super().loadResource(kind, name)
        path = Path(self.source().resolved(QUrl(name)).toLocalFile())
        image = QImage(str(path))
        return image.scaledToWidth(_WIDTH) if image.width() > _WIDTH else image


_WIDTH = 540  # pixels of a picture
