"""The report as PDF: text with a template of its own, since Qt's rich text knows little of HTML, then the graphs.

Graphs are drawn as vectors, on pages of their own in the orientation that fits better. Small ones share a page; one
that would be too small to be read is split over several.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from PySide6.QtCore import QByteArray, QMarginsF, QRectF, QSizeF, Qt
from PySide6.QtGui import (
    QColor,
    QFont,
    QPageLayout,
    QPageSize,
    QPainter,
    QPdfWriter,
    QTextDocument,
)
from PySide6.QtSvg import QSvgRenderer

from core.dataclass import dataclass
from gui.report.breaks import page_starts
from interplay.presentation.graphs.picture import PADDING, Sheet
from interplay.presentation.graphs.picturesvg import to_svg
from interplay.presentation.report.assemble import report_of
from interplay.presentation.report.document import Report, ReportGraph, ReportLimits
from interplay.presentation.report.page import render, visible
from runs.runfile import StoredRun

LIMITS = ReportLimits(refinements=30, path=30, learned=12, lines=800, steps=200, rows=100, locations=600, states=80)
"""The limits of a report on paper, which cannot be searched: lower than those of a page."""

TIGHTER = (
    ReportLimits(refinements=8, path=12, learned=6, lines=300, steps=60, rows=40, slowest=4, locations=120, states=12),
    ReportLimits(refinements=3, path=8, learned=4, lines=120, steps=30, rows=20, slowest=3, locations=0, states=0),
)
"""The limits of reports that would have more pages otherwise than `MAX_PAGES`, one after the other."""

MAX_PAGES = 12

_DPI = 96  # what texts are laid out for, and the unit of this module; positions are fractions, so nothing is coarse
_MARGIN = 15.0  # millimetres
_FOOT = 26.0  # units of _DPI, below the text
_HEAD = 32.0  # above a graph
_SMALLEST = 0.5  # a graph is not drawn smaller than this, but over several pages
_MAX_PAGES = 9  # of one graph
_LYING, _STANDING = QPageLayout.Orientation.Landscape, QPageLayout.Orientation.Portrait


@dataclass(frozen=True)
class _Sheet:
    """A graph, or a part of one, on a page below `top`: `part` is in the units of the picture, drawn at `scale`."""

    graph: ReportGraph
    orientation: QPageLayout.Orientation
    part: QRectF
    scale: float
    words: str
    top: float = 0.0


def short_report(run: StoredRun) -> Report:
    """The report that has at most `MAX_PAGES` pages, if its last limits allow that. Raises `Malformed`."""
    report = report_of(run, LIMITS)
    for limits in TIGHTER:
        if Pages(report).count <= MAX_PAGES:
            break
        report = report_of(run, limits)
    return report


def write_pdf(report: Report, target: Path) -> int:
    """Write the report to `target`, and return the number of pages. Raises `OSError`."""
    pages = Pages(report)
    target.write_bytes(b"")  # says what is wrong, which Qt does not
    writer = QPdfWriter(str(target))
    writer.setTitle(visible(f"{report.title}: {report.headline}"))
    writer.setCreator("Interplay")
    writer.setResolution(_DPI)
    writer.setPageLayout(_layout(_STANDING))
    painter = QPainter()
    if not painter.begin(writer):
        raise OSError(0, "the file cannot be written", str(target))
    try:
        for page in range(pages.count):
            writer.setPageLayout(_layout(pages.orientation(page)))
            if page:
                writer.newPage()
            pages.paint(page, painter)
    finally:
        painter.end()
    return pages.count


class Pages:
    """The printed pages, painted with any `QPainter`."""

    def __init__(self, report: Report) -> None:
        self._report = report
        self._text = text_of(report)
        self._sheets = _together([sheet for graph in report.graphs for sheet in _sheets(graph)])
        self._starts = page_starts(self._text, _text_size(_STANDING).height())
        self._of_text = len(self._starts)

    @property
    def count(self) -> int:
        return self._of_text + len(self._sheets)

    def orientation(self, page: int) -> QPageLayout.Orientation:
        return _STANDING if page < self._of_text else self._sheets[page - self._of_text][0].orientation

    def paint(self, page: int, painter: QPainter, scale: float = 1.0) -> None:
        """Paint a page, counted from 0, inside of the margins."""
        if page < self._of_text:
            size = _text_size(_STANDING)
            top = self._starts[page]
            end = self._starts[page + 1] if page + 1 < self._of_text else top + size.height()
            _begin(painter, scale)
            painter.translate(0, -top)
            self._text.drawContents(painter, QRectF(0, top, size.width(), end - top))
        else:
            for sheet in self._sheets[page - self._of_text]:
                _begin(painter, scale)
                _draw(painter, sheet)
        _begin(painter, scale)
        self._foot(painter, page)

    def _foot(self, painter: QPainter, page: int) -> None:
        paper = _paper(self.orientation(page))
        painter.setPen(QColor("#5a6472"))
        painter.setFont(_font(9.0))
        line = QRectF(0, paper.height() - 14, paper.width(), 14)
        words = visible(f"Interplay · {self._report.title} · {self._report.tone}")
        painter.drawText(line, Qt.AlignmentFlag.AlignLeft, words)
        painter.drawText(line, Qt.AlignmentFlag.AlignRight, f"page {page + 1} of {self.count}")


def text_of(report: Report) -> QTextDocument:
    """The text as a document as wide as the paper inside of the margins, and as long as it gets."""
    document = QTextDocument()
    document.setUseDesignMetrics(True)
    document.setDocumentMargin(0)
    font = QFont("DejaVu Sans")
    font.setPointSizeF(9)
    document.setDefaultFont(font)
    document.setHtml(render("print.html", report))
    document.setTextWidth(_text_size(_STANDING).width())
    return document


def _layout(orientation: QPageLayout.Orientation) -> QPageLayout:
    margins = QMarginsF(_MARGIN, _MARGIN, _MARGIN, _MARGIN)
    return QPageLayout(QPageSize(QPageSize.PageSizeId.A4), orientation, margins, QPageLayout.Unit.Millimeter)


def _paper(orientation: QPageLayout.Orientation) -> QSizeF:
    """The size of the paper inside of the margins, in units of _DPI."""
    size = _layout(orientation).paintRect(QPageLayout.Unit.Inch).size()
    return QSizeF(size.width() * _DPI, size.height() * _DPI)


def _text_size(orientation: QPageLayout.Orientation) -> QSizeF:
    paper = _paper(orientation)
    return QSizeF(paper.width(), paper.height() - _FOOT)


def _begin(painter: QPainter, scale: float) -> None:
    painter.resetTransform()
    painter.setClipping(False)
    painter.scale(scale, scale)


def _font(pixels: float) -> QFont:
    font = QFont("DejaVu Sans")
    font.setPixelSize(round(pixels))
    return font


# Graphs


def _together(sheets: list[_Sheet]) -> list[list[_Sheet]]:
    """Group graphs into pages: consecutive small graphs share one, below each other."""
    pages: list[list[_Sheet]] = []
    end = 0.0  # of what stands on the last page
    for sheet in sheets:
        height = _HEAD + sheet.part.height() * sheet.scale
        if (
            pages
            and pages[-1][0].orientation is sheet.orientation
            and end + height <= _text_size(sheet.orientation).height()
        ):
            pages[-1].append(replace(sheet, top=end))
        else:
            pages.append([sheet])
            end = 0.0
        end += height
    return pages


def _sheets(graph: ReportGraph) -> Iterator[_Sheet]:
    """The pages of a graph: one where it can be read on one, else as many as it takes, row by row."""
    if graph.sheet is None:
        return
    size = _size(graph.sheet)
    orientation = max((_STANDING, _LYING), key=lambda one: _fit(size, one))
    room, scale = _room(orientation), _fit(size, orientation)
    if scale >= _SMALLEST:
        yield _Sheet(graph, orientation, QRectF(0, 0, size.width(), size.height()), scale, "")
        return
    scale = _scale_for(size, room)
    width, height = room.width() / scale, room.height() / scale
    across, down = math.ceil(size.width() / width), math.ceil(size.height() / height)
    for row in range(down):
        for column in range(across):
            words = f"part {row * across + column + 1} of {across * down}"
            yield _Sheet(graph, orientation, QRectF(column * width, row * height, width, height), scale, words)


def _size(picture: Sheet) -> QSizeF:
    return QSizeF(picture.picture.size.width + PADDING, picture.picture.size.height)


def _scale_for(size: QSizeF, room: QSizeF) -> float:
    """The largest scale at which a picture takes no more than `_MAX_PAGES` pages."""
    scale = _SMALLEST
    while (
        math.ceil(size.width() * scale / room.width()) * math.ceil(size.height() * scale / room.height()) > _MAX_PAGES
    ):
        scale *= 0.9
    return scale


def _room(orientation: QPageLayout.Orientation) -> QSizeF:
    """The size of the area for a graph on a page, below its title."""
    size = _text_size(orientation)
    return QSizeF(size.width(), size.height() - _HEAD)


def _fit(size: QSizeF, orientation: QPageLayout.Orientation) -> float:
    room = _room(orientation)
    return min(1.0, room.width() / max(1.0, size.width()), room.height() / max(1.0, size.height()))


def _draw(painter: QPainter, sheet: _Sheet) -> None:
    picture = sheet.graph.sheet
    assert picture is not None
    room = _room(sheet.orientation)
    painter.setPen(QColor("#1d2329"))
    painter.setFont(_font(11.0))
    more = f" ({sheet.words})" if sheet.words else ""
    title = visible(f"{sheet.graph.title}: {sheet.graph.words}{more}")
    painter.drawText(QRectF(0, sheet.top, room.width(), _HEAD), Qt.TextFlag.TextWordWrap, title)
    painter.setClipRect(QRectF(0, sheet.top + _HEAD, room.width(), room.height() - sheet.top))
    size = _size(picture)
    left = -sheet.part.x() * sheet.scale
    top = sheet.top + _HEAD - sheet.part.y() * sheet.scale
    target = QRectF(left, top, size.width() * sheet.scale, size.height() * sheet.scale)
    QSvgRenderer(QByteArray(to_svg(picture).encode())).render(painter, target)
