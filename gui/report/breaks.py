"""Page breaks of a printed text: they cut no line and no row of a table, and a heading stays with its text.

Qt breaks tables in the middle of rows, and has no option for it, so the text is laid out as one long page and cut here.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from PySide6.QtCore import QRectF
from PySide6.QtGui import QTextBlock, QTextCursor, QTextDocument, QTextTable

from core.dataclass import dataclass

_Piece = tuple[float, float]  # from top to bottom, not to be cut


@dataclass(frozen=True)
class _Group:
    """A paragraph, or the cells of a row of a table, the first one of which is its head."""

    blocks: tuple[QTextBlock, ...]
    in_table: bool = False
    is_head: bool = False
    padding: float = 0.0

    @property
    def is_title(self) -> bool:
        return self.is_head or self.blocks[0].blockFormat().headingLevel() > 0


def page_starts(document: QTextDocument, height: float) -> tuple[float, ...]:
    """The tops of the pages of a document that is laid out without pages, each page at most `height` high."""
    pieces = sorted(_pieces(document, height))
    end = document.size().height()
    starts = [0.0]
    while starts[-1] + height < end:
        starts.append(_cut(pieces, starts[-1], starts[-1] + height))
    return tuple(starts)


def _cut(pieces: Sequence[_Piece], start: float, limit: float) -> float:
    """The last position before `limit` that cuts no piece; `limit` itself where pieces fill the whole page."""
    found = limit
    for top, bottom in reversed(pieces):
        if start < top < found < bottom:
            found = top
    return found


def _pieces(document: QTextDocument, height: float) -> Iterator[_Piece]:
    """The pieces that are not cut: lines, rows that fit on a page, and pairs that stay together."""
    held: float | None = None  # the top of the titles that came just before
    before: tuple[_Group, float] | None = None
    for group in _groups(document):
        rects = [document.documentLayout().blockBoundingRect(block) for block in group.blocks]
        top = min(map(QRectF.top, rects)) - group.padding
        bottom = max(map(QRectF.bottom, rects)) + group.padding
        for block, rect in zip(group.blocks, rects, strict=True):
            yield from _lines(block, rect)
        if group.in_table and bottom - top <= height:
            yield top, bottom
        if held is None and group.is_head and before is not None and not before[0].in_table:
            held = before[1]  # what a table is about
        if held is not None and bottom - held <= height / 2:
            yield held, bottom
        held = (top if held is None else held) if group.is_title else None
        before = (group, top)


def _lines(block: QTextBlock, rect: QRectF) -> Iterator[_Piece]:
    layout = block.layout()
    for number in range(layout.lineCount()):
        line = layout.lineAt(number)
        yield rect.top() + line.y(), rect.top() + line.y() + line.height()


def _groups(document: QTextDocument) -> Iterator[_Group]:
    """Paragraphs by themselves and the rows of tables, in order."""
    block = document.begin()
    while block.isValid():
        table = QTextCursor(block).currentFrame()
        if not isinstance(table, QTextTable):
            yield _Group((block,))
            block = block.next()
            continue
        row, blocks = table.cellAt(block.position()).row(), list[QTextBlock]()
        while block.isValid() and (cell := table.cellAt(block.position())).isValid() and cell.row() == row:
            blocks.append(block)
            block = block.next()
        padding = table.format().toTableFormat().cellPadding()
        yield _Group(tuple(blocks), True, row == 0 and table.rows() > 1, padding)
