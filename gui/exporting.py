"""Export of reports by the command `interplay export`, in processes of their own so that the window never waits."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import QObject, QProcess, Signal

from core.dataclass import dataclass
from interplay.folders import own_command

_PATIENCE = 5000  # milliseconds


@dataclass(frozen=True)
class ExportFormat:
    """A format of a run for people or other tools: how its files end, and the option that writes it."""

    title: str
    suffix: str
    flag: str

    @property
    def filter(self) -> str:
        return f"{self.title} (*.{self.suffix})"


FORMATS = (
    ExportFormat("Web page", "html", "--html"),
    ExportFormat("PDF", "pdf", "--pdf"),
    ExportFormat("Markdown", "md", "--markdown"),
    ExportFormat("SARIF", "sarif", "--sarif"),
    ExportFormat("Witness", "yml", "--witness"),
    ExportFormat("Test suite of a violation", "zip", "--test-suite"),
)
EVERYTHING = "All of these, side by side (*)"


def format_of(target: Path) -> ExportFormat:
    """The format of a file by its name; a web page for other names."""
    return next((one for one in FORMATS if target.suffix.lower() == f".{one.suffix}"), FORMATS[0])


def every_format(target: Path) -> tuple[Path, ...]:
    """A file for each format beside a name."""
    return tuple(target.with_suffix(f".{one.suffix}") for one in FORMATS)


class Exporter(QObject):
    """Exports runs, a process for each format: none is lost by another one that fails.

    Signals: `written(path)` and `failed(sentence)` for each file; `ended(paths, sentences)` after the last one.
    """

    written = Signal(Path)
    failed = Signal(str)
    ended = Signal(object, object)

    def finish(self) -> None:
        """Wait some seconds for reports that are being written, when the window closes."""
        for process in self.findChildren(QProcess):
            process.finished.disconnect()
            if not process.waitForFinished(_PATIENCE):
                process.kill()
                process.waitForFinished()

    def write(self, run: Path, *targets: Path) -> None:
        """Write the run to these files, each in the format that its name ends with."""
        export = _Export(self, len(targets))
        for target in targets:
            export.start(run, target)


class _Export:
    """The files that are written at once, and what came of them."""

    def __init__(self, exporter: Exporter, count: int) -> None:
        self._exporter = exporter
        self._left = count
        self._written: list[Path] = []
        self._reasons: list[str] = []

    def start(self, run: Path, target: Path) -> None:
        program, *words = own_command("export", str(run), format_of(target).flag, str(target))
        process = QProcess(self._exporter)
        process.finished.connect(lambda code: self._ended(process, code, target))
        process.errorOccurred.connect(lambda error: self._not_started(process, error))
        process.start(program, words)

    def _ended(self, process: QProcess, code: int, target: Path) -> None:
        words = process.readAllStandardError().toStdString().strip()
        process.deleteLater()
        if code == 0:
            self._written.append(target)
            self._exporter.written.emit(target)
        else:
            last = words.splitlines()[-1] if words else f"the process ended with {code}"
            self._fail(f"{format_of(target).title} could not be written: {last.removeprefix('interplay: ')}")
        self._count()

    def _not_started(self, process: QProcess, error: QProcess.ProcessError) -> None:
        if error is QProcess.ProcessError.FailedToStart:
            process.deleteLater()
            self._fail(f"The report could not be written: {process.errorString()}")
            self._count()

    def _fail(self, sentence: str) -> None:
        self._reasons.append(sentence)
        self._exporter.failed.emit(sentence)

    def _count(self) -> None:
        self._left -= 1
        if not self._left:
            self._exporter.ended.emit(_in_order(self._written), self._reasons)


def _in_order(written: Sequence[Path]) -> list[Path]:
    return sorted(written, key=lambda path: FORMATS.index(format_of(path)))
