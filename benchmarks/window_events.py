"""The CPU time of each event that Qt gives the window, and of opening what is large.

    python -m benchmarks.window_events [--only handlers] [--slowest 10]

Everything runs offscreen, in the real window. Handlers: every event that the event loop delivers is timed in CPU
seconds of its thread, while a made-up run of 20,000 abstract states comes in (`benchmarks.workbench`) and then a person
goes through it: all panels, rounds, rows, typing, other sizes of the window, both themes, a project of 50 files.
Those that take less than a tenth of a millisecond are not counted, since they would hide the others. Paints are the
events in which a window paints what has changed. Opening is from the call to the painted window.
"""

from __future__ import annotations

import argparse
import os
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path

os.environ["QT_QPA_PLATFORM"] = "offscreen"

from PySide6.QtCore import QEvent, QObject, QSize, Qt, QTimer
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractItemView, QApplication, QWidget

from benchmarks.workbench import made_up_run, worker
from gui.app import make_application
from gui.model.current import RunState
from gui.panels import PANELS
from gui.settings import Settings
from gui.views.source import SourceView
from gui.window import MainWindow

HANDLER, PAINT, OPENING = 50.0, 16.0, 3.0
_FRAMES = (QEvent.Type.UpdateRequest, QEvent.Type.Expose, QEvent.Type.UpdateLater)
_FILES = 50
_NOTHING = 0.1  # milliseconds


class TimedApplication(QApplication):
    """Times each event that the event loop delivers; those that a handler sends belong to the handler."""

    def __init__(self) -> None:
        super().__init__([])
        self.handlers: list[tuple[float, str]] = []
        self.paints: list[tuple[float, str]] = []
        self.doing = ""
        self._deep = False

    def notify(self, receiver: QObject, event: QEvent) -> bool:
        if self._deep or not self.doing:
            return super().notify(receiver, event)
        kind = event.type()
        words = f"{kind.name} for {type(receiver).__name__} while {self.doing}"
        self._deep = True
        begin = time.thread_time()
        try:
            return super().notify(receiver, event)
        finally:
            took = (time.thread_time() - begin) * 1000
            self._deep = False
            (self.paints if kind in _FRAMES else self.handlers).append((took, words))


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.window_events", description=__doc__.splitlines()[0])
    parser.add_argument("--only", choices=("handlers", "project", "run"))
    parser.add_argument("--slowest", type=int, default=5)
    parser.add_argument("--events", type=int, default=1_000_000)
    options = parser.parse_args(arguments)
    application = TimedApplication()
    make_application()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        if options.only in (None, "handlers"):
            _say_handlers(application, folder / "handlers", options.slowest)
        if options.only in (None, "project"):
            _say_opening(f"a project of {_FILES} files", folder / "project", _project(folder / "programs"))
        if options.only in (None, "run"):
            run, lines = made_up_run(_made(folder / "large"), options.events, 200)
            _say_opening(f"a run of {len(lines)} events", folder / "run", run)
    return 0


def _made(folder: Path) -> Path:
    folder.mkdir()
    return folder


def _window(folder: Path, command: list[str] | None = None) -> MainWindow:
    window = MainWindow(Settings(_made(folder) / "settings.ini"), command, folder / "runs")
    window.resize(1500, 950)
    window.show()
    QApplication.processEvents()
    return window


def _project(folder: Path) -> Path:
    """A folder of programs of some hundred lines."""
    _made(folder)
    for number in range(_FILES):
        lines = [f"int f{line}(int x) {{ return x + {line}; }}" for line in range(200)]
        body = f"int main(void) {{ int x = f{number}(1); if (x < 0) reach_error(); return 0; }}"
        (folder / f"part{number:02}.c").write_text("\n".join(["extern void reach_error(void);", *lines, body, ""]))
    return folder


