"""Three walkthroughs of the workbench: a program that is true, one that is false, and one that ends in unknown, from
opening the example to opening the saved run again.

Each step acts on the window with mouse and keys, while real engines work in child processes, and then asserts what must
be seen. The test runs these walkthroughs, and `scripts.pictures.__main__` takes their pictures.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from PySide6.QtCore import QPoint
from PySide6.QtGui import QImage, QPainter
from PySide6.QtWidgets import QAbstractItemView, QTreeWidget, QWidget

from gui.model.current import RunState
from gui.report.pdf import LIMITS, Pages
from gui.settings import Settings
from gui.views.counterexample import CounterexampleView
from gui.views.evidence import EvidenceView
from gui.views.examination import ExaminationStrip
from gui.views.path import PathView
from gui.views.predicates import PredicatesView
from gui.views.timeline import TimelineView
from gui.window import MainWindow
from interplay.presentation.record.run import RunRecord
from interplay.presentation.record.timeline import EXCLUDED, STUCK, columns
from interplay.presentation.report.assemble import report
from scripts.pictures.user import answer, click, click_name, click_row, drag, press, read, wait

SIZE = (1600, 940)
REFINEMENT = 3  # the one that the walks look at

PANELS = {"path": "Alt+4", "predicates": "Alt+5", "evidence": "Alt+6", "timeline": "Alt+8", "statistics": "Alt+0"}
"""The panels that show a run, with their keys."""


class UserSession:
    """A window with a simulated user. `place` is a folder for its settings, runs and reports."""

    def __init__(self, example: str, place: Path) -> None:
        self.example = example
        self.place = place
        self.window = self._new_window()

    def _new_window(self) -> MainWindow:
        settings = Settings(self.place / "settings.ini")
        settings.put_text("theme", "light")
        window = MainWindow(settings, runs=self.place / "runs")
        window.resize(*SIZE)
        window.show()
        return window

    def close(self) -> None:
        """Close the window for good: one that is only closed would still follow every change of theme."""
        self.window.close()
        self.window.deleteLater()

    def open_new_window(self) -> None:
        """Open a new window on the same settings."""
        self.close()
        self.window = self._new_window()

    @property
    def record(self) -> RunRecord:
        assert self.window.model.record is not None
        return self.window.model.record

    def file(self, suffix: str) -> Path:
        """A file name for the file dialogs."""
        return self.place / f"{self.example}.{suffix}"

    def press(self, *keys: str) -> None:
        press(self.window, *keys)

    def go_to(self, panel: str) -> QWidget:
        """Show a panel by its keys."""
        self.press(PANELS[panel])
        view = self.window.views[panel]
        assert view.isVisible()
        return view

    def seen(self) -> dict[str, list[str]]:
        """The texts of the panels and the banner at this moment, without re-examinations, which are not stored."""
        panels = {panel: read(self.go_to(panel), ExaminationStrip) for panel in PANELS}
        banner = [text.partition(" (stored run")[0] for text in read(self.window.banner)]
        return {"banner": banner, **panels}


Shot = Callable[[], QImage]
WalkStep = Callable[[UserSession], Shot]


# Opening and verifying


def _open(user: UserSession) -> Shot:
    """Choose the example in the list: its lesson and its engine are shown."""
    window = user.window
    tree = window.tasks.findChild(QTreeWidget)
    assert isinstance(tree, QTreeWidget)
    click_name(tree, f"{user.example}.c")
    entry = window.book.current
    assert entry is not None
    assert entry.path.stem == user.example
    assert any(entry.lesson in text for text in read(window.tasks))
    assert window.toolbar.engine.currentText() == entry.engine == "transition"
    assert window.banner.headline == "Not verified yet."
    return _picture(user)


def _verify(user: UserSession, verdict: str, panel: str) -> Shot:
    """Press F5: the verdict is in the banner, and its panel is shown."""
    window = user.window
    user.press("F5")
    assert window.runner.state is RunState.RUNNING
    wait(lambda: window.runner.state is RunState.IDLE, "the end of the run")
    assert window.banner.headline.startswith(verdict)
    assert window.toolbar.sentence == window.banner.headline
    assert window.error_bar.sentence == ""
    assert window.views[panel].isVisible()
    assert any(text.startswith(f"{verdict.lower()}") for text in read(window.tasks))
    return _picture(user)


def _verify_true(user: UserSession) -> Shot:
    shot = _verify(user, "TRUE", "evidence")
    assert any(text.startswith("Confirmed by an inductive invariant") for text in read(user.window.banner))
    assert any("obligations: " in text for text in read(user.window.views["evidence"]))
    return shot


def _verify_false(user: UserSession) -> Shot:
    shot = _verify(user, "FALSE", "path")
    assert "off_by_one.c:19" in user.window.banner.headline
    assert any(text.startswith("Confirmed by native replay") for text in read(user.window.banner))
    assert user.window.banner.inputs.startswith("Fails with capacity = ")
    return shot


def _verify_unknown(user: UserSession) -> Shot:
    shot = _verify(user, "UNKNOWN", "evidence")
    assert any(text.startswith("What to try: ") for text in read(user.window.banner))
    return shot


# Refinements and predicates


def _scrub(user: UserSession) -> Shot:
    """Drag the cursor of the timeline from the last column to the third: every view goes there."""
    timeline, path = user.go_to("timeline"), user.go_to("path")
    assert isinstance(timeline, TimelineView)
    assert isinstance(path, PathView)
    count = len(columns(user.record))
    drag(timeline.chart.viewport(), *(_column(timeline, index) for index in range(count - 1, REFINEMENT - 2, -1)))
    refinements = sum(column.sign == EXCLUDED for column in columns(user.record))
    assert refinements >= REFINEMENT
    assert timeline.where.text() == f"refinement {REFINEMENT} of {refinements}"
    assert path.heading.text().startswith(f"Spurious path of refinement {REFINEMENT}")
    assert "Why it cannot happen" in path.reasons.toPlainText()
    assert "Together impossible" in path.reasons.toPlainText()
    assert f"as it was in refinement {REFINEMENT}" in user.window.toolbar.sentence
    return _picture(user)


def _column(timeline: TimelineView, index: int) -> QPoint:
    """A point of a column of the timeline."""
    area = timeline.chart.viewport().rect()
    x = next(x for x in range(area.width()) if timeline.chart.column_at(x) == index)
    return QPoint(x + 5, area.height() // 2)


def _choose_predicate(user: UserSession) -> Shot:
    """Choose the last predicate that a refinement found and that abstract states use: its origin is below the table."""
    view = user.go_to("predicates")
    assert isinstance(view, PredicatesView)
    rows = _cells(view.table)
    row = max(number for number, cells in enumerate(rows) if _born(cells) and "●" in cells)
    click_row(view.table, row)
    assert [index.row() for index in view.table.selectionModel().selectedRows()] == [row]
    assert user.window.focus.selection.lemma is not None
    assert view.origin.isVisible()
    assert f"Born in refinement {_born(rows[row])}, from its spurious path" in view.origin.text()
    return _picture(user)


def _cells(table: QAbstractItemView) -> list[list[str]]:
    model = table.model()
    return [
        [str(model.index(row, column).data()) for column in range(model.columnCount())]
        for row in range(model.rowCount())
    ]


def _born(cells: list[str]) -> int:
    """The refinement that found the predicate of a row; 0 for none."""
    return int(cells[1].partition(" ")[0])


def _go_to_birth(user: UserSession) -> Shot:
    """Go with one click to the refinement that found the predicate: its path needed it."""
    view = user.go_to("predicates")
    assert isinstance(view, PredicatesView)
    born = _born(_cells(view.table)[view.table.selected or 0])
    click(view.birth)
    path, timeline = user.go_to("path"), user.window.views["timeline"]
    assert isinstance(path, PathView)
    assert isinstance(timeline, TimelineView)
    assert timeline.where.text().startswith(f"refinement {born} of ")
    assert path.heading.text().startswith(f"Spurious path of refinement {born}")
    return _picture(user)


# Counterexample


def _open_counterexample(user: UserSession) -> Shot:
    """Go back to the end; the banner offers the counterexample."""
    user.press("Alt+End")
    button = user.window.banner.action
    assert button.text() == "Step through the counterexample"
    click(button)
    view = _counterexample(user)
    assert view.where.text().startswith("step 1 of ")
    assert user.window.focus.selection.step is not None
    return _picture(user)


def _counterexample(user: UserSession) -> CounterexampleView:
    path = user.window.views["path"]
    assert isinstance(path, PathView)
    assert path.counterexample.isVisible()
    return path.counterexample


def _step(user: UserSession) -> Shot:
    """Step forward and back by keys: the line of the source follows, and changes are marked."""
    view, focus = _counterexample(user), user.window.focus
    places: list[int | None] = []
    for key, step in (("F10", 2), ("F10", 3), ("F10", 4), ("F10", 5), ("F9", 4)):
        user.press(key)
        assert view.where.text().startswith(f"step {step} of ")
        assert focus.selection.line is not None
        places.append(focus.selection.line[1])
    assert places[-1] == places[-3] != places[-2]
    assert any("←" in " ".join(cells) for cells in _cells(view.variables))
    return _picture(user)


def _replay(user: UserSession) -> Shot:
    """Replay with one click: gcc compiles the program, and it runs into the error with these inputs."""
    view = _counterexample(user)
    assert view.strip.sentence.startswith("In the run, native replay")
    assert view.strip.button.text() == "Replay natively"
    click(view.strip.button)
    wait(lambda: view.strip.sentence.startswith("Replayed just now"), "the outcome of the native replay")
    assert "native replay (gcc" in view.strip.sentence
    assert "reaches off_by_one.c:19" in view.strip.sentence
    return _picture(user)


# Evidence


def _check_again(user: UserSession) -> Shot:
    """Check the proof again, as a counterexample is replayed: by separate code."""
    user.press("Alt+End")
    view = user.go_to("evidence")
    assert isinstance(view, EvidenceView)
    assert view.strip.button.text() == "Check the proof again"
    click(view.strip.button)
    wait(lambda: "checked again just now" in view.strip.sentence, "the outcome of the proof check")
    assert view.strip.sentence.endswith("it holds.")
    return _picture(user)


def _why_unknown(user: UserSession) -> Shot:
    """Show the explanation of a missing answer: the reason, the last path, what to try."""
    user.press("Alt+End")
    view = user.go_to("evidence")
    assert isinstance(view, EvidenceView)
    why, last, advice = (words.text() for words in view.missing_words.values())
    assert why.startswith("No method finds predicates that exclude a spurious path.")
    assert last.startswith(f"Refinement {len(columns(user.record))}: a path to ")
    assert "No execution follows it, but no predicates were found that exclude it." in last
    assert last.endswith("together impossible.")
    assert advice
    assert view.last.isVisible()
    assert view.action.isVisible()
    return _picture(user)


def _last_path(user: UserSession) -> Shot:
    """Go by the banner to the point where the run got stuck: the last column, whose path nothing excludes."""
    click(user.window.banner.action)
    path, timeline = user.go_to("path"), user.window.views["timeline"]
    assert isinstance(path, PathView)
    assert isinstance(timeline, TimelineView)
    found = columns(user.record)
    assert [column.sign for column in found] == [*[EXCLUDED] * (len(found) - 1), STUCK]
    assert timeline.where.text() == f"refinement {len(found)}, stuck"
    assert path.heading.text().startswith(f"Spurious path of refinement {len(found)}")
    assert path.heading.text().endswith("but no predicates were found that exclude it")
    shown = user.window.focus.path
    assert shown is not None
    assert user.window.focus.selection.step == max(step.index for step in shown.steps if step.in_core)
    return _picture(user)


# Reports, and the saved run


def _export(user: UserSession) -> Shot:
    """Export both kinds of report, by the suffix of the name."""
    for suffix in ("html", "pdf"):
        target = user.file(suffix)
        user.press("Ctrl+E")
        answer(user.window, target)
        wait(partial(_is_told, user, f"Report written: {target}"), "the word that the report is written")
        assert target.is_file()
    return lambda: first_page(user.record)


def _is_told(user: UserSession, message: str) -> bool:
    assert "could not" not in user.window.error_bar.sentence
    return user.window.statusBar().currentMessage() == message


def _reopen(user: UserSession) -> Shot:
    """Save the run, and open it in a new window: it shows the same, at the end and at the third refinement."""
    target = user.file("interplay")
    user.press("Ctrl+S")
    answer(user.window, target)
    wait(target.is_file, "the saved run")
    before = _read_views(user)
    user.open_new_window()
    assert user.window.model.record is None
    user.press("Ctrl+O")
    answer(user.window, target)
    wait(lambda: user.window.model.record is not None, "the run")
    after = _read_views(user)
    assert after == before, [panel for panel in before if after[panel] != before[panel]]
    user.press("Alt+Home", *["Alt+Right"] * (REFINEMENT - 1))
    user.go_to("predicates")
    user.go_to("timeline")
    return _picture(user)


def _read_views(user: UserSession) -> dict[str, list[str]]:
    """The texts of a run at its third refinement, with a predicate chosen, and at its end."""
    user.press("Alt+Home", *["Alt+Right"] * (REFINEMENT - 1))
    _choose_predicate(user)
    then = {f"{panel} in the middle": words for panel, words in user.seen().items()}
    user.press("Alt+End")
    return {**then, **user.seen()}


def first_page(record: RunRecord) -> QImage:
    """The first page of the report on a run, as it is printed, on paper with a margin."""
    pages = Pages(report(record, LIMITS))
    image = QImage(740, 1070, QImage.Format.Format_RGB32)
    image.fill(0xFFFFFFFF)
    sheet = image.copy(0, 0, 682, 1010)
    painter = QPainter(sheet)
    pages.paint(0, painter)
    painter.end()
    painter.begin(image)
    painter.drawImage(30, 30, sheet)
    painter.end()
    return image


def _picture(user: UserSession) -> Shot:
    return lambda: user.window.grab().toImage()


# The walks


@dataclass(frozen=True)
class Walkthrough:
    """A walkthrough with an example; the names of its steps are those of its pictures."""

    name: str
    example: str
    steps: tuple[tuple[str, WalkStep], ...]

    def pictures(self) -> Iterator[str]:
        for number, (step, _) in enumerate(self.steps, 1):
            yield f"{self.name}-{number}-{step}"


_BEGIN: tuple[tuple[str, WalkStep], ...] = (("open", _open),)
_PAST: tuple[tuple[str, WalkStep], ...] = (
    ("refinement", _scrub),
    ("predicate", _choose_predicate),
    ("birth", _go_to_birth),
)
_END: tuple[tuple[str, WalkStep], ...] = (("report", _export), ("reopened", _reopen))

WALKTHROUGHS: tuple[Walkthrough, ...] = (
    Walkthrough("true", "lock", (*_BEGIN, ("verdict", _verify_true), *_PAST, ("checked", _check_again), *_END)),
    Walkthrough(
        "false",
        "off_by_one",
        (
            *_BEGIN,
            ("verdict", _verify_false),
            *_PAST,
            ("counterexample", _open_counterexample),
            ("step", _step),
            ("replay", _replay),
            *_END,
        ),
    ),
    Walkthrough(
        "unknown",
        "unknown",
        (*_BEGIN, ("verdict", _verify_unknown), *_PAST, ("why", _why_unknown), ("last", _last_path), *_END),
    ),
)


def take(walkthrough: Walkthrough, place: Path, show: Callable[[str, Shot], None]) -> None:
    """Run a walkthrough; its files are left in `place`. `show` is called after each step with its picture."""
    user = UserSession(walkthrough.example, place)
    try:
        for name, (_, step) in zip(walkthrough.pictures(), walkthrough.steps, strict=True):
            show(name, step(user))
    finally:
        user.close()
