"""The pane that both graphs share: tools, the picture or its list, a legend, and a description of the selection.

The view that owns a pane decides what is drawn; the pane shows it and emits signals for actions of the user.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

from PySide6.QtCore import QPointF, QSize, Qt, Signal, SignalInstance
from PySide6.QtGui import QAction, QKeySequence, QResizeEvent, QShortcut
from PySide6.QtWidgets import (
    QFileDialog,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QMenu,
    QPlainTextEdit,
    QSizePolicy,
    QStackedLayout,
    QToolBar,
    QToolButton,
    QWidget,
)

from gui.icons import icon
from gui.model.background import InPieces
from gui.views.empty import EmptyView
from gui.views.graphcanvas import GraphCanvas
from gui.views.graphtiles import Tiles
from gui.views.graphtree import GraphTree
from gui.views.layouts import column_layout
from interplay.presentation.graphs.picture import Look, Outline, Sheet
from interplay.presentation.graphs.picturesvg import parts_of, whole

_MAX_DETAILS = 6  # lines
_AROUND_DETAILS = 5  # pixels


class GraphPane(QWidget):
    """The pane. `chosen(box)`, `toggled(box)` and `entered(box)` come from the picture, the list or the search."""

    chosen = Signal(int)
    toggled = Signal(int)
    entered = Signal(int)

    def __init__(self, name: str, legend: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.name = name
        self.canvas = GraphCanvas()
        self.canvas.setAccessibleName(name)
        self.twin = GraphTree()
        self.empty = EmptyView()
        self.search = QLineEdit()
        self.choices = QHBoxLayout()
        self.folds = QMenu(self)
        self.details = QPlainTextEdit()
        self._legend = QLabel(legend)
        self._finding: InPieces[int | None] = InPieces(self._found)
        self._saving: InPieces[str] = InPieces(self._save)
        self._target: tuple[Path, Sheet] | None = None
        self._build()
        for part in (self.canvas, self.twin):
            part.selected.connect(self.chosen)
        self.canvas.toggled.connect(self.toggled)
        self.canvas.entered.connect(self.entered)
        self.twin.doubleClicked.connect(lambda _: self._of_row(self.entered))
        self._outline = Outline(())
        self._keys()

    # Building

    def _build(self) -> None:
        body = QWidget()
        self._body = QStackedLayout(body)
        self._body.setContentsMargins(0, 0, 0, 0)
        for part in (self.empty, self.canvas, self.twin):
            self._body.addWidget(part)
        self.details.setReadOnly(True)
        self.details.setTabChangesFocus(True)
        self.details.setFrameShape(QPlainTextEdit.Shape.NoFrame)
        self.details.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.details.document().setDocumentMargin(0)  # it would scroll, and cut the last line
        self.details.setViewportMargins(_AROUND_DETAILS, _AROUND_DETAILS, _AROUND_DETAILS, _AROUND_DETAILS)
        self.details.setAccessibleName("What is selected")
        self._legend.setWordWrap(True)
        self._legend.setProperty("role", "quiet")
        self._legend.setContentsMargins(8, 2, 8, 4)
        self._legend.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        layout = column_layout(self)
        self.choices.setContentsMargins(8, 4, 8, 0)
        self.choices.setSpacing(8)
        layout.addLayout(self.choices)
        layout.addWidget(self._tools())
        layout.addWidget(body, 1)
        layout.addWidget(self.details)
        layout.addWidget(self._legend)
        self.details.hide()

    def _tools(self) -> QToolBar:
        """The tool bar; what has no room in it is in its menu."""
        row = QToolBar(self.name)
        row.setIconSize(QSize(16, 16))
        _add(row, "zoom-out", "Smaller (−)", self.canvas.zoom_out)
        _add(row, "zoom-in", "Larger (+)", self.canvas.zoom_in)
        _add(row, "fit", "The whole graph (0)", self.canvas.fit)
        actual = _add(row, "", "Actual size (1)", self.canvas.actual_size)
        actual.setText("1:1")
        fold = _add(row, "", "What is drawn, and what is folded away (Space folds what is selected)", lambda: None)
        fold.setText("Fold")
        fold.setMenu(self.folds)
        fold.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self._fold_action = row.actions()[-1]
        self._fold_action.setVisible(False)
        self.map_button = _add(row, "map", "A small map in the corner", self._toggle_map, checkable=True)
        self.map_button.setChecked(True)
        self.twin_button = _add(row, "list", "The graph as a tree of rows (L)", self._toggle_twin, checkable=True)
        _add(row, "export", "Save as an SVG picture…", self._ask_where_to_save)
        self.search.setPlaceholderText("Find (/)")
        self.search.setAccessibleName(f"Find in {self.name.lower()}")
        self.search.setClearButtonEnabled(True)
        self.search.setMinimumWidth(70)
        self.search.returnPressed.connect(self.find_next)
        row.addWidget(self.search)
        return row

    def _keys(self) -> None:
        canvas = self.canvas
        zooms = (("0", canvas.fit), ("1", canvas.actual_size), ("+", canvas.zoom_in), ("-", canvas.zoom_out))
        for keys, action in (("/", self._to_search), ("L", self.twin_button.click), *zooms):
            shortcut = QShortcut(QKeySequence(keys), self)
            shortcut.setContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
            shortcut.activated.connect(action)
        leave = QShortcut(QKeySequence("Escape"), self.search, context=Qt.ShortcutContext.WidgetShortcut)
        leave.activated.connect(self._to_graph)
        for keys, signal in (("Return", self.entered), ("Space", self.toggled)):
            shortcut = QShortcut(QKeySequence(keys), self.twin, context=Qt.ShortcutContext.WidgetShortcut)
            shortcut.activated.connect(lambda signal=signal: self._of_row(signal))

    def _of_row(self, signal: SignalInstance) -> None:
        box = self.twin.enter()
        if box is not None:
            signal.emit(box)

    def add_fold(self, text: str, words: str, act: Callable[[bool], None], *, checkable: bool) -> QAction:
        """Add an entry to the menu of folds."""
        action = QAction(text, self)
        action.setCheckable(checkable)
        action.setToolTip(words)
        action.triggered.connect(act)
        self.folds.setToolTipsVisible(True)
        self.folds.addAction(action)
        self._fold_action.setVisible(True)
        return action

    # What is shown

    @property
    def sheet(self) -> Sheet | None:
        """The sheet that is drawn; None while there is none."""
        return self.canvas.sheet if self._body.currentWidget() is not self.empty else None

    def show_nothing(self, sentence: str) -> None:
        self.empty.say(sentence)
        self._body.setCurrentWidget(self.empty)
        self.details.hide()
        self._legend.hide()

    def show_sheet(
        self, sheet: Sheet, tiles: Tiles, outline: Outline, *, keep: tuple[int, QPointF] | None = None
    ) -> None:
        """Show a moment. `keep`: a box that is to stay at a pixel, where the layout is another one."""
        if self.canvas.sheet is None or sheet.picture is not self.canvas.sheet.picture:
            self.twin.forget_folds()
        self._outline = outline
        listed = self.twin_button.isChecked()
        self._body.setCurrentWidget(self.twin if listed else self.canvas)
        self._legend.show()
        self.canvas.show_sheet(sheet, tiles)
        if keep is not None:
            self.canvas.put_at(*keep)
        if listed:
            self.twin.show_sheet(sheet, outline, self.canvas.selection)
        self._tell()

    def select(self, box: int | None) -> None:
        """Mark the selection in the picture and the list, and describe it."""
        self.canvas.select(box)
        if self.twin_button.isChecked():
            self.twin.select(box)
        self._tell()

    def _tell(self) -> None:
        box = self.canvas.selection
        told = self.sheet is not None and box is not None
        self.details.setVisible(told)
        if told and self.sheet is not None and box is not None:
            self.say(self.sheet.about(box))

    def _toggle_twin(self) -> None:
        if self.sheet is not None and self.canvas.sheet is not None:
            listed = self.twin_button.isChecked()
            if listed:
                self.twin.show_sheet(self.canvas.sheet, self._outline, self.canvas.selection)
            part = self.twin if listed else self.canvas
            self._body.setCurrentWidget(part)
            part.setFocus()

    def _toggle_map(self) -> None:
        self.canvas.map.wanted = self.map_button.isChecked()
        self.canvas.map.place()

    # Finding

    def _to_search(self) -> None:
        self.search.setFocus()
        self.search.selectAll()

    def _to_graph(self) -> None:
        part = self._body.currentWidget()
        if part is not None:
            part.setFocus()

    def find_next(self) -> None:
        """Select the next box that contains the search text; large graphs are searched in pieces."""
        if self.sheet is not None and self.search.text():
            self._finding.start(self._matches(self.sheet, self.search.text().casefold()))

    def _matches(self, sheet: Sheet, wanted: str) -> Iterator[int | None]:
        """Yield None while searching, then the first match after the selection."""
        count = len(sheet.looks)
        begin = 0 if self.canvas.selection is None else self.canvas.selection + 1
        for offset in range(count):
            box = (begin + offset) % count
            hidden = sheet.looks[box] is Look.HIDDEN
            if not hidden and any(wanted in line.text.casefold() for line in sheet.lines(box)):
                yield box
                return
            yield None

    def _found(self, looked_at: list[int | None]) -> None:
        box = looked_at[-1] if looked_at else None
        if box is not None:
            self.chosen.emit(box)
        else:
            self.say(f"Nothing here has “{self.search.text()}”.")

    def say(self, sentence: str) -> None:
        """Show a sentence in place of the description of the selection."""
        self.details.setVisible(True)
        if self.details.toPlainText() != sentence:
            self.details.setPlainText(sentence)
        self._fit_details()

    def _fit_details(self) -> None:
        """Fit the height of the description to its text, up to a limit beyond which it scrolls."""
        lines = round(self.details.document().size().height())
        spacing = self.details.fontMetrics().lineSpacing()
        most = max(2, min(_MAX_DETAILS, self.height() // 4 // spacing))
        self.details.setFixedHeight(min(lines, most) * spacing + 2 * _AROUND_DETAILS + 1)

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802 - Qt's name
        super().resizeEvent(event)
        self._fit_details()

    # Saving

    def _ask_where_to_save(self) -> None:
        if self.sheet is None:
            return
        from gui.views.chooser import chooser  # who opens the window does not pay for it

        dialog = chooser(self, "Save the picture", f"{self.name.lower().replace(' ', '-')}.svg", "SVG (*.svg)")
        dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
        dialog.setDefaultSuffix("svg")
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.fileSelected.connect(lambda name: self.save(Path(name)))
        dialog.show()

    def save(self, file: Path) -> None:
        """Write the picture as it looks now, in pieces."""
        if self.sheet is not None:
            self._target = file, self.sheet
            self._saving.start(parts_of(self.sheet))

    def _save(self, parts: list[str]) -> None:
        if self._target is None:
            return
        file, sheet = self._target
        try:
            file.write_text(whole(sheet, parts), encoding="utf-8")
        except OSError as error:
            self.say(f"The picture cannot be saved: {error}")
        else:
            self.say(f"Saved: {file}")


def _add(row: QToolBar, name: str, words: str, action: Callable[[], object], *, checkable: bool = False) -> QToolButton:
    button = QToolButton()
    if name:
        button.setIcon(icon(name))
    button.setIconSize(QSize(16, 16))
    button.setToolTip(words)
    button.setAccessibleName(words)
    button.setCheckable(checkable)
    button.clicked.connect(lambda: action())
    row.addWidget(button)
    return button
