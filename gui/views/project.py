"""The project at a glance: its programs by property, and below each program its assertions."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QPoint, Qt, Signal
from PySide6.QtGui import QIcon
from PySide6.QtWidgets import (
    QFileDialog,
    QHBoxLayout,
    QHeaderView,
    QLabel,
    QMenu,
    QStackedLayout,
    QTreeWidget,
    QTreeWidgetItem,
    QWidget,
)

from gui.icons import icon
from gui.model.current import RunModel
from gui.model.focus import Focus
from gui.model.glance import (
    GlanceLine,
    ProjectProgram,
    Question,
    lines_below,
    program_line,
    questions_of,
    sentence,
)
from gui.model.project import ProjectModel, Visit
from gui.report.projectpage import project_page
from gui.theme import SIGNS, tint_of
from gui.views.buttons import text_button
from gui.views.chooser import chooser
from gui.views.empty import EmptyView
from gui.views.layouts import column_layout
from interplay.presentation.record.summary import Action

_PROGRAM, _LINE = Qt.ItemDataRole.UserRole, Qt.ItemDataRole.UserRole + 1
_WHY_EMPTY = "No project is open: open a folder of C files, or one with an interplay.toml."
_FIRST = 220  # pixels of the names of files
_LONG = 12  # letters of a header that is broken


class ProjectView(QWidget):
    """The table. `asked(Visit)`: open this run at a line; `asked(Action)`: open a folder."""

    asked = Signal(object)

    def __init__(self, model: RunModel, focus: Focus, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        assert model.project is not None
        self._project: ProjectModel = model.project
        self._shown: tuple[ProjectProgram, ...] = ()
        self.table = QTreeWidget()
        self.table.setAccessibleName("Programs by property")
        self.table.setUniformRowHeights(True)
        self.table.setStyleSheet("QTreeView::item { padding: 3px 0px; }")
        self.table.setSelectionBehavior(QTreeWidget.SelectionBehavior.SelectItems)
        self.table.setAllColumnsShowFocus(False)
        self.table.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.table.customContextMenuRequested.connect(self._show_menu)
        self.table.itemExpanded.connect(self._fill_below)
        self.table.itemActivated.connect(self.open_cell)
        self.empty = EmptyView(_WHY_EMPTY)
        self.empty.offer(Action.OPEN_FOLDER.value, lambda: self.asked.emit(Action.OPEN_FOLDER))
        self._stack = QStackedLayout(self)
        self._stack.addWidget(self.empty)
        self._stack.addWidget(self._content())
        self._project.changed.connect(self.refresh)
        self.refresh()

    def _content(self) -> QWidget:
        content = QWidget()
        self.words = QLabel()
        self.words.setWordWrap(True)
        project = self._project
        self.everything = text_button(
            "play-all", "Verify everything", "Each property of each file that has no answer for its text as it is now"
        )
        self.everything.clicked.connect(lambda: project.verify(project.unanswered()))
        self.file = text_button("play", "Verify file", "All properties of the file that is selected")
        self.file.clicked.connect(lambda: project.verify(questions_of(self._programs())))
        self.stop = text_button("stop", "Stop", "End the run that goes on; what is done stays")
        self.stop.clicked.connect(project.stop)
        bar = QHBoxLayout()
        bar.setContentsMargins(8, 4, 8, 4)
        self.report = text_button("report", "Report…", "One page: all files and checks, by property")
        self.report.clicked.connect(self._ask_for_report)
        for button in (self.everything, self.file, self.stop, self.report):
            bar.addWidget(button)
        bar.addWidget(self.words, 1)
        layout = column_layout(content)
        layout.addLayout(bar)
        layout.addWidget(self.table, 1)
        return content

    # What a person does

    def _ask_for_report(self) -> None:
        place = self._project.place
        assert place is not None
        name = (place if place.is_dir() else place.parent).name
        dialog = chooser(self, "Export a report on the project", filters="Web page (*.html)")
        dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
        dialog.selectFile(f"{name}.html")
        dialog.filesSelected.connect(lambda names: self.write_report(Path(names[0]), name))
        dialog.finished.connect(dialog.deleteLater)
        dialog.show()

    def write_report(self, target: Path, name: str) -> None:
        """Write what is known of the project as one page."""
        project = self._project
        words = self.words.text()
        text = project_page(name, words, project.columns, project.programs, project.rows, project.old)
        try:
            target.write_text(text, "utf-8", "backslashreplace")
        except OSError as error:
            project.failed.emit(f"The report could not be written: {error}")

    def open_cell(self, item: QTreeWidgetItem, column: int) -> None:
        """Show the run of a cell, a check at its line; verify what has no run."""
        program, line = _program(item), item.data(0, _LINE)
        assert isinstance(line, GlanceLine)
        question = self._question(program, column, line)
        if question is None:
            item.setExpanded(not item.isExpanded())
            return
        run = self._project.run_of(question.key)
        if run is None:
            self._project.verify([question])
        else:
            self.asked.emit(Visit(program.entry, run, line.place))

    def menu(self, item: QTreeWidgetItem, column: int) -> QMenu:
        """The menu of a cell: to show its run, and to verify it."""
        menu = QMenu(self)
        program, line = _program(item), item.data(0, _LINE)
        question = self._question(program, column, line)
        if question is not None:
            title = question.choice.title
            run = self._project.run_of(question.key)
            if run is not None:
                _add(menu, "Show this run", lambda: self.asked.emit(Visit(program.entry, run, line.place)))
            _add(menu, f"Verify “{title}” of {program.name}", lambda: self._project.verify([question]))
            every = questions_of(self._project.programs, title)
            _add(menu, f"Verify “{title}” of all files", lambda: self._project.verify(every))
        _add(menu, f"Verify all of {program.name}", lambda: self._project.verify(questions_of([program])))
        return menu

    def _show_menu(self, at: QPoint) -> None:
        item = self.table.itemAt(at)
        if item is not None:
            self.menu(item, self.table.columnAt(at.x())).popup(self.table.viewport().mapToGlobal(at))

    # Drawing

    def refresh(self) -> None:
        """Show what is known now."""
        project = self._project
        self._stack.setCurrentIndex(1 if project.programs else 0)
        if self._shown is not project.programs:
            self._shown = project.programs
            self._build()
        doing = {one.key: "waiting" for one in project.left}
        if project.running and project.left:
            doing[project.left[0].key] = "running"
        for index, program in enumerate(project.programs):
            item = self.table.topLevelItem(index)
            assert item is not None
            self._write(item, program_line(program, project.rows, doing, project.old))
            known = any(one.key in project.rows for one in questions_of([program]))
            policy = QTreeWidgetItem.ChildIndicatorPolicy
            item.setChildIndicatorPolicy(policy.ShowIndicator if known else policy.DontShowIndicator)
            if item.isExpanded():
                self._fill_below(item)
        self.everything.setEnabled(bool(project.unanswered()) and not project.running)
        self.stop.setEnabled(project.running)
        self.words.setText(sentence(project.rows.values(), len(questions_of(project.programs)), len(project.old)))

    def _build(self) -> None:
        self.table.clear()
        columns = ("File", *self._project.columns, "Engine", "CPU s")
        self.table.setColumnCount(len(columns))
        self.table.setHeaderLabels([_in_two_lines(title) for title in columns])
        for number in range(1, len(columns)):
            self.table.header().setSectionResizeMode(number, QHeaderView.ResizeMode.ResizeToContents)
        self.table.setColumnWidth(0, _FIRST)
        for program in self._project.programs:
            item = QTreeWidgetItem(self.table)
            item.setData(0, _PROGRAM, program)
        first = self.table.topLevelItem(0)
        if first is not None:
            self.table.setCurrentItem(first, 0)
        if len(self._project.programs) == 1 and first is not None:
            first.setExpanded(True)

    def _fill_below(self, item: QTreeWidgetItem) -> None:
        program = item.data(0, _PROGRAM)
        if not isinstance(program, ProjectProgram):
            return
        lines = list(lines_below(program, self._project.rows, self._project.old))
        while item.childCount() > len(lines):
            item.takeChild(item.childCount() - 1)
        while item.childCount() < len(lines):
            QTreeWidgetItem(item)
        for index, line in enumerate(lines):
            self._write(item.child(index), line)

    def _write(self, item: QTreeWidgetItem, line: GlanceLine) -> None:
        if item.data(0, _LINE) == line:  # as most are: Qt measures columns anew for each cell that is written
            return
        item.setData(0, _LINE, line)
        item.setText(0, line.title)
        item.setToolTip(0, line.words or line.title)
        for number, column in enumerate(self._project.columns, 1):
            cell = line.cells.get(column)
            item.setText(number, "" if cell is None else cell.word)
            item.setIcon(number, icon(SIGNS[cell.tone], tint_of(cell.tone)) if cell is not None else QIcon())
            item.setToolTip(number, "" if cell is None else cell.words)
        last = len(self._project.columns) + 1
        item.setText(last, line.engine)
        item.setText(last + 1, "" if line.seconds is None else f"{line.seconds:.1f}")

    # Helpers

    def _programs(self) -> tuple[ProjectProgram, ...]:
        return tuple(_program(item) for item in self.table.selectedItems()[:1])

    def _question(self, program: ProjectProgram, column: int, line: GlanceLine) -> Question | None:
        """The question of a cell; of a line with one property, that in all of its columns."""
        columns = self._project.columns
        if 1 <= column <= len(columns):
            title = columns[column - 1]
        elif line.place is not None:
            (title,) = line.cells
        else:
            return None
        return next((one for one in questions_of([program], title)), None)


def _program(item: QTreeWidgetItem) -> ProjectProgram:
    """The program of a line, or of the one that it is below."""
    program = item.data(0, _PROGRAM)
    return program if isinstance(program, ProjectProgram) else _program(item.parent())


def _in_two_lines(title: str) -> str:
    before, _, last = title.rpartition(" ")
    return f"{before}\n{last}" if len(title) > _LONG else title


def _add(menu: QMenu, words: str, action: Callable[[], object]) -> None:
    menu.addAction(words).triggered.connect(lambda _=False: action())
