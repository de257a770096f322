"""Scenes of the manual with several runs: a comparison, and the results of a batch."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path
from tempfile import TemporaryDirectory

from PySide6.QtCore import Qt

from gui.model.current import RunState
from gui.model.tasks import examples
from gui.views.batch import BatchView
from gui.views.comparison import ComparisonView
from gui.window import MainWindow
from interplay.folders import own_command
from scripts.pictures.user import wait

_ROOM = 450  # pixels for a table at the bottom of the window
_TASKS = {"lock": "true", "off_by_one": "false", "counter": "true", "protocol": "true", "wrap_around": "false"}
_DEFINITION = """format_version: '2.0'
input_files: {name}.c
properties:
  - property_file: unreach-call.prp
    expected_verdict: {expected}
options:
  language: C
  data_model: ILP32
"""


def comparison(window: MainWindow) -> None:
    """Show the comparison of the current run with one of another engine: predicates and refinements."""
    record = window.model.record
    assert record is not None
    assert record.path is not None
    window.options.choose_engine("explicit")
    window.verify(window.tasks.selected_properties())
    wait(lambda: window.runner.state is RunState.IDLE and window.model.record is not record, "the end of the run")
    view = window.show_panel("comparison")
    assert isinstance(view, ComparisonView)
    view.compare_with(record.path)
    wait(lambda: view.second is not None, "the second run")
    assert view.overview.content.rows
    _make_room(window)


def batch(window: MainWindow) -> None:
    """Show the results of a batch over some of the examples, by two engines."""
    with TemporaryDirectory() as place:
        tasks, results = Path(place) / "tasks", Path(place) / "results"
        _define(tasks)
        words = ("batch", str(tasks), "--output", str(results), "--time-limit", "30")
        by = ("--configuration", "transition", "--configuration", "bmc")
        subprocess.run(own_command(*words, *by), check=True, capture_output=True)
        window.open_paths([results])
        view = window.show_panel("batch")
        assert isinstance(view, BatchView)
        wait(lambda: bool(view.table.content.rows), "the results")
        assert len(view.table.content.rows) == 2 * len(_TASKS)
        false = next(row for row, one in enumerate(view.table.content.rows) if one[0].text.startswith("✗"))
        view.table.selectRow(false)
        view.open_row(false)
        assert window.model.record is not None
        window.show_panel("batch")
        _make_room(window)


def _define(folder: Path) -> None:
    """Write task definitions of examples, so that verdicts are compared with expected ones."""
    folder.mkdir()
    (folder / "unreach-call.prp").write_text("CHECK( init(main()), LTL(G ! call(reach_error())) )\n")
    for entry in examples():
        name = entry.path.stem
        if name in _TASKS:
            shutil.copy(entry.path, folder)
            (folder / f"{name}.yml").write_text(_DEFINITION.format(name=name, expected=_TASKS[name]))


def _make_room(window: MainWindow) -> None:
    window.resizeDocks([window.docks["progress"]], [_ROOM], Qt.Orientation.Vertical)
