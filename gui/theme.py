"""Light and dark: palettes, the colours of meaning, and a small style sheet over Fusion.

No meaning has a colour alone: verdicts have signs, marks have shapes. The colours of meaning can be distinguished with
the common kinds of colour blindness (blue, orange and vermilion instead of green and red; Okabe and Ito's set, darkened
or lightened for contrast). A view asks `colours_of(self.palette())` when it paints, and so follows every change.
"""

from __future__ import annotations

from enum import StrEnum
from importlib.resources import files

from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QFont, QFontDatabase, QPalette
from PySide6.QtWidgets import QApplication

from core.dataclass import dataclass
from interplay.presentation.record.summary import Tone


class Scheme(StrEnum):
    """The colour schemes that the user can choose."""

    SYSTEM = "system"
    LIGHT = "light"
    DARK = "dark"


@dataclass(frozen=True)
class Colours:
    """Colours by meaning, as `#rrggbb`; those named `…_back` are backgrounds on which text is readable."""

    good: str  # verified, true
    good_back: str
    bad: str  # failing, false
    bad_back: str
    open: str  # unknown, warnings
    open_back: str
    busy: str  # running
    busy_back: str
    quiet: str  # secondary text
    line: str  # hairlines
    raised: str  # bars and headers
    cursor: str  # the selected line or column
    cursor_edge: str
    value: str  # values of a counterexample
    value_back: str
    predicate: str
    predicate_back: str
    path: str  # the path shown, where it is a line
    path_back: str  # lines of the path shown
    core_back: str  # of these, those of the contradiction
    new: str  # what the last refinement brought
    keyword: str
    kind: str
    number: str
    text: str  # string literals
    comment: str
    directive: str
    series: str  # colours of charts, separated by spaces

    def named(self, name: str) -> QColor:
        return QColor(str(getattr(self, name)))

    def chart(self) -> tuple[QColor, ...]:
        """Colours for the parts of a chart, in their order."""
        return tuple(QColor(one) for one in self.series.split())

    def tone(self, tone: Tone) -> tuple[QColor, QColor]:
        """Foreground and background of a verdict."""
        name = _TONES[tone]
        return (
            (self.named(name), self.named(f"{name}_back"))
            if name != "quiet"
            else (
                self.named("quiet"),
                self.named("raised"),
            )
        )


_TONES = {
    Tone.TRUE: "good",
    Tone.FALSE: "bad",
    Tone.UNKNOWN: "open",
    Tone.TROUBLE: "bad",
    Tone.RUNNING: "busy",
    Tone.IDLE: "quiet",
}

SIGNS = {
    Tone.TRUE: "check",
    Tone.FALSE: "cross",
    Tone.UNKNOWN: "question",
    Tone.TROUBLE: "warning",
    Tone.RUNNING: "running",
    Tone.IDLE: "idle",
}
"""The icon of each verdict."""


def tint_of(tone: Tone) -> str:
    """The name of the colour of a verdict."""
    return _TONES[tone]


LIGHT = Colours(
    good="#00684f",
    good_back="#dcf3ec",
    bad="#b03a00",
    bad_back="#fde8dd",
    open="#7a5200",
    open_back="#fdf0cf",
    busy="#005b96",
    busy_back="#e0effa",
    quiet="#5a6472",
    line="#d3d8de",
    raised="#f1f3f6",
    cursor="#fff3c4",
    cursor_edge="#bd7400",
    value="#004f86",
    value_back="#d9ecfa",
    predicate="#4a4f57",
    predicate_back="#e9ebee",
    path="#6a3d9a",
    path_back="#f3eefb",
    core_back="#fddcc9",
    new="#0072b2",
    keyword="#9c2a5f",
    kind="#00627a",
    number="#1750a8",
    text="#3a6b12",
    comment="#57606a",
    directive="#7b5200",
    series="#0072b2 #e69f00 #009e73 #cc79a7 #56b4e9 #d55e00 #8f8f00 #666666",
)

