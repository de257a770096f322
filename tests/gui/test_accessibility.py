"""Every control has a name and is reached and operated by keyboard; texts have the contrasts of WCAG AA."""

import itertools
import shutil
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QRect, Qt
from PySide6.QtGui import QColor, QImage, QPalette
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QAbstractSpinBox,
    QApplication,
    QComboBox,
    QLabel,
    QLineEdit,
    QMenu,
    QPlainTextEdit,
    QTabBar,
    QTextBrowser,
    QToolButton,
    QWidget,
)

from gui import theme
from gui.panels import PANELS, Area
from gui.theme import DARK, DARK_ROLES, LIGHT, LIGHT_ROLES, Colours, Scheme
from gui.views.source import SourceView
from gui.window import MainWindow
from tests.gui.conftest import EXAMPLES, GOLDEN

_CONTROLS = (
    *(QAbstractButton, QAbstractItemView, QAbstractSpinBox, QComboBox, QLineEdit, QPlainTextEdit, QTabBar),
    QTextBrowser,
)
_PARTS = ("qt_", "ScrollLeftButton", "ScrollRightButton", "_layout")
"""Names of widgets that Qt makes as parts of others."""


def controls(window: QWidget) -> Iterator[QWidget]:
    """The controls that can be seen and used, without those that are parts of others."""
    for one in window.findChildren(QWidget):
        if isinstance(one, _CONTROLS) and one.isVisible() and one.isEnabled() and not _is_part(one):
            yield one


def _is_part(widget: QWidget) -> bool:
    inside = widget.parentWidget()
    while inside is not None:
        if isinstance(inside, (QComboBox, QAbstractSpinBox, QAbstractItemView, QLineEdit, QTabBar)):
            return True
        inside = inside.parentWidget()
    return widget.objectName().startswith(_PARTS)


def name_of(widget: QWidget) -> str:
    text = widget.text() if isinstance(widget, (QAbstractButton,)) else ""
    return widget.accessibleName() or text or (widget.toolTip() if isinstance(widget, QToolButton) else "")


def described(widget: QWidget) -> str:
    place: list[str] = []
    at: QWidget | None = widget
    while at is not None and len(place) < 6:
        place.append(at.objectName() or type(at).__name__)
        at = at.parentWidget()
    return f"{type(widget).__name__} {name_of(widget)!r} in {' < '.join(place[1:])}"


@pytest.fixture(params=["v3", "v5", "edited"])  # predicate abstraction, heaps with frames, and what has bars
def shown(window: MainWindow, request: pytest.FixtureRequest, tmp_path: Path) -> MainWindow:
    if request.param != "edited":
        window.open_paths([GOLDEN.with_stem(request.param)])
        return window
    examples = shutil.copytree(EXAMPLES, tmp_path / "examples")  # what is edited may be saved
    window.open_paths([examples, examples / "lock.c"])
    window.options.add_folder(tmp_path)
    window.options.leave_out("irq_save")
    window.toolbar.commands["edit_here"].trigger()
    source = window.show_panel("source")
    assert isinstance(source, SourceView)
    assert source.current is not None
    source.current.insertPlainText(" ")
    window.show_error("a sentence", "details of it")
    return window


def test_every_control_has_a_name(shown: MainWindow) -> None:
    seen: set[QWidget] = set()
    for panel in PANELS:
        shown.show_panel(panel.name)
        seen |= set(controls(shown))
    shown.show_options()
    seen |= set(controls(shown))
    assert {described(one) for one in seen if not name_of(one)} == set()
    assert len(seen) > 60


def reached_by_keyboard(window: MainWindow) -> set[QWidget]:
    """The widgets that the Tab key comes to, from the first one around to it again."""
    window.activateWindow()
    first = next(controls(window))
    first.setFocus(Qt.FocusReason.TabFocusReason)
    chain = {first}
    at = first.nextInFocusChain()
    while at is not None and at is not first:
        if at.focusPolicy() & Qt.FocusPolicy.TabFocus:
            chain.add(at)
        at = at.nextInFocusChain()
    return chain


