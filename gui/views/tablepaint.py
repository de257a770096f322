"""Paints the visible cells of a table of rows.

Qt's own delegate asks the model nine times for each cell that it paints, each time across the border to Python, and
shapes each text anew: 17 ms for a table of predicates, at every moment that a person scrubs through. Here each row is
asked for once, and shaped texts are kept.
"""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QRect, Qt
from PySide6.QtGui import QColor, QFont, QFontMetrics, QPainter, QPalette, QStaticText, QTextOption
from PySide6.QtWidgets import QTableView

from core.dataclass import dataclass
from gui.theme import code_font, colours_of
from gui.views.tablecells import CellStyle, TableCell, TableRow

_MARGIN = 3  # pixels between the edge of a cell and its text
_LINES = 12  # of a text that is broken into lines
_KEPT = 4_000  # texts; a window shows some hundred
_TINTED = (CellStyle.NEW, CellStyle.QUIET)


class CellPainter:
    """Paints the cells of one table. `breaks`: texts that are wider than their columns are broken into lines."""

    def __init__(self, table: QTableView) -> None:
        self._table = table
        self.breaks = False
        self._fonts: dict[tuple[bool, bool], _Font] = {}

    def forget_fonts(self) -> None:
        """The table has another font."""
        self._fonts.clear()

    def width_of(self, cell: TableCell) -> int:
        """The pixels that a cell needs for its text in one line."""
        return self._font(cell).width(cell.text) + 2 * _MARGIN if cell.text else 0

    def height_of(self, cell: TableCell, width: int) -> int:
        """The pixels that a cell needs for its text in a column of a width."""
        font, room = self._font(cell), width - 2 * _MARGIN
        if font.width(cell.text) <= room:
            return font.height
        return min(round(font.shaped(cell.text, room, True).size().height()), _LINES * font.height)

    def paint(self, painter: QPainter, area: QRect, rows: Sequence[TableRow]) -> None:
        """Paint the cells that touch an area of the viewport."""
        table = self._table
        first, last = table.rowAt(area.top()), table.rowAt(area.bottom())
        if first < 0:
            return
        inks = _Inks(table.palette())
        columns = self._columns(area)
        chosen = {index.row() for index in table.selectionModel().selectedRows()}
        for number in range(first, (last if last >= 0 else len(rows) - 1) + 1):
            row = QRect(area.left(), table.rowViewportPosition(number), area.width(), table.rowHeight(number))
            if number in chosen:
                painter.fillRect(row, inks.highlight)
            cells = rows[number]
            for column in columns:
                cell = cells[column.index]
                self._paint_cell(painter, cell, column, row, inks.of(cell, number in chosen))

    def _columns(self, area: QRect) -> list[_Column]:
        """The columns in an area; sections cannot be moved, so that they stand in their order."""
        header, found = self._table.horizontalHeader(), list[_Column]()
        for index in range(max(0, header.logicalIndexAt(area.left())), header.count()):
            left = header.sectionViewportPosition(index)
            if left > area.right():
                break
            if not header.isSectionHidden(index):
                found.append(_Column(index, left, header.sectionSize(index)))
        return found

    def _paint_cell(self, painter: QPainter, cell: TableCell, column: _Column, row: QRect, ink: _Ink) -> None:
        if ink.ground is not None:
            painter.fillRect(column.left, row.top(), column.width, row.height(), ink.ground)
        if cell.text:
            font = self._font(cell)
            painter.setFont(font.font)
            painter.setPen(ink.text)
            text = font.shaped(cell.text, column.width - 2 * _MARGIN, self.breaks)
            lines = min(round(text.size().height()), row.height())
            if lines > font.height:
                painter.setClipRect(column.left, row.top(), column.width, row.height())
            painter.drawStaticText(column.left + _MARGIN, row.top() + (row.height() - lines) // 2, text)
            painter.setClipping(False)

    def _font(self, cell: TableCell) -> _Font:
        key = cell.code, cell.look is CellStyle.NEW and not cell.code
        known = self._fonts.get(key)
        if known is None:
            font = code_font() if cell.code else QFont(self._table.font())
            font.setBold(key[1])
            known = self._fonts[key] = _Font(font)
        return known


@dataclass(frozen=True)
class _Column:
    """A visible column: its place in a row, and pixels of the viewport."""

    index: int
    left: int
    width: int


@dataclass(frozen=True)
class _Ink:
    """The colours of a cell; no ground leaves what is there."""

    text: QColor
    ground: QColor | None = None


class _Inks:
    """The colours of all cells, by a palette."""

    def __init__(self, palette: QPalette) -> None:
        colours, plain = colours_of(palette), palette.color(QPalette.ColorRole.Text)
        self.highlight = palette.color(QPalette.ColorRole.Highlight)
        self._chosen = _Ink(palette.color(QPalette.ColorRole.HighlightedText))
        self._by_look = {look: _Ink(colours.named(look.value) if look in _TINTED else plain) for look in CellStyle}
        self._by_look[CellStyle.CORE] = _Ink(plain, colours.named(CellStyle.CORE.value))

    def of(self, cell: TableCell, chosen: bool) -> _Ink:
        return self._chosen if chosen else self._by_look[cell.look]


class _Font:
    """A font, with the texts that were shaped for it."""

    def __init__(self, font: QFont) -> None:
        self.font = font
        self._metrics = QFontMetrics(font)
        self.height = self._metrics.height()
        self._broken = QTextOption()
        self._broken.setWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
        self._widths: dict[str, int] = {}
        self._shaped: dict[tuple[str, int, bool], QStaticText] = {}

    def width(self, text: str) -> int:
        """The width of a text in one line."""
        width = self._widths.get(text)
        if width is None:
            width = self._widths[text] = self._metrics.horizontalAdvance(text)
        return width

    def shaped(self, text: str, room: int, breaks: bool) -> QStaticText:
        """A text as it fits into a width: broken into lines, or cut off."""
        if len(self._shaped) > _KEPT:
            self._shaped.clear()
            self._widths.clear()
        width = self.width(text)
        key = text, min(width, room), breaks
        known = self._shaped.get(key)
        if known is None:
            fits = width <= room or breaks
            known = QStaticText(text if fits else self._metrics.elidedText(text, Qt.TextElideMode.ElideRight, room))
            self._shaped[key] = known
            known.setTextFormat(Qt.TextFormat.PlainText)
            if width > room and breaks:
                known.setTextOption(self._broken)
                known.setTextWidth(max(1, room))
            known.prepare(font=self.font)
        return known
