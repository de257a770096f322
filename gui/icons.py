"""Icons: SVG files drawn with `currentColor`, painted in the current colour of the palette."""

from __future__ import annotations

from functools import cache

from PySide6.QtCore import QByteArray, QPoint, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QGuiApplication, QIcon, QIconEngine, QPainter, QPalette, QPixmap

from gui.theme import Colours, colours_of
from resources import resource_text

_LARGE = 256  # pixels of the window icon


class _Recoloured(QIconEngine):
    """Paints one icon. `tint` names a field of `Colours`; without one it is the colour of button texts."""

    def __init__(self, name: str, tint: str) -> None:
        super().__init__()
        self._name = name
        self._tint = tint
        self._copies: list[QIconEngine] = []  # Qt holds clones by pointer alone
        self._drawn: dict[tuple[str, int], QPixmap] = {}  # by colour and pixels

    def clone(self) -> QIconEngine:
        copy = _Recoloured(self._name, self._tint)
        self._copies.append(copy)
        return copy

    def paint(self, painter: QPainter, rect: QRect, mode: QIcon.Mode, state: QIcon.State) -> None:
        colour = self._colour(mode)
        side = min(rect.width(), rect.height())
        key = (colour.name(), round(side * painter.device().devicePixelRatioF()))
        if key not in self._drawn:
            self._drawn[key] = _drawn(self._name, *key)
        painter.save()
        painter.setOpacity(painter.opacity() * colour.alphaF())
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
        place = QRect(0, 0, side, side)
        place.moveCenter(rect.center())
        painter.drawPixmap(place, self._drawn[key])
        painter.restore()

    def pixmap(self, size: QSize, mode: QIcon.Mode, state: QIcon.State) -> QPixmap:
        pixmap = QPixmap(size)
        pixmap.fill(Qt.GlobalColor.transparent)
        painter = QPainter(pixmap)
        self.paint(painter, QRect(QPoint(0, 0), size), mode, state)
        painter.end()
        return pixmap

    def _colour(self, mode: QIcon.Mode) -> QColor:
        palette = QGuiApplication.palette()
        if mode == QIcon.Mode.Disabled:
            return palette.color(QPalette.ColorGroup.Disabled, QPalette.ColorRole.ButtonText)
        if mode == QIcon.Mode.Selected:
            return palette.color(QPalette.ColorRole.HighlightedText)
        if self._tint:
            return colours_of(palette).named(self._tint)
        return palette.color(QPalette.ColorRole.ButtonText)


def icon(name: str, tint: str = "") -> QIcon:
    """The icon `resources/icons/NAME.svg`; `tint` is a colour of `gui.theme.Colours`."""
    assert not tint or tint in Colours.__annotations__
    return QIcon(_Recoloured(name, tint))


def _drawn(name: str, colour: str, pixels: int) -> QPixmap:
    from PySide6.QtSvg import QSvgRenderer

    pixmap = QPixmap(pixels, pixels)
    pixmap.fill(Qt.GlobalColor.transparent)
    painter = QPainter(pixmap)
    text = _text(name).replace("currentColor", colour or "black")
    QSvgRenderer(QByteArray(text.encode())).render(painter, QRectF(0, 0, pixels, pixels))
    painter.end()
    return pixmap


def application_icon() -> QIcon:
    """The icon of windows, in its own colours."""
    return QIcon(_drawn("interplay", "", _LARGE))


@cache
def _text(name: str) -> str:
    return resource_text("icons", f"{name}.svg")