def _has_key(widget: QWidget) -> bool:
    action = widget.defaultAction() if isinstance(widget, QToolButton) else None
    return action is not None and not action.shortcut().isEmpty()


def test_every_control_is_reached_by_keyboard(shown: MainWindow) -> None:
    """By the Tab key; buttons of tool bars and of menus have the keys of their actions too."""
    missed = set()
    for panel in PANELS:
        shown.show_panel(panel.name)
        reached = reached_by_keyboard(shown)
        for one in controls(shown):
            proxy = one.focusProxy()
            if one not in reached and proxy not in reached and not _has_key(one):
                missed.add(described(one))
    assert missed == set()


@pytest.mark.long
def test_buttons_are_pressed_by_the_space_bar(shown: MainWindow) -> None:
    """A walk over the buttons of all panels, each once: Space presses what has the keyboard."""
    deaf, tried = set(), set[QWidget]()
    for panel in PANELS:
        shown.show_panel(panel.name)
        for one in list(controls(shown)):
            if isinstance(one, QAbstractButton) and one not in tried and one.isVisible() and one.isEnabled():
                tried.add(one)
                pressed: list[bool] = []
                one.blockSignals(True)  # what it does is tested elsewhere
                one.setFocus(Qt.FocusReason.TabFocusReason)
                before = one.isDown()
                QTest.keyPress(one, Qt.Key.Key_Space)
                pressed.append(one.isDown() or one.isDown() is not before)
                QTest.keyRelease(one, Qt.Key.Key_Space)
                if one.isCheckable():
                    one.setChecked(not one.isChecked())
                one.blockSignals(False)
                if not any(pressed):
                    deaf.add(described(one))
    assert deaf == set()


def test_every_panel_and_area_has_a_key_or_a_menu(shown: MainWindow) -> None:
    """What only a double click or a drag could do would be out of reach."""
    menus = {action.text() for menu in shown.menuBar().findChildren(QMenu) for action in menu.actions()}
    assert {panel.title for panel in PANELS} <= menus | {"Keys"}
    assert all(shown.areas.tabs(area).tabBar().focusPolicy() & Qt.FocusPolicy.TabFocus for area in Area)


# Contrasts


def luminance(colour: str) -> float:
    """Relative luminance, as WCAG 2.2 defines it."""
    one = QColor(colour)
    red, green, blue = (_linear(part) for part in (one.redF(), one.greenF(), one.blueF()))
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def _linear(part: float) -> float:
    return part / 12.92 if part <= 0.04045 else float(((part + 0.055) / 1.055) ** 2.4)


def contrast(ink: str, paper: str) -> float:
    lighter, darker = sorted((luminance(ink), luminance(paper)), reverse=True)
    return (lighter + 0.05) / (darker + 0.05)


SCHEMES = [(LIGHT, LIGHT_ROLES), (DARK, DARK_ROLES)]
Roles = QPalette.ColorRole


@pytest.mark.parametrize(("colours", "roles"), SCHEMES, ids=["light", "dark"])
def test_texts_can_be_read(colours: Colours, roles: dict[Roles, str]) -> None:
    """4.5 to 1 for every text on what it stands on."""
    papers = [roles[Roles.Window], roles[Roles.Base], roles[Roles.AlternateBase], colours.raised]
    inks = [roles[Roles.WindowText], roles[Roles.Text], roles[Roles.Link], colours.quiet, colours.good, colours.bad]
    inks += [colours.open, colours.busy, roles[Roles.PlaceholderText]]
    pairs = list(itertools.product(inks, papers))
    pairs += [(roles[Roles.HighlightedText], roles[Roles.Highlight]), (roles[Roles.ButtonText], roles[Roles.Button])]
    pairs += [(roles[Roles.ToolTipText], roles[Roles.ToolTipBase])]
    for name in ("good", "bad", "open", "busy", "value", "predicate"):
        back = getattr(colours, f"{name}_back")
        pairs += [(getattr(colours, name), back), (roles[Roles.Text], back)]
    source = ("keyword", "kind", "number", "text", "comment", "directive")
    lines = [roles[Roles.Base], colours.path_back, colours.core_back, colours.cursor]
    pairs += [(getattr(colours, name), line) for name in source for line in lines]
    pairs += [(roles[Roles.Text], line) for line in lines]
    low = {pair: round(contrast(*pair), 2) for pair in pairs if contrast(*pair) < 4.5}
    assert low == {}


