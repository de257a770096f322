"""File dialogs: files to open, and where to save a run or a report.

No dialog is modal, so the window stays usable.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QFileDialog, QWidget

from gui.exporting import EVERYTHING, FORMATS, Exporter, every_format
from gui.model.current import RunModel
from gui.settings import Settings
from interplay.session.project_file import PROJECT_FILES

_PROGRAMS = f"C programs, task definitions, projects, runs (*.c *.i *.yml *.yaml {' '.join(PROJECT_FILES)} *.interplay)"
_ALL = "All files (*)"
_RUN = "Runs (*.interplay)"


class FileDialogs(QObject):
    """The file dialogs of the window.

    Signals: `chosen(paths)`, the files to open; `failed` and `told`, sentences for the window; `exported(sentence,
    path)`, what was written, and what can be opened of it.
    """

    chosen = Signal(object)
    failed = Signal(str)
    told = Signal(str)
    exported = Signal(str, Path)

    def __init__(self, window: QWidget, model: RunModel, settings: Settings) -> None:
        super().__init__(window)
        self._window = window
        self._model = model
        self._settings = settings
        self.exporter = Exporter(self)
        self.exporter.ended.connect(self._exported)

    def ask_for_files(self) -> None:
        dialog = self._ask("Open", self._folder, self._open)
        dialog.setFileMode(QFileDialog.FileMode.ExistingFiles)
        dialog.setNameFilters([_PROGRAMS, _ALL])
        dialog.show()

    def ask_for_folder(self) -> None:
        dialog = self._ask("Open a folder of programs", self._folder, self._open)
        dialog.setFileMode(QFileDialog.FileMode.Directory)
        dialog.setOption(QFileDialog.Option.ShowDirsOnly)
        dialog.show()

    def ask_for_headers(self, taken: Callable[[Path], None]) -> None:
        """Ask for a folder with headers."""
        dialog = self._ask("Add a folder with headers", self._folder, lambda paths: taken(paths[0]))
        dialog.setFileMode(QFileDialog.FileMode.Directory)
        dialog.setOption(QFileDialog.Option.ShowDirsOnly)
        dialog.show()

    def ask_where_to_save(self) -> None:
        """Ask for a file and save the run that is shown."""
        run = self._finished_run("save", Path.is_file)
        if run is not None:
            dialog = self._ask("Save the run", self._folder, lambda names: self.save_run(names[0]))
            dialog.setNameFilter(_RUN)
            dialog.setDefaultSuffix("interplay")
            _to_write(dialog, run.name)

    def ask_for_report(self) -> None:
        """Ask for a file and write a report on the run that is shown; the suffix of the name decides the format."""
        run = self._finished_run("report on", Path.exists)
        if run is None:
            return
        suffixes = {one.filter: one.suffix for one in FORMATS}

        def write(names: list[Path]) -> None:
            everything = dialog.selectedNameFilter() == EVERYTHING
            self.exporter.write(run, *(every_format(names[0]) if everything else names[:1]))

        dialog = self._ask("Export a report", self._folder, write)
        dialog.setNameFilters([*suffixes, EVERYTHING])
        dialog.setDefaultSuffix(FORMATS[0].suffix)
        dialog.filterSelected.connect(lambda name: dialog.setDefaultSuffix(suffixes.get(name, FORMATS[0].suffix)))
        assert self._model.record is not None
        _to_write(dialog, f"{Path(self._model.record.title).stem}.html")

    def _exported(self, written: list[Path], reasons: list[str]) -> None:
        """Tell what was written, and what could not be."""
        if not written:
            self.failed.emit(" ".join(reasons))
            return
        self.told.emit(f"Report written: {written[0]}")
        names = ", ".join(path.name for path in written)
        self.exported.emit(" ".join((f"Written to {written[0].parent}: {names}.", *reasons)), written[0])

    def save_run(self, target: Path) -> None:
        """Copy the run that is shown, and show the copy from then on."""
        record = self._model.record
        assert record is not None
        assert record.path is not None
        try:
            shutil.copyfile(record.path, target)
        except (OSError, shutil.SameFileError) as error:
            self.failed.emit(f"The run cannot be saved: {error}")
            return
        record.path = target
        self._settings.add_recent(target)
        self.told.emit(f"Saved: {target}")

    def _finished_run(self, purpose: str, is_there: Callable[[Path], bool]) -> Path | None:
        """The file of the run that is shown; where there is none, `failed` is emitted."""
        record = self._model.record
        if record is None or record.path is None or not is_there(record.path):
            self.failed.emit(f"There is no finished run to {purpose}: verify a program first.")
            return None
        return record.path

    def _open(self, paths: list[Path]) -> None:
        self._settings.put_text("folder", str(paths[0].parent))
        self.chosen.emit(paths)

    @property
    def _folder(self) -> str:
        return self._settings.text("folder", str(Path.cwd()))

    def _ask(self, title: str, folder: str, taken: Callable[[list[Path]], None]) -> QFileDialog:
        from gui.views.chooser import chooser  # who opens the window does not pay for it

        dialog = chooser(self._window, title, folder)
        dialog.setModal(False)
        dialog.filesSelected.connect(lambda names: taken([Path(name) for name in names]))
        dialog.finished.connect(dialog.deleteLater)
        return dialog


def _to_write(dialog: QFileDialog, name: str) -> None:
    dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
    dialog.selectFile(name)
    dialog.show()
