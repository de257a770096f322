"""Export of reports by the command `interplay export`, in a process of its own so that the window never waits."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QObject, QProcess, Signal

from interplay.folders import own_command

_PATIENCE = 5000  # milliseconds


class Exporter(QObject):
    """Exports reports, several at once. Signals: `written` with the file, `failed` with a sentence."""

    written = Signal(Path)
    failed = Signal(str)

    def finish(self) -> None:
        """Wait some seconds for reports that are being written, when the window closes."""
        for process in self.findChildren(QProcess):
            process.finished.disconnect()
            if not process.waitForFinished(_PATIENCE):
                process.kill()
                process.waitForFinished()

    def write(self, run: Path, target: Path) -> None:
        """Write the report on a run: a PDF if the name ends so, else HTML."""
        option = "--pdf" if target.suffix.lower() == ".pdf" else "--html"
        program, *words = own_command("export", str(run), option, str(target))
        process = QProcess(self)
        process.finished.connect(lambda code: self._ended(process, code, target))
        process.errorOccurred.connect(lambda error: self._not_started(process, error))
        process.start(program, words)

    def _ended(self, process: QProcess, code: int, target: Path) -> None:
        words = process.readAllStandardError().toStdString().strip()
        process.deleteLater()
        if code == 0:
            self.written.emit(target)
        else:
            last = words.splitlines()[-1] if words else f"the process ended with {code}"
            self.failed.emit(f"The report could not be written: {last.removeprefix('interplay: ')}")

    def _not_started(self, process: QProcess, error: QProcess.ProcessError) -> None:
        if error is QProcess.ProcessError.FailedToStart:
            process.deleteLater()
            self.failed.emit(f"The report could not be written: {process.errorString()}")
