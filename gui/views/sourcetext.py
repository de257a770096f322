"""The text of one file with its gutter and inlay hints. Draws a given `Decoration`; decides nothing.

Only visible lines are painted, so scrolling does not depend on their number.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field

from PySide6.QtCore import QPoint, QPointF, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QFont,
    QFontMetrics,
    QHelpEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QPolygonF,
    QResizeEvent,
    QTextBlock,
    QTextCursor,
)
from PySide6.QtWidgets import QPlainTextEdit, QToolTip, QWidget

from core.dataclass import dataclass
from gui.theme import Colours, code_font, colours_of
from gui.views.highlight import CHighlighter
from gui.views.inlayhints import BEFORE, HiddenHints, HiddenHintsStrip, PlacedHint, hint_font, paint, place
from interplay.presentation.record.marks import Coverage, InlayHint, LineMarks, Mark


@dataclass(frozen=True)
class Decoration:
    """The decoration of the lines of a file. Lines count from 1; `current` is the selected line, 0 for none.

    `path` maps the lines of the path to whether they are part of the contradiction; `arrow`: the step stands there.
    """

    marks: Mapping[int, LineMarks] = field(default_factory=dict)
    predicates: Mapping[int, int] = field(default_factory=dict)
    hints: Mapping[int, tuple[InlayHint, ...]] = field(default_factory=dict)
    path: Mapping[int, bool] = field(default_factory=dict)
    current: int = 0
    arrow: int = 0

    def on(self, line: int) -> tuple[object, ...]:
        """The decoration of one line."""
        marked = self.marks.get(line), self.predicates.get(line), self.hints.get(line), self.path.get(line)
        return *marked, line == self.current, line == self.arrow


_READING = Qt.TextInteractionFlag.TextSelectableByKeyboard | Qt.TextInteractionFlag.TextSelectableByMouse


class SourceText(QPlainTextEdit):
    """C text, which can be edited after `set_editable`. `line_chosen(line)` is emitted when the user clicks a line or
    moves the cursor to it.
    """

    line_chosen = Signal(int)

    def __init__(self, text: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName("Source text")
        self.setFont(code_font())
        self.setReadOnly(True)
        self.setTextInteractionFlags(_READING)
        self.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        self.setTabStopDistance(4 * self.fontMetrics().horizontalAdvance(" "))
        self.setCursorWidth(2)
        self._decoration = Decoration()
        self.count_width = _count_width(QFontMetrics(hint_font(self.font())), self._decoration)
        """Pixels for the number of predicates of a line, with its frame."""
        self._gutter = _Gutter(self)
        self._strip = HiddenHintsStrip(self._hidden, self)
        self._strip.wanted.connect(self._show_hints)
        self._widest = 0.0  # where the hints end that go farthest to the right, from the left end of the text
        self._full_range = 0  # of the horizontal scroll bar
        self._own_range = 0  # of it, for the text alone
        self.horizontalScrollBar().rangeChanged.connect(self._range_changed)
        self.horizontalScrollBar().valueChanged.connect(self._strip.update)
        self._highlighter = CHighlighter(self.document(), colours_of(self.palette()))
        self.setPlainText(text)
        self._fit_margin()
        self.updateRequest.connect(self._scroll_gutter)
        self._quiet = False
        self.cursorPositionChanged.connect(self._tell_line)

    # What others say

    @property
    def decoration(self) -> Decoration:
        return self._decoration

    def decorate(self, decoration: Decoration) -> None:
        """Draw another decoration; lines with equal decoration are not painted again."""
        before, self._decoration = self._decoration, decoration
        metrics = QFontMetrics(hint_font(self.font()))
        self.count_width = _count_width(metrics, decoration)
        blocks = ((self.document().findBlockByNumber(line - 1), hints) for line, hints in decoration.hints.items())
        rows = (place(metrics, hints, self._end_of(block)) for block, hints in blocks if block.isValid())
        self._widest = max((row[-1].right for row in rows if row), default=0.0)
        self._fit_margin()
        self._fit_range()
        for block, area in self.visible_blocks():
            line = block.blockNumber() + 1
            if decoration.on(line) != before.on(line):
                self._update_line(area.toAlignedRect())
        if decoration.hints != before.hints:
            self._strip.update()

    def _update_line(self, area: QRect) -> None:
        top, height = area.top() - 1, area.height() + 2  # frames of hints are as high as their line
        self.viewport().update(0, top, self.viewport().width(), height)
        self._gutter.update(0, top, self._gutter.width(), height)

    def set_editable(self, editable: bool) -> None:
        """Let the text be edited, or only be read; then its decoration is that of another text, until the next one."""
        self.setReadOnly(not editable)
        self.setTextInteractionFlags(Qt.TextInteractionFlag.TextEditorInteraction if editable else _READING)

    def look_at(self, line: int) -> None:
        """Scroll to a line that is not in sight, so that it stands in the middle; the cursor stays."""
        first, last = self.visible_lines()
        if not first <= line < last:
            self.verticalScrollBar().setValue(line - 1 - (last - first) // 2)

    def go_to(self, line: int) -> None:
        """Move the cursor to a line, and scroll to it if it is hidden. Emits no signal."""
        block = self.document().findBlockByNumber(line - 1)
        if not block.isValid():
            return
        self._quiet = True
        self.setTextCursor(QTextCursor(block))
        self._quiet = False
        first, last = self.visible_lines()
        if not first + 1 <= line <= last - 1:
            self.centerCursor()

    def visible_lines(self) -> tuple[int, int]:
        """The first and the last visible line."""
        numbers = [block.blockNumber() + 1 for block, _ in self.visible_blocks()]
        return (numbers[0], numbers[-1]) if numbers else (0, 0)

    def visible_blocks(self) -> Iterator[tuple[QTextBlock, QRectF]]:
        """The visible blocks with their rectangles in the viewport."""
        block = self.firstVisibleBlock()
        height = self.viewport().height()
        while block.isValid():
            area = self.blockBoundingGeometry(block).translated(self.contentOffset())
            if area.top() > height:
                return
            yield block, area
            block = block.next()

    def gutter_width(self) -> int:
        digits = max(3, len(str(self.blockCount())))
        return _SIGN + digits * self.fontMetrics().horizontalAdvance("9") + self.count_width + _BAR

    def explain(self, line: int) -> str:
        """The marks of a line in words."""
        return "\n".join(_explanation(self._decoration, line))

    # Qt

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802 - Qt's name
        super().resizeEvent(event)
        inside = self.contentsRect()
        self._gutter.setGeometry(QRect(inside.left(), inside.top(), self.gutter_width(), inside.height()))
        view = self.viewport().geometry()
        self._strip.setGeometry(QRect(view.right() + 1, view.top(), self.viewportMargins().right(), view.height()))
        self._fit_margin()

    def changeEvent(self, event: object) -> None:  # noqa: N802 - Qt's name
        super().changeEvent(event)  # type: ignore[arg-type]
        if getattr(self, "_highlighter", None) is not None and _is_palette_change(event):
            self._highlighter.recolour(colours_of(self.palette()))

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802 - Qt's name
        colours = colours_of(self.palette())
        blocks = list(self.blocks_in(event.rect()))
        painter = QPainter(self.viewport())
        self._paint_backgrounds(painter, colours, blocks)
        painter.end()
        super().paintEvent(event)
        painter = QPainter(self.viewport())
        self._paint_hints(painter, colours, blocks)
        painter.end()

    def blocks_in(self, area: QRect) -> Iterator[tuple[QTextBlock, QRectF]]:
        """The blocks in an area to be painted."""
        for block, where in self.visible_blocks():
            if where.bottom() >= area.top() and where.top() <= area.bottom():
                yield block, where

    def _paint_backgrounds(
        self, painter: QPainter, colours: Colours, blocks: Sequence[tuple[QTextBlock, QRectF]]
    ) -> None:
        shown = self._decoration
        width = self.viewport().width()
        for block, area in blocks:
            line = block.blockNumber() + 1
            back = QRectF(0, area.top(), width, area.height())
            if line == shown.arrow or line == shown.current:
                painter.fillRect(back, colours.named("cursor"))
            elif line in shown.path:
                painter.fillRect(back, colours.named("core_back" if shown.path[line] else "path_back"))

    def _paint_hints(self, painter: QPainter, colours: Colours, blocks: Sequence[tuple[QTextBlock, QRectF]]) -> None:
        if not self._decoration.hints:
            return
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setFont(hint_font(self.font()))
        painter.translate(self.contentOffset().x(), 0)
        for block, area in blocks:
            for one in self._placed(block, painter.fontMetrics()):
                if not self._is_cut(one):
                    paint(painter, colours, one, area.center().y())

    def _placed(self, block: QTextBlock, metrics: QFontMetrics) -> tuple[PlacedHint, ...]:
        """The hints of a line with their positions."""
        hints = self._decoration.hints.get(block.blockNumber() + 1)
        return place(metrics, hints, self._end_of(block), self.viewport().width()) if hints else ()

    def _is_cut(self, one: PlacedHint) -> bool:
        """Whether a hint ends beyond the right edge: its visible part could be taken for the whole."""
        return one.right + self.contentOffset().x() > self.viewport().width()

    def _hidden(self) -> Iterator[HiddenHints]:
        """The visible lines with hidden hints."""
        metrics = QFontMetrics(hint_font(self.font()))
        for block, area in self.visible_blocks():
            hints = tuple(one for one in self._placed(block, metrics) if self._is_cut(one))
            if hints:
                yield HiddenHints(block.blockNumber() + 1, area, hints)

    def _show_hints(self, hidden: HiddenHints) -> None:
        """Scroll to the hints of a line."""
        last, first = hidden.hints[-1].right, hidden.hints[0].left - BEFORE
        self.horizontalScrollBar().setValue(round(min(first, last - self.viewport().width() + BEFORE)))

    def _end_of(self, block: QTextBlock) -> float:
        """The width of the text of a line."""
        layout = block.layout()
        if layout.lineCount():
            return layout.lineAt(0).naturalTextWidth() + self.document().documentMargin()
        text = block.text().expandtabs(4)  # it has not been in sight so far
        return self.fontMetrics().horizontalAdvance(text) + self.document().documentMargin()

    def _scroll_gutter(self, area: QRect, dy: int) -> None:
        if dy:
            self._gutter.scroll(0, dy)
        else:
            self._gutter.update(0, area.y(), self._gutter.width(), area.height())
        self._strip.update()

    def _fit_margin(self) -> None:
        """Set the margins for the gutter, and for the strip while there are hints that do not fit."""
        margins = self.viewportMargins()
        fits = self._widest <= self.viewport().width() + margins.right()
        right = 0 if fits else QFontMetrics(hint_font(self.font())).horizontalAdvance("…999") + 6
        self._strip.setFont(hint_font(self.font()))
        self._strip.setVisible(not fits)
        if (margins.left(), margins.right()) != (self.gutter_width(), right):
            self.setViewportMargins(self.gutter_width(), 0, right, 0)

    def _range_changed(self, _: int, most: int) -> None:
        """Extend the scroll range, which Qt computes from the text only, by the hints."""
        if most != self._full_range:
            self._own_range = most
            self._fit_range()

    def _fit_range(self) -> None:
        """Set the scroll range to the end of the hints."""
        beyond = round(self._widest + BEFORE - self.viewport().width()) if self._strip.isVisibleTo(self) else 0
        self._full_range = max(self._own_range, beyond)
        self.horizontalScrollBar().setRange(0, self._full_range)

    def _tell_line(self) -> None:
        if not self._quiet:
            self.line_chosen.emit(self.textCursor().blockNumber() + 1)


def _is_palette_change(event: object) -> bool:
    from PySide6.QtCore import QEvent

    return isinstance(event, QEvent) and event.type() == QEvent.Type.PaletteChange


def _count_width(metrics: QFontMetrics, shown: Decoration) -> int:
    digits = max(2, len(str(max(shown.predicates.values(), default=0))))
    return digits * metrics.horizontalAdvance("9") + 14


_SIGN = 20  # pixels for the sign of a check or the arrow
_BAR = 10  # pixels for the bar of what was reached

_WORDS = {
    Mark.FAILING: "fails",
    Mark.OPEN: "not decided",
    Mark.UNTESTED: "verified, but not tested: no execution comes there",
    Mark.VERIFIED: "verified: can never fail",
}


class _Gutter(QWidget):
    """The gutter: signs, line numbers, numbers of predicates, and the bar of reached lines. Each has a shape or a
    tooltip.
    """

    def __init__(self, text: SourceText) -> None:
        super().__init__(text)
        self._text = text
        self.setAccessibleName("Marks of lines")

    def sizeHint(self) -> QSize:  # noqa: N802 - Qt's name
        return QSize(self._text.gutter_width(), 0)

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802 - Qt's name
        colours = colours_of(self.palette())
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.fillRect(event.rect(), self.palette().base())
        painter.setFont(self._text.font())
        for block, area in self._text.blocks_in(event.rect()):
            self._paint_line(painter, colours, block.blockNumber() + 1, area)
        painter.end()

    def mousePressEvent(self, event: QMouseEvent) -> None:  # noqa: N802 - Qt's name
        line = self._line_at(event.position().toPoint())
        if line:
            self._text.go_to(line)
            self._text.line_chosen.emit(line)

    def event(self, event: object) -> bool:
        if isinstance(event, QHelpEvent):
            text = self._text.explain(self._line_at(event.pos()))
            QToolTip.showText(event.globalPos(), text, self)
            return True
        return super().event(event)  # type: ignore[arg-type]

    def _line_at(self, place: QPoint) -> int:
        for block, area in self._text.visible_blocks():
            if area.top() <= place.y() < area.bottom():
                return block.blockNumber() + 1
        return 0

    def _paint_line(self, painter: QPainter, colours: Colours, line: int, area: QRectF) -> None:
        shown = self._text.decoration
        marks = shown.marks.get(line, LineMarks())
        width = self.width()
        sign = QRectF(3, area.center().y() - 6, 12, 12)
        if line == shown.arrow:
            _paint_arrow(painter, colours.named("cursor_edge"), sign)
        elif marks.check is not None:
            _paint_check(painter, colours, marks.check, sign)
        elif marks.loop:
            _paint_loop(painter, colours.named("quiet"), sign)
        painter.setPen(colours.named("cursor_edge" if line in (shown.current, shown.arrow) else "quiet"))
        right = width - _BAR - self._text.count_width
        number = QRectF(_SIGN, area.top(), right - _SIGN, area.height())
        painter.drawText(number, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter, str(line))
        if line in shown.predicates:
            count = QRectF(right + 4, area.top(), self._text.count_width - 6, area.height())
            _paint_count(painter, colours, str(shown.predicates[line]), count)
        _paint_bar(painter, colours, marks, QRectF(width - 7, area.top(), 4, area.height()))


def _paint_count(painter: QPainter, colours: Colours, text: str, area: QRectF) -> None:
    """Paint a number of predicates, in a frame so that it is not read as part of the line number."""
    font = painter.font()
    painter.setFont(hint_font(font))
    metrics = painter.fontMetrics()
    wide, high = metrics.horizontalAdvance(text) + 8, min(metrics.height(), area.height())
    frame = QRectF(area.right() - wide, area.center().y() - high / 2, wide, high)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(colours.named("predicate_back"))
    painter.drawRoundedRect(frame, 4, 4)
    painter.setPen(colours.named("new"))
    painter.drawText(frame, Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextDontClip, text)
    painter.setFont(font)


def _explanation(shown: Decoration, line: int) -> Iterator[str]:
    marks = shown.marks.get(line, LineMarks())
    if line == shown.arrow:
        yield "arrow: the step of the path stands here"
    if marks.check is not None:
        yield f"{marks.description}: {_WORDS[marks.check]}"
    if marks.loop:
        yield "round arrow: head of a loop"
    if marks.coverage is Coverage.REACHED:
        yield "full bar: reached in an abstraction"
    if marks.coverage is Coverage.NEVER:
        yield "dotted bar: never reached in any abstraction: no input leads here"
    count = shown.predicates.get(line, 0)
    if count:
        yield f"{count} predicate{'' if count == 1 else 's'} told apart here"
    if shown.path.get(line):
        yield "part of the contradiction"
    elif line in shown.path:
        yield "on the path"


def _paint_bar(painter: QPainter, colours: Colours, marks: LineMarks, area: QRectF) -> None:
    """Paint a full bar where there are states, a dotted one where there never were any."""
    if marks.coverage is Coverage.REACHED:
        painter.fillRect(area, colours.named("good"))
    elif marks.coverage is Coverage.NEVER:
        painter.setPen(QPen(colours.named("quiet"), 2, Qt.PenStyle.DotLine))
        painter.drawLine(area.center().toPoint().x(), int(area.top()), area.center().toPoint().x(), int(area.bottom()))


def _paint_arrow(painter: QPainter, colour: QColor, area: QRectF) -> None:
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(colour)
    middle = area.center().y()
    painter.drawPolygon(
        QPolygonF(
            [QPointF(area.left(), area.top()), QPointF(area.right(), middle), QPointF(area.left(), area.bottom())]
        )
    )


def _paint_check(painter: QPainter, colours: Colours, mark: Mark, area: QRectF) -> None:
    """Paint the sign of a check, each with a shape of its own: a tick, an empty set, a cross, a question mark."""
    painter.setBrush(Qt.BrushStyle.NoBrush)
    x, y, w = area.left(), area.top(), area.width()
    match mark:
        case Mark.VERIFIED:
            painter.setPen(QPen(colours.named("good"), 2.2))
            tick = QPolygonF([QPointF(x + 1, y + 6.5), QPointF(x + 4.5, y + 10), QPointF(x + w - 1, y + 2)])
            painter.drawPolyline(tick)
        case Mark.UNTESTED:
            painter.setPen(QPen(colours.named("open"), 2))
            painter.drawEllipse(area.adjusted(2, 2, -2, -2))
            painter.drawLine(QPointF(x + 1, y + w - 1), QPointF(x + w - 1, y + 1))
        case Mark.FAILING:
            painter.setPen(QPen(colours.named("bad"), 2.4))
            painter.drawLine(QPointF(x + 1.5, y + 1.5), QPointF(x + w - 1.5, y + w - 1.5))
            painter.drawLine(QPointF(x + w - 1.5, y + 1.5), QPointF(x + 1.5, y + w - 1.5))
        case Mark.OPEN:
            painter.setPen(QPen(colours.named("open"), 2))
            font = painter.font()
            bold = QFont(font)
            bold.setPointSizeF(font.pointSizeF() * 1.25)
            bold.setBold(True)
            painter.setFont(bold)
            painter.drawText(area, Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextDontClip, "?")
            painter.setFont(font)


def _paint_loop(painter: QPainter, colour: QColor, area: QRectF) -> None:
    painter.setPen(QPen(colour, 1.6))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.drawArc(area.adjusted(1, 1, -1, -1), 60 * 16, 270 * 16)
    tip = QPointF(area.center().x() + 3.2, area.top() + 2.2)
    painter.drawLine(tip, tip + QPointF(1.5, -2.2))
    painter.drawLine(tip, tip + QPointF(2.2, 2.0))