@pytest.mark.parametrize(("colours", "roles"), SCHEMES, ids=["light", "dark"])
def test_signs_and_lines_that_mean_something_can_be_seen(colours: Colours, roles: dict[Roles, str]) -> None:
    """3 to 1 for what is no text but means something."""
    marks = ("path", "new", "cursor_edge", "busy", "good", "bad", "open", "quiet")
    low = {
        (name, paper): round(contrast(getattr(colours, name), paper), 2)
        for name in marks
        for paper in (roles[Roles.Base], roles[Roles.Window])
        if contrast(getattr(colours, name), paper) < 3
    }
    assert low == {}


def _said(widget: QWidget) -> str:
    """The text of a widget in one ink: labels with HTML have several."""
    match widget:
        case QLabel() if widget.textFormat() is not Qt.TextFormat.RichText:
            return widget.text()
        case QAbstractButton():
            return widget.text()
        case QComboBox():
            return widget.currentText()
        case QLineEdit():
            return widget.text()
        case _:
            return ""


def _paper(picture: QImage, window: MainWindow, widget: QWidget) -> str:
    """The colour of most points that are seen of a widget; empty where none is."""
    seen = widget.visibleRegion().boundingRect()
    area = QRect(widget.mapTo(window, seen.topLeft()), seen.size()).intersected(picture.rect())
    points = itertools.product(range(area.left(), area.right(), 3), range(area.top(), area.bottom(), 2))
    colours = Counter(picture.pixel(x, y) for x, y in points)
    return QColor(colours.most_common(1)[0][0]).name() if colours else ""


def inks_of_links(window: MainWindow) -> set[str]:
    """The colours of the links in the texts that scroll."""
    found = set()
    for browser in window.findChildren(QTextBrowser):
        block = browser.document().begin()
        while block.isValid():
            formats = (piece.format for piece in block.textFormats())  # type: ignore[attr-defined]  # it is there
            found |= {one.foreground().color().name() for one in formats if one.isAnchor()}
            block = block.next()
    return found


@pytest.mark.long
def test_texts_can_be_read_after_a_change_of_theme(shown: MainWindow, qapp: QApplication) -> None:
    """Whatever was made before: the ink of each widget on what is painted below it."""
    low, count = set(), 0
    for panel in PANELS:
        shown.show_panel(panel.name)
    shown.show_error("a sentence")
    for scheme in (Scheme.DARK, Scheme.LIGHT):
        theme.apply(qapp, scheme)
        for panel in PANELS:
            shown.show_panel(panel.name)
            picture = shown.grab().toImage()
            assert inks_of_links(shown) == {qapp.palette().color(Roles.Link).name()}, panel.name
            for widget in shown.findChildren(QWidget):
                if widget.isVisible() and widget.isEnabled() and _said(widget):
                    paper = _paper(picture, shown, widget)
                    ink = widget.palette().color(widget.foregroundRole()).name()
                    count += bool(paper)
                    if paper and contrast(ink, paper) < 4.5:
                        low.add(f"{scheme.value} {panel.name}: {described(widget)} {ink} on {paper}")
    assert low == set()
    assert count > 500