def _say_opening(what: str, folder: Path, path: Path) -> None:
    window = _window(folder)
    begin = time.process_time()
    window.open_paths([path])
    QApplication.processEvents()
    window.grab()
    print(f"{what}: open and painted after {time.process_time() - begin:.2f} s CPU (bar: {OPENING:g})", flush=True)
    begin = time.process_time()
    QTest.qWait(3000)
    print(f"    and {time.process_time() - begin:.2f} s CPU beside, in the 3 s that follow", flush=True)
    window.close()
    window.deleteLater()


# Handlers


def _say_handlers(application: TimedApplication, folder: Path, slowest: int) -> None:
    place = _made(folder)
    _, lines = made_up_run(place, 20_000, 200)
    window = _window(place / "window", worker(place, lines))
    for what, acts in _walk(window, place):
        application.doing = what
        for act in acts:
            QTimer.singleShot(0, window, act)  # a handler of its own
            QTest.qWait(1)
        while window.runner.state is not RunState.IDLE:
            QTest.qWait(5)
        QTest.qWait(300)
    application.doing = ""
    for what, values, bar in (("handlers", application.handlers, HANDLER), ("paints", application.paints, PAINT)):
        took = [one for one, _ in values if one > _NOTHING]
        last = statistics.quantiles(took, n=100)[98]
        over = sum(one > bar for one in took)
        print(f"{len(took)} {what}: 99 % {last:.1f} ms, most {max(took):.1f} ms CPU; {over} over the bar of {bar:g}")
        for one, words in sorted(values, reverse=True)[:slowest]:
            print(f"    {one:6.1f} ms {words}")
    window.close()
    window.deleteLater()


Act = Callable[[], object]


def _walk(window: MainWindow, place: Path) -> Iterator[tuple[str, list[Act]]]:
    """The acts of a person, in words and as things that are done one after the other."""
    commands = window.toolbar.commands
    yield "opening a program", [lambda: window.open_paths([place / "many.c"])]
    yield "a run comes in", [lambda: window.show_panel("predicates"), commands["verify"].trigger]
    for panel in PANELS:
        yield f"showing {panel.name}", [_showing(window, panel.name)]
    for panels in (("path", "timeline"), ("predicates", "evidence"), ("heap", "programgraph")):
        yield f"showing {' and '.join(panels)}", [_showing(window, name) for name in panels]
        yield "going through the rounds", [window.focus.first_round, *[commands["next_round"].trigger] * 40]
        yield "going through the steps", [commands["next_step"].trigger] * 40
    for panel in PANELS:
        view = window.show_panel(panel.name)
        for rows in view.findChildren(QAbstractItemView):
            if rows.isVisible() and rows.model() is not None:
                yield f"selecting rows of {panel.name}", [_pressing(rows, Qt.Key.Key_Down)] * 20
    yield "beginning to type", [_showing(window, "source"), commands["edit_here"].trigger]
    view = window.views["source"]
    assert isinstance(view, SourceView)
    assert view.current is not None
    yield "typing", [_pressing(view.current, letter) for letter in "int typed = 1; // comment"]
    yield "discarding", [view.editing.discard.click]
    sizes = (QSize(1024, 700), QSize(1900, 1100), QSize(1500, 950))
    yield "resizing", [_showing(window, "reachability"), *[partial(window.resize, size) for size in sizes]]
    yield "the next theme", [commands["theme"].trigger]
    yield "the theme after it", [commands["theme"].trigger]
    yield "opening a project", [lambda: window.open_paths([_project(place / "programs")])]
    chosen = [partial(window.opener.choose, program.entry) for program in window.project.programs[:10]]
    yield "choosing its programs", list(chosen)


def _showing(window: MainWindow, panel: str) -> Act:
    return partial(window.show_panel, panel)


def _pressing(widget: QWidget, key: Qt.Key | str) -> Act:
    return partial(QTest.keyClick, widget, key)


if __name__ == "__main__":
    sys.exit(main())