DARK = Colours(
    good="#4fd1a9",
    good_back="#12352c",
    bad="#ff9b6b",
    bad_back="#47220f",
    open="#f2c14e",
    open_back="#3d300c",
    busy="#72bdf2",
    busy_back="#12304a",
    quiet="#9aa5b1",
    line="#343b44",
    raised="#20262d",
    cursor="#403510",
    cursor_edge="#f2a93b",
    value="#9bd2fa",
    value_back="#12395c",
    predicate="#b9c1ca",
    predicate_back="#2a3139",
    path="#c4a7f0",
    path_back="#29253a",
    core_back="#57290f",
    new="#56b4e9",
    keyword="#f08db8",
    kind="#66cfe0",
    number="#8ab4f8",
    text="#a5d374",
    comment="#9da7b2",
    directive="#d9b15f",
    series="#56b4e9 #e69f00 #2bbf93 #d58fb8 #8fd0f5 #f07d35 #d6cf4a #a5a5a5",
)


def is_dark(palette: QPalette) -> bool:
    return palette.color(QPalette.ColorRole.Base).lightness() < 128


def colours_of(palette: QPalette) -> Colours:
    """The colours that go with a palette."""
    return DARK if is_dark(palette) else LIGHT


def apply(application: QApplication, scheme: Scheme) -> None:
    """Apply the light or dark scheme, as chosen or as the system has it."""
    dark = scheme is Scheme.DARK or (scheme is Scheme.SYSTEM and _system_is_dark(application))
    application.setPalette(_palette(DARK_ROLES if dark else LIGHT_ROLES))
    application.setStyleSheet(_style(DARK if dark else LIGHT))


def opposite(application: QApplication) -> Scheme:
    """The scheme that looks other than the palette now; that of the system where this is one."""
    dark = not is_dark(application.palette())
    if dark is _system_is_dark(application):
        return Scheme.SYSTEM
    return Scheme.DARK if dark else Scheme.LIGHT


def _system_is_dark(application: QApplication) -> bool:
    return application.styleHints().colorScheme() == Qt.ColorScheme.Dark


_Role = QPalette.ColorRole
LIGHT_ROLES = {
    _Role.Window: "#f8f9fa",
    _Role.WindowText: "#1d2329",
    _Role.Base: "#ffffff",
    _Role.AlternateBase: "#f6f7f9",
    _Role.Text: "#1d2329",
    _Role.Button: "#eef0f3",
    _Role.ButtonText: "#1d2329",
    _Role.BrightText: "#ffffff",
    _Role.Highlight: "#0b63b0",
    _Role.HighlightedText: "#ffffff",
    _Role.ToolTipBase: "#ffffff",
    _Role.ToolTipText: "#1d2329",
    _Role.PlaceholderText: "#5f6872",
    _Role.Link: "#0b63b0",
    _Role.Mid: "#c2c8cf",
    _Role.Dark: "#a5adb6",
    _Role.Light: "#ffffff",
}
DARK_ROLES = {
    _Role.Window: "#161b21",
    _Role.WindowText: "#e3e8ee",
    _Role.Base: "#0f1318",
    _Role.AlternateBase: "#151a20",
    _Role.Text: "#e3e8ee",
    _Role.Button: "#262d35",
    _Role.ButtonText: "#e3e8ee",
    _Role.BrightText: "#ffffff",
    _Role.Highlight: "#2a72be",
    _Role.HighlightedText: "#ffffff",
    _Role.ToolTipBase: "#262d35",
    _Role.ToolTipText: "#e3e8ee",
    _Role.PlaceholderText: "#8b96a2",
    _Role.Link: "#72bdf2",
    _Role.Mid: "#3b444e",
    _Role.Dark: "#0a0d11",
    _Role.Light: "#3b444e",
}
_FADED = (_Role.WindowText, _Role.Text, _Role.ButtonText)


