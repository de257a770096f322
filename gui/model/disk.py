"""Watches the files that are shown, and says which of them have another text on disk."""

from __future__ import annotations

import codecs
from collections.abc import Mapping
from pathlib import Path

from PySide6.QtCore import QFileSystemWatcher, QObject, QTimer, Signal

from frontend.api import read_source
from frontend.source import FrontendError

_SETTLED = 100  # milliseconds: editors write a file in several steps
MAX = 100  # files and folders; systems limit them


class DiskWatch(QObject):
    """The watched files with the texts that they had. `changed()`: something about one of them may be another."""

    changed = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._texts: dict[Path, str] = {}
        self._watcher = QFileSystemWatcher(self)
        self._wait = QTimer(self, interval=_SETTLED, singleShot=True)
        self._wait.timeout.connect(self.changed)
        self._watcher.fileChanged.connect(lambda _: self._wait.start())
        self._watcher.directoryChanged.connect(lambda _: self._wait.start())

    def watch(self, texts: Mapping[str, str]) -> None:
        """Watch these files instead of the ones before. Those that are not here are left out."""
        self._texts = {Path(name): text for name, text in texts.items() if Path(name).is_absolute()}
        files = [str(path) for path in self._texts if path.is_file()][:MAX]
        folders = {str(Path(file).parent) for file in files}  # a file that is replaced is no longer watched itself
        before = [*self._watcher.files(), *self._watcher.directories()]
        if before:
            self._watcher.removePaths(before)
        if files:
            self._watcher.addPaths([*files, *sorted(folders)])

    def differing(self) -> tuple[Path, ...]:
        """The files that have another text now. A file that is gone, or cannot be read, has none."""
        return tuple(path for path, text in self._texts.items() if path.is_file() and _text(path) not in (text, None))


def save_text(file: str, before: str, text: str) -> str:
    """Write a text to a file that has the text `before`; why that was not done, or an empty text.

    Ends of lines and the mark at the beginning stay as they are in the file.
    """
    path = Path(file)
    try:
        data = path.read_bytes()
        if _text(path) != before:
            return f"{path.name} has changed on disk since its text was read: reload it, then edit that text."
        mark = "\ufeff" if data.startswith(codecs.BOM_UTF8) else ""
        data.decode("utf-8")
        written = text.replace("\n", "\r\n") if b"\r\n" in data else text
        path.write_bytes(f"{mark}{written}".encode())
    except UnicodeDecodeError:
        return f"{path.name} is not UTF-8, so that it would not stay what it is: open it in an editor."
    except OSError as error:
        return f"{path.name} cannot be written: {error.strerror or error}"
    return ""


def _text(path: Path) -> str | None:
    try:
        return read_source(path)
    except FrontendError:
        return None
