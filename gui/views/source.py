"""The source view: the files of the program in tabs, with marks, predicates and values; find and go to line."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeySequence, QShortcut, QTextDocument
from PySide6.QtWidgets import QHBoxLayout, QLabel, QLineEdit, QPushButton, QTabBar, QWidget

from gui.icons import icon
from gui.model.current import RunModel
from gui.model.disk import DiskWatch
from gui.model.focus import Aspect, Focus
from gui.views.buttons import icon_button
from gui.views.editing import EditStrip
from gui.views.empty import EmptyView
from gui.views.layouts import column_layout
from gui.views.sourcetext import Decoration, SourceText
from interplay.presentation.record.marks import (
    InlayHint,
    marks,
    path_lines,
    predicate_counts,
    predicate_hints,
    value_hints,
)
from interplay.presentation.record.run import RunRecord
from interplay.presentation.record.summary import Action, failing_checks

_FIRST_STEPS = """No program is open. Three steps lead to a first verdict:

1.  Choose an example on the left, such as lock.c, or open a C file.
2.  Press Verify (F5): what the program asserts is checked.
3.  Read the verdict above. A refinement below, clicked, shows why it was needed.
"""


class SourceView(QWidget):
    """The view of the source: shows the selected line, the path and the values of the step; selecting a line moves the
    focus.
    """

    asked = Signal(object)

    def __init__(self, model: RunModel, focus: Focus, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._model = model
        self._focus = focus
        self._texts: dict[str, SourceText] = {}
        self._tabs = QTabBar()
        self._tabs.setAccessibleName("Files")
        self._tabs.setDrawBase(False)
        self._tabs.setExpanding(False)
        self._tabs.currentChanged.connect(self._show_tab)
        self.find_bar = _FindBar(self)
        self._empty = EmptyView(_FIRST_STEPS)
        self._empty.offer(Action.OPEN.value, lambda: self.asked.emit(Action.OPEN))
        self._layout = column_layout(self)
        self._layout.addWidget(self._changed_on_disk())
        self.editing = EditStrip(model.texts)
        model.texts.changed.connect(self._texts_changed)
        self._layout.addWidget(self.editing)
        self._layout.addWidget(self._tabs)
        self._layout.addWidget(self._empty, 1)
        self._layout.addWidget(self.find_bar)
        self.find_bar.hide()
        _shortcut(self, QKeySequence(QKeySequence.StandardKey.Find), self.find_bar.open_for_text)
        _shortcut(self, QKeySequence("Ctrl+L"), self.find_bar.open_for_line)
        self._disk = DiskWatch(self)
        self._disk.changed.connect(self.look_at_disk)
        model.replaced.connect(self._replaced)
        model.decided.connect(self._look_at_failure)
        model.advanced.connect(self._advanced)
        focus.changed.connect(self._follow)
        self._replaced()

    @property
    def current(self) -> SourceText | None:
        """The text of the current file."""
        index = self._tabs.currentIndex()
        return self._texts.get(self._tabs.tabData(index)) if index >= 0 else None

    @property
    def file(self) -> str:
        index = self._tabs.currentIndex()
        return str(self._tabs.tabData(index)) if index >= 0 else ""

    # What happens on disk

    def _changed_on_disk(self) -> QWidget:
        self.strip = QWidget()
        self.changed = QLabel()
        self.changed.setWordWrap(True)
        self.reload = QPushButton(icon("refresh"), Action.RELOAD.value)
        self.reload.setToolTip("Show the text as it is on disk now; the run that is shown is about the one before")
        self.reload.clicked.connect(lambda: self.asked.emit(Action.RELOAD))
        row = QHBoxLayout(self.strip)
        row.setContentsMargins(12, 4, 8, 4)
        row.addWidget(self.changed, 1)
        row.addWidget(self.reload)
        self.strip.hide()
        return self.strip

    def look_at_disk(self) -> None:
        """Say which of the files shown have another text on disk."""
        names = [path.name for path in self._disk.differing()]
        have = "has" if len(names) == 1 else "have"
        self.changed.setText(f"{', '.join(names)} {have} changed on disk since this text was read.")
        self.strip.setVisible(bool(names))

    # What happens to the run

    def _replaced(self) -> None:
        record = self._model.record
        shown = {name: text.toPlainText() for name, text in self._texts.items()}
        self._watch(record)
        if record is None or not shown or record.program_texts != shown:
            self._load(record)
        self._decorate()
        self._look_at_failure()

    def _look_at_failure(self) -> None:
        """Scroll to the first check that fails, unless a line is chosen; nothing else moves."""
        record = self._model.record
        failing = [] if record is None else failing_checks(record)
        text = self._texts.get(failing[0].file) if failing else None
        if text is None or text is not self.current or self._focus.selection.line is not None:
            return
        text.look_at(failing[0].line)

    def _advanced(self) -> None:
        record = self._model.record
        if record is not None and set(record.program_texts) != set(self._texts):
            self._load(record)
            self._watch(record)
        self._decorate()

    def _watch(self, record: RunRecord | None) -> None:
        texts = self._model.texts
        self._disk.watch({**record.sources, **texts.before} if record is not None else {})
        self.look_at_disk()

    def _load(self, record: RunRecord | None) -> None:
        """Make a tab for each C file, not for task definitions and properties."""
        self._tabs.blockSignals(True)
        while self._tabs.count():
            self._tabs.removeTab(0)
        for text in self._texts.values():
            self._layout.removeWidget(text)
            text.hide()
            text.deleteLater()
        self._texts.clear()
        for name, content in (record.program_texts if record else {}).items():
            self._texts[name] = self._make(name, content)
            index = self._tabs.addTab(icon("file-code"), Path(name).name)
            self._tabs.setTabData(index, name)
            self._tabs.setTabToolTip(index, name)
            if record is not None and name == record.main_file:
                self._tabs.setCurrentIndex(index)
        self._tabs.blockSignals(False)
        self._tabs.setVisible(self._tabs.count() > 1)
        self._empty.setVisible(not self._texts)
        self._show_tab()

    def _make(self, name: str, content: str) -> SourceText:
        text = SourceText(content, self)
        text.hide()
        text.line_chosen.connect(lambda line: self._focus.go_to_line(name, line))
        self._layout.insertWidget(3, text, 1)
        self.editing.resume(name, text)
        return text

    def _show_tab(self) -> None:
        for text in self._texts.values():
            text.setVisible(text is self.current)
        self.editing.show_file(self.file, self.current)
        self._decorate()

    def edit(self) -> bool:
        """Let the file in sight be edited in place; whether that is possible."""
        text = self.current
        if text is None or not Path(self.file).is_file():
            return False
        self.editing.begin(self.file, text)
        self._decorate()
        return True

    def _texts_changed(self) -> None:
        if not self.editing.is_edited(self.file):
            self._watch(self._model.record)
        self.editing.show_file(self.file, self.current)
        self._decorate()

    # What happens to the focus

    def _follow(self, aspects: Aspect) -> None:
        line = self._focus.selection.line
        if line is not None and aspects & (Aspect.LINE | Aspect.STEP | Aspect.PLACE):
            self._go_to(*line)
        self._decorate()

    def _go_to(self, file: str, line: int) -> None:
        for index in range(self._tabs.count()):
            if self._tabs.tabData(index) == file:
                self._tabs.setCurrentIndex(index)
                text = self._texts[file]
                if self.editing.is_edited(file):
                    return
                if text.textCursor().blockNumber() + 1 != line:
                    text.go_to(line)
                else:
                    text.ensureCursorVisible()  # it may have a selection, which stays

    def _decorate(self) -> None:
        text, record = self.current, self._model.record
        if text is None or record is None:
            return
        selection, path, file = self._focus.selection, self._focus.path, self.file
        hints: dict[int, tuple[InlayHint, ...]] = {}
        if path is not None and selection.step is not None:
            hints.update(value_hints(path, selection.step, file))
        if selection.place is not None:
            span = record.span_of_place(selection.place)
            if span is not None and span.file == file:
                known = predicate_hints(record, selection.attempt, selection.round, selection.place)
                hints[span.line] = (*hints.get(span.line, ()), *known)
        step = path.steps[selection.step] if path is not None and selection.step is not None else None
        arrow = step.span.line if step is not None and step.span is not None and step.span.file == file else 0
        # While the run goes on, the path of now changes ten times a second.
        settled = record.view.verdict is not None or record.paused or selection.round is not None
        text.decorate(
            Decoration(
                marks(record, file),
                predicate_counts(record, selection.attempt, selection.round, file),
                hints,
                path_lines(path, file) if path is not None and settled else {},
                selection.line[1] if selection.line is not None and selection.line[0] == file else 0,
                arrow,
            )
        )


def _shortcut(parent: QWidget, keys: QKeySequence, action: object) -> None:
    shortcut = QShortcut(keys, parent)
    shortcut.setContext(Qt.ShortcutContext.WindowShortcut)
    shortcut.activated.connect(action)


class _FindBar(QWidget):
    """A bar at the bottom that finds a text, or goes to a line. Escape closes it."""

    def __init__(self, view: SourceView) -> None:
        super().__init__(view)
        self._view = view
        self._for_line = False
        self.field = QLineEdit()
        self.field.setAccessibleName("Find")
        self.field.setClearButtonEnabled(True)
        self._answer = QLabel()
        self._answer.setProperty("role", "quiet")
        self.field.returnPressed.connect(self.forward)
        self.field.textChanged.connect(lambda: self._answer.setText(""))
        layout = QHBoxLayout(self)
        layout.setContentsMargins(8, 4, 8, 4)
        layout.addWidget(self.field, 1)
        layout.addWidget(self._answer)
        for name, words, action in (
            ("previous", "Previous match (Shift+F3)", self.backward),
            ("next", "Next match (F3)", self.forward),
            ("close", "Close (Escape)", self.close_bar),
        ):
            layout.addWidget(icon_button(name, words, action))
        QShortcut(QKeySequence("F3"), view, self.forward)
        QShortcut(QKeySequence("Shift+F3"), view, self.backward)
        QShortcut(QKeySequence("Escape"), self, self.close_bar, context=Qt.ShortcutContext.WidgetWithChildrenShortcut)

    @property
    def answer(self) -> str:
        return self._answer.text()

    def open_for_text(self) -> None:
        self._open(False, "Find in this file")

    def open_for_line(self) -> None:
        self._open(True, "Go to line")

    def forward(self) -> None:
        self._search(QTextDocument.FindFlag(0))

    def backward(self) -> None:
        self._search(QTextDocument.FindFlag.FindBackward)

    def close_bar(self) -> None:
        self.hide()
        if self._view.current is not None:
            self._view.current.setFocus()

    def _open(self, for_line: bool, words: str) -> None:
        self._for_line = for_line
        self.field.setPlaceholderText(words)
        self.field.setAccessibleName(words)
        self._answer.setText("")
        self.show()
        self.field.setFocus()
        self.field.selectAll()

    def _search(self, flags: QTextDocument.FindFlag) -> None:
        text, wanted = self._view.current, self.field.text()
        if text is None or not wanted:
            return
        self._answer.setText("")
        if self._for_line:
            self._go_to_line(text, wanted)
        elif not text.find(wanted, flags) and not self._wrapped(text, wanted, flags):
            self._answer.setText("Not found")

    def _wrapped(self, text: SourceText, wanted: str, flags: QTextDocument.FindFlag) -> bool:
        """Search again from the other end."""
        before = text.textCursor()
        cursor = text.textCursor()
        backward = bool(flags & QTextDocument.FindFlag.FindBackward)
        cursor.movePosition(cursor.MoveOperation.End if backward else cursor.MoveOperation.Start)
        text.setTextCursor(cursor)
        if text.find(wanted, flags):
            return True
        text.setTextCursor(before)
        return False

    def _go_to_line(self, text: SourceText, wanted: str) -> None:
        if wanted.isdecimal() and 1 <= int(wanted) <= text.blockCount():
            text.go_to(int(wanted))
            text.line_chosen.emit(int(wanted))
            self.close_bar()
        else:
            self._answer.setText(f"Lines go from 1 to {text.blockCount()}")