def _palette(roles: dict[QPalette.ColorRole, str]) -> QPalette:
    palette = QPalette()
    for role, value in roles.items():
        palette.setColor(role, QColor(value))
    faded = QColor(roles[_Role.PlaceholderText])
    faded.setAlphaF(0.7)
    for role in _FADED:
        palette.setColor(QPalette.ColorGroup.Disabled, role, faded)
    return palette


def _style(c: Colours) -> str:
    """The style sheet. It has no rule for QComboBox, which would lose its arrow."""
    return f"""
    QMainWindow::separator {{ background: {c.line}; width: 1px; height: 1px; }}
    QSplitter::handle {{ background: {c.line}; }}
    QToolBar {{ background: {c.raised}; border: none; border-bottom: 1px solid {c.line}; spacing: 4px; padding: 4px; }}
    QToolButton {{ padding: 4px 8px; border: 1px solid transparent; border-radius: 4px; }}
    QToolButton#qt_toolbar_ext_button {{ padding: 0px; background: {c.raised}; }}
    QToolButton:hover {{ border-color: {c.line}; }}
    QToolButton:focus {{ border-color: {c.busy}; }}
    QToolButton:checked {{ background: {c.busy_back}; border-color: {c.busy}; }}
    QToolButton#verify {{ background: {c.good_back}; border-color: {c.good}; font-weight: 600; }}
    QToolButton#verify:disabled {{ background: transparent; border-color: {c.line}; }}
    QStatusBar {{ background: {c.raised}; border-top: 1px solid {c.line}; }}
    QStatusBar::item {{ border: none; }}
    QTabWidget::pane {{ border: none; border-top: 1px solid {c.line}; }}
    QTabBar QToolButton {{ padding: 0px; background: {c.raised}; }}
    QTabBar::tab {{ padding: 6px 8px; border: none; border-bottom: 2px solid transparent; }}
    QTabBar::tab:selected {{ border-bottom-color: {c.busy}; font-weight: 600; }}
    QTabBar::tab:focus {{ background: {c.busy_back}; }}
    QHeaderView::section {{ background: {c.raised}; border: none; padding: 4px 6px; }}
    QHeaderView {{ border-bottom: 1px solid {c.line}; }}
    QTableView, QTreeView, QListView, QPlainTextEdit, QTextBrowser {{ border: none; }}
    QDockWidget::title {{ background: {c.raised}; padding: 6px; border-bottom: 1px solid {c.line}; }}
    QLabel[role="quiet"] {{ color: {c.quiet}; }}
    QLabel[role="heading"] {{ font-weight: 600; }}
    {_toned(c)}
    QToolTip {{ border: 1px solid {c.line}; padding: 4px; }}
    {_dark_edges(c) if c is DARK else ""}
    """


def _toned(c: Colours) -> str:
    """The bars that have the colour of a verdict, and their labels in it."""
    inks = {name: c.named(f"{name}_back" if name != "quiet" else "raised").name() for name in set(_TONES.values())}
    return "".join(
        f"""
    TonedBar[tone="{name}"] {{ background: {back}; border-bottom: 1px solid {c.named(name).name()}; }}
    QLabel[tone="{name}"] {{ color: {c.named(name).name()}; font-weight: 600; }}"""
        for name, back in sorted(inks.items())
    )


def _dark_edges(c: Colours) -> str:
    """The edges of fields and check boxes, which Qt draws in a colour that is hard to see on a dark ground."""
    check = str(files("resources") / "icons" / "check.svg").replace("\\", "/")
    return f"""
    QLineEdit {{ border: 1px solid {c.quiet}; border-radius: 3px; padding: 2px 4px; }}
    QLineEdit:focus {{ border-color: {c.busy}; }}
    QCheckBox::indicator {{ width: 13px; height: 13px; border: 1px solid {c.quiet}; border-radius: 2px; }}
    QCheckBox::indicator:checked {{ background: {c.busy}; border-color: {c.busy}; image: url("{check}"); }}
    """


def code_font() -> QFont:
    """The font of source text and formulas."""
    return QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont)
